"""Measures of a scene's look that the drawing and the checks must agree on."""

# Height of the figures on a face as a fraction of the block's edge; the underline of
# 6 and 9 is extra. A number of two figures is drawn smaller, to fit the width.
DIGIT_HEIGHT = 0.62
TWO_FIGURES_HEIGHT = 0.44
HEAD_RADIUS = 0.13  # m, how far the director's head reaches around the eyes


def digit_height(digit: int) -> float:
    """Return the height of a block's figures as a fraction of its edge."""
    return DIGIT_HEIGHT if digit < 10 else TWO_FIGURES_HEIGHT

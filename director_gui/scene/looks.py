"""Measures of a scene's look that the drawing and the checks must agree on."""

DIGIT_HEIGHT = 0.62  # height of a digit's glyphs as a fraction of its block's edge
HEAD_RADIUS = 0.11  # m, the sphere around the director's eye that the head fills

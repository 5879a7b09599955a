"""Shapes that a contrast is begun from, and the ones of METHOD that a run can show."""

from collections.abc import Collection
from dataclasses import dataclass

from director_gui.study.results.contrasts import Contrast, Term, collected


@dataclass(frozen=True, slots=True)
class Shape:
    """A form to fill in.

    Attributes:
        name: What the user chooses.
        terms: A word for each condition, and its weight.
    """

    name: str
    terms: tuple[Term, ...]


SHAPES = (
    Shape(
        "Difference of differences",
        (("test", 1.0), ("reference", -1.0), ("other test", -1.0),
         ("other reference", 1.0)),
    ),
    Shape(
        "Two effects over one base",
        # The base is named twice on purpose: that it cancels is the lesson of the
        # shape.
        (("first", 1.0), ("base", -1.0), ("second", -1.0), ("base", 1.0)),
    ),
    Shape(
        "One against the mean of two",
        (("one", 1.0), ("of two", -0.5), ("of two", -0.5)),
    ),
)  # fmt: skip

# Ours: the paper names these differences in words and lists no contrast of them.
_OFFERED: tuple[tuple[str, tuple[str, str, str, str]], ...] = (
    (
        "Question’s effect, MOVE less MEAN",
        ("move.ask", "move.plain", "mean.ask", "mean.plain"),
    ),
    (
        "Statement less question",
        ("move.state", "move.plain", "move.ask", "move.plain"),
    ),
    (
        "Visibility less block-count question",
        ("move.ask", "move.plain", "move.count", "move.plain"),
    ),
    (
        "Question’s effect, “want you to move” less MOVE",
        ("want.ask", "want.plain", "move.ask", "move.plain"),
    ),
    (
        "Question’s effect, “that you will move” less MOVE",
        ("youwill.ask", "youwill.plain", "move.ask", "move.plain"),
    ),
    (
        "Question’s effect, both clauses less none",
        ("move.both.ask", "move.both.plain", "move.ask", "move.plain"),
    ),
)


def offered(conditions: Collection[str]) -> tuple[Contrast, ...]:
    """Return METHOD's contrasts whose conditions are all there."""
    return tuple(
        collected(name, zip(asked, (1.0, -1.0, -1.0, 1.0), strict=True))
        for name, asked in _OFFERED
        if set(asked) <= set(conditions)
    )

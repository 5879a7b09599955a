"""Points, p-values and intervals as they are read."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.stats.display import (
    MINUS,
    counted,
    interval_text,
    p_text,
    points_text,
)


@pytest.mark.parametrize(
    ("x", "shown"),
    [
        (0.1625, "16.3"),
        (-0.1525, f"{MINUS}15.3"),
        (-0.00875, f"{MINUS}0.9"),
        (0.1685, "16.9"),
        (0.0, "0.0"),
        (-0.0, "0.0"),
        (-0.0004, "0.0"),
        (1.0, "100.0"),
        (1e-9, "0.0"),
        (0.0005, "0.1"),
        (58 / 800, "7.3"),
        (-114 / 800, f"{MINUS}14.3"),
    ],
)
def test_points(x: float, shown: str) -> None:
    assert points_text(x) == shown


def test_points_signs() -> None:
    assert points_text(0.12, signed=True) == "+12.0"
    assert points_text(0.0004, signed=True) == "0.0"
    assert points_text(-0.12, minus="-") == "-12.0"
    assert points_text(None) == "–"


@given(st.integers(-800, 800), st.integers(1, 800))
def test_points_are_right_to_the_exact_fraction(k: int, n: int) -> None:
    """Half away from zero, judged with exact arithmetic."""
    tenths = Fraction(abs(k), n) * 1000
    nearest = (2 * tenths + 1) // 2
    shown = points_text(k / n, minus="-")
    assert abs(Decimal(shown)) == Decimal(int(nearest)) / 10
    assert shown.startswith("-") == (k < 0 and nearest > 0)


@pytest.mark.parametrize(
    ("p", "shown"),
    [
        (0.0, "<0.001"),
        (0.00099, "<0.001"),
        (0.001, "0.001"),
        (0.0005, "<0.001"),
        (0.0495, "0.050"),
        (0.05, "0.050"),
        (0.9999, "1.000"),
        (None, "–"),
    ],
)
def test_p(p: float | None, shown: str) -> None:
    assert p_text(p) == shown


def test_interval() -> None:
    assert interval_text(-0.012, 0.3, signed=True) == f"[{MINUS}1.2, +30.0]"
    assert interval_text(0.012, 0.3) == "[1.2, 30.0]"
    assert interval_text(None, None) == points_text(None)


@pytest.mark.parametrize(
    ("number", "nouns", "shown"),
    [
        (0, ("scene",), "0 scenes"),
        (1, ("scene",), "1 scene"),
        (1600, ("reply", "replies"), "1,600 replies"),
        (1, ("reply", "replies"), "1 reply"),
    ],
)
def test_a_number_agrees_with_its_noun(
    number: int, nouns: tuple[str, ...], shown: str
) -> None:
    assert counted(number, *nouns) == shown

"""Drawings in cells: the right place for each value, nothing outside the frame."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.study.report.charts import (
    KAPPA,
    SHARES,
    WIDTH,
    Scale,
    axis,
    difference_scale,
    interval,
    stack,
)

SHARE = st.floats(0, 1)


def numbers(markup: str, name: str) -> list[float]:
    return [float(x) for x in re.findall(rf'\b{name}="(-?[\d.]+)"', markup)]


def test_ends_and_middle_of_a_scale() -> None:
    low, high = SHARES.x(0), SHARES.x(1)
    assert 0 < low < high < WIDTH
    assert SHARES.x(0.5) == (low + high) / 2


@given(a=SHARE, b=SHARE)
def test_larger_values_never_lie_further_left(a: float, b: float) -> None:
    if a <= b:
        assert SHARES.x(a) <= SHARES.x(b)


@given(st.lists(st.none() | st.floats(-1, 1), max_size=8))
def test_a_scale_of_differences_holds_every_end(ends: list[float | None]) -> None:
    scale = difference_scale(ends)
    assert scale.low == -scale.high
    assert all(scale.low <= end <= scale.high for end in ends if end is not None)


def test_a_scale_of_differences_is_not_larger_than_needed() -> None:
    assert difference_scale([0.05, None, -0.2]) == Scale(-0.2, 0.2)
    assert difference_scale([0.21]) == Scale(-0.4, 0.4)
    assert difference_scale([]) == Scale(-0.2, 0.2)


@pytest.mark.parametrize(
    ("scale", "labels"),
    [
        (SHARES, ["0", "25", "50", "75", "100"]),
        (KAPPA, ["0", "0.25", "0.5", "0.75", "1"]),
        (Scale(-0.4, 0.4), ["−40", "−20", "0", "+20", "+40"]),
    ],
)
def test_labels_of_an_axis(scale: Scale, labels: list[str]) -> None:
    assert re.findall(r"<text[^>]*>([^<]*)</text>", axis(scale)) == labels


def test_a_point_and_its_whisker_lie_where_they_should() -> None:
    made = interval(SHARES, 0.5, 0.25, 0.75, "up")
    assert numbers(made, "cx") == [SHARES.x(0.5)]
    whisker = re.findall(r"<line[^>]*whisker[^>]*>", made)
    assert numbers(whisker[0], "x1") == [SHARES.x(0.25)]
    assert numbers(whisker[0], "x2") == [SHARES.x(0.75)]
    assert 'class="up"' in made


def test_what_is_not_known_is_not_drawn() -> None:
    assert "circle" not in interval(SHARES, None, None, None)
    only_point = interval(SHARES, 0.5, None, None)
    assert "circle" in only_point
    assert "whisker" not in only_point


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any))
def test_a_stack_fills_the_scale_and_no_more(counts: list[int]) -> None:
    every = sum(counts)
    made = stack([(f"k{i}", n / every) for i, n in enumerate(counts)])
    lefts, widths = numbers(made, "x"), numbers(made, "width")[1:]
    assert lefts[0] == SHARES.x(0)
    assert lefts == sorted(lefts)
    assert all(width >= 0 for width in widths)
    right = lefts[-1] + widths[-1]
    assert right <= SHARES.x(1) + 0.02
    assert right >= SHARES.x(1 - counts[-1] / every) - 0.02


def test_drawings_are_hidden_from_those_who_listen() -> None:
    for made in (axis(SHARES), interval(SHARES, 0.1, 0, 1), stack([("a", 1.0)])):
        assert 'aria-hidden="true"' in made

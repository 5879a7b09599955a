"""Durations and counts as people say them."""

import pytest

from coding.results import Progress
from director_gui.ui.coder.words import counted, time_left


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (20.0, "less than a minute left"),
        (60.0, "about 1 min left"),
        (59 * 60.0, "about 59 min left"),
        (59.8 * 60, "about 1 h left"),
        (80 * 60.0, "about 1 h 20 min left"),
        (118 * 60.0, "about 2 h left"),
    ],
)
def test_time_left(seconds: float | None, words: str) -> None:
    assert time_left(Progress(10, 5, 0, 5, seconds)) == words


def test_no_time_is_left_when_nothing_is_open() -> None:
    assert time_left(Progress(10, 8, 2, 0, 0.0)) == ""


def test_one_is_no_plural_and_thousands_are_set_apart() -> None:
    assert [counted(n, "trace") for n in (0, 1, 10_000)] == [
        "0 traces",
        "1 trace",
        "10,000 traces",
    ]

"""Calls, the margin, and the sentences beside a comparison."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.stats.contrast import compare, contrast
from director_gui.stats.replies import Replies
from director_gui.stats.verdicts import (
    call_in_words,
    flag_text,
    margin_verdict,
    reason_text,
)

ends = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)


@pytest.mark.parametrize(
    ("low", "high", "adjusted", "call"),
    [
        (0.01, 0.2, 0.05, "increase"),
        (-0.2, -0.01, 0.05, "decrease"),
        (0.01, 0.2, 0.05000001, "excludes zero, not significant after correction"),
        (0.0, 0.2, 0.001, "no established change"),
        (-0.2, 0.0, 0.001, "no established change"),
        (None, None, None, "no interval"),
    ],
)
def test_call(low: float, high: float, adjusted: float, call: str) -> None:
    assert call_in_words(low, high, adjusted) == call


@given(ends, st.floats(0, 1))
def test_a_call_of_a_change_needs_both_interval_and_p(
    interval: list[float], adjusted: float
) -> None:
    low, high = interval
    call = call_in_words(low, high, adjusted)
    assert (call == "increase") == (low > 0 and adjusted <= 0.05)
    assert (call == "decrease") == (high < 0 and adjusted <= 0.05)


@pytest.mark.parametrize(
    ("low", "high", "verdict"),
    [
        (0.01, 0.06, "unchanged (within margin)"),
        (-0.0999, 0.0999, "unchanged (within margin)"),
        (-0.1, 0.05, "inconclusive"),
        (-0.05, 0.1, "inconclusive"),
        (0.1, 0.2, "changed by more than margin"),
        (-0.3, -0.1, "changed by more than margin"),
        (-0.3, 0.3, "inconclusive"),
        (None, None, "no interval"),
    ],
)
def test_margin(low: float, high: float, verdict: str) -> None:
    assert margin_verdict(low, high) == verdict


def test_margin_and_zero_are_separate_statements() -> None:
    assert call_in_words(0.01, 0.06, 0.001) == "increase"
    assert margin_verdict(0.01, 0.06) == "unchanged (within margin)"


def test_flags_in_words() -> None:
    rows = [(f"s{i}", "A", i % 2) for i in range(6)]
    rows += [(f"s{i}", "B", y) for i, y in enumerate([0, 1, 0, 1, 1])]
    found = compare(Replies.of(rows), "A", "B")
    said = {flag: flag_text(flag, found) for flag in found.flags}
    assert said["some_scenes_lack_a_condition"].startswith("1 of 6 scenes lacks")
    assert said["few_informative_scenes"] == (
        "Only 1 scene differs between conditions; the interval may be too narrow."
    )
    several = {
        number: flag_text(
            "few_informative_scenes", replace(found, informative_scenes=number)
        )
        for number in (0, 2)
    }
    assert several[0].startswith("No scene differs between conditions;")
    assert several[2].startswith("Only 2 scenes differ between conditions;")
    lacking = replace(found, scenes=6, paired_scenes=4)
    assert flag_text("some_scenes_lack_a_condition", lacking) == (
        "2 of 6 scenes lack answers in one condition."
    )
    assert "no_paired_scene" not in said
    assert flag_text("no_paired_scene", found).endswith("different scenes.")
    assert "cut" in flag_text("clipped", found)


def test_reasons_in_words() -> None:
    rows = [(f"s{i}", name, 0) for i in range(2) for name in "AB"]
    few = compare(Replies.of(rows), "A", "B")
    assert reason_text(few) == (
        "Needs at least 3 scenes with answers in each condition; found 2."
    )
    silent = compare(Replies.of([("s", "A", 1), ("s", "B", None)]), "A", "B")
    assert reason_text(silent) == "No answered reply in B."
    rows = [(f"s{i}", name, (i + ord(name)) % 2) for i in range(3) for name in "ABC"]
    tight = contrast(Replies.of(rows), {"A": -1, "B": 0.5, "C": 0.5})
    assert reason_text(tight) == ("Needs at least 4 scenes for 3 conditions; found 3.")


def test_a_comparison_with_an_interval_has_no_reason() -> None:
    rows = [(f"s{i}", name, 0) for i in range(3) for name in "AB"]
    assert reason_text(compare(Replies.of(rows), "A", "B")) == ""

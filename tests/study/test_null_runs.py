"""Where nothing is planted, the whole path finds as little as it promises.

Prompts are composed, the practice reader answers, replies are scored and compared: 72
comparisons a run, as many as the paper's first family. The reader's shares are equal in
the two conditions of every pair, so each call is a false one.
"""

import math
from functools import cache

import pytest

from director_gui.runner.practice.mixture import expected_rates, presets
from director_gui.runner.practice.reader import PracticeReader
from director_gui.stats.contrast import compare
from director_gui.stats.correction import PAPER_FAMILIES, adjust
from director_gui.stats.replies import Replies, Reply
from director_gui.stats.result import ALPHA, Comparison
from director_gui.stats.verdicts import call_in_words
from tests.study.test_practice_recovery import scene, score

NULL = "practice-null"
SCENES, SAMPLES, RUNS = 40, 5, 6
PAIRS = (
    ("move.ask", "move.plain"),
    ("move.count", "move.plain"),
    ("move.state", "move.plain"),
    ("move.after", "move.plain"),
    ("move.knows", "move.plain"),
    ("move.padding.ask", "move.ask"),
    ("want.ask", "want.plain"),
    ("mean.ask", "mean.plain"),
)
MODELS = 9  # readers with seeds of their own


def replies(seed: int) -> Replies:
    reader = PracticeReader(presets()[NULL], seed)
    conditions = sorted({name for pair in PAIRS for name in pair})
    return Replies.of(
        Reply(
            f"scene {number}",
            name,
            score(reader, scene(number), name, draw).hidden_choice,
        )
        for name in conditions
        for number in range(SCENES)
        for draw in range(SAMPLES)
    )


@cache
def comparisons(run: int) -> tuple[Comparison, ...]:
    tables = [replies(1000 * run + model) for model in range(MODELS)]
    return tuple(
        compare(table, reference, test) for table in tables for test, reference in PAIRS
    )


def false_calls(found: tuple[Comparison, ...]) -> int:
    adjusted = adjust([one.p for one in found])
    calls = [
        call_in_words(one.ci_low, one.ci_high, p)
        for one, p in zip(found, adjusted, strict=True)
    ]
    return sum(call in ("increase", "decrease") for call in calls)


def test_nothing_is_planted_in_any_pair() -> None:
    rates = {
        name: expected_rates(presets()[NULL], name).hidden_choice
        for pair in PAIRS
        for name in pair
    }
    assert all(rates[test] == rates[reference] for test, reference in PAIRS)
    assert all(rate > 0 for rate in rates.values())
    assert len(PAIRS) * MODELS == PAPER_FAMILIES["question and controls"] == 72


@pytest.mark.slow
def test_as_many_comparisons_exclude_zero_as_the_level_says() -> None:
    found = [
        one for run in range(RUNS) for one in comparisons(run) if one.p is not None
    ]
    assert len(found) == RUNS * 72
    share = sum((one.p or 1.0) < ALPHA for one in found) / len(found)
    # Pairs share a base and rates near 0 make the interval wide, so the 432 count for
    # fewer; four standard errors of half as many still tell 5 % from 12 %.
    spread = 4 * math.sqrt(ALPHA * (1 - ALPHA) / (len(found) / 2))
    assert 0 < share < ALPHA + spread


@pytest.mark.slow
def test_after_correction_a_run_makes_no_false_call_but_rarely() -> None:
    # Each run has any false call with a chance of 5 %: three of six would come up
    # twice in a thousand.
    with_any = sum(false_calls(comparisons(run)) > 0 for run in range(RUNS))
    assert with_any <= 2
    # Without the correction hardly a run would be clean: the guard has work to do.
    clean = sum(
        all((one.p or 1.0) >= ALPHA for one in comparisons(run)) for run in range(RUNS)
    )
    assert clean <= RUNS // 2


@pytest.mark.slow
def test_intervals_cover_the_difference_that_is_none() -> None:
    found = [one for run in range(RUNS) for one in comparisons(run)]
    covered = sum(
        one.ci_low is not None
        and one.ci_high is not None
        and one.ci_low <= 0 <= one.ci_high
        for one in found
    )
    assert covered / len(found) > 0.90

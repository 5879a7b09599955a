"""A planted effect is found again: prompts, practice replies, scores, comparison."""

from functools import cache
from statistics import fmean

import pytest

from director_gui.prompts.compose import compose
from director_gui.prompts.library import library
from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.mixture import expected_rates, presets
from director_gui.runner.practice.reader import PracticeReader
from director_gui.scoring.score import Score, score_reply
from director_gui.stats.contrast import compare
from director_gui.stats.replies import Replies, Reply
from director_gui.store.database import Study
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Question, answer

SCENES, SAMPLES, SEED = 160, 5, 11
PAIR = ("move.plain", "move.ask")


def scene(number: int) -> KnownScene:
    return KnownScene(
        name=f"scene {number}",
        digits=(3, 5, 8, 2),
        sizes={3: 0.20, 5: 0.15, 8: 0.11, 2: 0.09},
        sees=(2, 5, 8),
        hidden=3,
        director_view=5,
        model_view=3,
    )


def score(reader: PracticeReader, known: KnownScene, name: str, draw: int) -> Score:
    prompt = compose(library().condition(name), known.sees)
    body = f"{known.name} {name}"
    texts = [
        reader.reply(known, prompt.texts[: turn + 1], f"{body} {turn}", draw)
        for turn in range(len(prompt.turns))
    ]
    return score_reply(
        texts[-1].text,
        keys=prompt.keys[-1],
        finish_reason=texts[-1].finish_reason,
        digits=known.digits,
        hidden=known.hidden,
        sees=known.sees,
        turn1_text=texts[0].text if len(texts) > 1 else None,
        turn1_keys=prompt.keys[0] if len(texts) > 1 else (),
    )


@cache
def scores(model: str, condition: str) -> dict[tuple[int, int], Score]:
    reader = PracticeReader(presets()[model], SEED)
    return {
        (number, draw): score(reader, scene(number), condition, draw)
        for number in range(SCENES)
        for draw in range(SAMPLES)
    }


def replies(model: str, *conditions: str) -> Replies:
    return Replies.of(
        Reply(f"scene {number}", condition, found.hidden_choice)
        for condition in conditions
        for (number, _), found in scores(model, condition).items()
    )


@pytest.mark.parametrize(
    ("model", "reference", "test"),
    [
        ("practice-reader", "move.plain", "move.ask"),
        ("practice-reader", "move.plain", "move.count"),
        ("practice-reader", "move.ask", "move.both.ask"),
        ("practice-reader", "move.first_turn_count", "move.first_turn"),
        ("practice-null", "move.plain", "move.ask"),
    ],
)
def test_the_interval_covers_what_was_planted(
    model: str, reference: str, test: str
) -> None:
    found = compare(replies(model, reference, test), reference, test)
    mixture = presets()[model]
    planted = (
        expected_rates(mixture, test).hidden_choice
        - expected_rates(mixture, reference).hidden_choice
    )
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert found.ci_low <= planted <= found.ci_high
    assert found.ci_high - found.ci_low < 0.16


def test_the_effect_of_the_question_is_told_from_none() -> None:
    real = compare(replies("practice-reader", *PAIR), *PAIR)
    null = compare(replies("practice-null", *PAIR), *PAIR)
    assert real.ci_low is not None
    assert real.ci_low > 0.25
    assert null.p is not None
    assert null.p > 0.05


def test_reports_are_right_as_often_as_planted() -> None:
    for condition in ("move.ask", "move.first_turn"):
        found = [
            s.report_correct
            for s in scores("practice-reader", condition).values()
            if s.report_correct is not None
        ]
        planted = expected_rates(presets()["practice-reader"], condition).right_report
        assert abs(fmean(found) - planted) < 0.04


def test_almost_every_reply_can_be_scored_whatever_its_shape() -> None:
    found = [s for name in PAIR for s in scores("practice-reader", name).values()]
    answered = fmean(s.status == "answered" for s in found)
    planted = 1 - sum(presets()["practice-reader"].faults.values())
    assert abs(answered - planted) < 4 * (planted * (1 - planted) / len(found)) ** 0.5
    assert {s.status for s in found} >= {"answered", "unparsed", "truncated"}
    drafts = fmean("conflicting_answers" in s.flags for s in found)
    assert abs(drafts - 0.08) < 0.03
    assert not any("repeated_key" in s.flags for s in found)
    assert not any("not_a_block" in s.flags for s in found)


@pytest.mark.render
def test_a_stored_run_shows_what_was_planted_in_it(demo_study: Study) -> None:
    """The whole way: plan, server, stored replies, counts, the results' table."""
    found = answer(demo_study, ReplyCache(demo_study), Question())
    assert found is not None
    (model,) = {profile["model"] for profile in found.run.settings["profiles"]}
    mixture = presets()[model]
    assert len(found.comparisons) > 3
    for one in found.comparisons:
        planted = (
            expected_rates(mixture, one.test).hidden_choice
            - expected_rates(mixture, one.reference).hidden_choice
        )
        assert one.found is not None
        assert one.found.ci_low is not None
        assert one.found.ci_high is not None
        assert one.found.ci_low <= planted <= one.found.ci_high, one.name

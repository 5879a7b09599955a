"""Corrections by hand count in place of automatic scores, and nothing else moves."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.scoring.score import STATUSES
from director_gui.store.corrections import add_correction
from director_gui.store.database import Study
from director_gui.study.correcting import automatic, corrected, score_given
from director_gui.study.results.columns import ENDINGS, Columns
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Found, Question, answer
from director_gui.study.scored import Scored, scored_replies
from director_gui.study.stimuli import truths_in
from tests import blind_studies


def tables(columns: Columns) -> list[object]:
    cubes = [
        columns.replies(name, model, 0).tally(condition)
        for name in ("hidden_choice", "report_correct", "joint")
        for model in range(len(columns.models))
        for condition in columns.conditions
    ]
    return [(list(one.events), list(one.answered)) for one in cubes]


def first_answered(study: Study, *, hidden: bool) -> Scored:
    return next(
        one
        for one in scored_replies(study, "run-1")
        if one.score is not None and one.score.hidden_choice is hidden
    )


def correct(
    study: Study, one: Scored, choice: int | None, visible: tuple[int, ...] | None
) -> None:
    shown = truths_in(study, {one.reply.call.scene})[one.reply.call.scene]
    value = corrected(shown, choice, visible)
    add_correction(study, one.reply.call.id, value, actor="me", reason="read it")


def test_a_corrected_choice_is_counted(study: Study) -> None:
    one = first_answered(study, hidden=False)
    cache = ReplyCache(study)
    before = cache.columns("run-1")
    correct(study, one, 3, None)  # 3 is the example scene's hidden block
    after = cache.columns("run-1")
    call = one.reply.call
    model = before.models.index(call.profile)
    was, now = (
        c.replies("hidden_choice", model, 0).tally(call.condition)
        for c in (before, after)
    )
    assert (now.k, now.n) == (was.k + 1, was.n)
    assert after.calls == before.calls
    assert after.corrected == 1
    # The automatic ones can still be asked for.
    assert tables(cache.columns("run-1", automatic=True)) == tables(before)


def test_a_reply_without_an_answer_leaves_the_rates(study: Study) -> None:
    one = first_answered(study, hidden=True)
    before = ReplyCache(study).columns("run-1").ended()
    correct(study, one, None, None)
    after = ReplyCache(study).columns("run-1").ended()
    assert after["answered"] == before["answered"] - 1
    assert after["unparsed"] == before["unparsed"] + 1


def test_a_correction_that_was_taken_back_changes_nothing(study: Study) -> None:
    one = first_answered(study, hidden=True)
    before = tables(ReplyCache(study).columns("run-1"))
    correct(study, one, 5, (5, 8))
    assert tables(ReplyCache(study).columns("run-1")) != before
    call = one.reply.call.id
    add_correction(study, call, automatic(one), actor="me", reason="no")
    columns = ReplyCache(study).columns("run-1")
    assert tables(columns) == before
    assert columns.corrected == 0
    found = answer(study, ReplyCache(study), Question())
    assert found is not None
    assert "by hand" not in found.state


def test_the_automatic_scores_can_be_asked_for(study: Study) -> None:
    one = first_answered(study, hidden=False)
    plain = answer(study, ReplyCache(study), Question())
    correct(study, one, 3, None)
    by_hand = answer(study, ReplyCache(study), Question())
    again = answer(study, ReplyCache(study), Question(automatic=True))
    assert plain is not None
    assert by_hand is not None
    assert again is not None
    assert "and the correction counts." in by_hand.state
    said = "1 score was corrected by hand, and the automatic score counts."
    assert again.state == f"{plain.state} {said}"

    def rows(found: Found) -> list[list[str]]:
        sheets = [found.sheets[name] for name in ("comparisons", "rates", "choices")]
        return [[c.text for c in row.cells] for s in sheets for row in s.rows]

    assert rows(again) == rows(plain) != rows(by_hand)


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    max_examples=10,
    deadline=None,
)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 119),
            st.sampled_from([None, 3, 5, 8, 9]),
            st.sampled_from([None, (), (5, 8), (3, 5, 8), (7,)]),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_counts_are_those_of_the_replies_one_by_one(
    study: Study, wanted: list[tuple[int, int | None, tuple[int, ...] | None]]
) -> None:
    replies = scored_replies(study, "run-1")
    for at, choice, visible in wanted:
        correct(study, replies[at % len(replies)], choice, visible)
    columns = ReplyCache(study).columns("run-1")
    expected: dict[tuple[str, str], list[int]] = {}
    for one in scored_replies(study, "run-1"):
        score = one.score
        if one.correction is not None:
            score = score_given(one.correction.score, 3, (5, 8))
        call = one.reply.call
        counts = expected.setdefault((call.profile, call.condition), [0, 0, 0])
        if score is not None and score.status == "answered":
            counts[0] += 1
            counts[1] += bool(score.hidden_choice)
            counts[2] += bool(score.joint)
    for (model, condition), (answered, hidden, joint) in expected.items():
        at = columns.models.index(model)
        tally = columns.replies("hidden_choice", at, 0).tally(condition)
        assert (tally.n, tally.k) == (answered, hidden)
        assert columns.replies("joint", at, 0).tally(condition).k == joint
    assert int(np.sum(columns.n)) == len(replies)


def test_an_open_call_stays_open(study: Study) -> None:
    planned = blind_studies.add_replies(study, 2, 1, run="run-2", answered=False)
    value = {"status": "answered", "choice": 3}
    add_correction(study, planned[0].call.id, value, actor="me", reason="early")
    columns = ReplyCache(study).columns("run-2")
    assert columns.open_calls == columns.calls == 4


def test_the_state_says_how_many(study: Study) -> None:
    replies = scored_replies(study, "run-1")
    said = []
    for one in replies[:2]:
        correct(study, one, 8, None)
        found = answer(study, ReplyCache(study), Question())
        assert found is not None
        said.append(found.sheets["comparisons"].note)
    assert "1 score was corrected by hand, and the correction counts." in said[0]
    assert "2 scores were corrected by hand" in said[1]


@pytest.mark.parametrize("status", STATUSES)
def test_a_score_comes_back_from_its_json(study: Study, status: str) -> None:
    one = first_answered(study, hidden=True)
    assert one.score is not None
    plain = replace(one.score, status=status, known=None, count=None)
    assert score_given(plain.value(), 3, (5, 8)) == plain
    assert ENDINGS.index(status) >= 0


def test_a_bare_correction_is_filled_in_from_the_key() -> None:
    assert score_given({"choice": 3}, 3, (5, 8)).hidden_choice is True
    assert score_given({"choice": 3}, None, (5, 8)).hidden_choice is None
    assert score_given({"visible": [8, 5, 5]}, 3, (5, 8)).status == "unparsed"
    assert score_given({"visible": [8, 5, 5]}, 3, (5, 8)).report_correct is True
    wrong = {"choice": 5, "hidden_choice": True}
    assert score_given(wrong, 3, (5, 8)).hidden_choice is False

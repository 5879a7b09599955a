"""What calls came to as plain tuples: of one run alone, each end once."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.runner.records import Attempt, Outcome
from director_gui.store.attempts import add_attempts, replies_of
from director_gui.store.database import Study
from director_gui.store.outcomes import (
    EndRow,
    among_calls,
    before_first,
    call_count,
    ends_between,
    last_attempt,
)
from tests import blind_studies


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with blind_studies.make(tmp_path / "a.study", count=3) as made:
        blind_studies.add_replies(made, 2, 1, run="run-2")
        yield made


def all_ends(study: Study, run: str) -> list[EndRow]:
    return ends_between(study, run, 0, last_attempt(study))


def test_calls_are_counted_without_reading_them(study: Study) -> None:
    assert call_count(study, "run-1") == len(replies_of(study, "run-1")) == 12
    assert call_count(study, "no such run") == 0


@pytest.mark.parametrize("run", ["run-1", "run-2"])
def test_every_end_of_a_run_is_there_once(study: Study, run: str) -> None:
    replies = replies_of(study, run)
    theirs = sorted(
        (r.call.profile, r.call.batch, r.call.condition, r.call.condition_hash,
         r.call.scene, 1, "stop", r.text, None)
        for r in replies
    )  # fmt: skip
    assert sorted(all_ends(study, run)) == theirs


def test_ranges_join_without_gap_or_overlap(study: Study) -> None:
    last = last_attempt(study)
    for cut in range(last + 1):
        parts = [*ends_between(study, "run-1", 0, cut)]
        parts += ends_between(study, "run-1", cut, last)
        assert parts == all_ends(study, "run-1")


def test_a_two_turn_call_ends_once_with_the_text_of_its_first_turn(
    study: Study,
) -> None:
    one, two, lost = blind_studies.add_replies(
        study, 3, 1, run="run-3", conditions=("move.ask",), answered=False
    )

    def turn(call: str, turn: int, outcome: Outcome, text: str, number: int) -> Attempt:
        return Attempt(call, turn, 2, number, outcome, "t", 1.0, "h", text=text)

    reply, retry, failed = Outcome.REPLY, Outcome.RETRY, Outcome.FAILED
    add_attempts(
        study,
        [
            turn(one.call.id, 1, retry, "", 1),
            turn(one.call.id, 1, reply, "first", 2),
            turn(two.call.id, 1, reply, "half", 1),  # its second turn is still open
            turn(lost.call.id, 1, failed, "", 1),
            turn(one.call.id, 2, reply, "second", 1),
        ],
    )
    ends = {row[4]: row[5:] for row in all_ends(study, "run-3")}
    assert ends == {
        one.call.scene: (1, None, "second", "first"),
        lost.call.scene: (0, None, "", None),
    }


def test_a_small_run_begins_behind_what_came_before_it(study: Study) -> None:
    assert before_first(study, "run-1") == 0
    (late,) = blind_studies.add_replies(
        study, 1, 1, run="run-3", conditions=("move.ask",), answered=False
    )
    last = last_attempt(study)
    assert before_first(study, "run-3") == last
    add_attempts(study, [blind_studies.attempt(late, "said", None)])
    assert before_first(study, "run-3") == last
    assert [row[7] for row in ends_between(study, "run-3", last, last + 1)] == ["said"]


def test_calls_belong_to_their_run(study: Study) -> None:
    first, second = (replies_of(study, run)[0].call.id for run in ("run-1", "run-2"))
    assert among_calls(study, "run-1", frozenset({first, second}))
    assert not among_calls(study, "run-1", frozenset({second, "unknown"}))
    assert not among_calls(study, "run-1", frozenset())

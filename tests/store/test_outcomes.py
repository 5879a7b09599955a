"""What calls came to as plain tuples: in order, in chunks, of one run alone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.store import outcomes
from director_gui.store.attempts import add_attempts, replies_of
from director_gui.store.database import Study
from director_gui.store.outcomes import answers_after, call_count, call_rows
from tests import blind_studies


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with blind_studies.make(tmp_path / "a.study", count=3) as made:
        blind_studies.add_replies(made, 2, 1, run="run-2")
        yield made


def test_calls_are_those_of_the_run_in_order(study: Study) -> None:
    replies = replies_of(study, "run-1")
    rows = call_rows(study, "run-1")
    assert [row[0] for row in rows] == [reply.call.id for reply in replies]
    assert rows[0][1:4] == (
        replies[0].call.profile,
        replies[0].call.condition,
        replies[0].call.condition_hash,
    )
    assert call_count(study, "run-1") == len(rows) == 12
    assert call_count(study, "no such run") == 0
    assert call_rows(study, "no such run") == []


def test_chunks_hold_every_answer_once(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "CHUNK", 5)
    chunks = list(answers_after(study, "run-1", 0))
    # Most attempts are this run's: the four of the other come along.
    assert [len(chunk) for chunk in chunks] == [5, 5, 5, 1]
    texts = {row[1]: row[6] for chunk in chunks for row in chunk}
    own = {r.call.id: r.text for r in replies_of(study, "run-1")}
    assert {call: texts[call] for call in own} == own


def test_a_small_run_is_read_alone(study: Study) -> None:
    (chunk,) = answers_after(study, "run-2", 0)
    assert {row[1] for row in chunk} == {r.call.id for r in replies_of(study, "run-2")}


def test_what_was_read_is_not_read_again(study: Study) -> None:
    last = [row for chunk in answers_after(study, "run-2", 0) for row in chunk][-1][0]
    assert list(answers_after(study, "run-2", last)) == []
    more = blind_studies.add_replies(study, 1, 1, run="run-3", answered=False)
    add_attempts(study, [blind_studies.attempt(more[0], "x", None)])
    assert list(answers_after(study, "run-2", last)) == []
    assert len(next(answers_after(study, "run-3", last))) == 1

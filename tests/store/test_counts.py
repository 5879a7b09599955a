"""Counts: added with how far was read, or not at all; forgotten when replies change."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.runner.records import Attempt, Outcome
from director_gui.store.attempts import add_attempts
from director_gui.store.counts import Counted, Counts, Place, forget_counts, places_of
from director_gui.store.database import Study, open_study
from director_gui.store.outcomes import last_attempt
from tests import blind_studies

HERE: Place = ("m", "1", "move.ask", "v", "scene 1")
THERE: Place = ("m", "1", "move.ask", "v", "scene 2")
FIELDS = "call, turn, turns, number, outcome, terminal, started, latency, request_hash"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with blind_studies.make(tmp_path / "a.study", count=3) as made:
        yield made


def counted(study: Study) -> tuple[Counts, Counted]:
    counts = Counts(study)
    return counts, counts.begin("run-1", "basis", 0, {HERE: 3, THERE: 2})


def found(counts: Counts, of: Counted) -> dict[tuple[Place, int | None], int]:
    return {(cell.place, cell.outcome): cell.n for cell in counts.cells(of)}


def cell_ids(counts: Counts, of: Counted) -> dict[Place, int]:
    return {cell.place: cell.cell for cell in counts.cells(of)}


def test_places_are_those_of_the_calls(study: Study) -> None:
    places = places_of(study, "run-1", 0, 100)
    assert places.total() == 12
    assert len(places) == 6
    assert set(places.values()) == {2}
    assert not places_of(study, "no such run", 0, 100)
    parts = [places_of(study, "run-1", start, start + 5) for start in (0, 5, 10)]
    assert [part.total() for part in parts] == [5, 5, 2]
    assert sum(parts, Counter[Place]()) == places


def test_a_fresh_counting_has_cells_and_nothing_in_them(study: Study) -> None:
    counts, begun = counted(study)
    assert counts.of_run("run-1") == begun
    assert begun[1:] == ("run-1", "basis", 0, 5)
    assert found(counts, begun) == {(HERE, None): 0, (THERE, None): 0}
    assert {cell.calls for cell in counts.cells(begun)} == {2, 3}
    assert counts.of_run("run-2") is None


def test_counts_add_up_over_many_steps(study: Study) -> None:
    counts, begun = counted(study)
    here = cell_ids(counts, begun)[HERE]
    assert counts.add(begun, 5, {(here, 7): 1})
    now = counts.of_run("run-1")
    assert now == begun._replace(until=5)
    assert counts.add(now, 9, {(here, 7): 1, (here, 8): 1})
    assert found(counts, begun) == {(HERE, 7): 2, (HERE, 8): 1, (THERE, None): 0}


def test_what_somebody_else_has_counted_is_not_added_twice(study: Study) -> None:
    counts, begun = counted(study)
    here = cell_ids(counts, begun)[HERE]
    assert counts.add(begun, 5, {(here, 7): 1})
    assert not counts.add(begun, 5, {(here, 7): 1})
    assert found(counts, begun)[HERE, 7] == 1


def test_a_forgotten_counting_takes_no_more(study: Study) -> None:
    counts, begun = counted(study)
    here = cell_ids(counts, begun)[HERE]
    forget_counts(study)
    assert counts.of_run("run-1") is None
    assert not counts.add(begun, 5, {(here, 7): 1})
    anew = counts.begin("run-1", "basis", 0, {HERE: 3})
    # Ids are never used again: what was read for the old counting cannot fit.
    assert anew.id > begun.id
    assert found(counts, anew) == {(HERE, None): 0}


def test_nothing_of_an_earlier_counting_is_left(study: Study) -> None:
    counts, begun = counted(study)
    counts.add(begun, 5, {(cell_ids(counts, begun)[HERE], 7): 1})
    counts.begin("run-2", "basis", 0, {HERE: 1})
    counts.begin("run-1", "another", 0, {THERE: 2})
    tables = {name: study.query(f"SELECT count(*) AS n FROM {name}")[0]["n"]  # noqa: S608 - fixed names
              for name in ("counted_runs", "cells", "cell_counts")}  # fmt: skip
    assert tables == {"counted_runs": 2, "cells": 2, "cell_counts": 0}


def test_counts_and_how_far_was_read_are_one_step(study: Study) -> None:
    counts, begun = counted(study)
    with pytest.raises(sqlite3.IntegrityError):
        counts.add(begun, 5, {(1, None): 1})  # type: ignore[dict-item]
    assert counts.of_run("run-1") == begun


def test_new_attempts_leave_counts_alone(study: Study) -> None:
    more = blind_studies.add_replies(study, 1, 1, run="run-2", answered=False)
    counts = Counts(study)
    begun = counts.begin("run-2", "basis", last_attempt(study), {HERE: 2})
    retry = replace(blind_studies.attempt(more[0], "", None), outcome=Outcome.RETRY)
    add_attempts(study, [retry])
    add_attempts(study, [replace(blind_studies.attempt(more[0], "x", None), number=2)])
    assert counts.of_run("run-2") == begun


def inserted(study: Study, old: Attempt, how: str, **more: object) -> None:
    names = [name.strip() for name in FIELDS.split(",")]
    row = {name: getattr(old, name) for name in names}
    row |= {"terminal": int(old.terminal), "outcome": old.outcome.value, **more}
    row |= {"sdk": "s", "error_kind": "", "error_message": "", "text": "other"}
    # Another program's connection: ours would refuse to replace a reply.
    with closing(sqlite3.connect(study.path, isolation_level=None)) as conn:
        conn.execute(
            f"{how} INTO attempts ({', '.join(row)})"
            f" VALUES ({', '.join('?' * len(row))})",
            list(row.values()),
        )


def test_a_replaced_reply_has_its_run_counted_anew(study: Study) -> None:
    counts = Counts(study)
    counts.begin("run-1", "basis", last_attempt(study), {HERE: 12})
    other = counts.begin("run-2", "basis", 0, {HERE: 1})
    row = study.query("SELECT call FROM attempts ORDER BY id")[0]
    old = Attempt(row["call"], 1, 1, 1, Outcome.REPLY, "t", 1.0, "h")
    inserted(study, old, "INSERT OR REPLACE")
    assert counts.of_run("run-1") is None
    assert counts.of_run("run-2") == other


def test_a_reply_put_among_earlier_ones_has_all_counted_anew(study: Study) -> None:
    (late,) = blind_studies.add_replies(
        study, 1, 1, run="run-2", conditions=("move.ask",), answered=False
    )
    counts = Counts(study)
    counts.begin("run-1", "basis", last_attempt(study) + 5, {HERE: 12})
    inserted(study, blind_studies.attempt(late, "x", None), "INSERT")
    assert counts.of_run("run-1") is None


def test_a_refused_attempt_forgets_nothing(study: Study) -> None:
    counts, begun = counted(study)
    row = study.query("SELECT call FROM attempts ORDER BY id")[0]
    old = Attempt(row["call"], 1, 1, 1, Outcome.REPLY, "t", 1.0, "h")
    with pytest.raises(sqlite3.IntegrityError):
        add_attempts(study, [old])
    assert counts.of_run("run-1") == begun


@pytest.fixture
def read_only(study: Study) -> Iterator[Study]:
    counts, begun = counted(study)
    counts.add(begun, 5, {(cell_ids(counts, begun)[HERE], 7): 1})
    study.close()
    with open_study(study.path, read_only=True) as opened:
        yield opened


def test_a_read_only_study_goes_on_in_memory(read_only: Study) -> None:
    counts = Counts(read_only)
    known = counts.of_run("run-1")
    assert known is not None
    assert known.until == 5
    here = cell_ids(counts, known)[HERE]
    assert counts.add(known, 9, {(here, 7): 2})
    assert found(counts, known) == {(HERE, 7): 3, (THERE, None): 0}
    # Nothing of it is in the file, nor in anybody else's memory.
    other = Counts(read_only)
    assert found(other, other.of_run("run-1") or known)[HERE, 7] == 1


def test_a_read_only_study_can_be_counted_anew(read_only: Study) -> None:
    counts = Counts(read_only)
    anew = counts.begin("run-1", "another", 0, {THERE: 4})
    assert counts.of_run("run-1") == anew
    assert found(counts, anew) == {(THERE, None): 0}
    with pytest.raises(UserError, match="read-only"):
        forget_counts(read_only)


def test_a_study_may_be_left_for_memory(study: Study) -> None:
    counts, begun = counted(study)
    counts.leave_the_file()
    counts.leave_the_file()
    copied = counts.of_run("run-1")
    assert copied == begun
    counts.add(begun, 5, {(cell_ids(counts, begun)[HERE], 7): 1})
    assert found(counts, begun)[HERE, 7] == 1
    assert Counts(study).of_run("run-1") == begun

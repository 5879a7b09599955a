"""Replies that found no room: kept outside of the study, and brought back once."""

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.runner.records import Attempt, Outcome, Usage, now_utc
from director_gui.store import spill as module
from director_gui.store.attempts import add_attempts, attempts_of
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.faults import StorageFullError
from director_gui.store.ledger import RUNS
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import lost_of
from director_gui.store.spill import Spill, spill_folder, take_in
from tests.made_runs import fill, profile_at


@pytest.fixture(autouse=True)
def little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RESERVE", 4096)


@pytest.fixture
def calls(study: Study) -> list[str]:
    planned = fill(study, profile_at("http://127.0.0.1:9"), 4)
    return [item.call.id for item in planned]


def reply(call: str, body: bytes = b"{}", **more: object) -> Attempt:
    values = {"text": "yes", "usage": Usage(3, 4), "cost": 0.5, "body": body}
    made = Attempt(call, 1, 1, 1, Outcome.REPLY, now_utc(), 0.5, "hash")
    return replace(made, **(values | more))  # type: ignore[arg-type]


def left() -> list[Path]:
    return list(spill_folder().glob("*"))


def spilled(study: Study, *attempts: Attempt) -> None:
    kept = Spill(study.path, RUNS)
    kept.keep(attempts)
    kept.close()


def test_nothing_is_left_where_nothing_was_kept(study: Study) -> None:
    spill = Spill(study.path, RUNS)
    assert len(left()) == 1
    spill.close()
    assert left() == []
    assert take_in(study) == 0


def test_what_was_kept_comes_back_as_it_was(study: Study, calls: list[str]) -> None:
    odd = reply(calls[1], bytes(range(256)), text="ü \ud800 😀", reasoning="…")
    spilled(study, reply(calls[0]), odd)
    assert take_in(study) == 2
    (found,) = attempts_of(study, calls[1])
    assert found == replace(odd, text="ü � 😀")  # as the study writes it
    assert attempts_of(study, calls[0])[0].usage == Usage(3, 4)
    assert left() == []
    assert take_in(study) == 0


@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(body=st.none() | st.binary(), text=st.text(), cut=st.integers(1, 30))
def test_a_torn_line_takes_no_other_with_it(
    body: bytes | None, text: str, cut: int
) -> None:
    whole = reply("a", body=body, text=text)  # type: ignore[arg-type]
    line = module._line(whole)
    found = list(module._attempts([line[:-cut] + b"\n", b"\xff\n", line, b"\0\0"]))
    assert found[-1] == whole
    assert all(one == whole for one in found)


def test_what_the_study_got_after_all_is_not_kept(
    study: Study, calls: list[str]
) -> None:
    spill = Spill(study.path, RUNS)
    one, two = reply(calls[0]), reply(calls[1])
    spill.keep([one, two])
    spill.keep([one])  # offered again, as by a run that tries again
    spill.settle([one])
    spill.close()
    with study.write():
        add_attempts(study, [one])
    assert take_in(study) == 1
    assert len(attempts_of(study, calls[0])) == len(attempts_of(study, calls[1])) == 1


def test_all_settled_leaves_nothing(study: Study, calls: list[str]) -> None:
    spill = Spill(study.path, RUNS)
    for call in calls:  # more than there is room for, one after the other
        spill.keep([reply(call, b"x" * 3000)])
        spill.settle([reply(call)])
    spill.close()
    assert left() == []


def test_an_ended_call_takes_no_second_end(study: Study, calls: list[str]) -> None:
    add_attempts(study, [reply(calls[0], number=2)])
    spilled(study, reply(calls[0]))
    assert take_in(study) == 0
    assert left() == []


def test_a_session_that_still_writes_is_left_alone(
    study: Study, calls: list[str]
) -> None:
    spill = Spill(study.path, RUNS)
    spill.keep([reply(calls[0])])
    assert take_in(study) == 0
    spill.close()
    assert take_in(study) == 1


def test_a_killed_session_leaves_its_room_and_its_replies(
    study: Study, calls: list[str]
) -> None:
    spill = Spill(study.path, RUNS)
    spill.keep([reply(calls[0])])
    assert spill._file is not None
    spill._file.close()  # what a kill does
    (file,) = left()
    assert file.stat().st_size >= 4096
    assert take_in(study) == 1


def test_a_copy_of_a_study_takes_nothing_away(
    study: Study, calls: list[str], tmp_path: Path
) -> None:
    study.query("PRAGMA wal_checkpoint(TRUNCATE)")
    shutil.copy(study.path, tmp_path / "copy.study")
    spilled(study, reply(calls[0]))
    with open_study(tmp_path / "copy.study") as copy:
        assert take_in(copy) == 0
    assert take_in(study) == 1


def test_a_moved_study_gets_its_replies(
    path: Path, study: Study, calls: list[str]
) -> None:
    spilled(study, reply(calls[0]))
    study.close()
    moved = path.replace(path.with_name("moved.study"))
    with create_study(path.with_name("other.study"), "x") as other:
        assert take_in(other) == 0
    with open_study(moved) as again:
        assert take_in(again) == 1


def test_what_is_not_ours_is_no_matter(study: Study) -> None:
    spill_folder().mkdir(parents=True)
    (spill_folder() / "a.unsaved").write_bytes(b"[1]\nrubbish\n")
    (spill_folder() / "b.unsaved").mkdir()
    assert take_in(study) == 0


def test_without_a_folder_of_its_own_a_run_goes_all_the_same(
    study: Study, calls: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path / "file"))
    spill = Spill(study.path, RUNS)
    spill.keep([reply(calls[0])])
    spill.settle([reply(calls[0])])
    spill.close()


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """A study without room while the list holds True."""
    state = [True]
    real = Study.write

    def write(self: Study) -> object:
        if state[0]:
            raise StorageFullError("the disk is full", where="x")
        return real(self)

    monkeypatch.setattr(Study, "write", write)
    yield state
    state[0] = False


def test_a_reply_whose_run_ends_without_room_is_not_lost(
    study: Study, calls: list[str], full: list[bool]
) -> None:
    async def session() -> None:
        recorder = Recorder(study)
        full[0] = False
        await recorder.mark(calls[0], 0.5)
        full[0] = True
        with pytest.raises(StorageFullError):
            await recorder.record(reply(calls[0]))
        # Cancelled before it could be told that there is no room.
        waiting = asyncio.ensure_future(recorder.record(reply(calls[1])))
        await asyncio.sleep(0)
        waiting.cancel()
        await recorder.close()

    asyncio.run(session())
    with pytest.raises(StorageFullError):
        take_in(study)
    full[0] = False
    assert lost_of(study, "r").in_flight == 1
    assert take_in(study) == 2
    assert lost_of(study, "r").in_flight == 0
    for call in calls[:2]:
        (found,) = attempts_of(study, call)
        assert (found.text, found.body, found.cost) == ("yes", b"{}", 0.5)

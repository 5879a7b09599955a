"""One study at a time, and what stands in the way of another."""

import asyncio
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.render.still import StillRenderer
from director_gui.runner.engine_values import Event, RunResumed
from director_gui.runner.profiles import Profile, find_profile
from director_gui.runner.service import RunHandle
from director_gui.scene.example import example_scene
from director_gui.store.attempts import replies_of
from director_gui.store.counts import Counts
from director_gui.store.database import create_study
from director_gui.store.runs import Run
from director_gui.study.running import Draft, make_run
from director_gui.ui import session as module
from director_gui.ui.session import Session

pytestmark = [pytest.mark.gui, pytest.mark.render]


@pytest.fixture
def session(qtbot: QtBot) -> Session:
    del qtbot
    return Session()


def made_run(session: Session, profile: Profile, samples: int = 2) -> Run:
    draft = Draft(
        "probe", "test", (example_scene(),), ("move.plain",), (profile,), samples
    )
    with StillRenderer() as renderer:
        return make_run(session.study, draft, renderer, session.practice)


def test_a_run_is_sent_told_and_stored(session: Session, qtbot: QtBot) -> None:
    run = made_run(session, find_profile("Practice reader"))
    heard: list[object] = []
    session.events.connect(lambda _run, events: heard.extend(events))
    with qtbot.waitSignal(session.run_ended, timeout=30_000):
        session.send(run)
        assert session.busy
    qtbot.waitUntil(lambda: not session.busy)
    replies = replies_of(session.study, run.id)
    assert {reply.status for reply in replies} == {"reply"}
    assert len(heard) == len(replies) + 1
    session.close()


def test_a_probe_is_counted_while_it_is_sent(session: Session, qtbot: QtBot) -> None:
    run = made_run(session, find_profile("Practice reader"))
    with qtbot.waitSignal(session.run_ended, timeout=30_000):
        session.send(run)
    qtbot.waitUntil(lambda: not session.busy)
    counts = Counts(session.study)
    held = counts.of_run(run.id)
    assert held is not None
    replies = replies_of(session.study, run.id)
    assert sum(cell.n for cell in counts.cells(held)) == len(replies)
    session.close()


def test_replies_are_told_in_slices_that_leave_room_for_frames(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = sys.getswitchinterval()
    handle = RunHandle(asyncio.new_event_loop())
    handle._future = Future()
    heard: list[int] = []

    def slow(_run: str, events: list[Event]) -> None:
        heard.append(len(events))
        time.sleep(module._SLICE)

    session.events.connect(slow)
    session.follow("r", handle)
    assert sys.getswitchinterval() < usual  # the window's thread goes first
    handle._events.extend([RunResumed()] * 10)
    session._poll()
    assert heard == [module._FEW]  # the slice is over; the others wait
    heard.clear()
    handle._events.extend([RunResumed()] * 10_000)
    session._poll()
    # A backlog is told in larger lots, or it would never be caught up with.
    assert heard == [10_006 // module._BACKLOG]
    monkeypatch.setattr(module, "_SLICE", 0.0)
    while handle.waiting:
        session._poll()
    handle._future.set_result(None)
    session._poll()
    assert not session.busy
    assert sys.getswitchinterval() == usual
    handle._loop.close()
    session.close()


def test_another_study_waits_for_calls_in_flight(
    session: Session, qtbot: QtBot, tmp_path: Path
) -> None:
    create_study(tmp_path / "b.study", "b").close()
    profile = find_profile("Practice reader")
    session.send(made_run(session, profile, samples=3))
    with pytest.raises(UserError, match="still in flight"):
        session.open(tmp_path / "b.study")
    qtbot.waitUntil(lambda: not session.busy, timeout=30_000)
    session.open(tmp_path / "b.study")
    assert session.study.meta("name") == "b"
    session.close()


def test_a_missing_key_is_told_before_anything_is_sent(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    profile = Profile(
        name="Mine",
        base_url="http://127.0.0.1:9/v1",
        model="m",
        key_source="env:NO_SUCH_KEY",
    )
    run = made_run(session, profile)
    with pytest.raises(UserError, match="NO_SUCH_KEY"):
        session.send(run)
    assert not session.busy
    assert {r.attempts for r in replies_of(session.study, run.id)} == {0}
    session.close()


def test_a_new_study_gets_the_ending(session: Session, tmp_path: Path) -> None:
    session.create(tmp_path / "mine")
    assert session.study.path == tmp_path / "mine.study"
    with pytest.raises(UserError, match="taken"):
        session.create(tmp_path / "mine")
    session.close()


def test_no_study_is_opened_by_a_closing_program(session: Session) -> None:
    session.close()
    with pytest.raises(UserError, match="closing"):
        _ = session.study

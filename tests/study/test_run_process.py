"""A run in a process of its own: commands, events, keys, and every way to end."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.runner.engine_values import (
    AttemptStored,
    Event,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.keys import Keys
from director_gui.store.attempts import Reply, replies_of
from director_gui.store.database import Study, join_study, open_study
from director_gui.store.sendings import lost_of
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.plan_sending import Sending, ready
from director_gui.study.practice import Practice
from director_gui.study.run_process import RunProcess, send_apart
from tests.fault_server import FaultServer, Request, Served, chat
from tests.plan_studies import plan_at, plan_text, study_with_set

CALLS = 8
CANARY = "sk-canary-0123456789"


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


def planned(
    study: Study, base_url: str, more: str = "", *, at_once: int = 4
) -> Sending:
    text = plan_text(base_url).replace("[[profile]]\n", f"[[profile]]\n{more}", 1)
    text = text.replace("concurrency = 4", f"concurrency = {at_once}")
    with Practice() as practice:
        plan = plan_at(study.path.with_suffix(".toml"), text)
        run = make_plan_run(study, plan, practice)
        return ready(study, plan, run, practice)


def heard(handle: RunProcess, until: Callable[[list[Event]], bool]) -> list[Event]:
    """Poll until what was heard is enough."""
    events: list[Event] = []
    end = time.monotonic() + 60
    while not until(events) and time.monotonic() < end:
        events += handle.poll(3)
        time.sleep(0.01)
    return events


def over(handle: RunProcess) -> list[Event]:
    return heard(handle, lambda _events: handle.done and not handle.waiting)


def slow(_: Request) -> Served:
    return Served(body=chat(), delay=0.3)


def test_a_run_is_sent_told_and_stored(study: Study) -> None:
    with FaultServer(lambda _: Served(body=chat())) as server:
        sending = planned(study, server.base_url)
        handle = send_apart(study, sending, Keys())
        # This process goes on writing meanwhile.
        study.set_meta("name", "written beside it")
        events = over(handle)
        assert handle.wait(20)
    assert events[-1] == RunEnded(CALLS, 0, 0)
    stored = [event for event in events if isinstance(event, AttemptStored)]
    assert len(stored) == len({event.call.id for event in stored}) == CALLS
    assert {r.status for r in replies_of(study, sending.run.id)} == {"reply"}
    assert len(server.requests) == CALLS
    assert study.meta("name") == "written beside it"
    handle.pause()  # what is over takes commands in silence
    handle.cancel()


def test_it_pauses_goes_on_and_drains(study: Study) -> None:
    # Slow enough that a busy machine gets a command in before all is sent.
    with FaultServer(lambda _: Served(body=chat(), delay=1.5)) as server:
        sending = planned(study, server.base_url, at_once=1)
        handle = send_apart(study, sending, Keys())
        handle.pause()
        assert RunPaused("") in heard(handle, lambda events: RunPaused("") in events)
        time.sleep(2)  # what was in hand comes in
        sent = len(server.requests)
        time.sleep(0.5)
        assert len(server.requests) == sent < CALLS
        handle.resume()
        assert RunResumed() in heard(handle, lambda events: RunResumed() in events)
        handle.drain()
        end = over(handle)[-1]
    assert isinstance(end, RunEnded)
    assert 0 < end.open < CALLS
    assert lost_of(study, sending.run.id).in_flight == 0


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_killed_process_is_told_and_loses_no_reply(study: Study) -> None:
    with FaultServer(slow) as server:
        sending = planned(study, server.base_url, at_once=2)
        handle = send_apart(study, sending, Keys())
        heard(handle, lambda events: any(isinstance(e, AttemptStored) for e in events))
        os.kill(handle._process.pid or 0, signal.SIGKILL)
        end = over(handle)[-1]
        assert isinstance(end, RunEnded)
        assert "ended unexpectedly" in end.error
        replies = replies_of(study, sending.run.id)
        assert any(reply.status == "reply" for reply in replies)
        assert 0 < lost_of(study, sending.run.id).in_flight <= 2
        again = send_apart(study, sending, Keys())
        assert over(again)[-1] == RunEnded(_open(replies), 0, 0)
    assert {r.status for r in replies_of(study, sending.run.id)} == {"reply"}
    assert len(server.requests) <= CALLS + 2  # twice only what was in flight


def _open(replies: list[Reply]) -> int:
    return sum(reply.status == "open" for reply in replies)


@pytest.mark.skipif(os.name == "nt", reason="Windows holds on to an open file")
def test_a_study_moved_meanwhile_pauses_and_goes_on_when_it_is_back(
    study: Study,
) -> None:
    away = study.path.with_name("away")

    def decide(request: Request) -> Served:
        if request.number == 2:
            study.path.rename(away)
        return Served(body=chat())

    with FaultServer(decide) as server:
        sending = planned(study, server.base_url, at_once=1)
        handle = send_apart(study, sending, Keys())
        events = heard(
            handle, lambda events: any(isinstance(e, RunPaused) for e in events)
        )
        assert "Put it back" in events[-1].reason  # type: ignore[union-attr]
        sent = len(server.requests)
        away.rename(study.path)
        handle.resume()
        assert over(handle)[-1] == RunEnded(CALLS, 0, 0)
        assert len(server.requests) == CALLS > sent
    assert {r.status for r in replies_of(study, sending.run.id)} == {"reply"}


WINDOW = """
import sys, time
from pathlib import Path
from director_gui.runner.keys import Keys
from director_gui.store.database import open_study
from director_gui.store.runs import runs
from director_gui.study.plan_file import read_plan
from director_gui.study.plan_sending import ready
from director_gui.study.practice import Practice
from director_gui.study.run_process import send_apart

with open_study(Path(sys.argv[1])) as study, Practice() as practice:
    plan = read_plan(Path(sys.argv[1]).with_suffix(".toml"))
    (run,) = runs(study)
    handle = send_apart(study, ready(study, plan, run, practice), Keys())
    print(handle._process.pid, flush=True)
    time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_it_leaves_off_when_the_window_is_killed(study: Study) -> None:
    with FaultServer(slow) as server:
        run_id = planned(study, server.base_url, at_once=1).run.id
        study.close()
        window = subprocess.Popen(
            [sys.executable, "-c", WINDOW, str(study.path)], stdout=subprocess.PIPE
        )
        assert window.stdout is not None
        sender = int(window.stdout.readline())
        window.kill()
        window.communicate(timeout=20)
        end = time.monotonic() + 30
        while Path(f"/proc/{sender}").exists() and time.monotonic() < end:
            time.sleep(0.05)
        assert not Path(f"/proc/{sender}").exists()
        sent = len(server.requests)
    assert sent < CALLS
    with open_study(study.path) as again:
        replied = [r.status for r in replies_of(again, run_id)].count("reply")
        # What was in flight is known, and nothing else could be paid twice.
        assert sent - replied <= lost_of(again, run_id).in_flight <= 1


def test_a_missing_key_is_told_before_anything_is_sent(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with FaultServer(slow) as server:
        sending = planned(study, server.base_url, 'key_source = "env:NO_SUCH_KEY"\n')
        with pytest.raises(UserError, match="NO_SUCH_KEY"):
            send_apart(study, sending, Keys())
        assert not server.requests


def test_a_key_of_this_session_goes_through_the_pipe_alone(study: Study) -> None:
    keys = Keys()
    with FaultServer(slow) as server:
        sending = planned(study, server.base_url, 'key_source = "memory"\n')
        (profile,) = sending.profiles.values()
        keys.remember(profile.name, CANARY)
        handle = send_apart(study, sending, keys)
        process = Path(f"/proc/{handle._process.pid}")
        if process.exists():
            for name in ("cmdline", "environ"):
                assert CANARY.encode() not in (process / name).read_bytes()
        over(handle)
    assert CANARY not in repr(handle._order)
    assert {r.headers["authorization"] for r in server.requests} == {f"Bearer {CANARY}"}
    files = study.path.parent.glob("a.study*")
    assert all(CANARY.encode() not in path.read_bytes() for path in files)


def test_two_processes_take_turns_at_writing(study: Study) -> None:
    with join_study(study.path) as other:
        other.set_meta("name", "from the other")
        study.set_meta("created", "from the first")
        assert study.meta("name") == "from the other"
        assert other.meta("created") == "from the first"
    study.set_meta("name", "the first still writes")
    with pytest.raises(UserError, match="cannot be opened"):
        join_study(study.path.with_name("missing") / "a.study")

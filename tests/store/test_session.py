"""A stored run from end to end, against a server that misbehaves."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from director_gui.ids import sha256_hex
from director_gui.runner.engine_values import (
    AttemptStored,
    ProfileStopped,
    RunEnded,
    RunPaused,
)
from director_gui.runner.keys import Keys
from director_gui.runner.records import Attempt, Outcome
from director_gui.runner.service import RunService
from director_gui.store.attempts import attempts_of, replies_of
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import lost_of
from director_gui.store.session import start_run
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.made_runs import FAST, PNG, fill, finish, profile_at

ROOT = Path(__file__).parents[2]


def reply(request: Request) -> Served:
    return Served(body=chat(f"reply {request.number}"))


def test_a_run_is_sent_kept_and_told(study: Study) -> None:
    with FaultServer(reply) as server, RunService() as service:
        profile = profile_at(server.base_url)
        planned = fill(study, profile, 30)
        handle = start_run(service, study, "r", {"p": profile}, Keys(), policy=FAST)
        assert handle.wait(60)
        events = handle.poll()
    assert handle.done
    assert events[-1] == RunEnded(30, 0, 0)
    stored = [event for event in events if isinstance(event, AttemptStored)]
    assert {event.call for event in stored} == {item.call for item in planned}
    assert {r.image_sha256 for r in server.requests} == {sha256_hex(PNG)}
    assert [r.status for r in replies_of(study, "r")] == ["reply"] * 30


def storm(request: Request) -> Served:
    """Every fault in turn, and a reply for about half of the requests."""
    faults = [
        Served(429, error("slow"), {"retry-after-ms": "20"}),
        Served(429, error("slow"), {"retry-after": "0"}),
        Served(
            429,
            error("slow"),
            {
                "retry-after": "Thu, 01 Jan 2026 00:00:00 GMT",
                "date": "Thu, 01 Jan 2026 00:00:00 GMT",
            },
        ),
        Served(429, error("slow")),
        Served(500, error("oops")),
        Served(503, b"<html>busy</html>"),
        Served(fault="reset"),
        Served(body=chat(), fault="half"),
        Served(body=b"{}"),
        Served(body=b"<html>no</html>"),
        Served(body=chat()[:30]),
        Served(400, error("picture refused")),
        Served(body=chat("x" * 300_000)),
    ]
    random_one = random.Random(request.number)
    if random_one.random() < 0.5:
        return random_one.choice(faults)
    return reply(request)


def test_in_a_storm_every_call_ends_once_and_bodies_are_as_served(
    study: Study,
) -> None:
    with FaultServer(storm) as server:
        profile = profile_at(server.base_url)
        planned = fill(study, profile, 150)
        end = finish(study, profile)
    assert (end.open, end.error) == (0, "")
    made = [a for item in planned for a in attempts_of(study, item.call.id)]
    terminal = Counter(a.call for a in made if a.terminal)
    assert terminal == {item.call.id: 1 for item in planned}
    assert end.replied == sum(a.outcome is Outcome.REPLY for a in made)
    assert len(made) == len(server.requests)
    assert Counter(a.body for a in made if a.body is not None) == Counter(server.served)
    for kind in ("rate_limit", "server", "connection", "malformed", "rejected"):
        assert kind in {a.error_kind for a in made}


def test_values_that_no_column_holds_are_kept_as_far_as_they_go(
    study: Study,
) -> None:
    def odd(request: Request) -> Served:
        if request.number == 0:
            return Served(500, b'{"error": {"message": "half \\ud800"}}')
        body = chat("half \ud800 nul \0 pair \U0001f600", reasoning="\udfff")
        return Served(body=body.replace(b"1000", b"9" * 40))

    with FaultServer(odd) as server:
        profile = profile_at(server.base_url)
        (planned,) = fill(study, profile, 1, turns=("one", "two"))
        assert finish(study, profile) == RunEnded(1, 0, 0)
    (found,) = replies_of(study, "r")
    assert found.text == "half \ufffd nul \0 pair \U0001f600"
    assert found.reasoning == "\ufffd"
    assert (found.usage.input, found.usage.output) == (None, 400)
    assert attempts_of(study, planned.call.id)[-1].body == server.served[-1]


def test_a_hanging_server_is_given_up(study: Study) -> None:
    with FaultServer(lambda _: Served(fault="hang")) as server:
        profile = profile_at(server.base_url, timeout=0.1)
        fill(study, profile, 2)
        assert finish(study, profile) == RunEnded(0, 2, 0)
    assert {r.last.error_kind for r in replies_of(study, "r") if r.last} == {"timeout"}


def test_resume_sends_only_what_has_no_end(study: Study) -> None:
    def stop_after_ten(request: Request) -> Served:
        if request.number >= 10 and len(server.requests) < 100:
            return Served(429, error("pay", "insufficient_quota"))
        return reply(request)

    with FaultServer(stop_after_ten) as server, RunService() as service:
        profile = profile_at(server.base_url)
        fill(study, profile, 40)
        handle = start_run(service, study, "r", {"p": profile}, Keys(), policy=FAST)
        assert handle.wait(60)
        events = handle.poll()
        assert any(isinstance(e, ProfileStopped) and "pay" in e.reason for e in events)
        assert isinstance(events[-1], RunEnded)
        assert events[-1].open == 40 - events[-1].replied > 0
        answered = {r.call.id for r in replies_of(study, "r") if r.status == "reply"}
    with FaultServer(reply) as server:
        profile = profile_at(server.base_url)
        assert finish(study, profile).replied == 40 - len(answered)
        assert len(server.requests) == 40 - len(answered)
        assert finish(study, profile) == RunEnded(0, 0, 0)


def test_a_second_turn_is_resumed_with_the_kept_first(study: Study) -> None:
    def first_only(request: Request) -> Served:
        if request.text == "two":
            return Served(401, error("who"))
        return Served(body=chat("<think>x</think>first"))

    with FaultServer(first_only) as server:
        profile = profile_at(server.base_url)
        fill(study, profile, 1, turns=("one", "two"))
        assert finish(study, profile).open == 1
    with FaultServer(reply) as server:
        profile = profile_at(server.base_url)
        assert finish(study, profile).replied == 1
        (request,) = server.requests
    assert [m["content"] for m in request.body["messages"]][1] == "first"
    (found,) = replies_of(study, "r")
    assert found.turn1_text == "<think>x</think>first"


def test_a_full_disk_pauses_the_run_until_there_is_room(study: Study) -> None:
    with FaultServer(reply) as server, RunService() as service:
        profile = profile_at(server.base_url)
        fill(study, profile, 60)
        recorder_db: list[object] = []
        original = Recorder._commit

        def commit(self: Recorder, items: list[object]) -> None:
            db = self._study.db()
            if not recorder_db:
                recorder_db.append(db)
                pages = db.execute("PRAGMA page_count").fetchone()[0]
                db.execute(f"PRAGMA max_page_count = {pages + 4}")
            elif room:
                db.execute("PRAGMA max_page_count = 1000000")
            original(self, items)  # type: ignore[arg-type]

        room: list[bool] = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Recorder, "_commit", commit)
            handle = start_run(service, study, "r", {"p": profile}, Keys(), policy=FAST)
            paused = wait_for(handle, RunPaused)
            assert "disk is full" in paused.reason
            room.append(True)
            deadline = time.monotonic() + 30
            while not handle.done and time.monotonic() < deadline:
                handle.resume()
                handle.wait(0.05)
        assert handle.poll()[-1] == RunEnded(60, 0, 0)
    assert len(server.requests) == 60


def wait_for(handle: object, kind: type) -> RunPaused:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for event in handle.poll():  # type: ignore[attr-defined]
            if isinstance(event, kind):
                return event
        time.sleep(0.01)
    raise AssertionError(f"no {kind.__name__}")


def test_the_recorder_keeps_good_attempts_beside_a_bad_one(study: Study) -> None:
    profile = profile_at("http://x/v1")
    planned = fill(study, profile, 3)
    made = [
        Attempt(item.call.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h") for item in planned
    ]
    stray = Attempt("no such call", 1, 1, 1, Outcome.REPLY, "t", 0.0, "h")

    async def act() -> list[object]:
        recorder = Recorder(study)
        found = await asyncio.gather(
            *(recorder.record(item) for item in [*made, stray]), return_exceptions=True
        )
        await recorder.close()
        return found

    found = asyncio.run(act())
    assert found[:3] == [None] * 3
    assert isinstance(found[3], Exception)
    assert all(attempts_of(study, item.call.id) for item in planned)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is POSIX")
@pytest.mark.parametrize(
    ("kills", "count"),
    [
        (3, 250),
        pytest.param(100, 2000, marks=[pytest.mark.slow, pytest.mark.timeout(1800)]),
    ],
)
def test_a_killed_run_loses_nothing_and_repeats_only_what_was_in_flight(
    path: Path, kills: int, count: int
) -> None:
    workers, most = 20, 60 if kills < 10 else 20
    with FaultServer(lambda r: Served(body=chat(f"reply {r.number}"))) as server:
        profile = profile_at(server.base_url, concurrency=workers)
        with create_study(path, "x") as study:
            fill(study, profile, count)
        rng = random.Random(7)
        kept: dict[str, bytes | None] = {}
        at_risk = 0
        for _ in range(kills):
            kill_after(path, server, rng.randrange(5, most), rng.random() * 0.05)
            kept = still_there(path, kept)
            with open_study(path) as study:
                lost = lost_of(study, "r").in_flight
            assert lost <= workers
            at_risk += lost
        assert 0 < len(kept) < count
        with open_study(path) as study:
            assert finish(study, profile).open == 0
            assert len(still_there(path, kept, study)) == count
    # Sent twice was no more than what was said beforehand.
    assert len(server.requests) <= count + at_risk


def kill_after(path: Path, server: FaultServer, requests: int, more: float) -> None:
    """Run the stored run in a process; kill it after so many requests and seconds."""
    before = len(server.requests)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.made_runs", str(path), server.base_url],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(server.requests) < before + requests and time.monotonic() < deadline:
        time.sleep(0.002)
    time.sleep(more)
    child.send_signal(signal.SIGKILL)
    child.wait()


def still_there(
    path: Path, kept: dict[str, bytes | None], study: Study | None = None
) -> dict[str, bytes | None]:
    """Check that what was kept is there; return all that is kept now."""
    opened = study or open_study(path)
    rows = opened.query("SELECT call, body FROM attempts WHERE outcome = 'reply'")
    if study is None:
        opened.close()
    now = {row["call"]: row["body"] for row in rows}
    assert len(now) == len(rows)
    assert kept.items() <= now.items()
    return now

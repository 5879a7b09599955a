import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.runner.client import RawReply
from director_gui.runner.engine import Engine
from director_gui.runner.engine_values import (
    AttemptStored,
    Listener,
    RunEnded,
    RunPaused,
    RunResumed,
    Task,
)
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Call, CallInput
from director_gui.runner.service import RunHandle, RunService
from tests.fault_server import chat

PROFILE = Profile(name="p", base_url="http://x/v1", model="m", concurrency=2)


class SlowClient:
    """Answers after a while, in the service's thread."""

    closed = 0
    threads: set[str] = set()  # noqa: RUF012 - one test reads it after the fact

    async def send(self, _: Profile, __: Json) -> RawReply:
        self.threads.add(threading.current_thread().name)
        await asyncio.sleep(0.005)
        return RawReply(200, {}, chat(), "fake 1")

    async def close(self) -> None:
        type(self).closed += 1


async def nowhere(_: Attempt) -> None:
    pass


@asynccontextmanager
async def factory(listener: Listener) -> AsyncIterator[Engine]:
    client = SlowClient()
    try:
        yield Engine(
            {"p": PROFILE},
            client,
            lambda _: CallInput(("text",), b"png"),
            nowhere,
            listener=listener,
        )
    finally:
        await client.close()


@asynccontextmanager
async def refusing(_: Listener) -> AsyncIterator[Engine]:
    raise UserError("there is no room")
    yield


@asynccontextmanager
async def broken(_: Listener) -> AsyncIterator[Engine]:
    raise ExceptionGroup("outer", [ZeroDivisionError("by nought")])
    yield


def tasks(count: int) -> list[Task]:
    return [
        Task(Call("r", "b", "c", "v", "s", "i", "p", "m", PROFILE.settings_hash, n))
        for n in range(1, count + 1)
    ]


def until(handle: RunHandle, kind: type) -> None:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if any(isinstance(event, kind) for event in handle.poll(1)):
            return
        time.sleep(0.002)
    pytest.fail(f"no {kind.__name__}")


def test_a_run_goes_on_in_a_thread_of_its_own() -> None:
    before = SlowClient.closed
    with RunService() as service:
        handle = service.start(factory, tasks(10))
        assert handle.wait(10)
        assert handle.done
    assert SlowClient.threads == {"runs"}
    assert SlowClient.closed == before + 1
    events = handle.poll(4) + handle.poll()
    assert [type(e) for e in events] == [AttemptStored] * 10 + [RunEnded]
    assert handle.poll() == []


def test_commands_reach_the_run() -> None:
    with RunService() as service:
        handle = service.start(factory, tasks(500))
        until(handle, AttemptStored)
        handle.pause()
        until(handle, RunPaused)
        assert not handle.wait(0.05)
        handle.resume()
        until(handle, RunResumed)
        handle.drain()
        assert handle.wait(10)
        end = handle.poll(10_000)[-1]
        assert isinstance(end, RunEnded)
        assert 0 < end.replied < 500
        handle.pause()  # to a run that is over: nothing happens
        assert handle.poll() == []


def test_two_runs_at_a_time_have_events_of_their_own() -> None:
    with RunService() as service:
        first, second = (service.start(factory, tasks(n)) for n in (3, 5))
        assert first.wait(10)
        assert second.wait(10)
        assert first.poll()[-1] == RunEnded(3, 0, 0)
        assert second.poll()[-1] == RunEnded(5, 0, 0)


@pytest.mark.parametrize(
    ("bad", "word"), [(refusing, "no room"), (broken, "ZeroDivisionError: by nought")]
)
def test_a_run_that_cannot_begin_says_why(bad: object, word: str) -> None:
    with RunService() as service:
        handle = service.start(bad, tasks(2))  # type: ignore[arg-type]
        assert handle.wait(10)
        (end,) = handle.poll()
    assert isinstance(end, RunEnded)
    assert word in end.error
    assert end.open == 2


def test_closing_cancels_what_runs_and_ends_the_thread() -> None:
    service = RunService()
    handle = service.start(factory, tasks(10_000))
    until(handle, AttemptStored)
    service.close()
    service.close()
    assert handle.done
    assert isinstance(handle.poll(100_000)[-1], RunEnded)
    assert "runs" not in {thread.name for thread in threading.enumerate()}


def test_cancel_before_the_start_sends_nothing() -> None:
    with RunService() as service:
        handle = service.start(factory, tasks(50))
        handle.cancel()
        assert handle.wait(10)
        end = handle.poll(1000)[-1]
        assert isinstance(end, RunEnded)
        assert end.open > 0

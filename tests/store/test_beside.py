"""Work beside a run: in rounds, once more at the end, and never in the run's way."""

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from director_gui.errors import UserError
from director_gui.runner.batch_sender import BatchLimits
from director_gui.runner.engine_values import RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.store import beside
from director_gui.store.attempts import replies_of
from director_gui.store.beside import working
from director_gui.store.database import Study
from director_gui.store.session import start_batches, start_run
from tests.batch_server import Provider
from tests.fault_server import FaultServer, Served, chat
from tests.made_runs import FAST, fill, profile_at


class Rounds:
    """Counts its calls and remembers their threads."""

    def __init__(self, work: Callable[[], object] = lambda: None) -> None:
        self.threads: list[threading.Thread] = []
        self._work = work

    def __call__(self) -> None:
        self.threads.append(threading.current_thread())
        self._work()


def during(work: Callable[[], object] | None, seconds: float = 0.0) -> None:
    async def run() -> None:
        async with working(work):
            await asyncio.sleep(seconds)

    asyncio.run(run())


def test_a_short_run_has_one_round_at_its_end() -> None:
    rounds = Rounds()
    during(rounds)
    assert len(rounds.threads) == 1
    (thread,) = rounds.threads
    assert thread is not threading.current_thread()
    assert not thread.is_alive()


def test_a_long_run_has_many_rounds_in_one_thread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(beside, "EVERY", 0.001)
    enough = threading.Event()
    rounds = Rounds(lambda: len(rounds.threads) == 3 and enough.set())

    async def run() -> None:
        async with working(rounds):
            await asyncio.to_thread(enough.wait, 30)

    asyncio.run(run())
    assert len(rounds.threads) > 3
    assert len(set(rounds.threads)) == 1


def test_long_rounds_come_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "EVERY", 0.001)
    rounds = Rounds(lambda: time.sleep(0.5))
    during(rounds, 0.6)  # the first round ends, and ten seconds of rest are broken off
    assert len(rounds.threads) == 2


def test_nothing_to_do_starts_no_thread() -> None:
    before = threading.active_count()
    seen: list[int] = []

    async def run() -> None:
        async with working(None):
            seen.append(threading.active_count())

    asyncio.run(run())
    assert seen == [before]


def test_what_cannot_be_done_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "EVERY", 0.001)

    def refuse() -> None:
        raise UserError("the disk is full")

    rounds = Rounds(refuse)
    during(rounds, 0.05)
    assert len(rounds.threads) == 1


def test_a_cancelled_run_still_waits_for_its_last_round() -> None:
    rounds = Rounds()

    async def run() -> None:
        async with working(rounds):
            await asyncio.sleep(60)

    async def cancelled() -> None:
        task = asyncio.ensure_future(run())
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert len(rounds.threads) == 1
    assert not rounds.threads[0].is_alive()


def ended(study: Study) -> list[str]:
    return [reply.status for reply in replies_of(study, "r")]


def test_the_last_round_of_a_run_finds_every_reply(study: Study) -> None:
    seen: list[list[str]] = []
    with FaultServer(lambda _: Served(body=chat("said"))) as server:
        profile = profile_at(server.base_url)
        fill(study, profile, 9)
        with RunService() as service:
            handle = start_run(
                service, study, "r", {"p": profile}, Keys(), policy=FAST,
                beside=lambda: seen.append(ended(study)),
            )  # fmt: skip
            assert handle.wait(60)
            assert handle.poll()[-1] == RunEnded(9, 0, 0)
    assert seen[-1] == ["reply"] * 9


def test_so_does_the_last_round_of_batches(study: Study) -> None:
    seen: list[list[str]] = []
    answer = {"status_code": 400, "body": {"error": {"message": "no"}}}
    with Provider(lambda _: answer) as provider, RunService() as service:
        profile = profile_at(provider.base_url)
        fill(study, profile, 3)
        handle = start_batches(
            service, study, "r", {"p": profile}, Keys(), policy=FAST,
            limits=BatchLimits(poll=0.01),
            beside=lambda: seen.append(ended(study)),
        )  # fmt: skip
        assert handle.wait(60)
    assert seen[-1] == ["failed"] * 3

import asyncio
import threading
from collections.abc import Iterable

import pytest

from director_gui.errors import UserError
from director_gui.runner.records import Attempt, Outcome
from director_gui.store import recorder as module
from director_gui.store.attempts import add_attempts, attempts_of
from director_gui.store.database import Study
from director_gui.store.ledger import Ledger
from director_gui.store.recorder import MOST_AT_ONCE, Recorder
from tests.made_runs import fill, profile_at


def made(study: Study, count: int) -> list[Attempt]:
    planned = fill(study, profile_at("http://x/v1"), count)
    return [
        Attempt(item.call.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h") for item in planned
    ]


def test_attempts_that_wait_together_share_a_commit(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []

    def counted(into: Study, attempts: Iterable[Attempt], ledger: Ledger) -> None:
        items = list(attempts)
        sizes.append(len(items))
        add_attempts(into, items, ledger)

    monkeypatch.setattr(module, "add_attempts", counted)
    attempts = made(study, MOST_AT_ONCE + 100)

    async def act() -> None:
        recorder = Recorder(study)
        await asyncio.gather(*(recorder.record(item) for item in attempts))
        await recorder.close()

    asyncio.run(act())
    assert sum(sizes) == len(attempts)
    assert len(sizes) < len(attempts) / 10
    assert max(sizes) <= MOST_AT_ONCE


def test_record_returns_only_when_it_is_on_disk(study: Study) -> None:
    (attempt,) = made(study, 1)

    async def act() -> None:
        recorder = Recorder(study)
        await recorder.record(attempt)
        found = await asyncio.to_thread(attempts_of, study, attempt.call)
        assert found == [attempt]
        await recorder.close()

    asyncio.run(act())


def test_a_cancelled_waiter_loses_no_reply(study: Study) -> None:
    attempts = made(study, 20)

    async def act() -> None:
        recorder = Recorder(study)
        waiting = [asyncio.create_task(recorder.record(item)) for item in attempts]
        await asyncio.sleep(0)  # each has handed over its attempt
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        await recorder.close()

    asyncio.run(act())
    assert all(attempts_of(study, item.call) == [item] for item in attempts)


def test_closing_keeps_what_waits_and_ends_the_thread(study: Study) -> None:
    attempts = made(study, 50)

    async def act() -> None:
        recorder = Recorder(study)
        waiting = [asyncio.create_task(recorder.record(item)) for item in attempts]
        await asyncio.sleep(0)
        await recorder.close()
        await asyncio.gather(*waiting)

    asyncio.run(act())
    assert all(attempts_of(study, item.call) for item in attempts)
    assert "recorder" not in {thread.name for thread in threading.enumerate()}


def test_every_waiter_hears_of_a_fault_and_can_try_again(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = made(study, 5)

    def full(*_: object) -> None:
        raise UserError("the disk is full")

    async def act() -> None:
        recorder = Recorder(study)
        with monkeypatch.context() as patch:
            patch.setattr(module, "add_attempts", full)
            found = await asyncio.gather(
                *(recorder.record(item) for item in attempts), return_exceptions=True
            )
            assert [str(error) for error in found] == ["the disk is full"] * 5
        await asyncio.gather(*(recorder.record(item) for item in attempts))
        await recorder.close()

    asyncio.run(act())
    assert all(attempts_of(study, item.call) for item in attempts)

import asyncio
from collections.abc import Coroutine

import pytest

from director_gui.runner.gate import Gate


def gate(limit: int = 4, first_wait: float = 0.02) -> tuple[Gate, list[float]]:
    closed: list[float] = []
    made = Gate(limit, first_wait=first_wait, longest_wait=0.08, on_close=closed.append)
    return made, closed


def run(test: Coroutine[None, None, None]) -> None:
    asyncio.run(asyncio.wait_for(test, 10))


async def entered(made: Gate, count: int) -> list["asyncio.Task[bool]"]:
    tasks = [asyncio.create_task(made.enter()) for _ in range(count)]
    await asyncio.sleep(0.005)
    return [task for task in tasks if task.done()]


def test_no_more_than_the_limit_are_in_flight() -> None:
    async def go() -> None:
        made, _ = gate(3)
        assert len(await entered(made, 10)) == 3
        made.leave("passed", probe=False)
        await asyncio.sleep(0.005)
        assert len(await entered(made, 1)) == 0  # one of the seven went before

    run(go())


def test_a_closed_gate_lets_one_probe_through_after_the_wait() -> None:
    async def go() -> None:
        made, closed = gate()
        await made.enter()
        made.leave("refused", probe=False, retry_after=0.1)
        start = asyncio.get_running_loop().time()
        tasks = [asyncio.create_task(made.enter()) for _ in range(4)]
        await asyncio.wait(tasks, return_when="FIRST_COMPLETED")
        assert asyncio.get_running_loop().time() - start >= 0.1
        await asyncio.sleep(0.05)
        assert [task.result() for task in tasks if task.done()] == [True]
        made.leave("passed", probe=True)
        await asyncio.sleep(0.005)
        assert sum(task.done() for task in tasks) > 1
        assert closed == [0.1]

    run(go())


def test_a_refused_probe_keeps_the_gate_shut_and_waits_grow() -> None:
    async def go() -> None:
        made, closed = gate()
        await made.enter()
        made.leave("refused", probe=False)
        for _ in range(4):
            assert await made.enter()
            made.leave("refused", probe=True)
        assert closed == [0.02, 0.04, 0.08, 0.08, 0.08]

    run(go())


def test_the_longest_wait_asked_for_counts() -> None:
    async def go() -> None:
        made, closed = gate()
        for _ in range(3):
            await made.enter()
        for wait in (0.1, 0.05, 0.2):
            made.leave("refused", probe=False, retry_after=wait)
        assert closed == [0.1, 0.2]

    run(go())


def test_a_straggler_that_passes_does_not_open_the_gate() -> None:
    async def go() -> None:
        made, _ = gate()
        await made.enter()
        await made.enter()
        made.leave("refused", probe=False, retry_after=5)
        made.leave("passed", probe=False)
        assert await entered(made, 1) == []

    run(go())


def test_a_cancelled_probe_hands_over() -> None:
    async def go() -> None:
        made, _ = gate()
        await made.enter()
        made.leave("refused", probe=False, retry_after=0.01)
        assert await made.enter()
        made.leave("unused", probe=True)
        assert await made.enter()  # again as the probe

    run(go())


def test_after_a_refusal_fewer_go_and_successes_bring_them_back() -> None:
    async def go() -> None:
        made, _ = gate(8)
        await made.enter()
        made.leave("refused", probe=False, retry_after=0.0)
        assert await made.enter()
        made.leave("passed", probe=True)
        assert len(await entered(made, 20)) == 4
        for _ in range(40):
            made.leave("passed", probe=False)
            await asyncio.sleep(0)
            if made._in_flight == 0:
                break
        assert 4 < made._allowed <= 8

    run(go())


@pytest.mark.parametrize("wait", [None, 3600.0])
def test_an_abandoned_gate_holds_nobody(wait: float | None) -> None:
    async def go() -> None:
        made, _ = gate(1)
        await made.enter()
        made.leave("refused", probe=False, retry_after=3600)
        waiting = asyncio.create_task(made.enter())
        await asyncio.sleep(0.005)
        made.open()
        assert not await waiting
        made.leave("refused", probe=False, retry_after=wait)
        assert not await made.enter()

    run(go())

"""Two rounds of one pass, as the service sees them: pause, drain, cancel, one end."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace

from director_gui.runner.engine_values import (
    Event,
    Listener,
    RunEnded,
    RunPaused,
    Task,
)
from director_gui.runner.records import Call
from director_gui.study.blind.auto_sending import Rounds

CALL = Call("p", "first", "coding", "b", "item", "", "A coder", "m", "s", 1)


class FakeEngine:
    """An engine that ends its tasks when it is told to."""

    def __init__(self, listener: Listener, still_open: int = 0) -> None:
        self.listener, self.still_open = listener, still_open
        self.calls: list[str] = []
        self.tasks: Sequence[Task] = ()
        self.go = asyncio.Event()

    async def run(self, tasks: Sequence[Task]) -> RunEnded:
        self.tasks = tasks
        await self.go.wait()
        done = len(tasks) - self.still_open
        ended = RunEnded(done, 0, self.still_open)
        self.listener(ended)
        return ended

    def pause(self, reason: str = "") -> None:
        self.calls.append("pause")
        self.listener(RunPaused(reason))

    def resume(self) -> None:
        self.calls.append("resume")

    def drain(self) -> None:
        self.calls.append("drain")
        self.go.set()

    def cancel(self) -> None:
        self.calls.append("cancel")
        self.still_open = len(self.tasks)
        self.go.set()


class Stage:
    """Rounds over fake engines, with what was told and how often it was asked again."""

    def __init__(self, *again: int, still_open: int = 0) -> None:
        self.engines: list[FakeEngine] = []
        self.told: list[Event] = []
        self.asked = 0
        self._again, self._open = list(again), still_open
        self.rounds = Rounds(self._engine, self.told.append, self._more)  # type: ignore[arg-type]

    def _engine(self, listener: Listener) -> FakeEngine:
        self.engines.append(FakeEngine(listener, self._open))
        return self.engines[-1]

    def _more(self) -> Sequence[Task]:
        self.asked += 1
        return tasks(self._again.pop(0) if self._again else 0)

    async def engine(self, number: int) -> FakeEngine:
        """Wait until this many engines were made; return the last."""
        for _ in range(500):
            if len(self.engines) >= number and self.engines[number - 1].tasks:
                return self.engines[number - 1]
            await asyncio.sleep(0.002)
        raise AssertionError(f"no engine {number}")


def tasks(count: int) -> list[Task]:
    return [Task(replace(CALL, scene=str(at))) for at in range(count)]


def played(stage: Stage, count: int, act: Callable[[Stage], object]) -> RunEnded:
    """Run some tasks while `act` plays its part."""

    async def both() -> RunEnded:
        going = asyncio.create_task(stage.rounds.run(tasks(count)))
        await act(stage)  # type: ignore[misc]
        return await asyncio.wait_for(going, 10)

    return asyncio.run(both())


def test_one_round_is_enough_when_every_answer_is_good() -> None:
    stage = Stage()

    async def act(stage: Stage) -> None:
        (await stage.engine(1)).go.set()

    assert played(stage, 3, act) == RunEnded(3, 0, 0)
    assert (len(stage.engines), stage.asked) == (1, 1)
    assert stage.told == [RunEnded(3, 0, 0)]


def test_two_rounds_are_summed_and_end_once() -> None:
    stage = Stage(2)

    async def act(stage: Stage) -> None:
        (await stage.engine(1)).go.set()
        second = await stage.engine(2)
        assert len(second.tasks) == 2
        second.go.set()

    assert played(stage, 5, act) == RunEnded(7, 0, 0)
    assert [event for event in stage.told if isinstance(event, RunEnded)] == [
        RunEnded(7, 0, 0)
    ]


def test_nobody_is_asked_again_while_first_calls_are_open() -> None:
    stage = Stage(4, still_open=2)

    async def act(stage: Stage) -> None:
        (await stage.engine(1)).go.set()

    assert played(stage, 5, act) == RunEnded(3, 0, 2)
    assert stage.asked == 0


def test_a_drained_round_is_the_last() -> None:
    stage = Stage(3)

    async def act(stage: Stage) -> None:
        await stage.engine(1)
        stage.rounds.drain()

    # What would be asked again is open: the next sitting sends it.
    assert played(stage, 5, act) == RunEnded(5, 0, 3)
    assert stage.engines[0].calls == ["drain"]
    assert len(stage.engines) == 1


def test_a_cancelled_round_leaves_its_calls_open() -> None:
    stage = Stage(3)

    async def act(stage: Stage) -> None:
        await stage.engine(1)
        stage.rounds.cancel()

    assert played(stage, 5, act) == RunEnded(0, 0, 5)
    assert stage.asked == 0


def test_a_pause_is_passed_on_to_the_next_round() -> None:
    stage = Stage(2)

    async def act(stage: Stage) -> None:
        first = await stage.engine(1)
        stage.rounds.pause()
        first.go.set()  # the last replies were in flight
        second = await stage.engine(2)
        assert second.calls == ["pause"]
        stage.rounds.resume()
        assert second.calls == ["pause", "resume"]
        second.go.set()

    assert played(stage, 1, act) == RunEnded(3, 0, 0)


def test_commands_before_the_first_round_do_no_harm() -> None:
    async def act() -> RunEnded:
        stage = Stage()
        stage.rounds.pause()
        stage.rounds.resume()
        stage.rounds.cancel()
        return await stage.rounds.run(tasks(2))

    assert asyncio.run(act()) == RunEnded(0, 0, 2)


def test_nothing_to_send_ends_at_once() -> None:
    async def act() -> RunEnded:
        return await Stage().rounds.run([])

    assert asyncio.run(act()) == RunEnded(0, 0, 0)

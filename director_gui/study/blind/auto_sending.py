"""Send what is left of an automatic pass, through the engine that runs use."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from director_gui.runner.budget import Budget
from director_gui.runner.engine import Engine
from director_gui.runner.engine_values import (
    Event,
    Listener,
    Policy,
    RunEnded,
    Sender,
    Task,
)
from director_gui.runner.keys import Keys
from director_gui.runner.openai_client import OpenAIClient
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Call, CallInput
from director_gui.runner.service import RunHandle, RunService
from director_gui.store.attempts import open_tasks
from director_gui.store.auto_passes import AutoPass, text_of_call
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import spent_of
from director_gui.study.blind.auto_work import ask_again


def send_pass(
    service: RunService,
    study: Study,
    one: AutoPass,
    profile: Profile,
    keys: Keys,
    *,
    ceiling: float | None = None,
    policy: Policy | None = None,
) -> RunHandle:
    """Send every call of a pass that has no end yet; return at once.

    Answers that cannot be used are asked for once more before the handle is done. The
    same call begins a pass and goes on with it; the handle pauses, drains and cancels
    it as it does a run.

    Args:
        service: The thread that runs it.
        study: Open for writing, until the handle is done.
        one: The pass.
        profile: Its profile, ready to send.
        keys: Where the keys are.
        ceiling: The most that the whole pass may cost in US dollars, earlier sittings
            included; None for no ceiling.
        policy: How patient to be.

    Raises:
        UserError: A key is missing, or the study cannot be read.
    """
    keys.resolve(profile)  # told now, not by the first failing call
    ask_again(study, one)  # a kill may have come between the two rounds
    spent = spent_of(study, one.id, PASSES)
    sitting = _Sitting(study, one, profile, keys, policy, ceiling, spent)
    return service.start(sitting.sender, open_tasks(study, one.id, PASSES))


@dataclass(frozen=True, slots=True)
class _Sitting:
    """One sending of what is left of a pass."""

    study: Study
    one: AutoPass
    profile: Profile
    keys: Keys
    policy: Policy | None
    ceiling: float | None  # US dollars
    spent: float  # US dollars, before this sitting

    @asynccontextmanager
    async def sender(self, listener: Listener) -> AsyncIterator[Sender]:
        """Make the sender inside the loop that it runs in."""
        # Not before: queues, events and connections belong to one loop.
        recorder = Recorder(self.study, PASSES)
        client = OpenAIClient(self.keys)
        # One budget for both rounds: a ceiling is about the pass.
        budget = Budget(self.ceiling, self.spent)

        def engine(told: Listener) -> Engine:
            return Engine(
                {self.profile.name: self.profile},
                client,
                self._input,
                recorder.record,
                listener=told,
                policy=self.policy,
                marks=recorder,
                budget=budget,
            )

        try:
            yield Rounds(engine, listener, self._again)
        finally:
            # What was received is on disk before anybody hears of the end.
            await client.close()
            await recorder.close()

    def _again(self) -> Sequence[Task]:
        ask_again(self.study, self.one)
        return open_tasks(self.study, self.one.id, PASSES)

    def _input(self, call: Call) -> CallInput:
        # A coder sees no picture.
        return CallInput((text_of_call(self.study, call),), b"")


class Rounds:
    """Runs engines one after the other until nobody need be asked again.

    Args:
        engine: Makes the engine of a round.
        listener: Is told what happens; of the end once, with the sums.
        again: Stores what is to be asked once more, and returns all that is open.
    """

    def __init__(
        self,
        engine: Callable[[Listener], Engine],
        listener: Listener,
        again: Callable[[], Sequence[Task]],
    ) -> None:
        self._make, self._listener, self._again = engine, listener, again
        self._engine: Engine | None = None
        self._stop = asyncio.Event()
        self._paused = False

    async def run(self, tasks: Sequence[Task]) -> RunEnded:
        """Work until every item has an answer, is uncodable, or cannot go on now."""
        replied = failed = 0
        # Stopped between two rounds, what is to be asked again stays open.
        while tasks and not self._stop.is_set():
            ended = await self._round(tasks)
            replied, failed = replied + ended.replied, failed + ended.failed
            if ended.open:
                tasks = tasks[: ended.open]
                break
            # Off the loop: other runs share it, and all replies are read here.
            tasks = await asyncio.to_thread(self._again)
        total = RunEnded(replied, failed, len(tasks))
        self._listener(total)
        return total

    async def _round(self, tasks: Sequence[Task]) -> RunEnded:
        self._engine = self._make(self._hear)
        # A pause that came between two rounds was heard by no engine.
        if self._paused:
            self._engine.pause()
        return await self._engine.run(tasks)

    def pause(self, reason: str = "") -> None:
        """Send nothing new."""
        self._paused = True
        if self._engine is not None:
            self._engine.pause(reason)

    def resume(self) -> None:
        """Go on after a pause."""
        self._paused = False
        if self._engine is not None:
            self._engine.resume()

    def drain(self) -> None:
        """Finish what is in hand, begin nothing new, then end."""
        self._stop.set()
        if self._engine is not None:
            self._engine.drain()

    def cancel(self) -> None:
        """End now; what is in flight stays open."""
        self._stop.set()
        if self._engine is not None:
            self._engine.cancel()

    def _hear(self, event: Event) -> None:
        # The end of a round is no end: a window would take the pass for finished.
        if not isinstance(event, RunEnded):
            self._listener(event)

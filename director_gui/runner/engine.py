"""The run engine: brings every call of a run to its end, without losing a reply.

Each profile is a lane with a queue, a fixed pool of workers and one gate. An attempt
is handed to the sink, which makes it durable, before its worker goes on. No Qt, no
database: the same engine serves the window, the command line and the tests.
"""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.runner.attempting import STOPPING, Place, attempt
from director_gui.runner.client import Client
from director_gui.runner.engine_values import (
    AttemptStored,
    GateClosed,
    Inputs,
    Listener,
    Policy,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
    Sink,
    Task,
)
from director_gui.runner.gate import Gate, Passage
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, CallInput, Outcome
from director_gui.runner.wire import request_body


@dataclass(slots=True)
class _Lane:
    """The work of one profile."""

    profile: Profile
    gate: Gate
    queue: deque[Task] = field(default_factory=deque)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    failed_in_a_row: int = 0


class Engine:
    """Runs tasks in the event loop that it is made in.

    Args:
        profiles: The profiles by name; every task's profile is among them.
        client: Sends requests.
        inputs: Returns what a call sends; called when its turn comes.
        sink: Makes an attempt durable; a `UserError` from it pauses the run, and the
            attempt is offered again when the run is resumed.
        listener: Is told what happens, from within the loop.
        policy: How patient to be.
    """

    def __init__(
        self,
        profiles: Mapping[str, Profile],
        client: Client,
        inputs: Inputs,
        sink: Sink,
        *,
        listener: Listener,
        policy: Policy | None = None,
    ) -> None:
        self._profiles = profiles
        self._client = client
        self._inputs = inputs
        self._sink = sink
        self._tell = listener
        self._policy = policy or Policy()
        self._running = asyncio.Event()
        self._running.set()
        self._draining = False
        self._main: asyncio.Task[None] | None = None
        self._counts = dict.fromkeys(Outcome, 0)

    async def run(self, tasks: Sequence[Task]) -> RunEnded:
        """Work until every task has ended or cannot go on now.

        Returns:
            The counts of this session, also told to the listener.

        Raises:
            UserError: A profile is missing or differs from the one planned with.
        """
        # All tasks are checked before the first one is sent.
        lanes = self._lanes(tasks)
        self._main = asyncio.create_task(self._work_all(lanes))
        try:
            await self._main
        except asyncio.CancelledError:
            current = asyncio.current_task()
            if current is not None and current.cancelling():
                raise  # our caller was cancelled, not the run alone
        replied, failed = self._counts[Outcome.REPLY], self._counts[Outcome.FAILED]
        ended = RunEnded(replied, failed, len(tasks) - replied - failed)
        self._tell(ended)
        return ended

    def pause(self, reason: str = "") -> None:
        """Send nothing new; what is in flight is awaited and stored."""
        # Many workers may meet the same full disk; it is told once.
        if self._running.is_set():
            self._running.clear()
            self._tell(RunPaused(reason))

    def resume(self) -> None:
        """Go on after a pause."""
        if not self._running.is_set():
            self._running.set()
            self._tell(RunResumed())

    def drain(self) -> None:
        """Finish the calls in hand, begin no other, then end."""
        self._draining = True
        self.resume()

    def cancel(self) -> None:
        """End now; requests in flight are dropped and their calls stay open."""
        if self._main is not None:
            self._main.cancel()

    def _lanes(self, tasks: Sequence[Task]) -> list[_Lane]:
        lanes: dict[str, _Lane] = {}
        for task in tasks:
            name = task.call.profile
            if name not in lanes:
                lanes[name] = self._lane(name)
            _check_unchanged(lanes[name].profile, task)
            lanes[name].queue.append(task)
        return list(lanes.values())

    def _lane(self, name: str) -> _Lane:
        profile = self._profiles.get(name)
        if profile is None:
            raise UserError(
                "this run needs a model profile that is not there", where=name
            )
        gate = Gate(
            profile.concurrency,
            first_wait=self._policy.first_wait,
            longest_wait=self._policy.longest_wait,
            on_close=lambda seconds: self._tell(GateClosed(name, seconds)),
        )
        return _Lane(profile, gate)

    async def _work_all(self, lanes: list[_Lane]) -> None:
        async with asyncio.TaskGroup() as group:
            for lane in lanes:
                # A worker is a slot: a kill loses at most so many replies.
                for _ in range(min(lane.profile.concurrency, len(lane.queue))):
                    group.create_task(self._work(lane))

    async def _work(self, lane: _Lane) -> None:
        while True:
            await self._running.wait()
            if self._draining or lane.stopped.is_set() or not lane.queue:
                return
            task = lane.queue.popleft()
            try:
                await self._finish(lane, task)
            except UserError as error:
                self._stop(lane, str(error))

    async def _finish(self, lane: _Lane, task: Task) -> None:
        """Bring one call to its end, turn after turn."""
        # Read when its turn comes: the pictures of a long run do not fit in memory.
        call_input = self._inputs(task.call)
        while len(task.replies) < len(call_input.turns):
            text = await self._turn(lane, task, call_input)
            if text is None:
                return
            task = Task(task.call, replies=(*task.replies, text))

    async def _turn(self, lane: _Lane, task: Task, call_input: CallInput) -> str | None:
        """Try a turn until it is answered (its text) or cannot be (None)."""
        body = request_body(lane.profile, call_input, task.replies)
        place = Place(
            call=task.call.id,
            turn=len(task.replies) + 1,
            turns=len(call_input.turns),
            number=task.attempts,
            last_try=False,
        )
        # Counted anew in each session: who resumes a run wants it tried again.
        faults = 0
        while True:
            last = faults + 1 >= self._policy.tries
            place = replace(place, number=place.number + 1, last_try=last)
            made = await self._send(lane, task, body, place)
            if made is None or made.outcome is Outcome.FAILED:
                return None
            if made.outcome is Outcome.REPLY:
                return made.text
            if made.error_kind != "rate_limit":
                faults += 1
                await self._back_off(lane, faults)

    async def _send(
        self, lane: _Lane, task: Task, body: Json, place: Place
    ) -> Attempt | None:
        """Send once and keep the attempt; None when the lane is stopped."""
        probe = await self._enter(lane)
        if probe is None:
            return None
        passage: Passage = "unused"
        wait: float | None = None
        try:
            made, wait = await attempt(self._client, lane.profile, body, place)
            passage = _passage(made, wait)
        finally:
            lane.gate.leave(passage, probe=probe, retry_after=wait)
        await self._keep(made)
        self._tell(AttemptStored(task.call, replace(made, body=None)))
        self._note(lane, made)
        return made

    async def _enter(self, lane: _Lane) -> bool | None:
        """Pass pause and gate; return whether as the probe, None when stopped."""
        while True:
            await self._running.wait()
            if lane.stopped.is_set():
                return None
            probe = await lane.gate.enter()
            # The wait at the gate can be long; much may have changed meanwhile.
            if self._running.is_set() and not lane.stopped.is_set():
                return probe
            lane.gate.leave("unused", probe=probe)

    async def _keep(self, made: Attempt) -> None:
        while True:
            try:
                await self._sink(made)
            except UserError as error:  # such as a full disk: hold on to the reply
                self.pause(str(error))
                await self._running.wait()
            else:
                return

    def _note(self, lane: _Lane, made: Attempt) -> None:
        """Count an ended call, and stop the lane when going on makes no sense."""
        if made.terminal:
            self._counts[made.outcome] += 1
        if made.error_kind in STOPPING:
            self._stop(lane, made.error_message)
        if made.outcome is Outcome.REPLY:
            lane.failed_in_a_row = 0
        elif made.outcome is Outcome.FAILED:
            lane.failed_in_a_row += 1
            if lane.failed_in_a_row >= self._policy.give_up_after:
                self._stop(
                    lane,
                    f"{lane.failed_in_a_row} calls in a row failed, the last with: "
                    f"{made.error_message}",
                )

    def _stop(self, lane: _Lane, reason: str) -> None:
        if not lane.stopped.is_set():
            lane.stopped.set()
            lane.gate.open()  # nobody need wait for a server that is left alone
            self._tell(ProfileStopped(lane.profile.name, reason))

    async def _back_off(self, lane: _Lane, faults: int) -> None:
        longest = min(
            self._policy.longest_wait, self._policy.first_wait * 2 ** (faults - 1)
        )
        # Jitter keeps workers that failed together from coming back together.
        wait = longest * random.uniform(0.5, 1.5)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(wait):
                await lane.stopped.wait()


def _passage(made: Attempt, retry_after: float | None) -> Passage:
    overloaded = made.error_kind == "server" and retry_after is not None
    return "refused" if overloaded or made.error_kind == "rate_limit" else "passed"


def _check_unchanged(profile: Profile, task: Task) -> None:
    call = task.call
    if (profile.model, profile.settings_hash) != (call.model, call.settings):
        raise UserError(
            "this model profile was changed after the run was planned",
            where=profile.name,
            todo="Set it back as it was, or begin a new run",
        )

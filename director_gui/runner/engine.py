"""The run engine: brings every call of a run to its end, without losing a reply.

Each profile is a lane with a queue, a fixed pool of workers and one gate. An attempt
is handed to the sink, which makes it durable, before its worker goes on. No Qt, no
database: the same engine serves the window, the command line and the tests.
"""

import asyncio
import contextlib
import random
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from director_gui.errors import UserError
from director_gui.runner.attempting import STOPPING, Place, attempt
from director_gui.runner.budget import Budget, billed, worst_cost
from director_gui.runner.client import Client
from director_gui.runner.engine_values import (
    AttemptStored,
    GateClosed,
    Inputs,
    Listener,
    Marks,
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
from director_gui.runner.wire import Body, request_body


@dataclass(slots=True)
class _Lane:
    """The work of one profile."""

    profile: Profile
    gate: Gate
    queue: deque[Task] = field(default_factory=deque)
    stopped: asyncio.Event = field(default_factory=asyncio.Event)
    failed_in_a_row: int = 0


@dataclass(frozen=True, slots=True)
class _Turn:
    """One turn of a call, ready to be sent, as often as it takes."""

    task: Task
    body: Body
    worst: float | None  # US dollars


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
        marks: Keeps what is in flight; nothing does without it.
        budget: The cost ceiling; none without it.
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
        marks: Marks | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._marks = marks
        self._budget = budget or Budget()
        self._profiles = profiles
        self._client = client
        self._inputs = inputs
        self._sink = sink
        self._tell = listener
        self._policy = policy or Policy()
        self._running = asyncio.Event()
        self._running.set()
        self._out_of_room = False  # the pause is ours, not the user's
        self._draining = asyncio.Event()
        self._all: list[_Lane] = []
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
        self._all = self._lanes(tasks)
        self._main = asyncio.create_task(self._work_all(self._all))
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
        self._out_of_room = self._out_of_room and bool(reason)
        # Many workers may meet the same full disk; it is told once.
        if self._running.is_set():
            self._running.clear()
            self._tell(RunPaused(reason))

    def resume(self) -> None:
        """Go on after a pause."""
        self._out_of_room = False
        if not self._running.is_set():
            self._running.set()
            self._tell(RunResumed())

    def drain(self) -> None:
        """Finish the calls in hand, begin no other, then end.

        A call that has to wait for its server is not in hand: it stays open.
        """
        self._draining.set()
        for lane in self._all:
            lane.gate.leave_off()
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
            first_spacing=self._policy.first_spacing,
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
            if self._draining.is_set() or lane.stopped.is_set() or not lane.queue:
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
        turn = _Turn(
            task,
            request_body(lane.profile, call_input, task.replies),
            worst_cost(lane.profile, call_input, task.replies),
        )
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
            made = await self._afford(lane, turn, place)
            if made is None or made.outcome is Outcome.FAILED:
                return None
            if made.outcome is Outcome.REPLY:
                return made.text
            if made.error_kind != "rate_limit":
                faults += 1
                await self._back_off(lane, faults)
            if self._draining.is_set():
                return None

    async def _afford(self, lane: _Lane, turn: _Turn, place: Place) -> Attempt | None:
        """Send once within the cost ceiling; None when nothing was sent."""
        ticket = await self._budget.reserve(turn.worst)
        if ticket is None:
            for each in self._all:
                self._stop(each, self._budget.words)
            return None
        cost: float | None = 0.0
        try:
            made = await self._send(lane, turn, place)
            if made is not None:
                cost = billed(made)
        finally:
            self._budget.settle(ticket, cost)
        return made

    async def _send(self, lane: _Lane, turn: _Turn, place: Place) -> Attempt | None:
        """Send once and keep the attempt; None when the lane is stopped."""
        probe = await self._enter(lane)
        if probe is None:
            return None
        passage: Passage = "unused"
        wait: float | None = None
        try:
            made, wait = await self._marked(lane, turn, place)
            passage = _passage(made, wait)
        finally:
            lane.gate.leave(passage, probe=probe, retry_after=wait)
        await self._durably(lambda: self._sink(made))
        self._tell(AttemptStored(turn.task.call, replace(made, body=None)))
        self._note(lane, made)
        return made

    async def _marked(
        self, lane: _Lane, turn: _Turn, place: Place
    ) -> tuple[Attempt, float | None]:
        """Send once, with a mark on disk from before it is sent."""
        marks = self._marks
        if marks is not None:
            await self._durably(lambda: marks.mark(place.call, turn.worst))
        try:
            return await attempt(self._client, lane.profile, turn.body, place)
        except UserError:  # such as a missing key: nothing was sent
            if marks is not None:
                marks.unmark(place.call)
            raise

    async def _enter(self, lane: _Lane) -> bool | None:
        """Pass pause and gate; return whether as the probe, None when stopped."""
        while True:
            await self._running.wait()
            if lane.stopped.is_set() or (self._draining.is_set() and lane.gate.closed):
                return None
            probe = await lane.gate.enter()
            # The wait at the gate can be long; much may have changed meanwhile.
            if probe is None:
                return None
            if self._running.is_set() and not lane.stopped.is_set():
                return probe
            lane.gate.leave("unused", probe=probe)

    async def _durably(self, write: Callable[[], Awaitable[None]]) -> None:
        """Write, and while there is no room hold on to it: the run pauses."""
        while True:
            try:
                await write()
            except UserError as error:
                if self._running.is_set():
                    self.pause(str(error))
                    self._out_of_room = True
                await self._room()
            else:
                if self._out_of_room:
                    self.resume()
                return

    async def _room(self) -> None:
        """Wait until the run goes on, or until it is time to look for room again."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self._policy.look_again):
                await self._running.wait()

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
        leave = [lane.stopped.wait(), self._draining.wait()]
        waiting = [asyncio.ensure_future(each) for each in leave]
        try:
            await asyncio.wait(waiting, timeout=wait, return_when="FIRST_COMPLETED")
        finally:
            for each in waiting:
                each.cancel()


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

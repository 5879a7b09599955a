"""Send a run through a provider's batch API: the engine's other transport.

A batch is kept before it is uploaded and its ids as soon as they are known, so that a
kill between two steps loses nothing: what was begun is found and collected, what was
not is sent again. Each round sends the calls that have no end yet, one turn each.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Protocol, TypeVar

from director_gui.errors import UserError
from director_gui.runner.attempting import STOPPING, answered
from director_gui.runner.batch_client import BatchClient, BatchError, BatchState
from director_gui.runner.batching import (
    MOST_BYTES,
    MOST_CALLS,
    BatchCall,
    Job,
    Result,
    request_line,
    results,
)
from director_gui.runner.budget import Budget, billed, worst_cost
from director_gui.runner.engine_values import (
    AttemptStored,
    BatchMoved,
    Inputs,
    Listener,
    Policy,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
    Task,
)
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome
from director_gui.runner.wire import body_hash, request_body

_SDK = "openai batch"
_T = TypeVar("_T")


class Jobs(Protocol):
    """Keeps batches durably (`store.batches`)."""

    def add(self, profile: str, calls: Sequence[BatchCall]) -> Job:
        """Keep a batch that is about to be sent."""

    def uploaded(self, job: Job, file: str) -> None:
        """Keep the provider's id of a batch's requests."""

    def begun(self, job: Job, batch: str) -> None:
        """Keep the provider's id of a batch."""

    def dropped(self, job: Job) -> None:
        """Say that a batch was never begun."""

    def collected(self, job: Job, attempts: Iterable[Attempt]) -> None:
        """Keep a batch's results."""

    def open(self) -> list[Job]:
        """Return the batches that were not dealt with."""


@dataclass(frozen=True, slots=True)
class BatchLimits:
    """How large batches are, and how patiently they are waited for.

    Attributes:
        calls: Most calls of one batch.
        size: Most bytes of one batch's requests.
        poll: Seconds between two looks at a batch.
        empty_rounds: Rounds without any reply before a profile is stopped.
    """

    calls: int = MOST_CALLS
    size: int = MOST_BYTES
    poll: float = 30.0
    empty_rounds: int = 2


class _StoppedError(Exception):
    """A profile sends no more; the text says why."""


class BatchSender:
    """Brings tasks to their end by batches; see `engine_values.Sender`.

    Args:
        profiles: The profiles by name.
        client: Talks to providers.
        inputs: Returns what a call sends.
        jobs: Keeps batches.
        open_tasks: Returns what has no end yet, as stored.
        listener: Is told what happens.
        policy: How patient to be.
        budget: The cost ceiling.
        limits: Sizes and waits.
    """

    def __init__(
        self,
        profiles: Mapping[str, Profile],
        client: BatchClient,
        inputs: Inputs,
        jobs: Jobs,
        open_tasks: Callable[[], Sequence[Task]],
        *,
        listener: Listener,
        policy: Policy | None = None,
        budget: Budget | None = None,
        limits: BatchLimits | None = None,
    ) -> None:
        self._profiles = profiles
        self._client = client
        self._inputs = inputs
        self._jobs = jobs
        self._open_tasks = open_tasks
        self._tell = listener
        self._policy = policy or Policy()
        self._budget = budget or Budget()
        self._limits = limits or BatchLimits()
        self._leave = asyncio.Event()
        self._running = asyncio.Event()
        self._running.set()
        self._ended = dict.fromkeys(Outcome, 0)

    async def run(self, tasks: Sequence[Task]) -> RunEnded:
        """Work until every task has ended or cannot go on now."""
        names = dict.fromkeys(task.call.profile for task in tasks)
        missing = [name for name in names if name not in self._profiles]
        if missing:
            raise UserError(
                "this run needs a model profile that is not there", where=missing[0]
            )
        async with asyncio.TaskGroup() as group:
            for name in names:
                group.create_task(self._profile(self._profiles[name]))
        replied, failed = self._ended[Outcome.REPLY], self._ended[Outcome.FAILED]
        ended = RunEnded(replied, failed, len(tasks) - replied - failed)
        self._tell(ended)
        return ended

    def pause(self, reason: str = "") -> None:
        """Begin no further batch; those begun go on at the provider."""
        if self._running.is_set():
            self._running.clear()
            self._tell(RunPaused(reason))

    def resume(self) -> None:
        """Go on after a pause."""
        if not self._running.is_set():
            self._running.set()
            self._tell(RunResumed())

    def drain(self) -> None:
        """End now: batches go on at the provider and are collected next time."""
        self._leave.set()
        self.resume()

    def cancel(self) -> None:
        """The same as `drain`: nothing is in hand here."""
        self.drain()

    async def _profile(self, profile: Profile) -> None:
        try:
            for job in self._jobs.open():
                if job.profile == profile.name:
                    await self._take_up(profile, job)
            await self._rounds(profile)
        except (_StoppedError, UserError) as error:
            self._tell(ProfileStopped(profile.name, str(error)))

    async def _rounds(self, profile: Profile) -> None:
        empty = 0
        while not self._leave.is_set():
            tasks = [t for t in self._open_tasks() if t.call.profile == profile.name]
            if not tasks:
                return
            got = await self._round(profile, tasks)
            empty = 0 if got else empty + 1
            if empty >= self._limits.empty_rounds:
                raise _StoppedError(f"{empty} rounds of batches brought no result")

    async def _round(self, profile: Profile, tasks: list[Task]) -> int:
        """Send one turn of each task; return how many results came."""
        known = {task.call.id: task for task in tasks}
        begun: list[tuple[Job, int]] = []
        for calls, data in self._chunks(profile, tasks):
            await self._running.wait()
            if self._leave.is_set():
                break
            ticket = self._budget.hold(sum(item.worst or 0.0 for item in calls))
            job = self._jobs.add(profile.name, calls)
            begun.append((await self._begin(profile, job, data), ticket))
        if not begun and not self._leave.is_set():
            raise _StoppedError(self._budget.words)
        waits = [self._collect(profile, job, known, ticket) for job, ticket in begun]
        ends = await asyncio.gather(*waits, return_exceptions=True)
        # What one batch brought is kept before another's failure is told.
        for end in ends:
            if isinstance(end, BaseException):
                raise end
        return sum(end for end in ends if isinstance(end, int))

    def _chunks(
        self, profile: Profile, tasks: Iterable[Task]
    ) -> Iterator[tuple[list[BatchCall], bytes]]:
        """Return requests in pieces that a provider takes and the ceiling allows."""
        calls: list[BatchCall] = []
        lines: list[bytes] = []
        size, worst = 0, 0.0
        for task in tasks:
            item, line = self._asked(profile, task)
            # What was chunked before is held in the budget when this goes on.
            if worst + (item.worst or 0.0) > self._budget.room:
                break
            if calls and (
                len(calls) >= self._limits.calls or size + len(line) > self._limits.size
            ):
                yield calls, b"".join(lines)
                calls, lines, size, worst = [], [], 0, 0.0
            calls.append(item)
            lines.append(line)
            size, worst = size + len(line), worst + (item.worst or 0.0)
        if calls:
            yield calls, b"".join(lines)

    def _asked(self, profile: Profile, task: Task) -> tuple[BatchCall, bytes]:
        call_input = self._inputs(task.call)
        body = request_body(profile, call_input, task.replies)
        item = BatchCall(
            call=task.call.id,
            turn=len(task.replies) + 1,
            turns=len(call_input.turns),
            number=task.attempts + 1,
            request_hash=body_hash(body),
            worst=worst_cost(profile, call_input, task.replies),
        )
        return item, request_line(item, profile.wire, body)

    async def _begin(self, profile: Profile, job: Job, data: bytes) -> Job:
        name = f"director-gui-{job.id}.jsonl"
        file = await self._patiently(lambda: self._client.upload(profile, name, data))
        self._jobs.uploaded(job, file)
        job = replace(job, file=file)
        # Not repeated blindly: a lost answer may hide a batch that was begun.
        try:
            batch = await self._client.create(profile, file, job.id)
        except BatchError as error:
            if not error.passing:
                self._jobs.dropped(job)
                raise _StoppedError(error.message) from None
            return await self._search(profile, job)
        return self._now(job, batch)

    async def _search(self, profile: Profile, job: Job) -> Job:
        """Find the batch of a job whose id never arrived, or begin it after all."""
        file = job.file or ""
        found = await self._patiently(lambda: self._client.find(profile, job.id))
        if found is None:
            found = await self._patiently(
                lambda: self._client.create(profile, file, job.id)
            )
        return self._now(job, found)

    def _now(self, job: Job, batch: str) -> Job:
        self._jobs.begun(job, batch)
        self._tell(BatchMoved(job.profile, batch, "begun", len(job.calls)))
        return replace(job, batch=batch)

    async def _take_up(self, profile: Profile, job: Job) -> None:
        """Go on with a batch of an earlier session."""
        if job.file is None:  # nothing was begun
            self._jobs.dropped(job)
            return
        ticket = self._budget.hold(sum(item.worst or 0.0 for item in job.calls))
        known = {task.call.id: task for task in self._open_tasks()}
        if job.batch is None:
            job = await self._search(profile, job)
        await self._collect(profile, job, known, ticket)

    async def _collect(
        self, profile: Profile, job: Job, known: Mapping[str, Task], ticket: int
    ) -> int:
        """Wait for a batch and keep its results; return how many there were."""
        state = await self._wait(profile, job)
        if state is None:  # we are to leave; the next session collects
            return 0
        found: dict[str, Result] = {}
        for file in state.files:
            data = await self._patiently(partial(self._client.fetch, profile, file))
            found |= {result.custom_id: result for result in results(data, _SDK)}
        attempts = list(self._attempts(profile, job, found, known))
        await self._keep(job, attempts)
        costs = [billed(attempt) for attempt in attempts]
        self._budget.settle(ticket, sum(cost or 0.0 for cost in costs))
        for attempt in attempts:
            self._ended[attempt.outcome] += attempt.terminal
            self._tell(
                AttemptStored(known[attempt.call].call, replace(attempt, body=None))
            )
        self._refuse(state, attempts)
        return len(attempts)

    async def _wait(self, profile: Profile, job: Job) -> BatchState | None:
        batch, last = job.batch or "", ""
        while True:
            state = await self._patiently(lambda: self._client.look(profile, batch))
            if state.status != last:
                last = state.status
                self._tell(BatchMoved(job.profile, batch, last, len(job.calls)))
            if state.over:
                return state
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._limits.poll):
                    await self._leave.wait()
            if self._leave.is_set():
                return None

    def _attempts(
        self,
        profile: Profile,
        job: Job,
        found: Mapping[str, Result],
        known: Mapping[str, Task],
    ) -> Iterator[Attempt]:
        begun = datetime.fromisoformat(job.created)
        seconds = (datetime.now(UTC) - begun).total_seconds()
        for item in job.calls:
            result = found.get(item.custom_id)
            # Without a response nothing was answered or billed: it is sent again.
            if result is None or result.raw is None:
                continue
            # Meanwhile it may have been answered by another way.
            task = known.get(item.call)
            if task is None or len(task.replies) + 1 != item.turn:
                continue
            number = max(item.number, task.attempts + 1)
            sent = Attempt(
                call=item.call,
                turn=item.turn,
                turns=item.turns,
                number=number,
                outcome=Outcome.RETRY,
                started=job.created,
                latency=seconds,
                request_hash=item.request_hash,
            )
            last = number >= self._policy.tries
            yield answered(sent, profile, result.raw, last_try=last)[0]

    async def _keep(self, job: Job, attempts: list[Attempt]) -> None:
        while True:
            try:
                self._jobs.collected(job, attempts)
            except UserError as error:  # such as a full disk
                self.pause(str(error))
                await asyncio.sleep(self._policy.look_again)
            else:
                self.resume()
                return

    def _refuse(self, state: BatchState, attempts: list[Attempt]) -> None:
        if state.status == "failed":
            raise _StoppedError(state.message or "the provider refused the batch")
        for attempt in attempts:
            if attempt.error_kind in STOPPING:
                raise _StoppedError(attempt.error_message)

    async def _patiently(self, ask: Callable[[], Awaitable[_T]]) -> _T:
        """Ask until there is an answer; what cannot succeed later stops the profile."""
        for tried in range(self._policy.tries):
            try:
                return await ask()
            except BatchError as error:
                if not error.passing or tried + 1 == self._policy.tries:
                    raise _StoppedError(error.message) from None
            wait = self._policy.first_wait * 2**tried
            await asyncio.sleep(min(self._policy.longest_wait, wait))
        raise AssertionError("a policy has at least one try")

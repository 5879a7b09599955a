"""The engine against a client in memory: what it sends, keeps, and when it stops."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from director_gui.errors import UserError
from director_gui.runner.budget import Budget
from director_gui.runner.client import RawReply, TransportError
from director_gui.runner.engine import Engine
from director_gui.runner.engine_values import (
    AttemptStored,
    Event,
    GateClosed,
    Policy,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
    Task,
)
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Call, CallInput, Outcome
from tests.fault_server import chat, error

PROFILE = Profile(name="p", base_url="http://x/v1", model="m", concurrency=4)
FAST = Policy(tries=3, first_wait=0.001, longest_wait=0.004, give_up_after=5)
Answer = Callable[[int, dict[str, Any]], RawReply]


def raw(body: bytes = chat(), status: int = 200, **headers: str) -> RawReply:
    return RawReply(status, headers, body, "fake 1")


@dataclass
class FakeClient:
    """Answers from a function of the request's number and body."""

    answer: Answer
    bodies: list[dict[str, Any]] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0

    async def send(self, _: Profile, body: dict[str, Any]) -> RawReply:
        number = len(self.bodies)
        self.bodies.append(body)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            await asyncio.sleep(0.001)
            return self.answer(number, body)
        finally:
            self.in_flight -= 1

    async def close(self) -> None:
        pass


def call(sample: int, profile: Profile = PROFILE) -> Call:
    return Call(
        "r",
        "b",
        "move.ask",
        "v",
        "s",
        "i",
        profile.name,
        profile.model,
        profile.settings_hash,
        sample,
    )


def tasks(count: int, profile: Profile = PROFILE) -> list[Task]:
    return [Task(call(number, profile)) for number in range(1, count + 1)]


@dataclass
class Run:
    """An engine with its surroundings, for one test."""

    client: FakeClient
    turns: tuple[str, ...] = ("text",)
    profiles: Sequence[Profile] = (PROFILE,)
    policy: Policy = FAST
    kept: list[Attempt] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    full: bool = False
    budget: Budget | None = None
    marked: list[tuple[str, float | None]] = field(default_factory=list)
    unmarked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.engine = Engine(
            {profile.name: profile for profile in self.profiles},
            self.client,
            lambda _: CallInput(self.turns, b"png"),
            self.keep,
            listener=self.events.append,
            policy=self.policy,
            marks=self,
            budget=self.budget,
        )

    async def mark(self, call_id: str, worst: float | None) -> None:
        await asyncio.sleep(0)
        if self.full:
            raise UserError("the disk is full")
        self.marked.append((call_id, worst))

    def unmark(self, call_id: str) -> None:
        self.unmarked.append(call_id)

    async def keep(self, attempt: Attempt) -> None:
        await asyncio.sleep(0)
        if self.full:
            raise UserError("the disk is full")
        self.kept.append(attempt)

    def told(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def terminal(self) -> list[Attempt]:
        return [attempt for attempt in self.kept if attempt.terminal]


def go(test: Coroutine[Any, Any, Any]) -> Any:  # noqa: ANN401 - a helper of tests
    return asyncio.run(asyncio.wait_for(test, 20))


def ended(answer: Answer, count: int = 1, **more: object) -> Run:
    async def act() -> Run:
        run = Run(FakeClient(answer), **more)
        profile = run.profiles[0]
        await run.engine.run(tasks(count, profile))
        return run

    return go(act())


def test_every_call_ends_once_and_no_more_are_in_flight_than_allowed() -> None:
    run = ended(lambda *_: raw(), 50)
    assert sorted(a.call for a in run.terminal) == sorted(t.call.id for t in tasks(50))
    assert run.client.most_in_flight == PROFILE.concurrency
    assert run.told(RunEnded) == [RunEnded(50, 0, 0)]
    assert len(run.told(AttemptStored)) == 50


def test_an_attempt_is_kept_before_it_is_told_and_told_without_body() -> None:
    run = ended(lambda *_: raw())
    assert run.kept[0].body == chat()
    (event,) = run.told(AttemptStored)
    assert event.attempt == replace(run.kept[0], body=None)


def fault_then_reply(fault: object) -> Answer:
    def answer(number: int, _: dict[str, Any]) -> RawReply:
        if number == 0 and isinstance(fault, Exception):
            raise fault
        return fault if number == 0 and isinstance(fault, RawReply) else raw()

    return answer


@pytest.mark.parametrize(
    "fault",
    [
        raw(b"{}"),
        raw(b"<html>"),
        raw(b"", 500),
        raw(b"", 503),
        raw(b"", 429),
        TransportError("connection", "reset"),
        TransportError("timeout", "slow"),
    ],
)
def test_a_passing_fault_is_kept_and_tried_again(fault: object) -> None:
    run = ended(fault_then_reply(fault))
    assert [a.outcome for a in run.kept] == [Outcome.RETRY, Outcome.REPLY]
    assert [a.number for a in run.kept] == [1, 2]
    assert run.kept[0].error_kind


def test_a_lasting_fault_ends_the_call_after_the_tries() -> None:
    run = ended(lambda *_: raw(b"", 500))
    assert [a.outcome for a in run.kept] == [
        Outcome.RETRY,
        Outcome.RETRY,
        Outcome.FAILED,
    ]
    assert run.told(RunEnded) == [RunEnded(0, 1, 0)]


@pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
def test_other_refusals_are_not_repeated(status: int) -> None:
    run = ended(lambda *_: raw(error("no"), status))
    assert [a.outcome for a in run.kept] == [Outcome.FAILED]


def test_rate_limits_do_not_use_up_the_tries() -> None:
    run = ended(lambda n, _: raw(b"", 429) if n < 10 else raw())
    assert len(run.kept) == 11
    assert run.terminal[0].outcome is Outcome.REPLY
    assert run.told(GateClosed)


def test_retry_after_of_an_overloaded_server_closes_the_gate() -> None:
    headers = {"retry-after-ms": "30"}
    run = ended(lambda n, _: raw(b"", 503, **headers) if n == 0 else raw())
    assert run.told(GateClosed) == [GateClosed("p", 0.03)]


@pytest.mark.parametrize(
    "refusal", [raw(error("pay", "insufficient_quota"), 429), raw(error("who"), 401)]
)
def test_what_holds_for_all_calls_stops_one_profile_alone(refusal: RawReply) -> None:
    other = replace(PROFILE, name="q", model="n")

    def answer(_: int, body: dict[str, Any]) -> RawReply:
        return refusal if body["model"] == "m" else raw()

    async def act() -> Run:
        run = Run(FakeClient(answer), profiles=(PROFILE, other))
        await run.engine.run([*tasks(30), *tasks(30, other)])
        return run

    run = go(act())
    (stopped,) = run.told(ProfileStopped)
    assert stopped.profile == "p"
    assert "pay" in stopped.reason or "who" in stopped.reason
    assert run.told(RunEnded) == [RunEnded(30, 0, 30)]
    assert len([a for a in run.kept if a.error_kind]) <= PROFILE.concurrency


def test_a_stopped_profile_does_not_wait_for_its_gate() -> None:
    def answer(number: int, _: dict[str, Any]) -> RawReply:
        if number == 0:
            return raw(b"", 429, **{"retry-after": "3600"})
        return raw(error("who"), 401)

    assert ended(answer, 8).told(RunEnded)[0].open == 8


def test_many_failures_in_a_row_stop_a_profile() -> None:
    run = ended(lambda *_: raw(error("no such model"), 404), 100)
    (stopped,) = run.told(ProfileStopped)
    assert "no such model" in stopped.reason
    assert len(run.kept) <= FAST.give_up_after + PROFILE.concurrency


def test_a_missing_key_stops_before_anything_is_kept() -> None:
    def answer(*_: object) -> RawReply:
        raise UserError("the environment variable KEY holds no key", todo="Set KEY")

    run = ended(answer, 10)
    assert "Set KEY" in run.told(ProfileStopped)[0].reason
    assert run.kept == []
    assert run.told(RunEnded) == [RunEnded(0, 0, 10)]


def test_a_second_turn_carries_the_first_and_its_reply_without_thinking() -> None:
    def answer(number: int, _: dict[str, Any]) -> RawReply:
        return raw(chat(f"<think>t{number}</think>r{number}", reasoning="secret"))

    run = ended(answer, turns=("one", "two"))
    assert [(a.turn, a.turns, a.terminal) for a in run.kept] == [
        (1, 2, False),
        (2, 2, True),
    ]
    assert run.kept[0].text == "<think>t0</think>r0"
    said = run.client.bodies[1]["messages"]
    assert [m["role"] for m in said] == ["user", "assistant", "user"]
    assert said[1]["content"] == "r0"
    assert "secret" not in str(said)


def test_a_resumed_call_goes_on_at_its_turn_and_number() -> None:
    async def act() -> Run:
        run = Run(FakeClient(lambda *_: raw()), turns=("one", "two"))
        await run.engine.run([Task(call(1), replies=("kept",), attempts=2)])
        return run

    run = go(act())
    assert [(a.turn, a.number) for a in run.kept] == [(2, 3)]
    assert run.client.bodies[0]["messages"][1]["content"] == "kept"


def test_a_changed_profile_is_refused_before_anything_is_sent() -> None:
    async def act() -> Run:
        changed = replace(PROFILE, effort="high")
        run = Run(FakeClient(lambda *_: raw()), profiles=(changed,))
        with pytest.raises(UserError, match="changed"):
            await run.engine.run(tasks(1))
        with pytest.raises(UserError, match="not there"):
            await run.engine.run(tasks(1, replace(PROFILE, name="gone")))
        return run

    assert go(act()).client.bodies == []


async def until(true: Callable[[], bool]) -> None:
    while not true():  # noqa: ASYNC110 - what is watched knows no events
        await asyncio.sleep(0.001)


async def started(run: Run, count: int) -> "asyncio.Task[RunEnded]":
    task = asyncio.create_task(run.engine.run(tasks(count)))
    await until(lambda: bool(run.kept))
    return task


def test_pause_keeps_what_is_in_flight_and_sends_nothing_new() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()))
        task = await started(run, 100)
        run.engine.pause()
        await asyncio.sleep(0.02)
        kept = len(run.kept)
        assert kept == len(run.client.bodies) < 100
        await asyncio.sleep(0.02)
        assert len(run.kept) == kept
        run.engine.resume()
        assert (await task).replied == 100
        assert run.told(RunPaused) == [RunPaused("")]
        assert len(run.told(RunResumed)) == 1

    go(act())


def test_drain_finishes_the_calls_in_hand() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()), turns=("one", "two"))
        task = await started(run, 100)
        run.engine.drain()
        end = await task
        assert 0 < end.replied <= 2 * PROFILE.concurrency
        assert end.open == 100 - end.replied
        assert len(run.kept) == 2 * end.replied == len(run.client.bodies)

    go(act())


def test_cancel_leaves_the_rest_open() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()))
        task = await started(run, 1000)
        run.engine.cancel()
        end = await task
        assert end.open == 1000 - len(run.terminal) > 0
        assert run.client.in_flight == 0

    go(act())


def test_our_callers_own_cancellation_is_not_swallowed() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()))
        task = await started(run, 1000)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    go(act())


def test_a_slot_is_not_used_again_before_its_attempt_is_kept() -> None:
    class Stuck(Run):
        async def keep(self, attempt: Attempt) -> None:
            await gate.wait()
            await super().keep(attempt)

    gate = asyncio.Event()

    async def act() -> None:
        run = Stuck(FakeClient(lambda *_: raw()))
        task = asyncio.create_task(run.engine.run(tasks(50)))
        await asyncio.sleep(0.05)
        assert len(run.client.bodies) == PROFILE.concurrency
        assert run.events == []
        gate.set()
        assert (await task).replied == 50 == len(run.kept)

    go(act())


def test_a_full_disk_pauses_and_loses_nothing() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()))
        task = await started(run, 40)
        run.full = True
        await until(lambda: bool(run.told(RunPaused)))
        await asyncio.sleep(0.02)
        assert "disk is full" in run.told(RunPaused)[0].reason
        sent = len(run.client.bodies)
        run.engine.resume()  # still full: it pauses again and sends nothing more
        await asyncio.sleep(0.02)
        assert len(run.client.bodies) <= sent + PROFILE.concurrency
        run.full = False
        run.engine.resume()
        assert await task == RunEnded(40, 0, 0)
        assert len(run.client.bodies) == 40 == len(run.terminal)

    go(act())


def test_a_bug_is_not_taken_for_an_answer() -> None:
    def answer(*_: object) -> RawReply:
        raise ZeroDivisionError

    with pytest.raises(ExceptionGroup):
        ended(answer)


def test_a_limit_of_the_server_draws_few_refusals() -> None:
    """5 requests per 100 ms, as a fixed window: the shared gate meets it."""
    window: dict[int, int] = {}

    def answer(*_: object) -> RawReply:
        now = asyncio.get_running_loop().time()
        slot = int(now / 0.1)
        window[slot] = window.get(slot, 0) + 1
        if window[slot] <= 5:
            return raw()
        left = (slot + 1) * 0.1 - now
        return raw(b"", 429, **{"retry-after": str(left)})

    run = ended(answer, 40)
    refused = [a for a in run.kept if a.error_kind == "rate_limit"]
    assert len(run.terminal) == 40
    assert 0 < len(refused) <= 3 * len(window)


def test_every_request_is_marked_before_it_is_sent() -> None:
    class Watched(Run):
        async def mark(self, call_id: str, worst: float | None) -> None:
            await super().mark(call_id, worst)
            assert len(self.client.bodies) < len(self.marked)

    async def act() -> Run:
        run = Watched(FakeClient(lambda n, _: raw(b"", 500) if n == 0 else raw()))
        await run.engine.run(tasks(20))
        return run

    run = go(act())
    assert len(run.marked) == len(run.client.bodies) == 21
    assert run.unmarked == []
    assert {worst for _, worst in run.marked} == {None}  # the price is unknown


def test_what_was_not_sent_is_not_marked() -> None:
    def answer(*_: object) -> RawReply:
        raise UserError("no key")

    run = ended(answer, 10)
    assert sorted(run.unmarked) == sorted(call_id for call_id, _ in run.marked)


PRICED = replace(PROFILE, input_price=0.0, output_price=10.0, max_tokens=1000)


def costly(tokens: int) -> RawReply:
    body = chat().replace(
        b'"completion_tokens": 200', b'"completion_tokens": %d' % tokens
    )
    return raw(body)


def affordable(ceiling: float, tokens: int, count: int = 100) -> Run:
    async def act() -> Run:
        run = Run(
            FakeClient(lambda *_: costly(tokens)),
            profiles=(PRICED,),
            budget=Budget(ceiling),
        )
        await run.engine.run(tasks(count, PRICED))
        return run

    return go(act())


def test_a_ceiling_stops_the_run_with_a_word_before_it_is_passed() -> None:
    run = affordable(0.1, 1000)  # each call costs what it may cost: 1 cent
    assert len(run.terminal) == 10
    (stopped,) = run.told(ProfileStopped)
    assert "cost ceiling of $0.10" in stopped.reason
    assert run.told(RunEnded) == [RunEnded(10, 0, 90)]


def test_cheap_replies_give_back_what_was_reserved_for_them() -> None:
    run = affordable(0.1, 100)  # a tenth of the worst case
    spent = sum(a.cost or 0 for a in run.kept)
    assert 0.089 <= spent <= 0.1  # until one more at its worst would not fit


def test_a_ceiling_with_room_changes_nothing() -> None:
    assert len(affordable(1.001, 1000).terminal) == 100


def test_a_full_disk_is_looked_at_again_by_itself() -> None:
    async def act() -> None:
        policy = replace(FAST, look_again=0.01)
        run = Run(FakeClient(lambda *_: raw()), policy=policy)
        task = await started(run, 40)
        run.full = True
        await until(lambda: bool(run.told(RunPaused)))
        await asyncio.sleep(0.05)
        assert not run.told(RunResumed)
        run.full = False
        assert await task == RunEnded(40, 0, 0)
        assert len(run.told(RunResumed)) == len(run.told(RunPaused))

    go(act())


def test_room_on_the_disk_does_not_undo_the_users_pause() -> None:
    async def act() -> None:
        run = Run(FakeClient(lambda *_: raw()), policy=replace(FAST, look_again=0.01))
        task = await started(run, 200)
        run.full = True
        await until(lambda: bool(run.told(RunPaused)))
        run.engine.pause()
        run.full = False
        await asyncio.sleep(0.1)
        assert not run.told(RunResumed)
        assert not task.done()
        run.engine.resume()
        assert (await task).replied == 200

    go(act())


@pytest.mark.parametrize(
    "answer",
    [
        lambda *_: raw(b"", 429, **{"retry-after": "3600"}),
        lambda *_: raw(b"", 500),
    ],
)
def test_drain_does_not_wait_for_a_server_that_asks_to_wait(answer: Answer) -> None:
    async def act() -> None:
        slow = Policy(tries=3, first_wait=3600, longest_wait=3600)
        run = Run(FakeClient(answer), policy=replace(slow, first_wait=60))
        task = asyncio.create_task(run.engine.run(tasks(30)))
        await until(lambda: bool(run.kept))
        await asyncio.sleep(0.02)
        run.engine.drain()
        end = await asyncio.wait_for(task, 5)
        assert end == RunEnded(0, 0, 30)

    go(act())

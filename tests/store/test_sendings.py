"""What was in flight is known after a kill, and what it may have cost."""

import asyncio
from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.runner.records import Attempt, Outcome
from director_gui.store.attempts import attempts_of
from director_gui.store.database import Study
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import Lost, lost_of, spent_of
from tests.made_runs import fill, profile_at

NOTHING = Lost(0, 0, 0.0)


def made(study: Study, count: int) -> list[Attempt]:
    planned = fill(study, profile_at("http://x/v1"), count)
    return [
        Attempt(item.call.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h", cost=0.25)
        for item in planned
    ]


def after(study: Study, *steps: Attempt | tuple[str, float | None] | str) -> None:
    """Mark, unmark and record in order, each on disk before the next."""

    async def act() -> None:
        recorder = Recorder(study)
        for step in steps:
            if isinstance(step, Attempt):
                await recorder.record(step)
            elif isinstance(step, str):
                recorder.unmark(step)
            else:
                await recorder.mark(*step)
        await recorder.close()

    asyncio.run(act())


def test_what_was_marked_and_has_no_end_was_in_flight(study: Study) -> None:
    one, two, three = made(study, 3)
    assert lost_of(study, "r") == NOTHING
    after(study, (one.call, 0.5), (two.call, 0.5), (three.call, None), one)
    assert lost_of(study, "r") == Lost(2, 0, 0.5)
    assert spent_of(study, "r") == 0.75


def test_a_mark_is_on_disk_when_mark_returns(study: Study) -> None:
    (one,) = made(study, 1)

    async def act() -> None:
        recorder = Recorder(study)
        await recorder.mark(one.call, 0.5)
        assert await asyncio.to_thread(lost_of, study, "r") == Lost(1, 0, 0.5)
        await recorder.close()

    asyncio.run(act())


def test_an_end_takes_its_mark_away_in_the_same_step(study: Study) -> None:
    (one,) = made(study, 1)
    after(study, (one.call, 0.5), one)
    assert lost_of(study, "r") == NOTHING
    assert study.query("SELECT * FROM sendings") == []


def test_what_was_not_sent_leaves_nothing(study: Study) -> None:
    (one,) = made(study, 1)
    after(study, (one.call, 0.5), one.call)
    assert lost_of(study, "r") == NOTHING


def test_a_lost_call_that_was_sent_again_is_no_longer_at_risk(study: Study) -> None:
    (one,) = made(study, 1)
    after(study, (one.call, 0.5))  # killed
    after(study, (one.call, 0.5), one)  # resumed
    found = lost_of(study, "r")
    assert found.in_flight == 0
    assert found.worst == 0.5  # it may have been paid, so a ceiling counts it
    assert spent_of(study, "r") == 0.75


def test_a_timeout_may_have_been_paid_and_a_refusal_not(study: Study) -> None:
    one, two = made(study, 2)
    late = replace(one, outcome=Outcome.RETRY, cost=None, error_kind="timeout")
    refused = replace(late, call=two.call, error_kind="rate_limit", http_status=429)
    after(study, (one.call, 0.5), late, (two.call, 0.5), refused)
    assert lost_of(study, "r") == Lost(0, 1, 0.5)
    assert spent_of(study, "r") == 0.5


def test_unpriced_calls_leave_no_rows_behind(study: Study) -> None:
    (one,) = made(study, 1)
    after(study, (one.call, None), replace(one, cost=None))
    assert study.query("SELECT * FROM sendings") == []


def test_what_cannot_be_written_is_told_and_can_be_written_again(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = made(study, 1)

    async def act() -> None:
        recorder = Recorder(study)
        with monkeypatch.context() as patch:
            patch.setattr(study, "read_only", True)
            with pytest.raises(UserError):
                await recorder.mark(one.call, 0.5)
        await recorder.mark(one.call, 0.5)
        await recorder.record(one)
        await recorder.close()

    asyncio.run(act())
    assert lost_of(study, "r") == NOTHING
    assert attempts_of(study, one.call) == [one]


def test_other_runs_are_not_counted(study: Study) -> None:
    (one,) = made(study, 1)
    after(study, (one.call, 0.5))
    assert lost_of(study, "another run") == NOTHING

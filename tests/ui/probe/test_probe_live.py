"""A probe in memory: every event of the engine leaves it as the study would tell."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.runner.engine_values import (
    AttemptStored,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.records import Attempt, Call, Outcome
from director_gui.store.attempts import attempts_of
from director_gui.store.database import Study, create_study
from director_gui.study.practice import Practice
from director_gui.study.probed import Replies, replies_in
from director_gui.ui.probe.live import LiveProbe
from tests.probe_runs import answered, stored

NAME = "Practice reader"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    path = tmp_path_factory.mktemp("live") / "a.study"
    with create_study(path, "a") as made:
        yield made


@pytest.fixture(scope="module")
def before(study: Study) -> Replies:
    with Practice() as practice:
        return replies_in(study, stored(study, practice).id)


@pytest.fixture(scope="module")
def history(study: Study) -> tuple[Replies, Replies, list[AttemptStored]]:
    """A probe before, after, and the events between, in the order of the table."""
    with Practice(3) as practice:
        conditions = ("move.ask", "move.first_turn", "mean.plain")
        run = answered(study, practice, conditions=conditions)
    after = replies_in(study, run.id)
    unsent = [
        replace(
            item,
            score=None,
            kind=None,
            reply=replace(
                item.reply,
                status="open",
                texts=(),
                reasonings=(),
                last=None,
                attempts=0,
                cost=None,
            ),
        )
        for item in after.scored
    ]
    events = [
        AttemptStored(item.reply.call, replace(made, body=None))
        for item in after.scored
        for made in attempts_of(study, item.reply.call.id)
    ]
    return replace(after, scored=tuple(unsent)), after, events


def attempt(call: Call, **more: object) -> Attempt:
    values: dict[str, object] = {"outcome": Outcome.RETRY, "number": 1, **more}
    return Attempt(
        call=call.id,
        turn=1,
        turns=1,
        started="2026-01-01T00:00:00.000000+00:00",
        latency=0.5,
        request_hash="h",
        **values,  # type: ignore[arg-type]
    )


def refused(call: Call, **more: object) -> AttemptStored:
    values = {"error_kind": "connection", "error_message": "refused", **more}
    return AttemptStored(call, attempt(call, **values))


def replied(call: Call, text: str = '{"choice": 5}') -> AttemptStored:
    made = attempt(call, outcome=Outcome.REPLY, text=text, finish_reason="stop")
    return AttemptStored(call, made)


def test_all_events_lead_to_what_is_stored(
    history: tuple[Replies, Replies, list[AttemptStored]],
) -> None:
    unsent, after, events = history
    live = LiveProbe(unsent)
    assert live.open == len(live.rows)
    assert live.fold(events) == set(range(len(live.rows)))
    assert tuple(live.rows) == after.scored
    assert live.open == 0


@settings(deadline=None, max_examples=25)
@given(data=st.data())
def test_calls_may_end_in_any_order(
    history: tuple[Replies, Replies, list[AttemptStored]], data: st.DataObject
) -> None:
    unsent, after, events = history
    calls = list(dict.fromkeys(event.call for event in events))
    live = LiveProbe(unsent)
    for call in data.draw(st.permutations(calls)):
        own = [event for event in events if event.call is call]
        cut = data.draw(st.integers(0, len(own)))
        live.fold(own[:cut])
        live.fold(own[cut:])
    assert tuple(live.rows) == after.scored


def test_half_of_a_two_turn_call_is_still_open(
    history: tuple[Replies, Replies, list[AttemptStored]],
) -> None:
    unsent, _, events = history
    first = next(e for e in events if e.attempt.turns == 2 and e.attempt.turn == 1)
    live = LiveProbe(unsent)
    (row,) = live.fold([first])
    assert live.rows[row].reply.status == "open"
    assert live.rows[row].reply.texts == (first.attempt.text,)
    assert live.rows[row].score is None


def test_statuses_in_words(before: Replies) -> None:
    live = LiveProbe(before)
    call = live.rows[0].reply.call
    assert live.sending(live.rows[0]) == "open"
    live.running = True
    assert live.sending(live.rows[0]) == "waiting"
    live.fold([refused(call)])
    assert live.sending(live.rows[0]) == "trying again"
    live.running = False
    assert live.sending(live.rows[0]) == "open"
    live.fold([replied(call, "no json")])
    assert live.sending(live.rows[0]) == "unparsed"


def test_trouble_is_told_until_it_is_mended(before: Replies) -> None:
    live = LiveProbe(before)
    call = live.rows[0].reply.call
    live.fold([refused(call)])
    told = live.trouble[NAME]
    assert "nothing answers at this address: refused" in told.what
    assert "tried again by itself" in told.what
    live.fold([replied(call)])
    assert live.trouble == {}


def test_the_end_of_a_call_is_not_said_to_go_on(before: Replies) -> None:
    live = LiveProbe(before)
    call = live.rows[0].reply.call
    live.fold([refused(call, outcome=Outcome.FAILED)])
    assert "by itself" not in str(live.trouble[NAME])
    assert live.rows[0].score is not None
    assert live.rows[0].score.status == "failed"


def test_a_stopped_profile_keeps_the_better_reason(before: Replies) -> None:
    live = LiveProbe(before)
    call = live.rows[0].reply.call
    live.fold([ProfileStopped(NAME, "10 calls in a row failed")])
    assert live.trouble[NAME].what == "10 calls in a row failed"
    other = LiveProbe(before)
    other.fold([refused(call, error_kind="auth"), ProfileStopped(NAME, "HTTP 401: no")])
    assert "refused the key" in other.trouble[NAME].what


def test_a_wait_is_told_with_its_length(before: Replies) -> None:
    live = LiveProbe(before)
    live.fold([GateClosed(NAME, 12.3)])
    assert "asks to wait 12 s" in live.trouble[NAME].what


def test_a_full_disk_is_told(before: Replies) -> None:
    live = LiveProbe(before)
    live.fold([RunPaused("the disk is full"), RunResumed()])
    (error,) = live.trouble.values()
    assert "sending is paused: the disk is full" in error.what
    assert error.todo
    quiet = LiveProbe(before)
    quiet.fold([RunPaused("")])  # the user asked for it
    assert quiet.trouble == {}


def test_the_end_of_a_session(before: Replies) -> None:
    live = LiveProbe(before)
    live.running = True
    live.fold([RunEnded(0, 0, 4)])
    assert not live.running
    assert live.trouble == {}
    live.fold([RunEnded(0, 0, 4, error="ValueError: a bug")])
    (error,) = live.trouble.values()
    assert "ValueError: a bug" in error.what
    assert error.todo == "Send the open calls again"


def test_events_of_other_runs_change_nothing_here(before: Replies) -> None:
    live = LiveProbe(before)
    assert live.fold([]) == set()
    assert tuple(live.rows) == before.scored


def test_profiles_are_as_they_were_planned(before: Replies) -> None:
    live = LiveProbe(before)
    assert live.profile(NAME).practice
    with pytest.raises(KeyError):
        live.profile("nobody")

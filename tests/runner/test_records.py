from dataclasses import fields, replace

import pytest

from director_gui.runner.records import Attempt, Call, Outcome, now_utc

CALL = Call("r", "b", "move.ask", "v", "s", "i", "p", "m", "h", 1)


@pytest.mark.parametrize("name", [item.name for item in fields(Call)])
def test_every_field_is_part_of_a_calls_id(name: str) -> None:
    other = 2 if name == "sample" else "other"
    assert replace(CALL, **{name: other}).id != CALL.id


def test_the_same_call_has_the_same_id_everywhere() -> None:
    assert replace(CALL).id == CALL.id
    # Written down once: an id in an old study must never change its meaning.
    assert CALL.id == (
        "86f9ac96d8b5b891c846002eebb43df72d3ec65dead0f5a1b80f1e19859ae1ea"
    )


@pytest.mark.parametrize(
    ("outcome", "turn", "turns", "terminal"),
    [
        (Outcome.REPLY, 1, 1, True),
        (Outcome.REPLY, 1, 2, False),
        (Outcome.REPLY, 2, 2, True),
        (Outcome.RETRY, 2, 2, False),
        (Outcome.FAILED, 1, 2, True),
    ],
)
def test_what_ends_a_call(
    outcome: Outcome, turn: int, turns: int, *, terminal: bool
) -> None:
    attempt = Attempt("c", turn, turns, 1, outcome, now_utc(), 0.0, "h")
    assert attempt.terminal is terminal


def test_a_repr_shows_no_body() -> None:
    attempt = Attempt("c", 1, 1, 1, Outcome.REPLY, "t", 0.0, "h", body=b"secret-body")
    assert "secret-body" not in repr(attempt)


def test_time_is_utc_with_microseconds() -> None:
    assert now_utc().endswith("+00:00")
    assert "." in now_utc()

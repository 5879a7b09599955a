"""A cost ceiling: what is reserved, what is given back, when it says no."""

import asyncio
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.budget import (
    OUTPUT_TOKENS,
    PICTURE_TOKENS,
    Budget,
    billed,
    worst_cost,
)
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, CallInput, Outcome

PRICED = Profile(
    name="p", base_url="http://x/v1", model="m", input_price=2.0, output_price=10.0
)
INPUT = CallInput(("größer",), b"png")


def test_the_worst_case_counts_every_byte_the_picture_and_a_whole_reply() -> None:
    tokens = len("größer".encode()) + PICTURE_TOKENS
    whole = (tokens * 2 + OUTPUT_TOKENS * 10) / 1e6
    assert worst_cost(PRICED, INPUT) == pytest.approx(whole)
    limited = worst_cost(replace(PRICED, max_tokens=100), INPUT)
    assert limited == pytest.approx((tokens * 2 + 1000) / 1e6)


def test_a_second_turn_carries_the_first_and_its_reply() -> None:
    two = CallInput(("one", "three"), b"png")
    first, second = worst_cost(PRICED, two), worst_cost(PRICED, two, ("reply",))
    assert first is not None
    assert second is not None
    assert second - first == pytest.approx(len("threereply") * 2 / 1e6)


def test_an_unknown_price_has_no_worst_case() -> None:
    assert worst_cost(replace(PRICED, output_price=None), INPUT) is None


def made(**values: object) -> Attempt:
    return Attempt("c", 1, 1, 1, Outcome.RETRY, "t", 0.0, "h", **values)


@pytest.mark.parametrize(
    ("attempt", "cost"),
    [
        (made(cost=0.25), 0.25),
        (made(error_kind="rate_limit", http_status=429), 0.0),
        (made(error_kind="server", http_status=500), 0.0),
        (made(error_kind="timeout"), None),
        (made(error_kind="connection"), None),
        (made(error_kind="malformed", http_status=200), None),
        (made(http_status=200), None),
    ],
)
def test_what_may_have_been_answered_may_have_been_paid(
    attempt: Attempt, cost: float | None
) -> None:
    assert billed(attempt) == cost


def test_a_reservation_that_does_not_fit_waits_for_those_in_flight() -> None:
    async def go() -> None:
        budget = Budget(1.0)
        first = await budget.reserve(0.7)
        waiting = asyncio.create_task(budget.reserve(0.7))
        await asyncio.sleep(0)
        assert not waiting.done()
        assert first is not None
        budget.settle(first, 0.2)  # cheaper than feared
        assert await asyncio.wait_for(waiting, 1) is not None
        assert budget.room == pytest.approx(0.1)

    asyncio.run(go())


def test_nothing_fits_when_nothing_in_flight_can_make_room() -> None:
    async def go() -> None:
        budget = Budget(1.0, spent=0.9)
        assert await budget.reserve(0.2) is None
        assert "$1.00" in budget.words
        assert "$0.90" in budget.words
        # What costs nothing, or what the user agreed to, goes on.
        assert await budget.reserve(0.0) is not None
        assert await budget.reserve(None) is not None

    asyncio.run(go())


def test_an_unknown_end_counts_as_the_worst() -> None:
    async def go() -> None:
        budget = Budget(1.0)
        ticket = await budget.reserve(0.4)
        assert ticket is not None
        budget.settle(ticket, None)
        assert budget.spent == pytest.approx(0.4)

    asyncio.run(go())


def test_without_a_ceiling_everything_fits() -> None:
    async def go() -> None:
        budget = Budget()
        assert await budget.reserve(1e9) is not None
        assert budget.room == math.inf

    asyncio.run(go())


@given(
    st.floats(0, 10),
    st.lists(st.tuples(st.floats(0, 2), st.floats(0, 1)), max_size=30),
)
def test_what_is_spent_never_passes_the_ceiling(
    ceiling: float, wishes: list[tuple[float, float]]
) -> None:
    async def one(budget: Budget, worst: float, share: float) -> None:
        ticket = await budget.reserve(worst)
        if ticket is not None:
            await asyncio.sleep(0)
            budget.settle(ticket, worst * share)

    async def go() -> Budget:
        budget = Budget(ceiling)
        async with asyncio.TaskGroup() as group:
            for worst, share in wishes:
                group.create_task(one(budget, worst, share))
        return budget

    budget = asyncio.run(go())
    assert budget.spent <= ceiling + 1e-9
    assert budget.room == pytest.approx(ceiling - budget.spent)

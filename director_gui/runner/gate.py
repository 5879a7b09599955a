"""The gate that all requests of one profile pass: rate limits are met together.

When a server says *wait*, nobody of this profile sends until the time is over; then
one request goes ahead as a probe, and the gate opens for all when it gets through.
How many may be in flight grows by one per full round of successes and is halved by a
refusal (additive increase, multiplicative decrease, as in TCP; Jacobson 1988). How
fast they follow one another is `runner.pace`'s.
"""

import asyncio
from collections.abc import Callable
from typing import Literal

from director_gui.runner.pace import Pace

Passage = Literal["passed", "refused", "unused"]


class Gate:
    """Belongs to one event loop.

    Args:
        limit: Most requests in flight.
        first_wait: Seconds to wait after a refusal that names no time; it doubles
            with each refusal in a row.
        longest_wait: Most of such a wait; what a server asks for may be longer.
        on_close: Told the seconds each time the gate closes or stays closed longer.
        first_spacing: Seconds between the first sends; it shrinks with each.
    """

    def __init__(
        self,
        limit: int,
        *,
        first_wait: float,
        longest_wait: float,
        on_close: Callable[[float], None],
        first_spacing: float = 0.0,
    ) -> None:
        self._limit = limit
        self._pace = Pace(first_spacing)
        self._allowed = float(limit)
        self._in_flight = 0
        self._opens_at: float | None = None  # loop time; None while open
        self._for_good = False
        self._left_off = False
        self._probing = False
        self._refusals = 0  # in a row
        self._waits = (first_wait, longest_wait)
        self._on_close = on_close
        self._changed = asyncio.Event()

    async def enter(self) -> bool | None:
        """Wait until a request may be sent; return whether it is the probe.

        Each `enter` is followed by one `leave`, but for one that returns None because
        nobody waits here any more (`leave_off`).
        """
        while True:
            if self._left_off and self.closed:
                return None
            wait: float | None = None
            if self._opens_at is None:
                if self._in_flight < int(self._allowed):
                    wait = 0.0 if self._for_good else self._pace.wait(_now())
                    if wait <= 0:
                        return self._let_in(probe=False)
            elif not self._probing:
                wait = self._opens_at - _now()
                if wait <= 0:
                    return self._let_in(probe=True)
            await self._next_change(wait)

    @property
    def closed(self) -> bool:
        """Whether the server asked to wait and no probe got through since."""
        return self._opens_at is not None

    def _let_in(self, *, probe: bool) -> bool:
        self._probing = self._probing or probe
        self._in_flight += 1
        self._pace.sent(_now())
        return probe

    def leave(
        self, passage: Passage, *, probe: bool, retry_after: float | None = None
    ) -> None:
        """Say how a request fared.

        Args:
            passage: `refused` for a rate limit, `passed` for any other answer or
                error, `unused` when the request was never sent or its end is unknown.
            probe: What `enter` returned.
            retry_after: Seconds that the server asked to wait, None when it did not.
        """
        self._in_flight -= 1
        if probe:
            self._probing = False
        if passage == "refused":
            self._pace.refused(retry_after)
            self._close(retry_after)
        elif passage == "passed":
            self._grow(probe=probe)
        self._wake()

    def open(self) -> None:
        """Let everybody through from now on: the server is left alone anyway."""
        self._for_good = True
        self._opens_at = None
        self._allowed = float(self._limit)
        self._wake()

    def leave_off(self) -> None:
        """Let nobody wait any longer for a server that asked to wait."""
        self._left_off = True
        self._wake()

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def _close(self, retry_after: float | None) -> None:
        if self._for_good:
            return
        first, longest = self._waits
        if self._opens_at is None:  # others in flight may be refused with this one
            self._allowed = max(1.0, self._allowed / 2)
        seconds = retry_after
        if seconds is None:
            # The bound of 30 keeps the power from growing without end.
            seconds = min(longest, first * 2 ** min(self._refusals, 30))
        self._refusals += 1
        opens_at = _now() + seconds
        # A shorter wait asked of a straggler does not undo a longer one.
        if self._opens_at is None or opens_at > self._opens_at:
            self._opens_at = opens_at
            self._on_close(seconds)

    def _grow(self, *, probe: bool) -> None:
        if probe:
            self._opens_at = None
            self._pace.reopened(_now())
        if self._opens_at is None:
            self._pace.passed()
            self._refusals = 0
            # Fractions add up to one slot more per round of successes.
            self._allowed = min(self._limit, self._allowed + 1 / self._allowed)

    async def _next_change(self, seconds: float | None) -> None:
        # Taken before waiting: each change has an event of its own.
        changed = self._changed
        try:
            async with asyncio.timeout(seconds):
                await changed.wait()
        except TimeoutError:
            return


def _now() -> float:
    return asyncio.get_running_loop().time()

"""A run's cost ceiling: the worst case of each request is reserved before it is sent.

The worst case assumes at most one token per byte of text, the picture at
`PICTURE_TOKENS`, and the profile's `max_tokens` of output, or `OUTPUT_TOKENS` where it
names none [ours]. A model that writes more than that can go past the ceiling by the
difference, once per request in flight; a profile with `max_tokens` cannot.
"""

import asyncio
import math
from collections.abc import Sequence

from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, CallInput

# Above what providers publish for 1024 x 768: 765 in tiles of 512 px, 1036 in patches
# of 28 px, 1890 in patches of 32 px at the dearest factor.
PICTURE_TOKENS = 2000
OUTPUT_TOKENS = 16_384
_REFUSED = ("rate_limit", "quota", "auth", "rejected", "server")


class Budget:
    """What may still be spent; belongs to one event loop.

    Args:
        ceiling: US dollars; None for no ceiling.
        spent: US dollars that earlier sessions spent, or may have spent.
    """

    def __init__(self, ceiling: float | None = None, spent: float = 0.0) -> None:
        self.ceiling = ceiling
        self.spent = spent
        self._reserved: dict[int, float] = {}
        self._next = 0
        self._changed = asyncio.Event()

    async def reserve(self, worst: float | None) -> int | None:
        """Set `worst` dollars aside; return a ticket, None when they do not fit.

        Waits while requests in flight may still turn out cheaper than reserved. An
        unknown price (None) always fits: the user confirmed it.
        """
        need = worst or 0.0
        while self.ceiling is not None and need > 0:
            if need <= self.room:
                break
            if not any(self._reserved.values()):
                return None
            changed = self._changed
            await changed.wait()
        return self.hold(need)

    def hold(self, worst: float | None) -> int:
        """Set dollars aside for what was sent already; return a ticket."""
        self._next += 1
        self._reserved[self._next] = worst or 0.0
        return self._next

    @property
    def room(self) -> float:
        """Dollars that are neither spent nor set aside; infinite without a ceiling."""
        if self.ceiling is None:
            return math.inf
        return self.ceiling - self.spent - sum(self._reserved.values())

    def settle(self, ticket: int, cost: float | None) -> None:
        """Give a reservation back for the cost; None counts the worst case as spent."""
        worst = self._reserved.pop(ticket)
        self.spent += worst if cost is None else cost
        self._changed.set()
        self._changed = asyncio.Event()

    @property
    def words(self) -> str:
        """Why nothing more is sent."""
        return (
            f"the cost ceiling of ${self.ceiling or 0:.2f} leaves no room for another"
            f" call (${self.spent:.2f} spent, or possibly spent). Raise it, then go on"
        )


def worst_cost(
    profile: Profile, call_input: CallInput, replies: Sequence[str] = ()
) -> float | None:
    """Return the most that one request costs in US dollars; None: unknown price.

    Args:
        profile: Its prices and limits.
        call_input: What the call sends.
        replies: The replies to the turns answered already.
    """
    if profile.input_price is None or profile.output_price is None:
        return None
    turns = call_input.turns[: len(replies) + 1]
    text = sum(len(part.encode()) for part in (*turns, *replies))
    output = profile.max_tokens or OUTPUT_TOKENS
    sent = (text + PICTURE_TOKENS) * profile.input_price
    return (sent + output * profile.output_price) / 1e6


def billed(attempt: Attempt) -> float | None:
    """Return what an attempt cost in US dollars; None when that cannot be known.

    A refusal costs nothing; a request that ended without a whole reply may have been
    answered, and paid for, all the same.
    """
    if attempt.cost is not None:
        return attempt.cost
    return 0.0 if attempt.error_kind in _REFUSED else None

"""Uniform draws that come out the same on every machine.

Every candidate has a stream of its own, which depends on the seed and the candidate's
numbers alone: neither workers nor a resumed run can change what is drawn.
"""

import hashlib
import random
from collections.abc import Sequence
from typing import TypeVar

from director_gui.families.model import Span
from director_gui.scene.bounds import ANGLE_DECIMALS, LENGTH_DECIMALS

T = TypeVar("T")


class Draws:
    """One stream of uniform draws.

    Only `random.Random.random` is used, whose sequence Python keeps for ever; its
    other methods may change between versions.

    Args:
        seed: The family's seed.
        path: What names the stream, such as the scene's and the candidate's number.
    """

    def __init__(self, seed: int, *path: object) -> None:
        # Joined by what no number holds: (1, 10) and (11, 0) are different streams.
        text = "/".join(map(str, (seed, *path)))
        # Hashed, because neighbouring seeds give alike first draws without it.
        digest = hashlib.sha256(text.encode()).digest()
        self._unit = random.Random(int.from_bytes(digest[:16])).random

    def meters(self, span: Span) -> float:
        """Return a length, rounded to 0.1 mm."""
        # Adding 0.0 turns a negative zero, which files would show, into zero.
        return round(self._between(span), LENGTH_DECIMALS) + 0.0

    def degrees(self, span: Span) -> float:
        """Return an angle, rounded to 0.01 degrees."""
        return round(self._between(span), ANGLE_DECIMALS) + 0.0

    def number(self, span: Span) -> float:
        """Return a number that is not stored itself, such as a ratio."""
        return self._between(span)

    def index(self, count: int) -> int:
        """Return a whole number from 0 to `count` - 1."""
        return int(self._unit() * count)

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a random order (Fisher and Yates)."""
        mixed = list(items)
        for last in range(len(mixed) - 1, 0, -1):
            other = self.index(last + 1)
            mixed[last], mixed[other] = mixed[other], mixed[last]
        return mixed

    def _between(self, span: Span) -> float:
        # Drawn even when fixed: fixing one value leaves all other draws as they were.
        return span.low + (span.high - span.low) * self._unit()

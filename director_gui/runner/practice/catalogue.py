"""The pictures that the practice reader knows, by the hash of their bytes."""

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

Extreme = Literal["largest", "smallest"]


@dataclass(frozen=True, slots=True)
class KnownScene:
    """What there is to know about one picture, in plain values."""

    name: str
    digits: tuple[int, ...]  # at least one block
    sizes: Mapping[int, float]  # digit -> edge in metres
    sees: tuple[int, ...]  # digits of the blocks the director sees
    hidden: int | None  # None when no block or several are hidden
    director_view: int | None  # None when the director sees no block
    model_view: int | None
    extreme: Extreme = "largest"

    def by_request(self) -> tuple[int, ...]:
        """Return the digits, best fit to the request first."""
        # Equal sizes go by digit, as in the answer key.
        sign = -1 if self.extreme == "largest" else 1
        return tuple(sorted(self.digits, key=lambda d: (sign * self.sizes[d], d)))


class Catalogue:
    """A mapping from picture hash to scene that can grow while a server reads it."""

    def __init__(self, scenes: Iterable[tuple[str, KnownScene]] = ()) -> None:
        self._lock = threading.Lock()
        self._scenes = dict(scenes)

    def add(self, sha256: str, scene: KnownScene) -> None:
        """Make a picture known; a picture that is known already is replaced.

        Args:
            sha256: Hash of the picture file's bytes, 64 lower-case hexadecimal digits.
            scene: What the picture shows.
        """
        with self._lock:
            self._scenes[sha256] = scene

    def get(self, sha256: str) -> KnownScene | None:
        """Return the scene of a picture, or None when it is not known."""
        with self._lock:
            return self._scenes.get(sha256)

    def __len__(self) -> int:
        with self._lock:
            return len(self._scenes)

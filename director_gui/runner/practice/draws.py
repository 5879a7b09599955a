"""Where the reader's chance comes from: hashes, never the clock.

The n-th arrival of one request body gets the n-th draw of that body, so a run comes
out the same however its requests overtake each other.
"""

import hashlib
import random
import threading
from collections import Counter
from math import erf, sqrt


def generator(*parts: object) -> random.Random:
    """Return a generator that is fixed by `parts` alone, on every machine."""
    # A scene's name may hold a lone surrogate, which plain UTF-8 refuses.
    text = "\x1f".join(map(str, parts)).encode(errors="surrogatepass")
    return random.Random(int.from_bytes(hashlib.sha256(text).digest(), "big"))


def difficulty(seed: int, scene: str) -> float:
    """Return a scene's standing as a standard normal value; low means hard."""
    return generator("difficulty", seed, scene).gauss(0.0, 1.0)


def correlated_uniform(rng: random.Random, level: float, correlation: float) -> float:
    """Draw from (0, 1), uniform over scenes, alike within one scene.

    A one-factor Gaussian copula: the reply's value is
    ``sqrt(r) * level + sqrt(1 - r) * noise`` pushed through the normal distribution
    function. Over scenes it is exactly uniform, so a share planted on it is the share
    that comes out, whatever the correlation.

    Args:
        rng: The reply's own generator.
        level: The scene's difficulty, a standard normal value.
        correlation: r in 0-1, the correlation of two replies' values in one scene.
    """
    value = sqrt(correlation) * level + sqrt(1.0 - correlation) * rng.gauss(0.0, 1.0)
    return 0.5 * (1.0 + erf(value / sqrt(2.0)))


class Tally:
    """Counts arrivals per request body, safely from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seen: Counter[str] = Counter()

    def next(self, key: str) -> int:
        """Return how often `key` came before, and count this time."""
        with self._lock:
            count = self._seen[key]
            self._seen[key] = count + 1
        return count

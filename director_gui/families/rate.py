"""How sure a share is: the exact interval of a binomial rate."""

from collections.abc import Callable
from math import exp, lgamma, log, log1p

LEVEL = 0.95


def interval(hits: int, trials: int) -> tuple[float, float]:
    """Return the 95 % interval of a rate (0-1).

    Clopper and Pearson (1934): the rates at which `hits` or more, and `hits` or
    fewer, have a chance of 2.5 %. Nothing tried says nothing: (0, 1).
    """
    if trials == 0:
        return 0.0, 1.0
    tail = (1 - LEVEL) / 2
    # Plain bisection, because importing scipy takes longer than all of this.
    low = _where(lambda p: 1 - _at_most(hits - 1, trials, p) >= tail) if hits else 0.0
    high = _where(lambda p: _at_most(hits, trials, p) <= tail) if hits < trials else 1.0
    return low, high


def _where(holds: Callable[[float], bool]) -> float:
    """Return the least rate from which on a condition holds, to 1e-12 or better."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _at_most(hits: int, trials: int, rate: float) -> float:
    """Return the chance of `hits` or fewer in `trials`."""
    return sum(_exactly(k, trials, rate) for k in range(hits + 1))


def _exactly(hits: int, trials: int, rate: float) -> float:
    if rate in {0.0, 1.0}:
        return float(hits == trials * rate)
    ways = lgamma(trials + 1) - lgamma(hits + 1) - lgamma(trials - hits + 1)
    return exp(ways + hits * log(rate) + (trials - hits) * log1p(-rate))

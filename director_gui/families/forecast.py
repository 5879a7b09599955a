"""An early verdict: can a family be satisfied, how often, and if not, why not?

Candidates are judged until the exact interval of their acceptance rate lies on one
side of one in 10,000, or the time is up; then the family is called hard rather than
left to spin.
"""

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.families.judge import BLAME, Reason, judge
from director_gui.families.model import Family
from director_gui.families.plan import Cell, plan_of
from director_gui.families.rate import interval
from director_gui.families.sampler import nth_candidate

LEAST_RATE = 1e-4
SECONDS = 6.0  # a verdict is due 10 s after the command began, start included
_LOOK = 500  # candidates between two looks at the interval
_FIRST = 64  # candidates of each kind, before the most doubtful have their turns


@dataclass(frozen=True, slots=True)
class Forecast:
    """How candidates of one cell of a family's plan fared.

    Attributes:
        cell: How many blocks, and which rank is hidden.
        accepted: Candidates that satisfied every demand.
        rejected: The others, by reason.
        low: Lower end of the rate's 95 % interval (Clopper-Pearson).
        high: Upper end.
    """

    cell: Cell
    accepted: int
    rejected: Counter[Reason]
    low: float
    high: float

    @property
    def tried(self) -> int:
        """All candidates."""
        return self.accepted + self.rejected.total()

    @property
    def hard(self) -> bool:
        """Whether fewer than one candidate in 10,000 fits, as far as can be told."""
        # Nothing tried, because other kinds took the time, says nothing.
        return self.accepted < self.tried * LEAST_RATE

    @property
    def blame(self) -> tuple[Reason, float] | None:
        """The reason that lets the smallest share of those that reach it pass.

        With the share (0-1) that it refuses; None when nothing was refused.
        """
        left, least, worst = self.tried, 1.0, None
        for reason in BLAME:
            refused = self.rejected[reason]
            # Laplace's rule: a few that all fail weigh less than many of whom most do.
            passing = (left - refused + 1) / (left + 2)
            if refused and passing < least:
                least, worst = passing, (reason, refused / left)
            left -= refused
        return worst


class HardFamilyError(UserError):
    """A family whose demands hardly any candidate satisfies."""

    def __init__(self, family: str, forecast: Forecast) -> None:
        super().__init__(
            _verdict(forecast),
            where=family,
            todo=_advice(forecast),
        )
        self.forecast = forecast


def require_feasible(
    family: Family,
    *,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.monotonic,
    stop: Callable[[], bool] = lambda: False,
) -> list[Forecast]:
    """Return a forecast for each kind of scene in a family's plan.

    Args:
        family: The family.
        seconds: How long this may take.
        clock: Seconds that go on.
        stop: Asked after each candidate; True ends early, without a verdict on the
            kinds that are left.

    Raises:
        HardFamilyError: One kind is below one in 10,000, as far as the time tells.
    """
    until, told = clock() + seconds, list[Forecast]()

    def late() -> bool:
        return stop() or clock() >= until

    # Each kind by itself: an easy kind must not hide one that never fits.
    trials = [_Trial(family, cell) for cell in sorted(set(plan_of(family)))]
    for trial in trials:
        trial.go_on(late, _FIRST)
    while trials and not late():
        # The most doubtful: what takes long to tell must not leave others untried.
        trial = min(trials, key=_Trial.promise)
        trial.go_on(late, _LOOK)
        if trial.clear:
            trials.remove(trial)
            told += _none_hard(family, [trial.found])
    if stop():
        return told  # of the others too few were tried to call one hard
    return told + _none_hard(family, [trial.found for trial in trials])


def _none_hard(family: Family, found: list[Forecast]) -> list[Forecast]:
    for one in found:
        if one.hard:
            raise HardFamilyError(family.name, one)
    return found


def forecast(family: Family, cell: Cell, late: Callable[[], bool]) -> Forecast:
    """Return how candidates of one kind fare, until that is clear or `late`."""
    trial = _Trial(family, cell)
    while not (trial.clear or late()):
        trial.go_on(late, _LOOK)
    return trial.found


class _Trial:
    """Judges candidates of one kind, a stretch at a time."""

    def __init__(self, family: Family, cell: Cell) -> None:
        self._family, self._cell = family, cell
        self._rejected: Counter[Reason] = Counter()
        self._hits = self._tried = 0
        self.clear = False

    @property
    def found(self) -> Forecast:
        """What is known by now."""
        ends = interval(self._hits, self._tried)
        return Forecast(self._cell, self._hits, self._rejected, *ends)

    def promise(self) -> tuple[int, int]:
        """Order kinds by how little they promise; of equals, the best known first."""
        return self._hits, -self._tried

    def go_on(self, late: Callable[[], bool], most: int) -> None:
        """Judge `most` candidates more, fewer when it is clear or `late` before."""
        until = self._tried + most
        while self._tried < until and not (self.clear or late()):
            # A stream of its own: the forecast is no part of the set.
            drawn = nth_candidate(self._family, -1, self._cell, self._tried)
            reason = judge(self._family, drawn).reason
            self._tried += 1
            if reason is None:
                self._hits += 1
            else:
                self._rejected[reason] += 1
            # Looking costs time, and between hits the interval moves slowly.
            if reason is None or self._tried % _LOOK == 0:
                self.clear = _clear(self._hits, self._tried)


def _clear(hits: int, tried: int) -> bool:
    low, high = interval(hits, tried)
    return low > LEAST_RATE or high < LEAST_RATE


def _verdict(found: Forecast) -> str:
    kind = f"{found.cell.blocks} blocks and the {found.cell.hidden} hidden"
    return (
        f"this family can hardly be satisfied: {found.accepted} of {found.tried} "
        f"candidates with {kind} fit, a rate of {found.low:.2g} to {found.high:.2g} "
        f"(95 % interval)"
    )


def _advice(found: Forecast) -> str:
    worst = found.blame
    if worst is None:
        return "Try again when the machine is less busy"
    reason, share = worst
    return (
        f"{reason} refuses {100 * share:.4g} % of those that get so far: look at "
        f"{BLAME[reason]}"
    )

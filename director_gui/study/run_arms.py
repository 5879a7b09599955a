"""The arms of a run while it goes on: counts, imbalance, drift and pace."""

import math
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from director_gui.runner.records import Usage
from director_gui.scoring.score import STATUSES
from director_gui.study.scored import Scored

OPEN = "open"
ENDINGS = (*STATUSES, OPEN)
# An imbalance [ours]: 5 points, and more than chance explains at about 1 in 20.
LEAST_ENDED, LEAST_POINTS, LEAST_Z = 10, 0.05, 1.96
PACE_S = 30.0  # the rate is that of the last half minute

Key = tuple[str, str, str]  # model profile, condition, batch


@dataclass(frozen=True, slots=True)
class ArmView:
    """The calls of one model and condition in one batch, as they stand.

    Attributes:
        model: The profile's name.
        condition: The condition's name.
        batch: The batch's name.
        base: Whether the condition is the base of its action.
        statuses: Count by status, `open` included; they add up to the calls.
        hidden: Hidden-block choices, and answered replies of scenes with one
            hidden block.
        right: Exactly right reports, and reports.
        tokens: Tokens sent and received, as far as servers counted them.
        cost: US dollars; None when the price of a reply is unknown.
        imbalance: How its missing answers differ from those of a pair partner, in
            words; empty when they do not.
    """

    model: str
    condition: str
    batch: str
    base: bool
    statuses: Mapping[str, int]
    hidden: tuple[int, int]
    right: tuple[int, int]
    tokens: tuple[int, int]
    cost: float | None
    imbalance: str = ""

    @property
    def key(self) -> Key:
        """What names it."""
        return self.model, self.condition, self.batch

    @property
    def calls(self) -> int:
        """All its calls."""
        return sum(self.statuses.values())

    @property
    def ended(self) -> int:
        """Calls that have an end."""
        return self.calls - self.statuses[OPEN]

    @property
    def unanswered(self) -> int:
        """Ended calls that enter no rate."""
        return self.ended - self.statuses["answered"]


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """How often attempts of one model failed in one way."""

    model: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Drift:
    """A base condition's hidden-block choices in each batch of one model.

    Attributes:
        model: The profile's name.
        condition: The base.
        rates: Batch, hidden-block choices and answered replies.
    """

    model: str
    condition: str
    rates: tuple[tuple[str, int, int], ...]

    @property
    def points(self) -> float | None:
        """Largest minus smallest rate, in points; None with fewer than two batches."""
        shares = [k / n for _, k, n in self.rates if n]
        return 100 * (max(shares) - min(shares)) if len(shares) > 1 else None


@dataclass(slots=True)
class ArmCounts:
    """Counts of one arm; they grow, but for open calls and corrected scores."""

    statuses: Counter[str] = field(default_factory=Counter)
    scenes: dict[str, list[int]] = field(default_factory=dict)  # hidden, answered
    hidden: list[int] = field(default_factory=lambda: [0, 0])  # the same in all
    right: int = 0
    reports: int = 0
    tokens: list[int] = field(default_factory=lambda: [0, 0])
    cost: float = 0.0
    priced: bool = True

    def end(self, item: Scored) -> None:
        """Count a call that has come to its end."""
        self._count(item, 1)

    def take_back(self, item: Scored) -> None:
        """Count a call no more, which is about to be counted by another score."""
        self._count(item, -1)

    def _count(self, item: Scored, by: int) -> None:
        score = item.score
        if score is None:
            return
        self.statuses[score.status] += by
        if score.hidden_choice is not None:
            # Kept beside the cells, for a window asks for the sum twice a second.
            for cell in (self._cell(item.reply.call.scene), self.hidden):
                cell[0] += by * score.hidden_choice
                cell[1] += by
        if score.report_correct is not None:
            self.right += by * score.report_correct
            self.reports += by

    def pay(self, usage: Usage, cost: float | None, *, replied: bool) -> None:
        """Count what one or more attempts used."""
        self.tokens[0] += usage.input or 0
        self.tokens[1] += usage.output or 0
        self.cost += cost or 0.0
        self.priced = self.priced and not (replied and cost is None)

    def _cell(self, scene: str) -> list[int]:
        return self.scenes.setdefault(scene, [0, 0])


class Pace:
    """How fast calls end, over the last half minute."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def tell(self, now: float, ended: int) -> None:
        """Say how many calls have ended at `now`, in seconds of any clock."""
        self._seen.append((now, ended))
        # Two stay whatever their age, or a slow model would never have a rate.
        while len(self._seen) > 2 and now - self._seen[0][0] > PACE_S:
            self._seen.popleft()

    @property
    def rate(self) -> float | None:
        """Calls per second; None while it is a guess."""
        if len(self._seen) < 2:
            return None
        (start, before), (end, after) = self._seen[0], self._seen[-1]
        return (after - before) / (end - start) if end - start >= 1.0 else None

    def seconds_left(self, still_open: int) -> float | None:
        """Return the time that open calls take; None while it is a guess."""
        rate = self.rate
        return still_open / rate if rate else None


def imbalance(first: ArmView, second: ArmView) -> str:
    """Return how two arms of a pair differ in replies without an answer, in words.

    Empty when they differ by less than 5 points, or by no more than chance explains
    (two shares, pooled, z below 1.96) [ours]. Such a gap can pass for a difference
    between the conditions, as only answered replies enter the rates.
    """
    sides = (first, second)
    if min(side.ended for side in sides) < LEAST_ENDED:
        return ""
    shares = [side.unanswered / side.ended for side in sides]
    gap = abs(shares[0] - shares[1])
    # Pooled, as under the hypothesis that both arms lose replies alike.
    pooled = sum(s.unanswered for s in sides) / sum(s.ended for s in sides)
    spread = math.sqrt(pooled * (1 - pooled) * sum(1 / s.ended for s in sides))
    if gap < LEAST_POINTS or gap < LEAST_Z * spread:
        return ""
    told = [f"{s.unanswered} of {s.ended} in {s.condition}" for s in sides]
    worse = sides[shares[1] > shares[0]]
    most = max(STATUSES[1:], key=lambda name: worse.statuses[name])
    return f"without an answer: {told[0]}, {told[1]}; mostly {most}"


def imbalances(
    arms: Mapping[Key, ArmView], pairs: Sequence[tuple[str, str]]
) -> Iterator[tuple[Key, str]]:
    """Yield the arms that a pair partner differs from, each with the words."""
    for model, condition, batch in arms:
        for first, second in pairs:
            other = arms.get((model, second, batch))
            if condition != first or other is None:
                continue
            said = imbalance(arms[model, first, batch], other)
            if said:
                # Both arms say it: either may be the one that is looked at.
                yield (model, first, batch), said
                yield (model, second, batch), said

"""The rows of one contrast, and the few numbers that its rules ask for."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce

import numpy as np

from director_gui.stats.replies import BoolArray, FloatArray, Replies, Tally
from director_gui.stats.result import Reason

# Ours: with two scenes t has one degree of freedom or none.
LEAST_SCENES = 3
SAME = 1e-12  # contrasts closer than this are equal


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Tallies of the conditions of one contrast.

    Attributes:
        weights: The weight w_c of each condition.
        tallies: A tally for each weight.
        some: Scenes with a reply in any condition, shape (scenes of the table,).
        every: Scenes with replies in all conditions, the same shape.
        scenes: G, how many of `some`.
        paired_scenes: G_pair, how many of `every`.
        fewest_scenes: The least number of scenes any condition has.
        estimate: D, the weighted sum of the raw shares.
        largest: R, the largest value of the contrast.
        per_scene: d_i, the contrast in each paired scene, in ascending order,
            shape (paired scenes,).
    """

    weights: Mapping[str, float]
    tallies: tuple[Tally, ...]
    some: BoolArray
    every: BoolArray
    scenes: int
    paired_scenes: int
    fewest_scenes: int
    estimate: float
    largest: float
    per_scene: FloatArray

    @classmethod
    def of(cls, replies: Replies, weights: Mapping[str, float]) -> "Sample":
        """Return the sample of the contrast with these weights."""
        tallies = tuple(replies.tally(name) for name in weights)
        present = [tally.present for tally in tallies]
        some, every = reduce(np.logical_or, present), reduce(np.logical_and, present)
        values = list(weights.values())
        # nan where a condition is missing; `every` drops those before they are sorted.
        contrasts = _weighted(values, [tally.per_scene for tally in tallies])[every]
        return cls(
            weights=weights,
            tallies=tallies,
            some=some,
            every=every,
            scenes=int(np.count_nonzero(some)),
            paired_scenes=int(np.count_nonzero(every)),
            fewest_scenes=min(tally.scenes for tally in tallies),
            estimate=float(
                sum(w * t.share for w, t in zip(values, tallies, strict=True))
            ),
            # Each share is within 0-1, so the positive weights are all it can reach.
            largest=float(sum(weight for weight in values if weight > 0)),
            per_scene=np.sort(contrasts),
        )

    def reason(self) -> Reason | None:
        """Return why no interval can be given, or ``None``."""
        if any(tally.n == 0 for tally in self.tallies):
            return "no_replies"
        # G - K is the degrees of freedom, and t needs one at least.
        too_few = self.fewest_scenes < LEAST_SCENES or self.scenes <= len(self.tallies)
        return "too_few_scenes" if too_few else None

    def robust_se(self) -> float:
        """Return sqrt(sum of e_i²), e_i = sum over c of w_c r_ic / n_c."""
        errors = self._sum([tally.influence for tally in self.tallies])
        return _length(errors[self.some])

    def bias_reduced_se(self) -> float:
        """Return the same with r_ic / (n_c - m_ic) (Mancl & DeRouen 2001)."""
        # Never 0 here: a scene that holds a whole condition has too few scenes for
        # this.
        errors = self._sum([t.residual / (t.n - t.answered) for t in self.tallies])
        return _length(errors[self.some])

    def has_constant_share(self) -> bool:
        """Tell whether some condition has no event, or nothing but events."""
        return any(tally.k in (0, tally.n) for tally in self.tallies)

    def scenes_alike(self) -> bool:
        """Tell whether half the scenes or more are paired, all with one contrast."""
        # A few alike pairs among many unpaired scenes say nothing of the others.
        if self.paired_scenes < max(LEAST_SCENES, self.scenes / 2):
            return False
        # Sorted, so the ends tell of all.
        return bool(self.per_scene[-1] - self.per_scene[0] <= SAME)

    def bound_scenes(self) -> int:
        """Return G*, the number of scenes that the bounded interval goes by."""
        # Unpaired scenes bound nothing of a paired contrast, so pairs go first.
        paired = self.paired_scenes >= LEAST_SCENES
        return self.paired_scenes if paired else self.fewest_scenes

    def informative_scenes(self) -> int:
        """Count the paired scenes whose contrast differs from the median one."""
        ordered = self.per_scene
        # numpy's own median costs more than the rest of a comparison
        low, high = ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]
        return int(np.count_nonzero(np.abs(ordered - (low + high) / 2) > SAME))

    def _sum(self, arrays: Iterable[FloatArray]) -> FloatArray:
        return _weighted(self.weights.values(), arrays)


def _weighted(weights: Iterable[float], arrays: Iterable[FloatArray]) -> FloatArray:
    pairs = zip(weights, arrays, strict=True)
    return reduce(np.add, (weight * array for weight, array in pairs))


def _length(vector: FloatArray) -> float:
    return math.sqrt(float(vector @ vector))

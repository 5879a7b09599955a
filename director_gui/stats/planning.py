"""How many scenes a difference needs, or which difference the scenes can show.

The standard error of a paired difference with m samples a scene follows from the
two rates and the correlation rho of replies within a scene. A part `overlap` of
that correlation is shared by the two conditions, when both find the same scenes
hard. A difference is detectable when it is (t_.975 + t_.80) standard errors, so that
80 % of studies would find it at the 5 % level.
"""

import math
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.stats.result import ALPHA, Comparison
from director_gui.stats.sample import LEAST_SCENES
from director_gui.stats.student import quantile

POWER = 0.80
# Far beyond any study; it only ends the search for a difference near 0.
MAX_SCENES = 10**9


@dataclass(frozen=True, slots=True)
class Design:
    """What a plan assumes.

    Attributes:
        pa: Rate of the reference condition, 0-1.
        icc: Correlation rho of replies within a scene, 0-1.
        samples: Replies m per scene and condition.
        overlap: Share lam of the correlation that the conditions have in common.
    """

    pa: float
    # Ours: the paper reports no correlation within scenes.
    icc: float = 0.3
    samples: int = 5
    overlap: float = 0.0

    def __post_init__(self) -> None:
        for name in ("pa", "icc", "overlap"):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError("must be from 0 to 1", where=name)
        if self.samples < 1:
            raise UserError("must be 1 or more", where="samples")

    def spread(self, difference: float) -> float:
        """Return s, the standard error of `difference` times sqrt(scenes).

        Args:
            difference: The rate of the test condition less `pa`, 0-1.
        """
        pa, pb = self.pa, self.pa + difference
        # Scaled by the largest covariance that two such rates can have.
        common = self.overlap * self.icc * (min(pa, pb) - pa * pb)
        inflation = (1 + (self.samples - 1) * self.icc) / self.samples
        variance = (pa * (1 - pa) + pb * (1 - pb)) * inflation - 2 * common
        # Rounding can take a variance of 0 just below it.
        return math.sqrt(max(variance, 0.0))


def scenes_needed(design: Design, difference: float) -> int:
    """Return the least number of scenes that can show `difference`.

    Args:
        design: The rates and correlations assumed.
        difference: Test less reference, 0-1, negative for a decrease.

    Raises:
        UserError: The difference is 0 or leaves 0-1, or no number of scenes serves.
    """
    if not 0 <= design.pa + difference <= 1:
        raise UserError(
            f"a rate of {design.pa:g} cannot change by {difference:g}",
            where="difference",
        )
    return _least_scenes(design.spread(difference), difference)


def detectable_difference(design: Design, scenes: int) -> float | None:
    """Return the least increase that `scenes` scenes can show, 0-1.

    The increase solves d = (t_.975 + t_.80) SE(pa + d). The standard error is a
    concave function of d, so there is one solution or none; ``None`` stands for the
    latter, when not even a rise to 100 % could be shown.

    Raises:
        UserError: There are fewer than three scenes.
    """
    if scenes < LEAST_SCENES:
        raise UserError(f"must be {LEAST_SCENES} or more", where="scenes")
    reach = _reach(scenes) / math.sqrt(scenes)
    low, high = 0.0, 1 - design.pa
    if high == 0 or reach * design.spread(high) > high:
        return None
    # Ends where floats do, so that no tolerance has to be chosen.
    while (middle := (low + high) / 2) not in (low, high):
        if reach * design.spread(middle) > middle:
            low = middle
        else:
            high = middle
    return high


def scenes_from_pilot(pilot: Comparison, difference: float) -> int:
    """Return the scenes that show `difference`, going by a pilot's standard error.

    Raises:
        UserError: The pilot has no standard error, or the difference is 0.
    """
    if pilot.se is None:
        raise UserError(
            "the pilot comparison has no standard error",
            todo="Plan from rates instead",
        )
    # Carries the pilot's own correlation and sample count over; nothing is assumed.
    return _least_scenes(pilot.se * math.sqrt(pilot.scenes), difference)


def _least_scenes(spread: float, difference: float) -> int:
    wanted = abs(difference)
    # The normal quantiles are below those of t, so the search starts from below.
    start = (_reach(MAX_SCENES) * spread / wanted) ** 2 if wanted else math.inf
    if start > MAX_SCENES:
        raise UserError(
            "too small for any feasible number of scenes", where="difference"
        )
    scenes = max(LEAST_SCENES, math.floor(start) - 1)
    while _reach(scenes) * spread / math.sqrt(scenes) > wanted:
        scenes += 1
    return scenes


def _reach(scenes: int) -> float:
    # As the comparison itself will have: two conditions, one contrast.
    df = scenes - 2
    return quantile(1 - ALPHA / 2, df) + quantile(POWER, df)

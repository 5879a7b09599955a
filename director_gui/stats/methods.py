"""The three ways from an estimate to an interval: two t methods and a bound.

D is the estimate, G the number of scenes, R the largest possible contrast.
"""

import math
from dataclasses import replace

from director_gui.stats.result import ALPHA, Inference
from director_gui.stats.student import quantile, two_sided_p


def gee_t(estimate: float, se: float, df: int, largest: float) -> Inference:
    """Return the interval of the logit GEE with scenes as clusters.

    With one indicator a condition, independence working correlation and the robust
    (Liang-Zeger) sandwich, the delta method's standard error of the share difference
    is the closed form given as `se`; t has G - K degrees of freedom.

    Args:
        estimate: D, a contrast of shares.
        se: Standard error of D.
        df: Degrees of freedom.
        largest: R, to whose ± the interval is clipped.
    """
    reach = quantile(1 - ALPHA / 2, df) * se
    low, high = estimate - reach, estimate + reach
    clipped = low < -largest or high > largest
    # From the unclipped t: clipping mends the picture, not the evidence.
    p = two_sided_p(estimate / se, df)
    return Inference(
        "gee_t", se, df, max(low, -largest), min(high, largest), p, clipped
    )


def cluster_t(estimate: float, se: float, scenes: int, largest: float) -> Inference:
    """Return the cluster-based t interval, for a share of exactly 0 or 1.

    There the logit diverges. With equal counts this is the paired t test on the
    scenes' differences; with unequal counts a scene weighs m_i / n.

    Args:
        estimate: D.
        se: The robust standard error without a small-sample factor.
        scenes: G.
        largest: R.
    """
    # G/(G-1) makes it the variance with Bessel's correction, as the t test has it.
    inflated = math.sqrt(scenes / (scenes - 1)) * se
    found = gee_t(estimate, inflated, scenes - 1, largest)
    return replace(found, method="cluster_t")


def bounded(estimate: float, scenes: int, largest: float) -> Inference:
    """Return the interval when all scenes are alike and no variance can be had.

    The scene is the unit, so any correlation within it is allowed for: u is the
    largest share of unlike scenes that 2.5 % of samples of G scenes would miss.

    Args:
        estimate: D.
        scenes: G*, the paired scenes or the least number any condition has.
        largest: R.
    """
    u = 1 - (ALPHA / 2) ** (1 / scenes)
    # Unseen unlike scenes could lie anywhere in ±R, so the centre moves towards 0.
    middle = estimate * (1 - u)
    low, high = max(-largest, middle - largest * u), min(largest, middle + largest * u)
    # Chosen so that p < .05 just when the interval leaves 0 out; a sign test at |D| =
    # R.
    p = min(1.0, 2 * (largest / (largest + abs(estimate))) ** scenes)
    return Inference("bounded", None, None, low, high, p)

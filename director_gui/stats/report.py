"""A comparison as the command line's JSON document."""

import math
from collections.abc import Iterable

from director_gui.ids import Json
from director_gui.stats.result import Comparison, Share
from director_gui.stats.verdicts import MARGIN, margin_verdict


def comparison_json(
    comparison: Comparison, shares: Iterable[Share], margin: float = MARGIN
) -> Json:
    """Return a comparison, its conditions' shares and the margin's verdict.

    Args:
        comparison: The comparison.
        shares: A share for each of its conditions.
        margin: The margin of "unchanged", 0-1; written in points.
    """
    verdict = margin_verdict(comparison.ci_low, comparison.ci_high, margin)
    return {
        "method": comparison.method,
        "reason": comparison.reason,
        "estimate": comparison.estimate,
        "se": comparison.se,
        "df": comparison.df,
        "ci_low": comparison.ci_low,
        "ci_high": comparison.ci_high,
        "p": comparison.p,
        # The symbols of the literature: readers of the file compare them with R's
        # output.
        "G": comparison.scenes,
        "G_pair": comparison.paired_scenes,
        "n": list(comparison.n),
        "k": list(comparison.k),
        "flags": list(comparison.flags),
        "shares": {share.condition: share_json(share) for share in shares},
        "margin": {"points": _points(margin), "verdict": verdict},
        "conditions": list(comparison.conditions),
        "weights": list(comparison.weights),
        "cov": comparison.cov,
        "informative_scenes": comparison.informative_scenes,
    }


def share_json(share: Share) -> Json:
    """Return a share as a JSON object."""
    return {
        "share": share.share,
        "k": share.k,
        "n": share.n,
        "G": share.scenes,
        "ci_low": share.ci_low,
        "ci_high": share.ci_high,
        "method": share.method,
        "reason": share.reason,
    }


def _points(margin: float) -> float:
    # 100 * 0.07 is 7.000000000000001.
    points = round(100 * margin, 9)
    # Whole points are written whole, as the user gave them.
    return int(points) if math.floor(points) == points else points

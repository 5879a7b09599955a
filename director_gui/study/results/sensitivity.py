"""The same comparison with an exchangeable working correlation: a sensitivity check.

The production estimate has an independence working correlation in closed form
(STATISTICS §2). Here statsmodels fits the GEE with one correlation for all replies of
a scene; where that tells another story, the counts per scene are unequal.
"""

import math
import warnings
from dataclasses import dataclass

import numpy as np

from director_gui.errors import UserError
from director_gui.stats.replies import FloatArray, Replies
from director_gui.stats.result import ALPHA
from director_gui.stats.student import quantile, two_sided_p


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """A difference under an exchangeable working correlation; 0-1.

    Attributes:
        estimate: Test minus reference.
        se: Robust standard error by the delta method.
        ci_low: Lower end of the 95 % interval, t with scenes less 2.
        ci_high: Upper end.
        p: Two-sided, not corrected.
        correlation: Of replies within a scene, as it was estimated.
    """

    estimate: float
    se: float
    ci_low: float
    ci_high: float
    p: float
    correlation: float


def exchangeable(replies: Replies, reference: str, test: str) -> Sensitivity:
    """Return the difference of two shares by an exchangeable logit GEE.

    Raises:
        UserError: A share is exactly 0 or 100 %, or the fit does not converge.
    """
    for name in (reference, test):
        tally = replies.tally(name)
        if tally.k in (0, tally.n):
            raise UserError(
                f"the share under {name} is exactly 0 or 100 %, where a logit diverges",
                todo="The table’s own interval stands",
            )
    y, x, groups = _rows(replies, reference, test)
    slopes, covariance, correlation = _fit(y, x, groups)
    odds = np.array([slopes[0], slopes[0] + slopes[1]])
    shares = 1 / (1 + np.exp(-odds))
    steep = shares * (1 - shares)
    # d(share1 - share0) by intercept and slope: the delta method.
    gradient = np.array([steep[1] - steep[0], steep[1]])
    estimate = float(shares[1] - shares[0])
    se = math.sqrt(float(gradient @ covariance @ gradient))
    df = len(np.unique(groups)) - 2
    # The same t as the main estimate, so that only the correlation differs.
    reach = quantile(1 - ALPHA / 2, df) * se
    return Sensitivity(
        estimate=estimate,
        se=se,
        ci_low=max(estimate - reach, -1.0),
        ci_high=min(estimate + reach, 1.0),
        p=two_sided_p(estimate / se, df),
        correlation=correlation,
    )


def _rows(
    replies: Replies, reference: str, test: str
) -> tuple[FloatArray, FloatArray, FloatArray]:
    y, arm, groups = [], [], []
    for place in range(len(replies.scenes)):
        for value, name in enumerate((reference, test)):
            tally = replies.tally(name)
            k, m = int(tally.events[place]), int(tally.answered[place])
            y += [1.0] * k + [0.0] * (m - k)
            arm += [float(value)] * m
            groups += [float(place)] * m
    # With an intercept: statsmodels adds none.
    x = np.column_stack([np.ones(len(arm)), np.array(arm)])
    return np.array(y), x, np.array(groups)


def _fit(
    y: FloatArray, x: FloatArray, groups: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    # Imported here: it takes longer than everything else of the workspace.
    from statsmodels.genmod.cov_struct import Exchangeable
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_estimating_equations import GEE

    structure = Exchangeable()
    model = GEE(y, x, groups=groups, family=Binomial(), cov_struct=structure)
    with warnings.catch_warnings():
        # What it warns of is said below in words a reader can use.
        warnings.simplefilter("ignore")
        fitted = model.fit(maxiter=100)
    slopes, covariance = np.asarray(fitted.params), np.asarray(fitted.cov_params())
    if not (fitted.converged and np.all(np.isfinite(covariance))):
        raise UserError(
            "the exchangeable model does not converge",
            todo="The table’s own interval stands",
        )
    return slopes, covariance, float(structure.dep_params)

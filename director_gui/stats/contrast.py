"""Weighted contrasts of conditions, replies clustered by scene.

The default contrast (reference, test) has the weights (-1, 1). Which method applies
is decided in one fixed order; the first rule that fits wins.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from director_gui.errors import UserError
from director_gui.stats import methods
from director_gui.stats.replies import Replies
from director_gui.stats.result import (
    NO_INFERENCE,
    Comparison,
    Cov,
    Flag,
    Inference,
)
from director_gui.stats.sample import SAME, Sample

# Ours: below it the sandwich rests on so few scenes that t comes out too narrow.
LEAST_INFORMATIVE = 5
# Thirds and the like never sum to 0 exactly in floats.
_ZERO_SUM = 1e-9
_MOST = 1e6  # beyond, sums of squared weights would run out of the floats


def compare(
    replies: Replies,
    reference: str,
    test: str,
    cov: Cov = "robust",
    *,
    guard: bool = False,
) -> Comparison:
    """Return the share of `test` minus the share of `reference`.

    See `contrast` for the arguments and errors.
    """
    if reference == test:
        raise UserError(f"{test!r} cannot be compared with itself")
    return contrast(replies, {reference: -1.0, test: 1.0}, cov, guard=guard)


def contrast(
    replies: Replies,
    weights: Mapping[str, float],
    cov: Cov = "robust",
    *,
    guard: bool = False,
) -> Comparison:
    """Return the weighted sum of the conditions' shares with its interval.

    Only rows of the contrast's own conditions count, also for G.

    Args:
        replies: The scored replies.
        weights: A weight other than 0 for each condition, summing to 0.
        cov: ``robust`` (Liang & Zeger 1986, no small-sample factor) or
            ``bias_reduced`` (Mancl & DeRouen 2001); only `gee_t` heeds it.
        guard: Widen the interval of a comparison that has few informative scenes
            to hold the bounded interval too.

    Raises:
        UserError: The weights are no contrast, or the conditions' replies do not
            all come from one batch.
    """
    check_weights(weights)
    check_one_batch(replies, weights)
    sample = Sample.of(replies, weights)
    # Rule order is part of the method: too few scenes beats every way to infer.
    found = NO_INFERENCE if sample.reason() else _infer(sample, cov)
    informative = _informative(sample, found)
    if guard and _few(informative):
        found = _hull(found, _bounded(sample))
    return _comparison(sample, cov, found, informative)


def check_weights(weights: Mapping[str, float]) -> None:
    """Check that the weights are a contrast: at least two, none 0 or huge, sum 0.

    Raises:
        UserError: They are not.
    """
    if len(weights) < 2:
        raise UserError("a contrast needs two different conditions or more")
    for name, weight in weights.items():
        if not math.isfinite(weight) or weight == 0:
            raise UserError(f"the weight of {name!r} must be a number other than 0")
        if abs(weight) > _MOST:
            raise UserError(f"the weight of {name!r} must be within ±{_MOST:,.0f}")
    total = math.fsum(weights.values())
    if abs(total) > _ZERO_SUM:
        raise UserError(
            f"the weights sum to {total:g}", todo="A contrast's weights sum to 0"
        )


def check_one_batch(replies: Replies, conditions: Iterable[str]) -> None:
    """Check that the conditions were sampled together.

    Raises:
        UserError: Their answered replies come from more than one batch.
    """
    nowhere: frozenset[str] = frozenset()
    of_each = [replies.batches.get(name, nowhere) for name in conditions]
    # An unnamed batch counts as one: other people's files mostly have no such column.
    everywhere = nowhere.union(*of_each)
    if len(everywhere) < 2:
        return
    # Refused even then: the user must say which batch, or the rows would be pooled.
    shared = sorted(everywhere.intersection(*of_each))
    raise UserError(
        "a provider drifts between batches, so a comparison is made inside one batch; "
        f"these conditions come from {len(everywhere)}",
        todo=f"Choose a batch that holds them all: {', '.join(shared)}"
        if shared
        else "They share no batch, so they cannot be compared",
    )


def _infer(sample: Sample, cov: Cov) -> Inference:
    se = sample.robust_se()
    # No spread to estimate from: any t interval would have no width, however few
    # scenes.
    if se < SAME or sample.scenes_alike():
        return _bounded(sample)
    # Before GEE: a logit of 0 or 1 is infinite and no fit would converge.
    if sample.has_constant_share():
        return methods.cluster_t(sample.estimate, se, sample.scenes, sample.largest)
    if cov == "bias_reduced":
        se = sample.bias_reduced_se()
    df = sample.scenes - len(sample.tallies)
    return methods.gee_t(sample.estimate, se, df, sample.largest)


def _bounded(sample: Sample) -> Inference:
    return methods.bounded(sample.estimate, sample.bound_scenes(), sample.largest)


def _informative(sample: Sample, found: Inference) -> int | None:
    # The bound allows for any correlation already, so it needs no warning.
    by_t = found.method in ("gee_t", "cluster_t")
    return sample.informative_scenes() if by_t and sample.paired_scenes else None


def _few(informative: int | None) -> bool:
    return informative is not None and informative < LEAST_INFORMATIVE


def _flags(
    sample: Sample, found: Inference, informative: int | None
) -> tuple[Flag, ...]:
    if found.method == "none":
        return ()
    raised: dict[Flag, bool] = {
        "some_scenes_lack_a_condition": sample.paired_scenes < sample.scenes,
        "no_paired_scene": sample.paired_scenes == 0,
        "few_informative_scenes": _few(informative),
        "clipped": found.clipped,
    }
    return tuple(flag for flag, holds in raised.items() if holds)


def _hull(found: Inference, bound: Inference) -> Inference:
    lows, highs = (found.ci_low, bound.ci_low), (found.ci_high, bound.ci_high)
    # Only the interval widens: p stays the t test's, so the two may disagree.
    low = min(end for end in lows if end is not None)
    high = max(end for end in highs if end is not None)
    return replace(found, ci_low=low, ci_high=high)


def _comparison(
    sample: Sample, cov: Cov, found: Inference, informative: int | None
) -> Comparison:
    reason = sample.reason()
    return Comparison(
        conditions=tuple(sample.weights),
        weights=tuple(map(float, sample.weights.values())),
        cov=cov,
        method=found.method,
        reason=reason,
        estimate=None if reason == "no_replies" else sample.estimate,
        se=found.se,
        df=found.df,
        ci_low=found.ci_low,
        ci_high=found.ci_high,
        p=found.p,
        scenes=sample.scenes,
        paired_scenes=sample.paired_scenes,
        fewest_scenes=sample.fewest_scenes,
        informative_scenes=informative,
        n=tuple(tally.n for tally in sample.tallies),
        k=tuple(tally.k for tally in sample.tallies),
        flags=_flags(sample, found, informative),
    )

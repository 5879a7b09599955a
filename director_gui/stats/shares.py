"""The share of one condition with a percentile interval over resampled scenes.

Which scenes each of the 2,000 resamples draws depends on the number of scenes and
the seed alone, so how often each scene is drawn is kept as a matrix. Sums of whole
numbers are exact, so the two matrix products give the very shares that summing the
drawn scenes one by one would.
"""

from functools import lru_cache

import numpy as np

from director_gui.stats.replies import FloatArray, Replies, Tally
from director_gui.stats.result import ALPHA, Share
from director_gui.stats.sample import LEAST_SCENES

# The paper's number.
RESAMPLES = 2000


def share(replies: Replies, condition: str, seed: int = 0) -> Share:
    """Return the share of a condition with its 95 % interval.

    Scenes with answered replies are resampled in string order. When every scene has
    the same share the interval is the bounded one: a resampling interval would have
    no width.

    Args:
        replies: The scored replies.
        condition: The condition's name; one without replies has no share.
        seed: Seed of numpy's PCG64 generator, a fresh one for each share.
    """
    tally = replies.tally(condition)
    if tally.n == 0:
        return Share(condition, None, 0, 0, 0, None, None, "none", "no_replies")
    known = (condition, tally.share, tally.k, tally.n, tally.scenes)
    if tally.scenes < LEAST_SCENES:
        return Share(*known, None, None, "none", "too_few_scenes")
    # Exact: equal counts give equal quotients, and others must resample.
    if np.ptp(tally.per_scene[tally.present]) == 0:
        return Share(*known, *_bounded(tally), "bounded", None)
    return Share(*known, *_percentiles(tally, seed), "bootstrap", None)


def _bounded(tally: Tally) -> tuple[float, float]:
    u = 1 - (ALPHA / 2) ** (1 / tally.scenes)
    # As `methods.bounded`, for a share that reaches from 0 to 1 and not from -R to R.
    low = tally.share * (1 - u)
    return low, low + u


def _percentiles(tally: Tally, seed: int) -> tuple[float, float]:
    drawn = draws(tally.scenes, seed)
    events, answered = tally.events[tally.present], tally.answered[tally.present]
    shares = (drawn @ events) / (drawn @ answered)
    # numpy's default is the type-7 quantile, which is R's default too.
    low, high = np.quantile(shares, (ALPHA / 2, 1 - ALPHA / 2))
    return float(low), float(high)


# Filters change the number of scenes, so a few matrices are in use at once.
@lru_cache(maxsize=32)
def draws(scenes: int, seed: int) -> FloatArray:
    """Return how often each resample draws each scene, shape (2000, scenes)."""
    # Uniforms come straight from PCG64's bits; how `integers` draws may change.
    uniform = np.random.default_rng(seed).random((RESAMPLES, scenes))
    chosen = np.floor(uniform * scenes).astype(np.intp)
    offsets = np.arange(RESAMPLES)[:, np.newaxis] * scenes
    flat = np.bincount((chosen + offsets).ravel(), minlength=RESAMPLES * scenes)
    counts = flat.reshape(RESAMPLES, scenes).astype(np.float64)
    # One cached array serves every caller.
    counts.setflags(write=False)
    return counts

"""An interval for kappa that lets the replies of one scene go together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from coding.tables import Counts

DRAWS = 2000
MIN_SCENES = 3
_BLOCK = 1_000_000  # drawn scene numbers held at once: 8 MB
_ZERO_WIDTH = 1e-12
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SceneInterval:
    """A percentile interval over resampled scenes.

    Attributes:
        ci: The 2.5 % and 97.5 % quantiles; None when there is none to show.
        reason: Why there is none, in words; '' otherwise.
        undefined: Resamples in which kappa was not defined; they are left out.
        draws: Number of resamples.
        scenes: Number of scenes with an item coded by both.
    """

    ci: tuple[float, float] | None
    reason: str
    undefined: int
    draws: int
    scenes: int


def scene_interval(
    a: Counts,
    b: Counts,
    scenes: Sequence[str],
    q: int,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> SceneInterval:
    """Return the bootstrap interval of kappa over whole scenes.

    Scenes are drawn with replacement, as many as there are; the uniforms come from
    numpy's PCG64 with `seed`, a row of numbers for each resample, and meet the scenes
    in string order, so the order of items does not matter.

    Args:
        a: Coder a's code of each item as an index below `q`, shape (items,).
        b: The same for coder b.
        scenes: The scene of each item.
        q: Number of codes.
        draws: Number of resamples.
        seed: Of the generator.
    """
    # Python's own order of strings, the same in every version of numpy.
    number = {scene: i for i, scene in enumerate(sorted(set(scenes)))}
    place = np.array([number[scene] for scene in scenes], dtype=np.int64)
    count = len(number)
    if count < MIN_SCENES:
        reason = f"needs at least {MIN_SCENES} scenes, found {count}"
        return SceneInterval(None, reason, 0, 0, count)
    values = _resampled(_sums(a, b, place, count, q), draws, seed)
    # Counting an undefined kappa as 0 or 1 would invent agreement or deny it.
    defined = values[~np.isnan(values)]
    undefined = draws - len(defined)
    ci = _quantiles(defined)
    reason = "" if ci else "kappa is the same in every resample"
    return SceneInterval(ci, reason, undefined, draws, count)


def _sums(a: Counts, b: Counts, place: Counts, count: int, q: int) -> Floats:
    """Return per scene: a's marginals, b's marginals, items that agree."""
    sums = np.zeros((count, 2 * q + 1))
    np.add.at(sums, (place, a), 1)
    np.add.at(sums, (place, q + b), 1)
    sums[:, -1] = np.bincount(place, weights=a == b, minlength=count)
    return sums


def _resampled(sums: Floats, draws: int, seed: int) -> Floats:
    # Scenes with equal sums are interchangeable: counting their kinds gives the same
    # totals from far smaller tables, whatever the number of scenes.
    kinds, kind_of = np.unique(sums, axis=0, return_inverse=True)
    place: NDArray[np.int32] = kind_of.ravel().astype(np.int32)
    rng = np.random.default_rng(seed)
    step = max(1, _BLOCK // len(sums))
    sizes = (min(step, draws - at) for at in range(0, draws, step))
    weights = (_weights(rng, size, place, len(kinds)) for size in sizes)
    return np.concatenate([_kappas(weight @ kinds) for weight in weights])


def _weights(
    rng: np.random.Generator, rows: int, kind_of: NDArray[np.int32], kinds: int
) -> Floats:
    """Return how often each kind is drawn in each resample, shape (rows, kinds)."""
    count = len(kind_of)
    drawn = kind_of[(rng.random((rows, count)) * count).astype(np.int32)]
    drawn += np.arange(rows, dtype=np.int32)[:, None] * kinds
    flat = np.bincount(drawn.ravel(), minlength=rows * kinds)
    return flat.reshape(rows, kinds).astype(np.float64)


def _kappas(sums: Floats) -> Floats:
    """Return kappa of each resample; NaN where it is not defined.

    The sums are whole numbers far below 2**53, so the comparison is exact.
    """
    q = (sums.shape[1] - 1) // 2
    rows, columns, agree = sums[:, :q], sums[:, q:-1], sums[:, -1]
    n = rows.sum(axis=1)
    by_chance = (rows * columns).sum(axis=1)
    room = n * n - by_chance
    out = np.full(len(sums), np.nan)
    np.divide(n * agree - by_chance, room, out=out, where=room > 0)
    return out


def _quantiles(values: Floats) -> tuple[float, float] | None:
    if not len(values):
        return None
    low, high = np.quantile(values, [0.025, 0.975]).tolist()
    return (low, high) if high - low > _ZERO_WIDTH else None

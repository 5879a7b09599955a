"""Krippendorff's alpha for nominal codes, any number of coders, missing data."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from coding.tables import Counts

NO_UNIT: Literal["no pairable unit"] = "no pairable unit"
ONE_VALUE: Literal["only one value among pairable units"] = (
    "only one value among pairable units"
)


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha; `undefined` says in words why `value` is None."""

    value: float | None
    undefined: str | None


def alpha_of(tally: Counts) -> Alpha:
    """Return nominal alpha: 1 - observed / expected disagreement (Krippendorff 2011).

    Units with fewer than two codes are ignored.

    Args:
        tally: How many coders gave each unit each code, shape (units, codes).
    """
    kept = tally[tally.sum(axis=1) >= 2]
    sizes = kept.sum(axis=1)
    # Pairable values only: alpha has no use for a value that nothing stands against.
    total = int(sizes.sum())
    if total == 0:
        return Alpha(None, NO_UNIT)
    # Python's integers: totals of large studies must not overflow when squared.
    squares = sum(n * n for n in kept.sum(axis=0).tolist())
    if squares == total * total:
        return Alpha(None, ONE_VALUE)
    # Within a unit of m codes, each ordered pair weighs 1 / (m - 1).
    unlike = sizes * sizes - (kept * kept).sum(axis=1)
    observed = sum(
        Fraction(int(unlike[sizes == m].sum()), m - 1) for m in set(sizes.tolist())
    )
    expected = Fraction(total * total - squares, total - 1)
    return Alpha(float(1 - observed / expected), None)

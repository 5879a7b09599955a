"""Gwet's AC1 for any number of coders, with missing data."""

import numpy as np

from coding.tables import Counts


def ac1_of(tally: Counts) -> float | None:
    """Return Gwet's AC1 (2008; missing data as in Gwet 2014, chapter 2).

    Agreement is averaged over units with at least two codes; a code's prevalence over
    all units that anybody coded. The number of codes is the codebook's, not of those
    that happen to occur.

    Args:
        tally: How many coders gave each unit each code, shape (units, codes), a
            column for every code of the codebook.

    Returns:
        AC1; None when no unit has two codes or the codebook has fewer than two.
    """
    sizes = tally.sum(axis=1)
    kept, m = tally[sizes >= 2], sizes[sizes >= 2]
    q = int(tally.shape[1])
    if q < 2 or not len(kept):
        return None
    agreement = float(np.mean((kept * (kept - 1)).sum(axis=1) / (m * (m - 1))))
    # Units that one coder coded say nothing about agreement, but about prevalence.
    coded = sizes > 0
    prevalence = (tally[coded] / sizes[coded, None]).mean(axis=0)
    # Never 1: it is at most 1/q, with all codes equally frequent.
    chance = float(np.sum(prevalence * (1 - prevalence))) / (q - 1)
    return (agreement - chance) / (1 - chance)

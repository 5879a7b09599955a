"""How many blocks each scene of a set has, and which rank is hidden: exact counts."""

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from director_gui.families.draws import Draws
from director_gui.families.model import Family, Rank

T = TypeVar("T")


class Cell(NamedTuple):
    """What is decided of a scene before anything is drawn."""

    blocks: int
    hidden: Rank


def plan_of(family: Family) -> list[Cell]:
    """Return the cell of every scene of a family's set, in the set's order.

    Counts are exact, not expected: 160 scenes at 1 : 1 : 1 are 54, 53 and 53. The two
    properties are dealt out independently of each other.
    """
    # Dealt apart from each other: a rank must not go with a number of blocks.
    blocks = _dealt(family, "blocks", family.blocks.counts)
    ranks = _dealt(family, "ranks", family.hidden.ranks)
    return [Cell(*pair) for pair in zip(blocks, ranks, strict=True)]


def _dealt(family: Family, name: str, shares: Sequence[tuple[T, int]]) -> list[T]:
    counts = apportioned([share for _, share in shares], family.count)
    pile = [
        value
        for (value, _), count in zip(shares, counts, strict=True)
        for _ in range(count)
    ]
    # A stream of its own: a change of the plan leaves every candidate as it was.
    return Draws(family.seed, "plan", name).shuffled(pile)


def apportioned(shares: Sequence[int], total: int) -> list[int]:
    """Return whole counts in the proportion of `shares` that add up to `total`.

    Largest remainders (Hamilton); of equal ones the earlier share gets more.
    """
    whole = sum(shares)
    counts = [share * total // whole for share in shares]
    rest = [share * total % whole for share in shares]
    # By index among equals, never by chance: the counts must be the same everywhere.
    order = sorted(range(len(shares)), key=lambda i: (-rest[i], i))
    for i in order[: total - sum(counts)]:
        counts[i] += 1
    return counts

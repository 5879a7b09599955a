"""Benjamini-Hochberg correction inside named families of comparisons."""

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

# The paper's families, by what they hold.
PAPER_FAMILIES = MappingProxyType(
    {"question and controls": 72, "rewordings": 42, "constraints": 39}
)


@dataclass(frozen=True, slots=True)
class Family:
    """What the correction of one family went by.

    Attributes:
        name: The family's name.
        declared: Its size as declared, comparisons without a p-value included.
        tested: m, the number of comparisons with a p-value.
        excluded: Places of those without one, in input order from 0.
    """

    name: str
    declared: int
    tested: int
    excluded: tuple[int, ...]


def adjust(ps: Sequence[float | None]) -> list[float | None]:
    """Return Benjamini-Hochberg adjusted p-values in input order.

    The i-th smallest becomes the least of p_j m / j over j >= i, at most 1, as R's
    ``p.adjust`` has it; m counts the p-values there are. ``None`` stays ``None``.
    Source: Benjamini & Hochberg (1995), J. R. Stat. Soc. B 57, 289-300.
    """
    # A comparison that was refused tests nothing and must not make the others pay.
    known = [(p, place) for place, p in enumerate(ps) if p is not None]
    adjusted: list[float | None] = [None] * len(ps)
    # Starting from 1 is the cap; going down from the largest makes it monotone.
    least = 1.0
    for rank, (p, place) in reversed(list(enumerate(sorted(known), start=1))):
        least = min(least, p * len(known) / rank)
        adjusted[place] = least
    return adjusted


def adjust_families(
    ps: Sequence[float | None], names: Sequence[str]
) -> tuple[list[float | None], tuple[Family, ...]]:
    """Return p-values adjusted inside their families, and the families.

    Args:
        ps: P-values in 0-1, ``None`` where a comparison has none.
        names: The family of each, of the same length.

    Returns:
        The adjusted values in input order, and the families in order of appearance.
    """
    places: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        places.setdefault(name, []).append(place)
    adjusted: list[float | None] = [None] * len(ps)
    # Each family by itself: pooling them would let one buy room for another.
    for members in places.values():
        corrected = adjust([ps[place] for place in members])
        for place, value in zip(members, corrected, strict=True):
            adjusted[place] = value
    return adjusted, tuple(_family(name, at, ps) for name, at in places.items())


def _family(name: str, places: list[int], ps: Sequence[float | None]) -> Family:
    excluded = tuple(place for place in places if ps[place] is None)
    return Family(name, len(places), len(places) - len(excluded), excluded)

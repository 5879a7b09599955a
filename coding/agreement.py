"""Agreement between passes: every pair of coders, and all of them together.

CODING.md's section 6 in code. What has no value has a sentence instead.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from coding.ac1 import ac1_of
from coding.alpha import Alpha, alpha_of
from coding.bootstrap import SceneInterval, scene_interval
from coding.errors import CodingError
from coding.kappa import CodeKappa, Kappa, indices_of, kappa_of, per_code
from coding.proportions import clopper_pearson
from coding.tables import (
    Codes,
    Counts,
    check_codes,
    cross_table,
    indices,
    shared_items,
    tally,
    used_codes,
)

MAX_CODES = 500
FEW_ITEMS = 100
FEW_OF_A_CODE = 5
NO_SHARED_ITEM = "no item coded by both"


@dataclass(frozen=True, slots=True)
class Coder:
    """One pass: who, and the code of each item that was coded (missing is absent)."""

    name: str
    codes: Codes


@dataclass(frozen=True, slots=True)
class Pair:
    """How far two passes agree, on the items that both coded.

    Attributes:
        a: The name of one pass; rows of the table.
        b: The name of the other; columns.
        codes: The codes, in the table's order.
        table: Counts, shape (codes, codes).
        kappa: Cohen's kappa, its standard error, expected agreement and maximum.
        kappa_undefined: In words why there is no kappa, or None.
        percent: Share of items with the same code, 0 to 1; None without items.
        percent_ci: Its Clopper-Pearson interval.
        by_scene: Bootstrap interval over scenes; None when scenes are not known.
        per_code: Each code against the rest, in the order of `codes`.
        ac1: Gwet's AC1, also using items that one of the two coded.
        alpha: Krippendorff's alpha of the two.
        prevalence_index: For two codes, else None.
        bias_index: For two codes, else None.
        notes: Sentences that must be shown beside the figures.
    """

    a: str
    b: str
    codes: tuple[str, ...]
    table: Counts
    kappa: Kappa
    kappa_undefined: str | None
    percent: float | None
    percent_ci: tuple[float, float] | None
    by_scene: SceneInterval | None
    per_code: tuple[CodeKappa, ...]
    ac1: float | None
    alpha: Alpha
    prevalence_index: float | None
    bias_index: float | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """All pairs, and alpha and AC1 of all passes together."""

    codes: tuple[str, ...]
    pairs: tuple[Pair, ...]
    alpha: Alpha
    ac1: float | None


def agreement(
    coders: Sequence[Coder],
    codes: Sequence[str] | None = None,
    scenes: Mapping[str, str] | None = None,
) -> Agreement:
    """Compare every pair of passes, and all of them together.

    Args:
        coders: Two or more passes.
        codes: The codebook's codes in order; None for those that occur, sorted.
        scenes: Item → scene, for the bootstrap; None when scenes are not known.

    Raises:
        CodingError: A code is not one of `codes`, or there are more than 500: then
            the column holds something else than codes.
    """
    order = tuple(codes) if codes else used_codes(coder.codes for coder in coders)
    # Tables grow with the square: a column of free text would fill the memory.
    if len(order) > MAX_CODES:
        raise CodingError(
            f"{len(order)} different codes, at most {MAX_CODES} are possible",
            where=coders[0].name,
            todo="Check which column holds the codes",
        )
    for coder in coders:
        check_codes(coder.codes, order, coder.name)
    together = tally([coder.codes for coder in coders], order)
    pairs = (compare(a, b, order, scenes) for a, b in combinations(coders, 2))
    return Agreement(order, tuple(pairs), alpha_of(together), ac1_of(together))


def compare(
    a: Coder,
    b: Coder,
    codes: Sequence[str],
    scenes: Mapping[str, str] | None = None,
) -> Pair:
    """Compare two passes, whose codes are all among `codes`."""
    items = shared_items(a.codes, b.codes)
    places_a, places_b = (indices(c.codes, items, codes) for c in (a, b))
    table = cross_table(places_a, places_b, len(codes))
    kappa = kappa_of(table)
    # AC1 and alpha also use what one of the two coded; kappa cannot.
    both = tally([a.codes, b.codes], codes)
    interval = clopper_pearson(kappa.agree, kappa.n)
    by_scene = None
    if scenes is not None and kappa.value is not None:
        by_scene = _by_scene(kappa, (places_a, places_b), len(codes), items, scenes)
    prevalence, bias = indices_of(table)
    return Pair(
        a=a.name,
        b=b.name,
        codes=tuple(codes),
        table=table,
        kappa=kappa,
        kappa_undefined=_undefined(kappa, table, codes, interval),
        percent=kappa.agree / kappa.n if kappa.n else None,
        percent_ci=interval,
        by_scene=by_scene,
        per_code=per_code(table),
        ac1=ac1_of(both),
        alpha=alpha_of(both),
        prevalence_index=prevalence,
        bias_index=bias,
        notes=_notes(kappa, table, codes, a.name, b.name),
    )


def _by_scene(
    kappa: Kappa,
    places: tuple[Counts, Counts],
    q: int,
    items: Sequence[str],
    scenes: Mapping[str, str],
) -> SceneInterval:
    # Leaving such items out would make the interval one of other items than kappa's.
    lacking = sum(1 for item in items if not scenes.get(item))
    if lacking:
        return SceneInterval(None, f"{lacking} items have no scene", 0, 0, 0)
    found = scene_interval(*places, [scenes[item] for item in items], q)
    # Kappa is 0 in every resample or undefined: an interval would look like knowledge.
    if kappa.constant:
        why = "one coder used one code alone"
        return SceneInterval(None, why, found.undefined, found.draws, found.scenes)
    return found


def _undefined(
    kappa: Kappa,
    table: Counts,
    codes: Sequence[str],
    interval: tuple[float, float] | None,
) -> str | None:
    if kappa.value is not None:
        return None
    if interval is None:
        return NO_SHARED_ITEM
    code = codes[int(np.argmax(np.diagonal(table)))]
    low, high = (_percent(end) for end in interval)
    return (
        f"not defined: both coders used only *{code}* on {_items(kappa.n)} "
        f"({kappa.agree}/{kappa.n} agree; 95 % {low}\u2013{high})"
    )


def _notes(
    kappa: Kappa, table: Counts, codes: Sequence[str], a: str, b: str
) -> tuple[str, ...]:
    if kappa.n == 0:
        return ()
    notes = []
    if kappa.constant:
        sums = table.sum(axis=1 if kappa.constant == "a" else 0)
        who, code = a if kappa.constant == "a" else b, codes[int(np.argmax(sums))]
        notes.append(
            f"kappa is 0 because {who} used only {code}: it is uninformative here "
            "and has no interval"
        )
    elif kappa.se == 0:
        notes.append("the standard error is exactly 0 here, which gives no interval")
    if kappa.n < FEW_ITEMS:
        notes.append(f"only {_items(kappa.n)} coded by both (fewer than {FEW_ITEMS})")
    rarest, count = _rarest(table, codes)
    if count < FEW_OF_A_CODE:
        notes.append(f"the rarest used code, {rarest}, has {_items(count)} only")
    return tuple(notes)


def _rarest(table: Counts, codes: Sequence[str]) -> tuple[str, int]:
    # An item counts for a code when either coder gave it.
    used = table.sum(axis=0) + table.sum(axis=1) - np.diagonal(table)
    counts = {code: int(n) for code, n in zip(codes, used, strict=True) if n}
    rarest = min(counts, key=lambda code: (counts[code], code))
    return rarest, counts[rarest]


def _items(count: int) -> str:
    return f"{count} item" if count == 1 else f"{count} items"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")

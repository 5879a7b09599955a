"""The table of contrasts with its plot."""

from director_gui.stats.display import MINUS, counted, p_text, points_text
from director_gui.stats.result import Share
from director_gui.study.results.columns import Outcome
from director_gui.study.results.comparing import ACROSS
from director_gui.study.results.contrasts import Contrasted
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Interval,
    Row,
    Sheet,
    difference,
    interval,
    p_value,
    words,
)
from director_gui.study.results.words import (
    OUTCOMES,
    flags_words,
    interval_words,
    method_words,
)

# Only a call that survived correction gets a colour.
_KINDS = {"increase": "up", "decrease": "down"}
_HEAD = (
    Column("Model"),
    Column("Contrast"),
    Column("Points", number=True, hint="The weighted sum of the shares, in points"),
    Column("95 % interval", number=True),
    Column("Adjusted p", number=True, hint="Benjamini-Hochberg over all contrasts"),
    Column("What can be said"),
    Column("p", number=True, hint="Two-sided, not corrected"),
    Column("Sum", hint="The conditions’ shares with their weights"),
    Column("Events of answered replies", hint="In the order of the sum", counts=True),
    Column("Batch"),
    Column("Notes"),
    Column("Contrast, points", drawing=True),
)


def contrast_sheet(
    found: tuple[Contrasted, ...], outcome: Outcome, scope: str
) -> Sheet:
    """Return the table of the study's contrasts.

    Args:
        found: Each contrast of each model.
        outcome: What counts as an event.
        scope: Scenes, filter and exclusions in words.
    """
    tested = sum(one.found is not None and one.found.p is not None for one in found)
    what = OUTCOMES[outcome]
    rows = tuple(Row(_cells(one, what, tested), key=one.contrast.name) for one in found)
    note = (
        f"{what.capitalize()}: weighted sums of shares inside one batch. "
        f"{method_words(one.found for one in found)} "
        f"{counted(len(found), 'contrast')}, {tested} with a p-value, "
        "corrected together and apart from every family; not declared in the run. "
        f"{scope}"
    )
    return Sheet("contrasts", f"Contrasts of {what}", _HEAD, rows, note)


def _cells(one: Contrasted, what: str, tested: int) -> tuple[Cell, ...]:
    names = (words(one.model), words(one.contrast.name, one.contrast.formula))
    formula, found = words(one.contrast.formula), one.found
    if found is None:
        gap = difference(None, ACROSS)
        return (
            *names, gap, gap, gap, words(one.call, ACROSS), gap, formula,
            words("", ACROSS), words("none in common", ACROSS), words(ACROSS),
            Cell("", None, ACROSS),
        )  # fmt: skip
    how, notes = interval_words(found), flags_words(found)
    mark = Interval(
        found.ci_low, found.estimate, found.ci_high, _KINDS.get(one.call, "")
    )
    return (
        *names,
        difference(found.estimate, _sum_words(one, what)),
        interval(found.ci_low, found.ci_high, how, signed=True),
        p_value(one.adjusted, _p_words(one, tested)),
        words(one.call, notes),
        p_value(found.p, how),
        formula,
        words(_counts(one), _sum_words(one, what)),
        words(one.batch),
        words(notes),
        Cell("", found.estimate, how, mark),
    )


def _sum_words(one: Contrasted, what: str) -> str:
    pairs = zip(one.contrast.weights.values(), one.shares, strict=True)
    said = "; ".join(
        f"{MINUS if weight < 0 else '+'}{abs(weight):g} × {_part(found)} under "
        f"{found.condition} ({points_text(found.share)} %)"
        for weight, found in pairs
    )
    total = points_text(one.found.estimate if one.found else None, signed=True)
    return (
        f"{what.capitalize()} of answered replies: {said}. The sum is {total} points."
    )


def _p_words(one: Contrasted, tested: int) -> str:
    if one.found is None or one.found.p is None:
        return "No p-value: it takes no part in the correction."
    return (
        f"Two-sided p {p_text(one.found.p)}; Benjamini and Hochberg over the "
        f"{counted(tested, 'contrast')} with a p-value: {p_text(one.adjusted)}."
    )


def _counts(one: Contrasted) -> str:
    return " · ".join(map(_part, one.shares))


def _part(found: Share) -> str:
    return f"{found.k:,} of {found.n:,}"

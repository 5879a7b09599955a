"""Tables of arms: replies and rates, choices, given reports, drift between batches."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from director_gui.stats.display import counted, points_text
from director_gui.stats.shares import share
from director_gui.study.results.columns import (
    ANSWERED,
    ENDINGS,
    KINDS,
    NOTHING,
    Columns,
    Given,
    Outcome,
)
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Row,
    Sheet,
    Stack,
    count,
    difference,
    part,
    part_of,
    share_cells,
    words,
)

Counts = npt.NDArray[np.int64]
# METHOD's words, in the order in which bars stack them.
KIND_WORDS = {
    "hidden": "hidden block",
    "director_view": "director-view block",
    "largest_digit": "largest-digit visible block",
    "other_visible": "other visible block",
    "unseen": "another unseen block",
    "not_a_block": "not a block",
}


@dataclass(frozen=True, slots=True)
class Arm:
    """The calls of one model and condition in one batch.

    Attributes:
        names: Cells that name it.
        condition: The condition.
        at: Places of its model, batch and condition.
        base: Whether it is the base of its action.
    """

    names: tuple[Cell, ...]
    condition: str
    at: tuple[int, int, int]
    base: bool


NAMES = (Column("Model"), Column("Condition"), Column("Batch"))


def arms_of(columns: Columns) -> tuple[Arm, ...]:
    """Return the arms, by model, condition and batch."""
    calls = columns.endings().sum(axis=3)
    found = []
    # Batches last: those of one prompt stand together, where drift can be seen.
    for model, condition, batch in np.argwhere(calls.transpose(0, 2, 1)):
        name = columns.conditions[condition]
        named = (columns.models[model], name, columns.batches[batch])
        at = (int(model), int(batch), int(condition))
        # The bases of METHOD §3, which every batch of their action holds.
        base = name in ("mean.ask", "move.ask")
        found.append(Arm(tuple(map(words, named)), name, at, base))
    return tuple(found)


def rate_sheet(columns: Columns, arms: tuple[Arm, ...], scope: str) -> Sheet:
    """Return how replies ended, and the three rates with their intervals."""
    table = columns.endings()
    seen = table.sum(axis=(0, 1, 2))
    # A dozen endings that never happened would push the rates off the screen.
    endings = [name for name, n in zip(ENDINGS, seen, strict=True) if n]
    head = (
        *NAMES,
        Column("Calls", number=True),
        Column("Answered, %", number=True),
        Column("Hidden choice, %", number=True),
        Column("95 % interval", number=True),
        Column("Right report, %", number=True, hint="Visibility accuracy"),
        Column("95 % interval", number=True),
        Column("Joint, %", number=True, hint="A right report and a hidden choice"),
        Column("95 % interval", number=True),
        *(Column(name, number=True) for name in endings),
    )
    rows = tuple(Row(_rates(columns, arm, table[arm.at], endings)) for arm in arms)
    note = (
        "Shares of answered replies; every other ending is counted and left out. "
        f"Intervals resample scenes. {scope}"
    )
    return Sheet("rates", "Replies and rates", head, rows, note)


def _rates(
    columns: Columns, arm: Arm, counts: Counts, endings: list[str]
) -> tuple[Cell, ...]:
    calls, answered = int(counts.sum()), int(counts[ANSWERED])
    return (
        *arm.names,
        count(
            calls,
            f"{answered:,} answered, {calls - answered:,} ended otherwise or open",
        ),
        part(answered, calls, "Answered"),
        *_share_of(columns, arm, "hidden_choice", "Hidden-block choices"),
        *_share_of(columns, arm, "report_correct", "Exactly right reports"),
        *_share_of(columns, arm, "joint", "Right report and hidden choice"),
        *(part_of(int(counts[ENDINGS.index(name)]), calls, name) for name in endings),
    )


def _share_of(
    columns: Columns, arm: Arm, outcome: Outcome, what: str
) -> tuple[Cell, Cell]:
    found = share(columns.replies(outcome, *arm.at[:2]), arm.condition)
    # Nothing counted shows as not asked for: 0 of 0 would read as a rate.
    # Every condition asks for a choice; a report may not have been asked for.
    if outcome == "hidden_choice" and not found.n:
        return share_cells(None, what, gap="no answered reply")
    return share_cells(found if found.n else None, what)


def choice_sheet(columns: Columns, arms: tuple[Arm, ...], scope: str) -> Sheet:
    """Return which blocks were chosen, as bars and per cent."""
    table = _chosen(columns)
    seen = table.sum(axis=(0, 1, 2))
    kinds = [kind for kind, n in zip(KINDS, seen, strict=True) if n]
    head = (
        *NAMES,
        Column("Choices", number=True, counts=True),
        *(Column(f"{KIND_WORDS[kind]}, %", number=True) for kind in kinds),
        Column("Choices, %", drawing=True),
    )
    rows = []
    for arm in arms:
        counts = table[arm.at]
        total = int(counts.sum())
        of = {kind: int(counts[KINDS.index(kind)]) for kind in kinds}
        parts = tuple((kind, k / total) for kind, k in of.items() if total and k)
        said = "; ".join(f"{KIND_WORDS[kind]} {k:,}" for kind, k in of.items())
        bar = Cell("", None, f"{said}; of {counted(total, 'choice')}", Stack(parts))
        shown = [part(k, total, KIND_WORDS[kind]) for kind, k in of.items()]
        chosen = count(total, f"Choices of answered replies: {said}")
        rows.append(Row((*arm.names, chosen, *shown, bar)))
    note = (
        "What answered replies chose. A director-view block that also has the largest "
        f"visible digit counts as the director-view block. {scope}"
    )
    legend = {str(kind): KIND_WORDS[kind] for kind in kinds}
    return Sheet("choices", "Choices", head, tuple(rows), note, legend)


def given_sheet(columns: Columns, arms: tuple[Arm, ...], scope: str) -> Sheet:
    """Return the choices given a right report, or one without the hidden block."""
    head = (
        *NAMES,
        Column("Given", hint="Which replies the row counts"),
        Column("Replies", number=True),
        Column("Hidden choice, %", number=True),
        Column("95 % interval", number=True),
        Column("Director-view block, %", number=True),
        Column("Other, %", number=True),
    )
    groups: dict[str, Given] = {
        "a right report": "correct",
        "a report without the hidden block": "leaves_out",
    }
    tables = {name: _chosen(columns, given) for name, given in groups.items()}
    rows = [
        _given(columns, arm, name, groups[name], table[arm.at])
        for arm in arms
        for name, table in tables.items()
        if table[arm.at].any()
    ]
    note = (
        "Choices of those replies alone whose report is exactly right, or leaves the "
        "hidden block out. Replies choose which row they enter, so rows are described "
        f"and not compared. Intervals resample scenes. {scope}"
    )
    return Sheet("given", "Given the report", head, tuple(rows), note)


def _given(columns: Columns, arm: Arm, name: str, given: Given, counts: Counts) -> Row:
    # The first two of `KINDS`.
    total, hidden, own = int(counts.sum()), int(counts[0]), int(counts[1])
    replies = columns.replies("hidden_choice", *arm.at[:2], given=given)
    found = share(replies, arm.condition)
    return Row(
        (
            *arm.names,
            words(name),
            count(total, f"Answered replies with {name}: {total:,}"),
            *share_cells(found, f"Hidden-block choices given {name}"),
            part(own, total, "Director-view block"),
            part(total - hidden - own, total, "Any other choice"),
        )
    )


def _chosen(columns: Columns, given: Given = "") -> Counts:
    which = (columns.status == ANSWERED) & (columns.kind != NOTHING)
    if given:
        which &= getattr(columns, given) == 1
    return columns.count(columns.kind, len(KINDS), which)


def drift_sheet(columns: Columns, arms: tuple[Arm, ...], scope: str) -> Sheet:
    """Return the base conditions batch by batch, against their first batch."""
    head = (
        Column("Model"),
        Column("Base"),
        Column("Batch"),
        Column("Answered", number=True),
        Column("Hidden choice, %", number=True),
        Column("95 % interval", number=True),
        Column("Against the first batch, points", number=True),
    )
    rows, first = [], dict[tuple[str, str], float]()
    for arm in arms:
        if not arm.base:
            continue
        found = share(columns.replies("hidden_choice", *arm.at[:2]), arm.condition)
        if found.share is None:
            continue
        group = (arm.names[0].text, arm.condition)
        # The first batch with answers: one that failed whole is no baseline.
        start = first.setdefault(group, found.share)
        moved = difference(
            found.share - start,
            f"{points_text(found.share)} % less {points_text(start)} % in the first "
            "batch; not tested",
        )
        rate, around = share_cells(found, f"Hidden choices under {arm.condition}")
        answers = count(found.n, f"{found.n:,} answered in {found.scenes:,} scenes")
        rows.append(Row((*arm.names, answers, rate, around, moved)))
    note = (
        "How far the same prompt drifts between batches. The paper saw up to 8.1 "
        "points; that is why comparisons across batches are refused. "
        f"Intervals resample scenes. {scope}"
    )
    return Sheet("drift", "Drift between batches", head, tuple(rows), note)

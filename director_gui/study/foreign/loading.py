"""Turn a mapped file into columns, which every table of the results understands."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from director_gui.errors import UserError
from director_gui.scoring.clean import is_blank, without_reasoning
from director_gui.scoring.extract import last_answer
from director_gui.stats.display import counted
from director_gui.study.foreign.mapping import ColumnMap
from director_gui.study.foreign.sources import Row, rows_of
from director_gui.study.results import arms, effects
from director_gui.study.results.columns import ENDINGS, NOTHING, Columns
from director_gui.study.results.comparing import Compared, compared
from director_gui.study.results.families import Family
from director_gui.study.results.sheet import Cell, Column, Sheet, words
from director_gui.study.results.sheet import Row as SheetRow

Told = Callable[[float, str], None]
PREVIEWED = 20  # rows
ALL = "all replies"  # the model's name where no column holds one
NAMELESS = "(no name)"  # the model's where its column is empty
_EVENTS = {
    "0": 0, "0.0": 0, "false": 0, "False": 0, "FALSE": 0,
    "1": 1, "1.0": 1, "true": 1, "True": 1, "TRUE": 1,
    "": NOTHING,
}  # fmt: skip
_EVERY = 20_000  # rows between two words of progress
_WIDEST = 200  # columns of a preview


@dataclass(frozen=True, slots=True)
class Preview:
    """The head of a file.

    Attributes:
        columns: Its columns.
        sheet: Its first rows, the first columns of them.
    """

    columns: tuple[str, ...]
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class Analysed:
    """What came of a file.

    Attributes:
        columns: Its replies.
        comparisons: Every condition against the reference.
        sheets: Comparisons, then the arms' rates.
    """

    columns: Columns
    comparisons: tuple[Compared, ...]
    sheets: tuple[Sheet, Sheet]

    def scenes_of(self, place: int) -> Sheet:
        """Return the comparison at `place` scene by scene."""
        return effects.scene_sheet(self.comparisons[place], self.columns.facts)


def preview(path: Path) -> Preview:
    """Return the head of a file.

    Raises:
        UserError: It cannot be read, or holds no row.
    """
    rows = [row for _, row in islice(rows_of(path), PREVIEWED)]
    if not rows:
        raise UserError("holds no replies", where=str(path))
    # A JSON line may lack what another has.
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    shown = columns[:_WIDEST]
    sheet = Sheet(
        "preview",
        path.name,
        tuple(Column(name) for name in shown),
        tuple(
            SheetRow(tuple(words(row.get(name, "")[:200]) for name in shown))
            for row in rows
        ),
        f"The first {counted(len(rows), 'row')}; {counted(len(columns), 'column')}.",
    )
    return Preview(columns, sheet)


def load(
    path: Path, mapping: ColumnMap, tell: Told = lambda _share, _text: None
) -> Columns:
    """Return the replies of a file.

    Labels are taken verbatim: "01" is not "1", and "NA" is a name like any other.

    Raises:
        UserError: A label is empty, an outcome is none, or the file cannot be read.
    """
    labels: dict[str, list[str]] = {"scene": [], "condition": [], "model": []}
    labels["batch"] = []
    status, event = [], []
    for number, (where, row) in enumerate(rows_of(path, mapping.names())):
        if number == 0:
            mapping.check(row)
        for part, values in labels.items():
            values.append(_label(row, mapping, part, where))
        ending, y = _outcome(row, mapping, where)
        # Small numbers alone: a million replies' texts would not fit.
        status.append(ending)
        event.append(y)
        if number % _EVERY == 0:
            # No share: how many rows a file has is known only at its end.
            tell(0.0, f"{number:,} rows read")
    if not status:
        raise UserError("holds no replies", where=str(path))
    return _columns(labels, status, event)


def analysed(columns: Columns, reference: str, about: str) -> Analysed:
    """Return every condition against a reference, as one family.

    Args:
        columns: The replies.
        reference: A condition.
        about: Where the replies come from.

    Raises:
        UserError: No reply has the reference.
    """
    if reference not in columns.conditions:
        raise UserError("no reply has this condition", where=reference)
    pairs = tuple((name, reference) for name in columns.conditions if name != reference)
    family = Family(f"Against {reference}", pairs, declared=False)
    found = compared(columns, pairs)
    answered = int(np.count_nonzero(columns.hidden != NOTHING))
    scope = (
        f"{about}: {counted(len(columns.scenes), 'scene')}, {answered:,} of "
        f"{counted(columns.calls, 'row')} answered; an event is a 1."
    )
    sheet = effects.comparison_sheet(found, family, "hidden_choice", scope)
    rates = arms.rate_sheet(columns, arms.arms_of(columns), scope)
    return Analysed(columns, found, (_renamed(sheet), _renamed(_no_reports(rates))))


def _renamed(sheet: Sheet) -> Sheet:
    # Somebody else's event need not be a hidden-block choice.
    head = tuple(
        replace(c, title=c.title.replace("Hidden choice", "Events"))
        for c in sheet.columns
    )
    note = sheet.note.replace("Hidden-block choices", "Events")
    title = sheet.title.replace("hidden-block choices", "events")
    rows = tuple(
        replace(row, cells=tuple(map(_hinted, row.cells))) for row in sheet.rows
    )
    return replace(sheet, columns=head, rows=rows, note=note, title=title)


def _hinted(cell: Cell) -> Cell:
    # At its beginning alone: behind it stand the file's own names.
    what = "Hidden-block choices"
    if not cell.hint.startswith(what):
        return cell
    return replace(cell, hint=f"Events{cell.hint.removeprefix(what)}")


def _no_reports(rates: Sheet) -> Sheet:
    """Return the table of rates without those of reports, which no file brings."""
    first = next(
        at for at, c in enumerate(rates.columns) if c.title.startswith("Right report")
    )
    after = first + 4  # two rates, each with its interval
    rows = tuple(
        replace(row, cells=row.cells[:first] + row.cells[after:]) for row in rates.rows
    )
    head = rates.columns[:first] + rates.columns[after:]
    return replace(rates, columns=head, rows=rows)


def _label(row: Row, mapping: ColumnMap, part: str, where: str) -> str:
    name = getattr(mapping, part)
    if not name:
        return ALL if part == "model" else ""
    value = row.get(name, "")
    if not value and part in ("scene", "condition"):
        raise UserError(f"the {part} is empty", where=where)
    if "\0" in value:
        raise UserError(f"the {part} holds a NUL character", where=where)
    return NAMELESS if part == "model" and not value else value


def _outcome(row: Row, mapping: ColumnMap, where: str) -> tuple[int, int]:
    if mapping.y:
        text = row.get(mapping.y, "").strip()
        if text not in _EVENTS:
            raise UserError(
                f"the outcome must be 0, 1 or empty, found {text[:40]!r}", where=where
            )
        y = _EVENTS[text]
        return ENDINGS.index("empty" if y == NOTHING else "answered"), y
    return _scored(row.get(mapping.reply, ""), row.get(mapping.target, ""), where)


def _scored(text: str, target: str, where: str) -> tuple[int, int]:
    try:
        wanted = int(target)
    except ValueError:
        raise UserError(
            f"the number whose choice counts is {target[:40]!r}", where=where
        ) from None
    said = without_reasoning(text)
    if is_blank(said):
        return ENDINGS.index("empty"), NOTHING
    answer = last_answer(said, ("choice",))
    if answer is None:
        return ENDINGS.index("unparsed"), NOTHING
    return ENDINGS.index("answered"), int(answer.values["choice"] == wanted)


def _columns(
    labels: dict[str, list[str]], status: Iterable[int], event: Iterable[int]
) -> Columns:
    names = {part: tuple(sorted(set(values))) for part, values in labels.items()}
    places = {}
    for part, values in labels.items():
        at = {value: place for place, value in enumerate(names[part])}
        places[part] = np.fromiter((at[v] for v in values), np.int32, len(values))
    hidden = np.array(list(event), np.int8)
    nothing = np.full(len(hidden), NOTHING, np.int8)
    return Columns(
        models=names["model"], conditions=names["condition"], batches=names["batch"],
        scenes=names["scene"], model=places["model"], condition=places["condition"],
        batch=places["batch"], scene=places["scene"],
        status=np.array(list(status), np.int8), hidden=hidden, correct=nothing,
        leaves_out=nothing, kind=nothing, n=np.ones(len(hidden), np.int32), facts={},
    )  # fmt: skip

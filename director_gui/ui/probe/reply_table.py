"""The replies of a probe as a table that fills while they arrive."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
)
from PySide6.QtGui import QColor

from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.probe.live import LiveProbe

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()
_DASH = "\N{EN DASH}"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its hint, and a cell's value and text."""

    name: str
    hint: str
    value: Callable[[Scored], object]
    text: Callable[[Scored], str]
    numeric: bool = False


def _choice(item: Scored) -> int | None:
    return item.score.choice if item.score else None


def _report(item: Scored) -> str:
    right = item.score.report_correct if item.score else None
    return _DASH if right is None else ("✓ right" if right else "✗ wrong")


def _hidden(item: Scored) -> str:
    hidden = item.score.hidden_choice if item.score else None
    return _DASH if hidden is None else ("⊘ yes" if hidden else "no")


def _latency(item: Scored) -> float | None:
    return item.reply.last.latency if item.reply.last else None


def _tokens(item: Scored) -> int | None:
    usage = item.reply.usage
    if usage.input is None and usage.output is None:
        return None
    # A server may count one side only; that is still worth showing.
    return (usage.input or 0) + (usage.output or 0)


def _number(value: float | None, form: str) -> str:
    return _DASH if value is None else format(value, form)


MODEL, CONDITION, REPORT, HIDDEN, STATUS = 0, 1, 4, 5, 6
COLUMNS = (
    Column(
        "Model",
        "The model profile",
        lambda i: i.reply.call.profile,
        lambda i: i.reply.call.profile,
    ),
    Column(
        "Condition",
        "The prompt variant",
        lambda i: i.reply.call.condition,
        lambda i: i.reply.call.condition,
    ),
    Column(
        "#",
        "Number of the sample",
        lambda i: i.reply.call.sample,
        lambda i: str(i.reply.call.sample),
        numeric=True,
    ),
    Column(
        "Choice",
        "The chosen block",
        _choice,
        lambda i: _number(_choice(i), "d"),
        numeric=True,
    ),
    Column("Report", "Whether the visibility report is right", _report, _report),
    Column("Hidden", "Whether the hidden block was chosen", _hidden, _hidden),
    Column("Status", "How the call ended", lambda i: i.reply.status, lambda _i: ""),
    Column(
        "s",
        "Seconds until the reply",
        _latency,
        lambda i: _number(_latency(i), ".1f"),
        numeric=True,
    ),
    Column(
        "Tokens",
        "Tokens sent and received, over all attempts",
        _tokens,
        lambda i: _number(_tokens(i), ","),
        numeric=True,
    ),
    Column(
        "Cost $",
        "US dollars; a dash when the price is unknown",
        lambda i: i.reply.cost,
        lambda i: _number(i.reply.cost, ".4f"),
        numeric=True,
    ),
)

# The longest text that each other column may come to hold: replies are still to come.
LONGEST = {
    2: ("100",),
    3: ("88",),
    4: ("✗ wrong",),
    5: ("⊘ yes",),
    6: ("trying again",),
    7: ("888.8",),
    8: ("88,888",),
    9: ("0.8888",),
}


def stretches(places: Iterable[int]) -> list[tuple[int, int]]:
    """Return the first and last of each run of neighbours among some places."""
    found: list[tuple[int, int]] = []
    for place in sorted(places):
        if found and place <= found[-1][1] + 1:
            found[-1] = (found[-1][0], place)
        else:
            found.append((place, place))
    return found


class ReplyTable(QAbstractTableModel):
    """Shows one `LiveProbe`; rows move at a click on a head, and else never."""

    def __init__(self) -> None:
        super().__init__()
        self._live: LiveProbe | None = None
        self._order: list[int] = []  # the probe's row that each row shows
        self._place: list[int] = []  # the other way round

    @property
    def live(self) -> LiveProbe | None:
        """The probe that is shown."""
        return self._live

    def show(self, live: LiveProbe | None) -> None:
        """Show a probe, or nothing."""
        self.beginResetModel()
        self._live = live
        self._put_in_order(list(range(len(live.rows) if live else 0)))
        self.endResetModel()

    def touch(self, rows: set[int] | None = None) -> None:
        """Say that some of the probe's rows changed; all of them by default."""
        touched = range(len(self._order)) if rows is None else rows
        # Each stretch by itself: one from the first to the last of a few rows would
        # paint all that are between them, which takes longer than a frame has.
        for first, last in stretches(self._place[row] for row in touched):
            end = self.index(last, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(first, 0), end)

    def item(self, row: int) -> Scored | None:
        """Return the reply that a row shows."""
        source = self.source(row)
        return self._live.rows[source] if self._live and source >= 0 else None

    def source(self, row: int) -> int:
        """Return the probe's row that a row shows, -1 when there is none."""
        return self._order[row] if 0 <= row < len(self._order) else -1

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        live = self._live
        if live is None:
            return
        found = list(range(len(live.rows)))
        if column >= 0:
            down = order is Qt.SortOrder.DescendingOrder
            # Sorted here: a proxy asks for two cells at every comparison, in Python.
            found.sort(key=lambda row: self._sort_key(row, column), reverse=down)
        self.layoutAboutToBeChanged.emit()
        # What is selected stays selected, wherever its row goes.
        before = self.persistentIndexList()
        kept = [(self._order[index.row()], index.column()) for index in before]
        self._put_in_order(found)
        after = [self.index(self._place[row], at) for row, at in kept]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = COLUMNS[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return column.hint
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.item(index.row())
        if item is None or self._live is None:
            return None
        at = index.column()
        column = COLUMNS[at]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._live.sending(item) if at == STATUS else column.text(item)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.numeric else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return _color(item, at)
        return None

    def _put_in_order(self, order: list[int]) -> None:
        self._order = order
        self._place = [0] * len(order)
        for place, row in enumerate(order):
            self._place[row] = place

    def _sort_key(self, row: int, column: int) -> tuple[bool, float, str]:
        """What is missing comes last; numbers by value, words by letter."""
        live = self._live
        if live is None:
            return (True, 0.0, "")
        item = live.rows[row]
        value = live.sending(item) if column == STATUS else COLUMNS[column].value(item)
        if isinstance(value, str):
            return (value == _DASH, 0.0, value)
        if isinstance(value, int | float):
            return (False, float(value), "")
        return (True, 0.0, "")


def _color(item: Scored, at: int) -> QColor | None:
    t, score = theme.tokens(), item.score
    if score is None:
        # What is still to come steps back.
        return QColor(t.muted)
    if at == STATUS and score.status != "answered":
        return QColor(t.error)
    if at == HIDDEN and score.hidden_choice:
        return QColor(t.hidden)
    if at == REPORT and score.report_correct is not None:
        return QColor(t.sees if score.report_correct else t.error)
    return None

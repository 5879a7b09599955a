"""The replies of a probe as a table that fills while they arrive."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.column_model import ColumnModel, Index, SortKey, sort_key
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.tables import LEFT, RIGHT

_DASH = "\N{EN DASH}"


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


class ReplyTable(ColumnModel):
    """Shows one `LiveProbe`."""

    def __init__(self) -> None:
        super().__init__(COLUMNS)
        self._live: LiveProbe | None = None

    @property
    def live(self) -> LiveProbe | None:
        """The probe that is shown."""
        return self._live

    def show(self, live: LiveProbe | None) -> None:
        """Show a probe, or nothing."""
        self.beginResetModel()
        self._live = live
        self.put_in_order(list(range(len(live.rows) if live else 0)))
        self.endResetModel()

    def item(self, row: int) -> Scored | None:
        """Return the reply that a row shows."""
        source = self.source(row)
        return self._live.rows[source] if self._live and source >= 0 else None

    def key(self, source: int, column: int) -> SortKey:
        live = self._live
        if live is None:
            return sort_key(None)
        item = live.rows[source]
        value = live.sending(item) if column == STATUS else COLUMNS[column].value(item)
        return sort_key(None if value == _DASH else value)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        item = self.item(index.row())
        if item is None or self._live is None:
            return None
        at = index.column()
        column = COLUMNS[at]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._live.sending(item) if at == STATUS else column.text(item)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column.numeric else LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return _color(item, at)
        return None


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

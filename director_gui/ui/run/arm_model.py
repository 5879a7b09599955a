"""The arms of a run as a table that is filled in place."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor

from director_gui.study.run_arms import ArmView
from director_gui.ui import theme
from director_gui.ui.run.words import DASH, cost_text, rate_text, unanswered_text

Index = QModelIndex | QPersistentModelIndex
ARM = Qt.ItemDataRole.UserRole
_NOWHERE = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its hint, a cell's text, and what it is sorted by."""

    name: str
    hint: str
    text: Callable[[ArmView], str]
    order: Callable[[ArmView], float | str]
    numeric: bool = False


def _named(arm: ArmView) -> str:
    return f"{arm.condition} (base)" if arm.base else arm.condition


def _missing(arm: ArmView) -> str:
    told = unanswered_text(arm)
    return f"⚠ {told}" if arm.imbalance else told or DASH


def _share(arm: ArmView) -> float:
    k, n = arm.hidden
    return k / n if n else -1.0


MODEL, CONDITION, BATCH, BAR, ENDED, MISSING, ANSWERED, HIDDEN, COST = range(9)
COLUMNS = (
    Column("Model", "The model profile", lambda a: a.model, lambda a: a.model),
    Column("Condition", "The prompt variant", _named, lambda a: a.condition),
    Column("Batch", "Sampled together", lambda a: a.batch, lambda a: a.batch),
    Column(
        "Progress",
        "Answered, then without an answer, then open",
        lambda _a: "",
        lambda a: a.ended / max(1, a.calls),
    ),
    Column(
        "Ended",
        "Calls that have an end",
        lambda a: f"{a.ended:,}/{a.calls:,}",
        lambda a: a.ended,
        numeric=True,
    ),
    Column(
        "No answer",
        "Ended without an answer that can be read; ⚠: unlike its pair partner",
        _missing,
        lambda a: a.unanswered,
    ),
    Column(
        "Answered",
        "Replies that enter the rates",
        lambda a: f"{a.statuses['answered']:,}",
        lambda a: a.statuses["answered"],
        numeric=True,
    ),
    Column(
        "Hidden",
        "Hidden-block choices of answered replies; interim while calls are open",
        lambda a: rate_text(*a.hidden),
        _share,
        numeric=True,
    ),
    Column(
        "Cost",
        "US dollars",
        lambda a: DASH if a.cost is None else cost_text(a.cost),
        lambda a: a.cost or 0.0,
        numeric=True,
    ),
)


class ArmModel(QAbstractTableModel):
    """Shows arms; rows move at a click on a head, and else never."""

    def __init__(self) -> None:
        super().__init__()
        self._arms: list[ArmView] = []
        self._order: list[int] = []

    def show_arms(self, arms: Sequence[ArmView]) -> None:
        """Show the arms as they stand; the same arms keep their places."""
        same = [arm.key for arm in arms] == [arm.key for arm in self._arms]
        if same:
            # Only what moved is painted anew.
            moved = [
                row for row, at in enumerate(self._order) if self._arms[at] != arms[at]
            ]
            self._arms = list(arms)
            if moved:
                end = self.index(moved[-1], len(COLUMNS) - 1)
                self.dataChanged.emit(self.index(moved[0], 0), end)
            return
        self.beginResetModel()
        self._arms = list(arms)
        self._order = list(range(len(arms)))
        self.endResetModel()

    def arm(self, row: int) -> ArmView | None:
        """Return the arm in a row."""
        return self._arms[self._order[row]] if 0 <= row < len(self._order) else None

    def row_of(self, key: tuple[str, str, str]) -> int:
        """Return the row of an arm, -1 when it is not there."""
        keys = [self._arms[at].key for at in self._order]
        return keys.index(key) if key in keys else -1

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        found = list(range(len(self._arms)))
        if column >= 0:
            by, down = COLUMNS[column].order, order is Qt.SortOrder.DescendingOrder
            found.sort(key=lambda at: by(self._arms[at]), reverse=down)
        self.layoutAboutToBeChanged.emit()
        # What is selected stays selected, wherever its row goes.
        before = self.persistentIndexList()
        after = [
            self.index(found.index(self._order[index.row()]), index.column())
            for index in before
        ]
        self._order = found
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
        arm, at = self.arm(index.row()), index.column()
        shown = _SHOWN.get(role)
        return shown(arm, at) if arm is not None and shown is not None else None


def arm_hint(arm: ArmView) -> str:
    """Return all counts of an arm in words."""
    counts = ", ".join(f"{n:,} {name}" for name, n in arm.statuses.items())
    uneven = f"\nUnlike its pair partner: {arm.imbalance}" if arm.imbalance else ""
    return f"{arm.model} · {arm.condition} · batch {arm.batch}\n{counts}{uneven}"


def _color(arm: ArmView, at: int) -> QColor | None:
    t = theme.tokens()
    if at == MISSING:
        return QColor(t.error if arm.unanswered else t.muted)
    if at in (MODEL, BATCH, COST) or not arm.ended:
        return QColor(t.muted)
    return QColor(t.hidden) if at == HIDDEN and arm.hidden[0] else None


def _text(arm: ArmView, at: int) -> str:
    return COLUMNS[at].text(arm)


def _said(arm: ArmView, at: int) -> str:
    # A bar cannot be read aloud; what it shows can.
    return arm_hint(arm) if at == BAR else _text(arm, at)


_SHOWN: dict[int, Callable[[ArmView, int], object]] = {
    Qt.ItemDataRole.DisplayRole: _text,
    Qt.ItemDataRole.TextAlignmentRole: lambda _arm, at: (
        _RIGHT if COLUMNS[at].numeric else _LEFT
    ),
    Qt.ItemDataRole.ToolTipRole: lambda arm, _at: arm_hint(arm),
    Qt.ItemDataRole.AccessibleTextRole: _said,
    Qt.ItemDataRole.ForegroundRole: _color,
    ARM: lambda arm, _at: arm,
}

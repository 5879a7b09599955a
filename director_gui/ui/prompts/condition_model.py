"""Conditions down, slots across: the table's model, and its filter."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QPersistentModelIndex,
    QSortFilterProxyModel,
    Qt,
)
from PySide6.QtGui import QColor

from director_gui.prompts.conditions import Condition
from director_gui.prompts.pieces import SLOTS
from director_gui.study.probing import input_tokens
from director_gui.study.prompt_overview import Overview
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.prompts.book import PromptBook

Index = QModelIndex | QPersistentModelIndex
NUMBERS = ("Turns", "Bytes", "Tokens", "Pairs")
_SHORT = {"report_after": "After"}  # so that the table fits a small screen
COLUMNS = (
    *(_SHORT.get(slot, slot.replace("_", " ").capitalize()) for slot in SLOTS),
    *NUMBERS,
)
_HINTS = {
    "Turns": "User messages",
    "Bytes": "Of all user messages about the open scene",
    "Tokens": "Sent by one call, the picture included; about",
    "Pairs": "Declared pairs that name the condition",
}
_FIRST_NUMBER = len(SLOTS)
_EMPTY = "–"
SORT_ROLE = Qt.ItemDataRole.UserRole
_ROLE = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


Answer = Callable[["Row", int], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One condition as the table shows it.

    Attributes:
        condition: The condition.
        pieces: The name of the piece of each slot, in order; empty for none.
        numbers: Turns, bytes, tokens, pairs; None where there is no value.
        broken: How many of its pairs fail their proof.
        failed: Why it has no messages for the scene, empty when it has.
        state: ``built in``, ``yours`` or ``frozen``.
    """

    condition: Condition
    pieces: tuple[str, ...]
    numbers: tuple[int, int | None, int | None, int]
    broken: int
    failed: str
    state: str

    @property
    def name(self) -> str:
        """The condition's name."""
        return self.condition.name

    @property
    def words(self) -> str:
        """What the filter looks in."""
        return " ".join((self.name, *self.pieces, self.state)).lower()


class ConditionModel(QAbstractTableModel):
    """Holds one row a condition."""

    def __init__(self, book: PromptBook) -> None:
        super().__init__(book)
        self._book = book
        self.rows: list[Row] = []
        self._lit: frozenset[tuple[str, str]] = frozenset()

    def show_overview(self, found: Overview) -> None:
        """Show the book's conditions as they are for a scene."""
        rows = [self._row(c, found) for c in self._book.library.conditions]
        if [row.name for row in rows] == [row.name for row in self.rows]:
            # The same rows: what is selected and scrolled to stays.
            self.rows = rows
            # What the view remembers of its rows holds for these too.
            self._all_changed()
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def light(self, cells: frozenset[tuple[str, str]]) -> None:
        """Light the cells (condition, slot) in which two conditions differ."""
        self._lit = cells
        self._all_changed()

    def at(self, name: str) -> int:
        """Return the row of a condition, -1 for none."""
        names = [row.name for row in self.rows]
        return names.index(name) if name in names else -1

    def _all_changed(self) -> None:
        if self.rows:
            last = self.index(len(self.rows) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, len(self.rows) - 1)

    def _row(self, condition: Condition, found: Overview) -> Row:
        name = condition.name
        prompt = found.prompts.get(name)
        pairs = found.pairs_of(name)
        state = "yours" if self._book.is_own_condition(name) else "built in"
        # What is built in stays anyway; a lock on it would say nothing new.
        if name in self._book.frozen.conditions and state == "yours":
            state = "frozen"
        return Row(
            condition=condition,
            pieces=tuple(p.name if p else "" for p in condition.slots.values()),
            numbers=(
                condition.turns,
                sum(map(len, prompt.turns)) if prompt else None,
                input_tokens(prompt.turns) if prompt else None,
                len(pairs),
            ),
            broken=sum(bool(pair.refusal) for pair in pairs),
            failed=found.failed.get(name, ""),
            state=state,
        )

    # Qt's questions -----------------------------------------------------------

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(COLUMNS)

    def data(self, index: Index, role: int = _ROLE.DisplayRole) -> object:
        row, column = self.rows[index.row()], index.column()
        answers: dict[int, Answer] = {
            _ROLE.DisplayRole: _text,
            _ROLE.ToolTipRole: self._tip,
            _ROLE.AccessibleTextRole: _spoken,
            _ROLE.ForegroundRole: self._ink,
            _ROLE.BackgroundRole: self._ground,
            _ROLE.TextAlignmentRole: _alignment,
            SORT_ROLE: _sorted_by,
        }
        # Qt asks for a dozen roles a cell; all others have no answer.
        answer = answers.get(role)
        return answer(row, column) if answer else None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = _ROLE.DisplayRole,
    ) -> object:
        if orientation == Qt.Orientation.Horizontal:
            return _column_head(section, role)
        row = self.rows[section]
        answers: dict[int, object] = {
            _ROLE.DisplayRole: row.name,
            _ROLE.ToolTipRole: f"{row.name}: {row.state}",
            _ROLE.TextAlignmentRole: _LEFT,
            _ROLE.AccessibleTextRole: f"{row.name}, {row.state}",
        }
        if role == _ROLE.DecorationRole:
            signs = {"yours": "pencil-outline", "frozen": "lock-outline"}
            return icon(signs[row.state]) if row.state in signs else None
        return answers.get(role)

    def _tip(self, row: Row, column: int) -> str:
        if row.failed:
            return row.failed
        if column >= _FIRST_NUMBER:
            broken = f": {row.broken} of {row.numbers[-1]} fail their proof"
            broken = broken if row.broken else ""
            return _HINTS[COLUMNS[column]] + broken * (COLUMNS[column] == "Pairs")
        name = row.pieces[column]
        if not name:
            return "This slot is empty"
        frozen = " · frozen: a run used it" if name in self._book.frozen.pieces else ""
        own = "yours" if self._book.is_own_piece(name) else "built in"
        return f"{name} · {own}{frozen}"

    def _ink(self, row: Row, column: int) -> QColor | None:
        t = theme.tokens()
        if COLUMNS[column] == "Pairs" and row.broken:
            return QColor(t.error)
        if column >= _FIRST_NUMBER:
            return None
        # What nearly every condition shares is dim, so that the rest stands out.
        usual = SLOTS[column] in ("setting", "request", "reply_format")
        name = row.pieces[column]
        dim = not name or (usual and not self._book.is_own_piece(name))
        return QColor(t.muted) if dim and not self._is_lit(row, column) else None

    def _ground(self, row: Row, column: int) -> QColor | None:
        return QColor(theme.tokens().lit) if self._is_lit(row, column) else None

    def _is_lit(self, row: Row, column: int) -> bool:
        return column < _FIRST_NUMBER and (row.name, SLOTS[column]) in self._lit


class ConditionFilter(QSortFilterProxyModel):
    """Keeps the rows that hold every word that was typed."""

    def __init__(self, model: ConditionModel) -> None:
        super().__init__(model)
        self._model = model
        self._words: list[str] = []
        self.setSourceModel(model)
        self.setSortRole(SORT_ROLE)

    def look_for(self, text: str) -> None:
        """Show only what holds every word of `text`."""
        # The new way of Qt 6.10: the older call is deprecated.
        self.beginFilterChange()
        self._words = text.lower().split()
        self.endFilterChange()

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        del parent
        words = self._model.rows[row].words
        return all(word in words for word in self._words)

    def shown(self, at: int) -> Row:
        """Return what row `at` of the view shows."""
        return self._model.rows[self.mapToSource(self.index(at, 0)).row()]


def _text(row: Row, column: int) -> str:
    if column < _FIRST_NUMBER:
        return row.pieces[column] or _EMPTY
    number = row.numbers[column - _FIRST_NUMBER]
    # A zero would be a length; there is no message at all.
    if number is None:
        return _EMPTY
    if COLUMNS[column] == "Pairs" and row.broken:
        return f"{row.broken} ✗"
    return f"{number:,}"


def _spoken(row: Row, column: int) -> str:
    broken = f", {row.broken} broken" if row.broken else ""
    pairs = COLUMNS[column] == "Pairs"
    text = str(row.numbers[-1]) + broken if pairs else _text(row, column)
    return f"{row.name}, {COLUMNS[column]}: {'empty' if text == _EMPTY else text}"


def _sorted_by(row: Row, column: int) -> str | int:
    if column < _FIRST_NUMBER:
        return row.pieces[column]
    return row.numbers[column - _FIRST_NUMBER] or 0


def _alignment(row: Row, column: int) -> Qt.AlignmentFlag:
    del row
    return _LEFT if column < _FIRST_NUMBER else _RIGHT


def _column_head(section: int, role: int) -> object:
    name = COLUMNS[section]
    answers: dict[int, object] = {
        _ROLE.DisplayRole: name,
        _ROLE.TextAlignmentRole: _LEFT if section < _FIRST_NUMBER else _RIGHT,
        _ROLE.ToolTipRole: _HINTS.get(name)
        or f"The piece in the slot {SLOTS[section]}",
    }
    return answers.get(role)

"""A sheet as a table model: sorted by its figures, filtered by its words."""

import html

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from director_gui.study.results.sheet import Cell, Figure, Row, Sheet

Index = QModelIndex | QPersistentModelIndex
CELL = Qt.ItemDataRole.UserRole  # the whole Cell
_NUMBER = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_WORDS = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_NOWHERE = QModelIndex()


class SheetModel(QAbstractTableModel):
    """Shows one sheet at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sheet = Sheet("", "", (), (), "")
        self._order: list[int] = []
        self._typed = ""
        self._sorting = (-1, Qt.SortOrder.AscendingOrder)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another sheet, in its own order."""
        self.beginResetModel()
        # The same table with new figures keeps the order that the user gave it.
        if len(sheet.columns) != len(self.sheet.columns):
            self._sorting = (-1, Qt.SortOrder.AscendingOrder)
        self.sheet = sheet
        self._arrange()
        self.endResetModel()

    def set_filter(self, typed: str) -> None:
        """Show only the rows that hold every typed word."""
        self.beginResetModel()
        self._typed = typed.casefold()
        self._arrange()
        self.endResetModel()

    def sort(
        self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder
    ) -> None:
        self.beginResetModel()
        self._sorting = (column, order)
        self._arrange()
        self.endResetModel()

    def row_at(self, place: int) -> Row:
        """Return the row that is shown at `place`."""
        return self.sheet.rows[self._order[place]]

    def source_row(self, place: int) -> int:
        """Return the sheet's own number of the row that is shown at `place`."""
        return self._order[place]

    def place_of(self, source: int) -> int:
        """Return where a row of the sheet is shown; -1 when it is filtered out."""
        return self._order.index(source) if source in self._order else -1

    def texts(self) -> list[list[str]]:
        """Return what is shown, titles first; drawings are left out."""
        kept = [at for at, col in enumerate(self.sheet.columns) if not col.drawing]
        titles = [self.sheet.columns[at].title for at in kept]
        rows = [self.sheet.rows[place] for place in self._order]
        return [titles, *([row.cells[at].text for at in kept] for row in rows)]

    # Qt's questions -----------------------------------------------------------

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._order)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.sheet.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        cell = self.row_at(index.row()).cells[index.column()]
        column = self.sheet.columns[index.column()]
        answers: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: cell.text,
            Qt.ItemDataRole.ToolTipRole: _hint(cell),
            Qt.ItemDataRole.TextAlignmentRole: _NUMBER if column.number else _WORDS,
            Qt.ItemDataRole.AccessibleTextRole: f"{column.title}: {_said(cell)}",
            CELL: cell,
        }
        return answers.get(role)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        if orientation != Qt.Orientation.Horizontal:
            return None
        column = self.sheet.columns[section]
        answers: dict[int, object] = {
            Qt.ItemDataRole.DisplayRole: column.title,
            Qt.ItemDataRole.ToolTipRole: column.hint or column.title,
            Qt.ItemDataRole.TextAlignmentRole: _NUMBER if column.number else _WORDS,
        }
        return answers.get(role)

    def _arrange(self) -> None:
        rows = self.sheet.rows
        self._order = [at for at, row in enumerate(rows) if self._holds(row)]
        column, order = self._sorting
        if not 0 <= column < len(self.sheet.columns):
            return
        known = [a for a in self._order if rows[a].cells[column].value is not None]
        gaps = [a for a in self._order if rows[a].cells[column].value is None]
        known.sort(
            key=lambda at: _rank(rows[at].cells[column].value),
            reverse=order == Qt.SortOrder.DescendingOrder,
        )
        # What has no figure goes last, whichever way the others are sorted.
        self._order = known + gaps

    def _holds(self, row: Row) -> bool:
        text = " ".join(cell.text for cell in row.cells).casefold()
        return all(word in text for word in self._typed.split())


def _rank(value: Figure) -> tuple[int, float, str]:
    if isinstance(value, str):
        # Words after figures: a column may hold both, and they cannot be compared.
        return (1, 0.0, value.casefold())
    return (0, value or 0.0, "")


def _hint(cell: Cell) -> str:
    # As markup, so that a long one is wrapped; what it says stays text.
    return f"<qt>{html.escape(cell.hint or cell.text)}</qt>"


def _said(cell: Cell) -> str:
    return cell.text or cell.hint

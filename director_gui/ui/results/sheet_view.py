"""The table of a sheet: drawings share its rows, Ctrl+C copies it as TSV."""

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QHideEvent, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from director_gui.study.results.sheet import Cell, Sheet
from director_gui.ui import theme
from director_gui.ui.copying import copy_text
from director_gui.ui.results import marks
from director_gui.ui.results.sheet_model import CELL, SheetModel
from director_gui.ui.settings import Settings

_ROW, _HEAD, _WORDS = 26, 38, 260  # px at 100 %
PANEL = 136  # of one drawing beside others; a single one fills its place


class _Delegate(QStyledItemDelegate):
    """Paints drawings; everything else is Qt's."""

    axes: dict[int, marks.Axis]

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.axes = {}

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        cell, axis = index.data(CELL), self.axes.get(index.column())
        if axis is None or not isinstance(cell, Cell) or cell.mark is None:
            return
        painter.save()
        marks.paint(painter, QRectF(option.rect), axis, cell.mark)
        painter.restore()


class _Header(QHeaderView):
    """Titles; over a drawing also the axis."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.axes: dict[int, marks.Axis] = {}
        self.setSectionsClickable(True)
        self.setHighlightSections(False)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), theme.px(_HEAD))

    def paintSection(self, painter: QPainter, rect: QRect, at: int) -> None:
        axis = self.axes.get(at)
        if axis is None:
            super().paintSection(painter, rect, at)
            return
        painter.save()
        font = QFont(self.font())
        font.setPixelSize(theme.px(theme.CAPTION))
        painter.setFont(font)
        painter.fillRect(rect, self.palette().base())
        title = str(self.model().headerData(at, Qt.Orientation.Horizontal) or "")
        marks.paint_axis(painter, QRectF(rect), axis, title)
        painter.restore()


class SheetView(QTableView):
    """One sheet; rows are chosen whole, figures stand at the right of their cells."""

    chosen = Signal(int)  # the sheet's own number of the row
    entered_row = Signal(str)  # the key of a row that was double-clicked, or entered

    def __init__(self, name: str, beside: "SheetView | None" = None) -> None:
        super().__init__()
        # With `beside` it holds the drawings of that table's rows.
        self._drawings = beside is not None
        self.sheets: SheetModel = beside.sheets if beside else SheetModel(self)
        self._delegate = _Delegate(self)
        self._head = _Header(self)
        self.setHorizontalHeader(self._head)
        self.setModel(self.sheets)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(name)
        self._manner()
        if beside:
            # One choice for both, so that a row lights up as a whole.
            self.setSelectionModel(beside.selectionModel())
            self._head.setSectionsClickable(False)
            return
        self.selectionModel().currentRowChanged.connect(self._current_changed)
        self.doubleClicked.connect(self._open)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show another sheet; the chosen row stays chosen where it can."""
        self._keep_widths()
        before = self.chosen_row()
        self.sheets.show_sheet(sheet)
        self.take_shape()
        self.choose(min(max(before, 0), len(sheet.rows) - 1))

    def take_shape(self) -> None:
        """Fit the columns to the sheet that the model holds."""
        sheet = self.sheets.sheet
        self._delegate.axes = self._head.axes = {
            at: marks.axis_of(sheet.rows, at, sheet.columns[at].rules)
            for at, column in enumerate(sheet.columns)
            if column.drawing
        }
        self._fit()

    def set_filter(self, typed: str) -> None:
        """Show only the rows that hold every typed word."""
        before = self.chosen_row()
        self.sheets.set_filter(typed)
        self.choose(before)

    def chosen_row(self) -> int:
        """Return the sheet's own number of the chosen row; -1 when none is."""
        index = self.currentIndex()
        return self.sheets.source_row(index.row()) if index.isValid() else -1

    def choose(self, source: int) -> None:
        """Choose a row by the sheet's own number."""
        place = self.sheets.place_of(source)
        if place >= 0:
            self.setCurrentIndex(self.sheets.index(place, 0))

    def retheme(self) -> None:
        """Take the text size of the theme that is shown now."""
        self.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            lines = ["\t".join(_flat(t) for t in row) for row in self.sheets.texts()]
            copy_text("\n".join(lines), self, "the table")
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        self._keep_widths()
        super().hideEvent(event)

    # Inside -------------------------------------------------------------------

    def _manner(self) -> None:
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        # Tab leaves the table; arrows move inside it.
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
        self._head.setSectionsMovable(False)
        self._head.setSortIndicatorShown(True)
        self._head.setSortIndicatorClearable(True)
        self._head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self._head.sortIndicatorChanged.connect(self._sort)

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        before = self.chosen_row()
        self.sheets.sort(column, order)
        self.choose(before)

    def _current_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        if now.isValid():
            self.chosen.emit(self.sheets.source_row(now.row()))

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.entered_row.emit(self.sheets.row_at(index.row()).key)

    def _fit(self) -> None:
        sheet, header = self.sheets.sheet, self._head
        if not sheet.columns:
            return
        for at, column in enumerate(sheet.columns):
            self.setColumnHidden(at, column.drawing != self._drawings)
        header.setStretchLastSection(self._drawings)
        if self._drawings:
            for at in self._delegate.axes:
                self.setColumnWidth(at, theme.px(PANEL))
        if self._drawings or self._restored():
            return
        self.resizeColumnsToContents()
        for at in range(len(sheet.columns)):
            width = self.columnWidth(at) + theme.S2
            self.setColumnWidth(at, min(width, theme.px(_WORDS)))

    def _restored(self) -> bool:
        kept = self._head.restoreState(Settings().layout(self._place()))
        if kept:
            self._head.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        return kept

    def _keep_widths(self) -> None:
        # An empty table is as narrow as its titles, which fits no row to come.
        if self.sheets.sheet.rows and self.isVisible() and not self._drawings:
            Settings().set_layout(self._place(), self._head.saveState())

    def _place(self) -> str:
        sheet = self.sheets.sheet
        # Another number of columns is another table: its widths would not fit.
        return f"results/{sheet.name}/{len(sheet.columns)}/{theme.px(100)}"


def _flat(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " ")

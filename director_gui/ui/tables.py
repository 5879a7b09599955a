"""Read-only tables, all alike; Ctrl+C copies them as TSV."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.copying import copy_text
from director_gui.ui.widgets import action

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_ROW = 24  # px
_AROUND = 16  # px at a cell's sides
_NARROWEST = 28  # px, a column that is sorted by


def side(width: int) -> int:
    """Return the width in px of a side panel that is `width` at 100 % text.

    It grows half as fast as the text, so that room is left for what it stands beside.
    """
    return (width + theme.px(width)) // 2


def read_only(table: QTableView, name: str) -> None:
    """Make a table one that is read by rows: no grid, no row heads, Tab leaves it."""
    table.setAccessibleName(name)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)


def sortable(table: QTableView, name: str) -> None:
    """Make a table's rows go in order by a click on a head; one is chosen at a time."""
    read_only(table, name)
    # None at first: the order that the rows came in says something too.
    table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)
    table.setWordWrap(False)
    table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    header = table.horizontalHeader()
    header.setMinimumSectionSize(theme.px(_NARROWEST))
    header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    copies(table)


def copies(table: QTableView) -> None:
    """Let Ctrl+C copy the whole table as TSV."""
    action(
        table,
        "Copy table",
        lambda: copy_text(tsv_of(table), table, "the table"),
        shortcut=QKeySequence.StandardKey.Copy,
        scope=Qt.ShortcutContext.WidgetShortcut,
    )


def tsv_of(table: QTableView) -> str:
    """Return the heads and all rows as shown; a hidden column stays out."""
    model, across = table.model(), Qt.Orientation.Horizontal
    columns = [at for at in range(model.columnCount()) if not table.isColumnHidden(at)]
    heads = [str(model.headerData(at, across)) for at in columns]
    rows = [
        [str(model.index(row, at).data() or "") for at in columns]
        for row in range(model.rowCount())
    ]
    return "".join("\t".join(row) + "\n" for row in [heads, *rows])


class Table(QTableWidget):
    """As high as its rows; the first column is text, the others are figures.

    The first column takes the room that is left, but is never cut: where room is short
    its texts wrap between words.
    """

    def __init__(
        self,
        name: str,
        *,
        row: int = _ROW,
        left: int = 1,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._row_height, self._left = row, left
        read_only(self, name)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        header = self.horizontalHeader()
        header.setMinimumSectionSize(theme.px(40))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Show texts."""
        self.setRowCount(0)
        self.setColumnCount(len(columns))
        self.setRowCount(len(rows))
        for at, title in enumerate(columns):
            item = QTableWidgetItem(title)
            item.setTextAlignment(LEFT if at < self._left else RIGHT)
            self.setHorizontalHeaderItem(at, item)
        for row, texts in enumerate(rows):
            self.setRowHeight(row, theme.px(self._row_height))
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text)
                item.setTextAlignment(LEFT if column < self._left else RIGHT)
                self.setItem(row, column, item)
        self._fit()

    def explain(self, hints: Sequence[str]) -> None:
        """Give each column's title a tooltip."""
        for at, hint in enumerate(hints):
            title = self.horizontalHeaderItem(at)
            if title is not None:
                title.setToolTip(hint)

    def tint(self, row: int, column: int, color: str) -> None:
        """Give a cell a background."""
        cell = self.item(row, column)
        if cell is not None:
            cell.setBackground(QColor(color))

    def texts(self) -> list[list[str]]:
        """Return what the table shows, its header first."""
        rows = [[self._header(c) for c in range(self.columnCount())]]
        for row in range(self.rowCount()):
            cells = [self.item(row, c) for c in range(self.columnCount())]
            rows.append([cell.text() if cell else "" for cell in cells])
        return rows

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            lines = ("\t".join(t.replace("\n", " ") for t in r) for r in self.texts())
            copy_text("\n".join(lines), self, "the table")
            return
        super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        rows = sum(self.rowHeight(row) for row in range(self.rowCount()))
        bar = self.horizontalScrollBar()
        extra = bar.sizeHint().height() if bar.maximum() > 0 else 0
        head = self.horizontalHeader().sizeHint().height()
        return QSize(theme.px(320), head + rows + extra + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(120), self.sizeHint().height())

    def _fit(self) -> None:
        if not self.columnCount():
            return
        header, mode = self.horizontalHeader(), QHeaderView.ResizeMode
        # Contents first, then what is left is known.
        header.setSectionResizeMode(mode.ResizeToContents)
        header.setSectionResizeMode(0, mode.Fixed)
        others = sum(header.sectionSize(at) for at in range(1, self.columnCount()))
        whole = max(self.sizeHintForColumn(0), header.sectionSizeHint(0))
        room = self.viewport().width() - others
        self.setColumnWidth(0, max(room, min(whole, self._least())))
        for row in range(self.rowCount()):
            self._fit_row(row)
        self.updateGeometry()

    def _fit_row(self, row: int) -> None:
        cell, metrics = self.item(row, 0), self.fontMetrics()
        lines = cell.text().split("\n") if cell else []
        widest = max(map(metrics.horizontalAdvance, lines), default=0)
        height = theme.px(self._row_height)
        if widest + theme.px(_AROUND) > self.columnWidth(0):
            # Wrapped lines would touch those of the next row.
            height = max(height, self.sizeHintForRow(row) + theme.px(theme.S2))
        self.setRowHeight(row, height)

    def _least(self) -> int:
        """Return the width in px that holds the first column's longest word."""
        cells = [self.item(row, 0) for row in range(self.rowCount())]
        words = [word for cell in cells if cell for word in cell.text().split()]
        metrics = self.fontMetrics()
        widest = max(map(metrics.horizontalAdvance, words), default=0)
        return max(
            widest + theme.px(_AROUND), self.horizontalHeader().sectionSizeHint(0)
        )

    def _header(self, column: int) -> str:
        item = self.horizontalHeaderItem(column)
        return item.text() if item else ""

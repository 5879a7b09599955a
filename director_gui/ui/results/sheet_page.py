"""A sheet's table with its title above and its note below."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.results.sheet import Sheet
from director_gui.ui import theme
from director_gui.ui.results.marks import KIND_COLORS
from director_gui.ui.results.sheet_view import PANEL, SheetView
from director_gui.ui.widgets import label, swatch

_TABLE, _DRAWING, _DRAWINGS = 1020, 260, 690  # px: shares of the room, not sizes


class SheetPage(QWidget):
    """What a table says, and what a reader must know of it."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = SheetView(name)
        self.plot = SheetView(f"{name}: drawings", self.table)
        self.note = label("", "caption", wrap=True)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._legend = QHBoxLayout()
        self._legend.setContentsMargins(theme.S4, theme.S1, theme.S4, 0)
        self._legend.setSpacing(theme.S1)
        self._shown: dict[str, str] = {}
        self._drawings = 0
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        # What a page puts above its table.
        self.head = QVBoxLayout()
        self.head.setSpacing(0)
        column.addLayout(self.head)
        column.addLayout(self._legend)
        column.addWidget(self._side_by_side(), 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S1)
        foot.addWidget(self.note)
        column.addLayout(foot)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a sheet."""
        self.table.show_sheet(sheet)
        self.plot.take_shape()
        self._share_room(sum(column.drawing for column in sheet.columns))
        self.note.setText(sheet.note)
        if sheet.legend != self._shown:
            self._show_legend(sheet.legend)

    def wanted_height(self) -> int:
        """Return the height in px at which all rows are in sight."""
        table = self.table
        rows = table.verticalHeader().length() + table.horizontalHeader().height()
        bar = table.horizontalScrollBar().sizeHint().height()
        # Asked of the note: what it wraps to is laid out only later.
        note = self.note.heightForWidth(self.width() - 2 * theme.S4) + 2 * theme.S1
        above = self.head.sizeHint().height() + self._legend.sizeHint().height()
        return rows + bar + note + above + 2 * table.frameWidth()

    def retheme(self) -> None:
        """Take the colours and the text size of the theme that is shown now."""
        self.table.retheme()
        self.plot.retheme()

    def _share_room(self, drawings: int) -> None:
        self._drawing.setVisible(drawings > 0)
        if drawings == self._drawings:
            return
        # Only when it changes: between, the user's own split stays.
        self._drawings = drawings
        wide = _DRAWING if drawings < 2 else min(drawings * PANEL, _DRAWINGS)
        self._split.setSizes([_TABLE - wide, wide])

    def _side_by_side(self) -> QSplitter:
        self._drawing = QWidget()
        column = QVBoxLayout(self._drawing)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.plot, 1)
        # As high as the table's scroll bar, so that both show the same rows.
        self._spacer = QWidget()
        self._spacer.setFixedHeight(0)
        column.addWidget(self._spacer)
        off = Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.plot.setVerticalScrollBarPolicy(off)
        self.plot.setHorizontalScrollBarPolicy(off)
        ours, theirs = self.table.verticalScrollBar(), self.plot.verticalScrollBar()
        ours.valueChanged.connect(theirs.setValue)
        theirs.valueChanged.connect(ours.setValue)
        self.table.horizontalScrollBar().rangeChanged.connect(self._level)
        split = self._split = QSplitter(Qt.Orientation.Horizontal)
        split.addWidget(self.table)
        split.addWidget(self._drawing)
        split.setStretchFactor(0, 1)
        split.setChildrenCollapsible(False)
        return split

    def _level(self, _low: int, high: int) -> None:
        bar = self.table.horizontalScrollBar()
        self._spacer.setFixedHeight(bar.sizeHint().height() if high > 0 else 0)

    def _show_legend(self, legend: dict[str, str]) -> None:
        while (item := self._legend.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.deleteLater()
        self._shown = legend
        for kind, words in legend.items():
            square = QLabel()
            square.setPixmap(swatch(KIND_COLORS[kind]).pixmap(theme.px(12)))
            self._legend.addWidget(square)
            self._legend.addWidget(label(words, "caption"))
            self._legend.addSpacing(theme.S2)
        self._legend.addStretch()

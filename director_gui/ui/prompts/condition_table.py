"""The table of conditions: names stay at the left, slots at the top."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QHeaderView,
    QTableView,
    QWidget,
)

from director_gui.prompts.pieces import SLOTS
from director_gui.ui import theme
from director_gui.ui.prompts.condition_model import (
    COLUMNS,
    ConditionFilter,
    ConditionModel,
    Row,
)

_ROW = 26  # px
_WIDEST = 180  # px of a column at first


class ConditionTable(QTableView):
    """Shows the model's rows; one is chosen, in one of its slots."""

    chosen = Signal(str, str)  # condition, slot (empty outside the slots)
    opened = Signal(str, str)  # the same, by Enter or a double click

    def __init__(self, model: ConditionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.filtered = ConditionFilter(model)
        self.setModel(self.filtered)
        self.setAccessibleName("Conditions: the piece that each slot uses")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._heads()
        self.selectionModel().currentChanged.connect(self._current_changed)
        self.activated.connect(self._activated)

    def _heads(self) -> None:
        across = self.horizontalHeader()
        across.setHighlightSections(False)
        across.setSectionsMovable(True)
        down = self.verticalHeader()
        down.setObjectName("conditionNames")
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSortingEnabled(True)
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.retheme()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
        self.verticalHeader().setMinimumWidth(theme.px(132))

    def fit_columns(self) -> None:
        """Make each column as wide as what it holds."""
        self.resizeColumnsToContents()
        for at in range(len(COLUMNS)):
            width = min(self.columnWidth(at) + theme.S3, theme.px(_WIDEST))
            self.setColumnWidth(at, width)

    def current(self) -> Row | None:
        """Return the chosen row, None for none."""
        at = self.currentIndex()
        return self.filtered.shown(at.row()) if at.isValid() else None

    def slot(self) -> str:
        """Return the chosen slot; empty outside the slots."""
        at = self.currentIndex().column()
        return SLOTS[at] if 0 <= at < len(SLOTS) else ""

    def choose(self, name: str, slot: str = "") -> bool:
        """Choose a condition; return whether it is there and passes the filter."""
        source = self._model.index(max(0, self._model.at(name)), 0)
        found = self.filtered.mapFromSource(source)
        if self._model.at(name) < 0 or not found.isValid():
            return False
        column = SLOTS.index(slot) if slot else max(0, self.currentIndex().column())
        at = self.filtered.index(found.row(), column)
        self.setCurrentIndex(at)
        self.scrollTo(at)
        return True

    def as_tsv(self) -> str:
        """Return what the table shows, its heads included, as TSV."""
        model = self.filtered
        rows = [["Condition", *COLUMNS]]
        for row in range(model.rowCount()):
            cells = [model.index(row, c).data() for c in range(len(COLUMNS))]
            rows.append([model.shown(row).name, *map(str, cells)])
        return "\n".join("\t".join(cells) for cells in rows)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            QApplication.clipboard().setText(self.as_tsv())
            return
        super().keyPressEvent(event)

    def _current_changed(self, new: QModelIndex, old: QModelIndex) -> None:
        del old
        if new.isValid():
            self.chosen.emit(self.filtered.shown(new.row()).name, self.slot())

    def _activated(self, at: QModelIndex) -> None:
        self.opened.emit(self.filtered.shown(at.row()).name, self.slot())

"""The table of conditions: names stay at the left, slots at the top."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from director_gui.prompts.pieces import SLOTS
from director_gui.ui import theme
from director_gui.ui.copying import copy_text
from director_gui.ui.prompts.condition_model import (
    COLUMNS,
    ConditionFilter,
    ConditionModel,
    Row,
)

_ROW = 26  # px
_WIDEST = 160  # px of a column at first
_SPARE = 16  # px beside a column's text
_SHEET = """
QHeaderView {{ background: {t.panel}; }}
QHeaderView#conditionNames::section {{ border: none; padding: 0 {pad}px;
  color: {t.text}; font-size: {size}px; font-weight: normal; }}
"""


class CellDelegate(QStyledItemDelegate):
    """Keeps lit cells lit in the chosen row, and frames the chosen slot."""

    def __init__(self, table: "ConditionTable") -> None:
        super().__init__(table)
        self._table = table

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        if index.data(Qt.ItemDataRole.BackgroundRole) is not None:
            # The selection's colour would cover the lit span's.
            option.state &= ~QStyle.StateFlag.State_Selected

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        if index == self._table.currentIndex():
            painter.setPen(QColor(theme.tokens().accent))
            painter.drawRect(option.rect.adjusted(0, 0, -1, -1))


class ConditionTable(QTableView):
    """Shows the model's rows; one is chosen, in one of its slots."""

    chosen = Signal(str, str)  # condition, slot (empty outside the slots)
    opened = Signal(str, str)  # the same, by Enter or a double click

    def __init__(self, model: ConditionModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._filtering = False
        self.setItemDelegate(CellDelegate(self))
        self.filtered = ConditionFilter(model)
        self.setModel(self.filtered)
        self.setAccessibleName("Conditions: the piece that each slot uses")
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        # One row is chosen at a time, so "all" has no meaning.
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
        across.setMinimumSectionSize(theme.S6)
        down = self.verticalHeader()
        down.setObjectName("conditionNames")
        down.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSortingEnabled(True)
        # The order of the method's table comes first; a click on a head changes it.
        self.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.retheme()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        down = self.verticalHeader()
        down.setDefaultSectionSize(theme.px(_ROW))
        down.setMinimumWidth(theme.px(120))
        size = theme.px(theme.BODY)
        self.setStyleSheet(_SHEET.format(t=theme.tokens(), pad=theme.S2, size=size))

    def fit_columns(self) -> None:
        """Make each column as wide as what it holds."""
        head = QFont(self.font())
        head.setPixelSize(theme.px(theme.CAPTION))
        head.setBold(True)
        heads, cells = QFontMetrics(head), self.fontMetrics()
        model = self.filtered
        for at, name in enumerate(COLUMNS):
            # Measured here: Qt's own fit adds room for a sort arrow to each column.
            texts = {model.index(row, at).data() for row in range(model.rowCount())}
            widths = [cells.horizontalAdvance(str(text)) for text in texts]
            widest = max(heads.horizontalAdvance(name), *widths, 0)
            self.setColumnWidth(at, min(widest, theme.px(_WIDEST)) + theme.px(_SPARE))

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
        # Moving between conditions keeps the slot that one is comparing.
        column = SLOTS.index(slot) if slot else max(0, self.currentIndex().column())
        at = self.filtered.index(found.row(), column)
        self.setCurrentIndex(at)
        self.scrollTo(at)
        return True

    def look_for(self, text: str) -> int:
        """Show only what holds every word of `text`; return how many rows do."""
        # A row that goes moves the current one, and who hears of it would change the
        # model while the proxy is half way through.
        self._filtering = True
        self.filtered.look_for(text)
        self._filtering = False
        return self.filtered.rowCount()

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
            copy_text(self.as_tsv(), self, "the table")
            return
        super().keyPressEvent(event)

    def _current_changed(self, new: QModelIndex, old: QModelIndex) -> None:
        del old
        if new.isValid() and not self._filtering:
            self.chosen.emit(self.filtered.shown(new.row()).name, self.slot())

    def _activated(self, at: QModelIndex) -> None:
        self.opened.emit(self.filtered.shown(at.row()).name, self.slot())

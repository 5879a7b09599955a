"""The live arms: a table with a small bar in every row."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from director_gui.study.run_arms import ArmView, Key
from director_gui.ui import theme
from director_gui.ui.run.arm_model import (
    ANSWERED,
    ARM,
    BAR,
    BATCH,
    COLUMNS,
    CONDITION,
    COST,
    ENDED,
    HIDDEN,
    MISSING,
    MODEL,
    ArmModel,
)
from director_gui.ui.tables import sortable

_LINE, _BAR_HEIGHT, _PAD = 26, 8, 16  # px at 100 %
_WIDTHS = {BAR: 56}  # px at 100 %; other columns fit what they may come to hold
_WORDS = 140  # px at 100 %: room for the ways in which replies fail
_WIDEST_MODEL = 88  # px at 100 %; the hint has the whole name
_LONGEST = {
    ENDED: "888/888",
    ANSWERED: "8,888",
    MISSING: "⚠ 88 truncated",
    HIDDEN: "88.8 %  888/888",
    COST: "$888.88",
}


class BarDelegate(QStyledItemDelegate):
    """Paints answered, unanswered and open calls as parts of one bar."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        arm = index.data(ARM)
        if not isinstance(arm, ArmView) or not arm.calls:
            return
        t, height = theme.tokens(), theme.px(_BAR_HEIGHT)
        room = QRectF(option.rect).adjusted(theme.S1, 0, -theme.S2, 0)
        left, top = room.left(), room.center().y() - height / 2
        painter.fillRect(QRectF(left, top, room.width(), height), QColor(t.line))
        for count, color in (
            (arm.statuses["answered"], t.accent),
            (arm.unanswered, t.error),
        ):
            part = room.width() * count / arm.calls
            # A few bad replies among thousands are still to be seen.
            part = max(part, 2.0) if count else 0.0
            painter.fillRect(QRectF(left, top, part, height), QColor(color))
            left += part


class ArmTable(QTableView):
    """One row a model, condition and batch; `chosen` carries what names it."""

    chosen = Signal(object)  # Key

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.arms = ArmModel()
        self._told: Key | None = None
        self.setModel(self.arms)
        self.setItemDelegateForColumn(BAR, BarDelegate(self))
        sortable(self, "Arms of the run")
        self.selectionModel().currentRowChanged.connect(self._turned)
        self.retheme()

    def show_arms(self, arms: tuple[ArmView, ...]) -> None:
        """Show the arms as they stand; what is chosen stays chosen."""
        shape = [arm.key for arm in arms]
        new = shape != [a.key for at in range(len(shape)) if (a := self.arms.arm(at))]
        self.arms.show_arms(arms)
        if new:
            self._told = None
            self.setColumnHidden(MODEL, len({arm.model for arm in arms}) < 2)
            self.setColumnHidden(BATCH, len({arm.batch for arm in arms}) < 2)
            self.fit()

    def show_rates(self, *, shown: bool) -> None:
        """Show or hide the rates, of which an interim difference could be read."""
        if self.isColumnHidden(HIDDEN) == shown:
            self.setColumnHidden(HIDDEN, not shown)
            self.fit()

    def choose(self, key: Key) -> None:
        """Choose an arm."""
        row = self.arms.row_of(key)
        if row >= 0:
            self.selectRow(row)

    def choose_none(self) -> None:
        """Choose no arm; the next choice is told, also of the same one."""
        self._told = None
        self.setCurrentIndex(QModelIndex())

    def fit(self) -> None:
        """Make columns as wide as what they may come to hold, and no wider."""
        heads, cells = self.horizontalHeader().fontMetrics(), self.fontMetrics()
        wishes = dict.fromkeys((MODEL, MISSING), 0)
        for at, column in enumerate(COLUMNS):
            texts = [
                str(self.arms.index(row, at).data())
                for row in range(self.arms.rowCount())
                if at in (MODEL, CONDITION, BATCH)
            ]
            longest = (*texts, _LONGEST.get(at, ""))
            wide = max(cells.horizontalAdvance(text) for text in longest)
            if at == MODEL:
                wishes[at] = max(0, wide - theme.px(_WIDEST_MODEL))
                wide = min(wide, theme.px(_WIDEST_MODEL))
            wide = max(wide, heads.horizontalAdvance(column.name))
            wide = max(wide, theme.px(_WIDTHS.get(at, 0)))
            self.setColumnWidth(at, wide + theme.px(_PAD))
        self._make_room(heads, cells)
        room = self.viewport().width() - self.horizontalHeader().length()
        wishes[MISSING] = theme.px(_WORDS)
        for at, wish in wishes.items():
            # What is left goes first to names, then to words about replies.
            more = max(0, min(wish, room)) * (not self.isColumnHidden(at))
            self.setColumnWidth(at, self.columnWidth(at) + more)
            room -= more

    def _make_room(self, heads: QFontMetrics, cells: QFontMetrics) -> None:
        """Give way where the rates would be out of sight: they are what is asked for.

        The bar tells no more than the column beside it, and words that nothing has
        called for yet can have their room later.
        """
        self.setColumnHidden(BAR, False)
        steps: tuple[Callable[[], None], ...] = (
            lambda: self._narrow([MISSING], heads, cells),
            lambda: self.setColumnHidden(BAR, True),
            # At last all of them hold what they hold now, and no more.
            lambda: self._narrow(_LONGEST, heads, cells),
        )
        for give_way in steps:
            short = self.horizontalHeader().length() > self.viewport().width()
            if short and not self.isColumnHidden(HIDDEN):
                give_way()

    def _narrow(
        self, columns: Iterable[int], heads: QFontMetrics, cells: QFontMetrics
    ) -> None:
        rows = range(self.arms.rowCount())
        for column in columns:
            told = [str(self.arms.index(row, column).data()) for row in rows]
            wide = max((cells.horizontalAdvance(text) for text in told), default=0)
            wide = max(wide, heads.horizontalAdvance(COLUMNS[column].name))
            self.setColumnWidth(column, wide + theme.px(_PAD))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.fit()

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.verticalHeader().setDefaultSectionSize(theme.px(_LINE))
        self.fit()

    def _turned(self, now: QModelIndex, before: QModelIndex) -> None:
        del before
        arm = self.arms.arm(now.row()) if now.isValid() else None
        if arm is not None and arm.key != self._told:
            self._told = arm.key
            self.chosen.emit(arm.key)

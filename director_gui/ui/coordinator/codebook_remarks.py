"""What is wrong with a codebook or could be better, each a way to its place."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from coding.book_checks import Remark
from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_tree import Place

_PLACE = Qt.ItemDataRole.UserRole
_ROWS = 5  # that are in sight at most
_EDGES = 12  # px that the style keeps at both sides of an item's words


class RemarkList(QListWidget):
    """As high as what it holds, up to a few rows; then it scrolls."""

    chosen = Signal(object)  # Place

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("What to mend")
        self.setWordWrap(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._go)
        self.itemActivated.connect(self._go)

    def show_remarks(self, found: Sequence[Remark]) -> None:
        """Show remarks; a sign tells what stops a packet from what is advice."""
        self.clear()
        self.setVisible(bool(found))
        for remark in found:
            sign, color = ("✗", theme.tokens().error) if remark.stops else ("·", "")
            item = QListWidgetItem(f"{sign} {remark.what}.")
            if color:
                item.setForeground(QColor(color))
            item.setData(_PLACE, _place(remark))
            self.addItem(item)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        # The list itself would give a wrapped remark the height of one line.
        room = QRect(0, 0, max(1, self.viewport().width() - _EDGES), 10_000)
        flags, heights = int(Qt.TextFlag.TextWordWrap), []
        for at in range(self.count()):
            words = self.fontMetrics().boundingRect(room, flags, self.item(at).text())
            heights.append(words.height() + theme.S2)
            self.item(at).setSizeHint(QSize(1, heights[-1]))
        edge = 2 * self.frameWidth() + 2
        self.setFixedHeight(sum(heights[:_ROWS]) + edge)

    def _go(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_PLACE))


def _place(remark: Remark) -> Place:
    field = -1 if remark.field is None else remark.field
    return field, -1 if remark.code is None else remark.code

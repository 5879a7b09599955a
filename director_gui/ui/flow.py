"""Layouts for little room: widgets that wrap, and two halves that stack."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QLayoutItem, QSplitter, QWidget

from director_gui.ui import theme


class Flow(QLayout):
    """Widgets one after the other, on as many lines as they need."""

    def __init__(self, spacing: int = theme.S1) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self.setSpacing(spacing)
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._place(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._place(rect, move=True)

    def sizeHint(self) -> QSize:
        # Any width will do: what does not fit goes to the next line.
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _place(self, rect: QRect, *, move: bool) -> int:
        x, y, line = rect.x(), rect.y(), 0
        for item in self._items:
            if item.isEmpty():
                continue  # hidden: not even its spacing stays
            hint = item.sizeHint()
            if x + hint.width() > rect.right() + 1 and x > rect.x():
                x, y, line = rect.x(), y + line + self.spacing(), 0
            if move:
                # One that is wider than the whole line is cut rather than pushed out of
                # sight.
                width = min(hint.width(), rect.width())
                item.setGeometry(QRect(x, y, width, hint.height()))
            x += hint.width() + self.spacing()
            line = max(line, hint.height())
        return y + line - rect.y()


class Halves(QSplitter):
    """Two widgets beside another, or one above the other where room is short.

    Args:
        first: The one that takes what is left.
        second: The one at the right, or below.
        width: Of the second beside the first, px at 100 %.
        least: Of the first; with less the two are stacked, px at 100 %.
    """

    def __init__(self, first: QWidget, second: QWidget, width: int, least: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._wanted, self._least = width, least
        self._placed = False
        self.setChildrenCollapsible(False)
        self.addWidget(first)
        self.addWidget(second)
        self.setStretchFactor(0, 1)
        for widget in (first, second):
            widget.setMinimumSize(200, 160)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def fit(self) -> None:
        """Stand or lie, as the room and the text size ask for."""
        second = (self._wanted + theme.px(self._wanted)) // 2
        stacked = self.width() < theme.px(self._least) + second
        way = Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal
        # Only when it turns: between, the user's own split stays.
        if way != self.orientation() or not self._placed:
            self.setOrientation(way)
            # Before it is shown its size is not the one it will have.
            self._placed = self.isVisible()
            whole = self.height() if stacked else self.width()
            part = whole // 2 if stacked else second
            self.setSizes([whole - part, part])

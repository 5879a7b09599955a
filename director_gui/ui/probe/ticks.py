"""Boxes to tick that can be seen in both themes, with or without a text.

Fusion outlines its boxes darker than the window, which vanishes on a dark one.
"""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QCheckBox,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionViewItem,
    QWidget,
)

from director_gui.ui import theme


class Tick(QCheckBox):
    """A check box with an outline, stronger when it has the focus."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_CheckBoxIndicator
        rect = self.style().subElementRect(part, option, self)
        painter = QPainter(self)
        _outline(painter, rect, focused=self.hasFocus())


class TickDelegate(QStyledItemDelegate):
    """Paints the boxes of a list like `Tick`."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self._view = view

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        super().paint(painter, option, index)
        whole = QStyleOptionViewItem(option)
        self.initStyleOption(whole, index)
        part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
        # The view's own style knows the padding that the stylesheet gives.
        rect = self._view.style().subElementRect(part, whole, self._view)
        _outline(painter, rect, focused=False)


def _outline(painter: QPainter, rect: QRect, *, focused: bool) -> None:
    t = theme.tokens()
    painter.save()
    # A box without a text shows the focus on itself or not at all.
    painter.setPen(QPen(QColor(t.accent if focused else t.muted), 2 if focused else 1))
    painter.drawRoundedRect(rect.adjusted(0, 0, -1, -1), 2, 2)
    painter.restore()

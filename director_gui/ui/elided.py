"""A line of text that is cut where its room ends, and can be read in full."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from director_gui.ui import theme

_LEAST = 80  # px at 100 %


class ElidedLine(QLabel):
    """One line of plain text; what is cut is in its tooltip."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def needed(self) -> int:
        """Return the width in px at which nothing is cut."""
        around = self.contentsMargins()
        text = self.fontMetrics().horizontalAdvance(self._line())
        return text + around.left() + around.right() + 2

    def setText(self, text: str) -> None:
        super().setText(text)
        self._hint()

    def minimumSizeHint(self) -> QSize:
        least = min(self.needed(), theme.px(_LEAST))
        return QSize(least, super().minimumSizeHint().height())

    def sizeHint(self) -> QSize:
        return QSize(self.needed(), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._hint()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        right = Qt.TextElideMode.ElideRight
        room = self.contentsRect()
        shown = self.fontMetrics().elidedText(self._line(), right, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, shown)

    def _line(self) -> str:
        return " ".join(self.text().split())

    def _hint(self) -> None:
        self.setToolTip(self.text() if self.needed() > self.width() else "")

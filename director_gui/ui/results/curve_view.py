"""The planner's curve: scenes across, the least detectable difference up."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from director_gui.study.results.planner import Answer
from director_gui.ui import theme

_LEFT, _BOTTOM, _TOP, _RIGHT = 48, 40, 12, 16  # px at 100 %
_ACROSS = (0, 100, 200, 300, 400)


class CurveView(QWidget):
    """Draws an answer; its sentence stands beside it as text."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._answer = Answer("", (), None)
        self.setAccessibleName("Detectable difference by number of scenes")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_answer(self, answer: Answer) -> None:
        """Draw another answer."""
        self._answer = answer
        self.setAccessibleDescription(answer.text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(theme.px(480), theme.px(280))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        t, plot = theme.tokens(), self._plot()
        painter.fillRect(self.rect(), QColor(t.panel))
        self._rules(painter, plot)
        line = QPolygonF([self._at(plot, *point) for point in self._answer.curve])
        painter.setPen(QPen(QColor(t.accent), theme.px(2)))
        painter.drawPolyline(line)
        chosen = self._answer.chosen
        # Beyond the axis the sentence says it; a dot at its end would lie.
        if chosen is not None and chosen[0] <= _ACROSS[-1]:
            painter.setBrush(QColor(t.accent))
            painter.drawEllipse(self._at(plot, *chosen), theme.px(4), theme.px(4))

    def _plot(self) -> QRectF:
        px = theme.px
        return QRectF(self.rect()).adjusted(
            px(_LEFT), px(_TOP), -px(_RIGHT), -px(_BOTTOM)
        )

    def _top(self) -> float:
        most = max((found for _, found in self._answer.curve), default=0.4)
        # Few possible tops, so that the curve does not rescale at every key.
        return next(top for top in (0.2, 0.4, 0.6, 0.8, 1.0) if top >= most - 1e-9)

    def _at(self, plot: QRectF, scenes: int, found: float) -> QPointF:
        x = plot.left() + plot.width() * scenes / _ACROSS[-1]
        return QPointF(x, plot.bottom() - plot.height() * found / self._top())

    def _rules(self, painter: QPainter, plot: QRectF) -> None:
        t, wide, high = theme.tokens(), theme.px(48), theme.px(16)
        center, right = Qt.AlignmentFlag.AlignCenter, Qt.AlignmentFlag.AlignRight
        for step in range(5):
            share = self._top() * step / 4
            at = self._at(plot, 0, share)
            painter.setPen(QColor(t.line))
            painter.drawLine(at, QPointF(plot.right(), at.y()))
            painter.setPen(QColor(t.muted))
            where = QRectF(plot.left() - wide - 6, at.y() - high / 2, wide, high)
            flags = right | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(where, flags, f"{100 * share:.0f}")
        for scenes in _ACROSS:
            x = self._at(plot, scenes, 0.0).x()
            where = QRectF(x - wide / 2, plot.bottom() + 4, wide, high)
            painter.drawText(where, center, str(scenes))
        below = QRectF(plot.left(), plot.bottom() + 20, plot.width(), high)
        words = "scenes → least difference that can be shown, points ↑"
        painter.drawText(below, center, words)

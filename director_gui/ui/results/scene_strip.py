"""Which scenes carry a difference: one bar a scene, the largest first."""

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from director_gui.stats.display import counted, points_text
from director_gui.study.results.sheet import Sheet
from director_gui.ui import theme

_HEIGHT, _MOST_HIGH, _WIDEST, _LEFT = 120, 320, 24, 44  # px at 100 %
_POINTS = 5  # the column of a scene sheet that holds the difference


class SceneStrip(QWidget):
    """Draws the table of a comparison's scenes; hovering a bar names its scene."""

    def __init__(self) -> None:
        super().__init__()
        self.bars: tuple[tuple[str, float], ...] = ()  # scene and difference, -1 to 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Differences scene by scene")

    def sizeHint(self) -> QSize:
        return QSize(theme.px(480), theme.px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, theme.px(_HEIGHT))

    def show_sheet(self, sheet: Sheet | None) -> None:
        """Show another comparison's scenes; None shows nothing."""
        found = []
        for row in sheet.rows if sheet else ():
            value = row.cells[_POINTS].value
            if isinstance(value, float):
                found.append((row.cells[0].text, value))
        self.bars = tuple(sorted(found, key=lambda bar: -bar[1]))
        self.setAccessibleDescription(self.words())
        self.setMaximumHeight(theme.px(_MOST_HIGH))
        self.setVisible(bool(found))
        self.update()

    def words(self) -> str:
        """Return what the bars say."""
        above = sum(value > 0 for _, value in self.bars)
        below = sum(value < 0 for _, value in self.bars)
        level = len(self.bars) - above - below
        return (
            f"{counted(len(self.bars), 'scene')} with answers under both conditions: "
            f"{above} above zero, {level} at zero, {below} below."
        )

    def bar_at(self, x: float) -> int:
        """Return the number of the bar at `x` px; -1 beside them."""
        at = int((x - theme.px(_LEFT)) // self._wide()) if self.bars else -1
        return at if 0 <= at < len(self.bars) else -1

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            at = self.bar_at(event.pos().x())
            if at < 0:
                QToolTip.hideText()
            else:
                scene, value = self.bars[at]
                told = f"{scene}: {points_text(value, signed=True)} points"
                QToolTip.showText(event.globalPos(), told, self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter, t = QPainter(self), theme.tokens()
        for tick in (-1.0, -0.5, 0.0, 0.5, 1.0):
            y = round(self._y(tick)) + 0.5
            painter.setPen(QPen(QColor(t.strong_line if tick == 0 else t.line), 1))
            painter.drawLine(QPointF(theme.px(_LEFT), y), QPointF(self.width(), y))
            if tick in (-1.0, 0.0, 1.0):
                painter.setPen(QColor(t.muted))
                room = QRectF(0, y - theme.S3, theme.px(_LEFT) - theme.S1, 2 * theme.S3)
                text = points_text(tick, signed=True).removesuffix(".0")
                flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                painter.drawText(room, flags, text)
        self._paint_bars(painter)
        painter.end()

    def _paint_bars(self, painter: QPainter) -> None:
        t, wide, zero = theme.tokens(), self._wide(), self._y(0.0)
        for at, (_, value) in enumerate(self.bars):
            # The colours of the forest plot; the side of the line says the same.
            color = t.cut if value > 0 else t.accent
            left = theme.px(_LEFT) + at * wide
            top = min(self._y(value), zero)
            high = max(abs(self._y(value) - zero), 1.0)
            bar = QRectF(left, top, max(wide - 1, 0.5), high)
            painter.fillRect(bar, QColor(color if value else t.strong_line))

    def _wide(self) -> float:
        room = max(self.width() - theme.px(_LEFT), 1)
        return min(room / max(len(self.bars), 1), float(theme.px(_WIDEST)))

    def _y(self, value: float) -> float:
        pad = float(theme.S3)
        return pad + (1 - value) / 2 * (self.height() - 2 * pad)

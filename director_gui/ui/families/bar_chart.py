"""Simple bars: one group a quantity, one bar a set, the paper's as a mark beside."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from director_gui.ui import theme

_BAR, _GAP, _GROUP = 14, 3, 12  # px
_LABEL, _FIGURE = 250, 130  # px


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: whose it is, its share (0-1) of the longest, and the figure's words."""

    series: int
    share: float
    words: str


@dataclass(frozen=True, slots=True)
class BarGroup:
    """Bars under one name."""

    name: str
    bars: tuple[Bar, ...]


class BarChart(QWidget):
    """Paints groups of horizontal bars, as high as they are."""

    def __init__(
        self, name: str, *, names: int = _LABEL, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._names = names
        self.groups: tuple[BarGroup, ...] = ()
        self.series: tuple[str, ...] = ()
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_bars(self, series: Sequence[str], groups: Sequence[BarGroup]) -> None:
        """Show groups of bars; `series` names their colours."""
        self.series, self.groups = tuple(series), tuple(groups)
        said = [
            f"{group.name}: "
            + ", ".join(f"{series[bar.series]} {bar.words}" for bar in group.bars)
            for group in groups
        ]
        self.setAccessibleDescription("; ".join(said))
        # The height is the number of bars.
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        bars = sum(len(group.bars) for group in self.groups)
        height = bars * theme.px(_BAR + _GAP) + len(self.groups) * theme.px(_GROUP)
        return QSize(theme.px(480), height + theme.px(_BAR + _GROUP))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.px(360), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        font = QFont(self.font())
        font.setPixelSize(theme.px(theme.CAPTION))
        painter.setFont(font)
        self._paint_legend(painter)
        top = float(theme.px(_BAR + _GROUP))
        for group in self.groups:
            top = self._paint_group(painter, group, top)

    def _paint_legend(self, painter: QPainter) -> None:
        x = float(theme.px(self._names))
        for at, name in enumerate(self.series):
            if not name:
                continue  # a series that keeps its colour for later
            size = theme.px(9)
            painter.fillRect(QRectF(x, theme.px(3), size, size), _color(at))
            painter.setPen(QColor(theme.tokens().muted))
            width = painter.fontMetrics().horizontalAdvance(name)
            spot = QRectF(x + size + 5, 0, width + 4, theme.px(_BAR))
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, name)
            x += size + width + theme.px(24)

    def _paint_group(self, painter: QPainter, group: BarGroup, top: float) -> float:
        t = theme.tokens()
        label, figure = theme.px(self._names), theme.px(_FIGURE)
        # In a narrow window bars are cut rather than turned round.
        room = max(theme.px(60), self.width() - label - figure)
        high = theme.px(_BAR)
        painter.setPen(QColor(t.text))
        name = painter.fontMetrics().elidedText(
            group.name, Qt.TextElideMode.ElideRight, label - theme.S3
        )
        spot = QRectF(0, top, label - theme.S2, high)
        painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, name)
        for bar in group.bars:
            whole = QRectF(label, top, room, high)
            painter.fillRect(whole, QColor(t.sunken))
            done = QRectF(label, top, room * bar.share, high)
            painter.fillRect(done, _color(bar.series))
            painter.setPen(QColor(t.text))
            spot = QRectF(label + room + theme.S2, top, figure - theme.S2, high)
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, bar.words)
            top += high + theme.px(_GAP)
        return top + theme.px(_GROUP)


def _color(series: int) -> QColor:
    t = theme.tokens()
    # The third is grey: a reference is no result.
    return QColor((t.accent, t.hidden, t.strong_line)[series % 3])

"""Drawings inside a table's cells: intervals of a forest plot, bars of shares."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from director_gui.stats.display import points_text
from director_gui.study.results.sheet import Bar, Interval, Mark, Row, Stack
from director_gui.ui import theme

# Okabe and Ito's colours, which colour-blind readers can tell apart; `unseen` is grey.
KIND_COLORS = {
    "hidden": "#d55e00",
    "director_view": "#0072b2",
    "largest_digit": "#e69f00",
    "other_visible": "#56b4e9",
    "unseen": "#8c8c8c",
    "not_a_block": "#c8c8c8",
}
_BAR = KIND_COLORS["other_visible"]  # light enough for a whisker in either theme
_PAD = 22  # px at 100 %
_REACHES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.5, 2.0)  # 2: a difference of differences


@dataclass(frozen=True, slots=True)
class Axis:
    """What a column of drawings spans, -1 to 1 or 0 to 1; `rules` are dashed lines."""

    low: float
    high: float
    rules: tuple[float, ...] = ()

    def x(self, value: float, rect: QRectF) -> float:
        """Return where `value` lies inside a cell, in px."""
        pad = theme.px(_PAD)
        share = (value - self.low) / (self.high - self.low)
        return rect.left() + pad + (rect.width() - 2 * pad) * share

    @property
    def ticks(self) -> tuple[float, ...]:
        """The ends, the middle and the quarters."""
        step = (self.high - self.low) / 4
        return tuple(self.low + step * at for at in range(5))


def axis_of(rows: tuple[Row, ...], column: int, rules: tuple[float, ...] = ()) -> Axis:
    """Return the axis that holds every mark of a column, and its dashed lines.

    Differences stand around zero in steps of 20 points, so that the plots of two
    families can be laid side by side.
    """
    ends = [abs(rule) for rule in rules]
    for row in rows:
        mark = row.cells[column].mark
        if isinstance(mark, Stack | Bar):
            return Axis(0.0, 1.0)
        if isinstance(mark, Interval):
            ends += [
                abs(v) for v in (mark.low, mark.middle, mark.high) if v is not None
            ]
    most = max(ends, default=0.0)
    # Weights of the user's own may reach further than any of them.
    reach = next((r for r in _REACHES if r >= most - 1e-9), most)
    return Axis(-reach, reach, rules)


def paint(painter: QPainter, rect: QRectF, axis: Axis, mark: Mark) -> None:
    """Draw a mark into its cell."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if isinstance(mark, Stack):
        _paint_stack(painter, rect, axis, mark)
    elif isinstance(mark, Bar):
        _paint_bar(painter, rect, axis, mark)
    else:
        _paint_interval(painter, rect, axis, mark)


def paint_axis(painter: QPainter, rect: QRectF, axis: Axis, title: str) -> None:
    """Draw the title and the tick labels that head a column of drawings."""
    t = theme.tokens()
    half = rect.height() / 2
    painter.setPen(QColor(t.muted))
    top = QRectF(rect.left() + theme.S1, rect.top(), rect.width() - theme.S2, half)
    painter.drawText(top, Qt.AlignmentFlag.AlignVCenter, title)
    wide = float(theme.px(48))
    # In a narrow column the quarters would run into each other.
    step = 1 if rect.width() >= len(axis.ticks) * wide else 2
    # No wider than the room around the last tick: beside it the next column begins.
    wide = min(wide, rect.width() / len(axis.ticks[::step]), 2.0 * theme.px(_PAD))
    for tick in axis.ticks[::step]:
        text = f"{points_text(tick, signed=axis.low < 0)}".removesuffix(".0")
        x = axis.x(tick, rect)
        where = QRectF(x - wide / 2, rect.top() + half, wide, half)
        painter.drawText(where, Qt.AlignmentFlag.AlignCenter, text)


def _paint_interval(
    painter: QPainter, rect: QRectF, axis: Axis, mark: Interval
) -> None:
    t = theme.tokens()
    _paint_rules(painter, rect, axis)
    # Colour only repeats the call in words: it may be lost in print.
    color = QColor({"up": t.cut, "down": t.accent}.get(mark.kind, t.text))
    middle = rect.center().y()
    painter.setPen(QPen(color, theme.px(2)))
    if mark.low is not None and mark.high is not None:
        _paint_whisker(
            painter, (axis.x(mark.low, rect), axis.x(mark.high, rect)), middle
        )
    if mark.middle is not None:
        painter.setBrush(color)
        size = theme.px(4)
        painter.drawEllipse(QPointF(axis.x(mark.middle, rect), middle), size, size)


def _paint_bar(painter: QPainter, rect: QRectF, axis: Axis, mark: Bar) -> None:
    t, middle, bar = theme.tokens(), rect.center().y(), theme.px(12)
    _paint_rules(painter, rect, axis)
    if mark.share is None:
        return
    left, right = axis.x(0.0, rect), axis.x(mark.share, rect)
    painter.fillRect(QRectF(left, middle - bar / 2, right - left, bar), QColor(_BAR))
    if mark.low is not None and mark.high is not None:
        painter.setPen(QPen(QColor(t.text), theme.px(1)))
        _paint_whisker(
            painter, (axis.x(mark.low, rect), axis.x(mark.high, rect)), middle
        )


def _paint_rules(painter: QPainter, rect: QRectF, axis: Axis) -> None:
    t = theme.tokens()
    for tick in axis.ticks:
        zero = abs(tick) < 1e-9
        painter.setPen(QPen(QColor(t.strong_line if zero else t.line), 1))
        x = round(axis.x(tick, rect)) + 0.5
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))
    painter.setPen(QPen(QColor(t.muted), 1, Qt.PenStyle.DashLine))
    for rule in axis.rules:
        x = round(axis.x(rule, rect)) + 0.5
        painter.drawLine(QPointF(x, rect.top()), QPointF(x, rect.bottom()))


def _paint_whisker(painter: QPainter, ends: tuple[float, float], middle: float) -> None:
    painter.drawLine(QPointF(ends[0], middle), QPointF(ends[1], middle))
    cap = theme.px(4)
    for x in ends:
        painter.drawLine(QPointF(x, middle - cap), QPointF(x, middle + cap))


def _paint_stack(painter: QPainter, rect: QRectF, axis: Axis, mark: Stack) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    at = 0.0
    bar = theme.px(14)
    for kind, share in mark.parts:
        left, right = axis.x(at, rect), axis.x(at + share, rect)
        painter.setBrush(QColor(KIND_COLORS[kind]))
        # A hairline between neighbours tells them apart without colour.
        width = max(right - left - 1, 0.5)
        painter.drawRect(QRectF(left, rect.center().y() - bar / 2, width, bar))
        at += share

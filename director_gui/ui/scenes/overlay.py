"""What is painted over a view: outlines, handles, eyes, lines of sight.

Painted by Qt from the scene's own geometry, so it costs no drawing of the scene and
never gets into a picture.
"""

from math import cos, radians, sin

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from director_gui.geometry.boxes import EDGES, Floats, box_of
from director_gui.geometry.camera import basis_of
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint
from director_gui.ui import theme
from director_gui.ui.scenes.handles import Handle, eyes_of, handles_of, ring_radius

_NEAR = 0.02  # m in front of the eye; nearer points have no place in the view
_KNOB = 5.0  # px, radius
_CONE = 0.32  # m, length of the drawn field of view


class Projector:
    """Turns points in space into positions in one widget's picture."""

    def __init__(self, view: Viewpoint, frame: QRectF) -> None:
        self.eye = view.eye
        self._basis = basis_of(view)
        self._frame = frame
        # The field of view is the vertical one, so height sets the scale.
        self._half = frame.height() / 2

    def spots(self, points: Floats) -> list[QPointF | None]:
        """Return positions in the widget, None for what is behind the eye."""
        seen = self._basis.to_eye(points)
        # What is behind is left out below; here it only must not divide by 0.
        depth = np.maximum(seen[:, 2:], _NEAR)
        plane = seen[:, :2] / (depth * self._basis.slope)
        center = self._frame.center()
        return [
            QPointF(center.x() + x * self._half, center.y() - y * self._half)
            if ahead
            else None
            for (x, y), ahead in zip(
                plane.tolist(), (seen[:, 2] > _NEAR).tolist(), strict=True
            )
        ]

    def spot(self, point: Point) -> QPointF | None:
        """Return the position of one point, None when it is behind the eye."""
        return self.spots(np.array([point]))[0]

    def polygon(self, points: Floats) -> QPolygonF:
        """Return a polygon; empty when a corner is behind the eye."""
        if not len(points):
            return QPolygonF()
        spots = self.spots(points)
        # A polygon that passes the eye would be drawn turned inside out.
        if any(spot is None for spot in spots):
            return QPolygonF()
        return QPolygonF([spot for spot in spots if spot is not None])


def paint_sight_lines(painter: QPainter, to: Projector, scene: Scene) -> None:
    """Draw the director's lines of sight over each partition's upper corners."""
    color = QColor(theme.tokens().hidden)
    color.setAlpha(120)
    painter.setPen(QPen(color, 1.0, Qt.PenStyle.DotLine))
    eye = to.spot(scene.director.eye)
    if eye is None:
        return
    for partition in scene.partitions:
        corners = box_of(partition).corners()
        # The upper edge is where hiding ends: what rises above these lines is seen.
        for spot in to.spots(corners[corners[:, 2] > partition.height / 2]):
            if spot is not None:
                painter.drawLine(eye, spot)


def paint_lit(
    painter: QPainter,
    to: Projector,
    scene: Scene,
    selected: Item | None,
    hovered: Item | None,
    *,
    quick: bool = False,
) -> None:
    """Draw the edges of the selected and of the hovered block or partition.

    While something is dragged (`quick`) they go without their rim.
    """
    # The selected last, so that its outline lies on top.
    for item in (hovered if hovered != selected else None, selected):
        thing = edits.solid(scene, item) if item else None
        if thing is not None:
            paint_box(painter, to, thing, strong=item == selected and not quick)


def paint_box(
    painter: QPainter, to: Projector, thing: Block | Partition, *, strong: bool
) -> None:
    """Draw the edges of a selected (`strong`) or hovered block or partition."""
    color = QColor(theme.tokens().accent)
    spots = to.spots(box_of(thing).corners())
    ends = [(spots[a], spots[b]) for a, b in EDGES]
    lines = [QLineF(a, b) for a, b in ends if a is not None and b is not None]
    if strong:  # a light rim, so that the outline shows on any colour
        painter.setPen(QPen(QColor(255, 255, 255, 150), 4.0))
        painter.drawLines(lines)
    painter.setPen(QPen(color, 2.0 if strong else 1.4))
    painter.drawLines(lines)


def paint_handles(
    painter: QPainter, to: Projector, scene: Scene, item: Item, lit: Handle | None
) -> None:
    """Draw the ring and the knobs of the selected item."""
    thing = edits.solid(scene, item)
    if thing is not None:
        _paint_ring(painter, to, thing)
    for handle in handles_of(scene, item, to.eye):
        spot = to.spot(handle.point)
        if spot is not None:
            _paint_knob(painter, spot, handle.name, lit=handle == lit)


def paint_eyes(
    painter: QPainter, to: Projector, scene: Scene, selected: Item | None
) -> None:
    """Draw the director's and the camera's eye with a cone of what they look at."""
    views = (("director", scene.director), ("camera", scene.camera))
    for (name, view), handle in zip(views, eyes_of(scene), strict=True):
        chosen = selected == handle.item
        color = QColor(theme.tokens().accent if chosen else theme.tokens().muted)
        paint_cone(painter, to, view, scene.picture.aspect, QPen(color, 1.0))
        spot = to.spot(view.eye)
        if spot is not None:
            # White in both themes: the scene behind is the same in both.
            painter.setPen(QPen(QColor("white"), 1.5))
            painter.setBrush(color)
            painter.drawEllipse(spot, _KNOB + 1, _KNOB + 1)
            _paint_name(painter, spot, name)


def paint_cone(
    painter: QPainter, to: Projector, view: Viewpoint, aspect: float, pen: QPen
) -> None:
    """Draw the edges of what an eye has in its picture, up to a little before it."""
    basis = basis_of(view)
    ways = [
        basis.direction(x * aspect, y) for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))
    ]
    ends = np.asarray(view.eye) + _CONE * np.array(ways)
    spots, eye = to.spots(ends), to.spot(view.eye)
    painter.setPen(pen)
    for i, spot in enumerate(spots):
        following = spots[(i + 1) % 4]
        if spot is None or following is None or eye is None:
            continue
        painter.drawLine(eye, spot)
        painter.drawLine(spot, following)


def _paint_name(painter: QPainter, spot: QPointF, name: str) -> None:
    font = painter.font()
    font.setPixelSize(theme.px(theme.CAPTION))
    painter.setFont(font)
    at = QPointF(spot.x() + 10, spot.y() - 6)
    width = painter.fontMetrics().horizontalAdvance(name)
    box = QRectF(at.x() - 4, at.y() - theme.px(11), width + 8, theme.px(15))
    backdrop = QColor(theme.tokens().panel)
    backdrop.setAlpha(215)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(backdrop)
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QColor(theme.tokens().text))
    painter.drawText(at, name)


def _paint_ring(painter: QPainter, to: Projector, thing: Block | Partition) -> None:
    radius = ring_radius(thing)
    turns = [radians(360 * i / 48) for i in range(48)]
    around = [
        (thing.x + radius * cos(a), thing.y + radius * sin(a), 0.002) for a in turns
    ]
    color = QColor(theme.tokens().accent)
    color.setAlpha(150)
    painter.setPen(QPen(color, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(to.polygon(np.array(around)))


def _paint_knob(painter: QPainter, spot: QPointF, name: str, *, lit: bool) -> None:
    accent = QColor(theme.tokens().accent)
    painter.setPen(QPen(accent, 2.0))
    painter.setBrush(accent if lit else QColor("white"))
    size = _KNOB + (1.5 if lit else 0.0)
    # Round for what turns, square for what moves or resizes.
    if name in ("rotate", "eye", "aim"):
        painter.drawEllipse(spot, size, size)
    else:
        painter.drawRect(QRectF(spot.x() - size, spot.y() - size, 2 * size, 2 * size))

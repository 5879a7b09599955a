"""A family in space: one of its scenes, and all that may be otherwise as ghosts."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import atan2, radians, remainder, tau

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from director_gui.errors import UserError
from director_gui.families.example import Example
from director_gui.families.model import Family, Span
from director_gui.render.ghosts import Ghost
from director_gui.render.live import LiveStage, Wish
from director_gui.scene.model import Scene, Viewpoint
from director_gui.ui import theme
from director_gui.ui.families.extents import Role, Spot
from director_gui.ui.families.ghost import NOTHING, color_of, paint_legend
from director_gui.ui.families.volumes import Volume, volumes_of
from director_gui.ui.image_view import ImageView, Pixels
from director_gui.ui.scenes import overlay
from director_gui.ui.scenes.orbit import Orbit, fitted

_NAME = "family"  # in the stage
_TOKENS = theme.LIGHT  # the room is as light in the dark theme
LOOKING = "Looking for a scene of this family"
_FILM, _BODY = 0.22, 0.16  # opacity
_EDGE = 110  # alpha of a body's edges
_TURN, _KEY_TURN = 0.4, 6.0  # degrees of orbit for a pixel, for a key
_REST_MS = 150
_SMOOTH = 2  # pixels drawn for one that is shown, both ways, at rest
_SHARP = radians(20)  # a bend of an outline that shows as an upright edge
_MOST_PIXELS = 400_000  # of a view that is drawn so; a larger one would take too long
_TURNS = {
    Qt.Key.Key_Left: (-_KEY_TURN, 0.0),
    Qt.Key.Key_Right: (_KEY_TURN, 0.0),
    Qt.Key.Key_Up: (0.0, _KEY_TURN),
    Qt.Key.Key_Down: (0.0, -_KEY_TURN),
}


class SpaceView(ImageView):
    """Looks at a family from anywhere; nothing in it can be moved."""

    failed = Signal(object)  # UserError: OpenGL cannot draw here

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._stage: LiveStage | None = None
        self._broken = False
        self._family: Family | None = None
        self._example: Example | None = None
        self.volumes: list[Volume] = []
        self._orbit: Orbit | None = None
        self._turned = False  # by the user, who then keeps the side that was chosen
        self._last: QPointF | None = None
        self._sharp = False
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._sharpen)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Extents of the family, in space")
        self.setToolTip(
            "Drag to look around · Shift+drag to pan · wheel to zoom · "
            "double-click to see all"
        )

    def show_family(self, family: Family | None, example: Example | None) -> None:
        """Show a family around one of its scenes, or nothing."""
        self._family = family
        self._example = None if family is None else example
        self.volumes = []
        if family is not None and example is not None:
            self.volumes = volumes_of(family, example)
        self.refresh()

    def fit(self) -> None:
        """Show the table, the director and the camera."""
        if self._example is not None:
            self._look(fitted(self._example.scene, self._aspect(), self._orbit))
            self._turned = False

    def refit(self) -> None:
        """Show all of what is shown next, from the usual side."""
        self._orbit, self._turned = None, False

    def close_views(self) -> None:
        """Free the window; nothing is drawn after this."""
        self._rest.stop()
        self._broken = True
        if self._stage is not None:
            self._stage.close()
            self._stage = None

    @property
    def orbit(self) -> Orbit:
        """From where it looks."""
        if self._orbit is None:
            example = self._example
            start = Orbit((0.0, 0.0, 0.0))
            if example is None:
                return start
            self._orbit = fitted(example.scene, self._aspect(), start)
        return self._orbit

    # Drawing ------------------------------------------------------------------

    def refresh(self) -> None:
        self._sharp = False
        self._rest.start()
        self._open()
        self._mark()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def draw_pixels(self) -> Pixels | None:
        if self._example is None or self._stage is None:
            return None
        return self._stage.take(_NAME)

    def _open(self) -> None:
        """Open a window for OpenGL as soon as there is something to see."""
        # Not while painting: an error that is kept would keep the painter with it.
        needed = self._stage is None and self._example is not None
        if self._broken or not needed or not self.isVisible():
            return
        try:
            self._stage = LiveStage()
        except UserError as error:
            self._broken = True
            self.failed.emit(error)
        else:
            self._stage.add(_NAME, self._wish, figure=True)

    def _mark(self) -> None:
        if self._stage is not None:
            self._stage.mark(_NAME)
        super().refresh()

    def _sharpen(self) -> None:
        width, height = self.pixel_size()
        if self.isVisible() and width * height <= _MOST_PIXELS:
            self._sharp = True
            self._mark()

    def _wish(self) -> Wish:
        if self._example is None:  # nothing is drawn without one
            raise RuntimeError(_NAME)
        fine = _SMOOTH if self._sharp else 1
        width, height = self.pixel_size()
        return Wish(
            self._example.scene,
            self.orbit.viewpoint(),
            (fine * width, fine * height),
            ghosts=tuple(map(_ghost, self.volumes)),
        )

    def paint_over(self, painter: QPainter) -> None:
        if self._example is None or self._stage is None:
            painter.fillRect(self.rect(), QColor(theme.tokens().sunken))
            painter.setPen(QColor(theme.tokens().muted))
            center = Qt.AlignmentFlag.AlignCenter
            painter.drawText(self.rect(), center, self._why_empty())
            return
        to = overlay.Projector(self.orbit.viewpoint(), QRectF(self.frame()))
        for volume in self.volumes:
            _paint_edges(painter, to, volume)
        self._paint_fields(painter, to, self._example.scene)
        overlay.paint_eyes(painter, to, self._example.scene, None)
        roles = {volume.role for volume in self.volumes}
        paint_legend(painter, roles, _TOKENS)

    def _paint_fields(
        self, painter: QPainter, to: overlay.Projector, scene: Scene
    ) -> None:
        """Draw the narrowest and the widest field of view of eyes that have a range."""
        family = self._family
        if family is None:
            return
        eyes: tuple[tuple[Role, Viewpoint, Span], ...] = (
            ("director", scene.director, family.director.fov),
            ("camera", scene.camera, family.camera.fov),
        )
        for role, eye, fov in eyes:
            pen = QPen(color_of(role, _EDGE, _TOKENS), 1.0, Qt.PenStyle.DashLine)
            for end in (fov.low, fov.high) if fov.low < fov.high else ():
                view = replace(eye, fov=end)
                overlay.paint_cone(painter, to, view, scene.picture.aspect, pen)

    def _why_empty(self) -> str:
        if self._broken:
            return "OpenGL cannot draw here"
        return NOTHING if self._family is None else LOOKING

    # Looking around -----------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._last = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._last is None or not event.buttons():
            return
        step = event.position() - self._last
        self._last = event.position()
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            height = max(1, self.height())
            self._look(self.orbit.panned(step.x() / height, -step.y() / height))
        else:
            self._look(self.orbit.turned(_TURN * step.x(), _TURN * step.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._last = None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        del event
        self.fit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._look(self.orbit.zoomed(0.999 ** event.angleDelta().y()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        turn = _TURNS.get(Qt.Key(event.key()))
        zoom = {"+": 0.9, "-": 1 / 0.9}.get(event.text())
        if turn is not None:
            self._look(self.orbit.turned(*turn))
        elif zoom is not None:
            self._look(self.orbit.zoomed(zoom))
        elif event.key() == Qt.Key.Key_Home:
            self.fit()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._turned:
            self.refit()

    def _look(self, orbit: Orbit) -> None:
        self._turned = True
        if orbit != self._orbit:
            self._orbit = orbit
            self.refresh()

    def _aspect(self) -> float:
        return self.width() / max(1, self.height())


def _ghost(volume: Volume) -> Ghost:
    opacity = _FILM if volume.low == volume.high else _BODY
    color = color_of(volume.role, tokens=_TOKENS).name()
    return Ghost(volume.outline, volume.low, volume.high, color, opacity)


def _paint_edges(painter: QPainter, to: overlay.Projector, volume: Volume) -> None:
    painter.setPen(QPen(color_of(volume.role, _EDGE, _TOKENS), 1.0))
    painter.drawLines(list(_edges(to, volume)))


def _edges(to: overlay.Projector, volume: Volume) -> Iterable[QLineF]:
    heights = sorted({volume.low, volume.high})
    rings = [
        to.spots(np.array([(x, y, height) for x, y in volume.outline]))
        for height in heights
    ]
    pairs = [
        pair for ring in rings for pair in zip(ring, ring[1:] + ring[:1], strict=True)
    ]
    if len(rings) == 2:
        pairs += [(rings[0][i], rings[1][i]) for i in _corners(volume.outline)]
    for a, b in pairs:
        if a is not None and b is not None:
            yield QLineF(a, b)


def _corners(outline: Sequence[Spot]) -> list[int]:
    """Return which corners bend enough to be seen as an edge: an arc has none."""
    ways = [
        atan2(b[1] - a[1], b[0] - a[0])
        for a, b in zip(outline, (*outline[1:], outline[0]), strict=True)
    ]
    # The way that ends in a corner is the one before the way that begins there.
    bends = [remainder(way - ways[i - 1], tau) for i, way in enumerate(ways)]
    return [i for i, bend in enumerate(bends) if bend > _SHARP]

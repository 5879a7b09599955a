"""The large editing view: look around, take hold, drag, turn, resize, nudge."""

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from director_gui.geometry.camera import ray_through
from director_gui.render.bake import Baked
from director_gui.render.live import LiveStage, Wish
from director_gui.render.still import JITTER
from director_gui.scene.items import Item
from director_gui.scene.model import Scene, Viewpoint
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.image_view import ImageView, Pixels
from director_gui.ui.scenes import gestures, overlay
from director_gui.ui.scenes.gestures import FREE, Gesture, Ray, Snap
from director_gui.ui.scenes.handles import REACH, Handle, eyes_of, handles_of
from director_gui.ui.scenes.orbit import Orbit, facing, fitted
from director_gui.ui.scenes.picture_view import item_at

_Frame = NDArray[np.uint16]  # (height, width, 3), one of the shifted frames
_NAME = "edit"  # in the stage
_SMOOTH_MS = 20  # between the frames of a smooth picture: input comes first
_REST_MS = 150
_TURN = 0.4  # degrees of orbit for a pixel
_NUDGE, _FINE, _COARSE = 0.01, 0.001, 0.05  # m
_STEP_ANGLE = 5.0  # degrees
_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class EditView(ImageView):
    """Shows the scene from anywhere and turns input into edits of the document."""

    dragging_changed = Signal(bool)
    camera_moved = Signal()

    def __init__(
        self, document: Document, stage: LiveStage, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._stage = stage
        stage.add(_NAME, self._wish, figure=True)
        self._orbit = fitted(document.scene, 1.4)
        self._fit_pending = True
        self._gesture: Gesture | None = None
        self._gesture_id = 0
        self._last: QPointF | None = None
        self._lit: Handle | None = None
        self._around: tuple[object, QPixmap] | None = None
        self._frames: list[_Frame] = []
        self._smooth = QTimer(self, singleShot=True, interval=_SMOOTH_MS)
        self._smooth.timeout.connect(self._add_frame)
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._add_frame)
        self.snap = Snap()
        self.snapping = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Editing view of the scene")
        document.scene_changed.connect(self._scene_changed)
        document.selection_changed.connect(self.update)
        document.hover_changed.connect(self.update)
        document.replaced.connect(self.fit)

    @property
    def dragging(self) -> bool:
        """Whether the pointer holds something."""
        return self._gesture is not None

    @property
    def viewpoint(self) -> Viewpoint:
        """The editing camera."""
        return self._orbit.viewpoint()

    def relight(self, scene: Scene, baked: Baked) -> None:
        """Show baked light until the scene changes again."""
        self._stage.relight(_NAME, scene, baked)
        self.refresh()
        self._frames = []
        self._smooth.start()

    def _add_frame(self) -> None:
        """Add one shifted frame; the mean of all is shown once it is complete."""
        if self.is_stale or self.dragging:
            self._frames = []  # something moved: the next rest starts anew
            return
        drawn = self._stage.shifted(_NAME, JITTER[len(self._frames)])
        self._frames.append(drawn.astype(np.uint16))
        if len(self._frames) < len(JITTER):
            self._smooth.start()
        else:
            mean = (sum(self._frames) + len(JITTER) // 2) // len(JITTER)
            self.show_pixels(np.asarray(mean, np.uint8))
            self._frames = []

    def stop(self) -> None:
        """Draw no more on its own: the stage is about to close."""
        self._smooth.stop()
        self._rest.stop()

    def fit(self) -> None:
        """Show the table, the director and the camera."""
        self._set_orbit(fitted(self._document.scene, self._aspect(), self._orbit))

    def look_from(self, view: Viewpoint) -> None:
        """Turn the editing camera to look the way `view` does."""
        turned = facing(self._orbit, view)
        self._set_orbit(fitted(self._document.scene, self._aspect(), turned))

    def look_down(self) -> None:
        """Look at the table from above, the model's side at the bottom."""
        above = Orbit(self._orbit.target, -90.0, 88.0, self._orbit.distance)
        self._set_orbit(fitted(self._document.scene, self._aspect(), above))

    def refresh(self) -> None:
        self._stage.mark(_NAME)
        super().refresh()

    def draw_pixels(self) -> Pixels:
        return self._stage.take(_NAME)

    def _wish(self) -> Wish:
        shade = theme.tokens().hidden
        return Wish(self._document.scene, self.viewpoint, self.pixel_size(), shade)

    def paint_over(self, painter: QPainter) -> None:
        document = self._document
        scene, to = document.scene, self._projector()
        painter.drawPixmap(0, 0, self._surroundings(to))
        lit = (document.selection, document.hover)
        overlay.paint_lit(painter, to, scene, *lit, quick=self.dragging)
        if document.selection is not None:
            overlay.paint_handles(painter, to, scene, document.selection, self._lit)

    def _surroundings(self, to: overlay.Projector) -> QPixmap:
        """Return eyes and lines of sight, painted anew only when they changed."""
        scene, ratio = self._document.scene, self.devicePixelRatioF()
        selection = self._document.selection
        eye = selection if selection and selection.kind != "block" else None
        shown = (
            scene.director, scene.camera, scene.partitions, scene.picture,
            self.viewpoint, self.size(), ratio, eye, theme.tokens(),
        )  # fmt: skip
        if self._around is None or self._around[0] != shown:
            layer = QPixmap(self.size() * ratio)
            layer.setDevicePixelRatio(ratio)
            layer.fill(Qt.GlobalColor.transparent)
            painter = QPainter(layer)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            overlay.paint_sight_lines(painter, to, scene)
            overlay.paint_eyes(painter, to, scene, eye)
            painter.end()
            self._around = (shown, layer)
        return self._around[1]

    # Pointer ------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._last = event.position()
        plain = not event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if event.button() == Qt.MouseButton.LeftButton and plain:
            self._take_hold(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._gesture is not None:
            self._drag_on(event)
        elif event.buttons() and self._last is not None:
            self._look_around(event, event.position() - self._last)
            self._last = event.position()
        else:
            self._light(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        del event
        self._last = None
        self._let_go()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(0.999 ** event.angleDelta().y())

    def leaveEvent(self, event: object) -> None:
        del event
        self._lit = None
        self._document.set_hover(None)

    def zoom(self, factor: float) -> None:
        """Bring the editing camera closer (below 1) or farther away."""
        self._set_orbit(self._orbit.zoomed(factor))

    # Keys ---------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self._document.selection
        arrow = _ARROWS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape and self._gesture is not None:
            self._give_up()
        elif event.key() == Qt.Key.Key_Escape:
            self._document.select(None)
        elif arrow is not None and item is not None:
            self._nudge(item, arrow, event.modifiers())
        elif item is None or not self._other_key(item, event.text()):
            super().keyPressEvent(event)

    def _other_key(self, item: Item, text: str) -> bool:
        scene = self._document.scene
        changes = {
            "[": lambda: gestures.turned_by(scene, item, _STEP_ANGLE),
            "]": lambda: gestures.turned_by(scene, item, -_STEP_ANGLE),
            "+": lambda: gestures.grown_by(scene, item, _NUDGE),
            "-": lambda: gestures.grown_by(scene, item, -_NUDGE),
        }
        if text not in changes:
            return False
        verb = "Turn" if text in "[]" else "Resize"
        self._document.apply(changes[text](), f"{verb} {item}")
        return True

    def _nudge(
        self, item: Item, arrow: tuple[int, int], keys: Qt.KeyboardModifier
    ) -> None:
        step = _NUDGE
        if keys & Qt.KeyboardModifier.AltModifier:
            step = _FINE
        elif keys & Qt.KeyboardModifier.ShiftModifier:
            step = _COARSE
        right, away = self._orbit.axis_steps()
        dx = step * (arrow[0] * right[0] + arrow[1] * away[0])
        dy = step * (arrow[0] * right[1] + arrow[1] * away[1])
        moved = gestures.nudged(self._document.scene, item, dx, dy)
        self._document.apply(moved, f"Nudge {item}")

    # Dragging -----------------------------------------------------------------

    def _take_hold(self, at: QPointF) -> None:
        ray, scene = self._ray(at), self._document.scene
        handle = self._handle_at(at)
        if handle is None:
            item = item_at(scene, ray)
            self._document.select(item)
            if item is None:
                return
            met = gestures.first_met(scene, ray)
            handle = Handle(item, "body", met)
        elif self._document.selection != handle.item:
            self._document.select(handle.item)
        self._gesture = Gesture(scene, handle, ray, handle.point)
        self._gesture_id = self._document.begin_gesture()
        self.dragging_changed.emit(True)

    def _drag_on(self, event: QMouseEvent) -> None:
        if self._gesture is None:
            return
        free = event.modifiers() & Qt.KeyboardModifier.AltModifier or not self.snapping
        snap = FREE if free else self.snap
        scene = self._gesture.moved(self._ray(event.position()), snap)
        self._document.apply(scene, self._gesture.text, self._gesture_id)

    def _let_go(self) -> None:
        if self._gesture is not None:
            self._gesture = None
            self.dragging_changed.emit(False)

    def _give_up(self) -> None:
        if self._gesture is not None:
            back, text = self._gesture.scene, self._gesture.text
            self._document.apply(back, text, self._gesture_id)
            self._last = None  # the button is still down, but holds nothing now
            self._let_go()

    def _look_around(self, event: QMouseEvent, step: QPointF) -> None:
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift or event.buttons() & Qt.MouseButton.MiddleButton:
            height = max(1, self.height())
            orbit = self._orbit.panned(step.x() / height, -step.y() / height)
        else:
            orbit = self._orbit.turned(_TURN * step.x(), _TURN * step.y())
        self._set_orbit(orbit)

    def _light(self, at: QPointF) -> None:
        handle = self._handle_at(at)
        if handle != self._lit:
            self._lit = handle
            self.update()
        item = None if handle else item_at(self._document.scene, self._ray(at))
        self._document.set_hover(item)
        held = handle is not None or item is not None
        self.setCursor(
            Qt.CursorShape.OpenHandCursor if held else Qt.CursorShape.ArrowCursor
        )

    def _handle_at(self, at: QPointF) -> Handle | None:
        scene, item = self._document.scene, self._document.selection
        eye = self.viewpoint.eye
        own = handles_of(scene, item, eye) if item else ()
        handles = (*own, *eyes_of(scene))
        to = self._projector()
        nearest, best = REACH, None
        for handle in handles:
            spot = to.spot(handle.point)
            if spot is None:
                continue
            away = (spot - at).manhattanLength()
            if away < nearest:
                nearest, best = away, handle
        return best

    def _ray(self, at: QPointF) -> Ray:
        u, v = self.picture_point(at) or (0.5, 0.5)
        return ray_through(self.viewpoint, self._aspect(), u, v)

    def _projector(self) -> overlay.Projector:
        return overlay.Projector(self.viewpoint, QRectF(self.frame()))

    def _aspect(self) -> float:
        return self.width() / max(1, self.height())

    def _set_orbit(self, orbit: Orbit) -> None:
        if orbit != self._orbit:
            self._orbit = orbit
            self.refresh()
            self._rest.start()
            self.camera_moved.emit()

    def _scene_changed(self, scene: Scene) -> None:
        del scene
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._frames = []  # frames of two sizes have no mean
        if self._fit_pending and self.isVisible():
            self._fit_pending = False
            self.fit()

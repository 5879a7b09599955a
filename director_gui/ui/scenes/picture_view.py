"""The model's picture and the director's view, letterboxed to the picture's shape."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from director_gui.geometry.camera import pick, ray_through
from director_gui.render.live import LiveStage, Wish
from director_gui.scene.items import Item
from director_gui.scene.model import Scene, ViewName
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.elided import ElidedLine
from director_gui.ui.image_view import ImageView, Pixels
from director_gui.ui.scenes import overlay
from director_gui.ui.widgets import label


def item_at(scene: Scene, ray: tuple[tuple[float, float, float], ...]) -> Item | None:
    """Return the block or partition that a ray (origin, direction) meets first."""
    met = pick(scene, ray[0], ray[1])
    if met is None:
        return None
    kind, index, _ = met
    if kind == "block":
        # By digit: places in the list change with every deletion.
        return Item("block", scene.blocks[index].digit)
    return Item("partition", index)


class PictureView(ImageView):
    """One of the two fixed views; a click selects, hovering lights a block."""

    def __init__(
        self,
        document: Document,
        stage: LiveStage,
        view: ViewName,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.view: ViewName = view
        self._document = document
        self._stage = stage
        self.quiet = False  # no outlines while something is dragged
        # The director's figure would hide the director's own view (METHOD §2).
        stage.add(view, self._wish, figure=view == "model")
        self.aspect = document.scene.picture.aspect
        whose = (
            "The picture that the model gets"
            if view == "model"
            else "The director's view"
        )
        self.setAccessibleName(whose)
        document.scene_changed.connect(self._scene_changed)
        document.selection_changed.connect(self.update)
        document.hover_changed.connect(self.update)

    def refresh(self) -> None:
        # All views share one window; only those marked are drawn again.
        self._stage.mark(self.view)
        super().refresh()

    def draw_pixels(self) -> Pixels:
        return self._stage.take(self.view)

    def _wish(self) -> Wish:
        scene = self._document.scene
        return Wish(scene, scene.viewpoint(self.view), self.pixel_size())

    def paint_over(self, painter: QPainter) -> None:
        if self.quiet:
            return
        document = self._document
        scene = document.scene
        to = overlay.Projector(scene.viewpoint(self.view), QRectF(self.frame()))
        overlay.paint_lit(painter, to, scene, document.selection, document.hover)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._document.set_hover(self._item_under(event))

    def leaveEvent(self, event: object) -> None:
        del event
        self._document.set_hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._document.select(self._item_under(event))

    def _item_under(self, event: QMouseEvent) -> Item | None:
        # None beside the picture, in the bars that keep its shape.
        point = self.picture_point(event.position())
        if point is None:
            return None
        scene = self._document.scene
        eye = scene.viewpoint(self.view)
        # By geometry: it takes 0.1 ms and needs no OpenGL.
        return item_at(scene, ray_through(eye, scene.picture.aspect, *point))

    def _scene_changed(self, scene: Scene) -> None:
        self.aspect = scene.picture.aspect
        self.refresh()


class TitledPicture(QWidget):
    """A picture view under its title and its size."""

    def __init__(self, title: str, picture: PictureView) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(theme.S3, theme.S1, theme.S3, theme.S1)
        words = ElidedLine(title)
        words.setProperty("role", "section")
        head.addWidget(words, 1)
        self.note = label("", "caption")
        head.addWidget(self.note)
        column.addLayout(head)
        column.addWidget(picture, 1)

"""The chosen scene beside the table: its two pictures and its replies."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from director_gui.scene.model import Scene, ViewName
from director_gui.study.results.scene_look import Look
from director_gui.study.results.sheet import Sheet
from director_gui.ui import theme
from director_gui.ui.probe.side_by_side import Picture
from director_gui.ui.results.sheet_page import SheetPage
from director_gui.ui.widgets import button, label

_NAMES: dict[ViewName, str] = {"model": "The picture", "director": "Director’s view"}
_WIDE = 184  # px of a picture at 100 %
_NOTHING = "Choose a scene to see its pictures and its replies."
_UNKNOWN = "This study holds no scene of this name, so there is no picture to show."


class SceneLook(QWidget):
    """Shows one scene at a time."""

    edit_wanted = Signal(object)  # Scene

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self.title = label(_NOTHING, "strong", wrap=True)
        self.unknown = label(_UNKNOWN, "caption", wrap=True)
        self.edit = button("Edit the scene", self._edit)
        self.edit.setToolTip("Or press Enter on it, or double-click it")
        self.pictures = {view: Picture() for view in _NAMES}
        self.captions = {view: label(name, "caption") for view, name in _NAMES.items()}
        self.replies = SheetPage("Replies of the scene")
        self._lay_out()
        self.clear()

    def show_look(self, look: Look) -> None:
        """Show a scene."""
        self._scene = look.scene
        self.title.setText(look.name)
        for view, picture in self.pictures.items():
            png = look.pictures.get(view)
            image = QImage()
            if png is not None:
                image.loadFromData(png)
            picture.show_image(image)
            picture.setAccessibleName(f"{_NAMES[view]} of {look.name}")
            for widget in (picture, self.captions[view]):
                widget.setVisible(png is not None)
        self.unknown.setVisible(not look.pictures)
        self.edit.setVisible(look.scene is not None)
        self.replies.show_sheet(look.replies)
        self.replies.show()

    def clear(self) -> None:
        """Show no scene."""
        self._scene = None
        self.title.setText(_NOTHING)
        for widget in (*self.pictures.values(), *self.captions.values(), self.unknown):
            widget.hide()
        self.edit.hide()
        self.replies.show_sheet(Sheet("replies", "Replies", (), (), ""))
        self.replies.hide()

    def retheme(self) -> None:
        """Take the colours and the text size of the theme that is shown now."""
        self.replies.retheme()

    def _edit(self) -> None:
        if self._scene is not None:
            self.edit_wanted.emit(self._scene)

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(theme.S1)
        for view, picture in self.pictures.items():
            picture.setFixedWidth(theme.px(_WIDE))
            left.addWidget(self.captions[view])
            left.addWidget(picture)
        left.addStretch()
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.edit)
        right = QVBoxLayout()
        right.setSpacing(theme.S1)
        right.addLayout(head)
        right.addWidget(self.unknown)
        right.addWidget(self.replies, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.S3, theme.S1, theme.S2, 0)
        row.setSpacing(theme.S3)
        row.addLayout(left)
        row.addLayout(right, 1)

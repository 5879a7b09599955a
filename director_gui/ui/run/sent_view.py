"""What a call sent: the stored picture and the exact text of its messages."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget

from director_gui.store.database import Study
from director_gui.store.runs import call_input
from director_gui.study.run_view import RunView
from director_gui.study.scored import Scored
from director_gui.ui import theme
from director_gui.ui.probe.side_by_side import Picture
from director_gui.ui.widgets import button, label

if TYPE_CHECKING:
    from director_gui.scene.model import Scene


class SentView(QWidget):
    """The picture and the messages of one call, from the study."""

    scene_wanted = Signal(object)  # Scene

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self.caption = label("", "caption", wrap=True)
        self.picture = Picture()
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName("The exact messages")
        self.text.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.open = button("Open this scene", self._open)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.S2, 0, 0)
        column.setSpacing(theme.S1)
        column.addWidget(self.caption)
        column.addWidget(self.picture, 3)
        column.addWidget(self.text, 2)
        column.addWidget(self.open)

    def show_call(self, study: Study, view: RunView, item: Scored) -> None:
        """Show what a call sends.

        Raises:
            UserError: The study does not hold the call or its picture.
        """
        call = item.reply.call
        # From the stored call: what is shown is what is sent, byte for byte.
        sent = call_input(study, call)
        self._scene, truth = view.shown[call.scene]
        sees = ", ".join(map(str, truth.sees["director"])) or "none"
        self.caption.setText(
            f"{self._scene.name} · the director sees {sees} · picture {call.image[:12]}"
        )
        image = QImage()
        image.loadFromData(sent.image)
        self.picture.show_image(image)
        self.picture.setAccessibleName(f"Picture of {self._scene.name}")
        # One message needs no heading; two must be told apart.
        many = len(sent.turns) > 1
        texts = [
            f"Turn {at}\n{text}" if many else text
            for at, text in enumerate(sent.turns, 1)
        ]
        self.text.setPlainText("\n\n".join(texts))

    def _open(self) -> None:
        if self._scene is not None:
            self.scene_wanted.emit(self._scene)

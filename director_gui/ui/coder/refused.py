"""The page for a packet that is refused: the reason, and what to do."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from coding.errors import CodingError
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.centered import CenteredPage

TODO = "Ask whoever gave you the packet for the file again."


class RefusedPage(CenteredPage):
    """Says why the packet was not opened; nothing of it is shown."""

    def __init__(self, error: CodingError, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # Labels are plain text: a hostile entry name is shown, not interpreted.
        self.detail = str(error)
        title = plain_label("This packet cannot be opened", "title")
        reason = plain_label(f"{error.what[:1].upper()}{error.what[1:]}.")
        where = plain_label(error.where, "caption")
        where.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        todo = plain_label(f"{error.todo}." if error.todo else TODO)
        kept = plain_label("Nothing was written, and nothing of it was run.", "caption")
        copy = QPushButton("Copy the details")
        copy.clicked.connect(self.copy)
        for label in (title, reason, where, todo, kept):
            self.column.addWidget(label)
        self.column.addWidget(copy, alignment=Qt.AlignmentFlag.AlignLeft)

    def copy(self) -> None:
        """Put the reason on the clipboard."""
        QApplication.clipboard().setText(self.detail)

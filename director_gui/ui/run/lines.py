"""Plain lines that are filled in place, can be copied, and scroll."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QWidget

from director_gui.ui import theme
from director_gui.ui.widgets import label


class Lines(QScrollArea):
    """Shows lines; the keyboard can walk through it and out again."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = label("", wrap=True)
        self.text.setAccessibleName(name)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        flags = Qt.TextInteractionFlag
        self.text.setTextInteractionFlags(
            flags.TextSelectableByMouse | flags.TextSelectableByKeyboard
        )
        self.text.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        self.text.setProperty("role", "panel")
        self.setWidgetResizable(True)
        self.setWidget(self.text)

    def show_lines(self, lines: Sequence[str]) -> None:
        """Show these lines; unchanged ones keep the place and the selection."""
        text = "\n".join(lines)
        # Setting the same text anew would drop a selection that is being copied.
        if text != self.text.text():
            self.text.setText(text)

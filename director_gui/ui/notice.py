"""A remark in a form or a narrow column, above the button that led to it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.ui import theme
from director_gui.ui.remark import Remark
from director_gui.ui.widgets import label


class Notice(Remark):
    """Text above its buttons."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S2)
        self._text = label("", wrap=True)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._text.setAccessibleName("Remark")
        self._row.setSpacing(theme.S2)
        buttons = self._row
        column.addWidget(self._text)
        column.addLayout(buttons)
        buttons.setAlignment(Qt.AlignmentFlag.AlignLeft)

    def put_text(self, text: str) -> None:
        self._text.setText(text)

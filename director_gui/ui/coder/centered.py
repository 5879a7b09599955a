"""A page of a few lines in the middle of the window."""

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from director_gui.ui import theme

_WIDTH = 620  # px at 100 %


class CenteredPage(QWidget):
    """Holds `column` at a comfortable width, a third of the way down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._inner = QWidget()
        self.column = QVBoxLayout(self._inner)
        self.column.setSpacing(theme.S3)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._inner, 100)
        row.addStretch(1)
        page = QVBoxLayout(self)
        page.addStretch(1)
        page.addLayout(row)
        page.addStretch(2)
        self.restyle()

    def restyle(self) -> None:
        """Take the text size."""
        self._inner.setMaximumWidth(theme.px(_WIDTH))

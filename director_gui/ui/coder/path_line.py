"""A path to read, select and copy; its end, which tells files apart, is in sight."""

from pathlib import Path

from PySide6.QtWidgets import QLineEdit, QWidget

from director_gui.ui import theme


class PathLine(QLineEdit):
    """One line that cannot be edited; long paths scroll instead of widening a page."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setAccessibleName(name)

    def show_path(self, path: Path) -> None:
        """Show a path from its end."""
        self.setFont(theme.mono())
        self.setText(str(path))
        self.setToolTip(str(path))
        self.setCursorPosition(len(self.text()))

"""A list of plain lines that is filled in place and can be copied."""

from collections.abc import Sequence

from PySide6.QtWidgets import QPlainTextEdit, QWidget


class Lines(QPlainTextEdit):
    """Shows lines; the keyboard can walk through it and out again."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setUndoRedoEnabled(False)
        self._shown = ""

    def show_lines(self, lines: Sequence[str]) -> None:
        """Show these lines; unchanged ones keep the place and the selection."""
        text = "\n".join(lines)
        if text != self._shown:
            self._shown = text
            self.setPlainText(text)

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.document().setDocumentMargin(8)

"""An editor for a piece's text that shows what nobody would see."""

from collections.abc import Sequence

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from director_gui.prompts.lookalikes import Found
from director_gui.ui import theme

_BLOCK_END = "\u2029"  # what Qt's raw text has at the end of each line


class TextBox(QPlainTextEdit):
    """Holds plain text exactly, and marks stretches of it."""

    pasted_windows_ends = Signal()

    def __init__(self, name: str, lines: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self.setAccessibleName(name)
        self.setTabChangesFocus(True)
        self.retheme()

    def retheme(self) -> None:
        """Take the text size that is shown now."""
        height = self.fontMetrics().lineSpacing() * self._lines
        self.setFixedHeight(height + theme.px(theme.S4))

    def exact(self) -> str:
        """Return the text; `toPlainText` would turn no-break spaces into blanks."""
        return self.document().toRawText().replace(_BLOCK_END, "\n")

    def put(self, text: str) -> None:
        """Show `text`, as one step of the editor's own undo."""
        # A step of undo that changes nothing would only confuse.
        if text == self.exact():
            return
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(text)

    def mark(self, found: Sequence[Found]) -> None:
        """Mark these stretches, each with the letter before it."""
        self.setExtraSelections([self._marked(one) for one in found])

    def go_to(self, one: Found) -> None:
        """Select one stretch and take the keyboard."""
        self.setTextCursor(self._cursor(one.start, one.end))
        self.setFocus()

    def insertFromMimeData(self, source: QMimeData) -> None:
        # Qt splits lines at CR LF itself, so nothing of it would be found later.
        if "\r" in source.text():
            self.pasted_windows_ends.emit()
        self.insertPlainText(source.text())

    def _marked(self, one: Found) -> QTextEdit.ExtraSelection:
        made = QTextEdit.ExtraSelection()
        t = theme.tokens()
        form = QTextCharFormat()
        form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        form.setUnderlineColor(QColor(t.error))
        form.setBackground(QColor(t.error_soft))
        # Some of these have no width: without a neighbour nothing would be drawn.
        made.cursor = self._cursor(max(0, one.start - 1), one.end)
        made.format = form
        return made

    def _cursor(self, start: int, end: int) -> QTextCursor:
        text = self.exact()
        # Qt counts in UTF-16, the finds count characters.
        cursor = QTextCursor(self.document())
        cursor.setPosition(_utf16(text[:start]))
        cursor.setPosition(_utf16(text[:end]), QTextCursor.MoveMode.KeepAnchor)
        return cursor


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2

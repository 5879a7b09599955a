"""The codebook to read: beside the trace, and as the training page."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QKeyEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from coding.codebook import Code, Codebook, Field
from director_gui.ui import theme
from director_gui.ui.coder.keys import KeyPlan

WIDTH = 360  # px at 100 %
_PAGES = (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
_WIDEST = 700  # px at 100 %


class CodebookSheet(QTextEdit):
    """Definitions, examples and counter-examples as plain words, never as markup."""

    def __init__(
        self, book: Codebook, plan: KeyPlan, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._book, self._plan = book, plan
        self.setAccessibleName("Codebook")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setAcceptDrops(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        # Qt's menu speaks the system's language and offers what means nothing here.
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.restyle()

    def restyle(self) -> None:
        """Write the codebook anew in the theme's colours and text size."""
        t = theme.tokens()
        self.setStyleSheet(
            f"QTextEdit {{ border: none; border-radius: 0; padding: 0;"
            f" background: {t.panel}; }}"
        )
        self.document().setDocumentMargin(theme.px(theme.S4))
        self.clear()
        writer = _Writer(self.textCursor())
        writer.book(self._book, self._plan)
        # Writing has left the view at the end.
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self._keep_measure()

    def event(self, event: QEvent) -> bool:
        """Turn pages of the codebook while it is being read, not of the packet."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and event.key() in _PAGES:
            event.accept()
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep lines short enough to read, however wide the page is."""
        self._keep_measure()
        super().resizeEvent(event)

    def _keep_measure(self) -> None:
        width = min(self.viewport().width(), theme.px(_WIDEST))
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(width)


class _Writer:
    """Writes paragraphs with formats; text goes in as text."""

    def __init__(self, cursor: QTextCursor) -> None:
        self._cursor = cursor
        self._first = True

    def book(self, book: Codebook, plan: KeyPlan) -> None:
        self._line(book.title or book.name, theme.TITLE, bold=True, above=0)
        if book.intro:
            self._line(book.intro, above=theme.S1)
        for field in book.fields:
            self._field(field, plan)

    def _field(self, field: Field, plan: KeyPlan) -> None:
        self._line(field.label, theme.TITLE - 1, bold=True, above=theme.S6)
        if field.question:
            self._line(field.question, muted=True, above=theme.S1)
        key = plan.field(field.name)
        if field.kind == "quote":
            self._line(f"Select the words in the trace, then press {key.upper()}.")
        for code in field.codes:
            self._code(code, plan.code(field.name, code.name))

    def _code(self, code: Code, key: str) -> None:
        head = f"{key.upper()}   {code.label}" if key else code.label
        self._line(head, bold=True, above=theme.S3)
        if code.definition:
            self._line(code.definition, above=2)
        for text in code.examples:
            self._line(f"Such as: “{text}”", indent=True)
        for text in code.counter_examples:
            self._line(f"But not: “{text}”", indent=True, muted=True)

    def _line(
        self,
        text: str,
        size: int = theme.BODY,
        *,
        bold: bool = False,
        muted: bool = False,
        indent: bool = False,
        above: int = theme.S1,
    ) -> None:
        block = QTextBlockFormat()
        block.setTopMargin(theme.px(above))
        block.setLeftMargin(theme.px(theme.S3) if indent else 0)
        proportional = QTextBlockFormat.LineHeightTypes.ProportionalHeight
        block.setLineHeight(118, proportional.value)
        form = QTextCharFormat()
        font = QFont(self._cursor.document().defaultFont())
        font.setPixelSize(theme.px(size))
        font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
        form.setFont(font)
        t = theme.tokens()
        form.setForeground(QColor(t.muted if muted else t.text))
        # A new document has one block already; another would leave an empty line on
        # top.
        if self._first:
            self._cursor.setBlockFormat(block)
            self._first = False
        else:
            self._cursor.insertBlock(block)
        self._cursor.insertText(text, form)

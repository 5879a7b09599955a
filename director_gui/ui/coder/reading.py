"""The trace: plain text at a comfortable measure, and the words marked in it."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QTextEdit, QWidget

from coding.textmap import TextMap
from director_gui.ui import theme
from director_gui.ui.coder.reading_layout import SpacedLayout

MEASURE = 72  # characters a line
TEXT = 17  # px at 100 %
_SAMPLE = "The director cannot see the block behind the partition from there. "
_LONGEST = 2000  # characters of a paragraph that are laid out in one go


@dataclass(frozen=True, slots=True)
class Shade:
    """A span of the original's code points in a colour, with a line as a sign."""

    start: int
    end: int
    color: str
    line: QTextCharFormat.UnderlineStyle


class ReadingView(QPlainTextEdit):
    """Shows one trace and says which of its code points are selected."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("trace")
        self.setAccessibleName("Trace")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        # No menu, no drops: the trace is read and quoted, never a way out or in.
        self.setAcceptDrops(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        # Kept by us: PySide alone would let go of a document while Qt still uses it.
        self._document = QTextDocument(self)
        self._document.setUndoRedoEnabled(False)
        self._document.setDocumentMargin(0)
        self._layout = SpacedLayout(self._document)
        self._document.setDocumentLayout(self._layout)
        self.setDocument(self._document)
        self._map = TextMap("")
        self._spans: tuple[tuple[int, int], ...] = ()
        self._shades: tuple[Shade, ...] = ()
        self.restyle()

    def show_text(self, text: TextMap) -> None:
        """Show another trace from its beginning."""
        self._map = text
        self._spans, self._shades = (), ()
        # Before the text: marks of the last trace would be laid out in this one.
        self.setExtraSelections([])
        # The original is never given to Qt: it would change some of its characters.
        self.setPlainText(_broken(text.display))

    def selected(self) -> tuple[int, int]:
        """Return the selection in code points of the original; equal when empty."""
        cursor = self.textCursor()
        return self._map.span(cursor.selectionStart(), cursor.selectionEnd())

    def deselect(self) -> None:
        """Drop the selection and leave the caret where it is."""
        cursor = self.textCursor()
        cursor.clearSelection()
        self.setTextCursor(cursor)

    def mark(self, spans: Iterable[tuple[int, int]]) -> None:
        """Light up spans of the original's code points."""
        self._spans = tuple(spans)
        self._light_up()

    def shade(self, shades: Iterable[Shade]) -> None:
        """Shade what others quoted; marks of one's own lie over it."""
        self._shades = tuple(shades)
        self._light_up()

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        t = theme.tokens()
        # Its own sheet: the frame of a form field does not suit a page of text.
        self.setStyleSheet(
            f"QPlainTextEdit#trace {{ border: none; border-radius: 0; padding: 0;"
            f" background: {t.panel}; font-size: {theme.px(TEXT)}px; }}"
        )
        font = self.font()
        font.setPixelSize(theme.px(TEXT))
        self.setFont(font)
        self.document().setDefaultFont(font)
        self._center()
        self.mark(self._spans)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the measure, centred."""
        self._center()
        super().resizeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the page with the space bar, as readers do; the rest is Qt's."""
        if event.key() == Qt.Key.Key_Space:
            back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self._turn_page(-1 if back else 1)
        else:
            super().keyPressEvent(event)

    def _turn_page(self, pages: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + pages * max(1, bar.pageStep() - 1))

    def _center(self) -> None:
        metrics = self.fontMetrics()
        wanted = metrics.horizontalAdvance(_SAMPLE) / len(_SAMPLE) * MEASURE
        least = theme.px(theme.S4)
        side = max(least, round((self.width() - wanted) / 2))
        margins = self.viewportMargins()
        if (margins.left(), margins.top()) != (side, least):
            self.setViewportMargins(side, least, side, 0)
        self._layout.set_page(self.viewport().width(), metrics.height())

    def _light_up(self) -> None:
        color, line = theme.tokens().lit, QTextCharFormat.UnderlineStyle.SingleUnderline
        own = (Shade(*span, color, line) for span in self._spans)
        # The last one is painted on top.
        self.setExtraSelections([self._lit(one) for one in (*self._shades, *own)])

    def _lit(self, shade: Shade) -> QTextEdit.ExtraSelection:
        first, last = self._map.selection(shade.start, shade.end)
        cursor = QTextCursor(self.document())
        cursor.setPosition(first)
        cursor.setPosition(last, QTextCursor.MoveMode.KeepAnchor)
        form = QTextCharFormat()
        form.setBackground(QColor(shade.color))
        form.setUnderlineStyle(shade.line)  # a sign beside the colour
        lit = QTextEdit.ExtraSelection()
        # Both are plain members in Qt; PySide's stubs leave them out.
        lit.cursor, lit.format = cursor, form
        return lit


def _broken(display: str) -> str:
    """Return the text with long paragraphs broken at spaces; positions stay.

    Qt lays out a paragraph whole: one line of 50 kB would take longer than a frame.
    """
    lines = display.split("\n")
    if max(map(len, lines)) <= _LONGEST:
        return display
    return "\n".join(_broken_line(line) for line in lines)


def _broken_line(line: str) -> str:
    parts, start = [], 0
    while len(line) - start > _LONGEST:
        cut = line.rfind(" ", start, start + _LONGEST)
        if cut <= start:
            break  # no blank: the line stays as it is
        parts.append(line[start:cut])
        start = cut + 1
    return "\n".join([*parts, line[start:]])

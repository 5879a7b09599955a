"""Line spacing for a plain text view, which Qt's own layout does not have."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QTextBlock, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

SPACING = 1.4  # line height over the font's own


class SpacedLayout(QPlainTextDocumentLayout):
    """Lays out a paragraph when it is first painted, with room between lines.

    Only what is in sight costs time, so a trace of 50 kB opens as fast as a short one.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        # No reference to the view: a ring of wrappers is taken apart in any order.
        self._width, self._lead = 1.0, 1.0

    def set_page(self, width: float, font_height: float) -> None:
        """Lay out from now on in `width` px, with lines of `font_height` px."""
        self._width = max(1.0, width)
        self._lead = max(1.0, round(font_height * (SPACING - 1) / 2))

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        """Return a paragraph's rectangle, laid out by us if it is not yet."""
        if not block.isValid() or not block.isVisible():
            return super().blockBoundingRect(block)
        layout = block.layout()
        # Qt lays out some paragraphs by itself; those start at 0, ours never do.
        if layout.lineCount() == 0 or layout.lineAt(0).position().y() == 0:
            self._lay_out(block)
        return super().blockBoundingRect(block).adjusted(0, 0, 0, self._lead)

    def _lay_out(self, block: QTextBlock) -> None:
        margin = self.document().documentMargin()
        width, lead = self._width - 2 * margin, self._lead
        layout = block.layout()
        layout.setTextOption(self.document().defaultTextOption())
        layout.beginLayout()
        top = lead
        while (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            line.setPosition(QPointF(margin, top))
            top += line.height() + 2 * lead
        layout.endLayout()
        block.setLineCount(layout.lineCount())

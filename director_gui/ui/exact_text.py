"""What a text box holds, exactly."""

from PySide6.QtGui import QTextDocument

# Qt's own ends of lines, Shift+Enter's and two noncharacters that it takes for frames.
_ENDS = dict.fromkeys((0x2028, 0x2029, 0xFDD0, 0xFDD1), "\n")


def exact_text(document: QTextDocument) -> str:
    r"""Return a document's text with ``\n`` at the end of each line.

    Not `toPlainText`, which turns spaces that do not break into those that do: whoever
    only opens a text and types a letter would change what others compare byte by byte.
    """
    return document.toRawText().translate(_ENDS)

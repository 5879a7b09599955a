"""The family that is shown: its text is the one truth, form and view follow it.

An edit in the form replaces the one differing span of the text, so that form and text
share one history of undo.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QPlainTextDocumentLayout

from director_gui.errors import UserError
from director_gui.families.model import Family
from director_gui.families.reading import read_family
from director_gui.study.family_text import Value, with_value
from director_gui.ui.exact_text import exact_text

Find = Callable[[str], Family]
_REST_MS = 250  # of typing, before the text is read


class Draft(QObject):
    """A family's text, and the family or the refusal that it amounts to."""

    changed = Signal()  # the family or the error is another

    def __init__(self, find: Find, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._find = find
        self.name = ""  # under which the study keeps it; empty before one is opened
        self.editable = False
        self.family: Family | None = None
        self.error: UserError | None = None
        self.document = QTextDocument(self)
        # A plain text editor takes no document with another layout.
        self.document.setDocumentLayout(QPlainTextDocumentLayout(self.document))
        self._read = ""
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self.read)
        self.document.contentsChanged.connect(self._typed)

    @property
    def text(self) -> str:
        """The text as it stands."""
        return exact_text(self.document)

    def open(self, name: str, text: str, *, editable: bool) -> None:
        """Show another family; its history starts here."""
        self.name, self.editable = name, editable
        self.document.setPlainText(text)
        # Undo must not lead into the family that was shown before.
        self.document.clearUndoRedoStacks()
        self._take(text)

    def read(self) -> None:
        """Read what was typed now instead of a little later."""
        self._rest.stop()
        if self.text != self._read:
            self._take(self.text)

    def put(self, path: str, value: Value) -> UserError | None:
        """Put a value into the text, or return why it is refused."""
        return self.edit(lambda text: with_value(text, path, value))

    def edit(self, change: Callable[[str], str]) -> UserError | None:
        """Change the text as one step, or return why what comes out is refused."""
        try:
            text = change(self.text)
            # Tried first, so that a refused entry leaves the text as it was.
            read_family(text.encode(), self._find)
        except UserError as error:
            return error
        self.replace(text)
        self.read()
        return None

    def replace(self, text: str) -> None:
        """Put another text in place of this one, as one step that can be undone."""
        old = self.text
        start = _shared(old, text)
        # Behind the beginning, or a repeated sign would count for both ends.
        end = _shared(old[start:][::-1], text[start:][::-1])
        cursor = QTextCursor(self.document)
        cursor.setPosition(_units(old[:start]))
        cursor.setPosition(
            _units(old[: len(old) - end]), QTextCursor.MoveMode.KeepAnchor
        )
        if text != old:
            cursor.insertText(text[start : len(text) - end])

    def _typed(self) -> None:
        if self.text != self._read:
            self._rest.start()

    def _take(self, text: str) -> None:
        self._rest.stop()
        self._read = text
        try:
            self.family, self.error = read_family(text.encode(), self._find), None
        except UserError as error:
            self.family, self.error = None, error
        self.changed.emit()


def _shared(a: str, b: str) -> int:
    """Return how many characters two texts begin with in common."""
    least = min(len(a), len(b))
    return next((i for i in range(least) if a[i] != b[i]), least)


def _units(text: str) -> int:
    """Return a length as Qt counts it, in UTF-16."""
    return len(text.encode("utf-16-le")) // 2

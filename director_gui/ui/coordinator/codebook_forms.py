"""The three forms of the editor: the codebook, one of its fields, one code."""

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from coding import book_edits as edits
from coding.codebook import Code, Codebook, Field, Kind
from director_gui.ui import theme
from director_gui.ui.coder import keys
from director_gui.ui.coordinator.codebook_entries import (
    ColorBox,
    Passage,
    bound,
    choice,
    line,
    put_line,
    rows,
    tick,
)
from director_gui.ui.coordinator.codebook_words import (
    KIND_WORDS,
    passages_of,
    text_of,
)
from director_gui.ui.widgets import label

_STORED = "Letters, digits, - and _; the column of coder sheets is called so."
_APART = "One passage after the other, an empty line between them."


class _Form(QWidget):
    """Shows one value; `edited` hands over another one, and where it was typed."""

    edited = Signal(object, str)

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.S3)
        self._column.addWidget(label(title, "title"))

    def retheme(self) -> None:
        """Take the text size that is shown now."""
        for passage in self.findChildren(Passage):
            passage.retheme()


class BookForm(_Form):
    """The codebook as a whole."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Codebook", parent)
        self._book = edits.fresh_book()
        self.name = line("Name", bound(self._type, "name"), longest=64)
        self.title = line("Title", bound(self._type, "title"))
        self.intro = Passage("Introduction", 8, bound(self._type, "intro"))
        self._column.addLayout(
            rows(
                ("Name", self.name, "Versions are counted under this name."),
                ("Title", self.title, ""),
                ("Introduction", self.intro, "Coders read it before the first trace."),
            )
        )
        # A short form keeps to the top rather than spreading over a tall page.
        self._column.addStretch(1)

    def show_value(self, book: Codebook) -> None:
        """Show a codebook."""
        self._book = book
        put_line(self.name, book.name)
        put_line(self.title, book.title)
        self.intro.put(book.intro)

    def _type(self, part: str, text: str) -> None:
        self.edited.emit(edits.with_part(self._book, part, text), part)


class FieldForm(_Form):
    """One decision that coders make about each trace."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Field", parent)
        self._field = Field("field", "Field", "text")
        self.shown = line("Shown as", bound(self._type, "label"))
        self.stored = line("Stored as", bound(self._type, "name"), longest=32)
        words = {str(kind): text for kind, text in KIND_WORDS.items()}
        # The kinds are few and their words say more than their stored names.
        self.kind = choice("Kind", words, self._choose_kind)
        self.question = Passage("Question", 4, bound(self._type, "question"))
        self.required = tick("A trace needs it to count as coded", self._require)
        self._column.addLayout(
            rows(
                ("Shown as", self.shown, ""),
                ("Stored as", self.stored, _STORED),
                ("Kind", self.kind, ""),
                ("Question", self.question, ""),
                ("", self.required, ""),
            )
        )
        self._column.addStretch(1)

    def show_value(self, field: Field) -> None:
        """Show a field."""
        self._field = field
        put_line(self.shown, field.label)
        put_line(self.stored, field.name)
        self.kind.setCurrentIndex(self.kind.findData(field.kind))
        self.question.put(field.question)
        self.required.setChecked(field.required)

    def _type(self, part: str, text: str) -> None:
        self.edited.emit(edits.with_part(self._field, part, text), part)

    # Another kind brings other codes, so it is an edit of its own, not typing.
    def _choose_kind(self, kind: str) -> None:
        self.edited.emit(edits.with_kind(self._field, cast("Kind", kind)), "")

    def _require(self, on: bool) -> None:
        self.edited.emit(edits.with_part(self._field, "required", on), "")


class CodeForm(_Form):
    """One value that a coder can choose."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Code", parent)
        self._code = Code("code", "Code")
        self.shown = line("Shown as", bound(self._type, "label"))
        self.stored = line("Stored as", bound(self._type, "name"), longest=64)
        self.key = line("Key", bound(self._type, "key"), longest=1)
        self.color = ColorBox("Colour", bound(self._choose, "color"))
        self.definition = Passage("Definition", 5, bound(self._type, "definition"))
        told = bound(self._list, "examples")
        self.examples = Passage("Examples", 5, told)
        told = bound(self._list, "counter_examples")
        self.counter = Passage("Counter-examples", 4, told)
        self._column.addLayout(
            rows(
                ("Shown as", self.shown, ""),
                ("Stored as", self.stored, ""),
                ("Key", self.key, "Empty: the pane takes a free one, shown in grey."),
                ("Colour", self.color, ""),
                ("Definition", self.definition, ""),
                ("Examples", self.examples, f"{_APART} Coders practise on them."),
                ("But not", self.counter, _APART),
            )
        )
        self._column.addStretch(1)

    def show_value(self, code: Code, field: Field, book: Codebook) -> None:
        """Show a code; names of yes and no are fixed."""
        self._code = code
        put_line(self.shown, code.label)
        put_line(self.stored, code.name)
        # Sheets and agreement rely on the three names that a yes or no can have.
        self.stored.setEnabled(field.kind == "one_of")
        put_line(self.key, code.key)
        free = keys.plan(book).code(field.name, code.name)
        # What coders will press is known before the packet is made.
        self.key.setPlaceholderText(free.upper() or "none is free")
        self.color.put(code.color)
        self.definition.put(code.definition)
        # What is being typed may end in an empty line: it is no other passage yet.
        if passages_of(self.examples.text) != code.examples:
            self.examples.put(text_of(code.examples))
        if passages_of(self.counter.text) != code.counter_examples:
            self.counter.put(text_of(code.counter_examples))

    def _type(self, part: str, text: str) -> None:
        self.edited.emit(edits.with_part(self._code, part, text), part)

    def _choose(self, part: str, value: str) -> None:
        self.edited.emit(edits.with_part(self._code, part, value), "")

    def _list(self, part: str, text: str) -> None:
        # The entry holds one text; the codebook holds passages, as practice needs them.
        value = edits.with_part(self._code, part, passages_of(text))
        self.edited.emit(value, part)

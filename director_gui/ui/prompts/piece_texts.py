"""The texts of a piece, by how they follow from the scene."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from director_gui.prompts.lookalikes import Found, find, mend_all
from director_gui.prompts.pieces import (
    ExtremeText,
    FixedText,
    SeesText,
    Text,
    own_variants,
)
from director_gui.ui import theme
from director_gui.ui.prompts.text_box import TextBox
from director_gui.ui.widgets import label

KINDS = (
    "Same for every scene",
    "By what the request asks for",
    "States what the director sees",
)
FIXED, EXTREMES, SEES = range(3)
# For each kind: name of a field, words above it, lines of room.
_FIELDS = (
    (("text", "Text", 6),),
    (
        ("largest", "When the largest block is asked for", 3),
        ("smallest", "When the smallest block is asked for", 3),
    ),
    (
        ("head", "Before the digits", 2),
        ("between", "Between two digits", 1),
        ("none", "When it sees none", 1),
        ("tail", "After the digits", 1),
    ),
)


@dataclass(frozen=True, slots=True)
class Slip:
    """Something that an editor slipped into one of the texts."""

    field: str
    found: Found

    def words(self, *, alone: bool) -> str:
        """Say where and what; without the field's name when there is one alone."""
        return str(self.found) if alone else f"{self.field}, {self.found}"


class PieceTexts(QWidget):
    """One box a text; the boxes change with the kind."""

    changed = Signal()
    pasted_windows_ends = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = FIXED
        self.boxes: dict[str, TextBox] = {}
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme.S1)
        # The boxes know their height; spare room goes below the form.
        policy = QSizePolicy.Policy
        self.setSizePolicy(policy.Preferred, policy.Fixed)
        self._build()

    def show_text(self, text: Text | None) -> None:
        """Show an existing text, or none."""
        kinds = {FixedText: FIXED, ExtremeText: EXTREMES, SeesText: SEES}
        self.set_kind(kinds[type(text)] if text else FIXED)
        for name, words in _shown(text).items():
            if name in self.boxes:
                self.boxes[name].put(words)

    def set_kind(self, kind: int) -> None:
        """Show the boxes of another kind; words that fit stay."""
        if kind == self.kind:
            return
        # Whoever changes the kind has most often written the text already.
        kept = next(iter(self.boxes.values())).exact()
        self.kind = kind
        self._build()
        next(iter(self.boxes.values())).put(kept)
        self.changed.emit()

    def text(self, name: str) -> Text:
        """Return the text as it stands, for the piece `name`."""
        texts = {field: box.exact() for field, box in self.boxes.items()}
        if self.kind == SEES:
            return SeesText(*(_bytes(words) for words in _ended(texts).values()))
        if self.kind == EXTREMES:
            # An extreme that is left empty has no text, rather than an empty one.
            filled = {key: f"{words}\n" for key, words in texts.items() if words}
            return own_variants(name, filled)
        return FixedText(_bytes(texts["text"] + "\n"))

    def slips(self) -> list[Slip]:
        """Return what an editor slipped in, and mark it."""
        slips: list[Slip] = []
        for field, box in self.boxes.items():
            text = box.exact()
            # A box leaves out the end of the last line, which every piece has.
            found = find(text + self._end(text), lines=self.kind != SEES)
            box.mark(found)
            slips += [Slip(field, one) for one in found]
        return slips

    def mend(self) -> None:
        """Replace everything that an editor slipped in."""
        for box in self.boxes.values():
            text = box.exact()
            whole = mend_all(text + self._end(text), lines=self.kind != SEES)
            box.put(whole.removesuffix("\n"))

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        for box in self.boxes.values():
            box.retheme()
        self.slips()

    def _end(self, text: str) -> str:
        return "\n" if text and self.kind != SEES else ""

    def _build(self) -> None:
        while (item := self._column.takeAt(0)) is not None:
            old = item.widget()
            if old is not None:
                old.hide()
                old.deleteLater()
        self.boxes = {}
        for name, words, lines in _FIELDS[self.kind]:
            box = TextBox(words, lines)
            box.textChanged.connect(self.changed)
            box.pasted_windows_ends.connect(self.pasted_windows_ends)
            self._column.addWidget(label(words, "caption"))
            self._column.addWidget(box, lines)
            self.boxes[name] = box


def fields_of(kind: int) -> Sequence[str]:
    """Return the names of a kind's boxes."""
    return [name for name, _, _ in _FIELDS[kind]]


def _shown(text: Text | None) -> dict[str, str]:
    if isinstance(text, SeesText):
        words = (text.head, text.between, text.none, text.tail)
        shown = [word.decode().removesuffix("\n") for word in words]
        return dict(zip(fields_of(SEES), shown, strict=True))
    if isinstance(text, ExtremeText):
        variants = {key: data.decode() for key, _, data in text.variants}
        return {key: words.removesuffix("\n") for key, words in variants.items()}
    return {"text": text.data.decode().removesuffix("\n")} if text else {"text": ""}


def _ended(texts: dict[str, str]) -> dict[str, str]:
    """End the line behind the last of the words, as every piece ends one."""
    return {**texts, "tail": texts["tail"] + "\n"}


def _bytes(text: str) -> bytes:
    # A lone surrogate, which a broken paste can hold, is no text in UTF-8.
    return text.encode("utf-8", "replace")

"""The outline of a codebook: its fields, and under each its codes."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from coding.codebook import Codebook
from director_gui.ui.coder import keys
from director_gui.ui.coder.boxes import plain_tip
from director_gui.ui.coordinator.codebook_words import (
    KIND_WORDS,
    code_words,
    field_words,
)
from director_gui.ui.widgets import swatch

Place = tuple[int, int]  # field and code; -1 for the field itself or for the codebook
BOOK: Place = (-1, -1)
_PLACE = Qt.ItemDataRole.UserRole


class BookTree(QTreeWidget):
    """Shows a codebook and tells which of its parts is chosen."""

    chosen = Signal()
    removal_asked = Signal()
    move_asked = Signal(int)  # places: -1 up, 1 down

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Fields and codes")
        self.setHeaderHidden(True)
        self.setIndentation(16)
        self._shown: tuple[_Row, ...] = ()
        self.itemSelectionChanged.connect(self.chosen)

    @property
    def place(self) -> Place:
        """The part that is chosen; the codebook itself when none is."""
        items = self.selectedItems()
        return items[0].data(0, _PLACE) if items else BOOK

    def show_book(self, book: Codebook, place: Place) -> None:
        """Show a codebook and choose a part of it, or what is nearest to it."""
        # Filling the tree is not choosing in it.
        self.blockSignals(True)
        shown = _shown(book)
        # Most keys are typed into definitions, which the tree does not show.
        if shown != self._shown:
            self._shown = shown
            self._fill(shown)
        self._choose(place)
        self.blockSignals(False)

    def choose(self, place: Place) -> None:
        """Choose a part and tell about it."""
        self._choose(place)

    def _choose(self, place: Place) -> None:
        field, code = place
        item = self.topLevelItem(min(field + 1, self.topLevelItemCount() - 1))
        if item is not None and code >= 0 and item.childCount():
            item = item.child(min(code, item.childCount() - 1))
        if item is not None:
            self.setCurrentItem(item)

    def _fill(self, rows: "tuple[_Row, ...]") -> None:
        self.clear()
        top: QTreeWidgetItem | None = None
        for row in rows:
            item = QTreeWidgetItem([row.text])
            item.setData(0, _PLACE, row.place)
            item.setToolTip(0, row.tip)
            if row.color:
                item.setIcon(0, swatch(row.color))
            if row.place[1] >= 0 and top is not None:
                top.addChild(item)
                continue
            top = item
            font = item.font(0)
            font.setBold(row.place != BOOK)
            item.setFont(0, font)
            self.addTopLevelItem(item)
        self.expandAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes, Alt with an arrow moves; the rest is Qt's."""
        alt = event.modifiers() & Qt.KeyboardModifier.AltModifier
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.key() == Qt.Key.Key_Delete:
            self.removal_asked.emit()
        elif alt and event.key() in steps:
            self.move_asked.emit(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of the outline."""

    text: str
    place: Place
    tip: str
    color: str = ""


def _shown(book: Codebook) -> tuple[_Row, ...]:
    plan = keys.plan(book)
    rows = [_Row(book.title or book.name, BOOK, "The codebook as a whole")]
    for at, field in enumerate(book.fields):
        tip = f"{field_words(field)}: {KIND_WORDS[field.kind]}"
        rows.append(_Row(field_words(field), (at, -1), plain_tip(tip)))
        for n, code in enumerate(field.codes):
            words = code_words(code, plan.code(field.name, code.name))
            rows.append(_Row(words, (at, n), plain_tip(words), code.color))
    return tuple(rows)

"""Entries of the codebook's forms: each shows a value and tells what was typed."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import (
    QCheckBox,
    QColorDialog,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_words import COLORS
from director_gui.ui.exact_text import exact_text
from director_gui.ui.widgets import label, swatch

Told = Callable[[str], None]
_OTHER = "Other colour…"


def line(name: str, told: Told, *, longest: int = 200) -> QLineEdit:
    """Return an entry of one line."""
    made = QLineEdit()
    made.setAccessibleName(name)
    made.setMaxLength(longest)
    # Not textChanged: showing a value must not count as typing it.
    made.textEdited.connect(told)
    return made


def put_line(entry: QLineEdit, text: str) -> None:
    """Show a text; the caret of one who is typing it stays."""
    if entry.text() != text:
        entry.setText(text)
        # Else a long text would show its end, which says less than its beginning.
        entry.setCursorPosition(0)


class Passage(QPlainTextEdit):
    """An entry of several lines."""

    def __init__(self, name: str, lines: int, told: Told) -> None:
        super().__init__()
        self._lines, self._told = lines, told
        self.setAccessibleName(name)
        # A tab in a definition is rarer than the wish to go on by keyboard.
        self.setTabChangesFocus(True)
        self.textChanged.connect(self._tell)
        self.retheme()

    @property
    def text(self) -> str:
        """The text as it stands."""
        return exact_text(self.document())

    def put(self, text: str) -> None:
        """Show a text; the caret of one who is typing it stays."""
        if self.text != text:
            # Showing is not typing here either.
            self.blockSignals(True)
            self.setPlainText(text)
            self.blockSignals(False)

    def retheme(self) -> None:
        """Take the text size: room for its lines."""
        height = self.fontMetrics().lineSpacing() * self._lines
        self.setFixedHeight(height + theme.px(theme.S4))

    def _tell(self) -> None:
        self._told(self.text)


class ColorBox(QComboBox):
    """A few colours that can be told apart, none, or any other."""

    def __init__(self, name: str, told: Told) -> None:
        super().__init__()
        self._value, self._told = "", told
        self.setAccessibleName(name)
        self.activated.connect(self._chosen)
        self.put("")

    def put(self, color: str) -> None:
        """Show a colour; one of the codebook's own gets a row of its own."""
        self._value = color
        self.clear()
        for value, name in COLORS:
            self._add(value, name)
        if color not in dict(COLORS):
            self._add(color, color)
        self.addItem(_OTHER, _OTHER)
        self.setCurrentIndex(self.findData(color))

    def _add(self, color: str, name: str) -> None:
        if color:
            self.addItem(swatch(color), name, color)
        else:
            self.addItem(name, color)

    def _chosen(self, at: int) -> None:
        value = str(self.itemData(at))
        if value == _OTHER:
            # A cancelled dialog leaves the colour as it was.
            picked = QColorDialog.getColor(parent=self)
            value = picked.name() if picked.isValid() else self._value
        self._told(value)
        self.put(value)


def choice(name: str, entries: dict[str, str], told: Told) -> QComboBox:
    """Return a box to choose one of `entries` (value to words)."""
    made = QComboBox()
    made.setAccessibleName(name)
    for value, words in entries.items():
        made.addItem(words, value)
    made.activated.connect(lambda at: told(str(made.itemData(at))))
    return made


def tick(text: str, told: Callable[[bool], None]) -> QCheckBox:
    """Return a box to tick."""
    made = QCheckBox(text)
    # Not toggled, for the same reason.
    made.clicked.connect(told)
    return made


def rows(*entries: tuple[str, QWidget, str]) -> QFormLayout:
    """Return entries under one another, each with its name and a hint ('' for none)."""
    form = QFormLayout()
    form.setHorizontalSpacing(theme.S3)
    form.setVerticalSpacing(theme.S2)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    # Large text: names go above their entries rather than leaving them no room.
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    for text, widget, hint in entries:
        named = label(text)
        named.setBuddy(widget)
        form.addRow(named, _with_hint(widget, hint) if hint else widget)
    return form


def _with_hint(widget: QWidget, hint: str) -> QWidget:
    both = QWidget()
    column = QVBoxLayout(both)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    column.addWidget(widget)
    column.addWidget(label(hint, "caption", wrap=True))
    return both


def bound(act: Callable[[str, str], None], name: str) -> Told:
    """Return what tells `act` that the entry `name` has another text."""
    return partial(act, name)

"""Put a condition together: one piece a slot, in one turn or two."""

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.prompts.conditions import Condition
from director_gui.prompts.pieces import SLOTS
from director_gui.store.prompts import OwnCondition
from director_gui.study.prompt_library import (
    condition_of,
    condition_row,
    next_name,
    slots_of,
)
from director_gui.ui import theme
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.fields import caption, narrow
from director_gui.ui.widgets import button, label

_NONE = "none"
_NO_PAIR = "no pair"
_TURNS = ("one", "two: the report is asked for first")


@dataclass(frozen=True, slots=True)
class MadeCondition:
    """What the form hands over.

    Attributes:
        row: The condition.
        replaces: The condition that it takes the place of, empty for none.
        against: The condition that it is declared against, empty for none.
        family: The pair's comparison family, empty for none.
    """

    row: OwnCondition
    replaces: str
    against: str
    family: str


class ConditionForm(QScrollArea):
    """Name, turns and slots, with what is wrong with them as one chooses."""

    saved = Signal(object)  # MadeCondition
    cancelled = Signal()

    def __init__(self, book: PromptBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._origin = ""
        self.title = label("", "title", wrap=True)
        self.why = label("", "caption", wrap=True)
        self.name = QLineEdit()
        self.turns = QComboBox()
        self.slots = {slot: QComboBox() for slot in SLOTS}
        self.against = QComboBox()
        self.family = QLineEdit()
        self.state = label("", "caption", wrap=True)
        self.save = button("Save condition", self._save, primary=True)
        self._lay_out()
        self._connect()

    def make_version(self, condition: Condition) -> None:
        """Begin with an existing condition; one that must stay makes a new one."""
        same = self._book.can_change_condition(condition.name)
        self._origin = condition.name
        names = [one.name for one in self._book.library.conditions]
        self.title.setText(
            f"Edit “{condition.name}”"
            if same
            else f"New condition from “{condition.name}”"
        )
        self.why.setText(self._why(condition.name))
        self.name.setText(condition.name if same else next_name(condition.name, names))
        self.turns.setCurrentIndex(condition.turns - 1)
        chosen = slots_of(condition)
        for slot, box in self.slots.items():
            # A piece of another slot would stand elsewhere in the message.
            pieces = [p.name for p in self._book.library.pieces if p.slot == slot]
            box.clear()
            box.addItems([_NONE, *pieces])
            box.setCurrentText(chosen[slot] or _NONE)
        self.against.clear()
        others = [name for name in names if name != condition.name or not same]
        self.against.addItems([_NO_PAIR, *others])
        # A copy is most often made to be held against what it came from.
        self.against.setCurrentText(_NO_PAIR if same else condition.name)
        self.family.clear()
        self._check()
        self.name.setFocus()
        self.name.selectAll()

    def draft(self) -> OwnCondition:
        """Return the condition as it stands."""
        slots = {
            slot: None if box.currentText() in (_NONE, "") else box.currentText()
            for slot, box in self.slots.items()
        }
        name, turns = self.name.text(), self.turns.currentIndex() + 1
        origins = {row.name: row.origin for row in self._book.own.conditions}
        same = name == self._origin
        origin = origins.get(name, "") if same else self._origin
        return condition_row(name, slots, turns, origin)

    def _why(self, name: str) -> str:
        if self._book.can_change_condition(name):
            return "No run has used it yet, so it is changed in its place."
        if self._book.is_own_condition(name):
            return "A run has used it, so it is frozen: saving makes a new condition."
        return "The program’s own conditions stay: saving makes a new one."

    def _check(self) -> None:
        # The boxes fill one after the other; half of them make no condition.
        if not self.slots["action"].count():
            return
        name = self.name.text()
        same = name == self._origin and self._book.can_change_condition(name)
        if not same and name in [one.name for one in self._book.library.conditions]:
            self._say(f"The name “{name}” is taken", error=True)
            return
        try:
            made = condition_of(self.draft(), self._book.library)
        except UserError as error:
            self._say(error.what, error=True)
            return
        asks = ", then ".join(", ".join(keys) for keys in made.keys)
        self._say(f"Its reply holds {asks}", error=False)

    def _say(self, text: str, *, error: bool) -> None:
        self.state.setText(text[:1].upper() + text[1:])
        color = theme.tokens().error if error else theme.tokens().muted
        self.state.setStyleSheet(f"color: {color}")
        self.save.setEnabled(not error)

    def _save(self) -> None:
        against = self.against.currentText()
        chosen = "" if against == _NO_PAIR else against
        row = self.draft()
        replaces = row.name if row.name == self._origin else ""
        self.saved.emit(MadeCondition(row, replaces, chosen, self.family.text()))

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self._check()

    def _connect(self) -> None:
        self.name.textChanged.connect(lambda _text: self._check())
        for box in (self.turns, *self.slots.values()):
            box.currentIndexChanged.connect(lambda _at: self._check())
        self.against.currentTextChanged.connect(
            lambda text: self.family.setEnabled(text != _NO_PAIR)
        )

    def _lay_out(self) -> None:
        self.turns.addItems(_TURNS)
        self.name.setMaxLength(60)
        self.family.setPlaceholderText("such as wording")
        form = QFormLayout()
        form.setHorizontalSpacing(theme.S3)
        form.setVerticalSpacing(theme.S2)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        fields: list[tuple[str, QWidget]] = [("Name", self.name)]
        fields += [
            (slot.replace("_", " ").capitalize(), box)
            for slot, box in self.slots.items()
        ]
        fields += [
            ("Turns", self.turns),
            ("Pair against", self.against),
            ("Family", self.family),
        ]
        for word, field in fields:
            field.setAccessibleName(word)
            narrow(field)
            form.addRow(caption(word), field)
        page = QWidget()
        page.setProperty("role", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.title)
        column.addWidget(self.why)
        column.addLayout(form)
        column.addWidget(self.state)
        row = QHBoxLayout()
        row.addWidget(self.save)
        row.addWidget(button("Cancel", self.cancelled.emit))
        row.addStretch()
        column.addLayout(row)
        column.addStretch()
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)
        self.setWidgetResizable(True)

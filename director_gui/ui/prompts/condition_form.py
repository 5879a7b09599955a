"""Put a condition together: one piece a slot, in one turn or two."""

from dataclasses import dataclass

from PySide6.QtWidgets import (
    QComboBox,
    QLineEdit,
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
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.form_page import FormPage

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


class ConditionForm(FormPage):
    """Name, turns and slots, with what is wrong with them as one chooses.

    `saved` carries a `MadeCondition`.
    """

    def __init__(self, book: PromptBook, parent: QWidget | None = None) -> None:
        super().__init__(book, "Save condition", parent)
        self.name = QLineEdit()
        self.turns = QComboBox()
        self.slots = {slot: QComboBox() for slot in SLOTS}
        self.against = QComboBox()
        self.family = QLineEdit()
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
        names = [one.name for one in self._book.library.conditions]
        own = self._book.can_change_condition(name)
        if not self._may_be_named(name, names, own=own):
            self._say(f"The name “{name}” is taken", error=True)
            return
        try:
            made = condition_of(self.draft(), self._book.library)
        except UserError as error:
            self._say(error.what, error=True)
            return
        asks = ", then ".join(", ".join(keys) for keys in made.keys)
        self._say(f"Its reply holds {asks}", error=False)

    def _save(self) -> None:
        against = self.against.currentText()
        chosen = "" if against == _NO_PAIR else against
        row = self.draft()
        replaces = row.name if row.name == self._origin else ""
        self.saved.emit(MadeCondition(row, replaces, chosen, self.family.text()))

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
        self._lay_out_page(fields, ())

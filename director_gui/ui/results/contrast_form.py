"""A panel that makes a contrast: a shape is begun from, conditions are filled in."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.study.results.contrasts import Contrast, Term, collected
from director_gui.study.results.shapes import SHAPES, offered
from director_gui.ui import theme
from director_gui.ui.results.combo import Combo
from director_gui.ui.widgets import button, label

_MOST = 8  # terms: twice what the widest shape needs
_ACROSS = 2  # terms beside each other


class ContrastForm(QWidget):
    """Says while it is filled in what the sum is, or why it is none."""

    made = Signal(object)  # Contrast

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._conditions: tuple[str, ...] = ()
        self._offers: tuple[Contrast, ...] = ()
        self.name = QLineEdit()
        self.name.setPlaceholderText("Name of the contrast")
        self.name.setAccessibleName("Name of the contrast")
        self.shape = Combo("Begin from")
        self.terms = [_Term(at + 1) for at in range(_MOST)]
        self.said = label("", "caption", wrap=True)
        self.keep = button("Keep and show", self._keep)
        self.add = button("One more condition", self._one_more)
        self._lay_out()
        # Also when the same shape is chosen again: it starts the terms afresh.
        self.shape.activated.connect(self._begin_from)
        for term in self.terms:
            term.changed.connect(self._say)
        self.hide()

    def begin(self, conditions: Sequence[str]) -> None:
        """Show the form for a run with `conditions`, on the first shape."""
        self._conditions = tuple(conditions)
        self._offers = offered(conditions)
        self.shape.clear()
        for shape in SHAPES:
            self.shape.addItem(shape.name, shape)
        if self._offers:
            self.shape.insertSeparator(self.shape.count())
        for one in self._offers:
            self.shape.addItem(one.name, one)
        self.name.clear()
        self._begin_from(0)
        self.show()
        self.name.setFocus()

    # Inside -------------------------------------------------------------------

    def _begin_from(self, at: int) -> None:
        chosen = self.shape.itemData(at)
        if isinstance(chosen, Contrast):
            self.name.setText(chosen.name)
            self._fill(tuple(chosen.weights.items()), known=True)
        elif chosen is not None:
            self._fill(chosen.terms, known=False)

    def _fill(self, terms: tuple[Term, ...], *, known: bool) -> None:
        for at, term in enumerate(self.terms):
            term.setVisible(at < len(terms))
            if at < len(terms):
                word, weight = terms[at]
                # In a shape the word is a role, and no condition's name.
                term.offer(self._conditions, word if known else "", weight)
                term.set_role("" if known else word)
        self._say()

    def _one_more(self) -> None:
        hidden = next((one for one in self.terms if one.isHidden()), None)
        if hidden is not None:
            hidden.offer(self._conditions, "", 1.0)
            hidden.set_role("")
            hidden.show()
        self._say()

    def _asked(self) -> Contrast:
        terms = [one.value() for one in self.terms if not one.isHidden()]
        return collected(
            self.name.text().strip(), [(name, weight) for name, weight in terms if name]
        )

    def _say(self) -> None:
        self.add.setEnabled(any(one.isHidden() for one in self.terms))
        said, ready = self._verdict()
        self.said.setText(said)
        self.keep.setEnabled(ready)

    def _verdict(self) -> tuple[str, bool]:
        shown = [one.value() for one in self.terms if not one.isHidden()]
        # Before the sum is judged: half a form is not a fault.
        if not all(condition for condition, _ in shown):
            return "Choose a condition for each weight.", False
        try:
            asked = self._asked()
        except UserError as error:
            return f"No contrast: {error}.", False
        return f"{asked.formula}. The weights sum to 0.", True

    def _keep(self) -> None:
        self.made.emit(self._asked())

    def _lay_out(self) -> None:
        top = QHBoxLayout()
        top.setSpacing(theme.S2)
        title = label("Begin from", "caption")
        title.setBuddy(self.shape)
        for widget, share in ((self.name, 1), (title, 0), (self.shape, 1)):
            top.addWidget(widget, share)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.S4)
        grid.setVerticalSpacing(theme.S1)
        for at, term in enumerate(self.terms):
            grid.addWidget(term, at // _ACROSS, at % _ACROSS)
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        for made in (self.keep, self.add, button("Cancel", self.hide)):
            row.addWidget(made)
        row.addWidget(self.said, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S2)
        column.setSpacing(theme.S2)
        column.addLayout(top)
        column.addLayout(grid)
        column.addLayout(row)


class _Term(QWidget):
    """A weight and the condition that it belongs to."""

    changed = Signal()

    def __init__(self, number: int) -> None:
        super().__init__()
        self.weight = QDoubleSpinBox()
        # Any sum that means something lies far inside.
        self.weight.setRange(-9.0, 9.0)
        self.weight.setSingleStep(0.5)
        self.weight.setSuffix(" ×")
        self.weight.setAccessibleName(f"Weight of condition {number}")
        self.condition = Combo(f"Condition {number}")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.S2)
        row.addWidget(self.weight)
        row.addWidget(self.condition, 1)
        self.weight.valueChanged.connect(lambda _value: self.changed.emit())
        self.condition.currentIndexChanged.connect(lambda _at: self.changed.emit())

    def offer(self, conditions: Sequence[str], chosen: str, weight: float) -> None:
        """Offer conditions, with one chosen or none yet."""
        with QSignalBlocker(self.condition), QSignalBlocker(self.weight):
            self.condition.clear()
            for name in conditions:
                self.condition.addItem(name, name)
            self.condition.setCurrentIndex(self.condition.findData(chosen))
            self.weight.setValue(weight)

    def set_role(self, word: str) -> None:
        """Say what this condition is in the shape."""
        self.condition.setPlaceholderText(f"choose the {word or 'condition'}…")

    def value(self) -> Term:
        """Return the condition, empty without one, and its weight."""
        return str(self.condition.currentData() or ""), self.weight.value()

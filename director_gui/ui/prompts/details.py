"""What there is to know of the chosen condition, and its declared pairs."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.conditions import Condition
from director_gui.study.prompt_overview import Declared, Overview
from director_gui.ui import theme
from director_gui.ui.icons import icon
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.widgets import button, label

_PAIR = Qt.ItemDataRole.UserRole
_NO_PAIRS = (
    "None yet. Choose a condition to hold it against, below the table, "
    "and declare the two as a pair."
)


class ConditionDetails(QWidget):
    """Facts above, pairs below."""

    edit = Signal()
    delete = Signal()
    partner_chosen = Signal(str)
    withdraw = Signal(str, str)  # first, second
    family_given = Signal(str, str, str)  # first, second, family

    def __init__(self, book: PromptBook, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._book = book
        self._shown: tuple[Condition, Overview] | None = None
        self.title = label("", "title")
        self.state = label("", wrap=True)
        self.facts = label("", "caption", wrap=True)
        self.pairs = QListWidget()
        self.edit_button = button("Edit condition", self.edit.emit)
        self.delete_button = button("Delete", self.delete.emit)
        self.no_pairs = label(_NO_PAIRS, "caption", wrap=True)
        self.remove = button("Remove this pair", self._withdraw)
        self.family = QLineEdit()
        self.family_name = label("Family of comparisons", "caption")
        self._lay_out()
        self.family.editingFinished.connect(self._family_given)
        self.pairs.itemSelectionChanged.connect(self._pair_chosen)

    def show_condition(self, condition: Condition, found: Overview) -> None:
        """Show a condition and the pairs that name it."""
        self._shown = (condition, found)
        name = condition.name
        self.title.setText(name)
        self.state.setText(self._state(name))
        asks = ", then ".join(", ".join(keys) for keys in condition.keys)
        turns = "two turns" if condition.turns > 1 else "one turn"
        self.facts.setText(
            f"Asks for {asks}, in {turns}. Its batches hold {condition.base}. "
            f"Version {condition.version[:10]}."
        )
        same = self._book.can_change_condition(name)
        self.edit_button.setText("Edit condition" if same else "Edit a copy")
        self.delete_button.setVisible(same)
        for made in (self.edit_button, self.delete_button):
            made.setEnabled(not self._book.read_only)
        self._list_pairs(found.pairs_of(name), name)

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        if self._shown:
            self.show_condition(*self._shown)

    def _state(self, name: str) -> str:
        rows = {row.name: row for row in self._book.own.conditions}
        if name not in rows:
            used = " A run has used it." if name in self._book.frozen.conditions else ""
            return f"Built in: it is always there and stays as it is.{used}"
        origin = rows[name].origin
        made = f"Yours, made from {origin}." if origin else "Yours."
        if name in self._book.frozen.conditions:
            return f"{made} Frozen: a run has used it, so an edit makes a new one."
        return f"{made} No run has used it yet."

    def _list_pairs(self, pairs: tuple[Declared, ...], name: str) -> None:
        # Filling the list is no choice of a pair.
        self.pairs.blockSignals(True)
        before = self.chosen_pair()
        self.pairs.clear()
        for pair in pairs:
            item = _item(pair, name)
            self.pairs.addItem(item)
            # A pair that only got a family, say, stays the chosen one.
            if before and (before.first, before.second) == (pair.first, pair.second):
                self.pairs.setCurrentItem(item)
        self.pairs.blockSignals(False)
        self.pairs.setVisible(bool(pairs))
        self.no_pairs.setVisible(not pairs)
        self._show_remove()

    def chosen_pair(self) -> Declared | None:
        """Return the pair that is chosen in the list, None for none."""
        for item in self.pairs.selectedItems():
            found = item.data(_PAIR)
            if isinstance(found, Declared):
                return found
        return None

    def _pair_chosen(self) -> None:
        pair = self.chosen_pair()
        self._show_remove()
        if pair is not None and self._shown is not None:
            self.partner_chosen.emit(pair.other(self._shown[0].name))

    def _show_remove(self) -> None:
        pair = self.chosen_pair()
        self.remove.setVisible(pair is not None and pair.own)
        self.remove.setEnabled(not self._book.read_only)
        for shown in (self.family_name, self.family):
            shown.setVisible(pair is not None and pair.own)
        self.family.setEnabled(not self._book.read_only)
        self.family.setText(pair.family if pair is not None else "")

    def _family_given(self) -> None:
        pair, family = self.chosen_pair(), self.family.text().strip()
        if pair is not None and pair.own and family != pair.family:
            self.family_given.emit(pair.first, pair.second, family)

    def _withdraw(self) -> None:
        pair = self.chosen_pair()
        if pair is not None:
            self.withdraw.emit(pair.first, pair.second)

    def _lay_out(self) -> None:
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.pairs.setAccessibleName("Declared pairs of this condition")
        self.pairs.setWordWrap(True)
        self.pairs.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.pairs.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        for shown in (self.title, self.state, self.facts):
            column.addWidget(shown)
        column.addLayout(_row(self.edit_button, self.delete_button))
        column.addSpacing(theme.S2)
        column.addWidget(label("Declared pairs", "section"))
        column.addWidget(self.no_pairs)
        column.addWidget(self.pairs, 1)
        self.family.setAccessibleName("Comparison family of this pair")
        self.family.setPlaceholderText("none")
        self.family.setMaxLength(60)
        column.addWidget(self.family_name)
        column.addWidget(self.family)
        column.addLayout(_row(self.remove))
        column.addStretch()


def _row(*buttons: QPushButton) -> QHBoxLayout:
    row = QHBoxLayout()
    for made in buttons:
        row.addWidget(made)
    row.addStretch()
    return row


def _item(pair: Declared, name: str) -> QListWidgetItem:
    # Both directions are listed: a reference should show what is held against it.
    other = pair.other(name)
    title = f"against {other}" if name == pair.first else f"{other} against this"
    family = f" · {pair.family}" if pair.family else ""
    yours = f"\nyours{family}" if pair.own else ""
    words = pair.refusal or _found(pair)
    item = QListWidgetItem(f"{title}\n{words}{yours}")
    item.setIcon(icon("close-circle-outline" if pair.refusal else "check"))
    if pair.refusal:
        item.setForeground(QBrush(QColor(theme.tokens().error)))
    item.setData(_PAIR, pair)
    item.setToolTip(f"{pair.first} against {pair.second}: {words}")
    state = "broken" if pair.refusal else "proof holds"
    item.setData(
        Qt.ItemDataRole.AccessibleTextRole,
        f"{title}, {state}: {words}",
    )
    return item


def _found(pair: Declared) -> str:
    span = pair.span
    if span is None:
        return ""
    a, b = (", ".join(part.name for part in side) for side in (span.a, span.b))
    if a and b:
        return f"{span.slot}: {a} for {b}"
    return f"{span.slot}: {a} added" if a else f"{span.slot}: {b} left out"

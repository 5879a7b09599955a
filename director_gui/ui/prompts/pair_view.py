"""The full message of one condition against a partner, and what the proof says."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.compose import Prompt
from director_gui.prompts.pairing import compare
from director_gui.scene.model import Picture
from director_gui.study.prompt_overview import Overview
from director_gui.ui import theme
from director_gui.ui.copying import CopyButton
from director_gui.ui.message_view import (
    MessageView,
    message_lines,
    proof_in_words,
    size_in_words,
)
from director_gui.ui.widgets import button, label, restyle

_ALONE = "no other condition"


class PairView(QWidget):
    """Declared partners come first in the choice; any other may be held against it."""

    partner_chosen = Signal(str)  # empty for none
    declare = Signal(str, str)  # first, second

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "strong")
        self.partner = QComboBox()
        self.proof = label("", wrap=True)
        self.sizes = label("", "caption", wrap=True)
        self.text = MessageView()
        self.declare_pair = button("Declare as a pair", self._declare)
        self._name = ""
        self._picture: Picture | None = None
        self._found: Overview | None = None
        self._lay_out()
        self.partner.currentIndexChanged.connect(lambda _at: self._turned())

    @property
    def chosen_partner(self) -> str:
        """The partner's name, empty for none."""
        name = self.partner.currentText()
        return "" if name == _ALONE else name

    def show_condition(self, name: str, found: Overview, picture: Picture) -> None:
        """Show a condition; the partner stays when it can."""
        # A scene or an edit changes the texts, not what one is comparing.
        before = self.chosen_partner if name == self._name else ""
        self._name, self._found, self._picture = name, found, picture
        self._list_partners(name, found, before)
        self._show()

    def choose_partner(self, name: str) -> None:
        """Hold the condition against another one."""
        self.partner.setCurrentText(name)

    def hold(self, *, writable: bool) -> None:
        """Allow or forbid to declare a pair."""
        self.declare_pair.setEnabled(writable)

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self._show()

    def exact_text(self) -> str | None:
        """Return the condition's messages to copy; None while there are none."""
        prompt = self._prompt(self._name)
        return None if prompt is None else "\n".join(prompt.texts)

    def _list_partners(self, name: str, found: Overview, before: str) -> None:
        declared = [pair.other(name) for pair in found.pairs_of(name)]
        first = list(dict.fromkeys(declared))
        # Any two can be compared; what is declared is only first in the list.
        others = [n for n in found.prompts if n != name and n not in first]
        # One drawing for the new condition, not one for each partner listed.
        self.partner.blockSignals(True)
        self.partner.clear()
        self.partner.addItems(first)
        if first:
            self.partner.insertSeparator(len(first))
        self.partner.addItems([_ALONE, *others])
        if before in (*first, *others):
            self.partner.setCurrentText(before)
        else:
            self.partner.setCurrentIndex(0)
        self.partner.blockSignals(False)

    def _turned(self) -> None:
        self._show()
        self.partner_chosen.emit(self.chosen_partner)

    def _prompt(self, name: str) -> Prompt | None:
        return self._found.prompts.get(name) if self._found else None

    def _show(self) -> None:
        if self._found is None or self._picture is None:
            return
        self.title.setText(self._name)
        self.title.setToolTip(self._name)
        self.title.setMinimumWidth(
            min(self.title.fontMetrics().horizontalAdvance(self._name), theme.px(60))
        )
        prompt, partner = self._prompt(self._name), self._prompt(self.chosen_partner)
        if prompt is None:
            self._say(
                self._found.failed.get(self._name, ""), "error", may_declare=False
            )
            self.sizes.clear()
            self.text.show_lines(())
            return
        prompts = [prompt, partner] if partner else [prompt]
        span = compare(prompt, partner) if partner else None
        self.text.show_lines(message_lines(prompts, span, self._picture))
        sizes = (f"{one.condition}: {size_in_words(one)}" for one in prompts)
        self.sizes.setText(" · ".join(sizes))
        self._say_proof(span.refusal if span else "", proof_in_words(span))

    def _say_proof(self, refusal: str, words: str) -> None:
        partner = self.chosen_partner
        found = self._found.between(self._name, partner) if self._found else None
        if not partner:
            self._say("Choose a condition to hold it against", "", may_declare=False)
        elif found is None:
            kind = "error" if refusal else ""
            self._say(f"Not a declared pair. {words}", kind, may_declare=True)
        elif refusal:
            broken = (
                f"✗ Declared, but no pair: {refusal}. The two cannot run as a pair."
            )
            self._say(broken, "error", may_declare=False)
        else:
            order = f"{found.first} against {found.second}"
            self._say(f"✓ Declared pair, {order}. {words}", "", may_declare=False)

    def _say(self, text: str, role: str, *, may_declare: bool) -> None:
        self.proof.setText(text)
        self.proof.setProperty("role", role)
        restyle(self.proof)
        self.declare_pair.setVisible(may_declare)

    def _declare(self) -> None:
        self.declare.emit(self._name, self.chosen_partner)

    def _lay_out(self) -> None:
        self.setProperty("role", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.partner.setAccessibleName("Partner: hold the condition against")
        self.partner.setMinimumContentsLength(16)
        self.partner.setMaxVisibleItems(24)
        # These give way or wrap, so that the view can be narrow with a large text.
        for shown in (self.partner, self.proof, self.sizes):
            shown.setMinimumWidth(theme.px(100))
        self.copy = CopyButton("Copy exact text", self.exact_text)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S2)
        column.setSpacing(theme.S2)
        against = label("against", "caption")
        column.addLayout(_row(self.title, against, self.partner))
        column.addLayout(_row(self.proof, self.declare_pair, stretched=True))
        column.addLayout(_row(self.sizes, self.copy, stretched=True))
        column.addWidget(self.text, 1)


def _row(*widgets: QWidget, stretched: bool = False) -> QHBoxLayout:
    """Return a row whose first widget, or whose end, takes the room that is left."""
    row = QHBoxLayout()
    row.setSpacing(theme.S2)
    for at, widget in enumerate(widgets):
        row.addWidget(widget, 1 if stretched and at == 0 else 0)
    if not stretched:
        row.addStretch()
    return row

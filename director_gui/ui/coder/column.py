"""The codes in one column: every field of the codebook, then note, flag and skip."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coding.codebook import CHOICES, Codebook, Field
from coding.state import ItemState
from director_gui.ui import theme
from director_gui.ui.coder import keys
from director_gui.ui.coder.boxes import ChoiceBox, QuoteBox, TextBox
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coder.keys import KeyPlan

WIDTH = 300  # px at 100 %
_MOST = 0.45  # share of the page that the codes may take


class Column(QFrame):
    """Shows the state of a trace and says what the coder asks for."""

    chosen = Signal(str, str)  # field, code
    quote_asked = Signal(str)
    quote_removed = Signal(str)
    text_written = Signal(str, str)
    note_written = Signal(str)
    skip_asked = Signal()
    flag_asked = Signal()
    next_asked = Signal()
    previous_asked = Signal()
    left = Signal()  # a text is done; the trace may have the keys again

    def __init__(
        self, book: Codebook, plan: KeyPlan, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("codes")
        self._inner = QWidget()
        self._choices: dict[str, ChoiceBox] = {}
        self._quotes: dict[str, QuoteBox] = {}
        self._texts: dict[str, TextBox] = {}
        self._note = TextBox("Note", "", plan.command(keys.NOTE))
        self._note.written.connect(self.note_written)
        self._note.left.connect(self.left)
        self._flag = KeyButton("Flag", plan.command(keys.FLAG))
        self._flag.setToolTip("Have this trace looked at later")
        self._flag.clicked.connect(self.flag_asked)
        self._skip = KeyButton("Skip", plan.command(keys.SKIP))
        self._skip.setToolTip("Pass this trace over: missing, never a code")
        self._skip.clicked.connect(self.skip_asked)
        page = QVBoxLayout(self)
        page.setContentsMargins(1, 0, 0, 0)  # the line at the left
        page.setSpacing(0)
        self._fill(book, plan)
        self._area = FittedArea(self._inner)
        page.addWidget(self._area, 1)
        page.addWidget(self._footer())
        self.restyle()

    def restyle(self) -> None:
        """Take the text size."""
        self.fit()
        t = theme.tokens()
        self.setStyleSheet(
            f"#codes {{ background: {t.panel}; border-left: 1px solid {t.line}; }}"
        )
        for box in (*self._texts.values(), self._note):
            box.restyle()
        for button in self.findChildren(KeyButton):
            button.updateGeometry()

    def fit(self) -> None:
        """Take the width for the text size, but leave most of the page to the trace."""
        self.setFixedWidth(column_width(self.parentWidget()))

    def show_state(self, state: ItemState, *, fresh: bool = False) -> None:
        """Show what has been said about the trace; `fresh`: it has just come up."""
        for name, choice in self._choices.items():
            choice.show_value(state.values.get(name))
        for name, quoted in self._quotes.items():
            quote = state.quotes.get(name)
            quoted.show_quote(quote.text if quote else None)
        for name, text in self._texts.items():
            text.show_value(state.values.get(name, ""), fresh=fresh)
        self._note.show_value(state.note, fresh=fresh)
        self._flag.setChecked(state.flagged)
        self._skip.setChecked(state.skipped)

    def reveal(self, field: str) -> None:
        """Scroll a field into sight, as large text may have it below the edge."""
        box = self._choices.get(field) or self._quotes.get(field)
        if box is not None:
            self._area.reveal(box)

    def open_text(self, field: str) -> None:
        """Put the caret into a text field; '' is the note."""
        (self._texts[field] if field else self._note).open()

    def commit(self) -> None:
        """Hand over texts that are being written."""
        for box in (*self._texts.values(), self._note):
            box.commit()

    def _fill(self, book: Codebook, plan: KeyPlan) -> None:
        self._inner.setProperty("role", "panel")
        stack = QVBoxLayout(self._inner)
        stack.setContentsMargins(theme.S4, theme.S4, theme.S4, theme.S4)
        stack.setSpacing(theme.S4)
        for field in book.fields:
            stack.addWidget(self._box(field, plan))
        stack.addWidget(self._note)
        stack.addStretch(1)

    def _box(self, field: Field, plan: KeyPlan) -> QWidget:
        name = field.name
        if field.kind in CHOICES:
            codes = [plan.code(name, code.name) for code in field.codes]
            choice = self._choices[name] = ChoiceBox(field, codes)
            choice.chosen.connect(partial(self.chosen.emit, name))
            return choice
        if field.kind == "quote":
            quote = self._quotes[name] = QuoteBox(field, plan.field(name))
            quote.asked.connect(partial(self.quote_asked.emit, name))
            quote.removed.connect(partial(self.quote_removed.emit, name))
            return quote
        text = self._texts[name] = TextBox(
            field.label, field.question, plan.field(name)
        )
        text.written.connect(partial(self.text_written.emit, name))
        text.left.connect(self.left)
        return text

    def _footer(self) -> QFrame:
        back, on = QPushButton("Previous"), QPushButton("Next")
        back.setToolTip("← or Page Up")
        on.setToolTip("Enter, → or Page Down")
        on.setProperty("primary", True)
        back.clicked.connect(self.previous_asked)
        on.clicked.connect(self.next_asked)
        for button in (back, on):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        footer = QFrame()
        page = QVBoxLayout(footer)
        page.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S4)
        page.setSpacing(theme.S2)
        for pair in ((self._flag, self._skip), (back, on)):
            row = QHBoxLayout()
            row.setSpacing(theme.S2)
            for button in pair:
                row.addWidget(button, 1)
            page.addLayout(row)
        return footer


def column_width(page: QWidget | None) -> int:
    """Return the width in px of the codes on a page of traces."""
    room = round(page.width() * _MOST) if page is not None else theme.px(WIDTH)
    return max(WIDTH, min(theme.px(WIDTH), room))

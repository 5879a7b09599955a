"""Practice: a codebook's examples, one at a time, with the answer told at once.

It holds no packet and no results file, so nothing of it can get into one.
"""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coding.codebook import Codebook, Field
from coding.textmap import TextMap
from coding.training import Practice
from director_gui.ui import theme
from director_gui.ui.coder.boxes import ChoiceBox, plain_label
from director_gui.ui.coder.column import column_width
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coder.keys import KeyPlan
from director_gui.ui.coder.progress import ProgressLine
from director_gui.ui.coder.reading import ReadingView
from director_gui.ui.coder.shortcuts import bind

_HINT = "Nothing of this is kept · Enter: next · Esc: training page"
_NEXT = ("Return", "Enter", "Right", "PgDown")


class PracticePage(QWidget):
    """Leads through the cards; looks like the page for traces, and says it is not."""

    coding_asked = Signal()
    training_asked = Signal()

    def __init__(
        self, book: Codebook, plan: KeyPlan, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._book, self._plan = book, plan
        self.practice = Practice(book)
        self.progress = ProgressLine()
        self.passage = ReadingView()
        self.verdict, self.why = plain_label("", "strong"), plain_label("")
        self._answer = QFrame()
        self._answer.setProperty("role", "banner")
        self.question = plain_label("", "caption")
        self._choices: dict[str, ChoiceBox] = {}
        self.column = QFrame()
        self.next = _button("Next", primary=True)
        self.next.clicked.connect(self._next)
        self._again, self._code = _button("Practise again"), _button("Start coding")
        self._again.clicked.connect(self.begin)
        self._code.clicked.connect(self.coding_asked)
        self._lay_out()
        self._bind_keys()
        self.restyle()
        self._show_card()

    def begin(self) -> None:
        """Start anew, in another order."""
        self.practice.again()
        self._show_card()
        self.passage.setFocus(Qt.FocusReason.OtherFocusReason)

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        t = theme.tokens()
        self.passage.restyle()
        self.column.setStyleSheet(
            f"#codes {{ background: {t.panel}; border-left: 1px solid {t.line}; }}"
        )
        self.column.setFixedWidth(column_width(self))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width between passage and codes."""
        super().resizeEvent(event)
        self.column.setFixedWidth(column_width(self))

    def choose(self, field: str, code: str) -> None:
        """Answer the card that is up; codes of other fields do nothing."""
        practice = self.practice
        # Keys of other fields work nowhere else on this page either.
        if practice.over or practice.card.field != field:
            return
        practice.choose(code)
        self._show_answer()

    def _next(self) -> None:
        if not self.practice.over:
            self.practice.next()
            self._show_card()

    def _show_card(self) -> None:
        practice = self.practice
        self._show_count()
        for button in (self._again, self._code):
            button.setVisible(practice.over)
        self.next.setVisible(not practice.over)
        field = "" if practice.over else practice.card.field
        # Other fields would give away that this passage is no example for them.
        for name, choice in self._choices.items():
            choice.setVisible(name == field)
        if practice.over:
            self._show_end()
            return
        card = practice.card
        self.passage.show_text(TextMap(card.text))
        self.passage.setAccessibleName(f"Practice, passage {practice.at + 1}")
        self._choices[field].show_value(None)
        self.question.setText(self._book.field(field).question)
        self._tell("", "")

    def _show_answer(self) -> None:
        practice = self.practice
        card, field = practice.card, self._book.field(practice.card.field)
        given = practice.answer or ""
        self._choices[card.field].show_value(given)
        code = field.code(card.code)
        if practice.is_right:
            verdict = f"✓ Right: {code.label}"
        else:
            chosen = field.code(given).label
            verdict = f"✗ An example of “{code.label}”; you chose “{chosen}”"
        self._tell(verdict, code.definition or "The codebook has no definition of it.")
        self._show_count()
        # Its height is known once it has been laid out.
        QTimer.singleShot(0, self, lambda: self._area.reveal(self._answer))

    def _show_end(self) -> None:
        practice = self.practice
        self.passage.show_text(TextMap("That was all of the codebook's examples."))
        self.passage.setAccessibleName("Practice is over")
        self.question.setText("")
        right = f"{practice.right:,} of {practice.answered:,} as the codebook has them"
        self._tell(right, "Nothing of this was kept. Practise as often as you like.")
        # Enter then goes to the traces, as it goes on everywhere.
        self._code.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_count(self) -> None:
        practice = self.practice
        total = len(practice.cards)
        at = min(practice.at + 1, total)
        self.progress.show_words(f"Practice · example {at:,} of {total:,}")
        self.progress.show_counts(
            practice.right, 0, total, f"{practice.answered:,} answered", "right"
        )

    def _tell(self, verdict: str, why: str) -> None:
        self._answer.setVisible(bool(verdict))
        self.verdict.setText(verdict)
        self.why.setText(why)
        said = f"{verdict}. {why}" if verdict else self.passage.accessibleName()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, said))

    def _bind_keys(self) -> None:
        for field in self._book.fields:
            for code in field.codes:
                choose = partial(self.choose, field.name, code.name)
                bind(self, self._plan.code(field.name, code.name), choose)
        for key in _NEXT:
            bind(self, key, self._on)
        bind(self, "Escape", self.training_asked.emit)

    def _on(self) -> None:
        # At the end Enter is for the buttons, whichever has the focus.
        if self.practice.over:
            (self._again if self._again.hasFocus() else self._code).click()
        else:
            self._next()

    # Layout -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self._left(), 1)
        body.addWidget(self.column)
        self._fill_column()
        leave = _button("Training page")
        leave.setProperty("flat", True)
        leave.clicked.connect(self.training_asked)
        self.progress.add_action(leave)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.progress)
        page.addLayout(body, 1)

    def _left(self) -> QWidget:
        left = QFrame()
        left.setProperty("role", "panel")
        hint = plain_label(_HINT, "caption")
        hint.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S2)
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.passage, 1)
        column.addWidget(hint)
        return left

    def _fill_column(self) -> None:
        self.column.setObjectName("codes")
        footer = QVBoxLayout()
        footer.setContentsMargins(theme.S4, theme.S2, theme.S4, theme.S4)
        footer.setSpacing(theme.S2)
        for button in (self._again, self._code, self.next):
            footer.addWidget(button)
        column = QVBoxLayout(self.column)
        column.setContentsMargins(1, 0, 0, 0)  # the line at the left
        column.setSpacing(0)
        self._area = FittedArea(self._codes())
        column.addWidget(self._area, 1)
        column.addLayout(footer)

    def _codes(self) -> QWidget:
        inner = QWidget()
        inner.setProperty("role", "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.S4, theme.S4, theme.S4, theme.S4)
        column.setSpacing(theme.S3)
        for field in self._book.fields:
            if field.codes:
                column.addWidget(self._choice(field))
        column.addWidget(self.question)
        words = QVBoxLayout(self._answer)
        words.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S3)
        words.setSpacing(theme.S1)
        words.addWidget(self.verdict)
        words.addWidget(self.why)
        column.addWidget(self._answer)
        column.addStretch(1)
        return inner

    def _choice(self, field: Field) -> ChoiceBox:
        keys = [self._plan.code(field.name, code.name) for code in field.codes]
        choice = self._choices[field.name] = ChoiceBox(field, keys)
        choice.chosen.connect(partial(self.choose, field.name))
        return choice


def _button(text: str, *, primary: bool = False) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("primary", primary)
    made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return made

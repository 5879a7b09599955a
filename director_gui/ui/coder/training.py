"""The training page: what to do with each trace, and the codebook to read."""

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from coding.codebook import Codebook
from coding.training import cards
from director_gui.ui import theme
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coder.guide import steps
from director_gui.ui.coder.keys import KeyPlan
from director_gui.ui.coder.sheet import CodebookSheet
from director_gui.ui.coder.shortcuts import bind
from director_gui.ui.coder.words import counted

_WIDTH = 400  # px at 100 %
_MOST = 0.5  # share of the page that the steps may take
_APART = (
    "Practice uses the codebook's examples and tells you at once what they stand for. "
    "It is apart from your traces: nothing of it is kept."
)


class TrainingPage(QWidget):
    """Everything on it comes from the packet's codebook."""

    coding_asked = Signal()
    practice_asked = Signal()

    def __init__(
        self, book: Codebook, plan: KeyPlan, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.book = CodebookSheet(book, plan)
        self.start = _button("Start coding", self.coding_asked.emit)
        self.start.setProperty("primary", True)
        examples = len(cards(book))
        text = f"Practise on {counted(examples, 'example')}"
        self.practise = _button(text, self.practice_asked.emit)
        self._side = QFrame()
        self._lay_out(steps(book, plan), practise=examples > 0)
        # As everywhere in this window, it leads back to the trace.
        bind(self, "Escape", self.coding_asked.emit)
        self.restyle()

    def show_place(self, number: int, *, fresh: bool) -> None:
        """Say where coding goes on; `fresh`: it has not begun."""
        place = "Start with trace 1" if fresh else f"Back to trace {number:,}"
        self.start.setText(place)
        # Whoever knows the page goes on with one key.
        self.start.setFocus(Qt.FocusReason.OtherFocusReason)

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        self.book.restyle()
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave half of the page to the codebook, however large the text."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._side.setFixedWidth(min(theme.px(_WIDTH), round(self.width() * _MOST)))

    def _lay_out(self, told: list[str], *, practise: bool) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.S6, theme.S6, theme.S6, theme.S4)
        column.setSpacing(theme.S3)
        column.addWidget(plain_label("How to code", "title"))
        for number, step in enumerate(told, 1):
            column.addWidget(plain_label(f"{number}.  {step}"))
        column.addStretch(1)
        side = QVBoxLayout(self._side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        side.addWidget(FittedArea(inner, stop="How to code"), 1)
        side.addWidget(self._footer(practise=practise))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._side)
        row.addWidget(self.book, 1)

    def _footer(self, *, practise: bool) -> QWidget:
        footer = QWidget()
        page = QVBoxLayout(footer)
        page.setContentsMargins(theme.S6, theme.S2, theme.S6, theme.S6)
        page.setSpacing(theme.S2)
        note = plain_label(_APART, "caption")
        for widget in (note, self.practise, self.start):
            page.addWidget(widget)
        # A codebook without examples has nothing to practise on.
        note.setVisible(practise)
        self.practise.setVisible(practise)
        return footer


def _button(text: str, act: Callable[[], None]) -> QPushButton:
    made = QPushButton(text)
    made.setAutoDefault(True)  # Enter presses it, as it moves on elsewhere
    made.clicked.connect(act)
    return made

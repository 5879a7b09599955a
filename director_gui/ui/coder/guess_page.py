"""The guesses at the end: was the visibility question asked? Kept apart from codes."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from coding.events import ASKED, NOT_ASKED, UNKNOWN
from director_gui.ui import theme
from director_gui.ui.coder.banner import Banner
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.desk import Desk
from director_gui.ui.coder.progress import ProgressLine
from director_gui.ui.coder.reading import ReadingView
from director_gui.ui.coder.shortcuts import bind

QUESTION = "Before it chose: was the model asked which blocks the director can see?"
_ANSWERS = ((ASKED, "Yes", "1"), (NOT_ASKED, "No", "2"), (UNKNOWN, "Don't know", "3"))


class GuessPage(QWidget):
    """Goes through the packet once more; one key a trace.

    Args:
        desk: The desk that the traces were coded at; all of them are decided.
        parent: The widget to live in.
    """

    left = Signal()

    def __init__(self, desk: Desk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.desk = desk
        self.progress, self.banner, self.trace = (
            ProgressLine(),
            Banner(),
            ReadingView(),
        )
        self.answers = {name: KeyButton(words, key) for name, words, key in _ANSWERS}
        self._done = QPushButton("Done")
        self._done.setToolTip("Escape")
        self._done.clicked.connect(self.leave)
        self.progress.add_action(self._done)
        self._lay_out()
        # The desk is shared with the pane, which then shows the same trace.
        for name, _words, key in _ANSWERS:
            self.answers[name].clicked.connect(partial(self._answer, name))
            bind(self, key, partial(self._answer, name))
        for key, act in (
            ("Left", desk.previous),
            ("Right", desk.next),
            ("Return", desk.next),
            ("Escape", self.leave),
        ):
            bind(self, key, act)
        desk.moved.connect(self._show)
        desk.changed.connect(self._show)
        desk.failed.connect(self._show_fault)
        self._show()

    def begin(self) -> None:
        """Show the first trace without a guess, and take the keys."""
        # From the start of the packet, wherever the coding ended.
        self.desk.next_unguessed(0)
        self._show()
        self.trace.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Go back to the last page, unless a guess still waits for the disk."""
        if self.desk.retry():
            self.left.emit()

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        self.trace.restyle()

    def _answer(self, name: str) -> None:
        before = self.desk.state.guess
        self.desk.guess(name)
        # Straight on: a guess is one glance. What was taken back is to be seen.
        if not self.desk.waits and before != name:
            self._forward()

    def _forward(self) -> None:
        if self.desk.retry() and not self.desk.next_unguessed():
            self.left.emit()

    def _show(self) -> None:
        desk, total = self.desk, len(self.desk.packet.items)
        self.trace.show_text(desk.text)
        for name, button in self.answers.items():
            button.setChecked(desk.state.guess == name)
        guessed = total - desk.unguessed()
        self.progress.show_place(desk.index + 1, total, "")
        self.progress.show_counts(guessed, 0, total, "", "guessed")
        self.trace.setAccessibleName(f"Trace {desk.index + 1} of {total}")

    def _show_fault(self, fault: str) -> None:
        if fault:
            self.banner.say(f"Not saved yet: {fault}.", error=True)
        else:
            self.banner.hide()

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        for button in self.answers.values():
            row.addWidget(button, 1)
        foot = QVBoxLayout()
        foot.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S4)
        foot.setSpacing(theme.S2)
        foot.addWidget(plain_label(QUESTION, "strong"))
        foot.addLayout(row)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.progress)
        page.addWidget(self.banner)
        page.addWidget(self.trace, 1)
        page.addLayout(foot)

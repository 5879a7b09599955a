"""The last page: what is done, what is open, and which file to hand back."""

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from coding.results import CodingSession
from director_gui.ui import theme
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.centered import CenteredPage
from director_gui.ui.coder.path_line import PathLine
from director_gui.ui.coder.words import counted

_GUESS = """\
If you like, guess at the end what was asked before each trace; “don't know” is an \
answer. It tells how blind the coding was, and changes no code. Hand the file back \
after it."""


class FinishPage(CenteredPage):
    """Sums up the session; everything it names is on disk."""

    back = Signal()
    open_asked = Signal()  # go to the first trace that is still open
    guess_asked = Signal()  # guess what was asked before each trace

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = Path()
        self.title, self._counts = plain_label("", "title"), plain_label("")
        self._what, self.where = plain_label(""), PathLine("Results file")
        self._rest = _button("Go to an open trace", self.open_asked.emit)
        self._show = _button("Show in folder", self.show_folder)
        self._copy = _button("Copy the path", self.copy_path)
        self._back = _button("Back", self.back.emit)
        self.guess = _button("Guess what was asked", self.guess_asked.emit)
        self._about_guess = plain_label(_GUESS, "caption")
        self._lay_out()

    def show_session(self, session: CodingSession) -> None:
        """Say how the packet stands."""
        progress = session.progress()
        self._path = session.path
        done = "Every trace is decided"
        left = f"{progress.open:,} of {counted(progress.total, 'trace')} still open"
        self.title.setText(left if progress.open else done)
        self._counts.setText(
            f"{progress.coded:,} coded, {progress.skipped:,} skipped, "
            f"{progress.open:,} open."
        )
        self._what.setText(
            "When you are done, hand back this one file. It holds the decisions of "
            f"“{session.header.alias}” on this packet; the packet itself need not go."
        )
        self.where.show_path(self._path)
        _make_primary(self._rest, on=progress.open > 0)
        _make_primary(self._show, on=progress.open == 0)
        # One primary button: what is open comes before handing back.
        self._rest.setVisible(progress.open > 0)
        # Last, and of no use before: the question itself says what a study is about.
        for widget in (self.guess, self._about_guess):
            widget.setVisible(progress.open == 0)
        (self._rest if progress.open else self._show).setFocus()

    def show_folder(self) -> None:
        """Open the folder of the results file in the system's file manager."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._path.parent)))

    def copy_path(self) -> None:
        """Put the results file's path on the clipboard."""
        QApplication.clipboard().setText(str(self._path))

    def _lay_out(self) -> None:
        column = self.column
        for label in (self.title, self._counts, self._what, self.where):
            column.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        for button in (self._rest, self._show, self._copy, self._back):
            row.addWidget(button)
        row.addStretch(1)
        column.addSpacing(theme.S2)
        column.addLayout(row)
        column.addSpacing(theme.S4)
        column.addWidget(self._about_guess)
        column.addWidget(self.guess, 0, Qt.AlignmentFlag.AlignLeft)


def _button(text: str, action: object) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(True)  # Enter presses it, as it moves on elsewhere
    button.clicked.connect(action)
    return button


def _make_primary(button: QPushButton, *, on: bool) -> None:
    button.setProperty("primary", on)
    button.style().unpolish(button)
    button.style().polish(button)

"""The last page: what is done, what is open, and which file to hand back."""

import os
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
from director_gui.ui.coder.words import counted


class FinishPage(CenteredPage):
    """Sums up the session; everything it names is on disk."""

    back = Signal()
    open_asked = Signal()  # go to the first trace that is still open

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._path = ""
        self.title, self._counts = plain_label("", "title"), plain_label("")
        self._what, self._where = plain_label(""), plain_label("")
        self._where.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._where.setAccessibleName("Results file")
        self._rest = _button("Go to an open trace", self.open_asked.emit)
        self._show = _button("Show in folder", self.show_folder)
        self._copy = _button("Copy the path", self.copy_path)
        self._back = _button("Back", self.back.emit)
        self._lay_out()

    def show_session(self, session: CodingSession) -> None:
        """Say how the packet stands."""
        progress = session.progress()
        self._path = str(session.path)
        done = "Every trace is decided"
        left = f"{progress.open:,} of {counted(progress.total, 'trace')} still open"
        self.title.setText(left if progress.open else done)
        self._counts.setText(
            f"{progress.coded:,} coded, {progress.skipped:,} skipped, "
            f"{progress.open:,} open."
        )
        self._what.setText(
            "Hand back this one file. It holds the decisions of "
            f"“{session.header.alias}” on this packet; the packet itself need not go."
        )
        # A path has no blanks to wrap at; a zero-width one lets it break at its parts.
        self._where.setText(self._path.replace(os.sep, os.sep + "\u200b"))
        self._where.setFont(theme.mono())
        _make_primary(self._rest, on=progress.open > 0)
        _make_primary(self._show, on=progress.open == 0)
        self._rest.setVisible(progress.open > 0)
        (self._rest if progress.open else self._show).setFocus()

    def show_folder(self) -> None:
        """Open the folder of the results file in the system's file manager."""
        folder = Path(self._path).parent
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def copy_path(self) -> None:
        """Put the results file's path on the clipboard."""
        QApplication.clipboard().setText(self._path)

    def _lay_out(self) -> None:
        column = self.column
        for label in (self.title, self._counts, self._what, self._where):
            column.addWidget(label)
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        for button in (self._rest, self._show, self._copy, self._back):
            row.addWidget(button)
        row.addStretch(1)
        column.addSpacing(theme.S2)
        column.addLayout(row)


def _button(text: str, action: object) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(True)  # Enter presses it, as it moves on elsewhere
    button.clicked.connect(action)
    return button


def _make_primary(button: QPushButton, *, on: bool) -> None:
    button.setProperty("primary", on)
    button.style().unpolish(button)
    button.style().polish(button)

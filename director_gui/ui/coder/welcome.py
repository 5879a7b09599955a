"""The first page: who codes, what is kept and where."""

import os
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coding.errors import CodingError
from coding.packet import Packet
from coding.results import own_alias, results_name
from director_gui.ui import theme
from director_gui.ui.coder.banner import Banner
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.fitted import FittedArea
from director_gui.ui.coder.looks import LooksRow
from director_gui.ui.coder.path_line import PathLine
from director_gui.ui.coder.words import counted

_WIDTH = 480  # px at 100 %


class WelcomePage(QWidget):
    """Asks for what is not known yet and hands it over when the coder starts."""

    started = Signal(str, Path)  # alias and results file

    def __init__(
        self,
        packet: Packet,
        folder: Path,
        alias: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._packet, self.folder = packet, folder
        self.looks = LooksRow()
        self.alias = QLineEdit(alias)
        self.alias.setAccessibleName("Your alias")
        # The alias becomes part of a file's name; the rest of the rule is coding's.
        self.alias.setMaxLength(32)
        self.alias.textChanged.connect(self._show_file)
        self.alias.returnPressed.connect(self.start)
        self.file = PathLine("Your codes are kept in")
        self._folder = QPushButton("Other folder …")
        self._folder.clicked.connect(self._choose_folder)
        self._start = QPushButton("Start coding")
        self._start.setProperty("primary", True)
        self._start.clicked.connect(self.start)
        self.banner = Banner()
        self._lay_out()
        self.restyle()
        self._show_file()
        self._check_folder()
        self.alias.setFocus()

    @property
    def results(self) -> Path:
        """The results file of this alias.

        Raises:
            CodingError: The alias cannot be part of a file's name, or is no person's.
        """
        alias = own_alias(self.alias.text().strip())
        return self.folder / results_name(self._packet.id, alias)

    def start(self) -> None:
        """Hand over alias and results file, or say what is wrong with them."""
        try:
            self.started.emit(self.alias.text().strip(), self.results)
        except CodingError as error:
            self.banner.say(str(error), error=True)
            self.alias.setFocus()

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        self._form.setMaximumWidth(theme.px(_WIDTH))

    def _lay_out(self) -> None:
        self._form = QFrame()
        side = QVBoxLayout(self._form)
        side.setContentsMargins(theme.S6, theme.S6, theme.S6, theme.S6)
        side.setSpacing(theme.S3)
        traces = counted(len(self._packet.items), "trace")
        side.addWidget(plain_label(f"Code {traces}", "title"))
        for text in _ABOUT.splitlines():
            side.addWidget(plain_label(text))
        side.addSpacing(theme.S2)
        side.addWidget(self._alias_label())
        side.addWidget(self.alias)
        side.addWidget(plain_label("Letters, digits, - and _.", "caption"))
        side.addSpacing(theme.S2)
        side.addWidget(plain_label("Your codes are kept in", "strong"))
        side.addWidget(self.file)
        side.addWidget(self._folder, alignment=Qt.AlignmentFlag.AlignLeft)
        side.addSpacing(theme.S4)
        side.addWidget(self._start)
        side.addSpacing(theme.S2)
        side.addWidget(self.looks)
        middle = QWidget()
        body = QHBoxLayout(middle)
        body.setContentsMargins(0, 0, 0, 0)
        body.addStretch(1)
        body.addWidget(self._form, 100, Qt.AlignmentFlag.AlignVCenter)
        body.addStretch(1)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.banner)
        # Large text on a small screen: the form scrolls rather than being cut.
        page.addWidget(FittedArea(middle), 1)

    def _alias_label(self) -> QLabel:
        label = plain_label("Your alias", "strong")
        label.setBuddy(self.alias)
        return label

    def _show_file(self) -> None:
        self.banner.hide()
        try:
            path = self.results
        except CodingError:
            self.file.show_path(self.folder)
            self._start.setText("Start coding")
            return
        self.file.show_path(path)
        self._start.setText("Go on coding" if path.exists() else "Start coding")

    def _check_folder(self) -> None:
        # Told now, not when the coder has read all the definitions and starts.
        if not os.access(self.folder, os.W_OK):
            self.banner.say(
                f"{self.folder} cannot be written to. Choose a folder that can, "
                "such as one in your documents.",
                button="Other folder …",
                action=self._choose_folder,
            )

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(
            self, "Folder for your codes", str(self.folder)
        )
        if chosen:
            self.folder = Path(chosen)
            self._show_file()
            self._check_folder()


_ABOUT = """\
You see each trace by its text alone; nothing else about it is in this packet. Please \
code on your own, and talk about it afterwards.
Every decision is saved at once. Stop whenever you like and go on where you were.
Kept are your codes, quotes, notes, skips and flags, and what you undo; no times, and \
nothing about this computer."""

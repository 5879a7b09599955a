"""The head of the editor: the version on show, files, and what becomes of edits."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from director_gui.study.blind.codebooks import KeptBook
from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.coordinator.codebook_words import state_words, version_words
from director_gui.ui.widgets import button, label


class BookBar(QFrame):
    """Versions to choose from, and one line about the one that is chosen."""

    chosen = Signal(object)  # KeptBook
    new_asked = Signal()
    import_asked = Signal()
    export_asked = Signal()
    discard_asked = Signal()
    trial_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.versions = QComboBox()
        self.versions.setAccessibleName("Codebook and version")
        self.versions.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.versions.setMinimumContentsLength(12)
        self.versions.activated.connect(self._choose)
        self.tools = QHBoxLayout()  # the page puts its undo and redo here
        self.state = label("", "caption", wrap=True)
        self.trial = button("Try it", self.trial_asked.emit)
        self.trial.setToolTip("Open the coders' window on this codebook's examples")
        self.new = button("New", self.new_asked.emit)
        self.bring_in = button("Import…", self.import_asked.emit)
        self.send_out = button("Export…", self.export_asked.emit)
        self.discard = button("Discard", self.discard_asked.emit)
        self.discard.setToolTip("Take this version out of the study")
        self._lay_out()

    def show_desk(self, desk: BookDesk) -> None:
        """Show the versions that there are, and how the one on show stands."""
        self.versions.clear()
        base = desk.base
        for at, kept in enumerate(desk.known):
            self.versions.addItem(version_words(kept), kept)
            if base is not None and kept.book.hash == base.book.hash:
                self.versions.setCurrentIndex(at)
        self.show_state(desk)

    def show_state(self, desk: BookDesk) -> None:
        """Say what becomes of edits."""
        base, writable = desk.base, desk.writable
        if base is not None:
            words = state_words(base, usable=desk.usable, writable=writable)
            self.state.setText(words)
        for one in (self.new, self.bring_in):
            one.setEnabled(writable)
        # A packet is sealed for the trial too, and the same things stop it.
        self.trial.setEnabled(desk.usable)
        self.discard.setEnabled(writable and base is not None and not base.frozen)

    def _choose(self, at: int) -> None:
        kept = self.versions.itemData(at)
        if isinstance(kept, KeptBook):
            self.chosen.emit(kept)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S2)
        column.setSpacing(theme.S2)
        self.tools.setSpacing(theme.S1)
        first, second = QHBoxLayout(), QHBoxLayout()
        for row in (first, second):
            row.setSpacing(theme.S2)
            column.addLayout(row)
        first.addWidget(label("Codebook", "title"))
        first.addWidget(self.versions, 1)
        first.addLayout(self.tools)
        second.addWidget(self.state, 1)
        rest = (self.new, self.bring_in, self.send_out, self.discard)
        for one in (self.trial, *rest):
            second.addWidget(one)

"""The editor's left side: the outline, and what can be done to its parts."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from coding.codebook import Codebook
from director_gui.ui import theme
from director_gui.ui.coordinator.codebook_tree import BookTree, Place
from director_gui.ui.coordinator.codebook_words import KIND_WORDS
from director_gui.ui.tables import side
from director_gui.ui.widgets import button

_WIDTH = 264  # px at 100 %


class Outline(QFrame):
    """A codebook's parts, one of them chosen."""

    chosen = Signal()
    field_asked = Signal(str)  # kind
    code_asked = Signal()
    removal_asked = Signal()
    move_asked = Signal(int)  # places: -1 up, 1 down

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = BookTree()
        self.add_field = button("Add field", lambda: None)
        menu = QMenu(self.add_field)
        for kind, words in KIND_WORDS.items():
            menu.addAction(words).triggered.connect(
                partial(self.field_asked.emit, str(kind))
            )
        self.add_field.setMenu(menu)
        self.add_code = button("Add code", self.code_asked.emit)
        self.up = button("Up", lambda: self._ask_move(-1))
        self.down = button("Down", lambda: self._ask_move(1))
        self.remove = button("Remove", self._ask_removal)
        self.up.setToolTip("Move up (Alt+↑)")
        self.down.setToolTip("Move down (Alt+↓)")
        self.remove.setToolTip("Remove (Del)")
        self.tree.chosen.connect(self.chosen)
        self.tree.removal_asked.connect(self._ask_removal)
        self.tree.move_asked.connect(self._ask_move)
        self._lay_out()
        self.retheme()

    @property
    def place(self) -> Place:
        """The part that is chosen."""
        return self.tree.place

    def show_book(self, book: Codebook) -> None:
        """Show a codebook; the place that was chosen stays."""
        self.tree.show_book(book, self.tree.place)

    def enable(self, book: Codebook, *, writable: bool) -> None:
        """Offer what can be done to the part that is chosen."""
        field, code = self.place
        # Codes of a yes and no are fixed; those of a choice are the author's.
        choices = field >= 0 and book.fields[field].kind == "one_of"
        self.add_field.setEnabled(writable)
        self.add_code.setEnabled(writable and choices)
        for one in (self.up, self.down, self.remove):
            one.setEnabled(writable and field >= 0 and (code < 0 or choices))

    def retheme(self) -> None:
        """Take the text size that is shown now."""
        self.setFixedWidth(side(_WIDTH))

    def _ask_move(self, by: int) -> None:
        if self.up.isEnabled():
            self.move_asked.emit(by)

    def _ask_removal(self) -> None:
        if self.remove.isEnabled():
            self.removal_asked.emit()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.S4, theme.S2, theme.S3, theme.S4)
        column.setSpacing(theme.S2)
        column.addWidget(self.tree, 1)
        for pair in ((self.add_field, self.add_code), (self.up, self.down)):
            row = QHBoxLayout()
            row.setSpacing(theme.S2)
            for one in pair:
                row.addWidget(one, 1)
            column.addLayout(row)
        column.addWidget(self.remove)

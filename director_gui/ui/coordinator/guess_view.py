"""How blind the coders were: Bang's index by coder and condition."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from director_gui.study.blind.guessing import Guessed
from director_gui.ui import theme
from director_gui.ui.coordinator.words import decimal, decimals
from director_gui.ui.tables import Table
from director_gui.ui.widgets import label

_TWO_LINES = 40  # px
_COLUMNS = ("Condition, coder", "Right", "Wrong", "Don't know", "Index", "95 %")
_ABOUT = (
    "Coders guessed whether the visibility question was asked. Bang's blinding index "
    "is 0 for chance, 1 when every guess is right, −1 when every guess is wrong; its "
    "interval takes the guesses as independent."
)


class GuessView(QWidget):
    """A row for each coder and condition; hidden while nobody guessed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = Table("Bang's blinding index by condition", row=_TWO_LINES)
        self.notes = label("", "caption", wrap=True)
        title = label("How blind the coders were", "section")
        title.setContentsMargins(0, theme.S6, 0, 0)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        for widget in (title, label(_ABOUT, "caption", wrap=True), self.table):
            column.addWidget(widget)
        column.addWidget(self.notes)

    def show_guesses(self, found: Sequence[Guessed]) -> None:
        """Show the index of each coder and condition."""
        self.setVisible(bool(found))
        self.table.show_rows(_COLUMNS, [_row(one) for one in found])
        notes = [
            f"{one.condition}, {one.coder}: {one.index.note}"
            for one in found
            if one.index.note
        ]
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))


def _row(one: Guessed) -> tuple[str, ...]:
    index = one.index
    counts = (str(n) for n in (index.right, index.wrong, index.unknown))
    name = f"{one.condition}\n{one.coder}"
    return (name, *counts, decimal(index.value), decimals(index.ci))

"""What the forms of a piece and of a condition share: one column, one verdict."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.prompts.fields import caption, narrow
from director_gui.ui.widgets import button, label, restyle


class FormPage(QScrollArea):
    """A title, why saving does what it does, fields, what is wrong, Save and Cancel.

    Args:
        book: Holds the prompts that are changed.
        word: What Save says.
    """

    saved = Signal(object)
    cancelled = Signal()

    def __init__(
        self, book: PromptBook, word: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._book = book
        self._origin = ""  # the name of what it was begun from
        self.title = label("", "title", wrap=True)
        self.why = label("", "caption", wrap=True)
        self.state = label("", "caption", wrap=True)
        self.save = button(word, self._save, primary=True)

    def _save(self) -> None:
        """Hand over what was made."""
        raise NotImplementedError

    def _may_be_named(self, name: str, names: Iterable[str], *, own: bool) -> bool:
        """Return whether `name` is free; what may be changed keeps its own name."""
        return (own and name == self._origin) or name not in names

    def _say(self, text: str, *, error: bool) -> None:
        """Say what is wrong, or what is made; with an error nothing can be saved."""
        self.state.setText(text[:1].upper() + text[1:])
        self.state.setProperty("role", "formError" if error else "caption")
        restyle(self.state)
        self.save.setEnabled(not error)

    def _lay_out_page(
        self, fields: Sequence[tuple[str, QWidget]], below: Sequence[QWidget]
    ) -> None:
        """Put named fields under the title, and `below` between them and Save."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.S3)
        grid.setVerticalSpacing(theme.S2)
        grid.setColumnStretch(1, 1)
        for at, (word, field) in enumerate(fields):
            field.setAccessibleName(word)
            narrow(field)
            grid.addWidget(caption(word), at, 0)
            grid.addWidget(field, at, 1)
        row = QHBoxLayout()
        row.addWidget(self.save)
        row.addWidget(button("Cancel", self.cancelled.emit))
        row.addStretch()
        page = QWidget()
        page.setProperty("role", "panel")
        column = QVBoxLayout(page)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        column.addWidget(self.title)
        column.addWidget(self.why)
        column.addLayout(grid)
        for widget in (*below, self.state):
            column.addWidget(widget)
        column.addLayout(row)
        column.addStretch(1)  # all of it: fields are not spread over a tall page
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(page)
        self.setWidgetResizable(True)

"""What a narrow column asks of tables and of empty pages."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from director_gui.ui import theme
from director_gui.ui.widgets import EmptyState

_WORDS = 300  # px at 100 %


def inset(widget: QWidget) -> QWidget:
    """Return `widget` moved in by what its cells' own padding leaves of the margin."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(theme.S2, 0, theme.S2, 0)
    row.addWidget(widget)
    return made


class NarrowEmpty(EmptyState):
    """An empty state that does not hold its column wide."""

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        words = self.findChild(QLabel)
        if isinstance(words, QLabel):
            words.setFixedWidth(theme.px(_WORDS))

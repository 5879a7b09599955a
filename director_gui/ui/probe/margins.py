"""Where the tables of a page begin: their texts stand under the page's other texts."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from director_gui.ui import theme


def inset(widget: QWidget) -> QWidget:
    """Return `widget` moved in by what its cells' own padding leaves of the margin."""
    made = QWidget()
    row = QHBoxLayout(made)
    row.setContentsMargins(theme.S2, 0, theme.S2, 0)
    row.addWidget(widget)
    return made

"""A page to scroll whose lines stay short enough to be read."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from director_gui.ui import theme

READABLE = 760  # px; wider, a figure is too far from what it counts


def readable(area: QScrollArea, *, spacing: int = theme.S2) -> QVBoxLayout:
    """Give `area` a new page and return the column to fill."""
    column_widget = QWidget()
    column_widget.setMaximumWidth(theme.px(READABLE))
    column = QVBoxLayout(column_widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(spacing)
    page = QWidget()
    page.setProperty("role", "panel")
    page.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    row = QHBoxLayout(page)
    row.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S4)
    row.addWidget(column_widget, 1)
    # The rest goes here only once the column is as wide as it may be.
    row.addStretch()
    row.setStretch(0, 1000)
    row.setStretch(1, 1)
    area.setWidget(page)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return column

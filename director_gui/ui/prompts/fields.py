"""Fields of the forms, alike in both."""

from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from director_gui.ui import theme
from director_gui.ui.widgets import label

_HEIGHT = 28  # px of a field


def caption(text: str) -> QLabel:
    """Return a caption that stands level with the field beside it."""
    made = label(text, "caption")
    made.setFixedHeight(theme.px(_HEIGHT))
    return made


def narrow(field: QWidget) -> None:
    """Let a choice be narrower than its longest entry."""
    if isinstance(field, QComboBox):
        policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        field.setSizeAdjustPolicy(policy)
        field.setMinimumContentsLength(8)

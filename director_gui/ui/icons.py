"""Icons of one library (Material Design Icons), tinted with the theme's tokens."""

import qtawesome
from PySide6.QtGui import QIcon

from director_gui.ui import theme


def icon(name: str, *, strong: bool = False) -> QIcon:
    """Return the icon ``mdi6.NAME``; `strong` gives it the accent colour."""
    t = theme.tokens()
    made: QIcon = qtawesome.icon(
        f"mdi6.{name}",
        color=t.accent if strong else t.text,
        color_disabled=t.off,
        color_on=t.accent,
    )
    return made

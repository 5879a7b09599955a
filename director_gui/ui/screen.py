"""Whether a window can be shown to someone here; Qt itself would abort."""

import os
import sys

from director_gui.errors import UserError


def require_screen() -> None:
    """Refuse to open a window where there is no screen.

    Raises:
        UserError: There is none.
    """
    if not has_screen():
        raise UserError(
            "there is no screen to open the window on",
            where="DISPLAY",
            todo="Use the commands (director-gui --help), or start it under a screen",
        )


def has_screen() -> bool:
    """Return whether a window can be shown to someone here."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    elsewhere = not sys.platform.startswith("linux")
    return elsewhere or any(os.environ.get(name) for name in names)

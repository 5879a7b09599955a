"""Open the program: check that it can draw, make the application, show the window."""

import os
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from director_gui import __version__
from director_gui.errors import UserError
from director_gui.render import backend
from director_gui.study.preview import Preview
from director_gui.ui import theme
from director_gui.ui.settings import Settings
from director_gui.ui.window import MainWindow


def make_app(settings: Settings) -> QApplication:
    """Return the application in the user's theme; the one there is, if there is one."""
    existing = QApplication.instance()
    app = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName("director-gui")
    app.setApplicationVersion(__version__)
    theme.apply(app, settings.theme, settings.text_scale)
    return app


def open_program(target: str | None) -> int:
    """Open the window on a study or a scene file and run until it is closed.

    Raises:
        UserError: There is no screen, or OpenGL cannot draw here.
    """
    _require_screen()
    backend.prepare()
    settings = Settings()
    app = make_app(settings)
    window = MainWindow(settings, Preview())
    window.show()
    if target is not None:
        open_target(window, Path(target))
    return app.exec()


def open_target(window: MainWindow, path: Path) -> None:
    """Open what the user named: a scene file by its ending, else a study."""
    if path.suffix.lower() == ".json":
        window.files.open(path)
    else:
        window.open_study(path)


def has_screen() -> bool:
    """Return whether a window can be shown to someone here."""
    if not sys.platform.startswith("linux"):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY")
    return any(os.environ.get(name) for name in names) or bool(
        os.environ.get("QT_QPA_PLATFORM")
    )


def _require_screen() -> None:
    if not has_screen():
        raise UserError(
            "there is no screen to open the window on",
            where="DISPLAY",
            todo="Use the commands (director-gui --help), or start it under a screen",
        )

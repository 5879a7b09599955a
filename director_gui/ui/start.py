"""Open the program: check that it can draw, make the application, show the window."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication

from director_gui import __version__
from director_gui.render import backend
from director_gui.study.preview import Preview
from director_gui.ui import theme
from director_gui.ui.collecting import Collector
from director_gui.ui.screen import require_screen
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
    require_screen()
    backend.prepare()
    settings = Settings()
    app = make_app(settings)
    collector = Collector(app)
    window = MainWindow(settings, Preview())
    window.show()
    if target is not None:
        open_target(window, Path(target))
    code = app.exec()
    collector.stop()
    return code


def open_target(window: MainWindow, path: Path) -> None:
    """Open what the user named: a scene file by its ending, else a study."""
    if path.suffix.lower() == ".json":
        window.files.open(path)
    else:
        window.open_study(path)

"""Open the blind pane on one packet, alone."""

import signal
import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QWidget

from coding.errors import CodingError
from coding.packet import read_packet
from coding.results import own_alias, results_name
from director_gui.errors import UserError, for_terminal
from director_gui.ui import theme
from director_gui.ui.coder.refused import RefusedPage
from director_gui.ui.coder.window import CoderWindow
from director_gui.ui.screen import require_screen
from director_gui.ui.settings import Settings

_NAME = "director-gui"


def open_packet(path: Path, alias: str | None, results: Path | None) -> int:
    """Show the packet in a window of its own until it is closed.

    Args:
        path: The packet.
        alias: The coder's alias; None to ask for it.
        results: The folder of the results file; None for the packet's own.

    Returns:
        The exit code: 0, or 1 when the packet was refused (the window said why).

    Raises:
        UserError: There is no screen, or the alias cannot be part of a file's name.
    """
    require_screen()
    app = application()
    window, code = window_for(path, alias, results)
    window.show()
    # Python sees Ctrl+C only when it runs; Qt's loop alone would never let it.
    signal.signal(signal.SIGINT, lambda *_: app.quit())
    beat = QTimer(interval=200)
    beat.timeout.connect(lambda: None)
    beat.start()
    return app.exec() or code


def application() -> QApplication:
    """Return the running application, made and styled when there is none."""
    found = QApplication.instance()
    app = found if isinstance(found, QApplication) else QApplication(sys.argv[:1])
    app.setApplicationName(_NAME)
    # Qt would add a display name to each title, which is the packet's id alone.
    app.setApplicationDisplayName("")
    settings = Settings()
    theme.apply(app, settings.theme, settings.text_scale)
    return app


def window_for(
    path: Path, alias: str | None, results: Path | None
) -> tuple[QWidget, int]:
    """Return the window for a packet, or for the reason why it is refused.

    Raises:
        UserError: The alias cannot be part of a file's name.
    """
    try:
        packet = read_packet(path)
    except CodingError as error:
        # In the terminal too: whoever started it there may never see the window.
        if sys.stderr is not None:  # a program without a console has none
            sys.stderr.write(f"director-gui: {for_terminal(str(error))}\n")
        page = RefusedPage(error)
        page.setWindowTitle("Packet refused")
        page.resize(theme.px(720), theme.px(420))
        return page, 1
    folder = (results or path.parent).absolute()
    window = CoderWindow(packet, folder, alias or "")
    if alias:
        begin_if_known(window, folder / _named(packet.id, alias), alias)
    return window, 0


def begin_if_known(window: CoderWindow, file: Path, alias: str) -> None:
    """Go straight to the traces when this coder has been here before."""
    if file.exists():
        window.begin(alias, file)


def _named(packet_id: str, alias: str) -> str:
    try:
        return results_name(packet_id, own_alias(alias))
    except CodingError as error:
        raise UserError(error.what, where="--alias", todo=error.todo) from error

"""Whether a window can be shown to someone here; Qt itself would abort."""

import ctypes
import os
import socket
import sys
from contextlib import closing

from director_gui.errors import UserError

# What Qt's X11 plugin loads beyond Qt, with the Debian packages that hold it.
_X11 = {
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
}
_FIRST_PORT = 6000  # of X11 over TCP; display N listens on 6000 + N


def require_screen() -> None:
    """Refuse to open a window where there is no screen.

    Raises:
        UserError: There is none, it does not answer, or libraries for it are missing.
    """
    if not has_screen():
        raise UserError(
            "there is no screen to open the window on",
            where="DISPLAY",
            todo="Use the commands (director-gui --help), or start it under a screen",
        )
    if _uses_x11():
        _require_server(os.environ["DISPLAY"])
        _require_libraries()


def has_screen() -> bool:
    """Return whether the surroundings name a screen."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    elsewhere = not sys.platform.startswith("linux")
    return elsewhere or any(os.environ.get(name) for name in names)


def _uses_x11() -> bool:
    asked = os.environ.get("QT_QPA_PLATFORM", "")
    wayland = os.environ.get("WAYLAND_DISPLAY")
    named = asked.startswith("xcb") or not (asked or wayland)
    return sys.platform.startswith("linux") and named and "DISPLAY" in os.environ


def _require_server(display: str) -> None:
    if not _answers(display):
        raise UserError(
            f"the screen {display} does not answer",
            where="DISPLAY",
            todo="Start it, or set DISPLAY to one that runs",
        )


def _answers(display: str) -> bool:
    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return True  # a form that we do not know: Qt may
    places = [f"/tmp/.X11-unix/X{number}", f"\0/tmp/.X11-unix/X{number}"]  # noqa: S108 - where X puts its sockets
    if host and not host.startswith(("unix", "/")):
        return _connects(socket.AF_INET, (host, _FIRST_PORT + int(number)))
    return any(_connects(socket.AF_UNIX, place) for place in places)


def _connects(family: int, address: str | tuple[str, int]) -> bool:
    try:
        with closing(socket.socket(family, socket.SOCK_STREAM)) as one:
            one.settimeout(2.0)
            one.connect(address)
    except OSError:
        return False
    return True


def _require_libraries() -> None:
    missing = [package for name, package in _X11.items() if not _loads(name)]
    if missing:
        raise UserError(
            "libraries that Qt needs for this screen are missing",
            where=", ".join(missing),
            todo=f"On Debian or Ubuntu: apt-get install {' '.join(missing)}",
        )


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True

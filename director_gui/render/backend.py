"""Choose how OpenGL draws without a screen, safely, and open windows for it.

Where OpenGL's libraries are missing VTK ends the process with a segmentation fault.
So each way of drawing is tried in a child process first; the first that works is
remembered on disk until a library, the driver's boot or VTK changes.
"""

import json
import os
import subprocess
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

import vtkmodules.vtkRenderingOpenGL2  # noqa: F401 - registers the OpenGL classes
from vtkmodules.vtkRenderingCore import vtkRenderWindow

from director_gui import home
from director_gui.errors import UserError
from director_gui.ids import hash_of

VARIABLE = "VTK_DEFAULT_OPENGL_WINDOW"
PASSED = "DIRECTOR_GUI_OPENGL"  # tells our own child processes what has passed
DEFAULT = ""  # VTK's own choice: the only one on Windows and macOS
PACKAGES = "libgl1 libegl1 libglib2.0-0 libxkbcommon0 libfontconfig1 libdbus-1-3"
_LINUX = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow", DEFAULT)
_CHILD_SECONDS = 60


@cache
def prepare() -> str:
    """Make sure that an offscreen window can be opened, and set VTK up for it.

    Returns:
        The class of VTK's window that was chosen, empty for VTK's own choice.

    Raises:
        UserError: No way of drawing works here; it names the packages to install.
    """
    passed = os.environ.get(PASSED)
    if passed is not None and passed == os.environ.get(VARIABLE, DEFAULT):
        return passed
    remembered = _memory()
    chosen = _recall(remembered)
    if chosen is None:
        chosen = _first_that_works()
        _remember(remembered, chosen)
    _apply(os.environ, chosen)
    os.environ[PASSED] = chosen
    return chosen


def open_window(width: int = 64, height: int = 64) -> vtkRenderWindow:
    """Return a new offscreen window of `width` x `height` px, without multisampling.

    Close it with `close_window`.

    Raises:
        UserError: OpenGL cannot draw here.
    """
    prepare()
    window = vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)  # jittered frames smooth the edges; MSAA can hang
    window.SetSize(width, height)
    return window


def close_window(window: vtkRenderWindow) -> None:
    """Free a window's renderers and its OpenGL context."""
    renderers = window.GetRenderers()
    while renderers.GetNumberOfItems():
        renderer = renderers.GetFirstRenderer()
        renderer.RemoveAllViewProps()
        window.RemoveRenderer(renderer)
    window.Finalize()


def renderer_name(window: vtkRenderWindow) -> str:
    """Return what draws, such as ``llvmpipe (...) / 4.5 ... Mesa 22.3.6 / vtk 9.7.2``.

    The text is the same for every picture of one machine; it is stored with them.
    """
    window.Render()  # OpenGL says nothing before the first frame
    return describe(str(window.ReportCapabilities()), version("vtk"))


def describe(report: str, vtk: str) -> str:
    """Return the renderer's name from OpenGL's report on itself and VTK's version."""
    lines = (line.partition("string:") for line in report.splitlines())
    said = {key.strip(): value.strip() for key, mark, value in lines if mark}
    name = said.get("OpenGL renderer", "unknown renderer")
    return f"{name} / OpenGL {said.get('OpenGL version', 'unknown')} / vtk {vtk}"


def candidates() -> tuple[str, ...]:
    """Return the ways to try, best first; a choice of the user's stands alone."""
    asked = os.environ.get(VARIABLE)
    if asked:
        return (asked,)
    return _LINUX if sys.platform.startswith("linux") else (DEFAULT,)


def _first_that_works() -> str:
    tried = candidates()
    for name in tried:
        if _works(name):
            return name
    raise UserError(
        "OpenGL cannot draw on this machine",
        where=", ".join(name or "VTK's default" for name in tried),
        todo=f"On Debian or Ubuntu: apt-get install {PACKAGES}",
    )


def _works(name: str) -> bool:
    env = dict(os.environ)
    _apply(env, name)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "director_gui.render.probe"],
            env=env,
            cwd=Path(__file__).parents[2],
            capture_output=True,
            timeout=_CHILD_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and _drew(done.stdout)


def _drew(output: bytes) -> bool:
    lines = output.decode(errors="replace").splitlines()
    try:
        return bool(json.loads(lines[-1])["report"])
    except (IndexError, ValueError, KeyError, TypeError):
        return False


def _apply(env: "os._Environ[str] | dict[str, str]", name: str) -> None:
    # An empty value is not "unset" to VTK: it looks for a class without a name.
    if name:
        env[VARIABLE] = name
    else:
        env.pop(VARIABLE, None)


def _memory() -> Path:
    return home.cache_folder() / f"opengl-{_surroundings()[:16]}.txt"


def _surroundings() -> str:
    """Return a hash of what decides whether OpenGL draws here."""
    libraries, boot = Path("/etc/ld.so.cache"), Path("/proc/sys/kernel/random/boot_id")
    names = (VARIABLE, "DISPLAY", "WAYLAND_DISPLAY", "LD_LIBRARY_PATH")
    return hash_of(
        [
            version("vtk"),
            sys.executable,
            sys.platform,
            libraries.stat().st_mtime_ns if libraries.exists() else 0,
            boot.read_text() if boot.exists() else "",
            [os.environ.get(name) for name in names],
        ]
    )


def _recall(memory: Path) -> str | None:
    try:
        text = memory.read_text()
    except OSError:
        return None
    return text if text in candidates() else None


def _remember(memory: Path, chosen: str) -> None:
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        memory.write_text(chosen)
    except OSError:
        return  # a read-only home costs half a second each time, nothing more

"""The preflight: what is tried, what is remembered, what is said when nothing works."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.render import backend

REPORT = """\
OpenGL vendor string:  Mesa
OpenGL renderer string:  llvmpipe (LLVM 15.0.6, 256 bits)
OpenGL version string:  4.5 (Core Profile) Mesa 22.3.6
OpenGL extensions:
  GL_ARB_blend
"""


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A process that has not looked for OpenGL yet."""
    monkeypatch.setenv(backend.VARIABLE, "")
    monkeypatch.delenv(backend.VARIABLE)
    monkeypatch.setenv(backend.PASSED, "")
    monkeypatch.delenv(backend.PASSED)
    backend.prepare.cache_clear()
    yield
    backend.prepare.cache_clear()


def children(
    monkeypatch: pytest.MonkeyPatch, working: set[str], output: bytes
) -> list[str]:
    """Replace the child: it works for the windows in `working`; return the calls."""
    asked: list[str] = []

    def run(
        _command: list[str], *, env: dict[str, str], **_: object
    ) -> subprocess.CompletedProcess[bytes]:
        asked.append(env.get(backend.VARIABLE, ""))
        code = 0 if asked[-1] in working else -11  # a segmentation fault
        return subprocess.CompletedProcess([], code, output, b"")

    monkeypatch.setattr(subprocess, "run", run)
    return asked


def restart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do as if the program were started again from a shell."""
    backend.prepare.cache_clear()
    monkeypatch.delenv(backend.VARIABLE)
    monkeypatch.delenv(backend.PASSED)


GOOD = b'VTK may print here\n{"window": "w", "report": "drawn", "vtk": "9"}\n'


@pytest.mark.usefixtures("fresh")
def test_first_way_that_works_is_set_up_and_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = children(monkeypatch, {"vtkOSOpenGLRenderWindow", ""}, GOOD)
    assert backend.prepare() == "vtkOSOpenGLRenderWindow"
    assert asked == ["vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow"]
    assert os.environ[backend.VARIABLE] == "vtkOSOpenGLRenderWindow"


@pytest.mark.usefixtures("fresh")
def test_next_start_needs_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = children(monkeypatch, {"vtkEGLRenderWindow"}, GOOD)
    backend.prepare()
    restart(monkeypatch)
    assert backend.prepare() == "vtkEGLRenderWindow"
    assert len(asked) == 1


@pytest.mark.usefixtures("fresh")
def test_child_of_ours_looks_neither_here_nor_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    children(monkeypatch, {"vtkEGLRenderWindow"}, GOOD)
    backend.prepare()
    backend.prepare.cache_clear()  # a child inherits the environment and no more
    asked = children(monkeypatch, set(), b"")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", "/nonexistent")
    assert backend.prepare() == "vtkEGLRenderWindow"
    assert asked == []


@pytest.mark.usefixtures("fresh")
def test_vtk_default_leaves_the_variable_unset(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Set but empty, VTK looks for a window class without a name and crashes.
    children(monkeypatch, {""}, GOOD)
    assert backend.prepare() == ""
    assert backend.VARIABLE not in os.environ


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("output", [b"", b"not json\n", b"{}\n", b'{"report": ""}\n'])
def test_child_that_drew_nothing_does_not_count(
    monkeypatch: pytest.MonkeyPatch, output: bytes
) -> None:
    children(monkeypatch, set(backend.candidates()), output)
    with pytest.raises(UserError, match="cannot draw"):
        backend.prepare()


@pytest.mark.usefixtures("fresh")
def test_failure_names_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    children(monkeypatch, set(), GOOD)
    with pytest.raises(UserError) as caught:
        backend.prepare()
    assert "libegl1" in caught.value.todo
    assert "libgl1" in caught.value.todo
    assert "vtkEGLRenderWindow" in caught.value.where


@pytest.mark.usefixtures("fresh")
def test_child_that_hangs_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(*_: object, **__: object) -> None:
        raise subprocess.TimeoutExpired("probe", 60)

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(UserError):
        backend.prepare()


@pytest.mark.usefixtures("fresh")
def test_home_that_cannot_be_written_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(tmp_path / "file"))
    children(monkeypatch, {"vtkEGLRenderWindow"}, GOOD)
    assert backend.prepare() == "vtkEGLRenderWindow"


@pytest.mark.usefixtures("fresh")
def test_spoilt_memory_is_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = children(monkeypatch, {"vtkEGLRenderWindow"}, GOOD)
    backend.prepare()
    (memory,) = Path(os.environ["DIRECTOR_GUI_HOME"]).glob("cache/opengl-*.txt")
    memory.write_text("vtkNoSuchWindow")
    restart(monkeypatch)
    assert backend.prepare() == "vtkEGLRenderWindow"
    assert len(asked) == 2


@pytest.mark.usefixtures("fresh")
def test_choice_of_the_user_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(backend.VARIABLE, "vtkOSOpenGLRenderWindow")
    assert backend.candidates() == ("vtkOSOpenGLRenderWindow",)


@pytest.mark.render
@pytest.mark.usefixtures("fresh")
def test_window_that_does_not_exist_is_a_message_not_a_crash(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(backend.VARIABLE, "vtkNoSuchWindow")
    with pytest.raises(UserError, match="OpenGL cannot draw"):
        backend.prepare()


@pytest.mark.render
def test_window_is_offscreen_without_multisampling() -> None:
    window = backend.open_window(20, 10)
    name = backend.renderer_name(window)
    assert (window.GetMultiSamples(), window.GetSize()) == (0, (20, 10))
    assert window.GetOffScreenRendering() == 1
    assert name == backend.renderer_name(window)
    assert " / vtk 9" in name
    backend.close_window(window)


def test_renderer_is_described_in_one_line() -> None:
    assert backend.describe(REPORT, "9.7.2") == (
        "llvmpipe (LLVM 15.0.6, 256 bits) / OpenGL 4.5 (Core Profile) Mesa 22.3.6"
        " / vtk 9.7.2"
    )


def test_unknown_renderer_is_still_described() -> None:
    assert backend.describe("", "9") == "unknown renderer / OpenGL unknown / vtk 9"

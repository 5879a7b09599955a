"""No screen, a dead screen, a missing library: words instead of an abort."""

import socket
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.ui import screen


@pytest.fixture(autouse=True)
def _bare(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")


def test_no_screen() -> None:
    with pytest.raises(UserError, match="no screen"):
        screen.require_screen()


def test_a_screen_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":59871")
    with pytest.raises(UserError, match="does not answer"):
        screen.require_screen()
    monkeypatch.setenv("DISPLAY", "127.0.0.1:59")
    with pytest.raises(UserError, match="does not answer"):
        screen.require_screen()


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(screen, "_answers", lambda _display: True)
    monkeypatch.setattr(screen, "_loads", lambda name: "cursor" not in name)
    with pytest.raises(UserError, match="apt-get install libxcb-cursor0"):
        screen.require_screen()


def test_a_screen_that_answers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "x"))
        server.listen()
        assert screen._connects(socket.AF_UNIX, str(tmp_path / "x"))
    monkeypatch.setattr(screen, "_answers", lambda _display: True)
    monkeypatch.setattr(screen, "_loads", lambda _name: True)
    monkeypatch.setenv("DISPLAY", ":0")
    screen.require_screen()


@pytest.mark.parametrize(
    "env", [{"WAYLAND_DISPLAY": "wayland-0"}, {"QT_QPA_PLATFORM": "offscreen"}]
)
def test_other_screens_are_qts_business(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str]
) -> None:
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    screen.require_screen()

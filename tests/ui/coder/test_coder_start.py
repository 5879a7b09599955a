"""Opening a packet alone: hostile files, what is imported, what is left behind."""

import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from coding.packet import read_packet
from coding.results import CodingSession, results_name
from director_gui.errors import UserError
from director_gui.ui.coder import start
from director_gui.ui.coder.refused import RefusedPage
from director_gui.ui.coder.window import CoderWindow

# Only the offscreen plugin says this, whenever a window has a least size.
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]

ALONE = """
import json, sys
from pathlib import Path
from director_gui import __main__
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
def leave():
    for window in QApplication.topLevelWidgets():
        window.close()
QApplication([])
QTimer.singleShot(0, leave)
code = __main__.main(["code", *sys.argv[1:]])
print(json.dumps({"code": code, "modules": sorted(sys.modules)}))
"""
BLIND = (
    "vtk", "vtkmodules", "openai", "sqlite3", "sqlite_utils", "numpy", "scipy",
    "director_gui.study", "director_gui.store", "director_gui.stats",
    "director_gui.scoring", "director_gui.runner", "director_gui.prompts",
    "director_gui.render", "director_gui.families", "director_gui.geometry",
    "director_gui.scene", "director_gui.ui.document", "director_gui.ui.scenes",
    "director_gui.ui.coordinator", "director_gui.ui.window", "PySide6.QtNetwork",
)  # fmt: skip


def alone(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", ALONE, *args],
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_pane_alone_imports_nothing_of_the_study_side(packet_file: Path) -> None:
    done = alone(str(packet_file), "--alias", "ann")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["code"] == 0
    seen = [m for m in told["modules"] if m.split(".")[0] in BLIND or m in BLIND]
    assert seen == []
    assert "director_gui.ui.coder.pane" in told["modules"]


def broken_files(packet_file: Path) -> dict[str, bytes]:
    data = packet_file.read_bytes()
    changed = bytearray(data)
    changed[len(data) // 2] ^= 1
    return {
        "empty": b"",
        "no zip": b"PK, but not really",
        "cut short": data[: len(data) // 2],
        "changed": bytes(changed),
    }


@pytest.mark.parametrize("fault", ["empty", "no zip", "cut short", "changed", "slip"])
def test_a_hostile_packet_is_refused_with_the_reason_and_writes_nothing(
    packet_file: Path,
    tmp_path: Path,
    qtbot: QtBot,
    fault: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    path = folder / "x.codepack"
    if fault == "slip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("../../evil", "x")
    else:
        path.write_bytes(broken_files(packet_file)[fault])
    window, code = start.window_for(path, "ann", None)
    qtbot.addWidget(window)
    assert code == 1
    assert isinstance(window, RefusedPage)
    told = [label.text() for label in window.findChildren(QLabel)]
    assert told[0] == "This packet cannot be opened"
    assert len(told[1]) > 10
    assert [p.name for p in folder.iterdir()] == ["x.codepack"]
    assert str(path) in capsys.readouterr().err
    window.copy()
    assert str(path) in QApplication.clipboard().text()


def test_a_missing_packet_is_a_page_too(tmp_path: Path, qtbot: QtBot) -> None:
    window, code = start.window_for(tmp_path / "no.codepack", None, None)
    qtbot.addWidget(window)
    assert code == 1
    assert isinstance(window, RefusedPage)
    assert "cannot be read" in window.detail


def test_a_packets_name_does_not_drive_the_terminal(
    tmp_path: Path, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    window, _ = start.window_for(tmp_path / "\x1b]0;gone\x07.codepack", None, None)
    qtbot.addWidget(window)
    said = capsys.readouterr().err
    assert "\ufffd]0;gone\ufffd.codepack" in said
    assert "\x1b" not in said


def test_without_a_console_a_missing_packet_is_a_page(
    tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", None)
    window, code = start.window_for(tmp_path / "no.codepack", None, None)
    qtbot.addWidget(window)
    assert code == 1


def test_without_an_alias_the_first_page_asks(packet_file: Path, qtbot: QtBot) -> None:
    window, code = start.window_for(packet_file, None, None)
    qtbot.addWidget(window)
    assert code == 0
    assert isinstance(window, CoderWindow)
    assert window.pane is None
    assert window.welcome.folder == packet_file.parent


def test_with_an_alias_known_here_it_goes_on_at_once(
    packet_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    packet = read_packet(packet_file)
    folder = tmp_path / "results"
    folder.mkdir()
    with CodingSession(packet, folder / results_name(packet.id, "ann"), "ann") as s:
        s.set_skip(packet.items[0].id)
    window, _ = start.window_for(packet_file, "ann", folder)
    qtbot.addWidget(window)
    assert isinstance(window, CoderWindow)
    assert window.pane is not None
    assert window.pane.desk.index == 1
    window.close()


def test_an_alias_that_cannot_be_is_the_callers_fault(packet_file: Path) -> None:
    with pytest.raises(UserError, match="alias"):
        start.window_for(packet_file, "a/b", None)


def test_a_results_file_of_another_packet_is_refused_on_the_first_page(
    packet_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    packet = read_packet(packet_file)
    (tmp_path / results_name(packet.id, "ann")).write_text('{"not": "ours"}\n')
    window, _ = start.window_for(packet_file, "ann", None)
    qtbot.addWidget(window)
    assert isinstance(window, CoderWindow)
    assert window.pane is None
    assert window.welcome.banner.text


def test_only_two_settings_are_kept_and_no_path(
    packet_file: Path, tmp_path: Path, show: Callable[[QWidget], None]
) -> None:
    window, _ = start.window_for(packet_file, None, None)
    show(window)
    assert isinstance(window, CoderWindow)
    window.set_scale(1.2)
    window.set_mode("dark")
    window.close()
    kept = b"".join(
        p.read_bytes() for p in (tmp_path / "home").rglob("*") if p.is_file()
    )
    assert packet_file.stem.encode() not in kept
    assert b"recent" not in kept


def test_without_a_screen_it_says_so_instead_of_aborting(
    packet_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    with pytest.raises(UserError, match="no screen"):
        start.open_packet(packet_file, None, None)

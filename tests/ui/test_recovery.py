"""Unsaved work outlives a kill, and only its owner's death sets it free."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui import home
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.serialize import value_of
from director_gui.ui.document import Document
from director_gui.ui.recovery import Recovery, forget, left_behind, write_atomically

pytestmark = pytest.mark.gui

EDITOR = """
import sys, time
from PySide6.QtCore import QCoreApplication, QTimer
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.ui.document import Document
from director_gui.ui.recovery import Recovery
app = QCoreApplication([])
document = Document(example_scene())
keeper = Recovery(document)
step = 0
def edit():
    global step
    step += 1
    scene = edits.move_to(document.scene, Item("block", 5), 0.0001 * step, 0.0)
    document.apply(scene, "Move")
    print(step, time.monotonic(), flush=True)
timer = QTimer(interval=10)
timer.timeout.connect(edit)
timer.start()
app.exec()
"""


def test_an_edit_is_kept_within_half_a_second(document: Document, qtbot: QtBot) -> None:
    keeper = Recovery(document)
    with qtbot.waitSignal(keeper.stored, timeout=5000):
        scene = edits.move_to(document.scene, Item("block", 5), 0.1, 0.0)
        document.apply(scene, "Move")
    copies = list((home.state_folder() / "recovery").glob("*.json"))
    assert len(copies) == 1
    assert json.loads(copies[0].read_bytes())["scene"] == value_of(scene)
    keeper.close()
    assert left_behind() == []


def test_a_saved_scene_leaves_no_copy(
    document: Document, qtbot: QtBot, tmp_path: Path
) -> None:
    keeper = Recovery(document)
    with qtbot.waitSignal(keeper.stored):
        scene = edits.move_to(document.scene, Item("block", 5), 0.1, 0.0)
        document.apply(scene, "Move")
    document.saved_as(tmp_path / "s.json")
    folder = home.state_folder() / "recovery"
    qtbot.waitUntil(lambda: not list(folder.glob("*.json")), timeout=5000)
    keeper.close()


def test_a_running_programs_copy_is_not_offered(
    document: Document, qtbot: QtBot
) -> None:
    keeper = Recovery(document)
    with qtbot.waitSignal(keeper.stored):
        document.apply(edits.set_name(document.scene, "mine"), "Rename")
    assert left_behind() == []
    keeper.close()


def test_a_disk_that_refuses_is_told(
    document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_path: Path, _data: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("director_gui.ui.recovery.write_atomically", full)
    keeper = Recovery(document)
    with qtbot.waitSignal(keeper.failed) as told:
        document.apply(edits.set_name(document.scene, "new"), "Rename")
    assert told.args == ["No space left on device"]
    assert document.scene.name == "new"
    keeper.close()


def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(b"old")

    def full(_fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_is_no_copy_is_passed_over() -> None:
    folder = home.state_folder() / "recovery"
    folder.mkdir()
    (folder / "a.json").write_text("{")
    (folder / "b.json").write_text('{"path": null, "scene": {}}')
    assert left_behind() == []


@pytest.mark.parametrize("after", [0.4, pytest.param(1.3, marks=pytest.mark.slow)])
def test_kill_during_editing_loses_half_a_second_at_most(
    tmp_path: Path, after: float
) -> None:
    env = dict(os.environ, QT_QPA_PLATFORM="offscreen")
    with subprocess.Popen(
        [sys.executable, "-c", EDITOR], stdout=subprocess.PIPE, env=env, text=True
    ) as editor:
        assert editor.stdout is not None
        editor.stdout.readline()
        time.sleep(after + 0.5)
        editor.send_signal(signal.SIGKILL)
        killed = time.monotonic()
        lines = [line.split() for line in editor.stdout.read().splitlines()]
    found = left_behind()
    assert len(found) == 1
    kept = round(found[0].scene.block(5).x / 0.0001)
    old = [int(n) for n, at in lines if float(at) < killed - 0.5]
    assert kept >= max(old, default=1)
    forget(found[0])
    assert left_behind() == []
    assert tmp_path.exists()


def test_a_home_that_cannot_be_written_is_told_not_fatal(
    document: Document,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(blocked))
    assert left_behind() == []
    keeper = Recovery(document)
    with qtbot.waitSignal(keeper.failed, timeout=5000):
        document.apply(edits.set_name(document.scene, "new"), "Rename")
    keeper.close()

"""The window: files, recovery, themes, studies, what closing does."""

import threading
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from director_gui import home
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.serialize import canonical_bytes, file_bytes, read_file
from director_gui.store.database import create_study
from director_gui.store.runs import add_run
from director_gui.store.scenes import add_scene
from director_gui.ui import theme
from director_gui.ui.recovery import left_behind
from director_gui.ui.settings import Settings
from director_gui.ui.window import MainWindow
from tests.ui.conftest import SilentPreview

pytestmark = [pytest.mark.gui, pytest.mark.render]


def edit(window: MainWindow) -> None:
    scene = edits.move_to(window.document.scene, Item("block", 5), 0.1, 0.0)
    window.document.apply(scene, "Move")


def test_save_and_open_again(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    edit(window)
    window.document.saved_as(path)  # as if it had been chosen
    edit(window)
    assert window.files.save()
    assert read_file(path) == window.document.scene
    assert not window.document.modified
    assert window.settings.recent()[0] == str(path)


def test_save_as_asks_and_adds_the_ending(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = str(tmp_path / "new")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a: (chosen, ""))
    assert window.files.save_as()
    assert (tmp_path / "new.json").read_bytes() == file_bytes(window.document.scene)


def test_a_refusing_disk_keeps_the_scene_open(
    window: MainWindow, tmp_path: Path
) -> None:
    edit(window)
    scene = window.document.scene
    window.document._path = tmp_path / "missing" / "x.json"
    assert not window.files.save()
    assert window.document.scene == scene
    assert window.document.modified
    assert "was not saved" in window.banner.text


def test_a_broken_file_is_refused_with_its_reason(
    window: MainWindow, tmp_path: Path
) -> None:
    before = window.document.scene
    path = tmp_path / "broken.json"
    path.write_text('{"format": "director-scene/1"')
    assert not window.files.open(path)
    assert "not JSON" in window.banner.text
    assert window.document.scene == before


def test_a_recent_scene_that_is_gone_is_forgotten(
    window: MainWindow, tmp_path: Path
) -> None:
    gone = str(tmp_path / "gone.json")
    window.settings.add_recent(gone)
    window.files.open_recent(gone)
    assert gone not in window.settings.recent()


@pytest.mark.parametrize("answer", ["Cancel", "Discard"])
def test_unsaved_work_is_asked_about(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    edit(window)
    button = getattr(QMessageBox.StandardButton, answer)
    monkeypatch.setattr(QMessageBox, "question", lambda *_a: button)
    assert window.files.may_leave() is (answer == "Discard")


def test_a_killed_programs_work_is_offered_and_opened(
    qtbot: QtBot, window: MainWindow
) -> None:
    edit(window)
    with qtbot.waitSignal(window.recovery.stored, timeout=5000):
        pass
    window.recovery._lock.unlock()  # as a kill would
    second = MainWindow(Settings(), SilentPreview())
    assert "ended before" in second.banner.text
    second._recover(left_behind()[0])
    assert second.document.scene == window.document.scene
    assert second.document.modified
    second.document.undo_stack.setClean()
    second.close()
    second.deleteLater()


def test_the_theme_changes_while_it_runs(window: MainWindow) -> None:
    window._set_theme("dark")
    assert theme.tokens() is theme.DARK
    window._set_scale(2.0)
    assert theme.px(10) == 20
    window._set_theme("light")
    window._set_scale(1.0)
    assert Settings().theme == "light"


def test_studies_are_opened_and_refused(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    create_study(path, "a study").close()
    window.open_study(path)
    assert window.session.study.meta("name") == "a study"
    window.open_study(tmp_path / "none.study")
    assert "no such study" in window.banner.text
    assert window.session.study.path == path


def test_a_study_open_elsewhere_can_be_read(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    with create_study(path, "theirs"):
        window.open_study(path)
        assert window.session.study.read_only
        assert "read-only" in window._study_name.text()


def test_the_scratch_study_is_kept(window: MainWindow) -> None:
    path = window.session.study.path
    assert path == home.data_folder() / "scratch.study"
    assert path.exists()


def test_a_study_opens_on_its_first_scene(window: MainWindow, tmp_path: Path) -> None:
    path = tmp_path / "a.study"
    scene = edits.set_name(window.document.scene, "theirs")
    with create_study(path, "a study") as study:
        add_scene(study, scene.name, canonical_bytes(scene))
    window.open_study(path)
    assert window.document.scene.name == "theirs"
    assert not window.document.modified


def test_an_edited_scene_stays_when_a_study_is_opened(
    window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "a.study"
    with create_study(path, "a study") as study:
        scene = edits.set_name(window.document.scene, "theirs")
        add_scene(study, scene.name, canonical_bytes(scene))
    edit(window)
    mine = window.document.scene
    window.open_study(path)
    assert window.document.scene == mine


def test_a_study_with_practice_replies_says_so(
    window: MainWindow, tmp_path: Path
) -> None:
    assert not window._practice.isVisible()
    path = tmp_path / "a.study"
    with create_study(path, "a study") as study:
        add_run(study, "r", "plan", "run", practice=True, settings={}, calls=[])
    window.open_study(path)
    assert window._practice.isVisible()


def test_discarded_work_can_be_had_back_until_the_end(
    qtbot: QtBot, window: MainWindow
) -> None:
    edit(window)
    with qtbot.waitSignal(window.recovery.stored, timeout=5000):
        pass
    window.recovery._lock.unlock()  # as a kill would
    second = MainWindow(Settings(), SilentPreview())
    work = left_behind()[0]
    second._discard(work)
    assert work.copy.exists()
    assert "Open it after all" in [
        b.text() for b in second.banner.findChildren(QPushButton)
    ]
    second.document.undo_stack.setClean()
    second.close()
    assert not work.copy.exists()
    second.deleteLater()


def test_a_study_waits_for_work_on_the_open_one(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    create_study(tmp_path / "b.study", "b").close()
    go_on = threading.Event()
    window.jobs.start("Long", lambda _: go_on.wait(10))
    window.open_study(tmp_path / "b.study")
    assert window.session.opened is None or window.session.study.path.name != "b.study"
    go_on.set()
    qtbot.waitUntil(
        lambda: (
            window.session.opened is not None
            and window.session.study.path.name == "b.study"
        ),
        timeout=5000,
    )

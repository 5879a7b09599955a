"""The window: files, recovery, themes, studies, what closing does."""

import threading
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QTabBar,
)
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


def test_a_text_size_reaches_what_is_hidden(window: MainWindow, qtbot: QtBot) -> None:
    window.show_workspace(3)
    window.show_workspace(0)
    window.probe.open()
    try:
        for scale in (2.0, 1.0):
            window._set_scale(scale)
            QApplication.processEvents()
            wanted = {theme.px(size) for size in (11, 13, 16)}
            window.show_workspace(3)
            window.show_workspace(0)
            qtbot.wait(10)
            bars = window.findChildren(QTabBar)
            assert {bar.font().pixelSize() for bar in bars} == {theme.px(13)}
            labels = [
                one.font().pixelSize()
                for one in window.findChildren(QLabel)
                if not one.testAttribute(Qt.WidgetAttribute.WA_SetFont)
            ]
            assert set(labels) <= wanted
            assert window._practice.font().bold()  # what the sheet gives stays
    finally:
        window._set_scale(1.0)


def test_a_hidden_workspace_takes_the_theme_when_it_is_shown(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_workspace(3)
    run = window.workspace("Run")
    window.show_workspace(0)
    told: list[str] = []
    monkeypatch.setattr(run, "retheme", lambda: told.append("run"))
    monkeypatch.setattr(window.scenes, "retheme", lambda: told.append("scenes"))
    window._set_theme("dark")
    assert told == ["scenes"]
    window.show_workspace(3)
    window.show_workspace(0)
    window.show_workspace(3)
    assert told == ["scenes", "run"]
    window._set_theme("light")


def test_high_contrast_can_be_chosen_and_is_kept(window: MainWindow) -> None:
    window._set_theme("contrast")
    assert theme.tokens() in {theme.HIGH_LIGHT, theme.HIGH_DARK}
    assert Settings().theme == "contrast"
    window._set_theme("light")
    assert theme.tokens() is theme.LIGHT


def test_an_open_probe_gets_the_room_of_a_larger_window(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.resize(1024, 680)
    window.probe.open()
    qtbot.wait(20)
    narrow = window.probe.width()
    window.resize(1600, 900)
    qtbot.wait(20)
    assert window.probe.width() > narrow
    assert window.probe.width() >= 600
    window.probe.open(opened=False)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_nothing_of_the_replies_lies_over_anything(
    window: MainWindow, qtbot: QtBot, scale: float
) -> None:
    try:
        window._set_scale(scale)
        window.probe.open()
        replies = window.probe.replies
        window.probe.tabs.setCurrentWidget(replies)
        replies._stack.setCurrentIndex(1)
        replies.reason.setText("No interval: needs at least 3 scenes with answers")
        replies.detail.show()
        qtbot.wait(30)
        replies._turn()  # as every change of size does
        replies.banner.tell("the server asks to wait 30 s; it goes on by itself")
        qtbot.wait(30)
        parts = (replies.pairs, replies.reason, replies.table)
        page = replies.pairs.window()
        boxes = [QRect(p.mapTo(page, QPoint(0, 0)), p.size()) for p in parts]
        for above, below in pairwise(boxes):
            assert above.bottom() < below.top()
        assert replies.banner.mapTo(page, QPoint(0, 0)).y() >= window.height() - 80
    finally:
        window._set_scale(1.0)

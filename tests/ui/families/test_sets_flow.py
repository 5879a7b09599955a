"""From the open scene to sets in another study, by mouse and keyboard alone."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QFileDialog

from director_gui.store import sets as rows
from director_gui.store.marks import marks_of
from director_gui.study import verifying
from director_gui.study.plan_file import SceneChoice
from director_gui.study.plan_scenes import chosen_scenes, left_out
from director_gui.study.verifying import Verification
from director_gui.ui.families.listing import Entry
from tests.ui.families.bench import Bench

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton


def tab(bench: Bench, name: str) -> None:
    """Click a tab of the set that is shown."""
    tabs = bench.space.set.tabs
    at = next(i for i in range(tabs.count()) if tabs.tabText(i) == name)
    QTest.mouseClick(tabs.tabBar(), LEFT, pos=tabs.tabBar().tabRect(at).center())
    assert tabs.currentIndex() == at


def choose_line(bench: Bench, text: str) -> None:
    """Click a line of the list at the left."""
    view = bench.space.list.list
    row = next(i for i, line in enumerate(bench.space.list.texts()) if line == text)
    view.scrollToItem(view.item(row))
    spot = view.visualItemRect(view.item(row)).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=spot)


def choose(box: QComboBox, text: str) -> None:
    """Choose with the keyboard."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findText(text)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == text


def sampled(bench: Bench, count: str) -> None:
    """Sample what is shown and open the set from the remark above it."""
    page = bench.space.family
    bench.type(page.count, count)  # Return samples
    bench.until(lambda: not bench.space.sampling.busy)
    bench.until(bench.space.banner.isVisible)
    bench.click(bench.space.banner._buttons[0])
    bench.until(lambda: len(bench.gallery.cards) == int(count))


def test_the_whole_way(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A family from a built-in one, changed in the form, and a set of it.
    bench.show()
    choose_line(bench, "main")
    bench.click(bench.space.family.copy)
    assert bench.space.current == Entry("own", "main-2")
    sampled(bench, "4")
    first = rows.set_named(bench.study, "main-2")
    # The weakest scene is found, dropped with a reason, and hidden from the list.
    bar, detail = bench.gallery.filter, bench.gallery.detail
    choose(bar.sort, "least visible")
    bench.pick(0)
    weakest = bench.gallery.list.cards()[0]
    assert weakest.least == min(card.least for card in bench.gallery.cards)
    bench.type(detail.reason, "a block is half covered")
    detail.ensureWidgetVisible(detail.drop)
    bench.click(detail.drop)
    assert marks_of(bench.study, first.id)[weakest.scene].kind == "drop"
    choose(bar.mark, "without dropped")
    assert weakest.scene not in [c.scene for c in bench.gallery.model.shown]
    # Another set beside it.
    choose_line(bench, "rotated")
    sampled(bench, "3")
    tab(bench, "Tallies")
    tallies = bench.space.set.tallies
    choose(tallies.other, "main-2")
    bench.until(lambda: tallies.table.texts()[0][1:3] == ["rotated", "main-2"])
    scenes = next(row for row in tallies.table.texts() if row[0] == "Scenes")
    assert scenes[1:3] == ["3", "3"]  # what was dropped does not count
    # Verified, exported beside the study, and found there.
    tab(bench, "Verify and export")
    files = bench.space.set.files
    told = Verification(7, [], [], 7, 0)
    monkeypatch.setattr(verifying, "verify_study", lambda *_, **__: told)
    bench.click(files.verify)
    bench.until(lambda: "7 of 7 scenes" in files.verdict.text())
    out = tmp_path / "out"
    out.mkdir()
    asked: list[str] = []

    def ask(_parent: object, title: str, start: str) -> str:
        asked.append(start)
        return str(out) if title.startswith("Export") else ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", ask)
    bench.click(files.export)
    bench.until(lambda: "files are in" in files.exported.text())
    manifest = json.loads((out / "manifest.json").read_bytes())
    assert {item["name"] for item in manifest["sets"]} == {"main-2", "rotated"}
    # The dropped scene is in the export with its reason, and in no plan.
    keys = (out / "main-2" / "keys.csv").read_text()
    assert "a block is half covered" in keys
    choice = SceneChoice(sets=("main-2",))
    assert len(chosen_scenes(bench.study, choice)) == 3
    (gone,) = left_out(bench.study, choice)
    assert (gone.scene, gone.reason) == (weakest.name, "a block is half covered")
    # The next dialog starts where the last one ended.
    bench.click(bench.space.list.take)
    assert asked == [str(tmp_path), str(out)]


def test_the_import_is_asked_beside_the_study_and_may_be_given_up(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str]] = []

    def ask(_parent: object, title: str, start: str) -> str:
        asked.append((title, start))
        return ""

    monkeypatch.setattr(QFileDialog, "getExistingDirectory", ask)
    bench.show()
    bench.click(bench.space.list.take)
    assert asked == [("Import a set from", str(tmp_path))]
    bench.idle()
    assert bench.refused == []


@pytest.mark.render
def test_what_was_exported_is_taken_in_by_another_study(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.make("main", 2)
    bench.show()
    out = tmp_path / "out"
    bench.space.export(out)
    bench.until((out / "manifest.json").exists)
    bench.idle()
    before = sorted(path.name for path in (out / "main" / "scenes").iterdir())
    bench.session.create(tmp_path / "b.study")
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", lambda *_: str(out / "main")
    )
    bench.click(bench.space.list.take)
    bench.qtbot.waitUntil(lambda: len(bench.gallery.cards) == 2, timeout=60_000)
    assert bench.refused == []
    (item,) = rows.sets(bench.study)
    assert "imported" in bench.space.set.state.text()
    assert not bench.space.set.family.isVisible()  # nobody knows its family
    assert not bench.space.set.resume.isVisible()
    names = [f"{card.name}.json" for card in bench.gallery.cards]
    assert names == before
    assert item.count == 2


class TestKeyboard:
    """Nothing needs the mouse."""

    def test_the_list_is_walked_with_arrows(self, bench: Bench) -> None:
        bench.make("main", 1)
        bench.show()
        view = bench.space.list.list
        view.setFocus()
        seen = [bench.space.current]
        for _ in range(3):
            QTest.keyClick(view, Qt.Key.Key_Down)
            seen.append(bench.space.current)
        assert len(set(seen)) == 4
        assert bench.space.family.isVisible()

    def test_cards_are_walked_marked_and_unmarked(self, bench: Bench) -> None:
        item = bench.open("main")
        cards, detail = bench.gallery.list, bench.gallery.detail
        cards.setFocus()
        QTest.keyClick(cards, Qt.Key.Key_Right)
        assert detail.title.text() == "main-0002"
        QTest.keyClick(cards, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
        assert detail.title.text() == "2 scenes are selected"
        detail.reason.setFocus()
        QTest.keyClicks(detail.reason, "for the figure")
        detail.pin.setFocus()
        QTest.keyClick(detail.pin, Qt.Key.Key_Space)
        assert len(marks_of(bench.study, item.id)) == 2
        cards.setFocus()
        QTest.keyClick(cards, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert marks_of(bench.study, item.id) == {}

    def test_return_in_a_sampling_field_samples(self, bench: Bench) -> None:
        bench.show()
        page = bench.space.family
        page.set_name.setFocus()
        page.count.setText("1")
        QTest.keyClick(page.set_name, Qt.Key.Key_Return)
        assert bench.space.sampling.busy
        bench.until(lambda: not bench.space.sampling.busy)
        assert rows.scene_count(bench.study, rows.sets(bench.study)[0].id) == 1

    @pytest.mark.parametrize("entry", ["built_in", "set"])
    def test_everything_that_can_be_pressed_has_a_name(
        self, bench: Bench, entry: str, accessible: Callable[[object], list[str]]
    ) -> None:
        if entry == "set":
            bench.open("main", 1)
        else:
            bench.show()
        assert accessible(bench.space) == []


def test_a_click_beside_the_cards_selects_none(bench: Bench) -> None:
    bench.open("main", 1)
    view = bench.gallery.list
    QTest.mouseClick(
        view.viewport(), LEFT, pos=QPoint(view.viewport().width() - 3, 500)
    )
    assert bench.gallery.detail.title.text() == "Select a scene"
    assert not bench.gallery.detail.drop.isVisible()

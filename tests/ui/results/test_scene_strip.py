"""The bars of a comparison's scenes, against the table beside them."""

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip
from pytestqt.qtbot import QtBot

from director_gui.stats.display import points_text
from director_gui.study.results.sheet import Cell, Column, Row, Sheet
from director_gui.ui import theme
from director_gui.ui.results.scene_strip import SceneStrip
from tests.ui.results.conftest import Bench

pytestmark = pytest.mark.gui


def sheet(*values: float | None) -> Sheet:
    rows = tuple(
        Row((Cell(f"s{at}"), *[Cell("")] * 4, Cell("", value)))
        for at, value in enumerate(values)
    )
    return Sheet("scenes", "Scenes", (Column("x"),) * 6, rows, "")


@pytest.fixture
def strip(qtbot: QtBot) -> SceneStrip:
    made = SceneStrip()
    qtbot.addWidget(made)
    made.resize(400, 160)
    made.show()
    return made


def test_bars_stand_by_size_and_are_told_in_words(strip: SceneStrip) -> None:
    strip.show_sheet(sheet(0.2, -1.0, None, 0.0, 0.6))
    assert [scene for scene, _ in strip.bars] == ["s4", "s0", "s3", "s1"]
    said = "4 scenes with answers under both conditions: 2 above zero, 1 at zero, "
    assert strip.words() == f"{said}1 below."
    assert strip.accessibleDescription() == strip.words()


def test_nothing_to_draw_takes_no_room(strip: SceneStrip) -> None:
    strip.show_sheet(sheet(None))
    assert not strip.isVisible()
    strip.show_sheet(sheet(0.5))
    assert strip.isVisible()
    strip.show_sheet(None)
    assert not strip.isVisible()


def test_bars_rise_and_fall_from_the_line(strip: SceneStrip) -> None:
    strip.show_sheet(sheet(1.0, -1.0))
    picture = strip.grab().toImage()
    scale = picture.devicePixelRatio()
    xs = [x for x in range(strip.width()) if strip.bar_at(x) == 0]
    falls = [x for x in range(strip.width()) if strip.bar_at(x) == 1]

    def color(x: int, y: int) -> str:
        return picture.pixelColor(int(x * scale), int(y * scale)).name()

    middle = strip.height() // 2
    for place, side, token in ((xs, -20, "cut"), (falls, 20, "accent")):
        x = place[len(place) // 2]
        assert color(x, middle + side) == getattr(theme.tokens(), token)
        assert color(x, middle - side) != getattr(theme.tokens(), token)


def test_a_bar_names_its_scene_on_hover(
    strip: SceneStrip, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    # The offscreen platform cannot raise a hint's window without a warning.
    monkeypatch.setattr(QToolTip, "showText", lambda _at, text, _of: told.append(text))
    strip.show_sheet(sheet(0.4, 0.2))
    x = next(x for x in range(strip.width()) if strip.bar_at(x) == 1)
    at = QPoint(x, 20)
    QApplication.sendEvent(
        strip, QHelpEvent(QHelpEvent.Type.ToolTip, at, strip.mapToGlobal(at))
    )
    assert told == ["s1: +20.0 points"]
    assert strip.bar_at(0) == strip.bar_at(strip.width() - 1) == -1


def test_a_thousand_scenes_fit(strip: SceneStrip) -> None:
    strip.show_sheet(sheet(*[at / 1000 for at in range(1000)]))
    assert strip.bar_at(strip.width() - 0.1) == 999
    assert not strip.grab().isNull()


def test_the_details_draw_the_scenes_of_the_chosen_row(bench: Bench) -> None:
    work = bench.workspace
    for place in (0, 1):
        work.main.table.choose(place)
        assert work.found is not None
        rows = work.found.scenes_of(place).rows
        told = {row.cells[0].text: row.cells[5].text for row in rows}
        shown = {
            scene: points_text(value, signed=True)
            for scene, value in work.details.strip.bars
        }
        assert shown == {scene: text for scene, text in told.items() if text != "–"}
        assert bench.says(work.details.strip.words())


@pytest.mark.parametrize("width", [900, 1600])
def test_the_table_takes_the_height_of_its_rows_until_it_is_moved(
    bench: Bench, width: int
) -> None:
    work = bench.workspace
    work.resize(width, 1400)
    bench.settle()
    assert work.main.height() == work.main.wanted_height()
    assert work.main.table.verticalScrollBar().maximum() == 0
    assert work.tabs.height() > work.main.height()
    handle = work._split.handle(1)
    middle = QRectF(handle.rect()).center().toPoint()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=middle)
    QTest.mouseMove(handle, middle + QPoint(0, 80))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=middle + QPoint(0, 80))
    own = work.main.height()
    assert own > work.main.wanted_height()
    work.refresh()
    bench.settle()
    assert work.main.height() == own

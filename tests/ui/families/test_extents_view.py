"""The family page's ghosts in space: they follow the form, and can be walked around."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from threading import Event

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.example import Example, example_of
from director_gui.families.model import Family, Span
from director_gui.render.live import LiveStage
from director_gui.scene.model import Viewpoint
from director_gui.ui.families import examples as examples_module
from director_gui.ui.families import space_view
from director_gui.ui.families.examples import Examples
from director_gui.ui.families.extents_view import ExtentsView
from director_gui.ui.families.space_view import SpaceView, _corners
from director_gui.ui.scenes import overlay
from director_gui.ui.scenes.orbit import fitted
from tests.ui.families.bench import Bench
from tests.ui.families.conftest import FlatStage, example_at

pytestmark = pytest.mark.gui
MAIN = library.family("main")


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[ExtentsView]:
    made = ExtentsView()
    qtbot.addWidget(made)
    made.resize(360, 420)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.close_views()


def opened(qtbot: QtBot, view: ExtentsView, family: Family = MAIN) -> SpaceView:
    view.open_family(family)
    qtbot.waitUntil(lambda: bool(view.space.volumes))
    view.space.grab()
    return view.space


def note_says(view: ExtentsView, words: str) -> bool:
    return words in view.note.text()


def top(view: SpaceView, role: str) -> float:
    return max(v.high for v in view.volumes if v.role == role)


def stage_of(view: SpaceView) -> FlatStage:
    stage: object = view._stage
    assert isinstance(stage, FlatStage)
    return stage


class TestFollowing:
    def test_a_range_of_the_field_of_view_is_drawn_around_its_eye(
        self, qtbot: QtBot, view: ExtentsView, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        drawn: list[tuple[float, bool]] = []
        paint = overlay.paint_cone

        def seen(
            painter: QPainter,
            to: overlay.Projector,
            eye: Viewpoint,
            aspect: float,
            pen: QPen,
        ) -> None:
            drawn.append((eye.fov, pen.style() == Qt.PenStyle.DashLine))
            paint(painter, to, eye, aspect, pen)

        monkeypatch.setattr(overlay, "paint_cone", seen)
        space = opened(qtbot, view)
        assert not any(dashed for _, dashed in drawn)  # both are fixed
        drawn.clear()
        camera = replace(MAIN.camera, fov=Span(40, 56))
        family = replace(MAIN, camera=camera)
        space.show_family(family, example_at(MAIN, 0))
        space.grab()
        assert [fov for fov, dashed in drawn if dashed][:2] == [40, 56]
        assert {fov for fov, dashed in drawn if dashed} == {40, 56}

    def test_the_first_scene_of_the_set_is_solid(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        assert space._example == example_at(MAIN, 0)
        assert view.note.text().startswith("Solid: scene 1 of the set.")
        wish = stage_of(space).wish
        assert wish is not None
        assert wish().scene == example_at(MAIN, 0).scene
        assert len(wish().ghosts) == len(space.volumes) > 5

    def test_ranges_change_at_once_and_the_scene_follows(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        (rule,) = MAIN.partitions
        tall = replace(rule, height=Span(1.3, 3.0))
        changed = replace(MAIN, partitions=(tall,))
        before = top(space, "partition")
        view.show_family(changed)
        assert top(space, "partition") > before  # around the scene shown before
        qtbot.waitUntil(lambda: space._example == example_at(changed, 0))

    def test_a_text_that_is_no_family_shows_nothing(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        drawn = space.grab().toImage()
        view.show_family(None)
        assert space.volumes == []
        empty = space.grab().toImage()
        assert empty != drawn
        assert space._why_empty() == "Nothing to draw until the text is a family"
        assert not view.later.isEnabled()
        view.show_family(MAIN)
        qtbot.waitUntil(lambda: bool(space.volumes))

    def test_another_scene_of_the_set_can_be_looked_at(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        later, earlier = (
            next(
                found
                for found in view.findChildren(QToolButton)
                if found.defaultAction() is wanted
            )
            for wanted in (view.later, view.earlier)
        )
        QTest.mouseClick(later, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "scene 2 of" in view.note.text())
        assert space._example == example_at(MAIN, 1)
        for wanted in ("scene 1 of", "scene 160 of"):
            QTest.mouseClick(earlier, Qt.MouseButton.LeftButton)
            qtbot.waitUntil(partial(note_says, view, wanted))

    def test_another_family_starts_at_its_first_scene(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        opened(qtbot, view)
        view.step(3)
        qtbot.waitUntil(lambda: "scene 4 of" in view.note.text())
        view.open_family(library.family("rotated"))
        qtbot.waitUntil(lambda: "scene 1 of" in view.note.text())

    def test_the_same_family_opened_again_is_shown_again(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        opened(qtbot, view)
        view.open_family(MAIN)
        assert view.space._why_empty() == space_view.LOOKING
        qtbot.waitUntil(lambda: bool(view.space.volumes))

    def test_what_fits_hardly_ever_is_said_to_be_a_candidate(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        opened(qtbot, view)
        refused = replace(example_at(MAIN, 0), reason="off_table")
        view.examples.found.emit(refused)
        assert "a candidate that is refused (off table)" in view.note.text()

    def test_from_above_has_its_own_note(self, qtbot: QtBot, view: ExtentsView) -> None:
        opened(qtbot, view)
        bar = view.tabs.tabBar()
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center())
        assert view.tabs.currentWidget() is view.ghost
        assert view.note.text().startswith("The model is below.")
        assert not view.later.isEnabled()

    def test_it_follows_the_form(self, bench: Bench) -> None:
        bench.own()
        page = bench.space.family
        space = page.extents.space
        bench.until(lambda: bool(space.volumes))
        before = top(space, "camera")
        text = page.draft.text.replace("[0.78, 0.88]", "[0.78, 1.2]")
        page.draft.replace(text)
        page.draft.read()
        assert before == pytest.approx(0.88)
        assert top(space, "camera") == pytest.approx(1.2)


class TestLookingAround:
    def test_a_drag_turns(self, qtbot: QtBot, view: ExtentsView) -> None:
        space = opened(qtbot, view)
        before = space.orbit
        start, end = QPointF(100, 100), QPointF(160, 120)
        QTest.mousePress(space, Qt.MouseButton.LeftButton, pos=start.toPoint())
        move(space, end)
        QTest.mouseRelease(space, Qt.MouseButton.LeftButton, pos=end.toPoint())
        after = space.orbit
        assert after.azimuth == pytest.approx((before.azimuth - 0.4 * 60) % 360)
        assert after.elevation == pytest.approx(before.elevation + 0.4 * 20)
        assert after.target == before.target
        move(space, QPointF(10, 10))
        assert space.orbit == after  # the button was let go

    def test_shift_pans(self, qtbot: QtBot, view: ExtentsView) -> None:
        space = opened(qtbot, view)
        before = space.orbit
        QTest.mousePress(space, Qt.MouseButton.LeftButton, pos=QPoint(100, 100))
        move(space, QPointF(160, 120), Qt.KeyboardModifier.ShiftModifier)
        assert space.orbit.target != before.target
        assert space.orbit.azimuth == before.azimuth

    def test_the_wheel_zooms_and_a_double_click_shows_all(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        before = space.orbit.distance
        wheel(space, 240)
        assert space.orbit.distance < before
        QTest.mouseDClick(space, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        assert space.orbit.distance == pytest.approx(before)

    @pytest.mark.parametrize(
        ("key", "moves"),
        [
            (Qt.Key.Key_Left, "azimuth"),
            (Qt.Key.Key_Right, "azimuth"),
            (Qt.Key.Key_Up, "elevation"),
            (Qt.Key.Key_Down, "elevation"),
            (Qt.Key.Key_Plus, "distance"),
            (Qt.Key.Key_Minus, "distance"),
        ],
    )
    def test_keys_do_the_same_and_home_goes_back(
        self, qtbot: QtBot, view: ExtentsView, key: Qt.Key, moves: str
    ) -> None:
        space = opened(qtbot, view)
        before = getattr(space.orbit, moves)
        QTest.keyClick(space, key)
        assert getattr(space.orbit, moves) != before
        wheel(space, 240)
        QTest.keyClick(space, Qt.Key.Key_Home)
        example = example_at(MAIN, 0)
        aspect = space.width() / space.height()
        assert space.orbit == fitted(example.scene, aspect, space.orbit)

    def test_a_change_of_the_form_keeps_the_eye_where_it_is(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        wheel(space, 240)
        orbit = space.orbit
        view.show_family(replace(MAIN, seed=7))
        qtbot.waitUntil(lambda: space._example == example_at(replace(MAIN, seed=7), 0))
        assert space.orbit == orbit


class TestDrawing:
    def test_it_is_drawn_once_for_many_changes(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        before = stage_of(space).drawn
        for _ in range(5):
            space.refresh()
        space.grab()
        assert stage_of(space).drawn == before + 1

    def test_at_rest_it_is_drawn_finer(self, qtbot: QtBot, view: ExtentsView) -> None:
        space = opened(qtbot, view)
        stage = stage_of(space)
        assert stage.wish is not None
        width, height = space.pixel_size()
        qtbot.waitUntil(lambda: space._sharp)
        assert stage.wish().size == (2 * width, 2 * height)
        wheel(space, 120)
        assert stage.wish().size == (width, height)

    def test_a_large_view_is_not(
        self, qtbot: QtBot, view: ExtentsView, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        space = opened(qtbot, view)
        monkeypatch.setattr(space_view, "_MOST_PIXELS", 100)
        space.refresh()
        space._sharpen()
        assert not space._sharp

    def test_no_window_is_opened_before_it_is_looked_at(self, qtbot: QtBot) -> None:
        view = ExtentsView()
        qtbot.addWidget(view)
        view.open_family(MAIN)
        qtbot.waitUntil(lambda: bool(view.space.volumes))
        assert view.space._stage is None
        view.close_views()

    def test_closing_frees_the_window_and_the_thread(
        self, qtbot: QtBot, view: ExtentsView
    ) -> None:
        space = opened(qtbot, view)
        stage = stage_of(space)
        view.close_views()
        assert stage.closed
        assert view.examples._pool is None
        view.close_views()  # twice is no trouble
        assert not space.grab().isNull()

    def test_without_opengl_the_view_from_above_is_left(
        self, qtbot: QtBot, view: ExtentsView, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail() -> LiveStage:
            raise UserError("OpenGL cannot draw on this machine")

        monkeypatch.setattr(space_view, "LiveStage", fail)
        told: list[UserError] = []
        view.failed.connect(told.append)
        view.open_family(MAIN)
        qtbot.waitUntil(lambda: bool(told))
        assert view.tabs.currentWidget() is view.ghost
        assert view.space._why_empty() == "OpenGL cannot draw here"
        view.tabs.setCurrentWidget(view.space)
        view.space.grab()
        assert len(told) == 1  # said once


class TestExamples:
    def test_only_the_newest_is_told(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun, go = Event(), Event()

        def slow(family: Family, index: int, late: Callable[[], bool]) -> Example:
            begun.set()
            go.wait(10)
            assert late() == (index == 0)  # what was asked first is given up
            return example_at(family, index)

        monkeypatch.setattr(examples_module, "example_of", slow)
        found: list[Example] = []
        finder = Examples()
        finder.found.connect(found.append)
        finder.ask(MAIN, 0)
        begun.wait(10)
        finder.ask(MAIN, 1)
        go.set()
        qtbot.waitUntil(lambda: bool(found))
        assert found == [example_at(MAIN, 1)]
        finder.close()

    def test_the_same_question_is_asked_once(self, qtbot: QtBot) -> None:
        found: list[Example] = []
        finder = Examples()
        finder.found.connect(found.append)
        finder.ask(MAIN, 0)
        qtbot.waitUntil(lambda: len(found) == 1)
        finder.ask(MAIN, 0)
        finder.ask(MAIN, 1)
        qtbot.waitUntil(lambda: len(found) == 2)
        assert [example.index for example in found] == [0, 1]
        finder.close()

    def test_time_is_up_for_a_family_that_hardly_fits(
        self, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(examples_module, "example_of", example_of)
        monkeypatch.setattr(examples_module, "SECONDS", 0.05)
        nowhere = replace(MAIN, blocks=replace(MAIN.blocks, x=Span(5.0, 6.0)))
        found: list[Example] = []
        finder = Examples()
        finder.found.connect(found.append)
        finder.ask(nowhere, 0)
        qtbot.waitUntil(lambda: bool(found))
        assert found[0].reason == "off_table"
        finder.close()


def test_only_sharp_bends_are_edges() -> None:
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    assert _corners(square) == [0, 1, 2, 3]
    rounded = ((0.0, 0.0), (1.0, 0.0), (1.02, 0.5), (1.0, 1.0), (0.0, 1.0))
    assert _corners(rounded) == [0, 1, 3, 4]


@pytest.mark.render
def test_real_ghosts_are_seen(
    qtbot: QtBot, view: ExtentsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space_view, "LiveStage", LiveStage)
    space = opened(qtbot, view)
    with_ghosts = space.draw_pixels()
    assert with_ghosts is not None
    space.volumes = []
    space.refresh()
    without = space.draw_pixels()
    assert without is not None
    assert 0.01 < (with_ghosts != without).any(axis=2).mean() < 0.6


def move(
    view: SpaceView,
    to: QPointF,
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
) -> None:
    """Move with the left button down, which QTest cannot."""
    left = Qt.MouseButton.LeftButton
    spot = view.mapToGlobal(to)
    event = QMouseEvent(
        QEvent.Type.MouseMove, to, spot, Qt.MouseButton.NoButton, left, keys
    )
    QApplication.sendEvent(view, event)


def wheel(view: SpaceView, by: int) -> None:
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, by),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003 - Qt's signature
    )  # fmt: skip
    QApplication.sendEvent(view, event)

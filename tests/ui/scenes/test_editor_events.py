"""The editor through real mouse and key events on real widgets."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from director_gui.render.still import JITTER
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.ui.scenes.handles import handles_of
from director_gui.ui.window import MainWindow

pytestmark = [pytest.mark.gui, pytest.mark.render]
Spot = Callable[[tuple[float, float, float]], QPoint]
LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
FIVE, BOARD = Item("block", 5), Item("partition", 0)


def drag(
    widget: object,
    start: QPoint,
    by: tuple[int, int],
    keys: Qt.KeyboardModifier = NO_KEY,
    button: Qt.MouseButton = LEFT,
) -> None:
    QTest.mousePress(widget, button, keys, start)
    for step in (0.25, 0.5, 0.75, 1.0):
        at = QPoint(start.x() + round(step * by[0]), start.y() + round(step * by[1]))
        QTest.mouseMove(widget, at)
        QApplication.processEvents()
    QTest.mouseRelease(widget, button, keys, at)


def test_dragging_a_block_moves_it_in_one_step(window: MainWindow, spot: Spot) -> None:
    document, view = window.document, window.scenes.edit_view
    before = document.scene
    block = before.block(5)
    drag(view, spot((block.x, block.y, block.edge / 2)), (60, 20))
    after = document.scene.block(5)
    assert (after.x, after.y) != (block.x, block.y)
    assert document.selection == FIVE
    assert document.undo_stack.count() == 1
    assert not view.dragging
    QTest.keyClick(view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert document.scene == before


def test_escape_gives_a_drag_up(window: MainWindow, spot: Spot) -> None:
    document, view = window.document, window.scenes.edit_view
    before = document.scene
    block = before.block(5)
    start = spot((block.x, block.y, block.edge / 2))
    QTest.mousePress(view, LEFT, NO_KEY, start)
    QTest.mouseMove(view, start + QPoint(40, 10))
    QApplication.processEvents()
    assert document.scene != before
    QTest.keyClick(view, Qt.Key.Key_Escape)
    looked = view.viewpoint
    QTest.mouseMove(view, start + QPoint(90, 40))  # the button is still down
    QTest.mouseRelease(view, LEFT, NO_KEY, start)
    assert view.viewpoint == looked
    assert document.scene == before
    assert not document.modified


def test_dragging_the_partition_moves_it(window: MainWindow, spot: Spot) -> None:
    board = window.document.scene.partitions[0]
    top = (board.x + 0.15, board.y, board.height - 0.03)
    drag(window.scenes.edit_view, spot(top), (50, 0))
    assert window.document.scene.partitions[0].x != board.x
    assert window.document.selection == BOARD


def test_handles_turn_and_resize(window: MainWindow, spot: Spot) -> None:
    document, view = window.document, window.scenes.edit_view
    document.select(FIVE)
    eye = view.viewpoint.eye
    by_name = {h.name: h for h in handles_of(document.scene, FIVE, eye)}
    drag(view, spot(by_name["rotate"].point), (40, -15))
    assert document.scene.block(5).yaw != -8.0
    by_name = {h.name: h for h in handles_of(document.scene, FIVE, eye)}
    edge = document.scene.block(5).edge
    drag(view, spot(by_name["size"].point), (30, 30))
    assert document.scene.block(5).edge != edge
    assert document.undo_stack.count() == 2


def test_a_small_selected_block_is_moved_by_its_middle(
    window: MainWindow, spot: Spot
) -> None:
    document, view = window.document, window.scenes.edit_view
    document.apply(edits.size_to(document.scene, FIVE, 0.08), "Resize")
    for yaw in (0.0, 30.0, 60.0):
        document.apply(edits.turn_to(document.scene, FIVE, yaw), "Turn")
        document.select(FIVE)
        block = document.scene.block(5)
        drag(view, spot((block.x, block.y, block.edge * 0.75)), (15, 5))
        assert document.scene.block(5).edge == block.edge
        assert document.scene.block(5).x != block.x


def test_the_directors_eye_can_be_dragged(window: MainWindow, spot: Spot) -> None:
    document = window.document
    eye = document.scene.director.eye
    drag(window.scenes.edit_view, spot(eye), (-50, 0))
    assert document.selection == Item("director")
    assert document.scene.director.eye != eye
    assert document.scene.director.eye[2] == eye[2]


def test_dragging_beside_turns_and_shift_pans_the_view(window: MainWindow) -> None:
    view, document = window.scenes.edit_view, window.document
    start = QPoint(15, view.height() - 15)
    before = view.viewpoint
    drag(view, start, (80, 0))
    turned = view.viewpoint
    assert turned.eye != before.eye
    assert turned.look_at == before.look_at
    # QTest's move carries no keys, so the other way of panning is used.
    drag(view, start, (80, -20), button=Qt.MouseButton.MiddleButton)
    assert view.viewpoint.look_at != turned.look_at
    assert not document.modified


def test_the_wheel_zooms(window: MainWindow, qtbot: QtBot) -> None:
    view = window.scenes.edit_view
    before = view.viewpoint.eye
    view.zoom(0.5)
    assert view.viewpoint.eye != before
    QTest.keyClick(view, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: view.viewpoint.eye != before)


@pytest.mark.parametrize(
    ("key", "change"),
    [
        (Qt.Key.Key_BracketLeft, "yaw"),
        (Qt.Key.Key_Plus, "edge"),
        (Qt.Key.Key_Right, "place"),
        (Qt.Key.Key_Up, "place"),
    ],
)
def test_keys_edit_the_selection(window: MainWindow, key: Qt.Key, change: str) -> None:
    document, view = window.document, window.scenes.edit_view
    document.select(FIVE)
    view.setFocus()
    old = document.scene.block(5)
    QTest.keyClick(view, key)
    new = document.scene.block(5)
    values = {
        "yaw": (old.yaw, new.yaw),
        "edge": (old.edge, new.edge),
        "place": ((old.x, old.y), (new.x, new.y)),
    }
    assert values[change][0] != values[change][1]


def test_a_fine_nudge_is_a_millimetre(window: MainWindow) -> None:
    document, view = window.document, window.scenes.edit_view
    document.select(FIVE)
    view.setFocus()
    old = document.scene.block(5)
    QTest.keyClick(view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    new = document.scene.block(5)
    assert abs(new.x - old.x) + abs(new.y - old.y) == pytest.approx(0.001)


def test_add_duplicate_delete_by_keyboard(window: MainWindow) -> None:
    document, view = window.document, window.scenes.edit_view
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_B)
    assert len(document.scene.blocks) == 4
    assert document.selection == Item("block", 1)
    QTest.keyClick(view, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
    assert len(document.scene.blocks) == 5
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert len(document.scene.blocks) == 4
    QTest.keyClick(view, Qt.Key.Key_P)
    assert len(document.scene.partitions) == 2


def test_the_last_block_stays_and_says_why(window: MainWindow) -> None:
    document = window.document
    for digit in (3, 8):
        document.apply(edits.delete(document.scene, Item("block", digit)), "Delete")
    document.select(FIVE)
    window.scenes.delete()
    assert len(document.scene.blocks) == 1
    assert "at least one block" in window.scenes.banner.text
    assert window.scenes.banner.isVisible()


def test_hovering_lights_the_block_everywhere(window: MainWindow, spot: Spot) -> None:
    block = window.document.scene.block(8)
    at = spot((block.x, block.y, block.edge / 2))
    QTest.mouseMove(window.scenes.edit_view, at)
    assert window.document.hover == Item("block", 8)
    QTest.mouseMove(window.scenes.edit_view, QPoint(3, 3))
    assert window.document.hover is None


def test_clicking_a_picture_selects_what_is_there(window: MainWindow) -> None:
    picture = window.scenes.pictures["model"]
    frame = picture.frame()
    from director_gui.geometry.camera import picture_point

    scene = window.document.scene
    block = scene.block(5)
    spot = picture_point(
        scene.camera, scene.picture.aspect, (block.x, block.y, block.edge / 2)
    )
    assert spot is not None
    at = QPoint(
        round(frame.left() + spot[0] * frame.width()),
        round(frame.top() + spot[1] * frame.height()),
    )
    QTest.mouseClick(picture, LEFT, NO_KEY, at)
    assert window.document.selection == FIVE


def test_both_pictures_keep_the_pictures_shape(window: MainWindow) -> None:
    for picture in window.scenes.pictures.values():
        frame = picture.frame()
        assert frame.width() / frame.height() == pytest.approx(4 / 3, rel=0.02)
    scene = edits.set_picture(window.document.scene, 1000, 500)
    window.document.apply(scene, "Picture")
    frame = window.scenes.pictures["model"].frame()
    assert frame.width() / frame.height() == pytest.approx(2.0, rel=0.02)


def test_a_resize_between_the_frames_of_a_smooth_picture(window: MainWindow) -> None:
    view = window.scenes.edit_view
    view.stop()  # the frames come from here alone
    view.grab()
    view._add_frame()
    assert view._frames
    view.resize(view.width() + 60, view.height() + 40)
    view.grab()
    for _ in JITTER:
        view._add_frame()
    view.stop()
    assert not view._frames  # whole, of one size

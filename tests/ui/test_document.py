"""The owner of the scene: undo, gestures, selection, silence when nothing changes."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.ui.document import Document

pytestmark = pytest.mark.gui
FIVE = Item("block", 5)


def moved(document: Document, x: float) -> None:
    document.apply(edits.move_to(document.scene, FIVE, x, 0.0), "Move", 0)


def test_an_edit_can_be_undone_and_redone(document: Document) -> None:
    before = document.scene
    moved(document, 0.1)
    after = document.scene
    assert after.block(5).x == 0.1
    document.undo_stack.undo()
    assert document.scene == before
    document.undo_stack.redo()
    assert document.scene == after


def test_a_gesture_of_many_steps_is_one_undo_step(document: Document) -> None:
    gesture = document.begin_gesture()
    before = document.scene
    for step in range(1, 30):
        scene = edits.move_to(before, FIVE, step / 100, 0.0)
        document.apply(scene, "Move block 5", gesture)
    assert document.undo_stack.count() == 1
    document.undo_stack.undo()
    assert document.scene == before


def test_two_gestures_are_two_steps(document: Document) -> None:
    for x in (0.1, 0.2):
        gesture = document.begin_gesture()
        scene = edits.move_to(document.scene, FIVE, x, 0.0)
        document.apply(scene, "Move block 5", gesture)
    assert document.undo_stack.count() == 2


def test_a_gesture_back_to_the_start_leaves_no_step(document: Document) -> None:
    gesture = document.begin_gesture()
    before = document.scene
    document.apply(edits.move_to(before, FIVE, 0.3, 0.0), "Move", gesture)
    document.apply(before, "Move", gesture)
    assert not document.undo_stack.canUndo()
    assert not document.modified


def test_the_same_scene_again_tells_nobody(document: Document, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(document.scene_changed):
        document.apply(document.scene, "Nothing")
    assert document.undo_stack.count() == 0


def test_the_selection_is_told_once(document: Document, qtbot: QtBot) -> None:
    with qtbot.waitSignal(document.selection_changed):
        document.select(FIVE)
    with qtbot.assertNotEmitted(document.selection_changed):
        document.select(FIVE)


def test_what_is_gone_is_no_longer_selected_or_lit(document: Document) -> None:
    document.select(FIVE)
    document.set_hover(FIVE)
    document.apply(edits.delete(document.scene, FIVE), "Delete")
    assert document.selection is None
    assert document.hover is None


def test_opening_another_scene_starts_a_new_history(document: Document) -> None:
    moved(document, 0.1)
    document.open(example_scene(), Path("x.json"))
    assert document.undo_stack.count() == 0
    assert not document.modified
    assert document.path == Path("x.json")


def test_saving_makes_it_unmodified_until_the_next_edit(document: Document) -> None:
    moved(document, 0.1)
    assert document.modified
    document.saved_as(Path("y.json"))
    assert not document.modified
    moved(document, 0.2)
    assert document.modified
    document.undo_stack.undo()
    assert not document.modified


def test_recovered_work_counts_as_unsaved(document: Document) -> None:
    document.open(example_scene(), None, saved=False)
    assert document.modified


def test_what_the_scene_does_not_hold_cannot_be_selected(document: Document) -> None:
    document.select(FIVE)
    document.select(Item("block", 77))
    assert document.selection is None
    document.select(Item("partition", 9))
    assert document.selection is None

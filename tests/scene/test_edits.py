"""Edits: pure, bounded, rounded, and always savable."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from math import hypot, inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.geometry.boxes import box_of
from director_gui.geometry.footprint import overhang, overlaps
from director_gui.geometry.problems import problems_of
from director_gui.geometry.truth import truth_of
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.scene.model import Scene, Table
from director_gui.scene.serialize import file_bytes, read_scene
from tests.strategies import QUICK, scenes, stimuli

EXAMPLE = example_scene()
THREE, BOARD = Item("block", 3), Item("partition", 0)
DIRECTOR, CAMERA, TABLE = Item("director"), Item("camera"), Item("table")

wild = st.floats(allow_nan=False, allow_infinity=False)
kinds = st.sampled_from(["block", "partition", "director", "camera", "table"])
items = st.builds(Item, kinds, st.integers(-1, 99))


@st.composite
def steps(draw: st.DrawFn) -> Callable[[Scene], Scene]:
    """Any one edit with any finite numbers."""
    item, a, b, c = draw(items), draw(wild), draw(wild), draw(wild)
    whole = draw(st.integers(-(10**6), 10**6))
    options: list[Callable[[Scene], Scene]] = [
        lambda s: edits.move_to(s, item, a, b),
        lambda s: edits.keep_on_table(s, item),
        lambda s: edits.turn_to(s, item, a),
        lambda s: edits.size_to(s, item, a),
        lambda s: edits.size_to(s, item, a, "width"),
        lambda s: edits.size_to(s, item, a, "height"),
        lambda s: edits.size_to(s, item, a, "thickness"),
        lambda s: edits.rename(s, item, whole % 120),
        lambda s: edits.paint(s, item, "#ABCDEF"),
        lambda s: edits.add_block(s)[0],
        lambda s: edits.add_partition(s)[0],
        lambda s: edits.duplicate(s, item)[0],
        lambda s: edits.delete(s, item),
        lambda s: edits.set_eye(s, item, (a, b, c)),
        lambda s: edits.set_aim(s, item, (a, b, c)),
        lambda s: edits.set_fov(s, item, a),
        lambda s: edits.set_table(s, a, b),
        lambda s: edits.set_picture(s, whole, -whole),
        lambda s: edits.set_request(s, "smallest"),
        lambda s: edits.set_name(s, str(a)),
    ]
    return draw(st.sampled_from(options))


@given(scenes(), st.lists(steps(), max_size=8))
@QUICK
def test_whatever_is_edited_can_be_saved_and_read_back(
    scene: Scene, many: list[Callable[[Scene], Scene]]
) -> None:
    for step in many:
        with suppress(UserError):
            scene = step(scene)
    assert read_scene(file_bytes(scene)) == scene
    assert b"-0.0," not in file_bytes(scene)


@given(st.floats(-10, 10), st.floats(-10, 10), st.floats(-400, 400))
@QUICK
def test_places_and_angles_are_rounded_as_files_store_them(
    x: float, y: float, yaw: float
) -> None:
    moved = edits.turn_to(edits.move_to(EXAMPLE, THREE, x, y), THREE, yaw)
    block = moved.block(3)
    assert abs(block.x - x) <= 0.5001e-4
    assert block.x == round(block.x, 4)
    assert block.yaw == round(block.yaw, 2)
    assert (block.yaw - yaw + 180) % 360 == pytest.approx(180, abs=0.0051)


@given(stimuli(), st.floats(-3, 3), st.floats(-3, 3), st.floats(-180, 180))
@QUICK
def test_what_is_kept_on_the_table_is_on_the_table(
    scene: Scene, x: float, y: float, yaw: float
) -> None:
    for item in (Item("block", scene.digits[0]), BOARD):
        turned = edits.turn_to(edits.move_to(scene, item, x, y), item, yaw)
        kept = edits.keep_on_table(turned, item)
        thing = edits.solid(kept, item)
        assert thing is not None
        assert overhang(kept, box_of(thing)) <= 1e-4
        if overhang(turned, box_of(edits.solid(turned, item) or thing)) == 0:
            assert kept == turned


def test_a_thing_larger_than_the_table_goes_to_its_middle() -> None:
    small = replace(EXAMPLE, table=Table(0.1, 0.1))
    kept = edits.keep_on_table(small, THREE)
    assert (kept.block(3).x, kept.block(3).y) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("value", "step", "snapped"),
    [(0.123, 0.05, 0.1), (0.126, 0.05, 0.15), (7.4, 5, 5), (0.3, None, 0.3)],
)
def test_snapping_goes_to_the_nearest_line(
    value: float, step: float | None, snapped: float
) -> None:
    assert edits.snapped(value, step) == pytest.approx(snapped)


@pytest.mark.parametrize("value", [nan, inf, -inf])
def test_numbers_that_are_not_finite_are_refused(value: float) -> None:
    for step in (
        lambda: edits.move_to(EXAMPLE, THREE, value, 0),
        lambda: edits.turn_to(EXAMPLE, BOARD, value),
        lambda: edits.size_to(EXAMPLE, THREE, value),
        lambda: edits.set_eye(EXAMPLE, CAMERA, (0, 0, value)),
        lambda: edits.set_fov(EXAMPLE, CAMERA, value),
        lambda: edits.set_table(EXAMPLE, value, 1),
    ):
        with pytest.raises(UserError, match="finite"):
            step()


def test_a_rename_refuses_a_taken_digit_and_keeps_its_own() -> None:
    with pytest.raises(UserError, match="another block carries 5"):
        edits.rename(EXAMPLE, THREE, 5)
    with pytest.raises(UserError, match="from 0 to 99"):
        edits.rename(EXAMPLE, THREE, 100)
    assert edits.rename(EXAMPLE, THREE, 3) == EXAMPLE
    renamed = edits.rename(EXAMPLE, THREE, 9)
    assert renamed.digits == (9, 5, 8)
    assert edits.has_item(renamed, Item("block", 9))
    assert not edits.has_item(renamed, THREE)


def test_added_blocks_take_free_digits_and_free_spots() -> None:
    scene, items_ = EXAMPLE, []
    for _ in range(3):
        scene, item = edits.add_block(scene)
        items_.append(item)
    assert [item.key for item in items_] == [1, 2, 4]
    assert overlaps(scene) == []
    assert len({block.color for block in scene.blocks}) == 6
    codes = {p.code for p in problems_of(scene, truth_of(scene, 2), robust=False)}
    assert "off_table" not in codes


def test_a_first_added_block_is_clearly_smaller() -> None:
    scene, item = edits.add_block(EXAMPLE)
    edges = sorted(block.edge for block in scene.blocks)
    assert scene.block(item.key).edge == edges[0]
    assert edges[1] / edges[0] >= 1.15


def test_an_added_partition_stands_free() -> None:
    scene, item = edits.add_partition(EXAMPLE)
    assert item == Item("partition", 1)
    assert overlaps(scene) == []


def test_a_full_scene_takes_no_more() -> None:
    scene = EXAMPLE
    for _ in range(9):
        scene = edits.add_block(scene)[0]
    for _ in range(3):
        scene = edits.add_partition(scene)[0]
    for add in (
        lambda: edits.add_block(scene),
        lambda: edits.add_partition(scene),
        lambda: edits.duplicate(scene, THREE),
        lambda: edits.duplicate(scene, BOARD),
    ):
        with pytest.raises(UserError, match="at most"):
            add()


def test_copies_differ_in_name_and_place_only() -> None:
    scene, item = edits.duplicate(EXAMPLE, THREE)
    copy, old = scene.block(item.key), EXAMPLE.block(3)
    assert replace(copy, digit=3, x=old.x, y=old.y) == old
    assert (copy.x, copy.y) != (old.x, old.y)
    scene, item = edits.duplicate(EXAMPLE, BOARD)
    assert item == Item("partition", 1)
    assert scene.partitions[1].width == scene.partitions[0].width


def test_deleting_takes_one_thing_away() -> None:
    assert edits.delete(EXAMPLE, THREE).digits == (5, 8)
    assert edits.delete(EXAMPLE, BOARD).partitions == ()
    alone = replace(EXAMPLE, blocks=EXAMPLE.blocks[:1])
    with pytest.raises(UserError, match="at least one block"):
        edits.delete(alone, THREE)


@pytest.mark.parametrize("item", [DIRECTOR, CAMERA, TABLE, Item("partition", 7)])
def test_only_blocks_and_partitions_can_be_deleted_or_copied(item: Item) -> None:
    for edit in (edits.delete, edits.duplicate):
        with pytest.raises(UserError, match="only blocks and partitions"):
            edit(EXAMPLE, item)


def test_each_size_belongs_to_one_kind() -> None:
    assert edits.size_to(EXAMPLE, THREE, 0.3).block(3).edge == 0.3
    assert edits.size_to(EXAMPLE, BOARD, 0.3) == EXAMPLE
    assert edits.size_to(EXAMPLE, THREE, 0.3, "width") == EXAMPLE
    board = edits.size_to(EXAMPLE, BOARD, 9.0, "height").partitions[0]
    assert board.height == 2.0
    assert edits.size_to(EXAMPLE, BOARD, 0.001, "thickness").partitions[
        0
    ].thickness == (0.01)


def test_an_eye_moves_and_one_without_an_up_stays() -> None:
    moved = edits.set_eye(EXAMPLE, DIRECTOR, (0.1, 1.0, 0.6))
    assert moved.director.eye == (0.1, 1.0, 0.6)
    assert moved.camera == EXAMPLE.camera
    x, y, _ = EXAMPLE.camera.look_at
    assert edits.set_eye(EXAMPLE, CAMERA, (x, y, 2.0)) == EXAMPLE
    aimed = edits.set_aim(EXAMPLE, CAMERA, (0.0, 0.0, 0.1))
    assert aimed.camera.look_at == (0.0, 0.0, 0.1)
    assert edits.set_fov(EXAMPLE, CAMERA, 200).camera.fov == 120.0


def test_a_color_is_checked() -> None:
    assert edits.paint(EXAMPLE, THREE, "#AABBCC").block(3).color == "#aabbcc"
    with pytest.raises(UserError, match="colour"):
        edits.paint(EXAMPLE, THREE, "red")


def test_names_lose_what_files_refuse() -> None:
    assert edits.set_name(EXAMPLE, "a\nb\ud800" + "c" * 300).name == "ab" + "c" * 198


def test_the_whole_scene_has_its_own_fields() -> None:
    assert edits.set_table(EXAMPLE, 1.5, 20.0).table == Table(1.5, 2.0)
    assert edits.set_picture(EXAMPLE, 10, 600).picture.width == 64
    assert edits.set_request(EXAMPLE, "smallest").request.extreme == "smallest"


def test_edits_leave_the_old_scene_as_it_was() -> None:
    before = file_bytes(EXAMPLE)
    edits.move_to(EXAMPLE, THREE, 0, 0)
    edits.delete(EXAMPLE, THREE)
    edits.add_block(EXAMPLE)
    assert file_bytes(EXAMPLE) == before


def test_a_free_spot_is_the_middle_when_all_is_taken() -> None:
    small = replace(EXAMPLE, table=Table(0.3, 0.3))
    assert edits.free_spot(small, 0.2, 0.2) == (0.0, 0.0)
    empty = replace(EXAMPLE, blocks=EXAMPLE.blocks[2:], partitions=())
    assert edits.free_spot(empty, 0.1, 0.1) == (0.0, 0.0)
    x, y = edits.free_spot(EXAMPLE, 0.1, 0.1)
    assert 0 < hypot(x, y) < 0.7


def test_items_speak_for_themselves() -> None:
    assert [str(i) for i in (THREE, BOARD, CAMERA)] == [
        "block 3",
        "partition 1",
        "camera",
    ]
    assert edits.solid(EXAMPLE, THREE) == EXAMPLE.blocks[0]
    assert edits.solid(EXAMPLE, BOARD) == EXAMPLE.partitions[0]
    assert edits.solid(EXAMPLE, TABLE) is None
    assert edits.solid(EXAMPLE, Item("block", 77)) is None
    assert edits.solid(EXAMPLE, Item("partition", -1)) is None

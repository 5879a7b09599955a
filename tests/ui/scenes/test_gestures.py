"""What drags do, as pure functions of rays."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.scene.model import Point
from director_gui.ui.scenes.gestures import (
    FREE,
    Gesture,
    Ray,
    Snap,
    first_met,
    grown_by,
    nudged,
    turned_by,
)
from director_gui.ui.scenes.handles import Handle, eyes_of, handles_of

SCENE = example_scene()
FIVE, BOARD = Item("block", 5), Item("partition", 0)
EYE: Point = (1.5, -2.0, 1.8)


def to(point: Point, eye: Point = EYE) -> Ray:
    x, y, z = (p - e for p, e in zip(point, eye, strict=True))
    return eye, (x, y, z)


def handle(item: Item, name: str) -> Handle:
    return next(h for h in handles_of(SCENE, item) if h.name == name)


def hold(grip: Handle) -> Gesture:
    return Gesture(SCENE, grip, to(grip.point), grip.point)


def test_the_held_point_follows_the_pointer() -> None:
    held = (0.06, -0.1, 0.12)
    gesture = hold(Handle(FIVE, "body", held))
    moved = gesture.moved(to((0.16, -0.05, 0.12)), FREE).block(5)
    assert (moved.x, moved.y) == pytest.approx((0.15, -0.01), abs=1e-4)


def test_a_step_does_not_depend_on_the_steps_before() -> None:
    gesture = hold(Handle(FIVE, "body", (0.05, -0.06, 0.1)))
    far = gesture.moved(to((0.3, 0.2, 0.1)), FREE)
    gesture.moved(to((-0.3, -0.2, 0.1)), FREE)
    assert gesture.moved(to((0.3, 0.2, 0.1)), FREE) == far


def test_snapping_puts_the_centre_on_the_grid() -> None:
    gesture = hold(Handle(FIVE, "body", (0.05, -0.06, 0.1)))
    moved = gesture.moved(to((0.1234, 0.0567, 0.1)), Snap(0.01, 5.0)).block(5)
    assert moved.x == pytest.approx(round(moved.x, 2), abs=1e-9)
    assert moved.y == pytest.approx(round(moved.y, 2), abs=1e-9)


def test_snapping_keeps_it_on_the_table() -> None:
    gesture = hold(Handle(FIVE, "body", (0.05, -0.06, 0.1)))
    moved = gesture.moved(to((3.0, 0.0, 0.1)), Snap()).block(5)
    reach = moved.edge * (math.cos(math.radians(8)) + math.sin(math.radians(8))) / 2
    assert moved.x + reach == pytest.approx(SCENE.table.width / 2, abs=1e-3)
    free = gesture.moved(to((3.0, 0.0, 0.1)), FREE).block(5)
    assert free.x > SCENE.table.width / 2


def test_a_pointer_above_the_horizon_moves_nothing() -> None:
    gesture = hold(Handle(FIVE, "body", (0.05, -0.06, 0.1)))
    assert gesture.moved((EYE, (0.0, 1.0, 0.5)), FREE) == SCENE


def test_turning_follows_the_ring() -> None:
    grip = handle(FIVE, "rotate")
    block = SCENE.block(5)
    dx, dy = grip.point[0] - block.x, grip.point[1] - block.y
    quarter = (block.x - dy, block.y + dx, 0.0)  # a quarter turn further
    turned = hold(grip).moved(to(quarter), FREE).block(5)
    assert turned.yaw == pytest.approx(82.0, abs=0.02)
    snapped = hold(grip).moved(to(quarter), Snap()).block(5)
    assert snapped.yaw == 80.0


def test_pulling_the_corner_sizes_a_block() -> None:
    grip = handle(FIVE, "size")
    x, y, z = grip.point
    block = SCENE.block(5)
    twice = (2 * x - block.x, 2 * y - block.y, z)
    assert hold(grip).moved(to(twice), FREE).block(5).edge == pytest.approx(
        0.3, abs=1e-3
    )


def test_a_partition_is_widened_and_heightened() -> None:
    wide = handle(BOARD, "width")
    x, y, z = wide.point
    grown = hold(wide).moved(to((x + 0.1, y, z)), FREE).partitions[0]
    assert grown.width == pytest.approx(0.66, abs=1e-3)
    top = handle(BOARD, "height")
    x, y, z = top.point
    raised = hold(top).moved(to((x, y, z + 0.1)), FREE).partitions[0]
    assert raised.height == pytest.approx(0.44, abs=1e-3)


def test_eyes_move_level_lift_upright_and_aim() -> None:
    eye = eyes_of(SCENE)[0]
    moved = hold(eye).moved(to((0.2, 1.0, 0.5)), FREE)
    assert moved.director.eye == pytest.approx((0.2, 1.0, 0.5), abs=1e-3)
    lift = handle(Item("director"), "lift")
    x, y, z = lift.point
    lifted = hold(lift).moved(to((x, y, z + 0.2)), FREE)
    assert lifted.director.eye == pytest.approx((0.0, 1.1, 0.7), abs=1e-3)
    aim = handle(Item("camera"), "aim")
    aimed = hold(aim).moved(to((0.1, 0.1, 0.18)), FREE)
    assert aimed.camera.look_at == pytest.approx((0.1, 0.1, 0.18), abs=1e-3)


def test_a_ray_meets_the_front_of_a_block() -> None:
    met = first_met(SCENE, ((0.05, -2.0, 0.08), (0.0, 1.0, 0.0)))
    assert met[1] == pytest.approx(-0.06 - 0.075 / math.cos(math.radians(8)), abs=0.01)


def test_nudges_turns_and_growth() -> None:
    assert nudged(SCENE, FIVE, 0.01, -0.02).block(5).y == pytest.approx(-0.08)
    assert nudged(SCENE, Item("camera"), 0.1, 0.0).camera.eye[0] == 0.1
    assert turned_by(SCENE, BOARD, 5.0).partitions[0].yaw == 5.0
    assert turned_by(SCENE, Item("camera"), 5.0) == SCENE
    assert grown_by(SCENE, FIVE, 0.01).block(5).edge == pytest.approx(0.16)
    assert grown_by(SCENE, BOARD, 0.01).partitions[0].width == pytest.approx(0.47)
    assert grown_by(SCENE, Item("table"), 0.01) == SCENE


@given(st.floats(-1, 1), st.floats(-1, 1), st.sampled_from(["rotate", "size", "body"]))
def test_no_drag_makes_a_scene_that_cannot_be_saved(
    x: float, y: float, name: str
) -> None:
    grip = (
        Handle(FIVE, "body", (0.05, -0.06, 0.1))
        if name == "body"
        else handle(FIVE, name)
    )
    block = hold(grip).moved(to((x, y, grip.point[2])), Snap()).block(5)
    assert edits.SMALLEST <= block.edge <= edits.BIGGEST
    assert -180 <= block.yaw <= 180
    assert round(block.x, 4) == block.x


@pytest.mark.parametrize("yaw", [0.0, 20.0, 45.0, 80.0])
@pytest.mark.parametrize("eye", [(0.0, -2.0, 1.0), (2.0, 0.3, 1.0), (-1.0, 2.0, 1.0)])
def test_the_size_handle_is_on_the_right_of_the_outline(
    yaw: float, eye: tuple[float, float, float]
) -> None:
    item = Item("block", SCENE.blocks[0].digit)
    scene = edits.turn_to(SCENE, item, yaw)
    block = scene.block(item.key)
    (x, y, z) = next(h for h in handles_of(scene, item, eye) if h.name == "size").point
    ahead = (block.x - eye[0], block.y - eye[1])
    right = (ahead[1], -ahead[0])
    off = ((x - block.x) * right[0] + (y - block.y) * right[1]) / math.hypot(*right)
    # A square's farthest corner is at least half an edge to the side.
    assert off >= block.edge / 2 - 1e-9
    assert z == block.edge

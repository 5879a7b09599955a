"""The difference of two scenes in words."""

from dataclasses import replace

import pytest
from hypothesis import given

from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.scene.model import Block, Partition, Picture, Request, Scene, Table
from director_gui.study.scene_changes import SAME, difference_lines
from tests.strategies import FEW, stimuli

A = example_scene()
ONE, TWO, THREE = A.blocks
WALL = A.partitions[0]
SECOND = Partition(0.3, 0.3, 0.0, 0.2, 0.2, 0.02)


def with_blocks(*blocks: Block) -> Scene:
    return replace(A, blocks=blocks)


def with_walls(*walls: Partition) -> Scene:
    return replace(A, partitions=walls)


def eye_moved(scene: Scene) -> Scene:
    x, y, z = scene.director.eye
    return replace(scene, director=replace(scene.director, eye=(x + 0.03, y + 0.04, z)))


CASES = {
    "moved block 5 by 3.2 cm to the right": with_blocks(
        ONE, replace(TWO, x=TWO.x + 0.032), THREE
    ),
    "moved block 5 by 5.0 cm towards the model": with_blocks(
        ONE, replace(TWO, x=TWO.x + 0.03, y=TWO.y - 0.04), THREE
    ),
    "moved block 5 by under 0.1 cm to the left": with_blocks(
        ONE, replace(TWO, x=TWO.x - 0.0001), THREE
    ),
    "turned block 5 by 10.0°": with_blocks(ONE, replace(TWO, yaw=TWO.yaw + 10), THREE),
    "turned block 5 by 20.0°": with_blocks(ONE, replace(TWO, yaw=TWO.yaw + 340), THREE),
    "resized block 5 from 15.0 cm to 18.0 cm": with_blocks(
        ONE, replace(TWO, edge=0.18), THREE
    ),
    "recoloured block 5": with_blocks(ONE, replace(TWO, color="#000000"), THREE),
    "removed block 5": with_blocks(ONE, THREE),
    "added block 7 (10.0 cm)": with_blocks(
        *A.blocks, Block(7, 0.1, 0.0, -0.3, 0.0, "#111111")
    ),
    "renumbered block 5 to 7": with_blocks(ONE, replace(TWO, digit=7), THREE),
    "put the blocks in another order": with_blocks(TWO, ONE, THREE),
    "moved the partition by 4.0 cm away from the model": with_walls(
        replace(WALL, y=WALL.y + 0.04)
    ),
    "turned the partition by 5.0°": with_walls(replace(WALL, yaw=WALL.yaw - 5)),
    "changed the height of the partition from 34.0 cm to 40.0 cm": with_walls(
        replace(WALL, height=0.4)
    ),
    "added partition 2": with_walls(WALL, SECOND),
    "removed the partition": with_walls(),
    "moved the director’s eye by 5.0 cm": eye_moved(A),
    "moved what the director looks at by 10.0 cm": replace(
        A, director=replace(A.director, look_at=(0.0, 0.1, 0.05))
    ),
    "changed the field of view of the camera from 48.0° to 50.0°": replace(
        A, camera=replace(A.camera, fov=50.0)
    ),
    "changed the table from 140.0 × 100.0 cm to 150.0 × 100.0 cm": replace(
        A, table=Table(1.5, 1.0)
    ),
    "changed the picture from 1024 × 768 px to 512 × 384 px": replace(
        A, picture=Picture(512, 384)
    ),
    "asked for the smallest block instead of the largest": replace(
        A, request=Request(extreme="smallest")
    ),
    "renamed the scene from “example” to “b”": replace(A, name="b"),
}


@pytest.mark.parametrize("line", CASES)
def test_one_change_is_one_line(line: str) -> None:
    assert difference_lines(A, CASES[line]) == (line,)


def test_swapped_digits_are_told_as_such() -> None:
    swapped = with_blocks(replace(ONE, digit=5), replace(TWO, digit=3), THREE)
    assert difference_lines(A, swapped) == (
        "renumbered block 3 to 5",
        "renumbered block 5 to 3",
    )


def test_of_two_partitions_the_right_one_is_named() -> None:
    before = with_walls(WALL, SECOND)
    moved = with_walls(WALL, replace(SECOND, x=0.35))
    assert difference_lines(before, moved) == (
        "moved partition 2 by 5.0 cm to the right",
    )
    assert difference_lines(before, with_walls(SECOND)) == ("removed partition 1",)
    order = ("put the partitions in another order",)
    assert difference_lines(before, with_walls(SECOND, WALL)) == order
    twice = with_walls(WALL, WALL)
    assert difference_lines(twice, with_walls(WALL)) == ("removed partition 2",)


def test_several_changes_keep_their_order() -> None:
    scene = edits.move_to(eye_moved(A), Item("block", 5), 0.05, -0.1)
    assert difference_lines(A, scene) == (
        "moved block 5 by 4.0 cm towards the model",
        "moved the director’s eye by 5.0 cm",
    )


@FEW
@given(stimuli(), stimuli())
def test_only_equal_scenes_have_no_difference(a: Scene, b: Scene) -> None:
    assert difference_lines(a, a) == (SAME,)
    assert (difference_lines(a, b) == (SAME,)) == (a == b)
    assert len(difference_lines(a, b)) == len(difference_lines(b, a))

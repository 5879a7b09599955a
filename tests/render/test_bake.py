"""Baked light: what a viewer would notice, said in numbers."""

from dataclasses import replace

import numpy as np
import pytest

from director_gui.render import light
from director_gui.render.bake import bake
from director_gui.render.mesh import FACE_SIDE
from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Scene

FRONT, BACK, RIGHT, LEFT, TOP = range(5)


def lone(yaw: float = 0.0) -> Scene:
    """A scene of one block in the middle of the table."""
    block = Block(4, 0.2, 0.0, 0.0, yaw, "#c0504d")
    return replace(example_scene(), blocks=(block,), partitions=())


def faces(scene: Scene, digit: int) -> np.ndarray:
    """Return mean brightness of each face of a block."""
    shade = bake(scene).solids["block", digit]
    return shade.reshape(5, FACE_SIDE**2, 3).mean((1, 2))


@pytest.mark.parametrize("yaw", [-25.0, 0.0, 12.0, 45.0])
def test_both_ends_of_the_table_are_equally_lit(yaw: float) -> None:
    shade = faces(lone(yaw), 4)
    turned = faces(lone(-yaw), 4)
    assert shade[FRONT] == pytest.approx(turned[BACK], abs=1e-3)


def test_faces_to_model_and_director_are_bright() -> None:
    shade = faces(lone(), 4)
    assert shade[FRONT] > 0.85
    assert shade[BACK] > 0.85
    assert shade[TOP] == pytest.approx(1.0, abs=0.03)
    assert shade[RIGHT] < shade[FRONT]  # else the cube would look flat


def test_digits_on_the_director_side_of_the_example_stay_bright() -> None:
    scene = example_scene()
    for digit in (5, 8):
        assert faces(scene, digit)[BACK] > 0.75


def test_sides_are_darker_at_their_foot() -> None:
    shade = bake(lone()).solids["block", 4][: FACE_SIDE**2].mean(1)
    rows = shade.reshape(FACE_SIDE, FACE_SIDE).mean(1)
    assert (np.diff(rows) > -1e-6).all()
    assert rows[0] < 0.9 * rows[-1]


def test_table_has_a_soft_shadow_to_the_right_and_contact_shade() -> None:
    lit = bake(lone()).table.astype(float).mean(2)
    bare = bake(replace(lone(), blocks=(Block(4, 0.01, 0.69, 0.49, 0, "#ffffff"),)))
    ratio = lit / bare.table.astype(float).mean(2)
    rows, columns = ratio.shape
    middle = ratio[rows // 2]
    edge = 0.1 / 1.4 * columns
    right, left = round(columns / 2 + edge + 8), round(columns / 2 - edge - 8)
    assert middle[right] < 0.65
    assert 0.6 < middle[left] < 0.95
    assert middle[round(columns * 0.98)] == pytest.approx(1.0, abs=0.03)
    steps = np.abs(np.diff(middle[right:]))
    assert steps.max() < 0.06  # no hard edge


def test_digits_and_colors_do_not_matter() -> None:
    scene = example_scene()
    digits = {3: 5, 5: 8, 8: 3}
    blocks = tuple(
        replace(b, digit=digits[b.digit], color="#000000") for b in scene.blocks
    )
    first, second = bake(scene), bake(replace(scene, blocks=blocks))
    assert second.table is first.table
    assert second.solids["block", 5] is first.solids["block", 3]


def test_wall_takes_light_from_a_block_behind_it() -> None:
    scene = example_scene()
    alone = replace(scene, partitions=())
    assert faces(scene, 3)[BACK] < faces(alone, 3)[BACK] - 0.05


def test_bodies_at_one_place_do_not_fail() -> None:
    scene = lone()
    twin = replace(scene.blocks[0], digit=5)
    shade = bake(replace(scene, blocks=(scene.blocks[0], twin))).solids
    assert np.isfinite(shade["block", 5]).all()


def test_fill_is_even_front_and_back_and_key_between() -> None:
    normals = np.array([[0, -1, 0], [0, 1, 0], [0, 0, 1], [-1, 0, 0.0]])
    fill, key = light.fill(normals), light.key(normals)
    np.testing.assert_array_equal(fill[0], fill[1])
    assert key[0].max() == key[1].max() == 0
    assert key[2].min() > key[3].min() > 0

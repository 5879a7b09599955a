"""Projection, rays and picking."""

from dataclasses import replace
from math import atan2, degrees, dist, hypot, inf

import numpy as np
import pytest
from hypothesis import given

from director_gui.geometry.boxes import boxes_of
from director_gui.geometry.camera import (
    basis_of,
    on_plane,
    pick,
    picture_point,
    ray_through,
    unit,
)
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene, Viewpoint
from tests.strategies import QUICK, stimuli, unit_interval, viewpoints

LEVEL = Viewpoint((0.0, -1.0, 0.5), (0.0, 0.0, 0.5), 90.0)


@given(viewpoints())
@QUICK
def test_the_axes_are_a_right_handed_unit_frame(view: Viewpoint) -> None:
    basis = basis_of(view)
    frame = np.array([basis.right, basis.up, basis.forward])
    assert frame @ frame.T == pytest.approx(np.eye(3), abs=1e-9)
    up = np.cross(basis.right, basis.forward)
    assert up == pytest.approx(np.array(basis.up), abs=1e-9)
    assert basis.up[2] > 0
    assert basis.right[2] == 0


@given(viewpoints(), unit_interval, unit_interval)
@QUICK
def test_a_ray_and_its_picture_point_are_inverse(
    view: Viewpoint, u: float, v: float
) -> None:
    origin, direction = ray_through(view, 4 / 3, u, v)
    x, y, z = (a + 1.7 * d for a, d in zip(origin, direction, strict=True))
    assert picture_point(view, 4 / 3, (x, y, z)) == pytest.approx((u, v), abs=1e-6)
    assert hypot(*direction) == pytest.approx(1)


def test_the_middle_ray_looks_at_the_aim() -> None:
    view = example_scene().camera
    origin, direction = ray_through(view, 4 / 3, 0.5, 0.5)
    gap = tuple(a - b for a, b in zip(view.look_at, origin, strict=True))
    assert direction == pytest.approx(tuple(g / hypot(*gap) for g in gap))


def test_the_top_edge_is_half_the_field_of_view_up() -> None:
    _, (x, y, z) = ray_through(LEVEL, 2.0, 0.5, 0.0)
    assert degrees(atan2(z, hypot(x, y))) == pytest.approx(45)
    _, (x, y, _) = ray_through(LEVEL, 2.0, 1.0, 0.5)
    assert x / y == pytest.approx(2.0)  # the aspect widens, x is to the right


def test_points_behind_or_in_the_eyes_plane_have_no_place() -> None:
    assert picture_point(LEVEL, 1.0, (0.0, -2.0, 0.5)) is None
    assert picture_point(LEVEL, 1.0, (0.3, -1.0, 0.5)) is None


def test_a_unit_vector_keeps_its_direction() -> None:
    assert unit((0.0, 3.0, 4.0)) == pytest.approx((0.0, 0.6, 0.8))


def test_the_level_plane_is_met_in_front_only() -> None:
    assert on_plane((0, 0, 1), (0.5, 0.25, -1.0), 0.0) == (0.5, 0.25, 0.0)
    assert on_plane((0, 0, 1), (0.5, 0.25, -1.0), 2.0) is None
    assert on_plane((0, 0, 1), (1.0, 0.0, 0.0), 0.0) is None


@given(stimuli(), unit_interval, unit_interval)
@QUICK
def test_a_pick_is_the_nearest_of_all_boxes(scene: Scene, u: float, v: float) -> None:
    origin, direction = ray_through(scene.camera, scene.picture.aspect, u, v)
    distances = [box.distance(origin, direction) for box in boxes_of(scene)]
    found = pick(scene, origin, direction)
    if min(distances) == inf:
        assert found is None
    else:
        assert found is not None
        kind, index, distance = found
        place = index if kind == "block" else index + len(scene.blocks)
        assert distances[place] == distance == min(distances)


@pytest.mark.parametrize("index", [0, 1, 2])
def test_looking_at_a_block_picks_it(index: int) -> None:
    scene = example_scene()
    block = scene.blocks[index]
    aimed = replace(scene.camera, look_at=(block.x, block.y, block.edge / 2))
    origin, direction = ray_through(aimed, scene.picture.aspect, 0.5, 0.5)
    found = pick(scene, origin, direction)
    assert found is not None
    assert found[:2] == ("block", index)
    middle = dist(origin, aimed.look_at)
    assert middle - block.edge < found[2] < middle - block.edge / 2 + 1e-9


def test_the_director_meets_the_partition_first() -> None:
    scene = example_scene()
    block = scene.blocks[0]
    aimed = replace(scene.director, look_at=(block.x, block.y, block.edge / 2))
    found = pick(scene, *ray_through(aimed, scene.picture.aspect, 0.5, 0.5))
    assert found is not None
    assert found[:2] == ("partition", 0)


def test_the_sky_picks_nothing() -> None:
    scene = example_scene()
    assert pick(scene, scene.camera.eye, (0.0, 0.0, 1.0)) is None

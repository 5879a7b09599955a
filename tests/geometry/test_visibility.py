"""Witness 1 against known values, a brute-force cast and its own limits."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from hypothesis import given, settings

from director_gui.geometry.camera import ray_through
from director_gui.geometry.visibility import (
    GRID_HEIGHT,
    Sight,
    grid_width,
    sights_of,
)
from director_gui.scene.example import example_scene
from director_gui.scene.model import (
    VIEWS,
    Block,
    Partition,
    Picture,
    Scene,
    ViewName,
    Viewpoint,
)
from director_gui.scene.serialize import scene_of
from tests.strategies import FEW, scenes, stimuli

Solid = TypeVar("Solid", Block, Partition)
CASES = json.loads(
    (Path(__file__).parent.parent / "data" / "geometry.json").read_text("utf-8")
)


def brute_force(scene: Scene, view: ViewName) -> dict[int, tuple[int, int]]:
    """Return (visible, alone) pixels by casting every ray at every face.

    The whole frame, one triangle pair per face, world coordinates: nothing of the
    program's boxes, outlines or slabs.
    """
    width = grid_width(scene.picture.aspect)
    eye = scene.viewpoint(view)
    aspect = width / GRID_HEIGHT
    corner = [np.array(ray_through(eye, aspect, u, v)[1]) for u, v in _CORNERS]
    forward = np.array(ray_through(eye, aspect, 0.5, 0.5)[1])
    top_left, top_right, low_left = (c / (c @ forward) for c in corner)
    u = (np.arange(width) + 0.5) / width
    v = (np.arange(GRID_HEIGHT) + 0.5) / GRID_HEIGHT
    across, down = top_right - top_left, low_left - top_left
    rays = top_left + u[None, :, None] * across + v[:, None, None] * down
    things = [*scene.blocks, *scene.partitions]
    depths = np.stack([_depth(t, np.array(eye.eye), rays) for t in things])
    first = depths.argmin(axis=0)
    counts = {}
    for i, block in enumerate(scene.blocks):
        alone = np.isfinite(depths[i])
        counts[block.digit] = int((alone & (first == i)).sum()), int(alone.sum())
    return counts


_CORNERS = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))


def _depth(thing: Block | Partition, eye: Any, rays: Any) -> Any:  # noqa: ANN401 - arrays
    if isinstance(thing, Block):
        sizes = (thing.edge, thing.edge, thing.edge)
    else:
        sizes = (thing.width, thing.thickness, thing.height)
    yaw = np.radians(thing.yaw)
    axes = np.array(
        [[np.cos(yaw), np.sin(yaw), 0], [-np.sin(yaw), np.cos(yaw), 0], [0, 0, 1.0]]
    )
    middle = np.array([thing.x, thing.y, sizes[2] / 2])
    best = np.full(rays.shape[:2], np.inf)
    for i in range(3):
        j, k = (n for n in range(3) if n != i)
        for sign in (-1, 1):
            to_face = middle + sign * sizes[i] / 2 * axes[i] - eye
            with np.errstate(divide="ignore", invalid="ignore"):
                t = (axes[i] @ to_face) / (rays @ axes[i])
                at = eye + t[..., None] * rays - middle
            hit = t > 0
            hit &= (np.abs(at @ axes[j]) <= sizes[j] / 2) & np.isfinite(t)
            hit &= np.abs(at @ axes[k]) <= sizes[k] / 2
            best = np.where(hit, np.minimum(best, t), best)
    return best


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["scene"]["name"])
@pytest.mark.parametrize("view", VIEWS)
def test_known_fractions_and_areas(case: dict[str, Any], view: ViewName) -> None:
    sights = sights_of(scene_of(case["scene"]), view)
    fractions = {str(digit): sight.fraction for digit, sight in sights.items()}
    areas = {str(digit): sight.alone_area for digit, sight in sights.items()}
    assert fractions == pytest.approx(case["expected"][view], abs=1e-9)
    assert areas == pytest.approx(case["expected"][f"area_{view}"], abs=1e-9)


@given(stimuli())
@settings(FEW, max_examples=5)
def test_it_counts_the_pixels_of_a_brute_force_cast(scene: Scene) -> None:
    narrow = replace(scene, picture=Picture(96, 384))
    for view in VIEWS:
        expected = brute_force(narrow, view)
        for digit, sight in sights_of(narrow, view).items():
            visible, alone = expected[digit]
            # A ray through a corner may fall either way by rounding.
            assert abs(sight.visible_px - visible) <= 2
            assert abs(sight.alone_px - alone) <= 2


@given(scenes())
@FEW
def test_any_scene_has_sound_sights(scene: Scene) -> None:
    square = replace(scene, picture=Picture(300, 400))
    for view in VIEWS:
        sights = sights_of(square, view, step=4)
        assert list(sights) == list(square.digits)
        for sight in sights.values():
            assert 0 <= sight.visible_px <= sight.alone_px
            assert 0 <= sight.outside <= 1
            assert 0 <= sight.visible_area <= sight.alone_area <= 1.02
            assert (sight.fraction is None) == (sight.alone_px == 0)


@given(stimuli())
@FEW
def test_without_anything_in_front_a_block_is_whole(scene: Scene) -> None:
    alone = replace(scene, blocks=scene.blocks[:1], partitions=())
    for view in VIEWS:
        assert sights_of(alone, view)[alone.blocks[0].digit].fraction == 1.0


@given(stimuli())
@FEW
def test_taking_a_partition_away_never_hides_more(scene: Scene) -> None:
    open_scene = replace(scene, partitions=())
    for view in VIEWS:
        before, after = sights_of(scene, view), sights_of(open_scene, view)
        for digit in scene.digits:
            assert after[digit].visible_px >= before[digit].visible_px
            assert after[digit].alone_px == before[digit].alone_px


def turned(scene: Scene, degrees: float) -> Scene:
    """Return the whole scene turned rigidly about z."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))

    def spin(x: float, y: float) -> tuple[float, float]:
        return float(c * x - s * y), float(s * x + c * y)

    def place(thing: Solid) -> Solid:
        x, y = spin(thing.x, thing.y)
        return replace(thing, x=x, y=y, yaw=thing.yaw + degrees)

    def look(view: Viewpoint) -> Viewpoint:
        (a, b, h), (x, y, z) = view.eye, view.look_at
        return Viewpoint((*spin(a, b), h), (*spin(x, y), z), view.fov)

    return replace(
        scene,
        blocks=tuple(place(block) for block in scene.blocks),
        partitions=tuple(place(board) for board in scene.partitions),
        director=look(scene.director),
        camera=look(scene.camera),
    )


@given(stimuli())
@FEW
def test_turning_everything_about_z_changes_nothing(scene: Scene) -> None:
    other = turned(scene, 37.0)
    for view in VIEWS:
        before, after = sights_of(scene, view), sights_of(other, view)
        for digit in scene.digits:
            assert abs(after[digit].alone_px - before[digit].alone_px) <= 4
            assert after[digit].fraction == pytest.approx(
                before[digit].fraction, abs=0.002
            )


@given(stimuli())
@FEW
def test_a_coarser_grid_is_near_the_fine_one(scene: Scene) -> None:
    for view in VIEWS:
        fine, coarse = sights_of(scene, view), sights_of(scene, view, step=3)
        for digit in scene.digits:
            assert coarse[digit].fraction == pytest.approx(
                fine[digit].fraction, abs=0.03
            )
            assert coarse[digit].alone_area == pytest.approx(
                fine[digit].alone_area, rel=0.1
            )


@pytest.mark.parametrize("size", [(1024, 768), (512, 384), (4096, 3072)])
def test_the_drawn_size_does_not_matter(size: tuple[int, int]) -> None:
    scene = replace(example_scene(), picture=Picture(*size))
    assert sights_of(scene, "director") == sights_of(example_scene(), "director")


def with_eye(eye: tuple[float, float, float]) -> dict[int, Sight]:
    scene = example_scene()
    view = Viewpoint(eye, (eye[0], eye[1] + 1, eye[2]), 60.0)
    return sights_of(replace(scene, camera=view), "model")


def test_an_eye_inside_a_block_sees_nothing_of_it_and_through_it() -> None:
    sights = with_eye((-0.32, 0.06, 0.1))
    assert sights[3].fraction is None
    assert sights[3].outside > 0.99
    looking_right = Viewpoint((-0.32, 0.06, 0.1), (0.34, 0.08, 0.05), 60.0)
    aside = sights_of(replace(example_scene(), camera=looking_right), "model")
    assert aside[8].visible_px > 0


def test_a_block_behind_the_eye_is_out_of_the_picture() -> None:
    for sight in with_eye((0.0, 0.9, 0.1)).values():
        assert sight == Sight(0, 0, None, 1.0, 0.0, 0.0)


def test_a_block_that_reaches_past_the_eye_is_nearly_all_outside() -> None:
    sight = with_eye((-0.18, 0.06, 0.1))[3]
    assert sight.outside > 0.99


def test_an_eye_on_a_face_gives_numbers() -> None:
    for x in (-0.42, -0.32, -0.22):
        for sight in with_eye((x, -0.04, 0.1)).values():
            assert 0 <= sight.outside <= 1


@pytest.mark.parametrize("size", [(8192, 64), (64, 8192)])
def test_the_widest_and_the_highest_pictures_work(size: tuple[int, int]) -> None:
    scene = replace(example_scene(), picture=Picture(*size))
    sights = sights_of(scene, "model", step=3)
    assert all(0 <= sight.outside <= 1 for sight in sights.values())
    assert grid_width(scene.picture.aspect) in {98304, 6}


@pytest.mark.parametrize("width", [300, 340, 380, 400])
def test_the_outside_share_is_what_a_wider_picture_shows_more(width: int) -> None:
    wide = sights_of(example_scene(), "model")
    narrow_scene = replace(example_scene(), picture=Picture(width, 768))
    narrow = sights_of(narrow_scene, "model")
    for digit, sight in narrow.items():
        missing = 1 - sight.alone_px / wide[digit].alone_px
        assert sight.outside == pytest.approx(missing, abs=0.005)
    assert any(sight.outside > 0.02 for sight in narrow.values())


def test_a_block_in_front_hides_like_a_partition() -> None:
    scene = example_scene()
    front = Block(9, 0.3, -0.32, -0.4, 0.0, "#000000")
    crowded = replace(scene, blocks=(*scene.blocks, front))
    assert sights_of(crowded, "model")[3].visible_px < 5000
    assert sights_of(crowded, "model")[9].fraction == 1.0

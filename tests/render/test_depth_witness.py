"""Witness 2 against known right values, and against faults planted in a scene."""

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from director_gui.render import depth_witness
from director_gui.render.depth_witness import (
    DepthSight,
    DepthWindow,
    depth_fractions,
    grid_width,
    strips,
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
from director_gui.scene.serialize import canonical_bytes, scene_of

pytestmark = pytest.mark.render
EXAMPLE = example_scene()
GRID = 1024 * 768  # px of a 4:3 picture


@pytest.fixture(scope="module")
def window() -> Iterator[DepthWindow]:
    with DepthWindow() as opened:
        yield opened


def sights(scene: Scene, window: DepthWindow) -> depth_witness.Sights:
    return depth_fractions(canonical_bytes(scene), window)


def test_known_cases_hold(window: DepthWindow, data: Path) -> None:
    cases = json.loads((data / "geometry.json").read_bytes())
    assert len(cases) == 12
    for case in cases:
        found = sights(scene_of(case["scene"]), window)
        for view in VIEWS:
            for digit, expected in case["expected"][view].items():
                sight = found[view][int(digit)]
                area = case["expected"][f"area_{view}"][digit]
                assert sight.fraction == pytest.approx(expected, abs=0.002)
                assert sight.alone_px / GRID == pytest.approx(area, rel=0.005)


def test_example_is_what_the_documents_say(window: DepthWindow) -> None:
    found = sights(EXAMPLE, window)
    assert {d: s.fraction for d, s in found["model"].items()} == {3: 1, 5: 1, 8: 1}
    assert {d: s.fraction for d, s in found["director"].items()} == {3: 0, 5: 1, 8: 1}


def outline_area(block: Block, eye: Viewpoint) -> float:
    """Return the area of a block's outline as a share of a 4:3 picture, by hand."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    cos, sin = np.cos(np.radians(block.yaw)), np.sin(np.radians(block.yaw))
    turn = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    center = [block.x, block.y, block.edge / 2]
    corners = signs * block.edge / 2 @ turn.T + center - np.array(eye.eye)
    ahead = np.subtract(eye.look_at, eye.eye)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    plane = np.stack([corners @ right, corners @ up], 1) / (corners @ ahead)[:, None]
    height = 2 * np.tan(np.radians(eye.fov) / 2)
    return float(ConvexHull(plane).volume / (height * height * 4 / 3))


@pytest.mark.parametrize("view", VIEWS)
def test_areas_are_those_of_the_outlines(window: DepthWindow, view: ViewName) -> None:
    found = sights(EXAMPLE, window)[view]
    for block in EXAMPLE.blocks:
        expected = outline_area(block, EXAMPLE.viewpoint(view))
        assert found[block.digit].alone_px / GRID == pytest.approx(expected, rel=0.003)


@pytest.mark.parametrize("size", [(64, 48), (1024, 768), (4096, 3072)])
def test_size_of_the_picture_does_not_matter(
    window: DepthWindow, size: tuple[int, int]
) -> None:
    scene = replace(EXAMPLE, picture=Picture(*size))
    assert sights(scene, window) == sights(EXAMPLE, window)


def test_wide_picture_is_counted_in_strips(
    window: DepthWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(EXAMPLE, picture=Picture(1600, 600))
    whole = sights(scene, window)
    monkeypatch.setattr(depth_witness, "_STRIP", 500)
    parts = sights(scene, window)
    for view in VIEWS:
        for digit, sight in whole[view].items():
            assert parts[view][digit].alone_px == pytest.approx(sight.alone_px, abs=60)
            assert parts[view][digit].fraction == pytest.approx(
                sight.fraction, abs=0.002
            )


@given(st.integers(1, 100_000))
def test_strips_cover_the_grid_once(width: int) -> None:
    parts = list(strips(width))
    assert parts[0][0] == 0
    assert parts[-1][1] == width
    assert all(a[1] == b[0] for a, b in pairwise(parts))
    assert all(0 < stop - start <= 4096 for start, stop in parts)


def test_grid_is_768_high_in_the_aspect_of_the_picture() -> None:
    assert grid_width({"width": 1024, "height": 768}) == 1024
    assert grid_width({"width": 512, "height": 512}) == 768
    assert grid_width({"width": 64, "height": 8192}) == 6
    assert grid_width({"width": 8192, "height": 64}) == 98304


def test_part_outside_the_picture_is_not_counted(window: DepthWindow) -> None:
    aside = Viewpoint((0.0, -1.45, 0.8), (0.75, 0.2, 0.18), 48)
    cut = sights(replace(EXAMPLE, camera=aside), window)["model"][3]
    whole = sights(EXAMPLE, window)["model"][3]
    assert 0 <= cut.alone_px < 0.9 * whole.alone_px


def test_block_out_of_the_picture_has_no_fraction(window: DepthWindow) -> None:
    away = Viewpoint((0.0, -1.45, 0.8), (0.0, -3.0, 0.8), 48)
    found = sights(replace(EXAMPLE, camera=away), window)["model"]
    assert found[3] == DepthSight(0, 0)
    assert found[3].fraction is None


def test_eye_inside_a_block_sees_past_it(window: DepthWindow) -> None:
    inside = Viewpoint((-0.32, 0.06, 0.1), (0.0, -0.05, 0.1), 60)
    found = sights(replace(EXAMPLE, camera=inside), window)["model"]
    assert found[3].fraction is None
    assert found[5].fraction == 1.0


def test_table_hides_nothing(window: DepthWindow) -> None:
    below = Viewpoint((0.0, -1.0, -0.6), (0.0, 0.0, 0.1), 48)
    alone = replace(EXAMPLE, blocks=EXAMPLE.blocks[1:2], partitions=())
    found = sights(replace(alone, camera=below), window)["model"]
    assert found[5].fraction == 1.0


def test_blocks_hide_each_other_and_boards_hide_blocks(window: DepthWindow) -> None:
    far = Block(1, 0.1, 0.0, 0.2, 0, "#ffffff")
    near = Block(2, 0.3, 0.0, -0.2, 0, "#ffffff")
    level = Viewpoint((0.0, -1.4, 0.05), (0.0, 0.0, 0.05), 48)
    scene = replace(EXAMPLE, blocks=(far, near), partitions=(), camera=level)
    assert sights(scene, window)["model"][1].fraction == 0.0
    board = Partition(0.0, -0.2, 0, 0.3, 0.3, 0.01)
    scene = replace(scene, blocks=(far,), partitions=(board,))
    assert sights(scene, window)["model"][1].fraction == 0.0


@pytest.mark.parametrize(
    "fault",
    [
        replace(EXAMPLE.partitions[0], x=EXAMPLE.partitions[0].x - 0.15),
        replace(EXAMPLE.partitions[0], yaw=60.0),
        replace(EXAMPLE.partitions[0], height=0.18),
    ],
)
def test_planted_fault_in_the_partition_is_seen(
    window: DepthWindow, fault: Partition
) -> None:
    found = sights(replace(EXAMPLE, partitions=(fault,)), window)["director"][3]
    assert found.fraction is not None
    assert found.fraction > 0.01


@given(
    x=st.floats(-0.5, 0.5),
    y=st.floats(-0.3, 0.3),
    yaw=st.floats(-180, 180),
)
@settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_mirrored_scene_has_mirrored_sights(
    window: DepthWindow, x: float, y: float, yaw: float
) -> None:
    one = replace(EXAMPLE.blocks[1], x=x, y=y, yaw=yaw)
    other = replace(one, x=-x, yaw=-yaw)
    board = EXAMPLE.partitions[0]
    left = replace(EXAMPLE, blocks=(one,))
    right = replace(EXAMPLE, blocks=(other,), partitions=(replace(board, x=-board.x),))
    for view in VIEWS:
        a, b = (sights(scene, window)[view][5] for scene in (left, right))
        assert a.alone_px == pytest.approx(b.alone_px, abs=12)
        assert a.visible_px == pytest.approx(b.visible_px, abs=12)


def test_without_a_window_one_is_opened() -> None:
    found = depth_fractions(canonical_bytes(EXAMPLE))
    assert found["director"][3].fraction == 0.0


def test_it_knows_nothing_of_the_analytic_witness() -> None:
    code = (
        "import sys, director_gui.render.depth_witness; "
        "print([m for m in sys.modules if m.startswith("
        "('director_gui.geometry', 'director_gui.scene'))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"

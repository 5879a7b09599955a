"""Overlaps in the plane and what hangs over the table's edge."""

from dataclasses import replace
from math import cos, radians, sqrt

import numpy as np
import pytest
from hypothesis import given

from director_gui.geometry.boxes import Box, Floats, box_of
from director_gui.geometry.footprint import overhang, overlap_depth, overlaps
from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Partition
from tests.strategies import QUICK, decimals, yaws

UNIT = Block(1, 1.0, 0.0, 0.0, 0.0, "#000000")


def holds(box: Box, points: Floats) -> Floats:
    own = points - np.array(box.center[:2])
    x = box.cos * own[:, 0] + box.sin * own[:, 1]
    y = box.cos * own[:, 1] - box.sin * own[:, 0]
    kept: Floats = (np.abs(x) < box.half[0]) & (np.abs(y) < box.half[1])
    return kept


@given(decimals(-1.6, 1.6), decimals(-1.6, 1.6), yaws, yaws)
@QUICK
def test_boxes_overlap_when_they_share_points(
    x: float, y: float, yaw: float, other_yaw: float
) -> None:
    a = box_of(replace(UNIT, yaw=yaw))
    b = box_of(Block(2, 0.8, x, y, other_yaw, "#000000"))
    points = np.random.default_rng(3).uniform(-0.75, 0.75, (20_000, 2))
    shared = bool((holds(a, points) & holds(b, points)).any())
    depth = overlap_depth(a, b)
    assert overlap_depth(b, a) == pytest.approx(depth)
    if depth > 0.05 or depth == 0:
        assert shared == (depth > 0)


@pytest.mark.parametrize(
    ("x", "yaw", "depth"),
    [
        (1.0, 0.0, 0.0),
        (0.9, 0.0, 0.1),
        (1.2, 45.0, sqrt(2) / 2 - 0.7),
        (1.3, 45.0, 0.0),
        (0.0, 30.0, (1 + cos(radians(30)) + 0.5) / 2),
    ],
)
def test_depths_by_hand(x: float, yaw: float, depth: float) -> None:
    other = box_of(Block(2, 1.0, x, 0.0, yaw, "#000000"))
    assert overlap_depth(box_of(UNIT), other) == pytest.approx(depth, abs=1e-12)


def test_corners_that_pass_each_other_do_not_overlap() -> None:
    # Their axis-parallel rectangles do: only a turned axis tells them apart.
    turned = box_of(Block(2, 1.0, 0.95, 0.95, 45.0, "#000000"))
    assert overlap_depth(box_of(UNIT), turned) == 0.0


def test_pairs_are_named_by_their_place() -> None:
    scene = example_scene()
    assert overlaps(scene) == []
    board = Partition(-0.32, 0.10, 0.0, 0.46, 0.34, 0.02)
    crowded = replace(scene, partitions=(*scene.partitions, board))
    assert [pair[:2] for pair in overlaps(crowded)] == [(0, 4)]


def test_touching_within_the_rounding_is_no_overlap() -> None:
    pair = (UNIT, Block(2, 1.0, 0.9999, 0.0, 0.0, "#000000"))
    assert overlaps(replace(example_scene(), blocks=pair, partitions=())) == []
    pair = (UNIT, Block(2, 1.0, 0.999, 0.0, 0.0, "#000000"))
    assert len(overlaps(replace(example_scene(), blocks=pair, partitions=()))) == 1


@pytest.mark.parametrize(
    ("x", "y", "yaw", "over"),
    [
        (0.6, 0.0, 0.0, 0.0),
        (0.61, 0.0, 0.0, 0.01),
        (0.0, -0.45, 0.0, 0.05),
        (0.6, 0.0, 45.0, 0.1 * sqrt(2) - 0.1),
        (0.0, 9.0, 0.0, 8.6),
    ],
)
def test_overhang_by_hand(x: float, y: float, yaw: float, over: float) -> None:
    block = Block(1, 0.2, x, y, yaw, "#000000")
    assert overhang(example_scene(), box_of(block)) == pytest.approx(over, abs=1e-12)

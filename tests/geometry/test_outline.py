"""Outlines on the picture plane, and how much of one is outside the picture."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.geometry.boxes import Floats, box_of
from director_gui.geometry.camera import basis_of
from director_gui.geometry.outline import (
    Bounds,
    area,
    bounds_of,
    clip,
    hull,
    outline,
    outside_share,
    picture_bounds,
)
from director_gui.scene.model import Block, Viewpoint
from tests.strategies import FEW, QUICK

EYE = Viewpoint((0.0, -1.0, 0.1), (0.0, 0.0, 0.1), 60.0)
SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
clouds = st.lists(
    st.tuples(st.floats(-2, 2), st.floats(-2, 2)), min_size=3, max_size=12
).map(np.array)


def block(x: float, y: float, edge: float = 0.2, yaw: float = 0.0) -> Block:
    return Block(1, edge, x, y, yaw, "#000000")


def inside(polygon: Floats, points: Floats) -> Floats:
    """Tell which points are inside a convex polygon that runs counter-clockwise."""
    kept = np.ones(len(points), bool)
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        edge = b - a
        kept &= edge[0] * (points[:, 1] - a[1]) - edge[1] * (points[:, 0] - a[0]) >= 0
    return kept


def by_chance(polygon: Floats, bounds: Bounds, count: int = 40_000) -> float:
    """Return the share of a polygon inside a rectangle by Monte Carlo."""
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    points = np.random.default_rng(7).uniform(low, high, (count, 2))
    mine = points[inside(polygon, points)]
    within = (mine[:, 0] >= bounds.left) & (mine[:, 0] <= bounds.right)
    within &= (mine[:, 1] >= bounds.bottom) & (mine[:, 1] <= bounds.top)
    return float(within.mean())


@given(clouds)
@QUICK
def test_a_hull_holds_every_point_and_only_given_corners(points: Floats) -> None:
    found = hull(points)
    given_points = {tuple(p) for p in points.tolist()}
    assert {tuple(p) for p in found.tolist()} <= given_points
    if area(found) > 1e-3:
        grown = found.mean(axis=0) + (found - found.mean(axis=0)) * (1 + 1e-6)
        assert inside(grown, points).all()


def test_areas_of_known_shapes() -> None:
    assert area(SQUARE) == 4.0
    assert area(SQUARE[:3]) == 2.0
    assert area(SQUARE[:2]) == 0.0
    assert area(SQUARE + 1e6) == pytest.approx(4.0)


@given(st.floats(-3, 3), st.floats(-3, 3))
@QUICK
def test_a_clipped_square_has_the_area_of_two_overlapping_spans(
    x: float, y: float
) -> None:
    wide, high = (max(0.0, min(1.0, at + 2) - max(-1.0, at)) for at in (x, y))
    cut = clip(SQUARE + np.array([x, y]), Bounds(-1, -1, 1, 1))
    assert area(cut) == pytest.approx(wide * high, abs=1e-9)


def test_what_lies_apart_is_clipped_away() -> None:
    assert len(clip(SQUARE + 5, Bounds(-1, -1, 1, 1))) == 0
    assert len(clip(np.empty((0, 2)), Bounds(-1, -1, 1, 1))) == 0


@given(
    st.floats(-0.8, 0.8), st.floats(-0.3, 0.4), st.floats(0.05, 0.4), st.floats(0, 90)
)
@FEW
def test_the_outside_share_agrees_with_chance(
    x: float, y: float, edge: float, yaw: float
) -> None:
    polygon = outline(box_of(block(x, y, edge, yaw)), basis_of(EYE))
    expected = 1 - by_chance(polygon, picture_bounds(1.0))
    assert outside_share(polygon, 1.0) == pytest.approx(expected, abs=0.01)


def test_a_block_in_the_middle_has_the_area_of_its_front() -> None:
    polygon = outline(box_of(block(0, 0)), basis_of(EYE))
    front = 0.2 / 0.9 / np.tan(np.radians(30))  # the front hides all the rest
    assert area(polygon) == pytest.approx(front**2)
    assert outside_share(polygon, 1.0) == 0.0


def test_the_share_beyond_the_edge_is_that_of_the_spans() -> None:
    half = 0.01
    x = float(np.tan(np.radians(30))) * (1 - half)  # the front's middle is on the edge
    flat = outline(box_of(block(x, 0, 2 * half)), basis_of(EYE))
    edge, right, left = x / (1 - half), (x + half) / (1 - half), (x - half) / (1 + half)
    expected = (right - edge) / (right - left)  # the left side shows as well
    assert outside_share(flat, 1.0) == pytest.approx(expected, abs=0.01)


def test_a_block_behind_the_eye_has_no_outline() -> None:
    polygon = outline(box_of(block(0, -2)), basis_of(EYE))
    assert len(polygon) == 0
    assert bounds_of(polygon) is None
    assert outside_share(polygon, 1.0) == 1.0


@pytest.mark.parametrize(("x", "y"), [(0.0, -1.0), (0.15, -1.0), (0.05, -0.92)])
def test_a_block_around_the_eyes_plane_is_nearly_all_outside(
    x: float, y: float
) -> None:
    polygon = outline(box_of(block(x, y)), basis_of(EYE))
    assert np.isfinite(polygon).all()
    assert outside_share(polygon, 1.0) > 0.99


def test_rectangles_meet_when_they_share_a_point() -> None:
    one = Bounds(0, 0, 1, 1)
    assert one.meets(Bounds(1, 1, 2, 2))
    assert not one.meets(Bounds(1.1, 0, 2, 1))
    assert not one.meets(Bounds(0, -2, 1, -0.1))
    assert bounds_of(SQUARE) == Bounds(0, 0, 2, 2)

"""The closed forms against rays, and the rays against cases one can do by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.render import light, shadow
from director_gui.render.shadow import Solid
from director_gui.scene.model import Block, Partition

CUBE = Solid(0.1, -0.05, 30.0, (0.2, 0.2, 0.2))
BOARD = Solid(-0.3, 0.2, -15.0, (0.4, 0.02, 0.3))


def table_points(count: int = 400) -> np.ndarray:
    generator = np.random.default_rng(4)
    flat = np.zeros((count, 3))
    flat[:, :2] = generator.uniform(-0.6, 0.6, (count, 2))
    return shadow.around([CUBE, BOARD], flat, 0.004)


def test_solid_of_a_block_and_of_a_partition() -> None:
    assert shadow.solid(Block(3, 0.2, 0.1, -0.05, 30, "#c0504d")) == CUBE
    assert shadow.solid(Partition(-0.3, 0.2, -15, 0.4, 0.3, 0.02)) == BOARD


def test_even_light_equals_many_rays() -> None:
    """The form factor against an independent integration over the hemisphere."""
    points = table_points(120)
    flat = shadow.disc(20_000)
    rise = np.sqrt(np.clip(1 - (flat**2).sum(1, keepdims=True), 1e-9, 1))
    ways = np.concatenate([flat, rise], 1)
    for body in (CUBE, BOARD):
        open_share = 1 - shadow.hits(body, points, ways).mean(1)
        closed = shadow.fill_share([body], points)
        np.testing.assert_allclose(closed, open_share, atol=0.006)


def test_even_light_at_the_foot_of_a_long_wall_is_half() -> None:
    wall = Solid(0, 0, 0, (2.0, 0.02, 2.0))
    near = np.array([[0.0, 0.0101, 0.0]])
    assert shadow.fill_share([wall], near)[0] == pytest.approx(0.5, abs=0.01)


def test_key_light_on_the_table_equals_rays_in_space() -> None:
    points = table_points()
    ways = shadow.key_directions()
    blocked = shadow.hits(CUBE, points, ways) | shadow.hits(BOARD, points, ways)
    share = shadow.key_share([CUBE, BOARD], points)
    np.testing.assert_allclose(share, 1 - blocked.mean(1), atol=0.04)
    assert share.min() < 0.1
    assert (share == 1).mean() > 0.3


def test_shadow_falls_away_from_the_key_light() -> None:
    left, right = np.array([[-0.13, 0, 0]]), np.array([[0.13, 0, 0]])
    cube = Solid(0, 0, 0, (0.2, 0.2, 0.2))
    assert shadow.key_share([cube], left)[0] == 1
    assert shadow.key_share([cube], right)[0] < 0.2


@given(st.floats(-360, 360))
@settings(max_examples=30)
def test_ray_at_a_box_hits_and_one_past_it_misses(yaw: float) -> None:
    cube = Solid(0.5, 0.5, yaw, (0.2, 0.2, 0.2))
    start = np.array([[0.5, -1.0, 0.1]])
    ways = np.array([[0.0, 1.0, 0.0], [0.25, 1.0, 0.0], [0.0, -1.0, 0.0]])
    assert shadow.hits(cube, start, ways).tolist() == [[True, False, False]]


def test_points_under_a_box_are_moved_out_and_no_others() -> None:
    points = table_points(0)
    generator = np.random.default_rng(1)
    points = np.zeros((500, 3))
    points[:, :2] = generator.uniform(-0.2, 0.3, (500, 2))
    moved = shadow.around([CUBE], points, 0.01)
    local = np.abs(CUBE.local(moved)[:, :2])
    assert (local.max(1) >= 0.11 - 1e-6).all()
    was_under = (np.abs(CUBE.local(points)[:, :2]) < 0.11).all(1)
    np.testing.assert_array_equal(moved[~was_under], points[~was_under])
    assert was_under.sum() > 20


def test_key_directions_surround_the_key_light() -> None:
    ways = shadow.key_directions()
    np.testing.assert_allclose(ways.mean(0), light.KEY, atol=0.01)
    assert (ways[:, 2] > 0).all()


def test_fill_directions_stay_before_the_face() -> None:
    for normal in np.array([[0, -1, 0], [0, 0, 1], [0.6, 0.8, 0]]):
        ways = shadow.fill_directions(normal)
        assert ((ways * normal).sum(1) > 0).all()
        np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1, atol=1e-5)

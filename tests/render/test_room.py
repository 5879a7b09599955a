"""The table and what surrounds it."""

import numpy as np
import pytest

from director_gui.render import room
from director_gui.scene.model import Table

TABLE = Table(1.4, 1.0)


def test_table_top_is_the_plane_zero_at_its_size() -> None:
    top = room.table_top(TABLE)
    assert (top.points[:, 2] == 0).all()
    assert np.ptp(top.points, axis=0)[:2] == pytest.approx([1.4, 1.0])


def test_wood_is_calm_and_the_same_every_time() -> None:
    first = room.wood(TABLE).copy()
    room.wood.cache_clear()
    np.testing.assert_array_equal(room.wood(TABLE), first)
    assert first.shape == (800, 1120, 3)
    assert 0.55 < first.mean() < 0.85
    assert first.std(axis=(0, 1)).max() < 0.06


@pytest.mark.parametrize("size", [(0.01, 0.01), (10.0, 10.0), (10.0, 0.01), (0.3, 2.0)])
def test_any_table_can_be_drawn(size: tuple[float, float]) -> None:
    table = Table(*size)
    rows, columns, _ = room.wood(table).shape
    assert max(rows, columns) <= 1400
    assert np.isfinite(room.wood(table)).all()
    whole = room.room(table)
    assert np.isfinite(whole.points).all()
    assert whole.colors.min() >= 0
    assert whole.colors.max() <= 1


def test_nothing_of_the_room_rises_above_the_table_top_but_the_backdrop() -> None:
    points = room.room(TABLE).points
    near = np.linalg.norm(points, axis=1) < 5
    assert points[near, 2].max() < 0


def test_floor_meets_the_backdrop_without_a_line() -> None:
    floor, wall = room.floor(TABLE), room.backdrop()
    far = np.linalg.norm(floor.points[:, :2], axis=1) > 20
    low = wall.points[:, 2] < room.FLOOR + 1e-3
    np.testing.assert_allclose(
        floor.colors[far].mean(0), wall.colors[low].mean(0), atol=0.004
    )


def test_floor_is_darker_under_the_table() -> None:
    floor = room.floor(TABLE)
    at = np.linalg.norm(floor.points[:, :2], axis=1)
    under, beside = floor.colors[at < 0.3].mean(), floor.colors[(at > 1.2) & (at < 2)]
    assert under < 0.9 * beside.mean()

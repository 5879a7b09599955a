"""What a partition hides of the table, against rays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.geometry.boxes import box_of
from director_gui.geometry.outline import area
from director_gui.geometry.shadow import hidden_floor
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item

SCENE = example_scene()
BOARD = Item("partition", 0)


def inside(polygon: np.ndarray, point: tuple[float, float], slack: float) -> bool:
    """Tell whether a counter-clockwise convex polygon holds a point, with slack."""
    following = np.roll(polygon, -1, axis=0) - polygon
    to = np.asarray(point) - polygon
    cross = following[:, 0] * to[:, 1] - following[:, 1] * to[:, 0]
    return bool((cross >= slack * np.hypot(*following.T)).all())


@settings(max_examples=60, deadline=None)
@given(
    st.floats(-0.69, 0.69),
    st.floats(-0.49, 0.49),
    st.floats(-180, 180),
    st.floats(0.2, 1.2),
)
def test_a_point_is_in_the_shadow_when_the_board_is_in_the_way(
    x: float, y: float, yaw: float, eye_height: float
) -> None:
    scene = edits.turn_to(SCENE, BOARD, yaw)
    scene = edits.set_eye(scene, Item("director"), (0.1, 1.1, eye_height))
    board, eye = scene.partitions[0], scene.director.eye
    floor = hidden_floor(scene, board)
    way = (x - eye[0], y - eye[1], -eye[2])
    blocked = box_of(board).distance(eye, way) < 1.0 - 1e-9
    if len(floor) and inside(floor, (x, y), 1e-3):
        assert blocked
    if blocked:
        assert inside(floor, (x, y), -1e-3)


def test_a_board_that_stands_above_the_eye_hides_to_the_tables_edge() -> None:
    scene = edits.set_eye(SCENE, Item("director"), (-0.32, 1.1, 0.2))
    floor = hidden_floor(scene, scene.partitions[0])
    assert floor[:, 1].min() == pytest.approx(-scene.table.depth / 2)


def test_a_board_behind_the_table_hides_none_of_it() -> None:
    scene = edits.move_to(SCENE, BOARD, 0.0, 5.0)
    assert area(hidden_floor(scene, scene.partitions[0])) == 0.0

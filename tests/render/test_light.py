"""The open light: even to both sides, with enough form left to see a cube."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.render import light

angles = st.floats(-180, 180)


def normal(angle: float) -> np.ndarray:
    """Return the level normal at an angle from the model's direction, (1, 3)."""
    turn = np.radians(angle)
    return np.array([[np.sin(turn), -np.cos(turn), 0.0]])


def total(normals: np.ndarray) -> np.ndarray:
    return light.fill(normals) + light.key(normals)


@given(angles)
def test_model_side_and_director_side_mirror_each_other(angle: float) -> None:
    near, far = normal(angle), normal(180 - angle)
    np.testing.assert_allclose(total(near), total(far), atol=1e-6)


@given(angles)
def test_every_upright_face_is_bright_enough_to_read(angle: float) -> None:
    level = total(normal(angle)).mean()
    assert 0.75 < level < 1.06


def test_top_is_white_under_full_light() -> None:
    up = total(np.array([[0.0, 0.0, 1.0]]))
    np.testing.assert_allclose(up, 1.0, atol=0.04)


def test_three_faces_of_a_cube_differ() -> None:
    levels = [total(normal(angle)).mean() for angle in (0, 90)]
    top = total(np.array([[0.0, 0.0, 1.0]])).mean()
    assert top - levels[0] > 0.02
    assert levels[0] - levels[1] > 0.05


def test_key_comes_from_the_left_and_above_and_is_warm() -> None:
    assert light.KEY[0] < 0 < light.KEY[2]
    assert np.linalg.norm(light.KEY) == pytest.approx(1, abs=1e-3)
    assert light.KEY_TINT[0] > light.KEY_TINT[2]
    assert light.FILL_TINT[0] < light.FILL_TINT[2]


@given(st.floats(0, 1), st.floats(0.01, 0.1))
def test_foot_shade_is_darkest_on_the_table(height: float, reach: float) -> None:
    shade = light.foot_shade(np.array([0.0, height]), reach)
    assert shade[0] == pytest.approx(1 - light.FOOT)
    assert shade[0] <= shade[1] <= 1


def test_foot_shade_leaves_the_top_alone() -> None:
    normals = np.array([[0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
    shaded = light.open_light(np.zeros(2), normals, 0.02)
    bare = total(normals)
    np.testing.assert_allclose(shaded[0], bare[0], atol=1e-6)
    assert shaded[1].mean() == pytest.approx((1 - light.FOOT) * bare[1].mean())


def test_underside_is_dim_but_not_black() -> None:
    assert 0.3 < total(np.array([[0.0, 0.0, -1.0]])).mean() < 0.6

"""Meshes as values: the box that blocks and partitions share."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.render import mesh
from director_gui.render.build import quarter_turns


def test_box_has_five_faces_of_a_cube() -> None:
    unit = mesh.unit_box()
    assert len(unit.points) == 5 * mesh.FACE_SIDE**2
    assert np.abs(unit.points).max() == 0.5
    on_face = (unit.points * unit.normals).sum(1)
    np.testing.assert_allclose(on_face, 0.5, atol=1e-6)
    assert {tuple(n) for n in np.round(unit.normals).astype(int)} == {
        face[0] for face in mesh.FACES
    }


def test_triangles_face_outwards_and_cover_the_faces() -> None:
    unit = mesh.unit_box()
    a, b, c = (unit.points[unit.triangles[:, i]].astype(float) for i in range(3))
    cross = np.cross(b - a, c - a)
    assert ((cross * unit.normals[unit.triangles[:, 0]]).sum(1) > 0).all()
    assert np.linalg.norm(cross, axis=1).sum() / 2 == pytest.approx(5.0, rel=1e-5)


@pytest.mark.parametrize("face", range(4))
def test_digits_are_upright_and_not_mirrored_on_the_sides(face: int) -> None:
    unit = mesh.unit_box()
    assert unit.uv is not None
    part = slice(face * mesh.FACE_SIDE**2, (face + 1) * mesh.FACE_SIDE**2)
    points, uv = unit.points[part], unit.uv[part]
    np.testing.assert_allclose(uv[:, 1], points[:, 2] + 0.5, atol=1e-6)
    right = np.cross([0, 0, 1], unit.normals[part][0])  # seen from outside
    np.testing.assert_allclose(uv[:, 0] - 0.5, points @ right, atol=1e-6)


@given(st.floats(-360, 360))
def test_top_digit_is_upright_for_the_model(yaw: float) -> None:
    turns = quarter_turns(yaw)
    top = slice(-(mesh.FACE_SIDE**2), None)
    uv = mesh.turned_uv(turns)[top]
    points = mesh.turned(mesh.unit_box().points[top], yaw)
    # The direction in which the picture's v grows, on the table.
    up = ((uv[:, 1] - 0.5)[:, None] * points[:, :2]).sum(0)
    up /= np.linalg.norm(up)
    assert up[1] >= np.cos(np.radians(45.01))


def test_turned_uv_moves_only_the_top() -> None:
    plain, turned = mesh.turned_uv(0), mesh.turned_uv(1)
    count = 4 * mesh.FACE_SIDE**2
    np.testing.assert_array_equal(plain[:count], turned[:count])
    assert not np.array_equal(plain[count:], turned[count:])
    np.testing.assert_allclose(mesh.turned_uv(4), plain, atol=1e-6)


def test_turned_is_counter_clockwise_seen_from_above() -> None:
    east = np.array([[1.0, 0.0, 5.0]])
    np.testing.assert_allclose(mesh.turned(east, 90), [[0, 1, 5]], atol=1e-6)


def test_join_keeps_every_triangle() -> None:
    one = mesh.box((1, 2, 3), (0, 0, 0))
    two = mesh.box((1, 1, 1), (5, 0, 0))
    both = mesh.join([one, two])
    assert len(both.triangles) == len(one.triangles) + len(two.triangles)
    assert both.triangles.max() == len(both.points) - 1
    np.testing.assert_array_equal(
        both.points[both.triangles[len(one.triangles) :]], two.points[two.triangles]
    )


def test_painted_takes_one_color_for_all() -> None:
    box = mesh.painted(mesh.box((1, 1, 1), (0, 0, 0)), np.array([0.1, 0.2, 0.3]))
    assert box.colors.shape == box.points.shape
    np.testing.assert_allclose(box.colors[7], [0.1, 0.2, 0.3])

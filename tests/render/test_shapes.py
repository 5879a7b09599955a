"""Rounded surfaces: closed, smooth, facing outwards."""

import numpy as np
import pytest

from director_gui.render import shapes
from director_gui.render.mesh import Mesh

GREY = np.array([0.5, 0.5, 0.5])


def volume(mesh: Mesh) -> float:
    """Return the volume that a closed surface encloses."""
    a, b, c = (mesh.points[mesh.triangles[:, i]].astype(float) for i in range(3))
    return float(abs((a * np.cross(b, c)).sum() / 6))


def test_ellipsoid_has_its_volume_and_its_normals() -> None:
    radii = np.array([0.1, 0.2, 0.3])
    ball = shapes.ellipsoid(np.array([1.0, 2.0, 3.0]), radii, GREY)
    assert volume(ball) == pytest.approx(4 / 3 * np.pi * radii.prod(), rel=0.12)
    expected = (ball.points - [1, 2, 3]) / radii**2
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert (ball.normals * expected).sum(1).min() > 0.97


def test_tube_is_as_thick_as_asked_and_rounded_at_its_ends() -> None:
    path = np.linspace([0, 0, 0], [0, 0, 1], 9)
    pipe = shapes.tube(path, np.full(9, 0.05), GREY, sides=33)
    around = np.hypot(pipe.points[:, 0], pipe.points[:, 1])
    assert around.max() == pytest.approx(0.05, rel=0.01)
    assert pipe.points[:, 2].min() == pytest.approx(-0.05, abs=1e-3)
    assert pipe.points[:, 2].max() == pytest.approx(1.05, abs=1e-3)
    middle = np.abs(pipe.points[:, 2] - 0.5) < 0.3
    outward = pipe.points[middle, :2] / 0.05
    assert (pipe.normals[middle, :2] * outward).sum(1).min() > 0.98


def test_bent_tube_keeps_finite_normals_of_unit_length() -> None:
    turn = np.linspace(0, np.pi, 15)
    path = np.stack([np.cos(turn), np.sin(turn), 0 * turn], 1)
    bow = shapes.tube(path, np.full(15, 0.1), GREY)
    np.testing.assert_allclose(np.linalg.norm(bow.normals, axis=1), 1, atol=1e-5)


def test_loft_has_its_sections() -> None:
    centers = np.linspace([0, 0, 0], [0, 0, -1], 12)
    body = shapes.loft(centers, np.full(12, 0.2), np.full(12, 0.1), GREY)
    assert np.abs(body.points[:, 0]).max() == pytest.approx(0.2, rel=1e-3)
    assert np.abs(body.points[:, 1]).max() == pytest.approx(0.1, rel=1e-3)
    assert ((body.normals * body.points)[:, :2].sum(1) > 0).all()


def test_smooth_meets_its_knots_and_stays_between() -> None:
    knots, values = np.array([0.0, 1.0, 2.0, 4.0]), np.array([0.0, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(shapes.smooth(knots, values, knots), values, atol=1e-12)
    found = shapes.smooth(knots, values, np.linspace(0, 4, 50))
    assert (np.diff(found) > 0).all()


def test_sphere_directions_reach_as_far_as_asked() -> None:
    ways = shapes.sphere_directions(5, 9, np.pi / 3)
    np.testing.assert_allclose(np.linalg.norm(ways, axis=-1), 1)
    assert ways[..., 2].min() == pytest.approx(0.5)


def test_at_moves_points() -> None:
    assert shapes.at(np.zeros((2, 3)), 1, 2, 3).tolist() == [[1, 2, 3], [1, 2, 3]]

"""The director's figure: where its eyes are, where it looks, what it stays out of."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from director_gui.render import face, room, shapes
from director_gui.render.figure import mannequin
from director_gui.scene.model import Table, Viewpoint

TABLE = Table(1.4, 1.0)
EXAMPLE = Viewpoint((0.0, 1.10, 0.50), (0.0, 0.0, 0.05), 60.0)


def spot(eye: Viewpoint, color: np.ndarray, table: Table = TABLE) -> np.ndarray:
    """Return the points of the figure whose colour has the hue of `color`."""
    mesh = mannequin(eye, table)
    hue = mesh.colors / np.maximum(mesh.colors.sum(1, keepdims=True), 1e-6)
    near = np.abs(hue - color / color.sum()).max(1) < 0.012
    return mesh.points[near]


def test_eyes_are_at_the_eye() -> None:
    pupils = spot(EXAMPLE, np.array([0.07, 0.07, 0.08]))
    close = pupils[np.linalg.norm(pupils - EXAMPLE.eye, axis=1) < 0.06]
    assert len(close) > 10
    np.testing.assert_allclose(close.mean(0), EXAMPLE.eye, atol=0.02)


@given(
    angle=st.floats(0, 2 * math.pi),
    far=st.floats(0.8, 2.0),
    height=st.floats(0.1, 1.2),
)
@settings(max_examples=12, deadline=None)
def test_figure_faces_what_it_looks_at(angle: float, far: float, height: float) -> None:
    eye = (far * math.cos(angle), far * math.sin(angle), height)
    mesh = mannequin(Viewpoint(eye, (0.0, 0.0, 0.05), 60), TABLE)
    away = mesh.points - np.array(eye)
    head = mesh.points[np.linalg.norm(away, axis=1) < 0.15]
    # The skull is behind the eyes, seen from the table's middle.
    toward = -np.array(eye[:2]) / far
    assert ((head - eye)[:, :2] @ toward).mean() < -0.02
    assert np.isfinite(mesh.points).all()
    assert np.isfinite(mesh.colors).all()


@given(
    x=st.floats(-1.0, 1.0),
    y=st.floats(0.35, 1.6),
    height=st.floats(0.05, 1.2),
)
@settings(max_examples=20, deadline=None)
def test_body_is_never_inside_the_table(x: float, y: float, height: float) -> None:
    eye = Viewpoint((x, y, height), (0.0, 0.0, 0.05), 60)
    points = mannequin(eye, TABLE).points
    half = np.array([TABLE.width, TABLE.depth]) / 2
    inside = (np.abs(points[:, :2]) < half - 1e-4).all(1)
    assert not (inside & (points[:, 2] < 0)).any()


@given(x=st.floats(-0.6, 0.6), y=st.floats(0.5, 1.4), height=st.floats(0.35, 1.0))
@settings(max_examples=20, deadline=None)
def test_leaning_suffices_where_directors_stand(
    x: float, y: float, height: float
) -> None:
    points = mannequin(Viewpoint((x, y, height), (0, 0, 0.05), 60), TABLE).points
    over = (np.abs(points[:, :2]) < [TABLE.width / 2, TABLE.depth / 2]).all(1)
    cut_off = np.abs(points[:, 2] - 0.002) < 1e-6
    assert not (over & cut_off).any()


def test_body_leans_only_when_the_eye_is_close() -> None:
    def hips(y: float) -> float:
        eye = Viewpoint((0.0, y, 0.45), (0.0, 0.0, 0.05), 60)
        points = mannequin(eye, TABLE).points
        low = points[:, 2] < room.FLOOR + 0.3
        return float(points[low, 1].mean() - y)

    assert hips(1.1) == pytest.approx(hips(1.4), abs=0.01)
    assert hips(0.42) > hips(1.1) + 0.1


def test_triangles_face_the_way_of_their_normals() -> None:
    # Faces turned away are not drawn: one turned wrongly would be a hole.
    mesh = mannequin(EXAMPLE, TABLE)
    a, b, c = (mesh.points[mesh.triangles[:, i]].astype(float) for i in range(3))
    cross = np.cross(b - a, c - a)
    area = np.linalg.norm(cross, axis=1)
    facing = (cross * mesh.normals[mesh.triangles].mean(1)).sum(1)
    assert area[facing < 0].sum() < 0.002 * area.sum()


def test_mirrored_director_has_a_mirrored_figure() -> None:
    left = mannequin(Viewpoint((-0.4, 1, 0.5), (-0.4, 0, 0.05), 60), TABLE)
    right = mannequin(Viewpoint((0.4, 1, 0.5), (0.4, 0, 0.05), 60), TABLE)
    moved = shapes.at(left.points, 0.8, 0, 0)
    np.testing.assert_allclose(moved, right.points, atol=1e-5)


def test_eyes_turn_with_the_gaze() -> None:
    def pupil(gaze: np.ndarray) -> np.ndarray:
        mesh = face.head(gaze)
        dark = np.abs(mesh.colors - [0.07, 0.07, 0.08]).max(1) < 1e-3
        found: np.ndarray = mesh.points[dark].mean(0)
        return found

    ahead, down = np.array([0.0, -1.0, 0.0]), np.array([0.0, -0.8, -0.6])
    assert pupil(down)[2] < pupil(ahead)[2] - 0.008
    assert pupil(ahead)[0] == pytest.approx(0, abs=1e-3)


def test_face_smiles() -> None:
    lips = face._mouth().points
    corners = lips[np.abs(lips[:, 0]) > 0.028][:, 2].mean()
    middle = lips[np.abs(lips[:, 0]) < 0.004][:, 2].mean()
    assert corners > middle + 0.008

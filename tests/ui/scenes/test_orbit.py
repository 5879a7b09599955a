"""The editing camera as a value."""

import math

import pytest

from director_gui.geometry.camera import picture_point
from director_gui.scene.example import example_scene
from director_gui.ui.scenes.orbit import Orbit, facing, fitted

SCENE = example_scene()


@pytest.mark.parametrize("aspect", [0.6, 1.0, 1.6, 2.4])
def test_fit_shows_table_director_and_camera(aspect: float) -> None:
    view = fitted(SCENE, aspect).viewpoint()
    points = [
        SCENE.director.eye,
        (-0.7, -0.5, 0.0),
        (0.7, 0.5, 0.0),
        (0.7, -0.5, 0.0),
        SCENE.camera.eye,
    ]
    for point in points:
        spot = picture_point(view, aspect, point)
        assert spot is not None
        assert all(-0.05 <= a <= 1.05 for a in spot), (point, spot)


def test_fit_keeps_the_angles() -> None:
    orbit = Orbit((9.0, 9.0, 9.0), azimuth=33.0, elevation=44.0)
    kept = fitted(SCENE, 1.4, orbit)
    assert (kept.azimuth, kept.elevation) == (33.0, 44.0)


def test_turning_never_goes_under_the_table_or_over_the_top() -> None:
    orbit = Orbit((0.0, 0.0, 0.0))
    assert orbit.turned(0, -500).elevation > 0
    assert orbit.turned(0, 500).elevation < 90


def test_zoom_is_bounded() -> None:
    orbit = Orbit((0.0, 0.0, 0.0))
    assert orbit.zoomed(1e-9).distance > 0
    assert orbit.zoomed(1e9).distance < 100


def test_panning_to_the_right_moves_what_is_seen_to_the_right() -> None:
    orbit = Orbit((0.0, 0.0, 0.0))
    before = picture_point(orbit.viewpoint(), 1.0, (0.0, 0.0, 0.0))
    after = picture_point(orbit.panned(0.1, 0.0).viewpoint(), 1.0, (0.0, 0.0, 0.0))
    assert before is not None
    assert after is not None
    assert after[0] - before[0] == pytest.approx(0.1, abs=0.01)


def test_facing_looks_the_way_the_camera_looks() -> None:
    orbit = facing(Orbit((0.0, 0.0, 0.0)), SCENE.camera)
    eye = orbit.viewpoint().eye
    assert eye[0] == pytest.approx(0.0, abs=1e-6)
    assert eye[1] < 0


@pytest.mark.parametrize("azimuth", range(-180, 180, 15))
def test_arrow_axes_are_the_nearest_on_the_screen(azimuth: float) -> None:
    right, away = Orbit((0.0, 0.0, 0.0), azimuth=azimuth).axis_steps()
    a = math.radians(azimuth)
    screen_right, screen_away = (
        (-math.sin(a), math.cos(a)),
        (-math.cos(a), -math.sin(a)),
    )
    for axis, wanted in ((right, screen_right), (away, screen_away)):
        along = axis[0] * wanted[0] + axis[1] * wanted[1]
        assert along >= math.cos(math.radians(45)) - 1e-9

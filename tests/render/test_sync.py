"""Any walk through scenes ends in the picture of its last scene."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from director_gui.render import backend, vtk_arrays
from director_gui.render.bake import bake
from director_gui.render.build import SceneActors, aim
from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Partition, Scene, Viewpoint

pytestmark = pytest.mark.render
EXAMPLE = example_scene()
SIZE = (96, 72)

places = st.floats(-0.5, 0.5)
yaws = st.floats(-360, 360)
blocks = st.builds(
    Block,
    digit=st.integers(0, 5),
    edge=st.floats(0.05, 0.3),
    x=places,
    y=places,
    yaw=yaws,
    color=st.sampled_from(["#c0504d", "#4f81bd", "#111111"]),
)
boards = st.builds(
    Partition,
    x=places,
    y=places,
    yaw=yaws,
    width=st.floats(0.1, 0.5),
    height=st.floats(0.1, 0.4),
    thickness=st.floats(0.01, 0.05),
)
scenes = st.builds(
    lambda found, walls: replace(EXAMPLE, blocks=tuple(found), partitions=tuple(walls)),
    st.lists(blocks, min_size=1, max_size=4, unique_by=lambda block: block.digit),
    st.lists(boards, max_size=2),
)


@pytest.fixture(scope="module")
def stages() -> Iterator[tuple[vtkRenderWindow, SceneActors, vtkRenderer]]:
    """A window, and actors that have been through every example before."""
    window = backend.open_window(*SIZE)
    renderer = vtkRenderer()
    yield window, SceneActors(renderer, figure=True), renderer
    backend.close_window(window)


def frame(window: vtkRenderWindow, renderer: vtkRenderer) -> np.ndarray:
    aim(renderer, EXAMPLE.camera)
    window.AddRenderer(renderer)
    window.Render()
    pixels = vtk_arrays.grab(window)
    window.RemoveRenderer(renderer)
    return pixels


@given(walk=st.lists(st.tuples(scenes, st.booleans()), min_size=1, max_size=3))
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_walk_ends_in_the_picture_of_its_last_scene(
    stages: tuple[vtkRenderWindow, SceneActors, vtkRenderer],
    walk: list[tuple[Scene, bool]],
) -> None:
    window, actors, renderer = stages
    for scene, lit in walk:
        actors.sync(scene)
        if lit:
            actors.light(bake(scene))
        frame(window, renderer)
    last, lit = walk[-1]
    fresh_renderer = vtkRenderer()
    fresh = SceneActors(fresh_renderer, figure=True)
    fresh.sync(last)
    if lit:
        fresh.light(bake(last))
    expected = frame(window, fresh_renderer)
    if not lit:
        actors.plain()
    # Where two bodies touch, the order of the actors decides single pixels; stills
    # are drawn from cleared actors, live views need not be.
    differs = (frame(window, renderer) != expected).any(axis=2)
    assert differs.mean() < 0.002


@given(scene=scenes)
@settings(max_examples=15, deadline=None)
def test_baked_light_is_finite_and_bounded(scene: Scene) -> None:
    baked = bake(scene)
    assert set(baked.solids) == {
        *(("block", block.digit) for block in scene.blocks),
        *(("partition", i) for i in range(len(scene.partitions))),
    }
    for shade in baked.solids.values():
        assert np.isfinite(shade).all()
        assert shade.min() > 0.2
        assert shade.max() < 1.1


def projected(point: tuple[float, float, float], eye: Viewpoint) -> np.ndarray:
    """Return where a point is in the picture, in px from the top left, by hand."""
    ahead = np.subtract(eye.look_at, eye.eye)
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    away = np.subtract(point, eye.eye)
    focal = SIZE[1] / 2 / np.tan(np.radians(eye.fov) / 2)
    x, y = (away @ axis / (away @ ahead) * focal for axis in (right, up))
    return np.array([SIZE[0] / 2 + x, SIZE[1] / 2 - y])


@given(
    x=st.floats(-0.5, 0.5),
    y=st.floats(-0.4, 0.2),
    eye=st.sampled_from([(0.0, -1.45, 0.8), (0.6, -1.2, 0.5), (-1.3, 0.1, 0.9)]),
    fov=st.floats(40, 70),
)
@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_block_is_where_a_pinhole_camera_would_have_it(
    stages: tuple[vtkRenderWindow, SceneActors, vtkRenderer],
    x: float,
    y: float,
    eye: tuple[float, float, float],
    fov: float,
) -> None:
    window, _, _ = stages
    camera = Viewpoint(eye, (0.0, 0.0, 0.1), fov)
    body = Block(1, 0.06, x, y, 0.0, "#ff0000")
    scene = replace(EXAMPLE, blocks=(body,), partitions=())
    renderer = vtkRenderer()
    SceneActors(renderer, figure=False).sync(scene)
    aim(renderer, camera)
    window.AddRenderer(renderer)
    window.Render()
    pixels = vtk_arrays.grab(window)[::-1].astype(int)
    window.RemoveRenderer(renderer)
    red = np.argwhere(pixels[..., 0] - pixels[..., 1:].max(2) > 100)
    expected = projected((x, y, 0.03), camera)
    if not (4 < expected[0] < SIZE[0] - 4 and 4 < expected[1] < SIZE[1] - 4):
        return  # out of the picture, or cut by its edge
    np.testing.assert_allclose(red.mean(0)[::-1] + 0.5, expected, atol=1.2)

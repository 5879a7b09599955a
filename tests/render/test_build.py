"""Actors that follow a scene: a step at a time they show what a fresh build shows."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from director_gui.render import backend, vtk_arrays
from director_gui.render.bake import bake
from director_gui.render.build import SceneActors, aim
from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Partition, Scene, Table, Viewpoint

pytestmark = pytest.mark.render

EXAMPLE = example_scene()
RED, BLUE, GREEN = EXAMPLE.blocks


@pytest.fixture(scope="module")
def window() -> Iterator[vtkRenderWindow]:
    opened = backend.open_window(160, 120)
    yield opened
    backend.close_window(opened)


def shown(
    window: vtkRenderWindow,
    scenes: list[Scene],
    last: Callable[[SceneActors], None] = lambda _: None,
    *,
    figure: bool = True,
) -> np.ndarray:
    """Return the pixels after following `scenes` in one set of actors."""
    renderer = vtkRenderer()
    window.AddRenderer(renderer)
    actors = SceneActors(renderer, figure=figure)
    for scene in scenes:
        actors.sync(scene)
        aim(renderer, scene.camera)
        window.Render()
    last(actors)
    window.Render()
    pixels = vtk_arrays.grab(window)
    actors.clear()
    window.RemoveRenderer(renderer)
    return pixels


def changed(old: Block, new: Block) -> Scene:
    """Return the example with one block in place of another."""
    blocks = tuple(new if block is old else block for block in EXAMPLE.blocks)
    return replace(EXAMPLE, blocks=blocks)


BOARD = Partition(0.2, 0.1, 30, 0.3, 0.2, 0.03)
STEPS = {
    "move": changed(BLUE, replace(BLUE, x=0.2, y=-0.2)),
    "turn": changed(BLUE, replace(BLUE, yaw=130.0)),
    "resize": changed(RED, replace(RED, edge=0.11)),
    "recolour": changed(RED, replace(RED, color="#eeeeee")),
    "renumber": changed(GREEN, replace(GREEN, digit=66)),
    "delete": replace(EXAMPLE, blocks=(RED, GREEN)),
    "add": replace(EXAMPLE, blocks=(*EXAMPLE.blocks, replace(BLUE, digit=9, x=0.3))),
    "swap digits": replace(
        EXAMPLE, blocks=(replace(RED, digit=5), replace(BLUE, digit=3), GREEN)
    ),
    "board moves": replace(EXAMPLE, partitions=(BOARD,)),
    "two boards": replace(EXAMPLE, partitions=(*EXAMPLE.partitions, BOARD)),
    "no board": replace(EXAMPLE, partitions=()),
    "table": replace(EXAMPLE, table=Table(1.0, 0.8)),
    "director": replace(
        EXAMPLE, director=Viewpoint((0.5, 1.0, 0.4), (0.0, 0.0, 0.0), 60)
    ),
    "camera": replace(EXAMPLE, camera=Viewpoint((0.5, -1.2, 0.9), (0, 0, 0), 50)),
}


@pytest.mark.parametrize("name", STEPS)
def test_a_step_shows_what_a_fresh_build_shows(
    window: vtkRenderWindow, name: str
) -> None:
    scene = STEPS[name]
    fresh = shown(window, [scene])
    np.testing.assert_array_equal(shown(window, [EXAMPLE, scene]), fresh)
    assert not np.array_equal(shown(window, [EXAMPLE]), fresh)


def test_many_steps_and_back_show_the_first_picture(window: vtkRenderWindow) -> None:
    there_and_back = [EXAMPLE, *STEPS.values(), EXAMPLE]
    np.testing.assert_array_equal(
        shown(window, there_and_back), shown(window, [EXAMPLE])
    )


def test_light_goes_with_the_next_step(window: vtkRenderWindow) -> None:
    scene = STEPS["move"]

    def relit(actors: SceneActors) -> None:
        actors.light(bake(EXAMPLE))
        assert actors.lit
        assert not actors.sync(EXAMPLE)
        assert actors.lit
        assert actors.sync(scene)
        assert not actors.lit

    after = shown(window, [EXAMPLE], relit)
    assert np.abs(after.astype(int) - shown(window, [scene])).max() == 0


def test_baked_light_and_plain_light_differ_little(window: vtkRenderWindow) -> None:
    plain = shown(window, [EXAMPLE])
    lit = shown(window, [EXAMPLE], lambda actors: actors.light(bake(EXAMPLE)))
    difference = np.abs(plain.astype(int) - lit)
    assert difference.max() > 40  # there are shadows
    assert difference.mean() < 6  # and no jump of the whole picture


def test_highlight_brightens_one_block_and_leaves(window: vtkRenderWindow) -> None:
    plain = shown(window, [EXAMPLE]).astype(int)
    glow = shown(window, [EXAMPLE], lambda actors: actors.highlight(5)).astype(int)
    changed = np.argwhere((glow - plain).max(2) > 8)
    assert 50 < len(changed) < 0.05 * plain.shape[0] * plain.shape[1]
    assert (glow >= plain).all()

    def on_and_off(actors: SceneActors) -> None:
        actors.highlight(5)
        actors.highlight(None)

    np.testing.assert_array_equal(shown(window, [EXAMPLE], on_and_off), plain)


def test_only_what_changed_is_rebuilt() -> None:
    actors = SceneActors(vtkRenderer(), figure=True)
    actors.sync(EXAMPLE)
    before = {digit: actors.block_actor(digit) for digit in EXAMPLE.digits}
    actors.sync(STEPS["turn"])
    assert all(actors.block_actor(d) is before[d] for d in EXAMPLE.digits)
    assert before[5].GetOrientation()[2] == pytest.approx(130)
    actors.sync(STEPS["recolour"])
    assert actors.block_actor(8) is before[8]


def test_traps_of_the_driver_are_avoided() -> None:
    renderer = vtkRenderer()
    actors = SceneActors(renderer, figure=True)
    actors.sync(EXAMPLE)
    found = renderer.GetActors()
    found.InitTraversal()
    each = [found.GetNextActor() for _ in range(found.GetNumberOfItems())]
    mappers = [actor.GetMapper() for actor in each]
    assert len(set(mappers)) == len(each) == 7
    skins = [actor.GetTexture() for actor in each if actor.GetTexture() is not None]
    assert len(skins) == 4
    assert {skin.GetMaximumAnisotropicFiltering() for skin in skins} == {1.0}
    assert {actor.GetProperty().GetLighting() for actor in each} == {False}


def test_figure_is_left_out_when_asked(window: vtkRenderWindow) -> None:
    with_it = shown(window, [EXAMPLE])
    without = shown(window, [EXAMPLE], figure=False)
    assert (with_it != without).any(2).mean() > 0.01


def test_unknown_block_has_no_actor() -> None:
    actors = SceneActors(vtkRenderer(), figure=False)
    actors.sync(EXAMPLE)
    with pytest.raises(KeyError):
        actors.block_actor(7)

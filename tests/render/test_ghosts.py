"""Ghosts: what is drawn of them, and that pictures stay without them."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.render.ghosts import Ghost, GhostActors, _faces
from director_gui.render.live import LiveStage, Wish
from director_gui.scene.example import example_scene
from director_gui.scene.model import Viewpoint

pytestmark = pytest.mark.render
SQUARE = ((-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1))
RED = Ghost(SQUARE, 0.0, 0.4, "#ff0000", 0.5)
BLUE = Ghost(SQUARE, 0.0, 0.4, "#0000ff", 0.5)
ABOVE = Viewpoint((0.0, -1.2, 1.6), (0.0, 0.0, 0.0), 40.0)


class Look:
    """One view of the example scene from above the model."""

    def __init__(self) -> None:
        self.ghosts: tuple[Ghost, ...] = ()
        self.stage = LiveStage()
        self.stage.add("one", self.wish, figure=False)

    def wish(self) -> Wish:
        return Wish(example_scene(), ABOVE, (160, 120), ghosts=self.ghosts)

    def drawn(self, *ghosts: Ghost) -> np.ndarray[Any, Any]:
        self.ghosts = ghosts
        self.stage.mark("one")
        return self.stage.take("one").astype(int)


@pytest.fixture
def look() -> Iterator[Look]:
    made = Look()
    yield made
    made.stage.close()


def test_a_ghost_tints_what_lies_behind_it_and_leaves_no_trace(look: Look) -> None:
    plain = look.drawn()
    red = look.drawn(RED)
    changed = np.any(red != plain, axis=2)
    assert 0.02 < changed.mean() < 0.4
    # Half red over what was there: redder, and less of the other two.
    assert np.all(red[changed][:, 0] >= plain[changed][:, 0] - 1)
    assert np.all(red[changed][:, 1] <= plain[changed][:, 1] + 1)
    assert np.array_equal(look.drawn(), plain)


def test_half_opaque_means_the_mean_of_both(look: Look) -> None:
    film = replace(RED, high=0.002, low=0.002)
    plain, tinted = look.drawn(), look.drawn(film)
    changed = np.any(tinted != plain, axis=2)
    wanted = (plain[changed] + np.array([255, 0, 0])) / 2
    assert np.abs(tinted[changed] - wanted).max() <= 2


def test_a_ghost_behind_a_block_is_hidden_by_it(look: Look) -> None:
    block = example_scene().blocks[0]
    spot = tuple((block.x + dx * 0.05, block.y + dy * 0.05) for dx, dy in SQUARE)
    inside = Ghost(spot, 0.01, block.edge / 2, "#ff0000", 0.5)
    assert np.array_equal(look.drawn(inside), look.drawn())


def test_the_nearer_of_two_is_drawn_over_the_other(look: Look) -> None:
    near = replace(RED, outline=tuple((x, y - 0.3) for x, y in SQUARE), high=0.2)
    far = replace(BLUE, high=0.2)
    assert np.array_equal(look.drawn(near, far), look.drawn(far, near))


def test_the_same_ghosts_are_not_made_anew() -> None:
    renderer = vtkRenderer()
    actors = GhostActors(renderer)
    actors.show((RED, BLUE), (0.0, -1.0, 1.0))
    first = list(actors._actors)
    actors.show((RED, BLUE), (0.0, -1.0, 1.2))
    assert actors._actors == first
    assert renderer.GetActors().GetNumberOfItems() == 2
    actors.show((RED,), (0.0, -1.0, 1.0))
    assert renderer.GetActors().GetNumberOfItems() == 1
    actors.clear()
    assert renderer.GetActors().GetNumberOfItems() == 0


def test_a_body_is_closed_and_each_edge_runs_both_ways_once() -> None:
    faces = _faces(4, flat=False)
    ways = [
        pair for face in faces for pair in zip(face, face[1:] + face[:1], strict=True)
    ]
    assert len(ways) == len(set(ways)) == 24
    assert {(b, a) for a, b in ways} == set(ways)


def test_a_film_has_one_face() -> None:
    assert _faces(3, flat=True) == [[3, 4, 5]]


def test_its_middle_is_that_of_its_box() -> None:
    assert RED.middle == pytest.approx((0.0, 0.0, 0.2))

"""Live views: one window, one frame for all, the same pixels as a view alone."""

from collections.abc import Iterator

import numpy as np
import pytest

from director_gui.render.bake import bake
from director_gui.render.live import LiveStage, Wish
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item

pytestmark = pytest.mark.render
SIZES = {"model": (160, 120), "director": (200, 150)}


class Desk:
    """A stage with both fixed views, and the scene they show."""

    def __init__(self) -> None:
        self.scene = example_scene()
        self.shade: str | None = None
        self.sizes = dict(SIZES)
        self.asked: list[str] = []
        self.stage = LiveStage()
        self.stage.add("model", lambda: self.wish("model"), figure=True)
        self.stage.add("director", lambda: self.wish("director"), figure=False)

    def wish(self, name: str) -> Wish:
        self.asked.append(name)
        view = self.scene.camera if name == "model" else self.scene.director
        return Wish(self.scene, view, self.sizes[name], self.shade)


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk()
    yield made
    made.stage.close()


def alone(name: str, desk: Desk) -> np.ndarray:
    stage = LiveStage()
    stage.add(name, lambda: desk.wish(name), figure=name == "model")
    pixels = stage.take(name)
    stage.close()
    return pixels


def alike(a: np.ndarray, b: np.ndarray) -> bool:
    """Tell whether two pictures differ at most in some pixels on edges.

    A view's place in the window shifts its rays by parts of a millionth pixel.
    """
    differs = (a != b).any(axis=2)
    return a.shape == b.shape and bool(differs.mean() < 0.01)


@pytest.mark.parametrize("name", ["model", "director"])
def test_a_shared_window_changes_no_picture(desk: Desk, name: str) -> None:
    pixels = desk.stage.take(name)
    width, height = SIZES[name]
    assert pixels.shape == (height, width, 3)
    assert alike(pixels, alone(name, desk))


def test_all_stale_views_are_drawn_in_one_frame(desk: Desk) -> None:
    desk.stage.take("model")
    assert sorted(desk.asked) == ["director", "model"]
    desk.stage.take("director")
    assert len(desk.asked) == 2
    desk.stage.mark("director")
    desk.stage.take("director")
    assert desk.asked[2:] == ["director"]


def test_a_moved_block_shows_once_the_view_is_marked(desk: Desk) -> None:
    before = desk.stage.take("model").copy()
    desk.scene = edits.move_to(desk.scene, Item("block", 5), 0.2, -0.2)
    assert np.array_equal(desk.stage.take("model"), before)
    desk.stage.mark("model")
    assert not np.array_equal(desk.stage.take("model"), before)


def test_a_view_can_change_its_size(desk: Desk) -> None:
    desk.stage.take("model")
    desk.sizes["model"] = (320, 240)
    desk.stage.mark("model")
    assert desk.stage.take("model").shape == (240, 320, 3)
    assert alike(desk.stage.take("director"), alone("director", desk))


def test_what_the_director_misses_is_tinted(desk: Desk) -> None:
    plain = desk.stage.take("model").astype(int)
    desk.shade = "#8a3ab9"
    desk.stage.mark("model")
    tinted = desk.stage.take("model").astype(int)
    changed = np.abs(tinted - plain).sum(axis=2) > 20
    rows, columns = np.nonzero(changed)
    assert 100 < changed.sum() < changed.size / 4
    assert columns.mean() < SIZES["model"][0] / 2  # behind the partition, at the left
    assert rows.mean() > SIZES["model"][1] / 2


def test_a_scene_without_partitions_is_not_tinted(desk: Desk) -> None:
    desk.scene = edits.delete(desk.scene, Item("partition", 0))
    plain = desk.stage.take("model").copy()
    desk.shade = "#8a3ab9"
    desk.stage.mark("model")
    assert np.array_equal(desk.stage.take("model"), plain)


def test_shifted_frames_differ_and_leave_the_view_as_it_was(desk: Desk) -> None:
    plain = desk.stage.take("model").copy()
    shifted = desk.stage.shifted("model", (0.4, 0.3))
    assert not np.array_equal(shifted, plain)
    assert np.array_equal(desk.stage.take("model"), plain)


def test_baked_light_stays_until_the_scene_changes(desk: Desk) -> None:
    plain = desk.stage.take("model").copy()
    desk.stage.relight("model", desk.scene, bake(desk.scene))
    lit = desk.stage.take("model").copy()
    assert not np.array_equal(lit, plain)
    desk.scene = edits.set_name(desk.scene, "same look")
    desk.stage.mark("model")
    assert np.array_equal(desk.stage.take("model"), lit)
    moved = edits.move_to(desk.scene, Item("block", 8), 0.3, 0.1)
    desk.scene = edits.move_to(moved, Item("block", 8), 0.34, 0.08)
    desk.stage.mark("model")
    desk.scene = moved
    desk.stage.take("model")
    desk.scene = edits.move_to(moved, Item("block", 8), 0.34, 0.08)
    desk.stage.mark("model")
    assert np.array_equal(desk.stage.take("model"), plain)

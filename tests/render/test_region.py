"""The part of a view that is drawn anew: what it must hold, and that it is enough."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.geometry.boxes import box_of
from director_gui.geometry.camera import basis_of
from director_gui.render.bake import bake
from director_gui.render.live import LiveStage, Wish, _Slot
from director_gui.render.region import Region, changed, whole
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.scene.model import Scene

SCENE = example_scene()
SIZE = (240, 180)
EYE = SCENE.camera
Edit = Callable[[Scene], Scene]
spots = st.floats(-0.6, 0.6, allow_nan=False)


def moved(x: float, y: float, digit: int = 5) -> Scene:
    return edits.move_to(SCENE, Item("block", digit), x, y)


@given(spots, spots, st.sampled_from(SCENE.digits))
def test_it_holds_every_corner_of_what_moved(x: float, y: float, digit: int) -> None:
    scene = moved(x, y, digit)
    part = changed(SCENE, scene, EYE, SIZE)
    if part == whole(SIZE):
        return
    basis = basis_of(EYE)
    for at in (SCENE, scene):
        seen = basis.to_eye(box_of(at.block(digit)).corners())
        spot = seen[:, :2] / (seen[:, 2:] * basis.slope) * SIZE[1] / 2
        across, up = (spot + np.array(SIZE) / 2).T
        inside = (across >= 0) & (across < SIZE[0]) & (up >= 0) & (up < SIZE[1])
        assert (across[inside] > part.left).all()
        assert (across[inside] < part.left + part.width).all()
        assert (up[inside] > part.bottom).all()
        assert (up[inside] < part.bottom + part.height).all()


def test_nothing_is_drawn_for_what_is_not_seen() -> None:
    assert changed(SCENE, SCENE, EYE, SIZE).empty
    assert changed(SCENE, edits.set_name(SCENE, "other"), EYE, SIZE).empty
    far = edits.move_to(SCENE, Item("block", 5), 9.0, 5.0)
    farther = edits.move_to(SCENE, Item("block", 5), 9.2, 5.0)
    assert changed(far, farther, EYE, SIZE).empty


@pytest.mark.parametrize(
    "edit",
    [
        lambda s: edits.delete(s, Item("block", 5)),
        lambda s: edits.delete(s, Item("partition", 0)),
        lambda s: edits.set_eye(s, Item("director", 0), (0.5, 1.5, 0.6)),
        lambda s: replace(s, table=replace(s.table, width=s.table.width + 0.1)),
        lambda s: edits.add_block(s)[0],
    ],
    ids=["block", "partition", "director", "table", "new block"],
)
def test_all_is_drawn_when_more_than_a_place_changes(edit: Edit) -> None:
    assert changed(SCENE, edit(SCENE), EYE, SIZE) == whole(SIZE)


def test_what_stands_at_the_eye_has_no_outline() -> None:
    low = replace(EYE, eye=(0.3, 0.3, 0.05), look_at=(0.0, 0.0, 0.05))
    assert changed(SCENE, moved(0.3, 0.3), low, SIZE) == whole(SIZE)


class Desk:
    """A stage with one view, and how much of it each frame drew."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scene = SCENE
        self.shade: str | None = "#8a3ab9"
        self.parts: list[Region] = []
        self.stage = LiveStage()
        self.stage.add("view", self.wish, figure=True)
        real = LiveStage._keep

        def keep(stage: LiveStage, slot: _Slot, part: Region) -> None:
            self.parts.append(part)
            real(stage, slot, part)

        monkeypatch.setattr(LiveStage, "_keep", keep)

    def wish(self) -> Wish:
        return Wish(self.scene, EYE, SIZE, self.shade)

    def show(self, scene: Scene) -> np.ndarray:
        self.scene = scene
        self.stage.mark("view")
        return self.stage.take("view")

    def afresh(self) -> np.ndarray:
        self.stage._slots["view"].drawn = None
        self.stage.mark("view")
        return self.stage.take("view")


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    made = Desk(monkeypatch)
    yield made
    made.stage.close()


def same(a: np.ndarray, b: np.ndarray) -> bool:
    """Alike but for rounding at edges: a part's rays differ by parts of a millionth."""
    off = np.abs(a.astype(int) - b.astype(int)).max(axis=2)
    return bool((off > 3).mean() < 0.002)


@pytest.mark.render
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(spots, spots, st.floats(0, 90), st.sampled_from(SCENE.digits))
def test_a_drag_in_parts_ends_in_the_picture_drawn_at_once(
    desk: Desk, x: float, y: float, yaw: float, digit: int
) -> None:
    item = Item("block", digit)
    desk.show(SCENE)
    for share in (0.3, 0.6, 1.0):
        there = edits.move_to(SCENE, item, share * x, share * y)
        desk.show(edits.turn_to(there, item, share * yaw))
    assert same(desk.stage.take("view"), desk.afresh())


@pytest.mark.render
def test_only_the_part_is_drawn_and_old_pixels_stay_whole(desk: Desk) -> None:
    first = desk.show(SCENE)
    kept = first.copy()
    desk.show(moved(0.1, 0.0))
    assert desk.parts[0] == whole(SIZE)
    assert 0 < desk.parts[1].width < SIZE[0] / 2
    assert np.array_equal(first, kept)  # whoever shows them still can


@pytest.mark.render
def test_a_moved_partition_takes_the_film_along(desk: Desk) -> None:
    desk.show(SCENE)
    pushed = edits.move_to(SCENE, Item("partition", 0), 0.0, 0.1)
    assert same(desk.show(pushed), desk.afresh())
    with_film = desk.parts[-2]
    desk.shade = None
    desk.show(SCENE)
    assert same(desk.show(pushed), desk.afresh())
    without = desk.parts[-2]
    assert without.width * without.height < with_film.width * with_film.height


@pytest.mark.render
def test_the_first_move_takes_baked_light_from_everywhere(desk: Desk) -> None:
    desk.show(SCENE)
    desk.stage.relight("view", SCENE, bake(SCENE))
    desk.stage.take("view")
    assert same(desk.show(moved(0.1, 0.0)), desk.afresh())
    assert desk.parts[-2] == whole(SIZE)


@pytest.mark.render
def test_a_shifted_frame_is_no_ground_to_draw_on(desk: Desk) -> None:
    desk.show(SCENE)
    desk.stage.shifted("view", (0.4, 0.3))
    assert same(desk.show(moved(0.1, 0.0)), desk.afresh())

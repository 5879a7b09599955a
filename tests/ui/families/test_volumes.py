"""The extents in space: whatever a family draws lies inside them."""

from dataclasses import replace
from functools import cache
from math import cos, radians, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.families import library
from director_gui.families.example import Example
from director_gui.families.model import Family, HiderRule, Span, StanderRule
from director_gui.families.plan import plan_of
from director_gui.families.sampler import nth_candidate
from director_gui.geometry.boxes import box_of
from director_gui.scene.model import Partition
from director_gui.ui.families.extents import Spot
from director_gui.ui.families.volumes import Volume, edge_span, hull, volumes_of

ORIGINALS = [n for n in library.names() if not library.family(n).rearranges]
_ROUNDED = 2e-4  # m; drawn numbers are rounded to 0.1 mm


@cache
def drawn(name: str, k: int) -> tuple[Family, Example]:
    """A family and what its k-th candidate is, fit or not."""
    family = library.family(name)
    made = nth_candidate(family, 0, plan_of(family)[0], k)
    return family, Example(0, made.scene, made.hidden)


def inside(spot: Spot, volume: Volume) -> bool:
    """Whether a spot lies to the left of every side, nearly."""
    ends = zip(volume.outline, (*volume.outline[1:], volume.outline[0]), strict=True)
    return all(
        (b[0] - a[0]) * (spot[1] - a[1]) - (b[1] - a[1]) * (spot[0] - a[0]) >= -_ROUNDED
        for a, b in ends
    )


def of(volumes: list[Volume], role: str) -> list[Volume]:
    return [volume for volume in volumes if volume.role == role]


def holds(volume: Volume, board: Partition) -> bool:
    corners = box_of(board).corners()
    low = volume.low <= 0.0 and board.height <= volume.high + _ROUNDED
    return low and all(inside((x, y), volume) for x, y, _ in corners.tolist())


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("k", range(6))
def test_every_candidates_partitions_lie_in_their_ghosts(name: str, k: int) -> None:
    family, example = drawn(name, k)
    ghosts = of(volumes_of(family, example), "partition")
    boards = example.scene.partitions
    assert len(ghosts) == len(boards)
    for ghost, board in zip(ghosts, boards, strict=True):
        assert holds(ghost, board)


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("k", range(6))
def test_every_candidates_eyes_lie_in_their_ghosts(name: str, k: int) -> None:
    family, example = drawn(name, k)
    volumes = volumes_of(family, example)
    for role, view in (
        ("director", example.scene.director),
        ("camera", example.scene.camera),
    ):
        (ghost,) = of(volumes, role)  # what they look at is fixed in all of these
        assert inside(view.eye[:2], ghost)
        assert ghost.low - _ROUNDED <= view.eye[2] <= ghost.high + _ROUNDED


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("k", range(6))
def test_no_block_is_larger_or_smaller_than_its_rank_may_be(name: str, k: int) -> None:
    family, example = drawn(name, k)
    edges = sorted((b.edge for b in example.scene.blocks), reverse=True)
    for rank, edge in enumerate(edges):
        span = edge_span(family, rank)
        assert span.low - _ROUNDED <= edge <= span.high + _ROUNDED


@pytest.mark.parametrize("name", ORIGINALS)
def test_centres_lie_on_the_films(name: str) -> None:
    family, example = drawn(name, 0)
    films = [v for v in volumes_of(family, example) if v.low == v.high]
    assert {film.role for film in films} <= {"blocks", "hidden"}
    for block in example.scene.blocks:
        assert any(inside((block.x, block.y), film) for film in films)


def test_greatest_sizes_stand_around_their_blocks() -> None:
    family, example = drawn("main", 0)
    small = [replace(block, edge=block.edge * 0.8) for block in example.scene.blocks]
    example = replace(example, scene=replace(example.scene, blocks=tuple(small)))
    bodies = [
        v for v in volumes_of(family, example) if v.low == 0.0 and v.role != "partition"
    ]
    order = sorted(example.scene.blocks, key=lambda block: -block.edge)
    assert len(bodies) == len(order)
    for rank, (block, body) in enumerate(zip(order, bodies, strict=True)):
        assert body.high == pytest.approx(0.23 / 1.18**rank)
        assert body.role == ("hidden" if block.digit == example.hidden else "blocks")
        assert all(inside((x, y), body) for x, y, _ in box_of(block).corners().tolist())


def fixed(span: Span) -> Span:
    return Span(span.low, span.low)


def test_what_is_fixed_has_no_ghost() -> None:
    family, example = drawn("main", 0)
    edge = example.scene.blocks[0].edge
    blocks = replace(
        family.blocks,
        largest=Span(edge, edge),
        ratio=Span(1.0, 1.0),
        x=fixed(family.blocks.x),
        y=fixed(family.blocks.y),
    )
    eyes = [
        replace(rule, eye=(fixed(rule.eye[0]), fixed(rule.eye[1]), fixed(rule.eye[2])))
        for rule in (family.director, family.camera)
    ]
    still = replace(family, blocks=blocks, director=eyes[0], camera=eyes[1])
    same = [replace(block, edge=edge) for block in example.scene.blocks]
    scene = replace(example.scene, blocks=tuple(same))
    volumes = volumes_of(still, replace(example, scene=scene))
    assert {volume.role for volume in volumes} == {"partition"}


def test_what_moves_one_way_only_has_a_body_that_can_be_seen() -> None:
    family, example = drawn("main", 0)
    x, y, z = map(fixed, family.camera.eye)
    sliding = replace(family.camera, eye=(Span(x.low, x.low + 0.2), y, z))
    (ghost,) = of(volumes_of(replace(family, camera=sliding), example), "camera")
    assert ghost.high > ghost.low
    widths = [max(axis) - min(axis) for axis in zip(*ghost.outline, strict=True)]
    assert widths == pytest.approx([0.2, 0.008])


def test_a_gaze_that_wanders_has_a_ghost_of_its_own() -> None:
    family, example = drawn("main", 0)
    aim = (Span(-0.1, 0.1), Span(0.0, 0.0), Span(0.05, 0.05))
    wandering = replace(family, director=replace(family.director, look_at=aim))
    assert len(of(volumes_of(wandering, example), "director")) == 2


def test_the_hidden_blocks_own_place_has_a_film_above_the_others() -> None:
    family, example = drawn("main", 0)
    hidden = replace(family.hidden, x=Span(-0.4, -0.2))
    volumes = volumes_of(replace(family, hidden=hidden), example)
    films = [v for v in volumes if v.low == v.high]
    assert [film.role for film in films] == ["blocks", "hidden"]
    assert films[1].low > films[0].low > 0
    assert {x for x, _ in films[1].outline} == {-0.4, -0.2}


@pytest.mark.parametrize("yaw", [0.0, 30.0, -75.0])
def test_a_board_that_is_fixed_is_its_own_ghost(yaw: float) -> None:
    family, example = drawn("main", 0)
    rule = StanderRule(*(Span(v, v) for v in (0.1, 0.2, yaw, 0.4, 0.3, 0.02)))
    volumes = volumes_of(replace(family, partitions=(rule,)), example)
    (ghost,) = of(volumes, "partition")
    board = Partition(0.1, 0.2, yaw, 0.4, 0.3, 0.02)
    corners = {(round(x, 6), round(y, 6)) for x, y, _ in box_of(board).corners()}
    assert {(round(x, 6), round(y, 6)) for x, y in ghost.outline} == corners
    assert ghost.high == 0.3


def test_the_hiders_ghost_grows_with_each_of_its_ranges() -> None:
    family, example = drawn("main", 0)
    (rule,) = family.partitions
    assert isinstance(rule, HiderRule)
    (before,) = of(volumes_of(family, example), "partition")
    for name, span in (
        ("gap", Span(0.01, 0.2)),
        ("side", Span(-0.2, 0.2)),
        ("turn", Span(-60, 60)),
        ("width", Span(1.0, 3.0)),
    ):
        wider = replace(rule, **{name: span})
        volumes = volumes_of(replace(family, partitions=(wider,)), example)
        (after,) = of(volumes, "partition")
        assert area(after.outline) > area(before.outline), name


def area(outline: tuple[Spot, ...]) -> float:
    ends = zip(outline, (*outline[1:], outline[0]), strict=True)
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in ends) / 2


coordinate = st.integers(-50, 50).map(float)
spots = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=30)


class TestHull:
    @given(spots)
    def test_it_holds_every_spot_and_is_made_of_them(self, given_: list[Spot]) -> None:
        outline = hull(given_)
        assert set(outline) <= set(given_)
        if len(outline) > 2:
            body = Volume("blocks", outline, 0, 0)
            assert all(inside(spot, body) for spot in given_)
            assert area(outline) > 0

    @given(spots)
    def test_its_own_hull_is_itself(self, given_: list[Spot]) -> None:
        outline = hull(given_)
        assert set(hull(outline)) == set(outline)

    @given(spots, st.floats(0, 360))
    def test_neither_order_nor_a_turn_changes_its_area(
        self, given_: list[Spot], turn: float
    ) -> None:
        c, s = cos(radians(turn)), sin(radians(turn))
        turned = [(c * x - s * y, s * x + c * y) for x, y in reversed(given_)]
        assert area(hull(turned)) == pytest.approx(area(hull(given_)), abs=1e-6)

    def test_corners_run_counter_clockwise(self) -> None:
        square = [(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]
        assert hull(square) == ((0, 0), (1, 0), (1, 1), (0, 1))

"""The cheap checks never refuse what the exact geometry would take."""

from dataclasses import replace
from itertools import combinations
from math import cos, hypot, radians, sin

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from director_gui.families import quick
from director_gui.families.draw import Candidate
from director_gui.families.library import family
from director_gui.families.plan import plan_of
from director_gui.families.sampler import nth_candidate
from director_gui.geometry.boxes import box_of
from director_gui.geometry.camera import picture_point
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.looks import HEAD_RADIUS
from director_gui.scene.model import Block, Partition, Scene, Viewpoint
from tests.strategies import QUICK, decimals

Spot = tuple[float, float]
SCENE = example_scene()
near = decimals(-0.5, 0.5)
edges = decimals(0.05, 0.3)
yaws = decimals(-90, 90, 2)
cubes = st.builds(Block, st.just(1), edges, near, near, yaws, st.just("#ff0000"))
boards = st.builds(Partition, near, near, yaws, edges, edges, decimals(0.01, 0.05))


def corners(item: Block | Partition) -> list[Spot]:
    """The corners on the table, counter-clockwise."""
    wide, deep = (
        (item.edge, item.edge)
        if isinstance(item, Block)
        else (item.width, item.thickness)
    )
    c, s = cos(radians(item.yaw)), sin(radians(item.yaw))
    return [
        (item.x + i * wide * c - j * deep * s, item.y + i * wide * s + j * deep * c)
        for i, j in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
    ]


def common(a: list[Spot], b: list[Spot]) -> float:
    """The area that two convex outlines share (Sutherland and Hodgman)."""
    kept = list(a)
    for p, q in zip(b, (*b[1:], b[0]), strict=True):

        def side(r: Spot, p: Spot = p, q: Spot = q) -> float:
            return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

        cut: list[Spot] = []
        for r, s in zip(kept, (*kept[1:], *kept[:1]), strict=True):
            m, n = side(r), side(s)
            if m >= 0:
                cut.append(r)
            if m * n < 0:
                t = m / (m - n)
                cut.append((r[0] + t * (s[0] - r[0]), r[1] + t * (s[1] - r[1])))
        kept = cut
    ends = zip(kept, (*kept[1:], *kept[:1]), strict=True)
    return abs(sum(r[0] * s[1] - s[0] * r[1] for r, s in ends)) / 2


def apart(a: list[Spot], b: list[Spot]) -> float:
    """The least distance between two outlines that do not overlap."""
    return min(
        min(_to_side(spot, p, q) for spot in one)
        for one, other in ((a, b), (b, a))
        for p, q in zip(other, (*other[1:], other[0]), strict=True)
    )


def _to_side(spot: Spot, p: Spot, q: Spot) -> float:
    dx, dy = q[0] - p[0], q[1] - p[1]
    t = ((spot[0] - p[0]) * dx + (spot[1] - p[1]) * dy) / (dx * dx + dy * dy)
    t = min(1.0, max(0.0, t))
    return hypot(spot[0] - p[0] - t * dx, spot[1] - p[1] - t * dy)


def with_(*things: Block | Partition) -> Scene:
    blocks = tuple(
        replace(thing, digit=i)
        for i, thing in enumerate(things)
        if isinstance(thing, Block)
    )
    standing = tuple(thing for thing in things if isinstance(thing, Partition))
    return replace(SCENE, blocks=blocks, partitions=standing)


class TestFootprints:
    @QUICK
    @given(st.one_of(cubes, boards), st.floats(0, 360))
    def test_a_reach_is_that_of_its_farthest_corner(
        self, thing: Block | Partition, way: float
    ) -> None:
        (found,) = quick.footprints(with_(thing))
        u, v = cos(radians(way)), sin(radians(way))
        farthest = max((x - thing.x) * u + (y - thing.y) * v for x, y in corners(thing))
        assert found.reach(u, v) == pytest.approx(farthest, abs=1e-9)

    def test_blocks_come_first_then_partitions(self) -> None:
        prints = quick.footprints(SCENE)
        things = (*SCENE.blocks, *SCENE.partitions)
        assert [(p.x, p.y) for p in prints] == [(t.x, t.y) for t in things]


class TestCrowded:
    @QUICK
    @given(st.one_of(cubes, boards), st.one_of(cubes, boards))
    def test_what_overlaps_is_crowded_and_nothing_else_without_a_gap(
        self, a: Block | Partition, b: Block | Partition
    ) -> None:
        shared = common(corners(a), corners(b))
        assume(shared == 0 or shared > 1e-9)  # not the touching of two sides
        ordered = sorted((a, b), key=lambda t: isinstance(t, Partition))
        prints = quick.footprints(with_(*ordered))
        crowded = quick.crowded(prints, 0.0) is not None
        if shared:
            assert crowded
        elif apart(corners(a), corners(b)) > 1e-6:
            assert not crowded

    @QUICK
    @given(cubes, cubes, decimals(0.0, 0.2))
    def test_what_is_let_pass_is_at_least_the_gap_apart(
        self, a: Block, b: Block, gap: float
    ) -> None:
        if quick.crowded(quick.footprints(with_(a, b)), gap) is None:
            assert common(corners(a), corners(b)) == 0
            assert apart(corners(a), corners(b)) >= gap - 1e-9

    def test_the_first_pair_is_told(self) -> None:
        one = Block(1, 0.1, 0.0, 0.0, 0.0, "#ff0000")
        far = replace(one, x=0.4)
        prints = quick.footprints(with_(one, far, replace(far, x=0.45)))
        assert quick.crowded(prints, 0.01) == (1, 2)


class TestTable:
    @QUICK
    @given(cubes)
    def test_off_is_when_a_corner_is(self, cube: Block) -> None:
        scene = with_(cube)
        wide, deep = scene.table.width / 2, scene.table.depth / 2
        over = max(max(abs(x) - wide, abs(y) - deep) for x, y in corners(cube))
        assume(abs(over) > 2e-4)  # stored numbers are rounded to 0.1 mm
        assert quick.off_table(scene, quick.footprints(scene)) == (over > 0)


class TestPictures:
    @QUICK
    @given(cubes)
    def test_outside_is_what_no_picture_point_is_of(self, cube: Block) -> None:
        scene = with_(cube)
        point = (cube.x, cube.y, cube.edge / 2)
        for view in (scene.camera, scene.director):
            at = picture_point(view, scene.picture.aspect, point)
            shown = at is not None and all(0 <= part <= 1 for part in at)
            assert quick.outside(scene, view) == (not shown)

    def test_behind_the_eye_is_outside(self) -> None:
        eye = SCENE.camera.eye
        back = Block(1, 0.1, eye[0], eye[1] - 1.0, 0.0, "#ff0000")
        assert quick.outside(with_(back), SCENE.camera)

    def test_the_head_must_be_inside_whole(self) -> None:
        assert not quick.headless(SCENE)
        for eye in ((3.0, 1.1, 0.5), (0.0, 1.1, 3.0), (0.0, -2.0, 0.5)):
            moved = replace(SCENE, director=replace(SCENE.director, eye=eye))
            assert quick.headless(moved)

    def test_half_a_head_is_none(self) -> None:
        """Moved up until the crown, but not the eye, leaves the picture."""
        director = SCENE.director
        x, y, z = director.eye
        heights = [z + 0.005 * i for i in range(200)]
        scenes = [
            replace(SCENE, director=replace(director, eye=(x, y, h))) for h in heights
        ]
        gone = [quick.headless(scene) for scene in scenes]
        first = gone.index(True)
        assert first > 0
        assert all(gone[first:])
        eye = scenes[first].director.eye
        at = picture_point(SCENE.camera, SCENE.picture.aspect, eye)
        assert at is not None
        assert 0 < at[1] < 1
        assert HEAD_RADIUS > 0.05

    @pytest.mark.parametrize(
        ("aim", "is_steep"),
        [((0.0, 0.0, 0.0), True), ((0.0005, 0.0, 0.0), True), ((0.1, 0.0, 0.0), False)],
    )
    def test_straight_down_is_steep(
        self, aim: tuple[float, float, float], *, is_steep: bool
    ) -> None:
        assert quick.steep(Viewpoint((0.0, 0.0, 2.0), aim, 50.0)) is is_steep


class TestCorners:
    @pytest.mark.parametrize("k", range(12))
    def test_a_corner_in_sight_is_a_block_in_sight(self, k: int) -> None:
        """Where a corner is seen, the exact witness sees some of the block as well."""
        main = family("main")
        drawn = nth_candidate(main, 0, plan_of(main)[0], k)
        if quick.outside(drawn.scene, drawn.scene.director):
            pytest.skip("not in the picture at all")
        sight = truth_of(drawn.scene).sights["director"][drawn.hidden]
        if quick.corner_in_sight(drawn, moved=False):
            assert sight.visible_px > 0
        if sight.visible_px == 0:
            assert not quick.corner_in_sight(drawn, moved=False)

    def test_the_examples_hidden_block_shows_no_corner(self) -> None:
        assert not quick.corner_in_sight(Candidate(SCENE, 3), moved=False)
        assert quick.corner_in_sight(Candidate(SCENE, 5), moved=False)

    def test_moved_looks_from_two_centimetres_away(self) -> None:
        """A board that just covers the block covers it from the eye alone."""
        cube = Block(1, 0.2, 0.0, 0.0, 0.0, "#ff0000")
        eye = Viewpoint((0.0, 1.2, 0.1), (0.0, 0.0, 0.1), 60.0)
        # A ray to the near corner (0.1, 0.1) passes the board's face at y = 0.155 at
        # x = 0.1 * 1.045 / 1.1 = 0.0950, and from 2 cm to the right at 0.0960.
        board = Partition(0.0, 0.15, 0.0, 2 * 0.0955, 0.4, 0.01)
        scene = replace(SCENE, blocks=(cube,), partitions=(board,), director=eye)
        assert not quick.corner_in_sight(Candidate(scene, 1), moved=False)
        assert quick.corner_in_sight(Candidate(scene, 1), moved=True)
        wide = replace(scene, partitions=(replace(board, width=0.6),))
        assert not quick.corner_in_sight(Candidate(wide, 1), moved=True)


def test_boxes_and_footprints_are_one() -> None:
    for thing, found in zip(
        (*SCENE.blocks, *SCENE.partitions), quick.footprints(SCENE), strict=True
    ):
        box = box_of(thing)
        assert (box.half[0], box.half[1]) == (found.half_width, found.half_depth)
        assert (box.cos, box.sin) == (found.cos, found.sin)


def test_every_pair_is_looked_at() -> None:
    cubes_ = [Block(i, 0.1, 0.3 * i, 0.0, 0.0, "#ff0000") for i in range(4)]
    for i, j in combinations(range(4), 2):
        moved = list(cubes_)
        moved[j] = replace(cubes_[j], x=cubes_[i].x, y=0.05)
        found = quick.crowded(quick.footprints(with_(*moved)), 0.0)
        assert found == (i, j)

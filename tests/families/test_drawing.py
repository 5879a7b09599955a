"""Draws, plans and candidates: uniform, in range, rounded, the same everywhere."""

from dataclasses import replace
from itertools import pairwise
from math import atan2, degrees, hypot

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.families.draw import Candidate, candidate
from director_gui.families.draws import Draws
from director_gui.families.library import family
from director_gui.families.model import Family, Span
from director_gui.families.plan import Cell, apportioned, plan_of
from director_gui.scene.serialize import canonical_bytes, read_scene
from tests.strategies import QUICK

MAIN = family("main")
UNIT = Span(0.0, 1.0)


def test_draws_are_these_numbers_on_every_machine() -> None:
    draws = Draws(20260, 3, 14)
    assert [draws.meters(UNIT) for _ in range(3)] == [0.1062, 0.0969, 0.9443]
    assert Draws(1, "plan").shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9]) == [
        9,
        6,
        1,
        4,
        5,
        8,
        3,
        7,
        2,
    ]


def test_streams_differ_by_every_part_of_their_name() -> None:
    paths: list[tuple[int, tuple[object, ...]]] = [
        (1, (0, 0)),
        (2, (0, 0)),
        (1, (1, 0)),
        (1, (0, 1)),
        (1, (0,)),
        (11, (0,)),
        (1, (10,)),
    ]
    firsts = {Draws(seed, *path).number(UNIT) for seed, path in paths}
    assert len(firsts) == len(paths)


def test_draws_are_uniform() -> None:
    draws = Draws(5)
    bins = [0] * 10
    for _ in range(5000):
        bins[int(draws.number(UNIT) * 10)] += 1
    # Nine degrees of freedom: beyond 33.7 once in 10,000, and the seed is fixed.
    assert sum((count - 500) ** 2 / 500 for count in bins) < 33.7


def test_shuffles_are_uniform() -> None:
    draws, counts = Draws(6), dict[tuple[int, ...], int]()
    for _ in range(6000):
        order = tuple(draws.shuffled((0, 1, 2)))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 30


def test_a_fixed_value_takes_a_draw_too() -> None:
    loose, fixed = Draws(7), Draws(7)
    loose.meters(UNIT)
    assert fixed.meters(Span(0.3, 0.3)) == 0.3
    assert loose.meters(UNIT) == fixed.meters(UNIT)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.integers(0, 500))
def test_apportioning_is_exact(shares: list[int], total: int) -> None:
    if not any(shares):
        shares = [*shares, 1]
    counts = apportioned(shares, total)
    assert sum(counts) == total
    for share, count in zip(shares, counts, strict=True):
        assert abs(count - share * total / sum(shares)) < 1


def test_the_rotated_set_is_54_53_and_53() -> None:
    ranks = [cell.hidden for cell in plan_of(family("rotated"))]
    assert [ranks.count(r) for r in ("largest", "middle", "smallest")] == [54, 53, 53]


def test_the_main_set_is_half_and_half_in_mixed_order() -> None:
    blocks = [cell.blocks for cell in plan_of(MAIN)]
    assert (blocks.count(3), blocks.count(4)) == (80, 80)
    assert blocks not in (sorted(blocks), sorted(blocks, reverse=True))


def drawn(chosen: Family, cell: Cell, k: int = 0) -> Candidate:
    return candidate(chosen, "x", cell, Draws(chosen.seed, 0, k))


@QUICK
@given(st.integers(0, 10**6), st.sampled_from([3, 4]))
def test_a_candidate_is_within_the_ranges(k: int, count: int) -> None:
    found = drawn(MAIN, Cell(count, "largest"), k)
    scene, rule = found.scene, MAIN.blocks
    edges = sorted((block.edge for block in scene.blocks), reverse=True)
    assert len(edges) == count
    assert rule.largest.low <= edges[0] <= rule.largest.high
    for large, small in pairwise(edges):
        assert rule.ratio.low - 0.002 <= large / small <= rule.ratio.high + 0.002
    assert scene.block(found.hidden).edge == edges[0]
    for block in scene.blocks:
        assert rule.x.low <= block.x <= rule.x.high
        assert rule.yaw.low <= block.yaw <= rule.yaw.high
        assert block.digit in rule.digits
    assert len({block.color for block in scene.blocks}) == count
    assert [block.x for block in scene.blocks] == sorted(b.x for b in scene.blocks)
    assert read_scene(canonical_bytes(scene)) == scene


@QUICK
@given(st.integers(0, 10**6))
def test_every_number_is_rounded(k: int) -> None:
    scene = drawn(family("two-partitions"), Cell(3, "largest"), k).scene
    lengths = [v for block in scene.blocks for v in (block.edge, block.x, block.y)]
    angles = [block.yaw for block in scene.blocks]
    for board in scene.partitions:
        lengths += [board.x, board.y, board.width, board.height, board.thickness]
        angles.append(board.yaw)
    lengths += [*scene.director.eye, *scene.camera.eye]
    assert all(round(value, 4) == value for value in lengths)
    assert all(round(value, 2) == value for value in angles)


@QUICK
@given(st.integers(0, 10**6))
def test_the_partition_stands_between_block_and_director(k: int) -> None:
    found = drawn(MAIN, Cell(3, "largest"), k)
    block, (board,) = found.scene.block(found.hidden), found.scene.partitions
    ex, ey, _ = found.scene.director.eye
    to_board = atan2(board.y - block.y, board.x - block.x)
    to_eye = atan2(ey - block.y, ex - block.x)
    assert abs(degrees(to_board - to_eye)) < 12
    assert hypot(board.x - block.x, board.y - block.y) > block.edge / 2


def test_given_digits_go_by_size() -> None:
    rule = replace(MAIN.blocks, digit_rule="given", digits=(2, 7, 5, 1))
    scene = drawn(replace(MAIN, blocks=rule), Cell(4, "largest")).scene
    by_size = sorted(scene.blocks, key=lambda block: -block.edge)
    assert [block.digit for block in by_size] == [2, 7, 5, 1]


@pytest.mark.parametrize(
    ("rank", "place"), [("largest", 0), ("middle", 1), ("smallest", 2)]
)
def test_the_hidden_rank_is_the_cells(rank: str, place: int) -> None:
    chosen = family("rotated")
    cell = next(cell for cell in plan_of(chosen) if cell.hidden == rank)
    found = drawn(chosen, cell)
    by_size = sorted(found.scene.blocks, key=lambda block: -block.edge)
    assert by_size[place].digit == found.hidden


def test_the_hidden_block_may_have_a_place_of_its_own() -> None:
    rule = replace(MAIN.hidden, x=Span(0.5, 0.5), yaw=Span(45.0, 45.0))
    found = drawn(replace(MAIN, hidden=rule), Cell(3, "largest"))
    block = found.scene.block(found.hidden)
    assert (block.x, block.yaw) == (0.5, 45.0)
    others = [b for b in found.scene.blocks if b is not block]
    assert all(-35 <= b.yaw <= 35 for b in others)

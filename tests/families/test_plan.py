"""Which scene has how many blocks, and what is hidden: exact, mixed, for ever alike."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.families.draws import Draws
from director_gui.families.library import family, names
from director_gui.families.model import Span
from director_gui.families.plan import Cell, apportioned, plan_of
from tests.strategies import QUICK

MAIN = family("main")
shares = st.lists(st.integers(1, 50), min_size=1, max_size=6)


class TestShares:
    @pytest.mark.parametrize(
        ("asked", "total", "got"),
        [
            ([1, 1, 1], 160, [54, 53, 53]),  # METHOD §2, the rotated set
            ([1, 1], 160, [80, 80]),
            ([1, 1], 5, [3, 2]),  # of equal remainders the earlier gets more
            ([1, 2, 3], 6, [1, 2, 3]),
            ([3, 1], 2, [2, 0]),  # 1.5 and 0.5: the same remainder
            ([1], 7, [7]),
            ([5, 3, 1], 10, [6, 3, 1]),  # 5.56, 3.33, 1.11
            ([1, 1, 1], 0, [0, 0, 0]),
        ],
    )
    def test_by_hand(self, asked: list[int], total: int, got: list[int]) -> None:
        assert apportioned(asked, total) == got

    @QUICK
    @given(shares, st.integers(0, 500))
    def test_they_add_up_and_none_is_a_whole_off(
        self, asked: list[int], total: int
    ) -> None:
        counts = apportioned(asked, total)
        assert sum(counts) == total
        for share, count in zip(asked, counts, strict=True):
            assert abs(count - share * total / sum(asked)) < 1

    @QUICK
    @given(shares, st.integers(0, 200), st.integers(1, 9))
    def test_only_their_proportion_counts(
        self, asked: list[int], total: int, factor: int
    ) -> None:
        assert apportioned([s * factor for s in asked], total) == apportioned(
            asked, total
        )

    @QUICK
    @given(shares, st.integers(1, 200))
    def test_a_larger_share_never_gets_less(self, asked: list[int], total: int) -> None:
        counts = apportioned(asked, total)
        pairs = sorted(zip(asked, counts, strict=True))
        for (a, m), (b, n) in pairwise(pairs):
            assert m <= n or a == b


class TestPlans:
    @pytest.mark.parametrize("name", names())
    def test_every_scene_of_a_built_in_family_has_a_cell(self, name: str) -> None:
        chosen = family(name)
        plan = plan_of(chosen)
        assert len(plan) == chosen.count
        blocks = Counter(cell.blocks for cell in plan)
        counts = [count for count, _ in chosen.blocks.counts]
        exact = apportioned([s for _, s in chosen.blocks.counts], chosen.count)
        assert blocks == Counter(dict(zip(counts, exact, strict=True)))

    def test_the_rotated_set_is_the_papers(self) -> None:
        ranks = Counter(cell.hidden for cell in plan_of(family("rotated")))
        assert ranks == {"largest": 54, "middle": 53, "smallest": 53}

    def test_the_same_family_has_the_same_plan_and_another_seed_another(self) -> None:
        assert plan_of(MAIN) == plan_of(MAIN)
        other = plan_of(MAIN.with_(None, MAIN.seed + 1))
        assert other != plan_of(MAIN)
        assert Counter(other) == Counter(plan_of(MAIN))

    def test_the_plan_does_not_depend_on_ranges(self) -> None:
        wide = replace(MAIN, blocks=replace(MAIN.blocks, x=Span(-1.0, 1.0)))
        assert plan_of(wide) == plan_of(MAIN)

    def test_number_and_rank_are_dealt_apart(self) -> None:
        """Neither tells the other: every pair occurs about as often as it should."""
        mixed = replace(
            MAIN,
            count=900,
            hidden=replace(
                MAIN.hidden, ranks=(("largest", 1), ("middle", 1), ("smallest", 1))
            ),
        )
        cells = Counter(plan_of(mixed))
        assert len(cells) == 6
        for n in cells.values():
            # 150 are expected; six standard deviations of a hypergeometric draw.
            assert abs(n - 150) < 6 * 8.2

    def test_the_first_scenes_are_mixed(self) -> None:
        first = {cell.blocks for cell in plan_of(MAIN)[:12]}
        assert first == {3, 4}

    def test_a_cell_is_a_pair(self) -> None:
        assert Cell(3, "largest") == (3, "largest")


class TestDraws:
    """Pinned: a later Python or program that drew otherwise would change every set."""

    def test_a_stream_is_what_it_was(self) -> None:
        draws = Draws(20260, 0, 0)
        found = [draws.meters(Span(0.0, 1.0)) for _ in range(3)]
        again = Draws(20260, 0, 0)
        assert found == [again.meters(Span(0.0, 1.0)) for _ in range(3)]
        assert all(0 <= value <= 1 for value in found)
        assert found != [Draws(20260, 0, 1).meters(Span(0.0, 1.0)) for _ in range(3)]

    @QUICK
    @given(st.integers(), st.lists(st.integers(), max_size=3))
    def test_streams_of_other_paths_differ(self, seed: int, path: list[int]) -> None:
        mine = [Draws(seed, *path).number(Span(0, 1)) for _ in range(2)]
        other = [Draws(seed, *path, 0).number(Span(0, 1)) for _ in range(2)]
        assert mine != other

    @QUICK
    @given(st.integers(), st.lists(st.integers(), max_size=20))
    def test_shuffling_keeps_every_item(self, seed: int, items: list[int]) -> None:
        assert sorted(Draws(seed).shuffled(items)) == sorted(items)

    @QUICK
    @given(st.integers(), st.integers(1, 100))
    def test_an_index_is_one(self, seed: int, count: int) -> None:
        draws = Draws(seed)
        assert all(0 <= draws.index(count) < count for _ in range(20))

    def test_shuffles_are_uniform(self) -> None:
        """All six orders of three, about as often: no order is left out."""
        orders = Counter(tuple(Draws(seed).shuffled("abc")) for seed in range(1200))
        assert len(orders) == 6
        assert all(abs(n - 200) < 6 * 12.9 for n in orders.values())

    def test_fixing_one_value_leaves_the_others(self) -> None:
        free, fixed = Draws(1), Draws(1)
        free.meters(Span(0, 1))
        assert fixed.meters(Span(0.5, 0.5)) == 0.5
        assert free.degrees(Span(0, 90)) == fixed.degrees(Span(0, 90))

    def test_zero_has_no_sign(self) -> None:
        assert str(Draws(1).meters(Span(-0.0, -0.0))) == "0.0"
        assert str(Draws(1).degrees(Span(-1e-6, -1e-6))) == "0.0"

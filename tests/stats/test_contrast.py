"""The order of the methods, what counts, and what must change nothing."""

import dataclasses
import math
import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.stats.contrast import compare, contrast
from director_gui.stats.replies import Replies
from director_gui.stats.result import Comparison

Cell = Sequence[int | None]
Table = Sequence[Sequence[Cell]]
cells = st.lists(st.sampled_from([0, 1, None]), min_size=0, max_size=4)
tables = st.lists(st.tuples(cells, cells), min_size=3, max_size=9)


def rows_of(
    table: Table, names: Sequence[str] = ("A", "B"), prefix: str = "s"
) -> list[tuple[str, str, int | None]]:
    return [
        (f"{prefix}{number}", name, y)
        for number, row in enumerate(table)
        for name, ys in zip(names, row, strict=True)
        for y in ys
    ]


def compared(table: Table, **options: bool) -> Comparison:
    return compare(Replies.of(rows_of(table)), "A", "B", **options)


VARIED = [([0, 0], [1, 0]), ([1, 0], [1, 1]), ([0, 0], [1, 1]), ([1, 1], [0, 1])]


@pytest.mark.parametrize(
    ("table", "method", "reason"),
    [
        ([([0], []), ([1], [None])] * 3, "none", "no_replies"),
        ([([0], [1]), ([1], [0])], "none", "too_few_scenes"),
        ([([0], [1]), ([1], [0]), ([1], [])], "none", "too_few_scenes"),
        ([([0], [1])] * 3, "bounded", None),
        ([([0, 1], [1, 1]), ([0, 0], [0, 1])] * 3, "bounded", None),
        ([([0], [1]), ([0], [0]), ([0], [1])], "cluster_t", None),
        ([([1], [1]), ([1], [0]), ([1], [1])], "cluster_t", None),
        (VARIED, "gee_t", None),
    ],
)
def test_first_rule_that_fits_wins(
    table: Table, method: str, reason: str | None
) -> None:
    found = compared(table)
    assert (found.method, found.reason) == (method, reason)


def test_no_reply_leaves_no_estimate_but_too_few_scenes_does() -> None:
    assert compared([([0], [])] * 4).estimate is None
    few = compared([([0], [1]), ([1], [1])])
    assert few.estimate == 0.5
    assert (few.ci_low, few.ci_high, few.p, few.se, few.df) == (None,) * 5
    assert few.flags == ()


def test_alike_scenes_are_bounded_only_when_they_are_at_least_half() -> None:
    paired = [([0, 1], [1, 1])] * 3
    lone = [([1], [])] * 2 + [([], [0])]
    assert compared(paired + lone).method == "bounded"
    assert compared([*paired, *lone, ([0], [])]).method == "gee_t"


def test_three_conditions_in_three_scenes_leave_no_degree_of_freedom() -> None:
    rows = rows_of([([0], [1], [1]), ([1], [0], [1]), ([1], [1], [0])], "ABC")
    found = contrast(Replies.of(rows), {"A": 0.5, "B": 0.5, "C": -1})
    assert found.reason == "too_few_scenes"
    assert found.fewest_scenes == 3


def test_flags_name_what_is_thin() -> None:
    apart = [([0, 1], [])] * 2 + [([1], [])] + [([], [1, 0])] * 2 + [([], [0])]
    found = compared(apart)
    assert found.flags == ("some_scenes_lack_a_condition", "no_paired_scene")
    assert found.informative_scenes is None
    assert "few_informative_scenes" in compared(VARIED).flags
    assert "clipped" in compared(VARIED).flags


@pytest.mark.parametrize(("paired", "scenes"), [(2, 5), (3, 3), (4, 4)])
def test_bound_goes_by_paired_scenes_if_there_are_three(
    paired: int, scenes: int
) -> None:
    lone = [([0], [])] * (5 - paired) + [([], [0])] * (5 - paired)
    found = compared([([0], [0])] * paired + lone)
    assert (found.method, found.paired_scenes) == ("bounded", paired)
    assert found.ci_high == pytest.approx(1 - 0.025 ** (1 / scenes))


@pytest.mark.parametrize("names", [("A", "B"), ("B", "A")])
def test_an_interval_cut_at_either_end_is_flagged(names: tuple[str, str]) -> None:
    found = compare(Replies.of(rows_of(VARIED)), *names)
    assert "clipped" in found.flags
    assert 1 in (found.ci_high, -found.ci_low)


def test_interval_stays_within_the_largest_contrast() -> None:
    found = compared(VARIED)
    assert -1 <= found.ci_low < found.ci_high <= 1


def test_guard_is_off_unless_few_scenes_differ() -> None:
    many = VARIED * 5
    assert compared(many, guard=True) == compared(many)
    assert compared(VARIED, guard=True).ci_low <= compared(VARIED).ci_low


def test_difference_of_differences_is_one_joint_contrast() -> None:
    table = [([0, 1], [1, 1], [0, 0], [1, 0]), ([0, 0], [1, 0], [1, 0], [1, 1])] * 4
    replies = Replies.of(rows_of(table, ("A0", "A1", "B0", "B1")))
    found = contrast(replies, {"A0": 1, "A1": -1, "B0": -1, "B1": 1})
    effect_a, effect_b = compare(replies, "A0", "A1"), compare(replies, "B0", "B1")
    assert found.estimate == pytest.approx(effect_b.estimate - effect_a.estimate)
    assert found.df in (None, 8 - 4)


@given(tables)
def test_every_number_is_finite_and_in_order(table: Table) -> None:
    found = compared(table)
    for name in ("estimate", "se", "ci_low", "ci_high", "p"):
        value = getattr(found, name)
        assert value is None or math.isfinite(value)
    if found.method == "none":
        assert found.reason is not None
    else:
        assert found.ci_low <= found.estimate <= found.ci_high
        assert 0 <= found.p <= 1


@given(tables, st.randoms(use_true_random=False))
def test_row_order_changes_nothing(table: Table, shuffler: random.Random) -> None:
    rows = rows_of(table)
    mixed = shuffler.sample(rows, len(rows))
    first, second = Replies.of(rows), Replies.of(mixed)
    assert compare(first, "A", "B") == compare(second, "A", "B")


@given(tables, cells)
def test_unrelated_conditions_change_nothing(table: Table, other: Cell) -> None:
    rows = rows_of(table)
    more = [("s0", "C", y) for y in other] + [("elsewhere", "C", 1)]
    alone, among = Replies.of(rows), Replies.of(more + rows)
    assert compare(alone, "A", "B") == compare(among, "A", "B")


@pytest.mark.parametrize("seed", range(40))
def test_unrelated_scenes_do_not_even_change_rounding(seed: int) -> None:
    rng = random.Random(seed)
    table = [[[rng.randint(0, 1) for _ in range(3)] for _ in "AB"] for _ in range(50)]
    rows = rows_of(table)
    between = [(f"s{i}x", "C", 1) for i in range(0, 50, 3)]
    among = compare(Replies.of(rows + between), "A", "B")
    assert among == compare(Replies.of(rows), "A", "B")


@given(tables)
def test_names_of_scenes_change_nothing(table: Table) -> None:
    upward, downward = rows_of(table), rows_of(table[::-1], prefix="z")
    first = compare(Replies.of(upward), "A", "B")
    second = compare(Replies.of(downward), "A", "B")
    assert first.method == second.method
    for name in ("estimate", "se", "ci_low", "ci_high"):
        value = getattr(second, name)
        assert getattr(first, name) == (
            value if value is None else pytest.approx(value, abs=1e-12)
        )


@given(tables)
def test_names_of_conditions_change_nothing_but_the_names(table: Table) -> None:
    """Which name sorts first must not decide which is the reference."""
    plain = compare(Replies.of(rows_of(table)), "A", "B")
    turned = compare(Replies.of(rows_of(table, ("z", "a"))), "z", "a")
    assert dataclasses.replace(turned, conditions=("A", "B")) == plain


@given(tables)
def test_exchanging_the_conditions_mirrors_the_result(table: Table) -> None:
    replies = Replies.of(rows_of(table))
    there, back = compare(replies, "A", "B"), compare(replies, "B", "A")
    assert there.method == back.method
    if there.method != "none":
        assert there.estimate == pytest.approx(-back.estimate, abs=1e-12)
        assert there.ci_low == pytest.approx(-back.ci_high, abs=1e-12)
        assert there.p == pytest.approx(back.p, rel=1e-9)


@given(tables)
def test_unanswered_replies_are_dropped(table: Table) -> None:
    answered = [row for row in rows_of(table) if row[2] is not None]
    full, short = Replies.of(rows_of(table)), Replies.of(answered)
    assert compare(full, "A", "B") == compare(short, "A", "B")


@given(tables)
def test_doubling_the_weights_doubles_the_contrast(table: Table) -> None:
    replies = Replies.of(rows_of(table))
    once = contrast(replies, {"A": -1, "B": 1})
    twice = contrast(replies, {"A": -2, "B": 2})
    assert once.method == twice.method
    if once.method != "none":
        assert twice.estimate == pytest.approx(2 * once.estimate)
        assert twice.ci_low == pytest.approx(2 * once.ci_low, abs=1e-12)
        assert twice.p == pytest.approx(once.p)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({"A": -1}, "two different conditions"),
        ({"A": 0, "B": 0}, "other than 0"),
        ({"A": -1, "B": math.nan}, "other than 0"),
        ({"A": math.inf, "B": -math.inf}, "other than 0"),
        ({"A": 1e308, "B": 1e308, "C": -1e308, "D": -1e308}, "within ±1,000,000"),
        ({"A": -1, "B": 0.9}, "sum to -0.1"),
    ],
)
def test_weights_that_are_no_contrast_are_refused(
    weights: dict[str, float], said: str
) -> None:
    with pytest.raises(UserError, match=said):
        contrast(Replies.of(rows_of(VARIED)), weights)


def test_weights_in_thirds_are_a_contrast() -> None:
    rows = rows_of([([0], [1], [0], [1]), ([1], [1], [0], [0])] * 4, "ABCD")
    weights = {"A": 1 / 3, "B": 1 / 3, "C": 1 / 3, "D": -1}
    assert contrast(Replies.of(rows), weights).ci_high <= 1


def test_a_condition_is_not_compared_with_itself() -> None:
    with pytest.raises(UserError, match="with itself"):
        compare(Replies.of(rows_of(VARIED)), "A", "A")


def in_batches(batch_a: list[str], batch_b: list[str]) -> Replies:
    return Replies.of(
        (scene, name, y, batch)
        for scene, name, y in rows_of(VARIED)
        for batch in (batch_a if name == "A" else batch_b)
    )


def test_one_batch_is_compared() -> None:
    assert compare(in_batches(["1"], ["1"]), "A", "B") == compared(VARIED)


def test_conditions_of_different_batches_are_refused_with_the_reason() -> None:
    with pytest.raises(UserError, match=r"drifts between batches.*share no batch"):
        compare(in_batches(["1"], ["2"]), "A", "B")


def test_a_base_that_is_in_every_batch_asks_for_a_choice() -> None:
    with pytest.raises(UserError, match="holds them all: 2"):
        compare(in_batches(["1", "2"], ["2"]), "A", "B")


def test_batches_of_other_conditions_do_not_matter() -> None:
    replies = Replies.of(
        [(*row, "1") for row in rows_of(VARIED)] + [("s0", "C", 1, "2")]
    )
    assert compare(replies, "A", "B").method == "gee_t"

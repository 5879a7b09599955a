"""The table of replies: verbatim labels, counts per scene, nothing that moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.stats.replies import Replies, Reply

labels = st.sampled_from(["1", "01", " 1", "1.0", "NA", "None", "nan", "é", "e\u0301"])
rows = st.lists(st.tuples(labels, labels, st.sampled_from([0, 1, None])), max_size=40)


@given(rows)
def test_counts_are_those_of_a_plain_loop(
    table: list[tuple[str, str, int | None]],
) -> None:
    replies = Replies.of(table)
    for name in replies.conditions:
        tally = replies.tally(name)
        for place, scene in enumerate(replies.scenes):
            ys = [y for s, c, y in table if (s, c) == (scene, name) and y is not None]
            assert tally.answered[place] == len(ys)
            assert tally.events[place] == sum(ys)


@given(rows)
def test_labels_are_kept_verbatim_and_in_string_order(
    table: list[tuple[str, str, int | None]],
) -> None:
    replies = Replies.of(table)
    assert list(replies.scenes) == sorted({scene for scene, _, _ in table})
    assert list(replies.conditions) == sorted({name for _, name, _ in table})


@given(rows)
def test_residuals_of_a_condition_sum_to_nothing(
    table: list[tuple[str, str, int | None]],
) -> None:
    replies = Replies.of(table)
    for name in replies.conditions:
        tally = replies.tally(name)
        assert tally.n == tally.answered.sum()
        assert tally.k == tally.events.sum()
        assert abs(tally.residual.sum()) < 1e-9
        assert np.isnan(tally.per_scene).sum() == len(replies.scenes) - tally.scenes


def test_a_leading_zero_makes_another_scene() -> None:
    replies = Replies.of([("01", "A", 1), ("1", "A", 0), ("1", "A", None)])
    assert replies.scenes == ("01", "1")
    assert replies.tally("A").per_scene.tolist() == [1.0, 0.0]


def test_only_unanswered_replies_make_a_condition_without_replies() -> None:
    replies = Replies.of([("s", "A", None), ("s", "B", 1)])
    assert replies.conditions == ("A", "B")
    assert replies.tally("A").n == 0
    assert np.isnan(replies.tally("A").per_scene[0])
    replies.require(["A", "B"])


def test_a_name_that_never_occurs_is_reported_with_those_that_do() -> None:
    replies = Replies.of([("s", "A", 1)])
    assert replies.tally("a").n == 0
    with pytest.raises(UserError, match=r"'a'.*Conditions here: A"):
        replies.require(["a"])
    with pytest.raises(UserError, match="Conditions here: none"):
        Replies.of([]).require(["a"])


@pytest.mark.parametrize("y", [2, -1, 0.5, "1", float("nan")])
def test_any_other_y_is_refused(y: int) -> None:
    with pytest.raises(UserError, match="reply 2: y must be 0, 1 or nothing"):
        Replies.of([("s", "A", 1), ("s", "A", y)])


@pytest.mark.parametrize("y", [True, 1.0, np.int64(1)])
def test_y_may_be_any_kind_of_one(y: int) -> None:
    assert Replies.of([("s", "A", y)]).tally("A").k == 1


def test_arrays_cannot_be_written() -> None:
    tally = Replies.of([("s", "A", 1)]).tally("A")
    for array in (tally.events, tally.answered, tally.influence, tally.per_scene):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 3
    with pytest.raises(TypeError):
        Replies.of([("s", "A", 1)]).tallies["B"] = tally


def test_batches_count_answered_replies_alone() -> None:
    replies = Replies.of([Reply("s", "A", 1, "b1"), Reply("s", "A", None, "b2")])
    assert replies.batches["A"] == {"b1"}

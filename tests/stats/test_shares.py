"""The share of one condition and its interval over resampled scenes."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.stats.replies import Replies
from director_gui.stats.shares import RESAMPLES, draws, share

Scenes = list[list[int]]
scenes = st.lists(
    st.lists(st.integers(0, 1), min_size=1, max_size=4), min_size=3, max_size=12
)


def replies_of(ys_of_scenes: Scenes) -> Replies:
    return Replies.of(
        (f"s{place:02}", "A", y) for place, ys in enumerate(ys_of_scenes) for y in ys
    )


def slow_share_interval(ys_of_scenes: Scenes, seed: int = 0) -> list[float]:
    """Return the interval by drawing scenes one resample after another."""
    count = len(ys_of_scenes)
    uniform = np.random.default_rng(seed).random((RESAMPLES, count))
    shares = []
    for row in np.floor(uniform * count).astype(int):
        drawn = [ys_of_scenes[place] for place in row]
        shares.append(sum(map(sum, drawn)) / sum(map(len, drawn)))
    shares.sort()
    return [_type_7(shares, q) for q in (0.025, 0.975)]


def _type_7(ordered: list[float], q: float) -> float:
    place = q * (len(ordered) - 1)
    low = math.floor(place)
    return ordered[low] + (place - low) * (ordered[low + 1] - ordered[low])


@pytest.mark.parametrize("seed", [0, 7])
def test_fast_form_is_the_plain_resampling(seed: int) -> None:
    ys = [[1, 0, 1], [0], [1, 1], [0, 0, 0, 1], [1]]
    found = share(replies_of(ys), "A", seed)
    assert found.method == "bootstrap"
    assert [found.ci_low, found.ci_high] == pytest.approx(
        slow_share_interval(ys, seed), abs=1e-12
    )


def test_count_matrix_gives_the_very_shares_of_summing() -> None:
    rng = np.random.default_rng(5)
    m = rng.integers(1, 6, 40)
    k = rng.binomial(m, 0.4)
    chosen = np.floor(np.random.default_rng(0).random((RESAMPLES, 40)) * 40)
    summed = k[chosen.astype(int)].sum(axis=1) / m[chosen.astype(int)].sum(axis=1)
    drawn = draws(40, 0)
    assert np.array_equal((drawn @ k) / (drawn @ m), summed)
    assert not drawn.flags.writeable


@given(scenes)
def test_interval_is_never_without_width_and_holds_the_share(ys: Scenes) -> None:
    found = share(replies_of(ys), "A")
    assert 0 <= found.ci_low < found.ci_high <= 1
    assert found.ci_low <= found.share <= found.ci_high
    alike = len({sum(scene) / len(scene) for scene in ys}) == 1
    assert found.method == ("bounded" if alike else "bootstrap")


@pytest.mark.parametrize(("y", "low", "high"), [(0, 0, "u"), (1, "1-u", 1)])
def test_no_event_and_all_events_are_bounded(
    y: int, low: float | str, high: float | str
) -> None:
    found = share(replies_of([[y]] * 160), "A")
    u = 1 - 0.025 ** (1 / 160)
    named = {"u": u, "1-u": 1 - u}
    assert found.ci_low == pytest.approx(named.get(low, low), abs=1e-12)
    assert found.ci_high == pytest.approx(named.get(high, high), abs=1e-12)


def test_equal_shares_from_unequal_counts_are_alike() -> None:
    found = share(replies_of([[1, 0], [1, 0, 1, 0], [0, 1]]), "A")
    assert (found.method, found.share) == ("bounded", 0.5)


def test_too_few_scenes_show_the_share_alone() -> None:
    found = share(replies_of([[1], [0]]), "A")
    assert (found.share, found.method, found.reason) == (0.5, "none", "too_few_scenes")
    assert (found.ci_low, found.ci_high) == (None, None)


def test_no_reply_shows_nothing() -> None:
    found = share(Replies.of([("s", "A", None)]), "A")
    assert (found.share, found.n, found.reason) == (None, 0, "no_replies")


def test_scenes_without_an_answer_are_not_drawn() -> None:
    ys = [[1, 0], [0], [1]]
    more = Replies.of(
        [("a-first", "A", None), ("a-first", "B", 1)]
        + [(f"s{i}", "A", y) for i, scene in enumerate(ys) for y in scene]
    )
    alone, among = share(replies_of(ys), "A"), share(more, "A")
    assert alone == among

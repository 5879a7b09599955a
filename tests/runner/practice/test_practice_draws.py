"""Draws are fixed by what they are for, uniform, and alike within a scene."""

import threading
from statistics import correlation, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.practice.draws import (
    Tally,
    correlated_uniform,
    difficulty,
    generator,
)


@given(st.lists(st.text() | st.integers(), max_size=4))
def test_same_parts_make_the_same_generator(parts: list[str | int]) -> None:
    assert generator(*parts).random() == generator(*parts).random()


def test_generator_is_the_same_on_every_machine() -> None:
    # Pinned: a change of this value changes every practice study.
    assert generator("a", 1).random() == pytest.approx(0.49834980302887444, abs=1e-15)


def test_parts_do_not_run_together() -> None:
    assert generator("ab", "c").random() != generator("a", "bc").random()


@pytest.mark.parametrize("r", [0.0, 0.4, 0.9])
def test_draws_are_uniform_over_scenes_whatever_the_correlation(r: float) -> None:
    rng = generator("uniform", r)
    draws = [
        correlated_uniform(rng, difficulty(3, f"scene {i}"), r) for i in range(4000)
    ]
    assert all(0.0 < u < 1.0 for u in draws)
    for edge in (0.05, 0.2, 0.5, 0.8, 0.95):
        share = fmean(u < edge for u in draws)
        # Four standard errors of a share of 4,000 independent scenes.
        assert abs(share - edge) < 4 * (edge * (1 - edge) / 4000) ** 0.5


def test_two_replies_of_one_scene_are_alike() -> None:
    rng = generator("pairs")
    levels = [difficulty(3, f"scene {i}") for i in range(3000)]
    first = [correlated_uniform(rng, level, 0.4) for level in levels]
    second = [correlated_uniform(rng, level, 0.4) for level in levels]
    # Uniform margins of a Gaussian copula: 6/pi * asin(r/2) = 0.385 for r = 0.4.
    assert correlation(first, second) == pytest.approx(0.385, abs=0.05)


def test_tally_counts_each_key_for_itself() -> None:
    tally = Tally()
    assert [tally.next(key) for key in "aabab"] == [0, 1, 0, 2, 1]


def test_tally_gives_every_number_once_across_threads() -> None:
    tally, seen = Tally(), []
    lock = threading.Lock()

    def count() -> None:
        for _ in range(300):
            number = tally.next("key")
            with lock:
                seen.append(number)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(1200))

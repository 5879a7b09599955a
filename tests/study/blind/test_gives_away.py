"""The classifier behind “what the text itself gives away”."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.study.blind.gives_away import _auc, _se, gives_away

WORDS = ("block", "table", "partition", "largest", "number", "picture", "edge", "see")


def texts(count: int, told: str = "") -> tuple[list[str], list[str], list[str]]:
    rng = random.Random(7)
    said, conditions, scenes = [], [], []
    for at in range(count):
        condition = ("move.ask", "move.plain")[at % 2]
        extra = told if condition == "move.ask" else ""
        said.append(" ".join(rng.choices(WORDS, k=40)) + extra)
        conditions.append(condition)
        scenes.append(f"s{at // 4}")
    return said, conditions, scenes


def test_texts_that_say_it_give_everything_away() -> None:
    found = gives_away(*texts(160, " xylophone quartz"))
    assert found.auc is not None
    assert found.auc > 0.99
    assert set(found.by_condition) == {"move.ask", "move.plain"}
    assert "AUC 1.00 ± 0.0" in found.in_words()


def test_texts_that_say_nothing_are_near_chance() -> None:
    found = gives_away(*texts(400))
    assert found.auc is not None
    assert 0.38 < found.auc < 0.62


def test_what_a_scene_alone_tells_is_not_learnt() -> None:
    """Each scene has a word of its own and one condition: folds keep scenes whole."""
    said, conditions, scenes = [], [], []
    for at in range(200):
        scene = at // 10
        said.append(f"word{scene * 7919} " * 3)
        conditions.append(("a", "b")[scene % 2])
        scenes.append(f"s{scene}")
    found = gives_away(said, conditions, scenes)
    assert found.auc is not None
    assert found.auc < 0.75  # shared letters of numbers; with leaks it would be 1


@pytest.mark.parametrize(("count", "words"), [(12, "5 scenes"), (24, "10 texts each")])
def test_too_few_texts_are_said_to_be(count: int, words: str) -> None:
    said, conditions, scenes = texts(count)
    if count == 24:
        conditions = ["a"] * 20 + ["b"] * 4
    found = gives_away(said, conditions, scenes)
    assert found.auc is None
    assert words in found.in_words()


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=30
    ).filter(lambda pairs: len({mine for _, mine in pairs}) == 2)
)
def test_the_area_is_the_share_of_pairs_in_order(
    pairs: list[tuple[int, bool]],
) -> None:
    scores = np.array([float(score) for score, _ in pairs])
    mine = np.array([is_mine for _, is_mine in pairs])
    wins = [
        1.0 if a > b else 0.5 if a == b else 0.0
        for a in scores[mine]
        for b in scores[~mine]
    ]
    assert _auc(scores, mine) == pytest.approx(sum(wins) / len(wins))


def test_the_standard_error_is_that_of_exponential_scores() -> None:
    """The formula is exact for them; here against 4,000 simulated areas."""
    rng = np.random.default_rng(1)
    mine = rng.exponential(4.0, (4000, 20, 1))  # area 4 / (4 + 1)
    others = rng.exponential(1.0, (4000, 1, 30))
    areas = (mine > others).mean(axis=(1, 2))
    assert areas.mean() == pytest.approx(0.8, abs=0.005)
    assert _se(0.8, 20, 50) == pytest.approx(areas.std(), rel=0.04)
    assert _se(1.0, 5, 10) == 0.0

"""Bang's index against published and hand-computed values, and its edges in words."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding.bang import Z95, bang

counts = st.integers(0, 400)


@pytest.mark.parametrize(
    ("right", "wrong", "unknown", "value", "se"),
    [
        # The cholesterol trial (CRISP) of Bang et al. (2004): lovastatin, placebo.
        (82, 27, 170, 55 / 279, 0.035511),
        (29, 25, 83, 4 / 137, 0.053581),
        # By hand: p = .6, q = .2, so (.24 + .16 + .24) / 10 = .064 is the variance.
        (6, 2, 2, 0.4, math.sqrt(0.064)),
        # p = q = .5: (.25 + .25 + .5) / 20 = .05
        (10, 10, 0, 0.0, math.sqrt(0.05)),
        # p = .25, q = 0: .1875 / 4
        (1, 0, 3, 0.25, math.sqrt(0.046875)),
    ],
)
def test_known_values(
    right: int, wrong: int, unknown: int, value: float, se: float
) -> None:
    found = bang(right, wrong, unknown)
    assert found.value == pytest.approx(value, abs=1e-12)
    assert found.se == pytest.approx(se, abs=1e-6)
    assert found.ci is not None
    assert found.ci[0] == pytest.approx(value - Z95 * se, abs=1e-5)
    assert found.n == right + wrong + unknown


@pytest.mark.parametrize(
    ("answers", "value", "words"),
    [
        ((7, 0, 0), 1.0, "7 answers, all right"),
        ((0, 7, 0), -1.0, "7 answers, all wrong"),
        ((0, 0, 7), 0.0, "all “don't know”"),
        ((1, 0, 0), 1.0, "1 answer, all right"),
    ],
)
def test_answers_that_are_all_alike_have_no_interval(
    answers: tuple[int, int, int], value: float, words: str
) -> None:
    found = bang(*answers)
    assert (found.value, found.ci, found.se) == (value, None, 0.0)
    assert words in found.note


def test_nobody_guessed() -> None:
    found = bang(0, 0, 0)
    assert (found.value, found.se, found.ci) == (None, None, None)
    assert found.note == "nobody guessed"


def test_negative_counts_are_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="negative"):
        bang(1, -1, 0)


@given(counts, counts, counts)
def test_it_is_the_published_product(right: int, wrong: int, unknown: int) -> None:
    """(2 r - 1) of those who guess, times the share that guesses at all."""
    found = bang(right, wrong, unknown)
    guessed, n = right + wrong, right + wrong + unknown
    if guessed:
        product = (2 * right / guessed - 1) * guessed / n
        assert found.value == pytest.approx(product, abs=1e-12)


@given(counts, counts, counts)
def test_swapping_right_and_wrong_turns_the_sign(a: int, b: int, c: int) -> None:
    one, other = bang(a, b, c), bang(b, a, c)
    if one.value is not None:
        assert other.value == pytest.approx(-one.value)
        assert other.se == pytest.approx(one.se)
        assert abs(one.value) <= 1
    if one.ci is not None:
        assert -1 <= one.ci[0] < one.ci[1] <= 1


def test_the_standard_error_is_that_of_repeated_guessing() -> None:
    """An independent value: the spread of the index over simulated arms."""
    draw, n = random.Random(4), 60
    values = []
    for _ in range(4000):
        picks = draw.choices("rwu", (0.45, 0.25, 0.3), k=n)
        values.append(bang(*(picks.count(c) for c in "rwu")).value or 0.0)
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    expected = bang(27, 15, 18)
    assert expected.se is not None
    assert spread == pytest.approx(expected.se, rel=0.05)
    assert mean == pytest.approx(0.2, abs=0.01)

"""Planning: both directions, the pilot, and the formula by other means."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from director_gui.errors import UserError
from director_gui.stats.contrast import compare
from director_gui.stats.planning import (
    Design,
    detectable_difference,
    scenes_from_pilot,
    scenes_needed,
)
from director_gui.stats.replies import Replies

designs = st.builds(
    Design,
    pa=st.floats(0.01, 0.9),
    icc=st.floats(0, 1),
    samples=st.integers(1, 20),
    overlap=st.floats(0, 0.9),
)


def reach(scenes: int) -> float:
    return stats.t.ppf(0.975, scenes - 2) + stats.t.ppf(0.8, scenes - 2)


def se(design: Design, difference: float, scenes: int) -> float:
    """Return the standard error as the design document writes it."""
    pa, pb, m, rho = design.pa, design.pa + difference, design.samples, design.icc
    gamma = design.overlap * rho * (min(pa, pb) - pa * pb)
    first = (pa * (1 - pa) + pb * (1 - pb)) * (1 + (m - 1) * rho) / m
    return math.sqrt((first - 2 * gamma) / scenes)


def iterated(design: Design, scenes: int) -> float:
    """Return the detectable difference by plain fixed-point iteration."""
    difference = 0.1
    for _ in range(500):
        difference = reach(scenes) * se(design, difference, scenes)
    return difference


@pytest.mark.parametrize("pa", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("icc", [0.0, 0.3, 0.9])
@pytest.mark.parametrize("overlap", [0.0, 0.5, 1.0])
def test_detectable_difference_solves_its_equation(
    pa: float, icc: float, overlap: float
) -> None:
    design = Design(pa, icc, 5, overlap)
    found = detectable_difference(design, 160)
    assert found == pytest.approx(iterated(design, 160), rel=1e-9)


@given(designs, st.floats(0.02, 0.9))
def test_scenes_needed_is_the_smallest_number_that_serves(
    design: Design, difference: float
) -> None:
    assume(design.pa + difference <= 1)
    scenes = scenes_needed(design, difference)
    assert reach(scenes) * se(design, difference, scenes) <= difference * (1 + 1e-12)
    if scenes > 3:
        fewer = scenes - 1
        assert reach(fewer) * se(design, difference, fewer) > difference * (1 - 1e-12)


@given(designs, st.integers(3, 2000))
def test_the_two_directions_agree(design: Design, scenes: int) -> None:
    difference = detectable_difference(design, scenes)
    assume(difference is not None)
    assert scenes_needed(design, min(difference * (1 + 1e-9), 1 - design.pa)) <= scenes


def test_the_example_of_the_help() -> None:
    assert scenes_needed(Design(0.2), 0.1) == 130
    assert detectable_difference(Design(0.2), 160) == pytest.approx(0.08939, abs=1e-5)


def test_a_decrease_mirrors_an_increase() -> None:
    assert scenes_needed(Design(0.8), -0.1) == scenes_needed(Design(0.2), 0.1)


def test_too_few_scenes_detect_nothing() -> None:
    assert detectable_difference(Design(0.5), 3) is None
    assert detectable_difference(Design(1.0), 160) is None


def test_shared_difficulty_and_more_samples_need_fewer_scenes() -> None:
    plain = scenes_needed(Design(0.3, 0.5), 0.1)
    assert scenes_needed(Design(0.3, 0.5, overlap=0.8), 0.1) < plain
    assert scenes_needed(Design(0.3, 0.5, samples=1), 0.1) > plain


def test_the_formula_is_the_spread_of_simulated_studies() -> None:
    """Beta-distributed scenes give the correlation that the formula speaks of."""
    rng = np.random.default_rng(8)
    design, scenes, draws = Design(0.3, 0.3), 60, 4000
    size = (1 - design.icc) / design.icc
    shares = [
        rng.binomial(5, rng.beta(p * size, (1 - p) * size, (draws, scenes))).mean(
            axis=1
        )
        / 5
        for p in (0.3, 0.5)
    ]
    spread = np.std(shares[1] - shares[0])
    assert spread == pytest.approx(se(design, 0.2, scenes), rel=0.05)


def test_a_pilot_plans_from_its_own_standard_error() -> None:
    rng = np.random.default_rng(2)
    rows = [
        (f"s{i}", name, int(rng.random() < rate))
        for i in range(30)
        for name, rate in (("A", 0.3), ("B", 0.5))
        for _ in range(4)
    ]
    pilot = compare(Replies.of(rows), "A", "B")
    scenes = scenes_from_pilot(pilot, 0.1)
    spread = pilot.se * math.sqrt(30)
    assert reach(scenes) * spread / math.sqrt(scenes) <= 0.1
    assert reach(scenes - 1) * spread / math.sqrt(scenes - 1) > 0.1
    assert scenes_from_pilot(pilot, -0.1) == scenes


def test_a_pilot_without_a_standard_error_is_refused() -> None:
    rows = [(f"s{i}", name, 0) for i in range(4) for name in "AB"]
    with pytest.raises(UserError, match="no standard error"):
        scenes_from_pilot(compare(Replies.of(rows), "A", "B"), 0.1)


@pytest.mark.parametrize(
    ("values", "where"),
    [
        ({"pa": 1.2}, "pa"),
        ({"pa": math.nan}, "pa"),
        ({"pa": 0.2, "icc": -0.1}, "icc"),
        ({"pa": 0.2, "overlap": 1.1}, "overlap"),
        ({"pa": 0.2, "samples": 0}, "samples"),
    ],
)
def test_impossible_designs_are_refused(values: dict[str, float], where: str) -> None:
    with pytest.raises(UserError) as error:
        Design(**values)
    assert error.value.where == where


@pytest.mark.parametrize("difference", [0.0, 1e-9, 0.9, -0.3, math.nan])
def test_impossible_differences_are_refused(difference: float) -> None:
    with pytest.raises(UserError) as error:
        scenes_needed(Design(0.2), difference)
    assert error.value.where == "difference"


def test_fewer_than_three_scenes_are_refused() -> None:
    with pytest.raises(UserError, match="3 or more"):
        detectable_difference(Design(0.2), 2)

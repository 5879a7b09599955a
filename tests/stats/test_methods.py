"""The three methods beside independent programs and exact tests."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from director_gui.stats import methods
from director_gui.stats.contrast import compare
from director_gui.stats.replies import Replies
from director_gui.stats.result import Cov
from director_gui.stats.student import quantile, two_sided_p

Row = tuple[str, str, int]


def drawn(
    seed: int,
    scenes: int = 24,
    rates: tuple[float, float] = (0.2, 0.5),
    samples: int = 5,
    missing: float = 0.1,
) -> list[Row]:
    """Return rows with scenes of their own difficulty and some replies missing."""
    rng = np.random.default_rng(seed)
    hard = rng.normal(0, 1.5, scenes)
    logits = [math.log(rate / (1 - rate)) for rate in rates]
    return [
        (f"s{scene:02}", name, int(rng.random() < 1 / (1 + math.exp(-logit - hard[i]))))
        for i, scene in enumerate(range(scenes))
        for name, logit in zip("AB", logits, strict=True)
        for _ in range(samples)
        if rng.random() >= missing
    ]


def gee(rows: list[Row], cov_type: Cov) -> tuple[float, float]:
    """Return estimate and standard error of statsmodels' logit GEE."""
    import statsmodels.api as sm  # a second, here alone

    y = np.array([row[2] for row in rows])
    design = np.array([[row[1] == "A", row[1] == "B"] for row in rows], dtype=float)
    groups = np.array([int(row[0][1:]) for row in rows])
    model = sm.GEE(
        y,
        design,
        groups=groups,
        family=sm.families.Binomial(),
        cov_struct=sm.cov_struct.Independence(),
    )
    fit = model.fit(cov_type=cov_type)
    assert fit.converged
    shares = 1 / (1 + np.exp(-fit.params))
    slope = np.array([-1, 1]) * shares * (1 - shares)
    return shares[1] - shares[0], math.sqrt(slope @ fit.cov_params() @ slope)


@pytest.mark.parametrize("cov", ["robust", "bias_reduced"])
@pytest.mark.parametrize("seed", range(6))
def test_closed_form_is_the_gee_of_statsmodels(seed: int, cov: Cov) -> None:
    rows = drawn(seed, scenes=8 + 6 * seed, rates=(0.15 + 0.1 * seed, 0.5))
    estimate, se = gee(rows, cov)
    found = compare(Replies.of(rows), "A", "B", cov)
    assert found.method == "gee_t"
    assert found.estimate == pytest.approx(estimate, abs=1e-9)
    assert found.se == pytest.approx(se, rel=1e-6)


def test_cluster_t_with_equal_counts_is_the_paired_t_test() -> None:
    rng = np.random.default_rng(3)
    ys = rng.integers(0, 2, (12, 4))
    rows = [(f"s{i}", "B", int(y)) for i, row in enumerate(ys) for y in row]
    rows += [(f"s{i}", "A", 0) for i in range(12) for _ in range(4)]
    found = compare(Replies.of(rows), "A", "B")
    paired = stats.ttest_rel(ys.mean(axis=1), np.zeros(12))
    assert found.method == "cluster_t"
    assert found.df == paired.df == 11
    assert found.p == pytest.approx(paired.pvalue, rel=1e-9)
    assert found.ci_low == pytest.approx(paired.confidence_interval().low)


def test_bounded_between_none_and_all_is_the_sign_test() -> None:
    rows = [(f"s{i}", name, int(name == "B")) for i in range(9) for name in "AB"]
    found = compare(Replies.of(rows), "A", "B")
    assert found.method == "bounded"
    assert found.p == pytest.approx(stats.binomtest(9, 9).pvalue, rel=1e-12)


def test_bounded_without_events_is_the_rule_the_design_states() -> None:
    found = methods.bounded(0.0, 160, 1.0)
    assert (found.ci_high, found.p) == (pytest.approx(0.0228, abs=5e-5), 1.0)
    assert found.ci_low == -found.ci_high


@given(
    st.floats(-1, 1),
    st.integers(3, 400),
    st.sampled_from([1.0, 2.0]),
)
def test_bounded_p_and_interval_say_the_same(
    part: float, scenes: int, largest: float
) -> None:
    found = methods.bounded(part * largest, scenes, largest)
    assert -largest <= found.ci_low <= part * largest <= found.ci_high <= largest
    if abs(found.p - 0.05) > 1e-9:
        excludes = found.ci_low > 0 or found.ci_high < 0
        assert (found.p < 0.05) == excludes


@pytest.mark.parametrize("df", [1, 2, 38, 158, 5000])
@pytest.mark.parametrize("t", [0.0, 1e-6, 0.7, 2.0, 12.0, 40.0])
def test_p_is_right_far_out_in_the_tail(df: int, t: float) -> None:
    assert two_sided_p(t, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-8, abs=0)
    assert two_sided_p(-t, df) == two_sided_p(t, df)


def test_p_against_the_closed_form_of_two_degrees_of_freedom() -> None:
    for t in (1e-3, 1.0, 30.0, 1e6, 1e12):
        root = math.sqrt(2 + t * t)
        closed = 2 / (root * (root + t))
        assert two_sided_p(t, 2) == pytest.approx(closed, rel=1e-9, abs=0)


@pytest.mark.parametrize("df", [1, 2, 38, 158, 5000])
@pytest.mark.parametrize("probability", [0.8, 0.975])
def test_quantile(df: int, probability: float) -> None:
    assert quantile(probability, df) == pytest.approx(
        stats.t.ppf(probability, df), rel=1e-10
    )

"""Every published right value, through the library, to the stated tolerances."""

import json
from pathlib import Path
from typing import Any

import pytest

from director_gui.stats.contrast import contrast
from director_gui.stats.correction import adjust
from director_gui.stats.display import points_text
from director_gui.stats.result import ALPHA, Comparison, Cov
from director_gui.stats.shares import share
from director_gui.stats.table import read_replies
from director_gui.stats.verdicts import call_in_words, margin_verdict

Case = dict[str, Any]
FOLDER = Path(__file__).parents[1] / "data" / "statistics"
KNOWN = json.loads((FOLDER / "cases.json").read_text())
CASES = [pytest.param(case, id=case["id"]) for case in KNOWN["cases"]]
T_CASES = [
    pytest.param(case, id=case["id"])
    for case in KNOWN["cases"]
    if case["expected"]["method"] == "gee_t"
]
GUARDED = [
    pytest.param(case, id=case["id"])
    for case in KNOWN["cases"]
    if "guard_ci" in case["expected"]
]


def estimated(case: Case, cov: Cov = "robust", *, guard: bool = False) -> Comparison:
    replies = read_replies(FOLDER / case["file"])
    weights = dict(zip(case["conditions"], case["weights"], strict=True))
    return contrast(replies, weights, cov, guard=guard)


def near(value: float | None, tolerance: float) -> object:
    return value if value is None else pytest.approx(value, rel=0, abs=tolerance)


def check_inference(found: Comparison, known: Case) -> None:
    assert found.method == known["method"]
    assert found.df == known["df"]
    assert found.se == near(known["se"], 1e-8)
    assert found.ci_low == near(known["ci_low"], 1e-8)
    assert found.ci_high == near(known["ci_high"], 1e-8)
    p = known["p"]
    assert found.p == (p if p is None else pytest.approx(p, rel=1e-6, abs=0))


@pytest.mark.parametrize("case", CASES)
def test_interval_and_p(case: Case) -> None:
    check_inference(estimated(case), case["expected"])


@pytest.mark.parametrize("case", CASES)
def test_counts_and_estimate(case: Case) -> None:
    found, known = estimated(case), case["expected"]
    assert (found.scenes, found.paired_scenes) == (known["G"], known["G_pair"])
    assert (list(found.n), list(found.k)) == (known["n"], known["k"])
    assert found.fewest_scenes == min(known["scenes_per_cond"])
    assert found.estimate == near(known.get("estimate"), 1e-10)
    assert found.reason == known.get("reason")


@pytest.mark.parametrize("case", CASES)
def test_flags_and_informative_scenes(case: Case) -> None:
    found, known = estimated(case), case["expected"]
    # Without an interval there is nothing to warn of; the reason says it all.
    wanted = [] if known["method"] == "none" else known["flags"]
    assert list(found.flags) == wanted
    assert found.informative_scenes == known.get("informative_scenes")


@pytest.mark.parametrize("case", CASES)
def test_shares_of_the_conditions(case: Case) -> None:
    replies = read_replies(FOLDER / case["file"])
    for name, known in case["shares"].items():
        found = share(replies, name)
        assert found.method == known["method"]
        assert found.reason == known.get("reason")
        assert found.scenes == known["G"]
        assert found.share == near(known["share"], 1e-10)
        assert found.ci_low == near(known["ci_low"], 1e-9)
        assert found.ci_high == near(known["ci_high"], 1e-9)
        if "n" in known:
            assert (found.k, found.n) == (known["k"], known["n"])


@pytest.mark.parametrize("case", T_CASES)
def test_bias_reduced(case: Case) -> None:
    check_inference(estimated(case, cov="bias_reduced"), case["bias_reduced"])


@pytest.mark.parametrize("case", T_CASES)
def test_other_programs_agree(case: Case) -> None:
    """The packages geepack and clubSandwich of R, and statsmodels."""
    robust, reduced = estimated(case), estimated(case, cov="bias_reduced")
    others = case.get("alternatives", {})
    for name, found in {
        "geepack_independence": robust,
        "statsmodels_independence": robust,
        "clubSandwich_CR0": robust,
        "statsmodels_independence_bias_reduced": reduced,
        "clubSandwich_CR3": reduced,
    }.items():
        if name in others:
            assert found.estimate == near(others[name]["est"], 1e-10)
            assert found.se == near(others[name]["se"], 1e-8)


@pytest.mark.parametrize("case", GUARDED)
def test_guard_widens_to_the_bounded_interval(case: Case) -> None:
    found = estimated(case, guard=True)
    low, high = case["expected"]["guard_ci"]
    assert found.ci_low == near(low, 1e-8)
    assert found.ci_high == near(high, 1e-8)
    assert found.p == estimated(case).p


@pytest.mark.parametrize("case", KNOWN["bh"], ids=lambda case: case["name"])
def test_benjamini_hochberg(case: Case) -> None:
    found = adjust(case["p"])
    for value, known in zip(found, case["expected"], strict=True):
        assert value == (known if known is None else pytest.approx(known, rel=1e-12))
    rejected = [value is not None and value <= ALPHA for value in found]
    assert rejected == case["reject_at_005"]


@pytest.mark.parametrize("case", KNOWN["rounding"], ids=lambda case: case["expected"])
def test_points_are_rounded_half_away_from_zero(case: Case) -> None:
    difference = case["k_b"] / case["n_b"] - case["k_a"] / case["n_a"]
    assert points_text(difference, minus="-") == case["expected"]


@pytest.mark.parametrize("case", KNOWN["labels"], ids=lambda case: str(case["ci_low"]))
def test_calls(case: Case) -> None:
    found = call_in_words(case["ci_low"], case["ci_high"], case["p_adj"])
    assert found == case["expected"]


@pytest.mark.parametrize("case", KNOWN["margin"], ids=lambda case: str(case["ci_low"]))
def test_margin(case: Case) -> None:
    found = margin_verdict(case["ci_low"], case["ci_high"], case["margin"])
    assert found == case["expected"]

"""Every value of the case file, made with other programs than ours."""

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from coding.agreement import Agreement, Coder, Pair, agreement, compare

CASES_FILE = Path(__file__).parents[1] / "data" / "agreement" / "agreement_cases.json"
CASES: list[dict[str, Any]] = json.loads(CASES_FILE.read_text())["cases"]
PAIRS = {case["name"]: case for case in CASES if "matrix" not in case}
MANY = {case["name"]: case for case in CASES if "matrix" in case}


def coder(name: str, codes: Sequence[object]) -> Coder:
    given = {str(i): str(code) for i, code in enumerate(codes) if code is not None}
    return Coder(name, given)


def codes_of(case: dict[str, Any]) -> list[str]:
    return [str(code) for code in case["codes"]]


def lists_of(case: dict[str, Any]) -> tuple[list[str], list[str]]:
    if "table" not in case:
        return case["coder_a"], case["coder_b"]
    a, b = [], []
    for row, counts in zip(case["codes"], case["table"], strict=True):
        for column, count in zip(case["codes"], counts, strict=True):
            a += [row] * count
            b += [column] * count
    return a, b


def pair_of(case: dict[str, Any]) -> Pair:
    a, b = lists_of(case)
    return compare(coder("a", a), coder("b", b), codes_of(case))


def all_of(case: dict[str, Any]) -> Agreement:
    matrix = case["matrix"]
    by_coder = len(matrix) == case["expected"]["n_coders"]
    rows = matrix if by_coder else list(zip(*matrix, strict=True))
    coders = [coder(str(i), row) for i, row in enumerate(rows)]
    return agreement(coders, codes_of(case))


def same(found: float | None, wanted: float | None, within: float) -> None:
    if wanted is None or found is None:
        assert found is wanted
    else:
        assert math.isclose(found, wanted, rel_tol=0, abs_tol=within)


def test_the_file_has_the_cases_it_should() -> None:
    assert (len(PAIRS), len(MANY)) == (22, 4)


@pytest.mark.parametrize("name", PAIRS)
def test_counts_percent_and_kappa(name: str) -> None:
    pair, want = pair_of(PAIRS[name]), PAIRS[name]["expected"]
    kappa = pair.kappa
    assert (kappa.n, kappa.agree) == (want["n_pairable"], want["n_agree"])
    same(pair.percent, want["percent"], 1e-12)
    same(kappa.value, want["kappa"], 1e-9)
    same(kappa.se, want["se"], 1e-7)
    same(kappa.expected, want["expected_agreement"], 1e-12)
    same(kappa.maximum, want["kappa_max"], 1e-9)
    assert (pair.kappa_undefined is None) == (want["kappa_undefined_reason"] is None)


@pytest.mark.parametrize("name", PAIRS)
def test_intervals(name: str) -> None:
    pair, want = pair_of(PAIRS[name]), PAIRS[name]["expected"]
    exact = want["percent_ci95_clopper_pearson"]
    assert pair.percent_ci == pytest.approx(tuple(exact), abs=1e-9)
    if want["ci"] is None:
        assert pair.kappa.ci is None
    else:
        assert pair.kappa.ci == pytest.approx(tuple(want["ci"]), abs=1e-7)
        assert pair.kappa.ci[0] < pair.kappa.ci[1]


@pytest.mark.parametrize("name", PAIRS)
def test_alpha_and_ac1(name: str) -> None:
    pair, want = pair_of(PAIRS[name]), PAIRS[name]["expected"]
    same(pair.alpha.value, want["alpha"], 1e-9)
    assert pair.alpha.undefined == want["alpha_undefined_reason"]
    same(pair.ac1, want["ac1"], 1e-9)


@pytest.mark.parametrize("name", PAIRS)
def test_indices_are_there_for_two_codes_alone(name: str) -> None:
    pair, want = pair_of(PAIRS[name]), PAIRS[name]["expected"]
    if "prevalence_index" in want:
        same(pair.prevalence_index, want["prevalence_index"], 1e-12)
        same(pair.bias_index, want["bias_index"], 1e-12)
    else:
        if len(pair.codes) != 2:
            assert pair.prevalence_index is pair.bias_index is None
        # Each code against the rest has indices in any case.
        assert all(one.bias_index is not None for one in pair.per_code)


@pytest.mark.parametrize(
    "name", [n for n, c in PAIRS.items() if "per_code" in c["expected"]]
)
def test_per_code(name: str) -> None:
    pair, want = pair_of(PAIRS[name]), PAIRS[name]["expected"]["per_code"]
    assert list(pair.codes) == list(want)
    for one, expected in zip(pair.per_code, want.values(), strict=True):
        same(one.kappa, expected["kappa"], 1e-9)
        assert (one.n_a, one.n_b, one.n_both) == (
            expected["n_a"],
            expected["n_b"],
            expected["n_both"],
        )


@pytest.mark.parametrize("name", MANY)
def test_many_coders(name: str) -> None:
    found, want = all_of(MANY[name]), MANY[name]["expected"]
    same(found.alpha.value, want["alpha"], 1e-9)
    assert found.alpha.undefined == want["alpha_undefined_reason"]
    same(found.ac1, want["ac1"], 1e-9)
    assert len(found.pairs) == len(want["pairwise_cohen"])
    for pair in found.pairs:
        expected = want["pairwise_cohen"][f"{pair.a}-{pair.b}"]
        assert pair.kappa.n == expected["n"]
        same(pair.kappa.value, expected["kappa"], 1e-9)


def test_undefined_is_said_in_words() -> None:
    said = pair_of(PAIRS["seed_36_of_36_one_code"]).kappa_undefined
    assert said == (
        "not defined: both coders used only *not_seen* on 36 items "
        "(36/36 agree; 95 % 90.3\u2013100)"
    )
    one = pair_of(PAIRS["one_item_agree"]).kappa_undefined
    assert one is not None
    assert "on 1 item (1/1 agree; 95 % 2.5\u2013100)" in one


def test_no_shared_item_is_said_in_words() -> None:
    for pair in all_of(MANY["three_coders_disjoint"]).pairs:
        assert pair.kappa_undefined == "no item coded by both"
        assert pair.percent is pair.percent_ci is pair.kappa.expected is None
        assert pair.notes == ()


def test_a_constant_coder_is_said_to_be_uninformative() -> None:
    pairs = all_of(MANY["three_coders_one_constant"]).pairs
    for pair in pairs[:2]:
        assert pair.kappa.value == 0
        assert pair.kappa.constant == "a"
        assert pair.kappa.ci is None
        assert any(
            "uninformative" in note and "0 used only" in note for note in pair.notes
        )
    assert pairs[2].kappa.constant is None
    assert not any("uninformative" in note for note in pairs[2].notes)


def test_a_constant_second_coder_too() -> None:
    a, b = coder("ann", "xxyx"), coder("bob", "xxxx")
    pair = compare(a, b, ["x", "y"])
    assert (pair.kappa.value, pair.kappa.constant, pair.kappa.se) == (0, "b", 0)
    assert "kappa is 0 because bob used only x" in pair.notes[0]


def test_warnings_stand_at_their_thresholds() -> None:
    def notes(n: int, rare: int) -> str:
        codes = ["x"] * (n - rare) + ["y"] * rare
        return " ".join(compare(coder("a", codes), coder("b", codes), ["x", "y"]).notes)

    assert "only 99 items" in notes(99, 5)
    assert "fewer than" not in notes(100, 5)
    assert "rarest used code, y, has 4 items only" in notes(100, 4)
    assert "rarest" not in notes(100, 5)
    assert "standard error is exactly 0" in notes(100, 5)

import json

import pytest

from coding import report
from coding.agreement import Agreement, Coder, agreement

CODES = ("own", "dir", "none")


def found(a: str, b: str, scenes: str = "") -> Agreement:
    """Agreement of two coders whose codes are given by first letters ('-': missing)."""
    letters = {code[0]: code for code in CODES}
    coders = [
        Coder(name, {str(i): letters[c] for i, c in enumerate(row) if c != "-"})
        for name, row in (("ann", a), ("bob", b))
    ]
    by_item = {str(i): c for i, c in enumerate(scenes)}
    return agreement(coders, CODES, by_item or None)


def shown(value: Agreement) -> str:
    return "\n".join(report.lines(value))


def pair(value: Agreement) -> dict[str, object]:
    # What is printed is strict JSON: no NaN, no number types of numpy.
    text = json.dumps(report.json_value(value), allow_nan=False)
    read: dict[str, object] = json.loads(text)["pairs"][0]
    return read


@pytest.mark.parametrize(
    ("a", "b", "scenes", "why"),
    [
        ("oodd", "oddd", "", "the scenes are not known"),
        ("oooo", "oooo", "wxyz", "kappa is not defined"),
        ("oooo", "oddo", "wxyz", "one coder used one code alone"),
        ("oodd", "oddd", "wwxx", "needs at least 3 scenes, found 2"),
        ("oodd", "oddd", "wxy", "1 items have no scene"),
        ("ododod", "ododod", "xxyyzz", "kappa is the same in every resample"),
    ],
)
def test_why_there_is_no_interval_over_scenes(
    a: str, b: str, scenes: str, why: str
) -> None:
    one = pair(found(a, b, scenes))
    assert one["ci_scenes_missing"] == why
    assert one["ci_scenes"] is None


def test_an_interval_comes_with_its_counts() -> None:
    one = pair(found("oddoodod", "oddodood", "ssttuuvv"))
    assert one["ci_scenes_missing"] is None
    assert (one["scenes"], one["resamples"]) == (4, 2000)
    low, high = one["ci_scenes"]
    assert low < high


def test_codes_that_say_nothing_have_a_note() -> None:
    value = found("oooo", "oooo")
    per_code = pair(value)["per_code"]
    assert isinstance(per_code, dict)
    assert per_code["own"]["note"] == "used on every item by both"
    assert per_code["dir"]["note"] == "not used"
    assert "dir: not used" in shown(value)
    assert "own: used on every item by both" in shown(value)
    assert pair(found("od", "do"))["per_code"]["own"]["note"] is None


def test_a_constant_coder_is_marked() -> None:
    value = found("oooo", "oddo")
    assert pair(value)["uninformative"] is True
    assert pair(value)["kappa"] == 0
    assert pair(value)["ci_fce"] is None
    assert "it is uninformative here" in shown(value)
    assert pair(found("oodd", "oddd"))["uninformative"] is False


def test_lines_for_people() -> None:
    text = shown(found("oodd", "oddd", "wxyz"))
    assert "  agree      3 of 4, 75.0 % (95 % 19.4 to 99.4)" in text
    assert "kappa      0.500, greatest possible 0.500, SE" in text
    assert "over scenes (95 %" in text
    assert "rows ann, columns bob" in text
    assert "none: not used" in text
    assert text.endswith(
        "all coders: alpha 0.533, AC1 0.673"
    )  # AC1: (3/4 - 15/64) / (49/64)


def test_the_table_shows_used_codes_alone() -> None:
    text = shown(found("oodd", "oddd"))
    assert "  own      1    1" in text
    assert "  dir      0    2" in text


def test_nothing_shared_is_one_sentence() -> None:
    value = found("o-", "-d")
    assert shown(value).startswith("ann and bob\n  no item coded by both\n")
    assert "alpha not defined (no pairable unit), AC1 not defined" in shown(value)
    one = pair(value)
    assert one["n"] == 0
    assert one["kappa_undefined"] == "no item coded by both"
    assert one["percent"] is one["se"] is one["kappa_max"] is one["ac1"] is None


def test_nothing_is_ever_called_nan() -> None:
    for a, b in (("o", "o"), ("-", "-"), ("o", "d"), ("oo", "dd"), ("o-", "-d")):
        text = shown(found(a, b)) + json.dumps(pair(found(a, b)))
        assert "nan" not in text.lower()
        assert "None" not in shown(found(a, b))

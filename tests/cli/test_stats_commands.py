"""The statistics commands as people script them: JSON, words and exit codes."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli.dispatch import run

FOLDER = Path(__file__).parents[1] / "data" / "statistics"
KNOWN = json.loads((FOLDER / "cases.json").read_text())
CASES = [pytest.param(case, id=case["id"]) for case in KNOWN["cases"]]
Case = dict[str, Any]
Cli = Callable[..., Any]


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command that must succeed; return its JSON document."""

    def _cli(*argv: str | Path) -> object:
        assert run([*map(str, argv), "--json"]) == 0
        printed = capsys.readouterr()
        assert printed.err == ""
        return json.loads(printed.out, parse_constant=pytest.fail)

    return _cli


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command that must succeed; return its plain text."""

    def _said(*argv: str | Path) -> str:
        assert run(list(map(str, argv))) == 0
        return capsys.readouterr().out

    return _said


@pytest.fixture
def fails(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command that must fail; return its exit code and message."""

    def _fails(*argv: str | Path) -> tuple[int | str | None, str]:
        try:
            code: int | str | None = run(list(map(str, argv)))
        except SystemExit as stop:
            code = stop.code
        printed = capsys.readouterr()
        assert printed.out == ""
        return code, printed.err

    return _fails


def near(known: float | None, tolerance: float) -> object:
    return known if known is None else pytest.approx(known, rel=0, abs=tolerance)


def command(case: Case) -> list[str | Path]:
    file, names, weights = FOLDER / case["file"], case["conditions"], case["weights"]
    if weights == [-1, 1]:
        return ["compare", file, "--reference", names[0], "--test", names[1]]
    pairs = zip(names, weights, strict=True)
    return ["contrast", file, "--weights", ",".join(f"{n}={w}" for n, w in pairs)]


def check(found: dict[str, Any], known: Case) -> None:
    assert (found["method"], found["df"]) == (known["method"], known["df"])
    assert found["se"] == near(known["se"], 1e-8)
    assert found["ci_low"] == near(known["ci_low"], 1e-8)
    assert found["ci_high"] == near(known["ci_high"], 1e-8)
    p = known["p"]
    assert found["p"] == (p if p is None else pytest.approx(p, rel=1e-6, abs=0))


@pytest.mark.parametrize("case", CASES)
def test_known_values(cli: Cli, case: Case) -> None:
    found, known = cli(*command(case)), case["expected"]
    check(found, known)
    assert found["estimate"] == near(known.get("estimate"), 1e-10)
    for name in ("G", "G_pair", "n", "k"):
        assert found[name] == known[name]
    assert found["reason"] == known.get("reason")
    assert found["flags"] == ([] if found["reason"] else known["flags"])
    for name, share in case["shares"].items():
        if name in case["conditions"]:
            ours = found["shares"][name]
            assert ours["method"] == share["method"]
            assert ours["share"] == near(share["share"], 1e-10)
            assert ours["ci_low"] == near(share["ci_low"], 1e-9)
            assert ours["ci_high"] == near(share["ci_high"], 1e-9)


@pytest.mark.parametrize("case", CASES[::4])
def test_bias_reduced(cli: Cli, case: Case) -> None:
    found = cli(*command(case), "--cov", "bias_reduced")
    check(found, case["bias_reduced"] or case["expected"])


def test_the_document_has_every_promised_key(cli: Cli) -> None:
    found = cli("compare", FOLDER / "002.csv", "--reference", "A", "--test", "B")
    assert set(found) >= {
        *("method", "reason", "estimate", "se", "df", "ci_low", "ci_high", "p"),
        *("G", "G_pair", "n", "k", "flags", "shares", "margin"),
    }
    assert list(found["shares"]) == ["A", "B"]
    assert set(found["shares"]["A"]) >= {
        *("share", "k", "n", "G", "ci_low", "ci_high", "method"),
    }
    assert found["margin"] == {"points": 10, "verdict": "inconclusive"}


@pytest.mark.parametrize(
    ("points", "verdict"),
    [
        ("17", "unchanged (within margin)"),
        ("12.5", "inconclusive"),
        ("9", "changed by more than margin"),
    ],
)
def test_margin(cli: Cli, said: Cli, points: str, verdict: str) -> None:
    argv = ("compare", FOLDER / "002.csv", "--reference", "A", "--test", "B")
    found = cli(*argv, "--margin", points)
    assert found["margin"] == {"points": float(points), "verdict": verdict}
    assert verdict in said(*argv, "--margin", points)
    assert "margin" not in said(*argv)


def test_a_comparison_in_words(said: Cli) -> None:
    text = said("compare", FOLDER / "062.csv", "--reference", "A", "--test", "B")
    assert text.splitlines()[:2] == [
        "A           26.7 % [9.1, 42.9], 4 of 15 replies in 4 scenes",
        "B           68.4 % [35.0, 94.7], 13 of 19 replies in 4 scenes",
    ]
    assert "+41.8 points, 95 % interval [−38.7, +100.0], p 0.155" in text
    assert "no established change" in text
    assert "t on 2 degrees of freedom; 4 scenes" in text
    assert "Only 4 scenes differ between conditions" in text
    assert "cut at the largest possible difference" in text


def test_a_comparison_without_an_interval_in_words(said: Cli) -> None:
    text = said("compare", FOLDER / "058.csv", "--reference", "A", "--test", "B")
    assert "Needs at least 3 scenes with answers in each condition; found 2." in text
    assert "call" not in text


@pytest.mark.parametrize(
    ("weights", "code", "message"),
    [
        ("A=-1,C=1", 1, "'C'"),
        ("A=-1,B=x", 2, "not a weight"),
        ("A=-1,B=1/0", 2, "not a weight"),
        ("A=-1,B=0", 2, "other than 0"),
        ("A=-1,B=nan", 2, "other than 0"),
        ("A=-1,B=2", 2, "sum to 1"),
        ("A=-1,A=1", 2, "named twice"),
        ("A=-1", 2, "two different conditions"),
        ("A", 2, "not of the form"),
        ("=1,A=-1", 2, "not of the form"),
        ("", 2, "two different conditions"),
    ],
)
def test_bad_weights(fails: Cli, weights: str, code: int, message: str) -> None:
    found, text = fails("contrast", FOLDER / "002.csv", "--weights", weights)
    assert found == code
    assert message in text


@pytest.mark.parametrize(
    "weights",
    [
        '"a,b"=-1,"c=""d"""=1',
        '"c=""d"""=1,"a,b"=-1.0',
        '"a,b=-1","c=""d""=1"',
        '"a,b"=-1/2,"c=""d"""=1/2',
    ],
)
def test_names_with_commas_are_quoted(cli: Cli, tmp_path: Path, weights: str) -> None:
    path = tmp_path / "replies.csv"
    rows = [f's{i},"a,b",{i % 2}\ns{i},"c=""d""",1\n' for i in range(6)]
    path.write_text("scene,condition,y\n" + "".join(rows))
    found = cli("contrast", path, "--weights", weights)
    assert set(found["conditions"]) == {"a,b", 'c="d"'}
    assert found["shares"]["a,b"]["share"] == 0.5


def test_a_contrast_of_two_is_the_comparison(cli: Cli) -> None:
    compared = cli("compare", FOLDER / "074.csv", "--reference", "base", "--test=asked")
    assert compared == cli("contrast", FOLDER / "074.csv", "--weights=base=-1,asked=1")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("scene,condition,y\ns,A,maybe\n", "line 2: y must be 0, 1 or empty"),
        ("scene,condition\ns,A\n", "the column 'y' is missing"),
        ("scene,condition,y\ns,A\0,1\n", "holds a NUL"),
        ("scene,condition,y\ns,A,1\n", "no reply has the condition 'B'"),
        ("", "is missing"),
    ],
)
def test_bad_input_is_one_line(
    fails: Cli, tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(content)
    code, text = fails("compare", path, "--reference", "A", "--test", "B", "--json")
    assert code == 1
    assert message in text
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--reference", "A"),
        ("--reference", "A", "--test", "A"),
        ("--reference", "A", "--test", "B", "--cov", "none"),
        ("--reference", "A", "--test", "B", "--margin", "0"),
        ("--reference", "A", "--test", "B", "--margin", "nan"),
        ("--reference", "A", "--test", "B", "--margin", "ten"),
    ],
)
def test_wrong_usage(fails: Cli, options: Sequence[str]) -> None:
    code, text = fails("compare", FOLDER / "002.csv", *options)
    assert code == 2
    assert "usage:" in text


def test_a_batch_must_be_chosen(cli: Cli, fails: Cli, tmp_path: Path) -> None:
    path = tmp_path / "batches.csv"
    rows = [f"s{i},A,{i % 2},b1\ns{i},A,1,b2\ns{i},B,0,b2\n" for i in range(4)]
    path.write_text("scene,condition,y,batch\n" + "".join(rows))
    argv = ("compare", path, "--reference", "A", "--test", "B")
    code, text = fails(*argv)
    assert code == 1
    assert "drifts between batches" in text
    assert "holds them all: b2" in text
    assert cli(*argv, "--batch", "b2")["n"] == [4, 4]
    assert fails(*argv, "--batch", "b3")[0] == 1


@pytest.mark.parametrize("case", KNOWN["bh"], ids=lambda case: case["name"])
def test_adjust(cli: Cli, tmp_path: Path, case: Case) -> None:
    path = tmp_path / "p.csv"
    values = ["" if p is None else repr(p) for p in case["p"]]
    path.write_text("".join(f"{value}\n" for value in ["p", *values]))
    found = cli("adjust", path)["adjusted"]
    for value, known in zip(found, case["expected"], strict=True):
        assert value == (known if known is None else pytest.approx(known, rel=1e-12))


def test_adjust_in_families(cli: Cli, said: Cli, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("p,family\n0.01,f\n0.02,g\n,f\n0.04,f\n")
    found = cli("adjust", path)
    assert found["adjusted"] == [0.02, 0.02, None, 0.04]
    assert found["families"][0] == {
        "name": "f",
        "declared": 3,
        "m": 2,
        "excluded": [2],
    }
    text = said("adjust", path)
    assert "family 'f': 3 declared, 2 with a p-value; without one: rows 3" in text
    assert "family 'g': 1 declared, 1 with a p-value\n" in text


def test_adjust_refuses_what_is_no_p(fails: Cli, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("p\n0.5\n1.5\n")
    code, text = fails("adjust", path)
    assert (code, "line 3: p must be from 0 to 1" in text) == (1, True)


def test_plan_size_both_ways(cli: Cli, said: Cli) -> None:
    forward = cli("plan-size", "--pa", ".2", "--difference", ".10")
    assert forward == {"scenes": 130, "difference": 0.1}
    back = cli("plan-size", "--pa", ".2", "--scenes", "130")
    assert back["scenes"] == 130
    assert 0.099 < back["difference"] <= 0.1
    given = ("--icc", ".3", "--samples", "5", "--overlap", "0")
    assert cli("plan-size", "--pa=.2", "--difference=.1", *given) == forward
    text = said("plan-size", "--pa", ".2", "--difference", ".10")
    assert text.startswith("130 scenes show +10.0 points from a rate of 20.0 %")


def test_plan_size_says_when_nothing_can_be_shown(cli: Cli, said: Cli) -> None:
    argv = ("plan-size", "--pa", "0.9", "--scenes", "4")
    assert cli(*argv) == {"scenes": 4, "difference": None}
    assert "can show no increase" in said(*argv)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--pa", "1.2", "--scenes", "9"), "--pa: must be from 0 to 1"),
        (("--pa", ".2", "--scenes", "2"), "--scenes: must be 3 or more"),
        (("--pa", ".2", "--scenes", "9", "--icc", "2"), "--icc"),
        (("--pa", ".2", "--scenes", "9", "--samples", "0"), "--samples"),
        (("--pa", ".2", "--scenes", "9", "--overlap", "nan"), "--overlap"),
        (("--pa", ".2", "--difference", ".9"), "--difference"),
        (("--pa", ".2", "--difference", "0"), "--difference"),
        (("--pa", ".2"), "one of the arguments"),
        (("--pa", ".2", "--difference", ".1", "--scenes", "9"), "not allowed with"),
        (("--scenes", "9"), "--pa"),
    ],
)
def test_plan_size_usage(fails: Cli, options: Sequence[str], message: str) -> None:
    code, text = fails("plan-size", *options)
    assert code == 2
    assert message in text


def test_commands_stay_lean() -> None:
    """What takes a second to import is not needed for one comparison."""
    program = (
        "import sys; from director_gui.cli.dispatch import run; run(sys.argv[1:]);"
        "heavy = {'pandas', 'statsmodels', 'scipy.stats', 'matplotlib', 'PySide6'};"
        "sys.exit(sorted(heavy & set(sys.modules)) or None)"
    )
    argv = ["compare", str(FOLDER / "002.csv"), "--reference", "A", "--test", "B"]
    done = subprocess.run(
        [sys.executable, "-c", program, *argv],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")

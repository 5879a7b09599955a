"""The `agree` command as people and scripts use it."""

import json
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli import dispatch

A = "item,code,scene\n1,own,s1\n2,dir,s2\n3,own,s3\n4,own,s4\n5,dir,s4\n6,,s1\n"
B = "item,code\n1,own\n2,dir\n3,dir\n4,own\n5,dir\n6,own\n"


def files(folder: Path, **texts: str) -> list[str]:
    paths = []
    for name, text in texts.items():
        path = folder / f"{name}.csv"
        path.write_bytes(text.encode())
        paths.append(str(path))
    return paths


def agree(capsys: pytest.CaptureFixture[str], *argv: str) -> dict[str, Any]:
    assert dispatch.run(["agree", *argv, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "NaN" not in out
    value: dict[str, Any] = json.loads(out)
    return value


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    assert dispatch.run(["agree", *argv]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_pair_has_every_documented_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = agree(capsys, *files(tmp_path, ann=A, bob=B))
    assert {"pairs", "alpha", "ac1"} <= found.keys()
    (pair,) = found["pairs"]
    assert {
        "a", "b", "n", "agree", "percent", "percent_ci", "kappa", "kappa_undefined",
        "se", "ci_fce", "ci_scenes", "resamples_undefined", "kappa_max", "table",
        "per_code", "ac1", "prevalence_index", "bias_index",
    } <= pair.keys()  # fmt: skip
    assert (pair["a"], pair["b"], pair["n"], pair["agree"]) == ("ann", "bob", 5, 4)
    assert pair["percent"] == 0.8
    # po = .8, pe = (3*2 + 2*3) / 25 = .48
    assert pair["kappa"] == pytest.approx((0.8 - 0.48) / (1 - 0.48))
    assert pair["table"] == {"codes": ["dir", "own"], "counts": [[2, 0], [1, 2]]}
    assert pair["per_code"]["dir"]["n_both"] == 2
    assert (pair["prevalence_index"], pair["bias_index"]) == (0, -0.2)
    assert pair["ci_scenes"][0] < pair["kappa"] < pair["ci_scenes"][1]
    assert pair["resamples_undefined"] > 0


def test_without_scenes_there_is_no_scene_interval(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pair = agree(capsys, *files(tmp_path, b=B, c=B))["pairs"][0]
    assert pair["ci_scenes"] is None
    assert pair["resamples_undefined"] is None
    assert pair["kappa"] == 1
    assert pair["ci_fce"] is None


def test_three_files_give_three_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = agree(capsys, *files(tmp_path, a=A, b=B, c=B))
    assert [(p["a"], p["b"]) for p in found["pairs"]] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    assert found["alpha"] < 1
    assert found["ac1"] < 1


def test_undefined_kappa_is_null_with_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    same = "item,code\n" + "".join(f"{i},own-view\n" for i in range(36))
    other = "item,code\nx,own-view\n"
    paths = files(tmp_path, a=same, b=same, c=other)
    one_code, none, _ = agree(capsys, *paths)["pairs"]
    assert one_code["kappa"] is None
    assert one_code["kappa_undefined"] == (
        "not defined: both coders used only *own-view* on 36 items "
        "(36/36 agree; 95 % 90.3\u2013100)"
    )
    assert none["kappa_undefined"] == "no item coded by both"
    assert none["percent"] is none["percent_ci"] is none["ac1"] is None
    assert dispatch.run(["agree", *paths]) == 0
    shown = capsys.readouterr().out
    assert "no item coded by both" in shown
    assert "36/36 agree" in shown
    assert "nan" not in shown.lower()


def test_a_codebook_gives_the_codes_and_their_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = "item,reading\n1,own-view\n2,director-view\n3,own-view\n"
    other = "item,reading\n1,own-view\n2,director-view\n3,no-rule\n"
    paths = files(tmp_path, a=sheet, b=other)
    plain = agree(capsys, *paths, "--field", "reading")
    argv = [*paths, "--field", "reading", "--codebook", "reading"]
    full = agree(capsys, *argv)
    assert plain["codes"] == ["director-view", "no-rule", "own-view"]
    assert full["codes"][:2] == ["director-view", "own-view"]
    assert len(full["codes"]) == 5
    assert full["pairs"][0]["kappa"] == plain["pairs"][0]["kappa"]
    assert full["pairs"][0]["ac1"] != plain["pairs"][0]["ac1"]
    unused = full["pairs"][0]["per_code"]["largest-digit"]
    assert (unused["kappa"], unused["note"]) == (None, "not used")
    assert (
        dispatch.run(["agree", *paths, "--field", "reading", "--codebook", "reading"])
        == 0
    )
    assert "largest-digit: not used" in capsys.readouterr().out


def test_a_plain_code_column_takes_the_codebooks_first_choice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = "item,code\n1,own-view\n2,no-rule\n"
    found = agree(capsys, *files(tmp_path, a=sheet, b=sheet), "--codebook", "reading")
    assert found["codes"][0] == "director-view"


def test_words_for_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch.run(["agree", *files(tmp_path, ann=A, bob=B)]) == 0
    shown = capsys.readouterr().out
    assert "ann and bob" in shown
    assert "agree      4 of 5, 80.0 %" in shown
    assert "kappa      0.615" in shown
    assert "resamples undefined" in shown
    assert "all coders: alpha" in shown


def test_files_of_one_name_are_told_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x").mkdir()
    paths = [*files(tmp_path, a=A), *files(tmp_path / "x", a=B)]
    pair = agree(capsys, *paths)["pairs"][0]
    assert [pair["a"], pair["b"]] == paths


def test_input_at_fault_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, twice, empty = files(tmp_path, good=B, twice=B + "1,own\n", empty="")
    assert "twice.csv, line 8: the item" in refused(capsys, good, twice)
    assert "the file is empty" in refused(capsys, empty, good)
    assert 'no column "mood"' in refused(capsys, good, good, "--field", "mood")
    assert "cannot be read" in refused(capsys, good, str(tmp_path / "none.csv"))
    assert "no code of the codebook" in refused(
        capsys, good, good, "--codebook", "reading"
    )
    assert "cannot be read" in refused(capsys, good, good, "--codebook", "none.toml")
    # longer than a file's name can be
    assert "cannot be read" in refused(capsys, good, good, "--codebook", "x" * 5000)


def test_one_file_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as caught:
        dispatch.run(["agree", *files(tmp_path, a=A)])
    assert caught.value.code == 2

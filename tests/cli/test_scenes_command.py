"""`scenes make`, `verify`, `export` and `import` as a script sees them."""

import json
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli.dispatch import run
from director_gui.families.library import built_in
from director_gui.families.writing import changed
from director_gui.store import sets as rows
from director_gui.store.database import open_study

pytestmark = pytest.mark.render


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """The main family, two scenes, with pictures of a stamp's size."""
    text = built_in("main").text
    for path, value in (
        ("name", "mine"),
        ("count", 2),
        ("picture.width", 96),
        ("picture.height", 72),
    ):
        text = changed(text, path, value)
    file = tmp_path / "mine.toml"
    file.write_text(text)
    return file


def asked(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, Any, str]:
    code = run([*map(str, words), "--json"])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else None, err


def test_make_verify_and_export(
    family: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study, out = tmp_path / "s.study", tmp_path / "out"
    code, made, err = asked(capsys, "scenes", "make", family, "-o", study)
    assert code == 0
    assert (made["scenes"], made["blocks"]) == (2, {"3": 1, "4": 1})
    assert made["hidden_rank"] == {"largest": 2, "middle": 0, "smallest": 0}
    assert isinstance(made["rejected"], dict)
    assert "2 of 2 scenes" in err
    assert asked(capsys, "scenes", "make", family, "-o", study)[1] == made

    code, found, _ = asked(capsys, "scenes", "verify", study)
    assert (code, found["scenes"], found["mismatches"]) == (0, 2, [])
    assert found["pixels_identical"] == 2

    code, files, _ = asked(capsys, "scenes", "export", study, out)
    assert code == 0
    assert all((out / item["path"]).is_file() for item in files["files"])
    _tamper(study)
    assert run(["scenes", "verify", str(study)]) == 3
    out_text = capsys.readouterr().out
    assert "mine-0001, block" in out_text
    assert "0.5 stored" in out_text
    assert "redrawn pixel for pixel: 2 of 2" in out_text


def test_verify_names_a_key_that_was_meddled_with(
    family: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "s.study"
    asked(capsys, "scenes", "make", family, "-o", study)
    with open_study(study) as opened:
        row = rows.set_scenes(opened, rows.sets(opened)[0].id)[0]
        right = row.facts["key"]["director_view"]
        wrong = row.facts["key"]["model_view"]
        facts = {**row.facts, "key": {**row.facts["key"], "director_view": wrong}}
        with opened.write() as db:
            db.execute(
                "UPDATE set_scenes SET facts = ? WHERE position = 0",
                [json.dumps(facts)],
            )
    code, found, _ = asked(capsys, "scenes", "verify", study)
    assert (code, found["mismatches"], found["pixels_identical"]) == (3, [], 2)
    (change,) = found["changes"]
    assert change == {
        "set": "mine",
        "scene": "mine-0001",
        "what": "key.director_view",
        "stored": wrong,
        "found": right,
    }
    assert run(["scenes", "verify", str(study)]) == 3
    told = f"mine-0001, key.director_view: {wrong} stored, {right} found"
    assert told in capsys.readouterr().out


def _tamper(path: Path) -> None:
    """Change a stored fraction by hand."""
    with open_study(path) as study:
        row = rows.set_scenes(study, rows.sets(study)[0].id)[0]
        digit = row.facts["key"]["director_view"]
        row.facts["witnesses"]["analytic"]["model"][str(digit)] = 0.5
        with study.write() as db:
            db.execute(
                "UPDATE set_scenes SET facts = ? WHERE position = 0",
                (json.dumps(row.facts),),
            )


def test_plain_output_stands_beside_the_papers_figures(
    family: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["scenes", "make", family, "-o", tmp_path / "p.study"]
    assert run([*map(str, words), "--count", "1", "--seed", "4"]) == 0
    out = capsys.readouterr().out
    assert "scenes: 1" in out
    assert "(the paper's main set: 95 of 160)" in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["make", "none", "-o", "x"], 1),
        (["make", "none.toml", "-o", "x"], 1),
        (["verify", "none.study"], 1),
        (["export", "none.study", "out"], 1),
        (["import", "none", "-o", "x.study"], 1),
    ],
)
def test_what_is_not_there_is_said_in_one_line(
    words: list[str],
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["scenes", *words]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("director-gui: ")
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("x*"))


@pytest.mark.parametrize("count", ["0", "-1", "x", "1.5", "9999999"])
def test_a_wrong_count_is_wrong_usage(count: str) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["scenes", "make", "main", "-o", "x", "--count", count])
    assert caught.value.code == 2


def test_a_hard_family_is_an_input_at_fault(
    family: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("director_gui.families.forecast.LEAST_RATE", 2.0)
    assert run(["scenes", "make", str(family), "-o", str(tmp_path / "h.study")]) == 1
    assert "hardly be satisfied" in capsys.readouterr().err
    assert not list(tmp_path.glob("h.study*"))

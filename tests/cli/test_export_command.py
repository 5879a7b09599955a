import json
from pathlib import Path

import pytest

from director_gui.cli.dispatch import run
from tests import blind_studies


@pytest.fixture
def study_path(tmp_path: Path) -> Path:
    path = tmp_path / "a.study"
    blind_studies.make(path, count=3, samples=1).close()
    return path


def test_json_lists_every_file(
    study_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["export", str(study_path), str(out), "--json"]) == 0
    printed = capsys.readouterr()
    files = json.loads(printed.out)["files"]
    assert all(set(one) == {"path", "sha256"} for one in files)
    assert all((out / one["path"]).is_file() for one in files)
    assert "Writing replies" in printed.err


def test_lines_for_people(
    study_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(study_path), str(tmp_path / "out.zip")]) == 0
    assert "method.md" in capsys.readouterr().out


def test_a_study_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(tmp_path / "no.study"), str(tmp_path / "out")]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()

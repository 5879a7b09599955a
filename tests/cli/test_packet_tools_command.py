"""``packet``: other tools, repeats, guesses and disagreements, as scripts use them."""

import csv
import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from coding.events import ASKED
from coding.packet import read_packet
from coding.results import ADJUDICATED, CodingSession
from director_gui.cli.dispatch import run
from director_gui.runner.practice.coders import two_coders
from director_gui.store.database import open_study
from director_gui.study.blind.adjudicating import begin
from director_gui.study.blind.practice import practice_coding
from tests import blind_studies

Run = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def made_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.study"
    blind_studies.make(path).close()
    return path


@pytest.fixture
def study(made_study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_study, tmp_path / "a.study"))


@pytest.fixture
def packet(capsys: pytest.CaptureFixture[str]) -> Run:
    def call(*args: object) -> tuple[int, Any]:
        code = run(["packet", *map(str, args), "--json"])
        out = capsys.readouterr()
        return code, json.loads(out.out) if out.out else out.err

    return call


@pytest.fixture
def made(packet: Run, study: Path, tmp_path: Path) -> Path:
    _, value = packet("make", study, "-o", tmp_path, "--repeats", 3)
    return Path(value["packet"])


def coded(path: Path, error: float = 0.3) -> list[Path]:
    found = read_packet(path)
    coders = two_coders(2, error)
    return [practice_coding(found, c.alias, c, path.parent) for c in coders]


def test_a_sheet_goes_out_and_comes_back_as_results(
    packet: Run, study: Path, made: Path, tmp_path: Path
) -> None:
    code, out = packet("hand-out", made, "--as", "csv", "-o", tmp_path / "out")
    assert code == 0
    (sheet,) = map(Path, out["files"])
    text = sheet.read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    for row in rows:
        row["reading"], row["quote"] = "no-rule", row["text"][:9]
        row["sees_choice"], row["works_out"] = "not-said", "no"
    with sheet.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    code, back = packet("take-in", made, sheet, "--alias", "ann")
    assert code == 0
    assert (back["coded"], back["missing"]) == (len(rows), 0)
    assert packet("merge", study, back["results"])[1]["coded"] == len(rows)


@pytest.mark.parametrize("tool", ["xlsx", "label-studio", "doccano"])
def test_other_tools_get_their_files(
    packet: Run, made: Path, tmp_path: Path, tool: str
) -> None:
    code, out = packet("hand-out", made, "--as", tool, "-o", tmp_path / tool)
    assert code == 0
    assert all(Path(name).stat().st_size for name in out["files"])


def test_a_file_of_no_tool_is_refused_with_the_reason(
    packet: Run, made: Path, tmp_path: Path
) -> None:
    back = tmp_path / "x.json"
    back.write_text('[{"data": {"item": "nope"}}]')
    code, said = packet("take-in", made, back, "--alias", "ann")
    assert code == 1
    assert "no item of this packet" in said
    code, said = packet("take-in", made, tmp_path / "x.doc", "--alias", "ann")
    assert (code, "no file of a tool" in said) == (1, True)
    code, said = packet("take-in", made, back, "--alias", "no good")
    assert (code, "an alias has" in said) == (1, True)


def test_repeats_are_told_by_coder(packet: Run, study: Path, made: Path) -> None:
    packet("merge", study, *coded(made, 0.0))
    _, agreed = packet("agree", study, made)
    pairs = agreed["within"]["reading"]
    assert [(pair["a"], pair["n"], pair["agree"]) for pair in pairs] == [
        ("practice-coder-1", 3, 3),
        ("practice-coder-2", 3, 3),
    ]


def test_repeats_are_told_in_words(
    capsys: pytest.CaptureFixture[str], packet: Run, study: Path, made: Path
) -> None:
    packet("merge", study, *coded(made, 0.0))
    assert run(["packet", "agree", str(study), str(made)]) == 0
    said = "practice-coder-1, items that came twice: 3 of 3 with the same code"
    assert said in capsys.readouterr().out


def test_guesses_are_told_after_unblinding_only(
    packet: Run, study: Path, made: Path
) -> None:
    paths = coded(made)
    found = read_packet(made)
    with CodingSession(found, paths[0], "practice-coder-1") as session:
        for item in found.items:
            session.set_guess(item.id, ASKED)
    packet("merge", study, *paths)
    code, said = packet("guesses", study, made)
    assert (code, "still blind" in said) == (1, True)
    packet("unblind", study, made, "--reason", "done")
    code, told = packet("guesses", study, made)
    assert code == 0
    asked = {one["condition"]: one["bang"] for one in told["guesses"]}
    assert asked == {"move.ask": 1.0, "move.plain": -1.0}


def test_guesses_in_words(
    capsys: pytest.CaptureFixture[str], packet: Run, study: Path, made: Path
) -> None:
    packet("merge", study, *coded(made))
    packet("unblind", study, made, "--reason", "done")
    assert run(["packet", "guesses", str(study), str(made)]) == 0
    assert "no coder guessed" in capsys.readouterr().out


def test_disagreements_are_listed_and_written(
    packet: Run, study: Path, made: Path, tmp_path: Path
) -> None:
    packet("merge", study, *coded(made))
    with open_study(study) as opened:
        todo = begin(opened, read_packet(made).id, "me")
        item = next(iter(todo.items))
        field = todo.items[item].fields[0]
        code = todo.packet.codebook.field(field).code_names()[0]
        with CodingSession(todo.packet, todo.path, ADJUDICATED) as session:
            session.record_code(item, field, code)
    table = tmp_path / "differ.csv"
    exit_code, told = packet("disagreements", study, made, "-o", table)
    assert exit_code == 0
    first = told["disagreements"][0]
    assert first["item"] == item
    assert first["adjudicated"]["codes"] == {field: code}
    assert {said["coder"] for said in first["said"]} == set(told["coders"])
    text = table.read_bytes().decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert len(rows) == sum(len(one["fields"]) for one in told["disagreements"])
    assert rows[0]["adjudicated"] == code
    codes = {rows[0][coder] for coder in told["coders"]}
    assert len(codes) == 2


def test_disagreements_in_words_and_before_two_are_done(
    capsys: pytest.CaptureFixture[str], packet: Run, study: Path, made: Path
) -> None:
    code, said = packet("disagreements", study, made)
    assert (code, "two coders who are done" in said) == (1, True)
    packet("merge", study, *coded(made))
    assert run(["packet", "disagreements", str(study), str(made)]) == 0
    out = capsys.readouterr().out
    assert "items coded differently, 0 settled" in out
    assert "adjudicated open" in out


def test_unblinding_says_where_settled_codes_come_from(
    capsys: pytest.CaptureFixture[str], packet: Run, study: Path, made: Path
) -> None:
    packet("merge", study, *coded(made))
    with open_study(study) as opened:
        todo = begin(opened, read_packet(made).id, "me")
        with CodingSession(todo.packet, todo.path, ADJUDICATED) as session:
            for item in todo.items:
                session.record_code(item, "reading", "own-view")
    assert run(["packet", "unblind", str(study), str(made), "--reason", "done"]) == 0
    out = capsys.readouterr().out
    line = next(x for x in out.splitlines() if x.startswith("agreed or adjudicated: "))
    assert "agreed" in line
    assert "adjudicated" in line.removeprefix("agreed or adjudicated")
    assert "open" not in line

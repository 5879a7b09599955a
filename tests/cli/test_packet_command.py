"""``packet``: what scripts rely on, from making a packet to opening its key."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from coding.book_files import book_data
from coding.packet import read_packet
from coding.results import CodingSession, results_name
from director_gui.cli.dispatch import run
from director_gui.runner.practice.coders import two_coders
from director_gui.store.attempts import add_attempts
from director_gui.store.database import open_study
from director_gui.store.packets import packets
from director_gui.study.blind.practice import practice_coding
from director_gui.study.blind.sealing import default_codebook
from tests import blind_studies

Run = Callable[..., tuple[int, Any]]
HIT = "which blocks can the director see, so 3."


@pytest.fixture(scope="session")
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


def coded(path: Path) -> list[Path]:
    found = read_packet(path)
    return [practice_coding(found, c.alias, c, path.parent) for c in two_coders(2)]


def test_from_sealing_to_unblinding(packet: Run, study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, made = packet("make", study, "-o", out, "--size", 9, "--stratified")
    assert (code, made["items"], made["practice"]) == (0, 9, True)
    path = Path(made["packet"])
    assert path.parent == out
    assert packet("check", path) == (0, {"ok": True, "problems": []})
    code, merged = packet("merge", study, *coded(path))
    assert (code, merged["coded"], merged["skipped"], merged["missing"]) == (
        0,
        18,
        0,
        0,
    )
    code, agreed = packet("agree", study, path)
    assert code == 0
    assert agreed["fields"]["reading"]["pairs"][0]["n"] == 9
    code, opened = packet("unblind", study, made["id"], "--reason", "both are done")
    assert code == 0
    assert opened["log"]["detail"]["reason"] == "both are done"
    arms = opened["joined"]["passes"][0]["arms"]
    assert sum(arm["n"] for arm in arms) == 9


def test_lines_for_people_tell_the_same(
    capsys: pytest.CaptureFixture[str], study: Path, tmp_path: Path
) -> None:
    assert run(["packet", "make", str(study), "-o", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "replies have a trace to code" in said
    assert "practice" in said
    assert "What the text itself gives away" in said
    path = next(tmp_path.glob("*.codepack"))
    results = [str(one) for one in coded(path)]
    assert run(["packet", "check", str(path)]) == 0
    assert "every hash holds" in capsys.readouterr().out
    assert run(["packet", "merge", str(study), *results]) == 0
    assert "practice-coder-1: new" in capsys.readouterr().out
    assert run(["packet", "agree", str(study), str(path)]) == 0
    assert "kappa" in capsys.readouterr().out
    assert run(["packet", "unblind", str(study), str(path), "--reason", "done"]) == 0
    assert "move.ask" in capsys.readouterr().out


def test_a_folder_that_cannot_be_made_seals_nothing(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    file = tmp_path / "file"
    file.write_text("here")
    code, said = packet("make", study, "-o", file)
    assert code == 1
    assert "folder cannot be made" in said
    with open_study(study, read_only=True) as opened:
        assert not packets(opened)


def test_unblinding_tells_which_other_packets_it_opens(
    packet: Run, study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, first = packet("make", study, "-o", tmp_path)
    _, second = packet("make", study, "-o", tmp_path, "--again", first["id"])
    assert run(["packet", "unblind", str(study), first["id"], "--reason", "x"]) == 0
    assert f"of the same items: {second['id']}" in capsys.readouterr().err
    code, joined = packet("unblind", study, second["id"], "--reason", "again")
    assert (code, joined["log"]["detail"]["together"]) == (0, [second["id"]])


def test_the_seed_is_told_to_nobody(packet: Run, study: Path, tmp_path: Path) -> None:
    _, one = packet("make", study, "-o", tmp_path, "--size", 4, "--seed", 77_123_456)
    assert "77123456" not in json.dumps(one)
    assert b"77123456" not in Path(one["packet"]).read_bytes()


def test_filters_and_second_passes(packet: Run, study: Path, tmp_path: Path) -> None:
    _, first = packet("make", study, "-o", tmp_path, "--condition", "move.ask")
    assert 0 < first["items"] <= 8
    code, again = packet(
        "make", study, "-o", tmp_path, "--again", first["packet"], "--with-reply"
    )
    assert (code, again["items"]) == (0, first["items"])
    texts = [item.text for item in read_packet(Path(again["packet"])).items]
    assert all("\n\nReply: " in text for text in texts)


@pytest.mark.parametrize("suffix", [".toml", ".json", ".qdc"])
def test_a_codebook_file_goes_into_the_packet_and_its_second_pass(
    packet: Run, study: Path, tmp_path: Path, suffix: str
) -> None:
    book = replace(default_codebook(), name="mine", version=7, title="My words")
    file = tmp_path / f"book{suffix}"
    file.write_bytes(book_data(book, file))
    code, first = packet("make", study, "-o", tmp_path, "--size", 3, "--codebook", file)
    assert code == 0
    assert read_packet(Path(first["packet"])).codebook == book
    code, again = packet("make", study, "-o", tmp_path, "--again", first["packet"])
    assert code == 0
    assert read_packet(Path(again["packet"])).codebook == book


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--run", "nope"), "no such run"),
        (("--model", "nope"), "no such model"),
        (("--size", "0"), "at least one item"),
        (("--again", "f" * 32), "no such packet"),
        (("--codebook", "gone.toml"), "gone.toml"),
    ],
)
def test_what_cannot_be_made_is_told_in_one_line(
    packet: Run, study: Path, tmp_path: Path, more: tuple[str, str], words: str
) -> None:
    code, said = packet("make", study, "-o", tmp_path / "out", *more)
    assert code == 1
    assert words in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_hits_stop_a_packet_until_they_are_accepted(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    with open_study(study) as opened:
        (one, *_) = blind_studies.add_replies(opened, 1, 1, run="r2", answered=False)
        answer = '{"choice": 3, "visible": [5]}'
        add_attempts(opened, [blind_studies.attempt(one, answer, HIT)])
    code, said = packet("make", study, "-o", tmp_path, "--run", "r2")
    assert code == 1
    assert "which blocks can the director see" in said
    assert not list(tmp_path.glob("*.codepack"))
    code, made = packet("make", study, "-o", tmp_path, "--run", "r2", "--accept-hits")
    assert (code, made["items"], made["hits_accepted"]) == (0, 1, 1)


def test_a_damaged_packet_does_not_check(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    _, made = packet("make", study, "-o", tmp_path, "--size", 2)
    path = Path(made["packet"])
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    code, found = packet("check", path)
    assert (code, found["ok"], len(found["problems"])) == (3, False, 1)
    code, said = packet("check", tmp_path / "gone.codepack")
    assert (code, "gone.codepack" in said) == (1, True)


@pytest.mark.parametrize("refusal", [PermissionError(13, "no"), OSError(36, "long")])
def test_a_packet_that_cannot_be_read_is_no_failed_check(
    refusal: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise refusal

    path = tmp_path / "p.codepack"
    path.write_bytes(b"")
    monkeypatch.setattr(Path, "open", refuse)
    assert run(["packet", "check", str(path)]) == 1


def test_nothing_is_shown_before_both_are_done(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    _, made = packet("make", study, "-o", tmp_path, "--size", 3)
    found = read_packet(Path(made["packet"]))
    half = tmp_path / results_name(found.id, "ann")
    with CodingSession(found, half, "ann") as session:
        session.record_code(found.items[0].id, "reading", "own-view")
    packet("merge", study, half, coded(Path(made["packet"]))[0])
    code, said = packet("agree", study, made["packet"])
    assert code == 1
    assert "ann: 3 left" in said
    code, found = packet("agree", study, made["packet"], "--unfinished")
    assert (code, found["interim"]) == (0, True)


def test_an_empty_reason_opens_nothing(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    _, made = packet("make", study, "-o", tmp_path, "--size", 3)
    code, said = packet("unblind", study, made["packet"], "--reason", "  ")
    assert code == 1
    assert "needs a reason" in said
    with pytest.raises(SystemExit) as stopped:
        run(["packet", "unblind", str(study), made["packet"]])
    assert stopped.value.code == 2


def test_the_command_loads_neither_qt_nor_vtk_nor_a_client() -> None:
    code = (
        "import sys, director_gui.cli.packet\n"
        "heavy = {'PySide6', 'vtkmodules', 'openai', 'pandas', 'scipy'}\n"
        "print(sorted(heavy & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_known_items_are_mixed_in_and_scored(
    packet: Run, study: Path, tmp_path: Path
) -> None:
    known = tmp_path / "known.jsonl"
    line = {"reasoning": "I see 3.", "choice": 3, "codes": {"reading": "own-view"}}
    known.write_text(json.dumps(line) + "\n", encoding="utf-8")
    _, made = packet("make", study, "-o", tmp_path, "--size", 4, "--known", known)
    assert made["items"] == 5
    packet("merge", study, *coded(Path(made["packet"])))
    _, agreed = packet("agree", study, made["packet"])
    # Practice coders pass over what is no practice trace.
    assert agreed["known_right"]["practice-coder-1"] == {"reading": [0, 1]}

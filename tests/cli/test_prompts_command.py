"""``director-gui prompts`` as a script sees it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli import dispatch
from director_gui.prompts.library import library
from director_gui.prompts.pieces import FixedText, Piece
from director_gui.scene.example import example_scene
from director_gui.scene.model import Request
from director_gui.scene.serialize import file_bytes
from director_gui.store.database import create_study
from director_gui.store.prompts import OwnPrompts
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    keep,
    put_condition,
    put_piece,
    slots_of,
)

Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *argv: str, code: int = 0) -> Any:  # noqa: ANN401 - raw JSON
    assert dispatch.run(["prompts", *argv, "--json"]) == code
    return json.loads(capsys.readouterr().out)


@pytest.fixture
def smallest(tmp_path: Path) -> str:
    """A scene whose director asks for the smallest block and whose digits differ."""
    example = example_scene()
    digits = {5: 7, 8: 1, 3: 3}
    blocks = tuple(replace(b, digit=digits[b.digit]) for b in example.blocks)
    scene = replace(example, blocks=blocks, request=Request(extreme="smallest"))
    path = tmp_path / "smallest.json"
    path.write_bytes(file_bytes(scene))
    return str(path)


def test_list(capsys: Capture) -> None:
    found = said(capsys, "list")
    conditions = {c["name"]: c for c in found["conditions"]}
    assert len(conditions) == 21
    ask, plain = conditions["move.ask"], conditions["move.plain"]
    assert (ask["action"], ask["turns"]) == ("move", 1)
    assert ask["keys"] == ["visible", "choice"]
    assert plain["keys"] == ["choice"]
    differ = {s for s in ask["pieces"] if ask["pieces"][s] != plain["pieces"][s]}
    assert differ == {"report"}
    assert plain["pieces"]["report"] is None
    assert conditions["move.first_turn"]["turns"] == 2
    assert conditions["move.first_turn"]["turn_keys"] == [["visible"], ["choice"]]
    assert ["move.ask", "move.plain"] in found["pairs"]


def test_list_for_people(capsys: Capture) -> None:
    assert dispatch.run(["prompts", "list"]) == 0
    out = capsys.readouterr().out
    assert "move.first_turn        asks visible, then choice" in out
    assert "move.ask against move.plain" in out


def test_show_writes_for_the_example_scene(capsys: Capture) -> None:
    (text,) = said(capsys, "show", "move.state")["turns"]
    assert "The director can see these blocks: 5, 8.\n" in text
    assert "the largest block" in text


def test_show_writes_for_a_scene(capsys: Capture, smallest: str) -> None:
    (text,) = said(capsys, "show", "move.state", "--scene", smallest)["turns"]
    assert "The director can see these blocks: 1, 7.\n" in text
    assert "the smallest block" in text


def test_show_two_turns(capsys: Capture) -> None:
    first, second = said(capsys, "show", "move.first_turn")["turns"]
    assert ('"visible"' in first, '"choice"' in first) == (True, False)
    assert ('"visible"' in second, '"choice"' in second) == (False, True)


def test_show_for_people_is_the_text_itself(capsys: Capture) -> None:
    (text,) = said(capsys, "show", "move.ask")["turns"]
    assert dispatch.run(["prompts", "show", "move.ask"]) == 0
    assert capsys.readouterr().out == text
    assert dispatch.run(["prompts", "show", "move.first_turn"]) == 0
    assert capsys.readouterr().out.count("--- turn") == 2


@pytest.mark.parametrize("pair", library().pairs, ids="/".join)
def test_diff_of_declared_pairs(capsys: Capture, pair: tuple[str, str]) -> None:
    found = said(capsys, "diff", *pair)
    texts = ["".join(said(capsys, "show", name)["turns"]) for name in pair]
    assert found["same_prefix"] + found["a"] + found["same_suffix"] == texts[0]
    assert found["same_prefix"] + found["b"] + found["same_suffix"] == texts[1]
    assert found["slot"] in ("constraint", "report", "action", "report_after")


def test_diff_of_a_pair_that_nobody_declared(capsys: Capture, smallest: str) -> None:
    pair = ("mean.count", "mean.ask")
    assert pair not in library().pairs
    found = said(capsys, "diff", *pair, "--scene", smallest)
    assert found["slot"] == "report"
    assert '"count"' in found["a"]
    assert '"visible"' in found["b"]


@pytest.mark.parametrize(
    "pair",
    [
        ("move.ask", "mean.plain"),
        ("move.ask", "move.ask"),
        ("want.ask", "youwill.plain"),
    ],
)
def test_diff_of_what_is_no_pair(capsys: Capture, pair: tuple[str, str]) -> None:
    assert dispatch.run(["prompts", "diff", *pair, "--json"]) == 3
    out, err = capsys.readouterr()
    assert json.loads(out)["refusal"]
    assert "this is no pair" in err


@pytest.fixture
def study(tmp_path: Path) -> Iterator[str]:
    """A study with a piece, a condition and a pair of its own; it is being written."""
    piece = Piece(
        "request.kind", "request", FixedText(b"Please move the largest block.\n")
    )
    with create_study(tmp_path / "own.study", "own") as made:
        own = put_piece(OwnPrompts(), piece)
        slots = slots_of(library().condition("move.ask")) | {"request": piece.name}
        own = put_condition(own, condition_row("move.kind", slots))
        own = declare(own, "move.kind", "move.ask")
        keep(made, own)
        yield str(made.path)


def test_a_studys_own_prompts_are_known(capsys: Capture, study: str) -> None:
    found = said(capsys, "list", "--study", study)
    assert "move.kind" in {c["name"] for c in found["conditions"]}
    assert ["move.kind", "move.ask"] in found["pairs"]
    (text,) = said(capsys, "show", "move.kind", "--study", study)["turns"]
    assert "Please move the largest block." in text
    span = said(capsys, "diff", "move.kind", "move.ask", "--study", study)
    assert span["slot"] == "request"
    assert span["a"] == "Please move the largest block.\n"
    # Without the study nobody knows it, and a study adds to the program's own.
    assert dispatch.run(["prompts", "show", "move.kind"]) == 1
    said(capsys, "diff", "move.ask", "move.plain", "--study", study)


def test_a_study_that_is_none_is_told(capsys: Capture, tmp_path: Path) -> None:
    missing = str(tmp_path / "no.study")
    assert dispatch.run(["prompts", "list", "--study", missing]) == 1
    assert "there is no such study" in capsys.readouterr().err


def test_diff_for_people_marks_lines(capsys: Capture) -> None:
    assert dispatch.run(["prompts", "diff", "want.ask", "move.ask"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line[:7] for line in lines if line[0] != " "] == ["- Which", "+ Which"]


@pytest.mark.parametrize(
    "argv",
    [
        ("show", "move.nothing"),
        ("diff", "move.ask", "move.nothing"),
        ("show", "move.ask", "--scene", "/no/such/scene.json"),
    ],
)
def test_faults_of_the_input(capsys: Capture, argv: tuple[str, ...]) -> None:
    assert dispatch.run(["prompts", *argv]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1


@pytest.mark.parametrize("argv", [(), ("tell",), ("show",), ("diff", "move.ask")])
def test_wrong_usage(argv: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        dispatch.run(["prompts", *argv])
    assert caught.value.code == 2

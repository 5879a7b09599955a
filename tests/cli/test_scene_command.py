"""`scene check` and `scene render`, as a script runs them."""

import hashlib
import io
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from director_gui.cli import dispatch
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import file_bytes, value_of

pytestmark = pytest.mark.render

CASES = json.loads(
    (Path(__file__).parent.parent / "data" / "geometry.json").read_text("utf-8")
)


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "example.json"
    path.write_bytes(file_bytes(example_scene()))
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    value = value_of(example_scene())
    value["blocks"][2]["edge"] = -1
    path = tmp_path / "broken.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture
def flawed(tmp_path: Path) -> Path:
    value = value_of(example_scene()) | {"partitions": []}
    path = tmp_path / "flawed.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def run(*words: object) -> int:
    return dispatch.run(["scene", *map(str, words)])


def out(capsys: pytest.CaptureFixture[str]) -> Any:  # noqa: ANN401 - JSON
    return json.loads(capsys.readouterr().out)


def test_one_scene_gives_one_object(
    example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", example, "--json") == 0
    value = out(capsys)
    assert value["key"] == {"hidden": 3, "director_view": 5, "model_view": 3}
    assert value["problems"] == []


def test_all_known_scenes_in_one_call(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = []
    for case in CASES:
        path = tmp_path / f"{case['scene']['name']}.json"
        path.write_text(json.dumps(case["scene"]), encoding="utf-8")
        paths.append(path)
    assert run("check", *paths, "--json") == 0
    values = out(capsys)
    assert [v["name"] for v in values] == [c["scene"]["name"] for c in CASES]
    for value, case in zip(values, CASES, strict=True):
        for view in ("model", "director"):
            for witness in ("analytic", "depth"):
                found = value["witnesses"][witness][view]
                assert found == pytest.approx(case["expected"][view], abs=0.01)


def test_problems_alone_are_no_failure_unless_strict(
    flawed: Path, example: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", flawed, "--json") == 0
    assert out(capsys)["problems"][0]["code"] == "no_hidden_block"
    assert run("check", flawed, "--strict") == 3
    assert run("check", example, "--strict") == 0


def test_a_refused_file_has_its_error_in_its_place(
    example: Path, broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", broken, example, "--json", "--strict") == 1
    captured = capsys.readouterr()
    first, second = json.loads(captured.out)
    assert "blocks[2].edge" in first["error"]
    assert second["name"] == "example"
    assert "blocks[2].edge" in captured.err


def test_a_refused_file_alone_is_one_object(
    broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", broken, "--json") == 1
    assert list(out(capsys)) == ["error"]
    assert run("check", tmp_path / "none.json", "--json") == 1
    assert "cannot be read" in out(capsys)["error"]


def test_people_get_a_table_and_the_problems(
    example: Path, flawed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", example, flawed) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "example"
    assert lines[1].startswith("The director does not see 3.")
    assert lines[2].split() == ["block", "view", "geometry", "depth", "state", "area"]
    assert "  3      director  0 %       0 %    hidden  0.00%" in lines
    assert "  no problems" in lines
    assert any(line.startswith("  no_hidden_block (director): ") for line in lines)


def test_wrong_usage_exits_with_two(example: Path, tmp_path: Path) -> None:
    wrong = (
        (),
        ("check",),
        ("look", example),
        ("render", example, "--view", "model"),
        ("render", example, "--view", "side", "-o", tmp_path / "a.png"),
        ("render", example, "--view", "model", "-o", tmp_path / "a", "--size", "big"),
        ("render", example, "--view", "model", "-o", tmp_path / "a", "--size", "9x9"),
    )
    for words in wrong:
        with pytest.raises(SystemExit) as stop:
            run(*words)
        assert stop.value.code == 2


@pytest.mark.parametrize("view", ["model", "director"])
def test_a_view_is_drawn_and_its_hashes_are_those_of_the_file(
    view: str, example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "view.png"
    words = ("render", example, "--view", view, "-o", target, "--size", "256x192")
    assert run(*words, "--json") == 0
    value = out(capsys)
    data = target.read_bytes()
    assert value["sha256"] == hashlib.sha256(data).hexdigest()
    rows = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
    assert value["pixels_sha256"] == hashlib.sha256(rows.tobytes()).hexdigest()
    assert (value["width"], value["height"]) == (256, 192)
    assert value["renderer"]
    assert list(tmp_path.glob(".director-gui.*")) == []


def test_drawing_over_a_file_replaces_it_whole(
    example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "view.png"
    target.write_bytes(b"old")
    assert (
        run("render", example, "--view", "model", "-o", target, "--size", "96x72") == 0
    )
    assert Image.open(io.BytesIO(target.read_bytes())).size == (96, 72)
    assert "96 x 72 px" in capsys.readouterr().out


def test_a_place_that_cannot_be_written_exits_with_one(
    example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for target in (tmp_path / "none" / "a.png", tmp_path):
        words = ("render", example, "--view", "model", "-o", target, "--size", "96x72")
        assert run(*words) == 1
        assert "cannot be written" in capsys.readouterr().err
    assert not list(tmp_path.parent.glob(".director-gui.*"))


def test_a_link_stays_and_what_it_names_is_replaced(
    example: Path, tmp_path: Path
) -> None:
    target, link = tmp_path / "view.png", tmp_path / "link.png"
    link.symlink_to(target)
    words = ("render", example, "--view", "model", "-o", link, "--size", "96x72")
    assert run(*words) == 0
    assert link.is_symlink()
    assert Image.open(io.BytesIO(target.read_bytes())).size == (96, 72)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_written_to_and_not_replaced(example: Path, tmp_path: Path) -> None:
    # A device is met like a pipe; replacing one would harm the whole machine.
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    words = ("render", example, "--view", "model", "-o", pipe, "--size", "96x72")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit(pipe.read_bytes)
        assert run(*words) == 0
        assert Image.open(io.BytesIO(read.result())).size == (96, 72)
    assert pipe.is_fifo()


def test_a_refused_scene_is_not_drawn(
    broken: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "a.png"
    assert run("render", broken, "--view", "model", "-o", target) == 1
    assert "blocks[2].edge" in capsys.readouterr().err
    assert not target.exists()

"""The core's commands need no Qt, and the window says plainly that it does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from director_gui.scene.example import example_scene
from director_gui.scene.serialize import file_bytes

# None in sys.modules makes an import fail the way an uninstalled package does.
WITHOUT = (
    "import sys; sys.modules['PySide6'] = None\n"
    "from director_gui.__main__ import main\n"
    "sys.exit(main(sys.argv[1:]))"
)


def run(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT, *argv],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.render
def test_scenes_are_checked_and_drawn(tmp_path: Path) -> None:
    scene = tmp_path / "scene.json"
    scene.write_bytes(file_bytes(example_scene()))
    done = run("scene", "check", str(scene), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["key"]["hidden"] == 3
    picture = tmp_path / "p.png"
    done = run(
        "scene", "render", str(scene), "--view", "model", "-o", str(picture), "--json"
    )
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_replies_are_scored_compared_and_agreed_on(tmp_path: Path) -> None:
    replies = tmp_path / "r.jsonl"
    replies.write_text(
        '{"id": "a", "condition": "move.plain", "text": "{\\"choice\\": 3}",'
        ' "digits": [3, 5], "hidden": 3, "sees": [5]}\n'
    )
    done = run("score", str(replies))
    assert json.loads(done.stdout)["hidden_choice"] is True
    rows = tmp_path / "r.csv"
    lines = [f"{s},{c},1,{int(s > 2)}" for s in range(6) for c in "AB"]
    rows.write_text("scene,condition,sample,y\n" + "\n".join(lines))
    done = run("compare", str(rows), "--reference", "A", "--test", "B", "--json")
    assert json.loads(done.stdout)["estimate"] == 0.0
    coder = tmp_path / "a.csv"
    coder.write_text("item,code\n1,x\n2,y\n")
    done = run("agree", str(coder), str(coder), "--json")
    assert json.loads(done.stdout)["pairs"][0]["kappa"] == 1.0


@pytest.mark.parametrize("words", [[], ["code", "some.codepack"]])
def test_windows_say_what_is_missing(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, *words],
        env={"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "PySide6" in done.stderr
    assert "Traceback" not in done.stderr

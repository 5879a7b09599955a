"""The whole of blind coding, played by keyboard on a real screen where there is one."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("rehearsal.py")
STEPS = (
    "packet sealed", "packet released", "packet sealed", "packet released",
    "results merged", "results merged", "results locked", "results locked",
    "results merged", "packet unblinded", "packet unblinded",  # both, at once
)  # fmt: skip
pytestmark = [pytest.mark.gui, pytest.mark.slow]


@pytest.fixture(scope="module")
def screen() -> Iterator[dict[str, str]]:
    """Where windows go: an X screen of our own, or memory without Xvfb."""
    if not shutil.which("Xvfb"):
        yield {"QT_QPA_PLATFORM": "offscreen"}
        return
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"]
    with subprocess.Popen(
        command, pass_fds=[write], stderr=subprocess.DEVNULL
    ) as server:
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
        server.terminate()


@pytest.fixture(scope="module")
def played(
    screen: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("rehearsal")
    home = str(folder / "home")
    env = {**os.environ, **screen, "DIRECTOR_GUI_HOME": home, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, str(SCRIPT), str(folder)],
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    found["sizes"] = [path.stat().st_size for path in folder.glob("*.png")]
    return found


def test_every_step_is_logged_in_its_order(played: dict[str, Any]) -> None:
    assert played["refused"] == []
    assert tuple(action for action, _ in played["log"]) == STEPS
    opened = [detail for _, detail in played["log"][-2:]]
    assert all(detail["commitment_kept"] for detail in opened)
    assert {detail["reason"] for detail in opened} == {"both coders are done"}
    names = sorted(sorted(one["alias"] for one in each["results"]) for each in opened)
    assert names == [["adjudicated", "ann"], ["ben"]]


def test_the_figures_are_those_of_what_was_pressed(played: dict[str, Any]) -> None:
    """Sixteen traces, three of them read otherwise by the second coder."""
    (pair,) = played["pairs"][1:]
    assert pair[0].startswith("ann\nben (")
    assert pair[1:3] == ["16", "81.3 %"]
    ann, settled = played["joined"]
    assert sum(int(row[1]) for row in ann[1:]) == 16
    # Two of three disagreements were settled, so one reply has no code there.
    assert sum(int(row[1]) for row in settled[1:]) == 15


def test_the_guesses_are_counted_by_condition(played: dict[str, Any]) -> None:
    rows = played["guesses"][1:]
    assert [row[0].split("\n")[0] for row in rows] == ["move.ask", "move.plain"]
    assert sum(int(cell) for row in rows for cell in row[1:4]) == 16


def test_nothing_is_far_from_the_keyboard(played: dict[str, Any]) -> None:
    assert max(played["tabs"].values()) <= 20, played["tabs"]


def test_each_step_has_a_picture(played: dict[str, Any]) -> None:
    assert len(played["sizes"]) == played["pictures"] > 18
    assert min(played["sizes"]) > 5000

"""A larger set, killed at random moments and resumed: the same in every stored byte."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from director_gui.families.library import built_in
from director_gui.families.writing import changed

pytestmark = [
    pytest.mark.render,
    pytest.mark.slow,
    pytest.mark.skipif(os.name == "nt", reason="kills a group of processes"),
]
SCENES, KILLS = 24, 3
_TIMES = {"created", "begun", "ended"}  # what may differ between two makings


@pytest.fixture(scope="module")
def family(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The main family with smaller pictures, three and four blocks, many seeds."""
    text = built_in("main").text
    for path, value in (
        ("name", "killed"),
        ("count", SCENES),
        ("picture.width", 320),
        ("picture.height", 240),
    ):
        text = changed(text, path, value)
    made = tmp_path_factory.mktemp("family") / "killed.toml"
    made.write_text(text, encoding="utf-8")
    return made


def begun(family: Path, study: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "director_gui", "scenes", "make", str(family)]
    return subprocess.Popen(
        [*command, "-o", str(study)],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def kept(study: Path) -> int:
    try:
        with sqlite3.connect(f"file:{study}?mode=ro", uri=True) as db:
            (count,) = db.execute("SELECT count(*) FROM set_scenes").fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


def everything(study: Path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table, without times and row numbers."""
    with sqlite3.connect(f"file:{study}?mode=ro", uri=True) as db:
        tables = [
            name
            for (name,) in db.execute(
                "SELECT name FROM sqlite_master WHERE type='table'"
            )
            if not name.startswith("sqlite_")
        ]
        return {name: rows_of(db, name) for name in sorted(tables)}


def rows_of(db: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    names = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")')]
    wanted = ", ".join(f'"{name}"' for name in names if name not in _TIMES)
    rows = db.execute(f'SELECT {wanted} FROM "{table}"')  # noqa: S608 - its own names
    return sorted((tuple(row) for row in rows), key=repr)


@pytest.fixture(scope="module")
def whole(family: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The set made without a break."""
    study = tmp_path_factory.mktemp("whole") / "set.study"
    assert begun(family, study).wait(600) == 0
    return study


@pytest.mark.parametrize("seed", [1, 2])
def test_three_kills_leave_no_trace(
    family: Path, whole: Path, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    study = tmp_path / "set.study"
    # Anywhere: among the first scenes, in the middle, and near the end.
    marks = sorted(chance.sample(range(1, SCENES - 1), KILLS))
    seen = []
    for mark in marks:
        child = begun(family, study)
        until = time.monotonic() + 300
        while kept(study) < mark and child.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        time.sleep(chance.random() * 0.2)  # somewhere within the next scene
        os.killpg(child.pid, signal.SIGKILL)  # its workers, too
        child.wait()
        seen.append(kept(study))
    assert 0 < seen[0] < SCENES
    assert seen == sorted(seen)  # what was kept stays
    assert begun(family, study).wait(600) == 0
    assert kept(study) == SCENES
    found, wanted = everything(study), everything(whole)
    assert found.keys() == wanted.keys()
    for table in ("sets", "scenes", "images", "stimuli", "set_scenes"):
        assert len(wanted[table]) > 0, table
        assert found[table] == wanted[table], table


def test_a_kill_before_the_first_scene_leaves_a_study_that_goes_on(
    family: Path, whole: Path, tmp_path: Path
) -> None:
    study = tmp_path / "set.study"
    child = begun(family, study)
    until = time.monotonic() + 60
    while not study.exists() and time.monotonic() < until:
        time.sleep(0.002)
    os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    assert begun(family, study).wait(600) == 0
    assert everything(study)["set_scenes"] == everything(whole)["set_scenes"]


def test_every_other_table_is_empty_or_the_same(whole: Path) -> None:
    # So that "everything that is stored" is what the test above compares.
    others = {
        name: rows
        for name, rows in everything(whole).items()
        if name not in {"sets", "scenes", "images", "stimuli", "set_scenes"} and rows
    }
    assert all("study" in name or "meta" in name for name in others), others.keys()

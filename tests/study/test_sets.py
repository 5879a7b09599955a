"""Sets in a study: made by workers, resumed after a kill, the same byte for byte."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from director_gui.errors import CheckFailedError, UserError
from director_gui.families.forecast import HardFamilyError
from director_gui.families.library import built_in
from director_gui.families.plan import plan_of
from director_gui.families.reading import read_family
from director_gui.families.writing import changed
from director_gui.geometry.visibility import Sight, sights_of
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import StillRenderer
from director_gui.scene.model import VIEWS
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study, open_study
from director_gui.study.set_tallies import every_scene, tallies_of
from director_gui.study.sets import Recipe, make_set, recipe_of
from director_gui.study.stimulus_work import MOST_QUARRELS, make_scene, picture_of

pytestmark = pytest.mark.render


def small(count: int, name: str = "small") -> Recipe:
    """The main family with pictures of a stamp's size."""
    text = built_in("main").text
    for path, value in (
        ("name", name),
        ("count", count),
        ("picture.width", 128),
        ("picture.height", 96),
    ):
        text = changed(text, path, value)
    return Recipe(read_family(text.encode()), text)


def contents(study: Study) -> list[object]:
    """All that a study's sets hold, but for the time."""
    found: list[object] = []
    for item in rows.sets(study):
        found.append((item.id, item.name, item.family, item.count, item.original))
        for row in every_scene(study, item.id):
            found.append((row, stored.scene(study, row.scene).json))
            for view in VIEWS:
                shown = stored.stimulus(study, row.scene, view)
                assert shown is not None
                found.append(stored.image(study, shown.image))
    return found


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        yield made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    path = tmp_path_factory.mktemp("whole") / "whole.study"
    with create_study(path, "whole") as made:
        make_set(made, small(4), workers=2)
        yield made


def test_a_set_holds_what_one_process_makes(whole: Study) -> None:
    family = small(4).family
    (item,) = rows.sets(whole)
    with StillRenderer() as renderer, DepthWindow() as window:
        for row, cell in zip(every_scene(whole, item.id), plan_of(family), strict=True):
            made = make_scene(
                family,
                (row.position, cell),
                lambda data: depth_fractions(data, window),
                lambda scene, view: picture_of(renderer, scene, view),
            )
            assert made.canonical == stored.scene(whole, row.scene).json
            assert made.facts == row.facts
            assert (made.candidate, made.rejected) == (row.candidate, row.rejected)
            for view in VIEWS:
                shown = stored.stimulus(whole, row.scene, view)
                assert shown is not None
                image = stored.image(whole, shown.image)
                assert image.png == made.pictures[view].png
                assert (image.width, image.height) == (128, 96)


def test_both_witnesses_agree_on_every_block_and_view(whole: Study) -> None:
    (item,) = rows.sets(whole)
    for row in every_scene(whole, item.id):
        said = row.facts["witnesses"]
        for view in VIEWS:
            for digit, share in said["analytic"][view].items():
                assert abs(share - said["depth"][view][digit]) <= 0.01
        hidden = str(row.facts["key"]["hidden"])
        assert said["analytic"]["director"][hidden] == 0
        assert said["depth"]["director"][hidden] == 0


def test_tallies_are_interfaces_json(whole: Study) -> None:
    (item,) = rows.sets(whole)
    tallies = tallies_of(whole, item.id)
    assert list(tallies) == [
        "scenes",
        "blocks",
        "hidden_rank",
        "hidden_has_largest_digit",
        "smaller_visible_has_larger_digit",
        "apparent_size_confound",
        "rejected",
        "dropped",
    ]
    assert tallies["scenes"] == 4
    assert tallies["blocks"] == {"3": 2, "4": 2}
    assert tallies["hidden_rank"] == {"largest": 4, "middle": 0, "smallest": 0}
    candidates = [row.candidate for row in every_scene(whole, item.id)]
    assert sum(tallies["rejected"].values()) == sum(candidates)


def test_what_was_begun_is_finished_alike(whole: Study, study: Study) -> None:
    told: list[tuple[int, int, int]] = []

    def progress(done: int, total: int, rejected: Counter[str]) -> None:
        told.append((done, total, rejected.total()))

    recipe = small(4)
    make_set(study, recipe, progress=progress, stop=lambda: len(told) >= 2, workers=1)
    assert [done for done, _, _ in told] == [1, 2]
    assert rows.scene_count(study, recipe.set_id) == 2
    make_set(study, recipe, progress=progress, workers=1)
    assert [done for done, _, _ in told] == [1, 2, 3, 4]
    assert contents(study) == contents(whole)
    # A complete set is left as it is, and nothing is drawn for it.
    make_set(study, recipe, progress=progress, workers=1)
    assert len(told) == 4


def test_a_killed_program_goes_on_where_it_was(whole: Study, tmp_path: Path) -> None:
    family, path = tmp_path / "small.toml", tmp_path / "killed.study"
    family.write_text(small(4).text)
    command = [sys.executable, "-m", "director_gui", "scenes", "make", str(family)]
    child = subprocess.Popen(
        [*command, "-o", str(path)], start_new_session=True, stderr=subprocess.DEVNULL
    )
    until = time.monotonic() + 60
    while _kept(path) < 1 and time.monotonic() < until:
        time.sleep(0.02)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    with open_study(path) as study:
        assert 1 <= rows.scene_count(study, small(4).set_id) <= 4
        make_set(study, small(4), workers=1)
        assert contents(study) == contents(whole)


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group")
def test_ctrl_c_keeps_the_work_and_says_so(tmp_path: Path) -> None:
    family, path = tmp_path / "small.toml", tmp_path / "stopped.study"
    family.write_text(small(500).text)
    command = [sys.executable, "-m", "director_gui", "scenes", "make", str(family)]
    child = subprocess.Popen(
        [*command, "-o", str(path)],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while _kept(path) < 1 and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGINT)
    _, err = child.communicate(timeout=60)
    assert child.returncode == 130
    assert "Traceback" not in err
    assert "kept" in err
    assert _kept(path) >= 1


def _kept(path: Path) -> int:
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            (count,) = db.execute("SELECT count(*) FROM set_scenes").fetchone()
    except sqlite3.Error:
        return 0
    return int(count)


def test_a_rearranged_set_brings_its_originals(tmp_path: Path, study: Study) -> None:
    base = small(2, "mine")
    (tmp_path / "mine.toml").write_text(base.text)
    other = tmp_path / "other.toml"
    other.write_text(
        'format = "director-family/1"\nname = "other"\nabout = ""\n'
        'rearranges = "mine"\n'
    )
    made = make_set(study, recipe_of(str(other), count=2, seed=5), workers=1)
    first, second = rows.sets(study)
    assert (first.name, second.name, made.id) == ("mine", "other", second.id)
    assert (second.original, second.count, second.seed) == (first.id, 2, 5)
    originals = [row.scene for row in every_scene(study, first.id)]
    assert [row.original for row in every_scene(study, second.id)] == originals
    assert "seed = 5" in first.family


def test_another_set_of_the_same_name_is_refused(whole: Study) -> None:
    before = contents(whole)
    with pytest.raises(UserError, match="another set of this name"):
        make_set(whole, small(3))
    assert contents(whole) == before


def test_a_hard_family_leaves_nothing_behind(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("director_gui.families.forecast.LEAST_RATE", 2.0)
    with pytest.raises(HardFamilyError, match="hardly"):
        make_set(study, small(2))
    assert rows.sets(study) == []


def test_witnesses_that_never_agree_end_the_work_with_both_numbers() -> None:
    family = small(1).family

    def crooked(data: bytes) -> dict[str, dict[int, Sight]]:
        """A second witness that sees a little less of each block."""
        scene = read_scene(data)
        return {
            view: {
                digit: replace(sight, fraction=(sight.fraction or 0.0) * 0.98)
                for digit, sight in sights_of(scene, view).items()
            }
            for view in VIEWS
        }

    with pytest.raises(CheckFailedError) as caught:
        make_scene(family, (0, plan_of(family)[0]), crooked, _undrawn)
    text = str(caught.value)
    assert f"{MOST_QUARRELS} candidates in a row" in text
    assert "0.98 by the depth buffer" in text


def _undrawn(*_: object) -> NoReturn:
    raise AssertionError

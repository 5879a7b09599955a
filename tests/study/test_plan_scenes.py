"""Dropped scenes stay out of plans, with their reasons; pinned ones stay in."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.cli import dispatch
from director_gui.errors import UserError
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.marks import Kind, Mark, add_marks
from director_gui.store.runs import calls_of, runs
from director_gui.store.sets import set_named, set_scenes
from director_gui.study.plan_draft import scene_offers
from director_gui.study.plan_file import SceneChoice
from director_gui.study.plan_scenes import (
    LeftOut,
    choice_of,
    chosen_scenes,
    dropped_in_words,
    left_out,
)
from director_gui.study.set_tallies import tallies_of
from director_gui.study.sets import recipe_of
from tests.made_sets import add_set
from tests.plan_studies import plan_text

MAIN, ALL = SceneChoice(sets=("main",)), SceneChoice()
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a study") as made:
        add_set(made, recipe_of("main", count=4, seed=3))
        yield made


def mark(
    study: Study, at: int, kind: Kind, reason: str = "", name: str = "main"
) -> str:
    """Mark scene `at` of a set; return its hash."""
    item = set_named(study, name)
    scene = set_scenes(study, item.id)[at].scene
    add_marks(study, item.id, [Mark(scene, kind, reason, "me")])
    return scene


def names(study: Study, choice: SceneChoice) -> list[str]:
    return [scene.name for scene in chosen_scenes(study, choice)]


@pytest.mark.parametrize("choice", [MAIN, ALL])
def test_what_was_dropped_is_left_out_with_its_reason(
    study: Study, choice: SceneChoice
) -> None:
    mark(study, 2, "drop", "too dark")
    mark(study, 0, "drop", "digit in the shade")
    mark(study, 1, "pin", "for the figure")
    assert names(study, choice) == ["main-0002", "main-0004"]
    assert left_out(study, choice) == (
        LeftOut("main", "main-0001", "digit in the shade"),
        LeftOut("main", "main-0003", "too dark"),
    )


def test_a_drop_that_was_taken_back_is_shown_again(study: Study) -> None:
    mark(study, 2, "drop", "too dark")
    mark(study, 2, "none")
    assert len(names(study, MAIN)) == 4
    assert left_out(study, MAIN) == ()
    mark(study, 2, "drop", "too dark")
    mark(study, 2, "pin", "not so dark")
    assert len(names(study, MAIN)) == 4


def test_only_the_chosen_sets_drops_count(study: Study) -> None:
    add_set(study, recipe_of("rotated", count=3, seed=1))
    mark(study, 1, "drop", "odd", "rotated")
    assert left_out(study, MAIN) == ()
    assert [item.set for item in left_out(study, ALL)] == ["rotated"]
    both = SceneChoice(sets=("main", "rotated"))
    assert len(names(study, both)) == 6
    assert len(left_out(study, both)) == 1


def test_a_scene_that_is_named_is_shown_all_the_same(study: Study) -> None:
    mark(study, 1, "drop", "odd")
    named = SceneChoice(sets=("main",), names=("main-0002",))
    assert sorted(names(study, named)) == [f"main-000{n}" for n in (1, 2, 3, 4)]
    assert left_out(study, named) == ()


def hashes(study: Study, name: str = "main") -> list[str]:
    return [row.scene for row in set_scenes(study, set_named(study, name).id)]


def test_scenes_that_are_a_whole_set_are_chosen_by_its_name(study: Study) -> None:
    add_set(study, recipe_of("rotated", count=3, seed=1))
    both = [*hashes(study, "rotated"), *hashes(study)]
    assert choice_of(study, both, ()) == SceneChoice(sets=("main", "rotated"))
    assert choice_of(study, both[:4], ()) == SceneChoice(
        sets=("rotated",), names=("main-0001",)
    )


def test_a_set_without_what_was_dropped_is_still_that_set(study: Study) -> None:
    shown = hashes(study)
    lost = mark(study, 2, "drop", "too dark")
    shown.remove(lost)
    out = {"set": "main", "scene": "main-0003", "reason": "too dark"}
    assert choice_of(study, shown, ()) == MAIN
    # Taken back since: it was no part of the run, and is one of the next.
    mark(study, 2, "none")
    assert choice_of(study, shown, [out]) == MAIN
    assert choice_of(study, shown, ()).sets == ()


def test_one_scene_of_a_set_is_not_the_set(study: Study) -> None:
    first = hashes(study)[0]
    assert choice_of(study, [first], ()) == SceneChoice(names=("main-0001",))


def test_when_all_are_dropped_it_says_so(study: Study) -> None:
    for at in range(4):
        mark(study, at, "drop", f"reason {at}")
    with pytest.raises(UserError, match=r"every scene .* main-0004 \(reason 3\)"):
        chosen_scenes(study, MAIN)


@pytest.mark.parametrize(
    "choice", [SceneChoice(sets=("x",)), SceneChoice(names=("x",))]
)
def test_what_is_not_there_is_refused(study: Study, choice: SceneChoice) -> None:
    with pytest.raises(UserError):
        left_out(study, choice)


def test_many_are_summed_up() -> None:
    gone = [LeftOut("main", f"main-{n:04}", "dark") for n in range(1, 8)]
    assert dropped_in_words(gone[:0]) == ""
    assert dropped_in_words(gone[:1]) == (
        "1 dropped scene is left out: main-0001 (dark)"
    )
    told = dropped_in_words(gone)
    assert told.startswith("7 dropped scenes are left out: main-0001 (dark); ")
    assert told.endswith("main-0005 (dark); and 2 more")


def test_offers_say_how_many_are_dropped(study: Study) -> None:
    mark(study, 1, "drop", "odd")
    for offer in scene_offers(study):
        assert offer.count == 3
        assert offer.left_out == (LeftOut("main", "main-0002", "odd"),)


def test_tallies_leave_them_out_and_name_them(study: Study) -> None:
    item = set_named(study, "main")
    before = tallies_of(study, item.id)
    assert before["dropped"] == {}
    mark(study, 1, "drop", "odd")
    mark(study, 2, "pin", "fine")
    after = tallies_of(study, item.id)
    assert after["scenes"] == 3 == before["scenes"] - 1
    assert after["dropped"] == {"main-0002": "odd"}
    assert sum(after["blocks"].values()) == 3
    assert after["rejected"] == before["rejected"]  # candidates, not scenes


class TestCommand:
    """From the set to the replies, through the command alone."""

    def run(self, study: Study, *more: str, **plan: object) -> int:
        path = study.path.with_name("plan.toml")
        path.write_text(plan_text(**plan), encoding="utf-8")
        return dispatch.run(["run", str(study.path), "--plan", str(path), *more])

    def shown(self, study: Study) -> set[str]:
        with open_study(study.path, read_only=True) as opened:
            (run,) = runs(opened)
            return {call.scene for call in calls_of(opened, run.id)}

    def test_a_dropped_scene_is_never_sent_and_is_told(
        self, study: Study, capsys: Capture
    ) -> None:
        gone = mark(study, 1, "drop", "odd")
        kept = mark(study, 2, "pin", "fine")
        study.close()
        assert self.run(study, "--json") == 0
        result = json.loads(capsys.readouterr().out)
        assert result["scenes"] == 3
        assert result["calls"] == 3 * 2 * 2
        wanted = [{"set": "main", "scene": "main-0002", "reason": "odd"}]
        assert result["left_out"] == wanted
        assert gone not in self.shown(study)
        assert kept in self.shown(study)
        assert self.run(study) == 0
        out = capsys.readouterr().out
        assert "1 dropped scene is left out: main-0002 (odd)" in out

    def test_a_drop_after_the_plan_was_made_changes_nothing(
        self, study: Study, capsys: Capture
    ) -> None:
        study.close()
        assert self.run(study, "--dry-run", "--json") == 0
        before, planned = json.loads(capsys.readouterr().out), self.shown(study)
        with open_study(study.path) as opened:
            gone = mark(opened, 1, "drop", "odd")
        assert self.run(study, "--json") == 0
        after = json.loads(capsys.readouterr().out)
        assert gone in self.shown(study) == planned
        assert after["calls"] == before["calls"] == 16
        assert after["counts"]["open"] == 0
        assert after["left_out"] == []
        # Another plan of the same set is made without it.
        assert self.run(study, "--json", "--dry-run", name="second") == 0
        assert json.loads(capsys.readouterr().out)["scenes"] == 3

    def test_a_drop_that_is_taken_back_later_changes_nothing_either(
        self, study: Study, capsys: Capture
    ) -> None:
        mark(study, 1, "drop", "odd")
        study.close()
        assert self.run(study, "--dry-run", "--json") == 0
        with open_study(study.path) as opened:
            mark(opened, 1, "none")
        assert self.run(study, "--json") == 0
        results = [json.loads(li) for li in capsys.readouterr().out.splitlines()]
        assert [found["scenes"] for found in results] == [3, 3]
        assert results[0]["left_out"] == results[1]["left_out"] != []

    def test_make_on_a_set_that_is_there_tells_of_drops(
        self, study: Study, capsys: Capture
    ) -> None:
        mark(study, 1, "drop", "odd")
        study.close()
        make = ["scenes", "make", "main", "-o", str(study.path), "--count", "4"]
        assert dispatch.run([*make, "--seed", "3", "--json"]) == 0
        tallies = json.loads(capsys.readouterr().out)
        assert (tallies["scenes"], tallies["dropped"]) == (3, {"main-0002": "odd"})
        assert dispatch.run([*make, "--seed", "3"]) == 0
        assert "dropped, main-0002: odd" in capsys.readouterr().out

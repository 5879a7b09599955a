"""Pins, drops and own families: what is kept and what counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store import own_families
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.marks import Mark, add_marks, dropped, marks_of


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        rows.add_set(made, "S", name="s", family="", count=2, seed=1)
        for name in ("one", "two"):
            stored.add_scene(made, name, name.encode())
        yield made


def hashes(study: Study) -> list[str]:
    return [scene.hash for scene in stored.scenes(study)]


def test_the_newest_mark_counts(study: Study) -> None:
    one, two = hashes(study)
    add_marks(study, "S", [Mark(one, "drop", "too dark"), Mark(two, "pin", "clear")])
    assert dropped(study, "S") == {one}
    add_marks(study, "S", [Mark(one, "pin", "fine after all")])
    assert not dropped(study, "S")
    assert {m.scene: m.kind for m in marks_of(study, "S").values()} == {
        one: "pin",
        two: "pin",
    }


def test_a_mark_taken_back_is_gone_but_told(study: Study) -> None:
    one, _ = hashes(study)
    add_marks(study, "S", [Mark(one, "drop", "too dark", "ann")])
    assert marks_of(study, "S")[one].actor == "ann"
    add_marks(study, "S", [Mark(one, "none")])
    assert marks_of(study, "S") == {}
    (count,) = study.query("SELECT count(*) AS n FROM scene_marks")
    assert count["n"] == 2


def test_another_sets_marks_are_its_own(study: Study) -> None:
    one, _ = hashes(study)
    rows.add_set(study, "T", name="t", family="", count=2, seed=1)
    add_marks(study, "T", [Mark(one, "drop", "twin")])
    assert dropped(study, "S") == set()
    assert dropped(study, "T") == {one}


@pytest.mark.parametrize("kind", ["pin", "drop"])
def test_a_mark_needs_a_reason_and_none_is_kept_without(
    study: Study, kind: str
) -> None:
    one, two = hashes(study)
    good = Mark(one, "pin", "clear")
    bad = Mark(two, "drop" if kind == "drop" else "pin", "  ")
    with pytest.raises(UserError, match="needs a reason"):
        add_marks(study, "S", [good, bad])
    assert marks_of(study, "S") == {}


def test_families_survive_reopening(tmp_path: Path) -> None:
    path = tmp_path / "b.study"
    with create_study(path, "b") as study:
        own_families.save_family(study, "x", "# one\n")
        own_families.save_family(study, "y", "# two\n")
        own_families.save_family(study, "x", "# three\n")
    with open_study(path) as study:
        assert own_families.family_texts(study) == {"x": "# three\n", "y": "# two\n"}
        own_families.forget_family(study, "x")
        with pytest.raises(UserError, match="no such family"):
            own_families.family_text(study, "x")
        assert own_families.family_text(study, "y") == "# two\n"

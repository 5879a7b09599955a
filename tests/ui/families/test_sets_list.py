"""The list at the left: what a study holds, how far it is, and the ways to new ones."""

from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.families import library
from director_gui.store import own_families
from director_gui.ui.families.listing import Entry
from tests.ui.families.bench import Bench

pytestmark = pytest.mark.gui


def test_an_empty_study_offers_the_main_family(bench: Bench) -> None:
    bench.show()
    kinds = [entry.kind for entry in bench.space.list.entries()]
    assert kinds == ["built_in"] * len(library.names())
    assert "None yet" in " ".join(bench.space.list.texts())
    assert bench.space.current == Entry("built_in", "main")
    assert bench.space.family.title.text() == "main"


def test_sets_come_first_with_their_state(bench: Bench) -> None:
    bench.make("main", 3)
    bench.make("rotated", 3, kept=1)
    own_families.save_family(bench.study, "mine", library.built_in("main").text)
    bench.show()
    texts = bench.space.list.texts()
    assert "main\n3 scenes" in texts
    assert "rotated\n1 of 3 scenes · partial" in texts
    kinds = [entry.kind for entry in bench.space.list.entries()]
    assert kinds[:3] == ["set", "set", "own"]
    assert bench.space.current is not None
    assert bench.space.current.kind == "set"


def test_another_study_shows_what_it_holds(bench: Bench, tmp_path: Path) -> None:
    bench.open("main", 2)
    bench.session.create(tmp_path / "b.study")
    assert bench.space.current == Entry("built_in", "main")
    assert bench.gallery.cards == []
    assert [e for e in bench.space.list.entries() if e.kind == "set"] == []


def test_a_family_around_the_open_scene_is_kept(bench: Bench) -> None:
    bench.show()
    bench.click(bench.space.list.around)
    assert bench.space.current == Entry("own", "like-example")
    text = own_families.family_text(bench.study, "like-example")
    assert text == bench.space.draft.text
    assert bench.space.draft.family is not None
    bench.click(bench.space.list.around)
    assert bench.space.current == Entry("own", "like-example-2")


def test_an_odd_scene_name_still_names_a_family(bench: Bench) -> None:
    scene = bench.document.scene
    bench.document.apply(replace(scene, name="a/b c"), "Rename")
    bench.show()
    bench.click(bench.space.list.around)
    assert bench.space.current == Entry("own", "like-a-b-c")


def test_a_set_shows_the_family_it_was_made_from(bench: Bench) -> None:
    item = bench.open("main", 2)
    bench.click(bench.space.set.family)
    assert bench.space.draft.text == item.family
    assert not bench.space.draft.editable

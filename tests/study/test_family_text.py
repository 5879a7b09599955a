"""Families as text: edits that keep comments, recipes, a family around a scene."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.model import HiderRule, StanderRule
from director_gui.families.reading import read_family
from director_gui.families.sampler import sample
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.model import Partition
from director_gui.store import own_families
from director_gui.store.database import Study, create_study
from director_gui.study.family_around import family_around
from director_gui.study.family_text import (
    family_in,
    free_name,
    recipe_in,
    recipe_of_set,
    value_at,
    with_value,
)
from director_gui.study.sets import recipe_of
from tests.made_sets import add_set

MAIN = library.built_in("main").text


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        yield made


def changes(old: str, new: str) -> list[str]:
    before = old.splitlines()
    return [line for line in new.splitlines() if line not in before]


class TestEdits:
    @pytest.mark.parametrize(
        ("path", "value", "line"),
        [
            ("count", 12, "count = 12"),
            ("blocks.gap", 0.05, "gap = 0.05"),
            ("blocks.largest", [0.15, 0.2], "largest = [0.15, 0.2]"),
            ("blocks.largest", 0.2, "largest = 0.2"),
            ("blocks.counts", {"3": 2, "5": 1}, "counts = {3 = 2, 5 = 1}"),
            ("partitions[0].width", [1.0, 2.0], "width = [1, 2]"),
            ("director.eye[2]", 0.5, "eye = [[-0.35, 0.35], [1.05, 1.2], 0.5]"),
            ("hidden.x", [-0.1, 0.1], "x = [-0.1, 0.1]"),
            ("name", 'o"k', 'name = "o\\"k"'),
        ],
    )
    def test_one_line_changes_and_no_comment_is_lost(
        self, path: str, value: object, line: str
    ) -> None:
        new = with_value(MAIN, path, value)
        (changed,) = changes(MAIN, new)
        assert changed.split("  #")[0].split(" #")[0].rstrip() == line
        assert new.count("#") == MAIN.count("#")

    def test_the_value_that_is_there_changes_nothing(self) -> None:
        assert with_value(MAIN, "blocks.largest", [0.18, 0.23]) == MAIN

    def test_a_key_comes_and_goes(self) -> None:
        more = with_value(MAIN, "hidden.x", [-0.1, 0.1])
        assert value_at(more, "hidden.x") == [-0.1, 0.1]
        assert with_value(more, "hidden.x", None) == MAIN

    @pytest.mark.parametrize("path", ["nowhere.x", "partitions[9].gap", "count.x"])
    def test_a_place_that_is_not_there_is_named(self, path: str) -> None:
        with pytest.raises(UserError, match="no such place") as refused:
            with_value(MAIN, path, 1)
        assert refused.value.where == path
        assert value_at(MAIN, path) is None

    def test_broken_toml_is_refused(self) -> None:
        with pytest.raises(UserError, match="not TOML"):
            with_value("a = = 1", "a", 2)


class TestRecipes:
    def test_of_a_text_it_is_that_of_the_name(self, study: Study) -> None:
        mine = recipe_in(study, MAIN, count=4, seed=9)
        assert mine.set_id == recipe_of("main", count=4, seed=9).set_id

    def test_another_name_makes_another_set(self, study: Study) -> None:
        mine = recipe_in(study, MAIN, count=4, seed=9, name="main-2")
        assert mine.family.name == "main-2"
        assert mine.set_id != recipe_of("main", count=4, seed=9).set_id

    def test_a_rearrangement_looks_into_the_study_first(self, study: Study) -> None:
        text = library.built_in("rearranged").text
        built_in = recipe_in(study, text, count=3, seed=None)
        own_families.save_family(study, "main", with_value(MAIN, "blocks.gap", 0.05))
        own = recipe_in(study, text, count=3, seed=None)
        assert built_in.source is not None
        assert own.source is not None
        assert own.source.family.blocks.gap == 0.05
        assert own.family.blocks.gap == 0.05
        assert built_in.source.family.blocks.gap == 0.03

    @pytest.mark.parametrize("name", ["main", "rearranged"])
    def test_of_a_stored_set_it_goes_on_with_that_set(
        self, study: Study, name: str
    ) -> None:
        item = add_set(study, recipe_of(name, count=2, seed=5), kept=1)
        assert recipe_of_set(study, item).set_id == item.id

    def test_a_renamed_set_goes_on_too(self, study: Study) -> None:
        recipe = recipe_in(study, MAIN, count=2, seed=5, name="other")
        item = add_set(study, recipe, kept=1)
        assert recipe_of_set(study, item) == recipe

    def test_a_set_that_would_come_out_otherwise_is_refused(self, study: Study) -> None:
        item = add_set(study, recipe_of("main", count=2, seed=5), kept=1)
        with pytest.raises(UserError, match="another set"):
            recipe_of_set(study, replace(item, seed=6))
        with pytest.raises(UserError, match="imported"):
            recipe_of_set(study, replace(item, family=""))

    def test_what_is_refused_names_the_place(self, study: Study) -> None:
        with pytest.raises(UserError) as refused:
            family_in(study, with_value(MAIN, "blocks.ratio", 99))
        assert refused.value.where == "blocks.ratio"


@pytest.mark.parametrize(
    ("taken", "name"), [(set(), "a"), ({"a"}, "a-2"), ({"a", "a-2"}, "a-3")]
)
def test_a_free_name(taken: set[str], name: str) -> None:
    assert free_name("a", taken) == name


class TestAroundAScene:
    def test_it_reads_and_holds_the_scene(self) -> None:
        scene = example_scene()
        family = read_family(family_around(scene, truth_of(scene), "like").encode())
        largest = max(block.edge for block in scene.blocks)
        assert family.name == "like"
        assert family.blocks.largest.low < largest < family.blocks.largest.high
        assert family.blocks.counts == ((3, 1),)
        assert family.hidden.ranks == (("largest", 1),)
        for rule, view in (
            (family.director, scene.director),
            (family.camera, scene.camera),
        ):
            for span, value in zip(rule.eye, view.eye, strict=True):
                assert span.low <= value <= span.high

    def test_its_partition_goes_with_the_hidden_block(self) -> None:
        scene = example_scene()
        family = read_family(family_around(scene, truth_of(scene), "like").encode())
        (rule,) = family.partitions
        assert isinstance(rule, HiderRule)
        board, block = scene.partitions[0], scene.block(3)
        assert rule.width.low < board.width / block.edge < rule.width.high

    def test_its_scenes_can_be_sampled_and_keep_the_key(self) -> None:
        scene = example_scene()
        family = read_family(family_around(scene, truth_of(scene), "like").encode())
        for made in sample(family, count=2):
            truth = truth_of(made)
            hidden = truth.key.hidden
            assert hidden is not None
            assert made.block(hidden).edge == max(b.edge for b in made.blocks)

    def test_other_partitions_keep_places_of_their_own(self) -> None:
        board = Partition(0.5, -0.3, 90.0, 0.2, 0.1, 0.02)
        scene = replace(example_scene(), partitions=(board,))
        family = read_family(family_around(scene, truth_of(scene), "like").encode())
        (rule,) = family.partitions
        assert isinstance(rule, StanderRule)
        assert rule.x.low < 0.5 < rule.x.high

    @pytest.mark.parametrize("count", [1, 2])
    def test_scenes_with_few_blocks_make_a_family_too(self, count: int) -> None:
        scene = replace(example_scene(), blocks=example_scene().blocks[:count])
        family = read_family(family_around(scene, truth_of(scene), "few").encode())
        assert family.blocks.counts == ((2, 1),)

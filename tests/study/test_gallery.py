"""Cards of a set: what they say, how they are filtered and sorted, their pictures."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.families.tallies import Features
from director_gui.geometry.truth import Key
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study, create_study
from director_gui.store.marks import Mark, add_marks, marks_of
from director_gui.study.gallery import (
    SORTS,
    Card,
    Wanted,
    arranged,
    cards_of,
    pixels_of,
    row_at,
    tallies,
    with_marks,
)
from director_gui.study.set_tallies import tallies_of
from director_gui.study.sets import recipe_of
from tests.made_sets import add_set


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with create_study(tmp_path_factory.mktemp("g") / "a.study", "a") as made:
        add_set(made, recipe_of("main", count=3, seed=None))
        yield made


@pytest.fixture
def item(study: Study) -> rows.StoredSet:
    return rows.set_named(study, "main")


@pytest.fixture
def cards(study: Study, item: rows.StoredSet) -> list[Card]:
    return cards_of(study, item)


def card(position: int = 0, **what: object) -> Card:
    features = Features(
        blocks=3,
        hidden_rank="largest",
        hidden_has_largest=False,
        smaller_outranks=True,
        confound=False,
    )
    base = Card(
        position=position,
        scene=f"hash{position}",
        name=f"main-{position:04}",
        digits=(8, 5, 3),
        key=Key(8, 5, 8),
        features=features,
        least=0.9,
        margin=0.15,
        candidate=7,
    )
    return replace(base, **what)


class TestOfAStoredSet:
    def test_there_is_one_for_each_scene_in_order(self, cards: list[Card]) -> None:
        assert [c.name for c in cards] == ["main-0001", "main-0002", "main-0003"]
        assert [c.position for c in cards] == [0, 1, 2]

    def test_they_say_what_the_facts_say(
        self, study: Study, item: rows.StoredSet, cards: list[Card]
    ) -> None:
        for one in cards:
            facts = row_at(study, item.id, one.position).facts
            assert one.key.hidden == facts["key"]["hidden"]
            seen = [
                fraction
                for view in ("model", "director")
                for digit, fraction in facts["witnesses"]["analytic"][view].items()
                if view == "model" or int(digit) != one.key.hidden
            ]
            assert one.least == min(seen)
            # The family demands 75 % in both views, and every scene satisfies it.
            assert one.margin == pytest.approx(min(seen) - 0.75)
            assert one.margin >= 0

    def test_the_tallies_are_those_of_the_command(
        self, study: Study, item: rows.StoredSet, cards: list[Card]
    ) -> None:
        whole = tallies_of(study, item.id)
        of_scenes = {k: whole[k] for k in whole if k not in ("rejected", "dropped")}
        assert tallies(cards) == of_scenes

    def test_digits_go_from_the_largest_block_down(self, cards: list[Card]) -> None:
        for one in cards:
            assert one.digits[0] == one.key.hidden  # the main set hides the largest
            assert one.digits[1] == one.key.director_view

    def test_a_damaged_depth_fraction_lowers_the_margin(
        self, study: Study, item: rows.StoredSet
    ) -> None:
        row = row_at(study, item.id, 0)
        digit = next(iter(row.facts["witnesses"]["depth"]["model"]))
        facts = {**row.facts, "witnesses": {**row.facts["witnesses"]}}
        depth = facts["witnesses"]["depth"]
        facts["witnesses"]["depth"] = {**depth, "model": {**depth["model"], digit: 0.5}}
        copy = rows.add_set(study, "copy", name="copy", family="", count=1, seed=0)
        rows.add_set_scene(study, replace(row, set="copy", position=0, facts=facts))
        (one,) = cards_of(study, copy)
        assert one.least == 0.5
        assert one.margin == pytest.approx(0.25)  # without a family: above 25 %

    def test_a_place_that_is_not_there_is_refused(
        self, study: Study, item: rows.StoredSet
    ) -> None:
        with pytest.raises(UserError, match="no such scene"):
            row_at(study, item.id, 99)


class TestPictures:
    def test_whole_and_small(self, study: Study, cards: list[Card]) -> None:
        whole = pixels_of(study, cards[0].scene, "model")
        assert whole.shape == (24, 32, 3)
        small = pixels_of(study, cards[0].scene, "model", 16)
        assert small.shape == (12, 16, 3)
        assert np.array_equal(small[0, 0], whole[0, 0])  # of one colour

    def test_none_is_made_larger(self, study: Study, cards: list[Card]) -> None:
        assert pixels_of(study, cards[0].scene, "director", 640).shape == (24, 32, 3)

    def test_a_scene_without_one_is_told(self, study: Study) -> None:
        scene = stored.add_scene(study, "bare", b"bare")
        with pytest.raises(UserError, match="no picture"):
            pixels_of(study, scene, "model")


class TestFilter:
    @pytest.mark.parametrize(
        ("wanted", "other"),
        [
            (Wanted(hidden_rank="smallest"), {"hidden_rank": "smallest"}),
            (Wanted(blocks=4), {"blocks": 4}),
            (Wanted(confound=True), {"confound": True}),
            (Wanted(hidden_has_largest=True), {"hidden_has_largest": True}),
        ],
    )
    def test_by_a_property(self, wanted: Wanted, other: dict[str, object]) -> None:
        plain = card(0)
        fits = card(1, features=replace(plain.features, **other))
        assert arranged([plain, fits], wanted) == [fits]

    def test_false_is_not_the_same_as_whatever(self) -> None:
        plain = card(0)
        odd = card(1, features=replace(plain.features, confound=True))
        assert arranged([plain, odd], Wanted(confound=False)) == [plain]
        assert arranged([plain, odd], Wanted()) == [plain, odd]

    def test_by_what_is_weak(self) -> None:
        weak = card(1, least=0.76, margin=0.01)
        assert arranged([card(0), weak], Wanted(least=0.8)) == [weak]
        assert arranged([card(0), weak], Wanted(margin=0.05)) == [weak]

    @pytest.mark.parametrize(
        ("text", "hits"),
        [
            ("main-0001", [1]),
            ("HIDDEN 8", [0, 2]),
            ("hidden 4 3 blocks", [1]),
            ("confound", [2]),
            ("blurred", [2]),
            ("drop", [2]),
            ("zebra", []),
            ("  ", [0, 1, 2]),
        ],
    )
    def test_by_typing(self, text: str, hits: list[int]) -> None:
        cards = [
            card(0),
            card(1, key=Key(4, 5, 4), digits=(4, 5, 1)),
            card(
                2,
                features=replace(card().features, confound=True),
                mark=Mark("hash2", "drop", "Blurred"),
            ),
        ]
        found = arranged(cards, Wanted(text=text))
        assert [one.position for one in found] == hits

    def test_by_mark(self) -> None:
        cards = [
            card(0),
            card(1, mark=Mark("hash1", "pin", "clear")),
            card(2, mark=Mark("hash2", "drop", "dark")),
        ]
        by = {
            kind: [c.position for c in arranged(cards, Wanted(mark=kind))]
            for kind in ("any", "kept", "pin", "drop")
        }
        assert by == {"any": [0, 1, 2], "kept": [0, 1], "pin": [1], "drop": [2]}


class TestSort:
    def test_by_margin_both_ways(self) -> None:
        cards = [card(0, margin=0.2), card(1, margin=0.0), card(2, margin=0.1)]
        up = arranged(cards, Wanted(), "margin")
        assert [c.position for c in up] == [1, 2, 0]
        down = arranged(cards, Wanted(), "margin", descending=True)
        assert [c.position for c in down] == [0, 2, 1]

    @given(
        st.lists(
            st.builds(
                card,
                position=st.integers(0, 50),
                least=st.floats(0, 1),
                margin=st.floats(-1, 1),
                candidate=st.integers(0, 9),
            ),
            max_size=12,
            unique_by=lambda c: c.position,
        ),
        st.sampled_from(sorted(SORTS)),
    )
    def test_it_loses_nothing_whatever_the_order(
        self, cards: list[Card], sort: str
    ) -> None:
        found = arranged(cards, Wanted(), sort)
        assert sorted(c.position for c in found) == sorted(c.position for c in cards)
        keys = [SORTS[sort](c) for c in found]
        assert keys == sorted(keys)


class TestMarks:
    def test_they_reach_the_cards_and_the_tallies(
        self, study: Study, item: rows.StoredSet, cards: list[Card]
    ) -> None:
        add_marks(study, item.id, [Mark(cards[1].scene, "drop", "digit in shade")])
        marked = with_marks(cards, marks_of(study, item.id))
        assert [c.dropped for c in marked] == [False, True, False]
        assert marked[0] is cards[0]  # unchanged cards are not made anew
        assert marked == cards_of(study, item)
        assert tallies(marked)["scenes"] == 2
        assert tallies(marked, dropped=True)["scenes"] == 3
        add_marks(study, item.id, [Mark(cards[1].scene, "none")])
        assert with_marks(marked, marks_of(study, item.id)) == cards


def test_reading_tells_how_far_it_is(study: Study, item: rows.StoredSet) -> None:
    told: list[int] = []
    row = row_at(study, item.id, 0)
    big = rows.add_set(study, "big", name="big", family="", count=450, seed=0)
    with study.write():
        for at in range(450):
            rows.add_set_scene(study, replace(row, set="big", position=at))
    assert len(cards_of(study, big, told.append)) == 450
    assert told == [200, 400]

"""One scene of a family: the one that sampling makes, or honestly another."""

from dataclasses import replace

import pytest

from director_gui.families import library
from director_gui.families.example import example_of
from director_gui.families.model import Span
from director_gui.families.sampler import sample


def never() -> bool:
    return False


@pytest.mark.parametrize("name", ["main", "rearranged", "director-at-side"])
def test_it_is_the_scene_that_sampling_makes(name: str) -> None:
    family = library.family(name).with_(3, None)
    made = list(sample(family))
    for index in (0, 2):
        example = example_of(family, index, never)
        assert example.scene == made[index]
        assert example.reason is None


def test_its_hidden_block_is_the_one_that_the_plan_hides() -> None:
    family = library.family("rotated").with_(6, None)
    for index in range(3):
        example = example_of(family, index, never)
        edges = sorted(block.edge for block in example.scene.blocks)
        assert example.block.edge in edges
        assert example.block.digit == example.hidden


def test_a_rearranged_scene_hides_the_same_block_under_another_digit() -> None:
    base = example_of(library.family("main"), 0, never)
    other = example_of(library.family("rearranged"), 0, never)
    places = [(e.block.x, e.block.y, e.block.edge) for e in (base, other)]
    assert places[0] == places[1]
    assert base.hidden != other.hidden


def test_beyond_the_set_it_begins_again() -> None:
    family = library.family("main").with_(2, None)
    assert example_of(family, 2, never) == example_of(family, 0, never)
    assert example_of(family, -1, never) == example_of(family, 1, never)


def test_what_cannot_be_found_in_time_is_a_candidate_with_its_reason() -> None:
    family = library.family("main")
    nowhere = replace(family, blocks=replace(family.blocks, x=Span(5.0, 6.0)))
    asked: list[int] = []

    def late() -> bool:
        asked.append(1)
        return len(asked) > 4

    example = example_of(nowhere, 0, late)
    assert len(asked) == 5
    assert example.reason == "off_table"
    assert len(example.scene.blocks) in (3, 4)


def test_digits_that_no_permutation_makes_legible_are_told() -> None:
    family = library.family("rearranged")
    digits = (1, 2, *range(90, 97))
    wide = replace(family, blocks=replace(family.blocks, digits=digits))
    reasons = {example_of(wide, index, never).reason for index in range(2)}
    assert reasons <= {None, "not_legible"}

"""Sampled scenes: they satisfy every demand and come out the same."""

from dataclasses import replace
from itertools import islice

import pytest

from director_gui.errors import UserError
from director_gui.families.library import family, names
from director_gui.families.model import Span
from director_gui.families.plan import plan_of
from director_gui.families.sampler import accepted, sample
from director_gui.geometry.problems import problems_of
from director_gui.geometry.truth import truth_of
from director_gui.scene.serialize import canonical_bytes, read_scene, scene_hash


@pytest.mark.parametrize("name", names())
def test_built_in_families_yield_stimuli(name: str) -> None:
    chosen = family(name)
    (scene,) = sample(chosen, count=1)
    truth = truth_of(scene)
    assert not [p for p in problems_of(scene, truth) if p.blocks_stimulus]
    sights = truth.sights
    for digit in scene.digits:
        assert (sights["model"][digit].fraction or 0) >= chosen.demands.model_sees
        if digit != truth.key.hidden:
            least = chosen.demands.director_sees
            assert (sights["director"][digit].fraction or 0) >= least
    assert read_scene(canonical_bytes(scene)) == scene


def test_same_family_and_seed_give_the_same_scenes() -> None:
    first, again = (list(sample(family("rotated"), count=2)) for _ in range(2))
    assert first == again
    other = list(sample(family("rotated"), count=2, seed=7))
    assert replace(other[0], name="") != replace(first[0], name="")


# The first scene of each family. A change here changes every set ever made from it:
# it needs a new version of the program and a word in the changelog.
FIRST = {
    "main": "3bbc609c339b8329aad930c50e1cd5bd5a0b053ed971f639d939a7ba6fd701ef",
    "rotated": "c3b82d2f5dfac6b13d391d19caa227b5466bab964944f1352f63f7a202ed2fd8",
}


@pytest.mark.parametrize(("name", "expected"), FIRST.items())
def test_scenes_are_these_bytes_on_every_machine(name: str, expected: str) -> None:
    assert scene_hash(next(iter(sample(family(name))))) == expected


def test_a_scene_depends_on_no_other_scene() -> None:
    chosen = family("rotated")
    cells = plan_of(chosen)
    alone = accepted(chosen, 2, cells[2]).scene
    assert alone == next(islice(sample(chosen), 2, None))
    assert alone.name == "rotated-0003"
    assert alone == accepted(replace(chosen, about="other words"), 2, cells[2]).scene


def test_going_on_after_a_candidate_finds_another() -> None:
    chosen = family("rotated")
    (cell,) = plan_of(replace(chosen, count=1))
    first = accepted(chosen, 0, cell)
    second = accepted(chosen, 0, cell, start=first.candidate + 1)
    assert second.candidate > first.candidate
    assert second.scene != first.scene
    whole = first.rejected.total()
    assert whole == first.candidate


def test_giving_up_is_a_user_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("director_gui.families.sampler.MOST_CANDIDATES", 20)
    chosen = family("rotated")
    flat = replace(chosen.blocks, largest=Span(0.03, 0.03))
    with pytest.raises(UserError, match="none of 20 candidates for scene 1 fits"):
        accepted(replace(chosen, blocks=flat), 0, plan_of(chosen)[0])

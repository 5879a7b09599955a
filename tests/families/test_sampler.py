"""Sampled scenes: they satisfy every demand and come out the same."""

from dataclasses import replace

import pytest

from director_gui.families.library import family, names
from director_gui.families.sampler import sample
from director_gui.geometry.problems import problems_of
from director_gui.geometry.truth import truth_of
from director_gui.scene.serialize import canonical_bytes, read_scene


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

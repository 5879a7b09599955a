"""Permuted digits: the same geometry, and both facts flip where they can."""

from dataclasses import replace

from director_gui.families.draws import Draws
from director_gui.families.library import family
from director_gui.families.plan import plan_of
from director_gui.families.rearrange import rearrangements, with_digits
from director_gui.families.sampler import Accepted, accepted, sample
from director_gui.families.tallies import (
    features_of,
    hidden_has_largest,
    lines_of,
    smaller_outranks,
    tally,
)
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene

OTHER = replace(family("rearranged"), count=6)
FOUND: list[Accepted] = [
    accepted(OTHER, index, cell) for index, cell in enumerate(plan_of(OTHER))
]


def test_the_original_is_the_main_sets_scene() -> None:
    assert [found.original for found in FOUND] == list(sample(family("main"), count=6))


def test_with_the_original_digits_only_the_name_differs() -> None:
    for found in FOUND:
        assert found.original is not None
        back = with_digits(found.scene, found.original.digits)
        assert replace(back, name="") == replace(found.original, name="")
        assert sorted(found.scene.digits) == sorted(found.original.digits)


def test_both_facts_flip() -> None:
    for found in FOUND:
        assert found.original is not None
        before = features_of(found.original, truth_of(found.original))
        after = features_of(found.scene, truth_of(found.scene))
        assert after.hidden_has_largest != before.hidden_has_largest
        # Main scenes always have a smaller visible block than the one asked for.
        assert after.smaller_outranks != before.smaller_outranks
        assert after.hidden_rank == before.hidden_rank == "largest"
        assert after.confound == before.confound


def test_a_smallest_request_flips_the_hidden_digit_alone() -> None:
    scene = next(iter(sample(family("main"), count=1)))
    asked = replace(scene, request=replace(scene.request, extreme="smallest"))
    truth = truth_of(asked)
    other = next(iter(rearrangements(asked, truth, Draws(3))))
    again = truth_of(other)
    assert hidden_has_largest(other, again.key) != hidden_has_largest(asked, truth.key)
    assert not smaller_outranks(other, again.key, again.sees["director"])


def test_tallies_count_each_scene() -> None:
    features = [features_of(found.scene, found.truth) for found in FOUND]
    counts = tally(features)
    assert counts["scenes"] == 6
    assert counts["blocks"] == {"3": 3, "4": 3}
    assert counts["hidden_rank"] == {"largest": 6, "middle": 0, "smallest": 0}
    share = sum(max(f.scene.digits) == f.truth.key.hidden for f in FOUND)
    assert counts["hidden_has_largest_digit"] == share
    lines = lines_of(counts, paper=True)
    assert any("(the paper's main set: 95 of 160)" in line for line in lines)
    assert not any("paper" in line for line in lines_of(counts, paper=False))


def test_tallies_of_the_example() -> None:
    # 3, the hidden one, is the smallest digit; 8, the smallest block, outranks 5.
    scene = example_scene()
    features = features_of(scene, truth_of(scene))
    assert (features.blocks, features.hidden_rank) == (3, "largest")
    assert not features.hidden_has_largest
    assert features.smaller_outranks
    assert not features.confound

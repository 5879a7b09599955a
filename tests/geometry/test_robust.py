"""The key under small moves of the director's eye."""

from dataclasses import replace
from math import hypot

import pytest

from director_gui.geometry.robust import DIRECTIONS, MOVE, find_break
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene


def with_board(**changes: float) -> Scene:
    scene = example_scene()
    return replace(scene, partitions=(replace(scene.partitions[0], **changes),))


def test_the_directions_are_fourteen_unit_vectors_both_ways() -> None:
    assert len(set(DIRECTIONS)) == 14
    assert all(hypot(*d) == pytest.approx(1) for d in DIRECTIONS)
    assert {tuple(-a for a in d) for d in DIRECTIONS} == set(DIRECTIONS)


def test_a_large_partition_keeps_the_key() -> None:
    scene = example_scene()
    assert find_break(scene, truth_of(scene)) is None


def test_a_partition_that_just_covers_breaks_when_the_eye_rises() -> None:
    heights = [h / 1000 for h in range(340, 150, -2)]
    lowest = min(h for h in heights if truth_of(with_board(height=h)).key.hidden == 3)
    scene = with_board(height=lowest)
    found = find_break(scene, truth_of(scene))
    assert found is not None
    assert found.move == (0, 0, MOVE)
    assert found.key.hidden is None
    assert found.sees == (5, 8)


def test_a_block_on_the_verge_of_being_seen_breaks_the_report() -> None:
    heights = [h / 1000 for h in range(230, 210, -1)]
    barely = next(
        h for h in heights if 3 in truth_of(with_board(height=h)).sees["director"]
    )
    scene = with_board(height=barely)
    truth = truth_of(scene)
    found = find_break(scene, truth)
    assert found is not None
    assert found.sees != truth.sees["director"]


def test_an_eye_at_the_bound_may_move_past_it() -> None:
    far = replace(example_scene().director, eye=(0.0, 10.0, 10.0))
    scene = replace(example_scene(), director=far)
    truth = truth_of(scene)
    found = find_break(scene, truth)
    assert found is None or found.key != truth.key or found.sees

"""Legibility: which face, how high its digit is, and what spoils it."""

from dataclasses import replace
from math import cos, radians, sin, tan

import numpy as np
import pytest
from hypothesis import given

from director_gui.geometry.legible import MIN_HEIGHT, Legibility, legibility_of
from director_gui.render.digits import mask
from director_gui.scene.example import example_scene
from director_gui.scene.looks import DIGIT_HEIGHT, TWO_FIGURES_HEIGHT, digit_height
from director_gui.scene.model import Block, Partition, Picture, Scene, Viewpoint
from tests.strategies import QUICK, stimuli, yaws


def facing(
    yaw: float = 0.0, edge: float = 0.2, x: float = 0.0, boards: int = 0
) -> Scene:
    """One block straight in front of a level camera 1 m before its middle."""
    scene = example_scene()
    front = Partition(0.0, -0.5, 0.0, 0.3, 0.3, 0.02)
    return replace(
        scene,
        blocks=(Block(7, edge, x, 0.0, yaw, "#000000"),),
        partitions=(front,) * boards,
        camera=Viewpoint((0.0, -1.0, edge / 2), (0.0, 0.0, edge / 2), 48.0),
    )


def best(scene: Scene) -> Legibility | None:
    return legibility_of(scene, scene.blocks[0])


def test_a_face_seen_head_on_has_the_digits_own_height() -> None:
    expected = DIGIT_HEIGHT * 0.2 / 0.9 / tan(radians(24)) * 384
    found = best(facing())
    assert found is not None
    assert found.height == pytest.approx(expected)
    assert found.scaled == pytest.approx(expected / 2)


def test_the_width_that_providers_scale_to_counts() -> None:
    wide = replace(facing(), picture=Picture(2048, 768))
    found, usual = best(wide), best(facing())
    assert found is not None
    assert usual is not None
    assert found.height == pytest.approx(usual.height)
    assert found.scaled == pytest.approx(usual.height / 4)


@pytest.mark.parametrize(
    ("height", "scaled", "ok"),
    [(24.0, 12.0, True), (23.9, 12.0, False), (24.0, 11.9, False), (90, 45, True)],
)
def test_both_limits_hold(height: float, scaled: float, *, ok: bool) -> None:
    assert Legibility(height, scaled).ok is ok


def test_two_figures_are_lower_than_one() -> None:
    scene = facing()
    two = replace(scene, blocks=(replace(scene.blocks[0], digit=42),))
    found, usual = best(two), best(scene)
    assert found is not None
    assert usual is not None
    assert found.height / usual.height == pytest.approx(
        TWO_FIGURES_HEIGHT / DIGIT_HEIGHT
    )


@pytest.mark.parametrize("digit", [0, 1, 2, 3, 4, 5, 7, 8, 10, 42, 88])
def test_the_drawn_figures_are_as_high_as_the_check_takes_them(digit: int) -> None:
    rows = np.flatnonzero((mask(digit) > 0.5).any(axis=1))
    drawn = (rows[-1] - rows[0] + 1) / len(mask(digit))
    assert digit_height(digit) <= drawn <= digit_height(digit) + 0.07


def test_a_small_block_is_too_low() -> None:
    found = best(facing(edge=0.03))
    assert found is not None
    assert found.height < MIN_HEIGHT
    assert not found.ok


@given(yaws)
@QUICK
def test_some_side_is_always_turned_to_a_level_eye(yaw: float) -> None:
    # Of four sides one is within 45 degrees and a little.
    found = best(facing(yaw))
    assert found is not None
    assert found.ok


def from_above(turn: float, yaw: float) -> Legibility | None:
    """Look down on the block's top, `turn` degrees off its normal."""
    scene = facing(yaw)
    eye = (0.0, -2 * sin(radians(turn)), 0.2 + 2 * cos(radians(turn)))
    return best(replace(scene, camera=Viewpoint(eye, (0.0, 0.0, 0.2), 48.0)))


@pytest.mark.parametrize("yaw", [0.0, 30.0, 45.0])
def test_the_top_counts_when_it_faces_the_eye(yaw: float) -> None:
    found = from_above(10.0, yaw)
    assert found is not None
    assert found.height < DIGIT_HEIGHT * 0.2 / 2 / tan(radians(24)) * 384


def test_a_face_turned_too_far_does_not_count() -> None:
    # Straight in front at yaw 0: one side 0 degrees off, the others 90 or more.
    # Behind a board that covers this side alone, nothing is left.
    scene = facing()
    lid = Partition(0.0, -0.111, 0.0, 0.2, 0.2, 0.02)
    assert best(replace(scene, partitions=(lid,))) is None


@pytest.mark.parametrize(("turn", "counts"), [(64.5, True), (65.5, False)])
def test_the_limit_is_at_sixty_five_degrees(turn: float, *, counts: bool) -> None:
    # A board in front of the near side leaves the top alone to be read.
    scene = facing()
    lid = Partition(0.0, -0.111, 0.0, 0.2, 0.2, 0.02)
    eye = (0.0, -2 * sin(radians(turn)), 0.2 + 2 * cos(radians(turn)))
    camera = Viewpoint(eye, (0.0, 0.0, 0.2), 48.0)
    found = best(replace(scene, partitions=(lid,), camera=camera))
    assert (found is not None) is counts


def test_a_covered_digit_does_not_count() -> None:
    assert best(facing(boards=1)) is None


def test_a_digit_outside_the_picture_does_not_count() -> None:
    assert best(facing(x=2.0)) is None


def test_an_eye_inside_the_block_reads_nothing() -> None:
    scene = facing()
    inside = Viewpoint((0.0, 0.0, 0.1), (0.0, 1.0, 0.1), 48.0)
    assert best(replace(scene, camera=inside)) is None


def test_a_block_in_the_same_place_covers_nothing_of_itself() -> None:
    scene = facing()
    twin = replace(scene.blocks[0], digit=8)
    both = replace(scene, blocks=(*scene.blocks, twin))
    assert legibility_of(both, twin) == best(scene)


@given(stimuli())
@QUICK
def test_usual_stimuli_are_legible(scene: Scene) -> None:
    for block in scene.blocks:
        found = legibility_of(scene, block)
        assert found is not None
        assert found.height > 10

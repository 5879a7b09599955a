"""Verdicts, the key and apparent size."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.geometry.truth import (
    State,
    fitting,
    key_of,
    state_of,
    truth_of,
)
from director_gui.geometry.visibility import Sight
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS, Block, Request, Scene
from tests.strategies import FEW, QUICK, scenes, stimuli

STATES = ("sees", "hidden", "ambiguous", "cut", "out_of_frame")


def sight(visible: int, alone: int = 10_000, outside: float = 0.0) -> Sight:
    fraction = visible / alone if alone else None
    return Sight(visible, alone, fraction, outside, 0.0, 0.0)


@pytest.mark.parametrize(
    ("seen", "second", "state"),
    [
        (sight(10_000), 1.0, "sees"),
        (sight(2_500), 0.25, "sees"),
        (sight(2_499), 0.2499, "ambiguous"),
        (sight(1), 0.0001, "ambiguous"),
        (sight(0), 0.0, "hidden"),
        (sight(0), 0.0001, "ambiguous"),
        (sight(1), 0.0, "ambiguous"),
        (sight(0), None, "ambiguous"),
        (sight(10_000, outside=0.01), 1.0, "sees"),
        (sight(10_000, outside=0.0101), 1.0, "cut"),
        (sight(0, outside=0.5), 0.0, "cut"),
        (sight(0, 0, 1.0), None, "out_of_frame"),
    ],
)
def test_verdicts_at_their_thresholds(
    seen: Sight, second: float | None, state: State
) -> None:
    assert state_of(seen, second) == state


def test_the_example_is_as_the_format_describes_it() -> None:
    truth = truth_of(example_scene())
    assert truth.sees == {"model": (3, 5, 8), "director": (5, 8)}
    assert truth.states["director"] == {3: "hidden", 5: "sees", 8: "sees"}
    key = truth.key
    assert (key.hidden, key.director_view, key.model_view) == (3, 5, 3)
    assert truth.sights["director"][3].fraction == 0.0
    assert not truth.confound


def test_the_smallest_block_can_be_asked_for() -> None:
    asked = replace(example_scene(), request=Request(extreme="smallest"))
    key = truth_of(asked).key
    assert (key.hidden, key.director_view, key.model_view) == (3, 8, 8)


@given(stimuli())
@FEW
def test_states_partition_the_digits_and_sees_lists_one_of_them(scene: Scene) -> None:
    truth = truth_of(scene)
    for view in VIEWS:
        parts = [truth.in_state(view, state) for state in STATES]
        assert sorted(d for part in parts for d in part) == sorted(scene.digits)
        assert truth.sees[view] == truth.in_state(view, "sees")


@given(scenes())
@FEW
def test_the_key_fits_its_definition(scene: Scene) -> None:
    truth = truth_of(scene, step=6)
    hidden = truth.in_state("director", "hidden")
    assert truth.key.hidden == (hidden[0] if len(hidden) == 1 else None)
    pairs = (("director", truth.key.director_view), ("model", truth.key.model_view))
    pick = max if scene.request.extreme == "largest" else min
    for view, digit in pairs:
        edges = [scene.block(d).edge for d in truth.sees[view]]
        if digit is None:
            assert not edges
        else:
            assert digit in truth.sees[view]
            assert scene.block(digit).edge == pick(edges)


@given(st.permutations([0, 1, 2]))
@QUICK
def test_the_order_of_the_blocks_changes_no_answer(order: list[int]) -> None:
    scene = example_scene()
    shuffled = replace(scene, blocks=tuple(scene.blocks[i] for i in order))
    assert truth_of(shuffled, 2).key == truth_of(scene, 2).key
    assert truth_of(shuffled, 2).sees == truth_of(scene, 2).sees


def test_equal_edges_go_to_the_smaller_digit() -> None:
    scene = example_scene()
    same = tuple(replace(block, edge=0.1) for block in scene.blocks)
    for extreme in (Request(), Request(extreme="smallest")):
        assert fitting(replace(scene, blocks=same, request=extreme), (8, 5)) == 5


def test_nothing_fits_among_no_blocks() -> None:
    assert fitting(example_scene(), ()) is None


def test_with_several_hidden_there_is_no_hidden_block() -> None:
    scene = example_scene()
    states: dict[int, State] = {3: "hidden", 5: "hidden", 8: "sees"}
    key = key_of(scene, states, {"model": (3, 5, 8), "director": (8,)})
    assert key.hidden is None
    assert (key.director_view, key.model_view) == (8, 3)


def test_hidden_needs_both_witnesses() -> None:
    scene = example_scene()
    whole = dict.fromkeys(scene.digits, 1.0)
    agree = truth_of(scene, depth={"model": whole, "director": whole | {3: 0.0}})
    doubt = truth_of(scene, depth={"model": whole, "director": whole | {3: 0.001}})
    assert agree.key.hidden == 3
    assert doubt.states["director"][3] == "ambiguous"
    assert doubt.key.hidden is None


def test_areas_rank_the_blocks_as_they_look() -> None:
    apparent = truth_of(example_scene()).apparent
    assert [apparent["model"][d].rank for d in (3, 5, 8)] == [1, 2, 3]
    director = apparent["director"]
    assert director[3].area == 0.0
    assert [director[d].rank for d in (5, 8, 3)] == [1, 2, 3]
    assert director[5].area > director[8].area > 0


def near_and_far(request: Request) -> Scene:
    """A small block close to the director, and a larger one far away."""
    scene = example_scene()
    return replace(
        scene,
        blocks=(
            Block(1, 0.15, 0.3, -0.4, 0.0, "#000000"),
            Block(2, 0.12, -0.2, 0.4, 0.0, "#000000"),
        ),
        partitions=(),
        request=request,
    )


@pytest.mark.parametrize("request_", [Request(), Request(extreme="smallest")])
def test_a_smaller_block_that_looks_larger_is_a_confound(request_: Request) -> None:
    truth = truth_of(near_and_far(request_))
    assert truth.confound
    ranks = {digit: seen.rank for digit, seen in truth.apparent["director"].items()}
    assert ranks == {1: 2, 2: 1}
    assert truth.key.director_view == (1 if request_.extreme == "largest" else 2)


def test_equal_looks_share_a_rank() -> None:
    scene = example_scene()
    twins = (
        Block(1, 0.15, 0.3, 0.0, 0.0, "#000000"),
        Block(2, 0.15, -0.3, 0.0, 0.0, "#000000"),
    )
    truth = truth_of(replace(scene, blocks=twins, partitions=()))
    assert {seen.rank for seen in truth.apparent["director"].values()} == {1}
    assert not truth.confound


def test_nobody_in_sight_is_no_confound() -> None:
    scene = example_scene()
    away = replace(scene.director, look_at=(0.0, 9.0, 0.5))
    truth = truth_of(replace(scene, director=away))
    assert truth.in_state("director", "out_of_frame") == (3, 5, 8)
    assert truth.key.hidden is None
    assert truth.key.director_view is None
    assert not truth.confound

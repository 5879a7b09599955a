"""Both witnesses joined: disagreements, verdicts and the JSON form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from director_gui.geometry.problems import Problem
from director_gui.geometry.visibility import Sight, sights_of
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS, Picture, Scene, Viewpoint
from director_gui.scene.serialize import canonical_bytes, read_scene, scene_of
from director_gui.study.checking import (
    DepthWitness,
    check_scene,
    check_scenes,
    disagree,
    to_json,
)
from tests.strategies import FEW, stimuli

EXAMPLE = example_scene()
CASES = json.loads(
    (Path(__file__).parent.parent / "data" / "geometry.json").read_text("utf-8")
)


@dataclass(frozen=True)
class Said:
    alone_px: int
    fraction: float | None


def echo(
    changes: Mapping[tuple[str, int], float | None] | None = None,
) -> DepthWitness:
    """A second witness that repeats the first, but for planted fractions."""

    def witness(data: bytes) -> dict[str, dict[int, Said]]:
        scene = read_scene(data)
        return {
            view: {
                digit: Said(
                    sight.alone_px, (changes or {}).get((view, digit), sight.fraction)
                )
                for digit, sight in sights_of(scene, view).items()
            }
            for view in VIEWS
        }

    return witness


def codes(scene: Scene, witness: DepthWitness) -> list[str]:
    return [problem.code for problem in check_scene(scene, witness).problems]


def sight(alone: int, fraction: float | None) -> Sight:
    return Sight(0, alone, fraction, 0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("alone", "first", "other_px", "second", "differ"),
    [
        (5000, 0.5, 5000, 0.5019, False),
        (5000, 0.5, 5000, 0.5021, True),
        (2000, 0.5, 2000, 0.5021, True),
        (1999, 0.5, 1999, 0.5021, False),
        (1999, 0.5, 1999, 0.5101, True),
        (2001, 0.5, 1999, 0.509, False),
        (5000, 0.0, 5000, 0.0, False),
        (0, None, 0, None, False),
        (0, None, 1, 1.0, True),
        (3, 1.0, 0, None, True),
    ],
)
def test_how_far_the_witnesses_may_differ(
    alone: int,
    first: float | None,
    other_px: int,
    second: float | None,
    *,
    differ: bool,
) -> None:
    assert disagree(sight(alone, first), Said(other_px, second)) is differ


def test_agreeing_witnesses_leave_the_example_clean() -> None:
    check = check_scene(EXAMPLE, echo())
    assert check.problems == ()
    assert not check.blocked


def test_a_disagreement_shows_both_numbers() -> None:
    check = check_scene(EXAMPLE, echo({("model", 5): 0.9}))
    (problem,) = check.problems
    assert problem.code == "witnesses_disagree"
    assert problem.where == "blocks[1]"
    assert problem.digits == (5,)
    assert "1.0000 by geometry" in problem.message
    assert "0.9000 by the depth buffer" in problem.message
    assert "the model's view" in problem.message
    assert check.blocked


def test_a_witness_that_saw_nothing_is_told_in_words() -> None:
    check = check_scene(EXAMPLE, echo({("director", 8): None}))
    (problem,) = check.problems
    assert "none by the depth buffer" in problem.message


def test_a_hidden_block_needs_both_witnesses() -> None:
    check = check_scene(EXAMPLE, echo({("director", 3): 0.001}))
    assert check.truth.states["director"][3] == "ambiguous"
    assert check.truth.key.hidden is None
    found = [problem.code for problem in check.problems]
    assert found[:2] == ["ambiguous", "no_hidden_block"]
    assert "witnesses_disagree" not in found  # 0.001 is within the tolerance


def test_a_confound_alone_does_not_block() -> None:
    check = check_scene(EXAMPLE, echo())
    confound = Problem("apparent_size_confound", "another looks larger", "blocks[0]")
    assert not replace(check, problems=(confound,)).blocked
    other = Problem("off_table", "it reaches over the edge", "blocks[0]")
    assert replace(check, problems=(confound, other)).blocked


def test_the_json_form_of_the_example() -> None:
    value = to_json(check_scene(EXAMPLE, echo()))
    assert list(value) == [
        "name",
        "witnesses",
        "sees",
        "states",
        "key",
        "apparent_size",
        "problems",
    ]
    assert value["name"] == "example"
    whole = {"3": 1.0, "5": 1.0, "8": 1.0}
    for witness in ("analytic", "depth"):
        assert value["witnesses"][witness] == {
            "model": whole,
            "director": whole | {"3": 0.0},
        }
    assert value["sees"] == {"model": [3, 5, 8], "director": [5, 8]}
    assert value["states"]["director"] == {"3": "hidden", "5": "sees", "8": "sees"}
    assert value["key"] == {"hidden": 3, "director_view": 5, "model_view": 3}
    assert value["apparent_size"]["confound"] is False
    assert value["apparent_size"]["model"]["5"] == pytest.approx(0.0128, abs=5e-5)
    assert value["apparent_size"]["director"]["3"] == 0.0
    assert value["problems"] == []


@given(stimuli())
@FEW
def test_the_json_form_is_json_with_texts_for_keys(scene: Scene) -> None:
    value = to_json(check_scene(scene, echo()))
    assert json.loads(json.dumps(value, allow_nan=False)) == value
    for problem in value["problems"]:
        assert {"code", "message", "where"} <= problem.keys()


def test_out_of_frame_is_null_in_json() -> None:
    away = Viewpoint((0.0, 1.1, 0.5), (0.0, 9.0, 0.5), 60.0)
    value = to_json(check_scene(replace(EXAMPLE, director=away), echo()))
    assert set(value["witnesses"]["analytic"]["director"].values()) == {None}
    assert value["key"]["director_view"] is None


@pytest.mark.render
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["scene"]["name"])
def test_both_witnesses_give_the_known_fractions(case: dict[str, Any]) -> None:
    (check,) = check_scenes([scene_of(case["scene"])])
    value = to_json(check)
    for witness in ("analytic", "depth"):
        for view in VIEWS:
            fractions = value["witnesses"][witness][view]
            assert fractions == pytest.approx(case["expected"][view], abs=1e-3)
    assert "witnesses_disagree" not in [p.code for p in check.problems]


@pytest.mark.render
@given(stimuli())
@FEW
def test_the_witnesses_agree_on_scenes_of_any_make(scene: Scene) -> None:
    odd = replace(scene, picture=Picture(333, 257))
    for check in check_scenes([scene, odd]):
        assert "witnesses_disagree" not in [p.code for p in check.problems]


@pytest.mark.render
def test_several_scenes_come_back_in_order() -> None:
    names = ["one", "two", "three"]
    scenes = [replace(EXAMPLE, name=name) for name in names]
    checks = list(check_scenes(scenes))
    assert [check.scene.name for check in checks] == names
    assert checks[0].depth.keys() == {"model", "director"}
    assert canonical_bytes(checks[0].scene) == canonical_bytes(scenes[0])

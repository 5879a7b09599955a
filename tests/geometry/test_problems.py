"""Every problem code: a scene that has it, and the example that has none."""

from dataclasses import replace
from typing import get_args

from hypothesis import given

from director_gui.geometry.problems import Code, Problem, problems_of
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scene.model import Block, Partition, Picture, Scene
from tests.strategies import FEW, scenes, stimuli

EXAMPLE = example_scene()


def found(scene: Scene, code: Code) -> list[Problem]:
    problems = problems_of(scene, truth_of(scene), robust=code == "key_fragile")
    return [problem for problem in problems if problem.code == code]


def block(i: int, **changes: float) -> Scene:
    blocks = list(EXAMPLE.blocks)
    blocks[i] = replace(blocks[i], **changes)
    return replace(EXAMPLE, blocks=tuple(blocks))


def boards(*partitions: Partition) -> Scene:
    return replace(EXAMPLE, partitions=partitions)


def test_the_example_has_no_problem() -> None:
    assert problems_of(EXAMPLE, truth_of(EXAMPLE)) == ()


def test_overlapping_blocks_are_named_with_their_depth() -> None:
    (problem,) = found(block(1, x=-0.19, y=0.06), "overlap")
    assert problem.where == "blocks[1]"
    assert problem.digits == (3, 5)
    assert "blocks 3 and 5 overlap by" in problem.message
    assert "mm" in problem.message


def test_a_partition_in_a_block_cuts_it() -> None:
    (problem,) = found(
        boards(*EXAMPLE.partitions, Partition(0.34, 0.08, 0, 0.4, 0.3, 0.02)),
        "partition_cuts_block",
    )
    assert problem.where == "partitions[1]"
    assert problem.digits == (8,)


def test_crossing_partitions_overlap() -> None:
    board = EXAMPLE.partitions[0]
    (problem,) = found(boards(board, replace(board, yaw=90)), "overlap")
    assert problem.where == "partitions[1]"
    assert problem.digits == ()


def test_what_hangs_over_the_table_is_named() -> None:
    (problem,) = found(block(2, x=0.66), "off_table")
    assert problem.where == "blocks[2]"
    assert problem.digits == (8,)
    assert "block 8 reaches" in problem.message
    (problem,) = found(boards(replace(EXAMPLE.partitions[0], y=0.5)), "off_table")
    assert problem.where == "partitions[0]"
    assert "10.0 mm" in problem.message


def test_half_hidden_is_ambiguous_with_its_share() -> None:
    scene = boards(replace(EXAMPLE.partitions[0], height=0.25))
    (problem,) = found(scene, "ambiguous")
    assert problem.where == "blocks[0]"
    assert "the director has " in problem.message
    assert " % of block 3" in problem.message


def test_a_block_at_the_pictures_edge_is_cut_but_not_hidden() -> None:
    scene = replace(EXAMPLE, picture=Picture(440, 768))
    problems = found(scene, "cut_by_frame")
    assert {problem.where for problem in problems} >= {"blocks[0]"}
    assert "the model's picture" in problems[0].message
    truth = truth_of(scene)
    assert truth.states["model"][3] == "cut"
    assert 3 not in truth.sees["model"]


def test_a_view_turned_away_has_its_blocks_out_of_frame() -> None:
    away = replace(EXAMPLE.director, look_at=(0.0, 9.0, 0.5))
    scene = replace(EXAMPLE, director=away)
    assert [p.digits for p in found(scene, "out_of_frame")] == [(3,), (5,), (8,)]
    assert found(scene, "no_hidden_block")


def test_a_far_digit_is_not_legible() -> None:
    (problem,) = found(block(2, edge=0.05), "not_legible")
    assert problem.digits == (8,)
    assert "px high at 768 px" in problem.message


def test_a_digit_behind_a_partition_is_not_legible() -> None:
    scene = boards(*EXAMPLE.partitions, Partition(0.34, -0.2, 0, 0.4, 0.4, 0.02))
    (problem,) = found(scene, "not_legible")
    assert "no face of block 8" in problem.message


def test_a_block_outside_the_models_picture_is_said_once() -> None:
    scene = block(2, x=5.0)
    assert not found(scene, "not_legible")
    assert found(scene, "out_of_frame")


def test_sizes_keep_fifteen_percent_apart() -> None:
    assert found(block(2, edge=0.15 / 1.15), "sizes_too_close") == []
    (problem,) = found(block(2, edge=0.15 / 1.149), "sizes_too_close")
    assert problem.digits == (5, 8)
    assert problem.where == "blocks[1].edge"
    assert "only 14.9% larger" in problem.message


def test_equal_sizes_are_too_close_whatever_their_order() -> None:
    same = tuple(replace(b, edge=0.12) for b in EXAMPLE.blocks)
    assert len(found(replace(EXAMPLE, blocks=same), "sizes_too_close")) == 2


def test_a_confound_is_reported_and_kept() -> None:
    near = Block(1, 0.12, -0.2, 0.4, 0.0, "#000000")
    far = Block(2, 0.15, 0.3, -0.4, 0.0, "#000000")
    scene = replace(EXAMPLE, blocks=(near, far), partitions=())
    (problem,) = found(scene, "apparent_size_confound")
    assert problem.where == "blocks[1]"
    assert not problem.blocks_stimulus


def test_the_directors_head_must_be_whole_in_the_picture() -> None:
    high = replace(EXAMPLE.director, eye=(0.0, 1.1, 0.95))
    (problem,) = found(replace(EXAMPLE, director=high), "director_out_of_picture")
    assert problem.where == "director.eye"
    behind = replace(EXAMPLE.director, eye=(0.0, -3.0, 0.5))
    assert found(replace(EXAMPLE, director=behind), "director_out_of_picture")


def test_none_or_several_hidden_blocks_are_reported() -> None:
    assert found(boards(), "no_hidden_block")
    wall = Partition(0.0, 0.27, 0, 1.4, 0.34, 0.02)
    (problem,) = found(boards(wall), "several_hidden_blocks")
    assert problem.digits == (3, 5, 8)
    assert "3, 5 and 8" in problem.message
    assert not found(boards(wall), "no_hidden_block")


def test_a_key_on_the_edge_is_fragile_and_says_where_it_breaks() -> None:
    for height in (h / 1000 for h in range(340, 150, -2)):
        scene = boards(replace(EXAMPLE.partitions[0], height=height))
        if truth_of(scene).key.hidden is None:
            break
        last = scene
    (problem,) = found(last, "key_fragile")
    assert "(+0, +0, +20) mm" in problem.message
    assert problem.digits == (3,)


@given(stimuli())
@FEW
def test_the_quick_form_leaves_out_the_moves_only(scene: Scene) -> None:
    truth = truth_of(scene)
    whole = problems_of(scene, truth)
    quick = problems_of(scene, truth, robust=False)
    assert [p for p in whole if p.code != "key_fragile"] == list(quick)


@given(scenes())
@FEW
def test_any_scene_has_well_formed_problems(scene: Scene) -> None:
    for problem in problems_of(scene, truth_of(scene, 6), robust=False):
        assert problem.code in get_args(Code)
        assert problem.message[-1] not in ".;"
        assert "nan" not in problem.message
        assert set(problem.digits) <= set(scene.digits)
        root = problem.where.partition("[")[0].partition(".")[0]
        assert root in {"blocks", "partitions", "director"}


def test_only_the_confound_is_kept() -> None:
    kept = [c for c in get_args(Code) if not Problem(c, "", "").blocks_stimulus]
    assert kept == ["apparent_size_confound"]

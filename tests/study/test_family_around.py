"""A family around a scene holds that scene, whatever scene it is."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given

from director_gui.families.library import family, names
from director_gui.families.model import Family, HiderRule, Span, StanderRule
from director_gui.families.reading import read_family
from director_gui.families.sampler import sample
from director_gui.families.tallies import rank_of
from director_gui.geometry.problems import SIZE_STEP
from director_gui.geometry.truth import truth_of
from director_gui.scene.model import Scene
from director_gui.study.family_around import family_around
from tests.strategies import FEW, stimuli

ORIGINALS = [name for name in names() if not family(name).rearranges]


@cache
def scenes_of(name: str) -> tuple[Scene, ...]:
    return tuple(sample(family(name), count=3))


def around(scene: Scene) -> Family:
    return read_family(family_around(scene, truth_of(scene), "like").encode())


def holds(span: Span, value: float, slack: float = 1e-3) -> bool:
    """Whether a value lies in a range, which is written to a millimetre."""
    return span.low - slack <= value <= span.high + slack


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("at", range(3))
class TestOfASampledScene:
    def test_sizes_and_places_are_inside(self, name: str, at: int) -> None:
        scene = scenes_of(name)[at]
        found = around(scene)
        hidden = truth_of(scene).key.hidden
        edges = sorted((b.edge for b in scene.blocks), reverse=True)
        assert holds(found.blocks.largest, edges[0])
        for larger, smaller in pairwise(edges):
            assert holds(found.blocks.ratio, larger / smaller)
        assert found.blocks.ratio.low >= SIZE_STEP
        for block in scene.blocks:
            own = block.digit == hidden
            x = found.hidden.x if own and found.hidden.x else found.blocks.x
            y = found.hidden.y if own and found.hidden.y else found.blocks.y
            assert holds(x, block.x)
            assert holds(y, block.y)
            assert block.digit in found.blocks.digits
            assert block.color in found.blocks.colors

    def test_both_eyes_are_inside(self, name: str, at: int) -> None:
        scene = scenes_of(name)[at]
        found = around(scene)
        for rule, view in (
            (found.director, scene.director),
            (found.camera, scene.camera),
        ):
            for span, value in zip(
                (*rule.eye, *rule.look_at), (*view.eye, *view.look_at), strict=True
            ):
                assert holds(span, value)
            assert holds(rule.fov, view.fov)

    def test_the_same_rank_is_hidden_and_as_many_blocks(
        self, name: str, at: int
    ) -> None:
        scene = scenes_of(name)[at]
        found = around(scene)
        rank = rank_of(scene, truth_of(scene).key.hidden)
        assert found.hidden.ranks == ((rank, 1),)
        assert found.blocks.counts == ((len(scene.blocks), 1),)
        assert (found.table, found.picture) == (scene.table, scene.picture)

    def test_the_partition_that_hides_goes_with_its_block(
        self, name: str, at: int
    ) -> None:
        scene = scenes_of(name)[at]
        found = around(scene)
        truth = truth_of(scene)
        assert truth.key.hidden is not None
        edge = scene.block(truth.key.hidden).edge
        assert len(found.partitions) == len(scene.partitions)
        hider, *others = found.partitions
        assert isinstance(hider, HiderRule)
        board = scene.partitions[0]
        assert holds(hider.width, board.width / edge)
        assert holds(hider.height, board.height / edge)
        for rule, other in zip(others, scene.partitions[1:], strict=True):
            assert isinstance(rule, StanderRule)
            assert holds(rule.x, other.x)
            assert holds(rule.y, other.y)
            assert holds(rule.width, other.width)


@FEW
@given(stimuli())
def test_any_scene_makes_a_family_that_can_be_read(scene: Scene) -> None:
    found = around(scene)
    assert found.name == "like"
    assert found.demands.confounds == "keep"
    text = family_around(scene, truth_of(scene), "like")
    assert text.count("#") > 10  # it explains itself
    assert all(line == line.rstrip() for line in text.splitlines())

"""The extents of a family from above: numbers that must hold, and a drawing."""

from collections.abc import Callable
from dataclasses import replace
from math import hypot

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from director_gui.families import library
from director_gui.families.model import HiderRule, Span
from director_gui.families.sampler import sample
from director_gui.ui import theme
from director_gui.ui.families.extents import (
    box,
    gazes_of,
    own_regions,
    regions_of,
    shapes_of,
    smallest_edge,
)
from director_gui.ui.families.ghost import Ghost, in_words

pytestmark = pytest.mark.gui
MAIN = library.family("main")


def test_a_box_turns_about_its_middle() -> None:
    corners = box((1.0, 2.0), (0.4, 0.2), 0.0)
    assert sorted(corners) == [(0.8, 1.9), (0.8, 2.1), (1.2, 1.9), (1.2, 2.1)]
    for x, y in box((0.0, 0.0), (0.4, 0.2), 0.7):
        assert hypot(x, y) == pytest.approx(hypot(0.2, 0.1))


def test_the_smallest_edge_is_the_least_over_the_greatest_ratios() -> None:
    assert smallest_edge(MAIN) == pytest.approx(0.18 / 1.38**3)


@pytest.mark.parametrize("name", ["main", "director-at-side", "two-partitions"])
def test_scenes_lie_inside_the_extents(name: str) -> None:
    family = library.family(name)
    regions = {region.role: region for region in regions_of(family)}
    least, most = smallest_edge(family), family.blocks.largest.high
    for scene in sample(family, count=2):
        for role, view in (("director", scene.director), ("camera", scene.camera)):
            region = regions[role]
            assert region.x.low <= view.eye[0] <= region.x.high
            assert region.y.low <= view.eye[1] <= region.y.high
        for block in scene.blocks:
            assert least - 1e-4 <= block.edge <= most + 1e-4


def test_the_hidden_block_has_a_region_only_with_a_place_of_its_own() -> None:
    assert "hidden" not in {region.role for region in own_regions(MAIN)}
    hidden = replace(MAIN.hidden, x=Span(-0.4, -0.2))
    placed = replace(MAIN, hidden=hidden)
    (region,) = [r for r in own_regions(placed) if r.role == "hidden"]
    assert region.x == Span(-0.4, -0.2)
    assert region.y == MAIN.blocks.y
    assert "hidden" in {shape.role for shape in shapes_of(placed)}


def test_a_partition_stands_between_hidden_block_and_director() -> None:
    (rule,) = MAIN.partitions
    assert isinstance(rule, HiderRule)
    least, most = (s for s in shapes_of(MAIN) if s.role == "partition")
    hidden = regions_of(MAIN)[1].middle
    director = gazes_of(MAIN)[0].eye
    for shape in (least, most):
        y = sum(corner[1] for corner in shape.corners) / 4
        assert hidden[1] < y < director[1]
    widths = [
        max(x for x, _ in s.corners) - min(x for x, _ in s.corners)
        for s in (least, most)
    ]
    assert widths[0] == pytest.approx(1.5 * 0.18, rel=0.02)
    assert widths[1] == pytest.approx(2.1 * 0.23, rel=0.02)


@pytest.mark.parametrize("name", library.names())
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_family_is_drawn(
    qtbot: QtBot,
    themed: Callable[[theme.Mode, float], None],
    name: str,
    mode: theme.Mode,
) -> None:
    themed(mode, 1.0)
    ghost = Ghost()
    qtbot.addWidget(ghost)
    ghost.resize(360, 280)
    empty = ghost.grab().toImage()
    ghost.show_family(library.family(name))
    drawn = ghost.grab().toImage()
    assert drawn != empty
    colors = {
        drawn.pixelColor(x, y).name()
        for x in range(0, 360, 3)
        for y in range(0, 280, 3)
    }
    assert QColor(theme.tokens().panel).name() in colors  # the table
    assert len(colors) > 6
    assert "Blocks with edges from" in ghost.accessibleDescription()


def test_words_have_every_region_in_cm() -> None:
    assert "director: x -35 to 35 cm, y 105 to 120 cm" in in_words(MAIN)


def test_a_tiny_widget_is_no_trouble(qtbot: QtBot) -> None:
    ghost = Ghost()
    qtbot.addWidget(ghost)
    ghost.show_family(MAIN)
    ghost.resize(20, 20)
    assert not ghost.grab().isNull()

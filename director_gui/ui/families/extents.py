"""How far a family's things may reach, as plan shapes on the table, in m."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, pi, radians, sin
from typing import Literal

from director_gui.families.model import (
    EyeRule,
    Family,
    HiderRule,
    PartitionRule,
    Span,
    StanderRule,
)

Role = Literal["blocks", "hidden", "partition", "director", "camera"]
Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Region:
    """Where the centres of something may be."""

    role: Role
    x: Span
    y: Span

    @property
    def middle(self) -> Spot:
        """The middle of the region."""
        return middle(self.x), middle(self.y)


@dataclass(frozen=True, slots=True)
class Shape:
    """An outline at its least or its greatest size, as corners."""

    role: Role
    corners: tuple[Spot, ...]
    greatest: bool


@dataclass(frozen=True, slots=True)
class Gaze:
    """From the middle of where an eye may be to the middle of what it looks at."""

    role: Role
    eye: Spot
    aim: Spot


def middle(span: Span) -> float:
    """Return the middle of a range."""
    return (span.low + span.high) / 2


def regions_of(family: Family) -> list[Region]:
    """Return where things may be."""
    blocks, hidden = family.blocks, family.hidden
    found = [Region("blocks", blocks.x, blocks.y)]
    # Without a place of its own the hidden block lies among the others.
    found.append(Region("hidden", hidden.x or blocks.x, hidden.y or blocks.y))
    found += [
        Region("partition", rule.x, rule.y)
        for rule in family.partitions
        if isinstance(rule, StanderRule)
    ]
    found.append(Region("director", *family.director.eye[:2]))
    found.append(Region("camera", *family.camera.eye[:2]))
    return found


def own_regions(family: Family) -> list[Region]:
    """Return where things may be, the hidden block only if its place is its own."""
    same = not (family.hidden.x or family.hidden.y)
    found = regions_of(family)
    return [region for region in found if not (same and region.role == "hidden")]


def shapes_of(family: Family) -> list[Shape]:
    """Return outlines at the least and the greatest size, in the regions' middles."""
    every = [*_blocks(family)]
    for rule in family.partitions:
        every += _boards(rule, family)
    return every


def gazes_of(family: Family) -> list[Gaze]:
    """Return where the two eyes look."""
    return [_gaze("director", family.director), _gaze("camera", family.camera)]


def smallest_edge(family: Family) -> float:
    """Return the edge of the smallest block that the ranges allow, in m."""
    # Only counts that are drawn: a share of 0 never happens.
    most = max(count for count, share in family.blocks.counts if share)
    # The least largest block, divided by the greatest ratio once a block.
    return float(family.blocks.largest.low / family.blocks.ratio.high ** (most - 1))


def _blocks(family: Family) -> Iterator[Shape]:
    blocks, hidden = regions_of(family)[:2]
    edges = (smallest_edge(family), family.blocks.largest.high)
    for greatest, edge in enumerate(edges):
        yield Shape("blocks", box(blocks.middle, (edge, edge), 0.0), bool(greatest))
    if family.hidden.x or family.hidden.y:
        for greatest, edge in enumerate(family.blocks.largest):
            at = hidden.middle
            yield Shape("hidden", box(at, (edge, edge), 0.0), bool(greatest))


def _boards(rule: PartitionRule, family: Family) -> Iterator[Shape]:
    for greatest in (False, True):
        # Ranges are pairs of a least and a greatest value.
        end = -1 if greatest else 0
        thickness = rule.thickness[end]
        if isinstance(rule, HiderRule):
            at, yaw = _before_hidden(rule, family)
            # A hider's width is counted in edges of the block that it hides.
            width = rule.width[end] * family.blocks.largest[end]
        else:
            at, yaw = (middle(rule.x), middle(rule.y)), middle(rule.yaw)
            width = rule.width[end]
        corners = box(at, (width, thickness), radians(yaw))
        yield Shape("partition", corners, greatest)


def _before_hidden(rule: HiderRule, family: Family) -> tuple[Spot, float]:
    x, y = regions_of(family)[1].middle
    ex, ey = (middle(span) for span in family.director.eye[:2])
    away = atan2(ey - y, ex - x)
    # Nearly the sampler's own rule, which counts thickness and the block's turn too.
    far = middle(family.blocks.largest) / 2 + middle(rule.gap)
    side = middle(rule.side)
    spot = (
        x + far * cos(away) - side * sin(away),
        y + far * sin(away) + side * cos(away),
    )
    # Across the line of sight, which is what hides.
    return spot, away * 180 / pi + 90 + middle(rule.turn)


def _gaze(role: Role, rule: EyeRule) -> Gaze:
    # From above heights do not show.
    eye_x, eye_y, _ = map(middle, rule.eye)
    aim_x, aim_y, _ = map(middle, rule.look_at)
    return Gaze(role, (eye_x, eye_y), (aim_x, aim_y))


def box(at: Spot, size: tuple[float, float], turn: float) -> tuple[Spot, ...]:
    """Return the corners of a rectangle around a spot, turned by radians."""
    c, s = cos(turn), sin(turn)
    halves = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    return tuple(
        (
            at[0] + (i * size[0] * c - j * size[1] * s) / 2,
            at[1] + (i * size[0] * s + j * size[1] * c) / 2,
        )
        for i, j in halves
    )

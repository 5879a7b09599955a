"""One candidate of a family: everything drawn and rounded, nothing checked yet."""

from math import atan2, cos, degrees, radians, sin
from typing import NamedTuple, cast

from director_gui.families.draws import Draws
from director_gui.families.model import (
    BlockRule,
    EyeRule,
    Family,
    HiderRule,
    Span,
    SpanPoint,
    StanderRule,
)
from director_gui.families.plan import Cell
from director_gui.scene.bounds import ANGLE_DECIMALS, LENGTH_DECIMALS, SIZE
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint


class Candidate(NamedTuple):
    """A drawn scene and which block is meant to be hidden."""

    scene: Scene
    hidden: int  # its digit


def candidate(family: Family, name: str, cell: Cell, draws: Draws) -> Candidate:
    """Return a scene drawn from a family's ranges; it may fit nothing yet.

    Args:
        family: Where from.
        name: The scene's name.
        cell: How many blocks, and the rank of the hidden one.
        draws: The candidate's own stream.
    """
    # The eyes first: the partition is placed between a block and the director.
    director = _eye(family.director, draws)
    camera = _eye(family.camera, draws)
    blocks, hidden = _blocks(family, cell, draws)
    boards = tuple(
        _hider(rule, hidden, director, draws)
        if isinstance(rule, HiderRule)
        else _stander(rule, draws)
        for rule in family.partitions
    )
    scene = Scene(
        name=name,
        table=family.table,
        # From left to right: the order in a file must not tell the sizes.
        blocks=tuple(sorted(blocks, key=lambda block: (block.x, block.y))),
        partitions=boards,
        director=director,
        camera=camera,
        picture=family.picture,
        request=family.request,
    )
    return Candidate(scene, hidden.digit)


def _blocks(family: Family, cell: Cell, draws: Draws) -> tuple[list[Block], Block]:
    rule, place = family.blocks, family.hidden
    edges = _edges(rule, cell.blocks, draws)
    digits = list(rule.digits)
    if rule.digit_rule == "draw":
        digits = draws.shuffled(digits)
    colors = draws.shuffled(rule.colors)
    hidden = _rank(cell, draws)
    blocks = []
    for i, edge in enumerate(edges):
        own = i == hidden
        x = place.x if own and place.x else rule.x
        y = place.y if own and place.y else rule.y
        yaw = place.yaw if own and place.yaw else rule.yaw
        spot = (draws.meters(x), draws.meters(y), draws.degrees(yaw))
        blocks.append(Block(digits[i], edge, *spot, colors[i]))
    return blocks, blocks[hidden]


def _edges(rule: BlockRule, count: int, draws: Draws) -> list[float]:
    """Return the edges in m, the largest first."""
    edges = [draws.meters(rule.largest)]
    for _ in range(count - 1):
        # From the rounded edge, so that the ratio holds for what is stored.
        edge = edges[-1] / draws.number(rule.ratio)
        edges.append(_meters(SIZE.clamp(edge)))
    return edges


def _rank(cell: Cell, draws: Draws) -> int:
    """Return which block is hidden, 0 for the largest."""
    # Drawn in any case, as fixed numbers are: the streams stay alike.
    between = 1 + draws.index(max(cell.blocks - 2, 1))
    places = {"largest": 0, "middle": between, "smallest": cell.blocks - 1}
    return places[cell.hidden]


def _hider(
    rule: HiderRule, hidden: Block, director: Viewpoint, draws: Draws
) -> Partition:
    """Return a partition that stands before `hidden` as the director sees it."""
    ex, ey, _ = director.eye
    away = atan2(ey - hidden.y, ex - hidden.x)
    gap, side = draws.number(rule.gap), draws.number(rule.side)
    turn, thickness = draws.number(rule.turn), draws.meters(rule.thickness)
    # Added to the block's own reach that way, whatever the block's yaw is.
    far = _reach(hidden, away) + gap + thickness / 2
    # The director looks back along `away`, so the left hand is counter-clockwise of it.
    across = away + radians(90)
    return Partition(
        x=_meters(hidden.x + far * cos(away) + side * cos(across)),
        y=_meters(hidden.y + far * sin(away) + side * sin(across)),
        yaw=_within(degrees(across) + turn),
        width=_meters(SIZE.clamp(hidden.edge * draws.number(rule.width))),
        height=_meters(SIZE.clamp(hidden.edge * draws.number(rule.height))),
        thickness=thickness,
    )


def _reach(block: Block, away: float) -> float:
    """Return how far a block reaches from its centre in a direction, in m."""
    turn = away - radians(block.yaw)
    return block.edge / 2 * (abs(cos(turn)) + abs(sin(turn)))


def _stander(rule: StanderRule, draws: Draws) -> Partition:
    return Partition(
        x=draws.meters(rule.x),
        y=draws.meters(rule.y),
        yaw=draws.degrees(rule.yaw),
        width=draws.meters(rule.width),
        height=draws.meters(rule.height),
        thickness=draws.meters(rule.thickness),
    )


def _eye(rule: EyeRule, draws: Draws) -> Viewpoint:
    eye, aim = _point(rule.eye, draws), _point(rule.look_at, draws)
    return Viewpoint(eye, aim, draws.degrees(rule.fov))


def _point(spans: SpanPoint, draws: Draws) -> Point:
    return cast("Point", tuple(draws.meters(Span(*span)) for span in spans))


def _meters(value: float) -> float:
    return round(value, LENGTH_DECIMALS) + 0.0


def _within(angle: float) -> float:
    """Return an angle as a partition's yaw, -90 to 90 degrees: both faces are alike."""
    return round((angle + 90.0) % 180.0 - 90.0, ANGLE_DECIMALS) + 0.0

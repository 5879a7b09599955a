"""Cheap checks of a candidate, in plain floats: what they refuse, all would refuse.

Nineteen of twenty misfits end here within tens of microseconds, so that the exact
witness is asked about promising candidates alone.
"""

from collections.abc import Iterator
from itertools import combinations
from math import cos, radians, sin
from typing import NamedTuple

from director_gui.families.draw import Candidate
from director_gui.geometry.boxes import Box, boxes_of
from director_gui.geometry.camera import Basis, basis_of
from director_gui.geometry.robust import DIRECTIONS, MOVE
from director_gui.scene.looks import HEAD_RADIUS
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint

_SELF = 1e-6  # a ray that is aimed at a corner enters its own box there
_SHARE = 1e-4  # m, the step of stored numbers


class Footprint(NamedTuple):
    """A thing's rectangle on the table."""

    x: float
    y: float
    cos: float
    sin: float
    half_width: float  # along its own x
    half_depth: float

    def reach(self, across: float, ahead: float) -> float:
        """Return how far it reaches from its centre in a unit direction, in m."""
        along = abs(across * self.cos + ahead * self.sin) * self.half_width
        return along + abs(ahead * self.cos - across * self.sin) * self.half_depth


def footprints(scene: Scene) -> list[Footprint]:
    """Return the rectangles of all blocks, then those of all partitions."""
    # Plain floats and tuples: numpy's overhead is most of the time at this size.
    blocks = [_footprint(b, b.edge, b.edge) for b in scene.blocks]
    return blocks + [_footprint(p, p.width, p.thickness) for p in scene.partitions]


def _footprint(item: Block | Partition, width: float, depth: float) -> Footprint:
    turn = radians(item.yaw)
    return Footprint(item.x, item.y, cos(turn), sin(turn), width / 2, depth / 2)


def off_table(scene: Scene, prints: list[Footprint]) -> bool:
    """Tell whether anything reaches over the table's edge."""
    width, depth = scene.table.width / 2 + _SHARE, scene.table.depth / 2 + _SHARE
    return any(
        abs(p.x) + p.reach(1, 0) > width or abs(p.y) + p.reach(0, 1) > depth
        for p in prints
    )


def crowded(prints: list[Footprint], gap: float) -> tuple[int, int] | None:
    """Return the first two things with less than `gap` m between them."""
    for (i, a), (j, b) in combinations(enumerate(prints), 2):
        if _room(a, b) < gap:
            return i, j
    return None


def _room(a: Footprint, b: Footprint) -> float:
    """Return the room between two rectangles along the best of their four axes.

    Negative when they overlap (separating axes). Corner to corner they may be further
    apart than this says, never closer.
    """
    x, y = b.x - a.x, b.y - a.y
    axes = ((a.cos, a.sin), (-a.sin, a.cos), (b.cos, b.sin), (-b.sin, b.cos))
    return max(abs(x * u + y * v) - a.reach(u, v) - b.reach(u, v) for u, v in axes)


def steep(viewpoint: Viewpoint) -> bool:
    """Tell whether an eye looks straight up or down: it would have no "up"."""
    (x, y, _), (a, b, _) = viewpoint.eye, viewpoint.look_at
    return max(abs(x - a), abs(y - b)) < 1e-3


def outside(scene: Scene, viewpoint: Viewpoint) -> bool:
    """Tell whether the centre of any block is not in a picture."""
    basis, aspect = basis_of(viewpoint), scene.picture.aspect
    return any(
        not _in_picture(basis, aspect, (b.x, b.y, b.edge / 2)) for b in scene.blocks
    )


def headless(scene: Scene) -> bool:
    """Tell whether the director's head is not wholly in the model's picture."""
    basis, aspect = basis_of(scene.camera), scene.picture.aspect
    x, y, z = scene.director.eye
    ends = (
        (x + r * a, y + r * b, z + r * c)
        for a, b, c in (basis.right, basis.up)
        for r in (-HEAD_RADIUS, HEAD_RADIUS)
    )
    return not all(_in_picture(basis, aspect, end) for end in ends)


def _in_picture(basis: Basis, aspect: float, point: Point) -> bool:
    x, y, z = (p - e for p, e in zip(point, basis.eye, strict=True))
    depth = _along(basis.forward, x, y, z) * basis.slope
    # Behind the eye a division would mirror the point into the picture.
    if depth <= 0:
        return False
    right, up = _along(basis.right, x, y, z), _along(basis.up, x, y, z)
    return abs(right) <= aspect * depth and abs(up) <= depth


def _along(axis: Point, x: float, y: float, z: float) -> float:
    return axis[0] * x + axis[1] * y + axis[2] * z


def corner_in_sight(drawn: Candidate, *, moved: bool) -> bool:
    """Tell whether the director sees a corner of the block meant to be hidden.

    Args:
        drawn: The candidate.
        moved: From any place 2 cm away (`robust.DIRECTIONS`), not from the eye itself.
    """
    scene = drawn.scene
    boxes = boxes_of(scene)
    own = scene.digits.index(drawn.hidden)
    corners = [(x, y, z) for x, y, z in boxes[own].corners().tolist()]
    # Partitions first: one of them is what hides the block.
    others = [*boxes[len(scene.blocks) :], *boxes[: len(scene.blocks)]]
    eyes = _moved(scene.director.eye) if moved else iter((scene.director.eye,))
    return any(_seen(eye, corner, others) for eye in eyes for corner in corners)


def _moved(eye: Point) -> Iterator[Point]:
    for x, y, z in DIRECTIONS:
        yield (eye[0] + x * MOVE, eye[1] + y * MOVE, eye[2] + z * MOVE)


def _seen(eye: Point, corner: Point, boxes: list[Box]) -> bool:
    way = (corner[0] - eye[0], corner[1] - eye[1], corner[2] - eye[2])
    return all(box.distance(eye, way) >= 1 - _SELF for box in boxes)

"""Who stands in whose light: boxes on a table, in closed form or by few rays."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from director_gui.render import light
from director_gui.render.mesh import Floats, turned
from director_gui.scene.model import Block, Partition

KEY_RAYS = 32
FILL_RAYS = 96
_GOLDEN = math.pi * (3 - math.sqrt(5))


@dataclass(frozen=True, slots=True)
class Solid:
    """A box that stands on the table."""

    x: float  # m, centre
    y: float  # m, centre
    yaw: float  # degrees
    size: tuple[float, float, float]  # m: width, thickness, height

    @property
    def half(self) -> Floats:
        """Half of the size, (3,)."""
        return np.asarray(self.size, np.float32) / 2

    @property
    def center(self) -> Floats:
        """The centre, (3,)."""
        return np.array([self.x, self.y, self.size[2] / 2], np.float32)

    def local(self, points: Floats) -> Floats:
        """Return points, (n, 3), in the box's own frame."""
        return turned(points - self.center, -self.yaw)

    def world(self, points: Floats) -> Floats:
        """Return points of the box's own frame, (n, 3), in the scene's."""
        return turned(points, self.yaw) + self.center


def solid(item: Block | Partition) -> Solid:
    """Return a block or a partition as a box."""
    if isinstance(item, Block):
        return Solid(item.x, item.y, item.yaw, (item.edge,) * 3)
    return Solid(item.x, item.y, item.yaw, (item.width, item.thickness, item.height))


def disc(count: int) -> Floats:
    """Return points spread evenly over the unit disc, (count, 2)."""
    index = np.arange(count) + 0.5
    # A sunflower's spiral: even in area, without rows, and the same every time.
    radius, angle = np.sqrt(index / count), _GOLDEN * index
    spread = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
    return spread.astype(np.float32)


def key_directions() -> Floats:
    """Return directions to points all over the key light, (KEY_RAYS, 3)."""
    across = np.array([light.KEY[2], 0.0, -light.KEY[0]], np.float32)
    away = np.array([0.0, 1.0, 0.0], np.float32)
    spread = disc(KEY_RAYS) * light.KEY_SPREAD
    ways: Floats = light.KEY + spread[:, :1] * across + spread[:, 1:] * away
    return ways


def fill_directions(normal: Floats) -> Floats:
    """Return directions around a normal, by the cosine, (FILL_RAYS, 3)."""
    # Any direction that is not nearly the normal's own.
    pole = np.array([0, 0, 1] if abs(normal[2]) < 0.9 else [1, 0, 0], np.float32)
    across = np.cross(normal, pole)
    across /= np.sqrt((across * across).sum())
    away = np.cross(normal, across)
    flat = disc(FILL_RAYS)
    # The disc raised to the sphere is the cosine's distribution (Malley).
    rise = np.sqrt(np.clip(1 - (flat * flat).sum(1), 1e-4, 1))
    ways: Floats = flat[:, :1] * across + flat[:, 1:] * away + rise[:, None] * normal
    return ways


def hits(body: Solid, points: Floats, directions: Floats) -> NDArray[np.bool_]:
    """Tell which rays meet a box in front of them.

    Args:
        body: The box.
        points: Where the rays start, (n, 3).
        directions: Where each of them goes, (k, 3).

    Returns:
        (n, k), by the slab method.
    """
    start, way = body.local(points), turned(directions, -body.yaw)
    enter, leave = _slabs(body, start, way, axes=3, reach=math.inf)
    return leave > enter


def around(bodies: list[Solid], points: Floats, margin: float) -> Floats:
    """Return points on the table, (n, 3), moved out from under the boxes.

    Light on the table is worked out at separate points. One that is under a box, or
    nearly, stands for the nearest point beside it; else a ragged line would show
    along the box's foot.

    Args:
        bodies: The boxes.
        points: Points on the table, (n, 3), m.
        margin: The distance from a box at which points are left, m.
    """
    moved = points.copy()
    for body in bodies:
        local = body.local(moved)[:, :2]
        room = body.half[:2] + np.float32(margin) - np.abs(local)
        under = np.flatnonzero((room > 0).all(1))
        axis = room[under].argmin(1)
        edge = (body.half[:2] + np.float32(margin))[axis]
        local[under, axis] = np.where(local[under, axis] < 0, -edge, edge)
        foot = np.concatenate([local[under], np.zeros((len(under), 1))], 1)
        moved[under, :2] = (turned(foot, body.yaw) + body.center)[:, :2]
    return moved


def key_share(bodies: list[Solid], points: Floats) -> Floats:
    """Return the share of the key light that reaches points on the table, (n,).

    The shadow of a box on the table is its foot, drawn out along the light's way: a
    point is in it when a level stretch from the point meets the foot. That needs two
    dimensions, and only the points that the shadow can reach.

    Args:
        bodies: The boxes on the table.
        points: Points on the table, (n, 3), m.
    """
    ways = key_directions()
    # Per metre of height: a box's height is then how far its shadow reaches.
    level = ways / ways[:, 2:]
    level[:, 2] = 0
    dark = np.zeros((len(points), len(ways)), bool)
    for body in bodies:
        near = _reach(body, level, points)
        dark[near] |= _in_shadow(body, level, points[near])
    share: Floats = 1 - dark.mean(1, dtype=np.float32)
    return share


def fill_share(bodies: list[Solid], points: Floats) -> Floats:
    """Return the share of the even light that reaches points on the table, (n,).

    In closed form: for each side of a box that faces the point, the form factor of an
    upright rectangle from a level element at its foot (Howell's catalogue, B-4, for
    both parts of the rectangle). It is 0.5 at the foot of a long high wall.

    Args:
        bodies: The boxes on the table.
        points: Points on the table, (n, 3), m.
    """
    share = np.ones(len(points), np.float32)
    for body in bodies:
        # A box is the same on all four sides.
        local = np.abs(body.local(points))
        # Boxes taken as independent: two behind one another darken a little too much.
        share *= 1 - _form_factor(body, local[:, 0], local[:, 1])
    return share


def _form_factor(body: Solid, u: Floats, v: Floats) -> Floats:
    width, depth, height = (np.float32(side) for side in body.size)
    found = _wall(u - width / 2, v, depth / 2, height)
    found += _wall(v - depth / 2, u, width / 2, height)
    # Under a box: the value at its foot, so that no edge shows there.
    inside = (u <= width / 2) & (v <= depth / 2)
    return np.where(inside, np.float32(0.5), found)


def _wall(
    distance: Floats, along: Floats, half: np.floating, height: np.floating
) -> Floats:
    """Return the form factor of a wall at `distance` > 0; 0 behind it."""
    near = np.maximum(distance, np.float32(1e-5))
    slant = np.sqrt(near * near + height * height)
    low, high = -half - along, half - along
    flat = np.arctan(high / near) - np.arctan(low / near)
    raised = np.arctan(high / slant) - np.arctan(low / slant)
    found: Floats = (flat - near / slant * raised) / np.float32(2 * math.pi)
    return np.where(distance > 0, found, np.float32(0.0))


def _reach(body: Solid, level: Floats, points: Floats) -> NDArray[np.intp]:
    """Return which points the shadow of a box can touch."""
    signs = np.array([[a, b, 0] for a in (-1, 1) for b in (-1, 1)], np.float32)
    foot = body.world(signs * body.half)
    shifts = np.concatenate([np.zeros((1, 3)), -level * body.size[2]])
    low, high = foot.min(0) + shifts.min(0), foot.max(0) + shifts.max(0)
    inside = (points[:, :2] >= low[:2]) & (points[:, :2] <= high[:2])
    return np.flatnonzero(inside.all(1))


def _in_shadow(body: Solid, level: Floats, points: Floats) -> NDArray[np.bool_]:
    """Tell which points on the table are in a box's shadow, (n, rays)."""
    start, way = body.local(points), turned(level, -body.yaw)
    enter, leave = _slabs(body, start, way, axes=2, reach=body.size[2])
    return leave >= enter


def _slabs(
    body: Solid, start: Floats, way: Floats, *, axes: int, reach: float
) -> tuple[Floats, Floats]:
    """Return where rays enter and leave a box along the first axes, (n, k) each."""
    enter = np.zeros((len(start), len(way)), np.float32)
    leave = np.full_like(enter, reach)
    for axis in range(axes):
        step = way[:, axis]
        # A level ray would divide by 0; so small a slope moves nothing.
        inverse = 1 / np.where(np.abs(step) < 1e-6, np.float32(1e-6), step)
        half = body.half[axis]
        near = (-half - start[:, axis, None]) * inverse
        far = (half - start[:, axis, None]) * inverse
        np.maximum(enter, np.minimum(near, far), out=enter)
        np.minimum(leave, np.maximum(near, far), out=leave)
    return enter, leave

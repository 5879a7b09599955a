"""A box's outline on the picture plane, also beyond the picture's edge."""

from typing import NamedTuple

import numpy as np

from director_gui.geometry.boxes import EDGES, Box, Floats
from director_gui.geometry.camera import Basis

NEAR = 1e-4  # m; what is nearer to the eye's plane has no place on the picture


class Bounds(NamedTuple):
    """An axis-parallel rectangle in plane coordinates."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Bounds") -> bool:
        """Tell whether the two rectangles have a point in common."""
        across = self.left <= other.right and other.left <= self.right
        return across and self.bottom <= other.top and other.bottom <= self.top


def picture_bounds(aspect: float) -> Bounds:
    """Return the picture's own rectangle."""
    return Bounds(-aspect, -1.0, aspect, 1.0)


def outline(box: Box, basis: Basis) -> Floats:
    """Return the convex outline of a box in plane coordinates, shape (n, 2).

    The part behind the eye is cut off first, so a box that reaches past the eye gets
    a huge outline, and one that is behind it none (n = 0).
    """
    seen = basis.to_eye(box.corners())
    kept = [seen[seen[:, 2] >= NEAR]]
    for a, b in EDGES:
        near, far = seen[a], seen[b]
        if (near[2] < NEAR) != (far[2] < NEAR):
            t = (NEAR - near[2]) / (far[2] - near[2])
            kept.append((near + t * (far - near))[None])
    points = np.concatenate(kept)
    # Rounding may leave a cut a hair behind the near plane.
    points[:, 2] = np.maximum(points[:, 2], NEAR)
    return hull(basis.on_picture(points)) if len(points) else np.empty((0, 2))


def bounds_of(polygon: Floats) -> Bounds | None:
    """Return the rectangle around a polygon, None when it is empty."""
    if not len(polygon):
        return None
    left, bottom = polygon.min(axis=0).tolist()
    right, top = polygon.max(axis=0).tolist()
    return Bounds(left, bottom, right, top)


def outside_share(polygon: Floats, aspect: float) -> float:
    """Return the share (0-1) of a convex polygon's area outside the picture."""
    whole = area(polygon)
    # Nothing is in front of the eye, so nothing of it is inside.
    if whole <= 0:
        return 1.0
    inside = area(clip(polygon, picture_bounds(aspect)))
    return min(max(1.0 - inside / whole, 0.0), 1.0)


def hull(points: Floats) -> Floats:
    """Return the convex hull, shape (m, 2), counter-clockwise (Andrew's chain)."""
    ordered = sorted(map(tuple, points.tolist()))
    chains = _chain(ordered)[:-1] + _chain(ordered[::-1])[:-1]
    return np.array(chains, float).reshape(-1, 2)


def area(polygon: Floats) -> float:
    """Return a polygon's area by the shoelace formula; 0 below three corners."""
    if len(polygon) < 3:
        return 0.0
    x, y = (polygon - polygon[0]).T  # near the origin: no digits are lost
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def clip(polygon: Floats, bounds: Bounds) -> Floats:
    """Return the part of a convex polygon in a rectangle (Sutherland-Hodgman)."""
    sides = (
        (0, 1.0, bounds.left),
        (0, -1.0, -bounds.right),
        (1, 1.0, bounds.bottom),
        (1, -1.0, -bounds.top),
    )
    for axis, sign, limit in sides:
        polygon = _clip_side(polygon, sign * polygon[:, axis] - limit)
    return polygon


def _clip_side(polygon: Floats, depth: Floats) -> Floats:
    kept: list[Floats] = []
    for i in range(len(polygon)):
        j = (i + 1) % len(polygon)
        if depth[i] >= 0:
            kept.append(polygon[i])
        if (depth[i] >= 0) != (depth[j] >= 0):
            t = depth[i] / (depth[i] - depth[j])
            kept.append(polygon[i] + t * (polygon[j] - polygon[i]))
    return np.array(kept, float).reshape(-1, 2)


def _chain(points: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
    chain: list[tuple[float, ...]] = []
    for point in points:
        while len(chain) > 1 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: tuple[float, ...], b: tuple[float, ...], c: tuple[float, ...]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

"""Eyes and pictures: projection, rays, and what a ray meets.

Picture coordinates ``(u, v)`` run from 0 to 1, v downward. *Plane* coordinates
``(x, y)`` measure from the picture's centre in half picture heights: x to the right,
-aspect … aspect, and y upward, -1 … 1.
"""

from dataclasses import dataclass
from math import inf, radians, sqrt, tan
from typing import Literal

import numpy as np

from director_gui.geometry.boxes import Floats, box_of, solids_of
from director_gui.scene.model import Point, Scene, Viewpoint

PickKind = Literal["block", "partition"]


@dataclass(frozen=True, slots=True)
class Basis:
    """A viewpoint's axes: unit vectors, and the slope of half its field of view."""

    eye: Point
    forward: Point
    right: Point
    up: Point
    slope: float

    def direction(self, x: float, y: float) -> Point:
        """Return the ray through plane coordinates; its depth along forward is 1."""
        a, b = x * self.slope, y * self.slope
        f, r, u = self.forward, self.right, self.up
        return (
            f[0] + a * r[0] + b * u[0],
            f[1] + a * r[1] + b * u[1],
            f[2] + a * r[2] + b * u[2],
        )

    def to_eye(self, points: Floats) -> Floats:
        """Return `points`, shape (n, 3), as (right, up, depth) from the eye in m."""
        axes = np.array([self.right, self.up, self.forward])
        moved: Floats = (points - np.asarray(self.eye)) @ axes.T
        return moved

    def on_picture(self, seen: Floats) -> Floats:
        """Return eye coordinates (n, 3) of positive depth as plane ones (n, 2)."""
        plane: Floats = seen[:, :2] / (seen[:, 2:] * self.slope)
        return plane


def basis_of(viewpoint: Viewpoint) -> Basis:
    """Return the axes of a viewpoint whose up direction is the world's z."""
    eye, aim = viewpoint.eye, viewpoint.look_at
    forward = unit((aim[0] - eye[0], aim[1] - eye[1], aim[2] - eye[2]))
    right = unit((forward[1], -forward[0], 0.0))  # forward x z
    up = (
        right[1] * forward[2],
        -right[0] * forward[2],
        right[0] * forward[1] - right[1] * forward[0],
    )
    return Basis(eye, forward, right, up, tan(radians(viewpoint.fov) / 2))


def unit(vector: Point) -> Point:
    """Return `vector` scaled to length 1; it must not be zero."""
    x, y, z = vector
    length = sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length)


def ray_through(
    viewpoint: Viewpoint, aspect: float, u: float, v: float
) -> tuple[Point, Point]:
    """Return origin and unit direction of the ray through picture point (u, v).

    Args:
        viewpoint: Whose picture.
        aspect: The picture's width over its height.
        u: 0 at the left edge, 1 at the right.
        v: 0 at the top edge, 1 at the bottom.
    """
    basis = basis_of(viewpoint)
    return viewpoint.eye, unit(basis.direction((2 * u - 1) * aspect, 1 - 2 * v))


def picture_point(
    viewpoint: Viewpoint, aspect: float, point: Point
) -> tuple[float, float] | None:
    """Return (u, v) of a point in m, None when it is not in front of the eye."""
    basis = basis_of(viewpoint)
    seen = basis.to_eye(np.array([point]))
    if seen[0, 2] <= 1e-9:
        return None
    x, y = basis.on_picture(seen)[0].tolist()
    return (x / aspect + 1) / 2, (1 - y) / 2


def pick(
    scene: Scene, origin: Point, direction: Point
) -> tuple[PickKind, int, float] | None:
    """Return kind, index and distance of the first thing that a ray meets.

    The index counts within ``scene.blocks`` or ``scene.partitions``; the distance is
    in lengths of `direction`. None when the ray meets nothing.
    """
    best, nearest = -1, inf
    for i, item in enumerate(solids_of(scene)):
        distance = box_of(item).distance(origin, direction)
        if distance < nearest:
            best, nearest = i, distance
    if best < 0:
        return None
    blocks = len(scene.blocks)
    if best < blocks:
        return "block", best, nearest
    return "partition", best - blocks, nearest


def on_plane(origin: Point, direction: Point, z: float) -> Point | None:
    """Return where a ray meets the level plane at height `z` in m, None if never."""
    # Nearly level: the place would be so far away that it means nothing.
    if abs(direction[2]) < 1e-12:
        return None
    t = (z - origin[2]) / direction[2]
    # The plane is behind: dragging towards the sky must not jump there.
    if t <= 0:
        return None
    return (origin[0] + t * direction[0], origin[1] + t * direction[1], z)

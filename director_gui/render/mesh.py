"""Triangle meshes as plain numpy values, before VTK sees them."""

import math
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Triangles = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """Points with normals and colours, joined by triangles."""

    points: Floats  # (n, 3), m
    normals: Floats  # (n, 3), unit length
    colors: Floats  # (n, 3), 0 to 1 as shown on a screen
    triangles: Triangles  # (m, 3), counter-clockwise from outside
    uv: Floats | None = None  # (n, 2), texture coordinates


def join(parts: list[Mesh]) -> Mesh:
    """Return several meshes as one; texture coordinates are dropped."""
    starts = np.cumsum([0] + [len(part.points) for part in parts[:-1]])
    return Mesh(
        points=np.concatenate([part.points for part in parts]),
        normals=np.concatenate([part.normals for part in parts]),
        colors=np.concatenate([part.colors for part in parts]),
        triangles=np.concatenate(
            [part.triangles + start for part, start in zip(parts, starts, strict=True)]
        ),
    )


def painted(mesh: Mesh, colors: Floats) -> Mesh:
    """Return a mesh in other colours, (n, 3) or one (3,)."""
    full = np.broadcast_to(np.asarray(colors, np.float32), mesh.points.shape)
    return Mesh(mesh.points, mesh.normals, full.copy(), mesh.triangles, mesh.uv)


def grid_triangles(rows: int, columns: int) -> Triangles:
    """Return the triangles of a grid of points in row-major order."""
    index = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
    a, b = index[:-1, :-1].ravel(), index[:-1, 1:].ravel()
    c, d = index[1:, 1:].ravel(), index[1:, :-1].ravel()
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


# Outward normal, direction to the right and upwards as seen from outside. The four
# sides come first, then the top; its "up" points away from the model.
FACES = (
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
)
FACE_SIDE = 9  # points along one side of a face


@cache
def unit_box(side: int = FACE_SIDE) -> Mesh:
    """Return the five faces of a cube from -1/2 to 1/2 that can be seen.

    Each face is a grid of `side` x `side` points, closer together towards
    its edges, where light changes fastest; faces follow each other in `FACES` order.
    """
    steps = np.linspace(0.0, 1.0, side)
    steps = 0.5 * steps + 0.25 * (1 - np.cos(np.pi * steps))
    across, up = np.meshgrid(steps, steps)
    faces = [_face(np.asarray(axes, np.float32), across, up) for axes in FACES]
    uv = np.tile(np.stack([across.ravel(), up.ravel()], 1), (len(FACES), 1))
    whole = join(faces)
    return Mesh(
        whole.points,
        whole.normals,
        whole.colors,
        whole.triangles,
        uv.astype(np.float32),
    )


def box(size: tuple[float, float, float], center: tuple[float, float, float]) -> Mesh:
    """Return a white box of `size` (m) around `center`, without its underside."""
    unit = unit_box(4)
    points = unit.points * np.asarray(size, np.float32)
    points += np.asarray(center, np.float32)
    return Mesh(points, unit.normals, unit.colors, unit.triangles)


def turned_uv(quarters: int) -> Floats:
    """Return the box's texture coordinates, the top turned by quarters of a turn.

    A positive quarter turns the picture on the top clockwise seen from above.
    """
    uv = unit_box().uv
    assert uv is not None  # noqa: S101 - set above
    turned = uv.copy()
    top = turned[-FACE_SIDE * FACE_SIDE :]
    for _ in range(quarters % 4):
        top[:] = np.stack([1 - top[:, 1], top[:, 0]], 1)
    return turned


def turned(vectors: Floats, yaw: float) -> Floats:
    """Return vectors, (n, 3), turned counter-clockwise by `yaw` degrees about z."""
    angle = math.radians(yaw)
    cos, sin = np.float32(math.cos(angle)), np.float32(math.sin(angle))
    x, y = vectors[:, 0], vectors[:, 1]
    return np.stack([cos * x - sin * y, sin * x + cos * y, vectors[:, 2]], 1)


def _face(axes: Floats, across: Floats, up: Floats) -> Mesh:
    normal, right, upward = axes
    points = (
        normal * np.float32(0.5)
        + (across.reshape(-1, 1) - 0.5) * right
        + (up.reshape(-1, 1) - 0.5) * upward
    ).astype(np.float32)
    return Mesh(
        points=points,
        normals=np.broadcast_to(normal, points.shape).copy(),
        colors=np.ones_like(points),
        triangles=grid_triangles(*across.shape),
    )

"""Rounded surfaces for the director's figure: lofts, tubes, ellipsoids, caps."""

import numpy as np

from director_gui.render.mesh import Floats, Mesh, grid_triangles


def at(origin: Floats, x: float, y: float, z: float) -> Floats:
    """Return a point, or points (n, 3), moved by x, y and z."""
    found: Floats = origin + np.array([x, y, z])
    return found


def surface(points: Floats, color: Floats) -> Mesh:
    """Return a smooth surface through a grid of points, in one colour.

    Args:
        points: (rows, columns, 3); the last column repeats the first where the
            surface closes.
        color: (3,), or one for each point, (rows, columns, 3).
    """
    grid = np.asarray(points, np.float64)
    flat = grid.reshape(-1, 3)
    outward = flat - flat.mean(0)
    normals = np.cross(_along(grid, 0), _along(grid, 1)).reshape(-1, 3)
    size = np.sqrt((normals * normals).sum(1, keepdims=True))
    # At a pole the grid has no direction; the way out from the middle serves.
    tiny = size < 1e-12
    normals = np.where(tiny, 0, normals / np.where(tiny, 1, size))
    # A closed surface's normals point outwards when they agree with this volume.
    # The grid's triangles run the other way round than its normals were taken.
    triangles = grid_triangles(*grid.shape[:2])
    if (normals * outward).sum() < 0:
        normals = -normals
    else:
        triangles = triangles[:, ::-1]
    away = outward / np.sqrt((outward * outward).sum(1, keepdims=True) + 1e-12)
    normals = np.where(tiny, away, normals)
    colors = np.broadcast_to(np.asarray(color, np.float32), grid.shape)
    return Mesh(
        points=flat.astype(np.float32),
        normals=normals.astype(np.float32),
        colors=colors.reshape(-1, 3).astype(np.float32),
        triangles=triangles,
    )


def sphere_directions(rows: int, columns: int, reach: float = np.pi) -> Floats:
    """Return unit vectors around the pole +z out to `reach` radians, a grid."""
    polar, around = np.meshgrid(
        np.linspace(0, reach, rows), np.linspace(0, 2 * np.pi, columns), indexing="ij"
    )
    return np.stack(
        [np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)],
        -1,
    )


def ellipsoid(center: Floats, radii: Floats, color: Floats) -> Mesh:
    """Return an ellipsoid along the axes."""
    return surface(center + sphere_directions(9, 15) * np.asarray(radii), color)


def tube(path: Floats, radii: Floats, color: Floats, sides: int = 13) -> Mesh:
    """Return a tube with round ends around a path.

    Args:
        path: Points on its axis, (n, 3).
        radii: Radius at each point, (n,).
        color: (3,).
        sides: Points around it, the last equal to the first.
    """
    axis, size = _rounded(np.asarray(path, float), np.asarray(radii, float))
    ahead = np.gradient(axis, axis=0)
    ahead /= np.sqrt((ahead * ahead).sum(1, keepdims=True)) + 1e-12
    pole = np.eye(3)[np.abs(ahead.sum(0)).argmin()]
    across = np.cross(ahead, pole)
    across /= np.sqrt((across * across).sum(1, keepdims=True))
    away = np.cross(ahead, across)
    turn = np.linspace(0, 2 * np.pi, sides)[None, :, None]
    ring = across[:, None] * np.cos(turn) + away[:, None] * np.sin(turn)
    return surface(axis[:, None] + ring * size[:, None, None], color)


def loft(centers: Floats, widths: Floats, depths: Floats, color: Floats) -> Mesh:
    """Return a body of level, rounded sections.

    Args:
        centers: Middle of each section, (n, 3).
        widths: Half widths along x, (n,).
        depths: Half depths along y, (n,).
        color: (3,).
    """
    turn = np.linspace(0, 2 * np.pi, 33)
    # Between an ellipse and a rounded rectangle: exponent 2.5 instead of 2.
    cos, sin = (np.sign(f) * np.abs(f) ** 0.8 for f in (np.cos(turn), np.sin(turn)))
    points = np.repeat(np.asarray(centers, float)[:, None], len(turn), axis=1)
    points[..., 0] += np.asarray(widths)[:, None] * cos
    points[..., 1] += np.asarray(depths)[:, None] * sin
    return surface(points, color)


def smooth(knots: Floats, values: Floats, at: Floats) -> Floats:
    """Return values between knots, eased by a cubic through them (Catmull-Rom)."""
    knots, values = np.asarray(knots, float), np.asarray(values, float)
    slope = np.gradient(values, knots)
    i = np.clip(np.searchsorted(knots, at) - 1, 0, len(knots) - 2)
    span = knots[i + 1] - knots[i]
    t = (at - knots[i]) / span
    found: Floats = (
        (2 * t**3 - 3 * t**2 + 1) * values[i]
        + (t**3 - 2 * t**2 + t) * span * slope[i]
        + (-2 * t**3 + 3 * t**2) * values[i + 1]
        + (t**3 - t**2) * span * slope[i + 1]
    )
    return found


def _rounded(path: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """Return a path with half balls added at both ends."""
    bow = np.linspace(0, np.pi / 2, 5)[:-1]
    first, last = path[0] - path[1], path[-1] - path[-2]
    first = first / np.sqrt((first * first).sum())
    last = last / np.sqrt((last * last).sum())
    head = path[0] + first * radii[0] * np.cos(bow)[:, None]
    tail = (path[-1] + last * radii[-1] * np.cos(bow)[:, None])[::-1]
    size = np.concatenate(
        [radii[0] * np.sin(bow), radii, radii[-1] * np.sin(bow)[::-1]]
    )
    return np.concatenate([head, path, tail]), size


def _along(grid: Floats, axis: int) -> Floats:
    """Return differences along an axis, closing round where the grid closes."""
    found: Floats = np.gradient(grid, axis=axis)
    if axis == 1 and np.allclose(grid[:, 0], grid[:, -1]):
        found[:, 0] = found[:, -1] = (grid[:, 1] - grid[:, -2]) / 2
    return found

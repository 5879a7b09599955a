"""The head of the director's figure, in a frame of its own.

The origin is the point between the eyes; x runs to the figure's left, y is backwards
and z up, so that the face looks along -y. Sizes are metres.
"""

import numpy as np

from director_gui.render.mesh import Floats, Mesh, join
from director_gui.render.shapes import (
    at,
    ellipsoid,
    smooth,
    sphere_directions,
    surface,
    tube,
)

SKIN = np.array([0.91, 0.72, 0.60])
_BLUSH = np.array([0.90, 0.60, 0.52])
_HAIR = np.array([0.33, 0.23, 0.18])
_LIPS = np.array([0.72, 0.40, 0.37])
_WHITE = np.array([0.985, 0.985, 0.98])
_IRIS = np.array([0.30, 0.42, 0.47])
_PUPIL = np.array([0.07, 0.07, 0.08])
CENTER = np.array([0.0, 0.088, 0.012])  # of the skull
_RADII = np.array([0.094, 0.106, 0.130])
_EYE = np.array([0.0350, 0.011, 0.0])  # middle of the figure's left eyeball
_EYEBALL = 0.0210


def head(gaze: Floats) -> Mesh:
    """Return the head; its eyes look along `gaze`, (3,), in the head's frame."""
    parts = [_skull(), _hair(), _nose(), _mouth()]
    for side in (-1.0, 1.0):
        mirror = np.array([side, 1.0, 1.0])
        parts += [*_eye(_EYE * mirror, gaze), _brow(side), _ear(side)]
    return join(parts)


def _skin_at(ways: Floats) -> Floats:
    """Return the skull's surface in directions from its centre: an egg, chin down."""
    down = np.clip(-ways[..., 2:], 0, 1)
    points = ways * _RADII
    points[..., :1] *= 1 - 0.20 * down**2
    points[..., 1:2] *= 1 - 0.10 * down**2
    found: Floats = CENTER + points
    return found


def _front(x: Floats, z: Floats) -> Floats:
    """Return points on the face at these places left-right and up-down, (n, 3)."""
    up = (z - CENTER[2]) / _RADII[2]
    down = np.clip(-up, 0, 1)
    across = (x - CENTER[0]) / (_RADII[0] * (1 - 0.20 * down**2))
    depth = np.sqrt(np.clip(1 - up**2 - across**2, 0, 1))
    y = CENTER[1] - depth * _RADII[1] * (1 - 0.10 * down**2)
    return np.stack([x, y, z], -1)


def _skull() -> Mesh:
    points = _skin_at(sphere_directions(25, 33))
    cheeks = np.zeros(points.shape[:2])
    for side in (-1, 1):
        spot = np.array([side * 0.050, 0.012, -0.045])
        away = ((points - spot) ** 2).sum(-1)
        cheeks += np.exp(-away / (2 * 0.017**2))
    share = np.clip(0.55 * cheeks, 0, 1)[..., None]
    return surface(points, SKIN * (1 - share) + _BLUSH * share)


def _hair() -> Mesh:
    """Return a cap of hair: low at the back, high over the forehead, round the ears."""
    around = np.linspace(0, 2 * np.pi, 49)
    # Polar angle of the hair's edge from straight up; 0 is the front.
    knots = np.radians([0, 25, 50, 72, 95, 120, 150, 180])
    edge = np.radians([50, 51, 60, 82, 104, 118, 128, 130])
    turn = np.abs((around + np.pi) % (2 * np.pi) - np.pi)
    reach = smooth(knots, edge, turn)
    share = np.linspace(0, 1, 13)[:, None]
    polar = share * reach[None, :]
    ways = np.stack(
        [
            np.sin(polar) * np.sin(around),
            -np.sin(polar) * np.cos(around),
            np.cos(polar),
        ],
        -1,
    )
    thick = 1 + 0.085 * (1 - share**6)[..., None] + 0.012
    points = CENTER + (_skin_at(ways) - CENTER) * thick
    return surface(points, _HAIR)


def _nose() -> Mesh:
    tip = _front(np.array([0.0]), np.array([-0.030]))[0]
    return ellipsoid(
        at(tip, 0, 0.002, 0), np.array([0.0125, 0.016, 0.0145]), SKIN * 0.99
    )


def _mouth() -> Mesh:
    x = np.linspace(-0.031, 0.031, 17)
    path = _front(x, -0.070 + 0.0135 * (x / 0.031) ** 2)
    radii = 0.0052 * np.sqrt(1 - 0.75 * (x / 0.031) ** 2)
    return tube(path, radii, _LIPS, sides=7)


def _brow(side: float) -> Mesh:
    share = np.linspace(0, 1, 9)
    x = side * (0.017 + 0.036 * share)
    z = 0.043 + 0.009 * np.sin(np.pi * (0.30 + 0.5 * share))
    radii = 0.0038 * np.sqrt(1 - 0.7 * (2 * share - 1) ** 2)
    return tube(at(_front(x, z), 0, -0.001, 0), radii, _HAIR, sides=7)


def _ear(side: float) -> Mesh:
    middle = at(CENTER, side * 0.093, 0.004, -0.012)
    return ellipsoid(middle, np.array([0.012, 0.020, 0.030]), SKIN * 0.97)


def _eye(middle: Floats, gaze: Floats) -> list[Mesh]:
    """Return eyeball, with the iris where the gaze leaves it, and the upper lid."""
    # Doubled rings: colours belong to corners, and would run into each other.
    rings = np.radians([0, 10, 17, 17.01, 27, 36, 36.01, 60, 90, 120, 150, 180])
    around = np.linspace(0, 2 * np.pi, 21)
    across = np.cross(gaze, [0.0, 0.0, 1.0])
    across /= np.sqrt((across * across).sum())
    up = np.cross(across, gaze)
    polar = rings[:, None, None]
    spokes = across * np.cos(around)[:, None] + up * np.sin(around)[:, None]
    ways = gaze * np.cos(polar) + spokes * np.sin(polar)
    colors = np.where(polar < np.radians(17.005), _PUPIL, _IRIS)
    colors = np.where(polar > np.radians(36.005), _WHITE, colors)
    colors = np.broadcast_to(colors, ways.shape)
    ball = surface(middle + ways * _EYEBALL, colors)
    lid = sphere_directions(6, 17, np.radians(60))
    tilt = np.radians(-14)  # the lid's pole leans a little to the back
    cos, sin = np.cos(tilt), np.sin(tilt)
    leaned = np.stack(
        [
            lid[..., 0],
            cos * lid[..., 1] - sin * lid[..., 2],
            sin * lid[..., 1] + cos * lid[..., 2],
        ],
        -1,
    )
    return [ball, surface(middle + leaned * (_EYEBALL + 0.0016), SKIN * 0.96)]

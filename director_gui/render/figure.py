"""The director: a friendly mannequin that stands where the director's eye is."""

import math

import numpy as np

from director_gui.render import light, room
from director_gui.render.face import CENTER, SKIN, head
from director_gui.render.mesh import Floats, Mesh, join, painted
from director_gui.render.shapes import at, ellipsoid, loft, smooth, tube
from director_gui.scene.model import Table, Viewpoint

_SWEATER = np.array([0.40, 0.45, 0.58])
_TROUSERS = np.array([0.27, 0.29, 0.34])
_NOD = (-28.0, 18.0)  # degrees: how far the head itself turns down and up
_SIDEWAYS = 32.0  # degrees: how far the eyes turn in the head
_BODY = (0.29, 0.17)  # m: half of the width and depth that the body is given
_MOST_LEAN = 0.50  # m, hips behind the neck
_NECK = 0.130  # m from the eyes down to the neck's foot
_HIPS = 0.56  # m from the neck's foot down to the hips
# Half widths and half depths of the trunk, from the neck's foot downwards, m.
_DOWN = np.array([0.0, 0.022, 0.045, 0.075, 0.12, 0.20, 0.31, 0.43, 0.53, 0.58])
_WIDE = np.array([0.058, 0.090, 0.140, 0.180, 0.198, 0.190, 0.168, 0.166, 0.172, 0.150])
_DEEP = np.array([0.056, 0.064, 0.078, 0.092, 0.103, 0.110, 0.104, 0.100, 0.104, 0.090])


def mannequin(eye: Viewpoint, table: Table) -> Mesh:
    """Return the figure whose eyes are at `eye` and look where it looks.

    It stands upright behind its eye; close to the table it leans forward over it, so
    that the body stays beside the table.
    """
    to = np.subtract(eye.look_at, eye.eye)
    heading = math.atan2(to[1], to[0])
    pitch = math.degrees(math.atan2(to[2], math.hypot(to[0], to[1])))
    nod = min(max(0.6 * pitch, _NOD[0]), _NOD[1])
    face = _turned(head(_gaze(pitch - nod)), _tilt(nod))
    neck = _applied(at(CENTER, 0, 0.018, -0.085)[None], _tilt(nod))[0]
    shoulders = np.array([0.0, neck[1] + 0.012, -_NECK - 0.008])
    lean = _lean(eye, table, heading, shoulders)
    hips = at(shoulders, 0, lean, -math.sqrt(_HIPS**2 - lean**2))
    parts = [face, _neck(neck, shoulders), _trunk(shoulders, hips)]
    for side in (-1.0, 1.0):
        parts += [*_arm(shoulders, hips, side), _leg(hips, side, -eye.eye[2])]
    whole = _turned(join(parts), _about_z(heading + math.pi / 2))
    return _shaded(whole, np.asarray(eye.eye), table)


def _gaze(pitch: float) -> Floats:
    """Return the direction of the eyes in the head's frame, which looks along -y."""
    angle = math.radians(min(max(pitch, -_SIDEWAYS), _SIDEWAYS))
    return np.array([0.0, -math.cos(angle), math.sin(angle)])


def _tilt(degrees: float) -> Floats:
    """Return the rotation that makes a face along -y look up by some degrees."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[1, 0, 0], [0, cos, sin], [0, -sin, cos]])


def _about_z(angle: float) -> Floats:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])


def _turned(mesh: Mesh, rotation: Floats) -> Mesh:
    return Mesh(
        points=_applied(mesh.points, rotation),
        normals=_applied(mesh.normals, rotation),
        colors=mesh.colors,
        triangles=mesh.triangles,
    )


def _applied(vectors: Floats, rotation: Floats) -> Floats:
    # Written out: a product by BLAS may differ in the last bit between machines.
    parts = [(vectors * row.astype(np.float32)).sum(1) for row in rotation]
    return np.stack(parts, 1)


def _lean(eye: Viewpoint, table: Table, heading: float, shoulders: Floats) -> float:
    """Return how far the hips are behind the shoulders so that the body is clear."""
    back = np.array([-math.cos(heading), -math.sin(heading)])
    foot = np.asarray(eye.eye[:2]) + back * shoulders[1]
    reach = _BODY[0] * np.abs(back[::-1]) + _BODY[1] * np.abs(back)
    half = np.array([table.width, table.depth]) / 2 + reach
    inside = half - np.abs(foot)
    if (inside <= 0).any():
        return 0.0
    # The way out of the table along the figure's back, on whichever side is nearer.
    ways = [
        (math.copysign(half[i], back[i]) - foot[i]) / back[i]
        for i in range(2)
        if abs(back[i]) > 1e-6
    ]
    height = max(eye.eye[2] + float(shoulders[2]), 1e-3)
    share = min(1.0, height / _HIPS)  # of the trunk that is above the table
    return float(min(min(ways) / share, _MOST_LEAN))


def _neck(top: Floats, shoulders: Floats) -> Mesh:
    foot = at(shoulders, 0, 0, -0.01)
    path = np.linspace(top, foot, 7)
    return tube(path, np.linspace(0.050, 0.056, 7), SKIN * 0.95, sides=21)


def _trunk(shoulders: Floats, hips: Floats) -> Mesh:
    down = np.concatenate([[0.0], np.linspace(0.0, _DOWN[-1], 25), [_DOWN[-1]]])
    widths, depths = (smooth(_DOWN, sizes, down) for sizes in (_WIDE, _DEEP))
    for sizes in (widths, depths):
        sizes[0] = sizes[-1] = 1e-4  # closes the ends
    centers = shoulders + (hips - shoulders) * (down / _HIPS)[:, None]
    color = np.where((down < 0.5)[:, None, None], _SWEATER, _TROUSERS)
    return loft(centers, widths, depths, np.broadcast_to(color, (len(down), 33, 3)))


def _arm(shoulders: Floats, hips: Floats, side: float) -> list[Mesh]:
    spine = (hips - shoulders) / _HIPS
    top = shoulders + spine * 0.118 + np.array([side * 0.168, 0, 0])
    elbow = shoulders + spine * 0.34 + np.array([side * 0.240, 0.012, 0])
    wrist = shoulders + spine * 0.55 + np.array([side * 0.226, -0.055, 0])
    share = np.linspace(0, 1, 12)[:, None]
    path = (1 - share) ** 2 * top + 2 * share * (1 - share) * elbow + share**2 * wrist
    sleeve = tube(path, np.linspace(0.053, 0.036, 12), _SWEATER, sides=15)
    hand = ellipsoid(
        at(wrist, 0, -0.012, -0.050), np.array([0.026, 0.034, 0.052]), SKIN
    )
    return [sleeve, hand]


def _leg(hips: Floats, side: float, floor: float) -> Mesh:
    top = at(hips, side * 0.083, 0, 0.02)
    foot = np.array([top[0], top[1], min(floor + room.FLOOR, top[2] - 0.1)])
    path = np.linspace(top, foot, 8)
    return tube(path, np.linspace(0.096, 0.055, 8), _TROUSERS, sides=15)


def _shaded(mesh: Mesh, eye: Floats, table: Table) -> Mesh:
    """Return the figure in its place, with its light."""
    points = (mesh.points + eye).astype(np.float32)
    half = np.array([table.width, table.depth]) / 2
    over = (np.abs(points[:, :2]) < half).all(1)
    # What would still be inside the table is cut off at its top, like a bust.
    points[:, 2] = np.where(over, np.maximum(points[:, 2], 0.002), points[:, 2])
    shade = 0.06 + light.fill(mesh.normals) + light.key(mesh.normals)
    chin = np.clip((-_NECK + 0.045 - mesh.points[:, 2]) / 0.02, 0, 1)
    under = chin * np.exp(-np.clip(-_NECK - mesh.points[:, 2], 0, 1) / 0.06)
    low = np.clip(0.05 - points[:, 2], 0, 0.5)
    depth = (1 - 0.26 * under) * (1 - 0.8 * low)
    colors = mesh.colors * shade * depth[:, None]
    return painted(Mesh(points, mesh.normals, mesh.colors, mesh.triangles), colors)

"""Baked light: soft shadows and contact shade as numbers, before VTK sees them.

One bake serves every view. It needs neither VTK nor a window, so that it can run in
any thread, and is remembered by geometry: digits and colours do not matter to it.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from director_gui.render import light, room, shadow
from director_gui.render.mesh import FACE_SIDE, FACES, Floats, turned, unit_box
from director_gui.render.shadow import Solid
from director_gui.scene.model import Scene, Table

Key = tuple[str, Hashable]  # ("block", digit) or ("partition", index)

_STEP = 0.006  # m between the points of the table at which light is worked out
_MOST_STEPS = 320
_TABLE_LOSS = 0.78  # what stands around gives some of the light back
_FACE_LOSS = 0.42  # less still, so that digits stay bright
_LIFT = np.float32(2e-4)  # m: rays start this much off the face


@dataclass(frozen=True, slots=True, eq=False)
class Baked:
    """The light on everything that stands on the table, for every view."""

    solids: dict[Key, Floats]  # light on the points of each body, (n, 3)
    table: NDArray[np.uint8]  # wood times light, (rows, columns, 3), far edge first


def bake(scene: Scene) -> Baked:
    """Return a scene's baked light."""
    keys: list[Key] = [("block", block.digit) for block in scene.blocks]
    keys += [("partition", i) for i in range(len(scene.partitions))]
    bodies = [shadow.solid(block) for block in scene.blocks]
    bodies += [shadow.solid(board) for board in scene.partitions]
    solids, table = _baked(tuple(bodies), scene.table)
    return Baked(dict(zip(keys, solids, strict=True)), table)


@lru_cache(maxsize=8)
def _baked(
    bodies: tuple[Solid, ...], table: Table
) -> tuple[list[Floats], NDArray[np.uint8]]:
    solids = [
        _solid_light(body, [other for other in bodies if other is not body])
        for body in bodies
    ]
    return solids, _table_light(list(bodies), table)


def _solid_light(body: Solid, others: list[Solid]) -> Floats:
    """Return the light on the points of a box, (n, 3)."""
    unit = unit_box()
    size = np.asarray(body.size, np.float32)
    normals = turned(unit.normals, body.yaw)
    points = body.world(unit.points * size)
    heights = points[:, 2]
    reach = 0.14 * body.size[2]
    side = 1 - np.abs(normals[:, 2])
    foot = 1 - side * (1 - light.foot_shade(heights, reach))
    even = light.fill(normals) * foot[:, None]
    direct = light.key(normals)
    count = FACE_SIDE * FACE_SIDE
    for face in range(len(FACES)):
        part = slice(face * count, (face + 1) * count)
        normal = normals[part][0]
        start = points[part] + normal * _LIFT
        near = [other for other in others if _in_front(other, start, normal)]
        shut = _blocked(near, start, shadow.fill_directions(normal))
        even[part] *= (1 - np.float32(_FACE_LOSS) * shut)[:, None]
        if direct[part].any():
            share = 1 - _blocked(near, start, shadow.key_directions())
            direct[part] *= share[:, None]
    return even + direct


def _in_front(body: Solid, face: Floats, normal: Floats) -> bool:
    """Tell whether some of a box is before the plane of a face."""
    signs = np.array([[a, b, c] for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)])
    corners = body.world(signs * body.half)
    return bool((((corners - face[0]) * normal).sum(1) > 1e-4).any())


def _blocked(near: list[Solid], start: Floats, ways: Floats) -> Floats:
    """Return the share of rays from each point that meet a body, (n,)."""
    dark = np.zeros((len(start), len(ways)), bool)
    for body in near:
        dark |= shadow.hits(body, start, ways)
    share: Floats = dark.mean(1, dtype=np.float32)
    return share


def _table_light(bodies: list[Solid], table: Table) -> NDArray[np.uint8]:
    """Return the table top's picture: wood times light, (rows, columns, 3)."""
    step = max(_STEP, max(table.width, table.depth) / _MOST_STEPS)
    x, y = (_centres(side, step) for side in (table.width, table.depth))
    across, away = np.meshgrid(x, y[::-1])
    flat = np.stack([across.ravel(), away.ravel(), 0 * away.ravel()], 1)
    points = shadow.around(bodies, flat, 0.6 * step)
    key = shadow.key_share(bodies, points).reshape(across.shape)
    fill = shadow.fill_share(bodies, points).reshape(across.shape)
    fill = 1 - _TABLE_LOSS * (1 - fill)
    even, direct = _lit_wood(table)
    size = even.shape[1], even.shape[0]
    shown = even * _enlarged(fill, size) + direct * _enlarged(key, size)
    return np.minimum(shown, 255.5).astype(np.uint8)


@lru_cache(maxsize=2)
def _lit_wood(table: Table) -> tuple[Floats, Floats]:
    """Return the wood in the even light alone and in the key light alone, 0 to 255."""
    up = np.array([[0, 0, 1]], np.float32)
    wood = room.wood(table) * np.float32(255)
    even: Floats = wood * light.fill(up)
    direct: Floats = wood * light.key(up)
    return even.astype(np.float32), direct.astype(np.float32)


def _centres(length: float, step: float) -> Floats:
    count = max(4, round(length / step))
    return (((np.arange(count) + 0.5) / count - 0.5) * length).astype(np.float32)


def _enlarged(shares: Floats, size: tuple[int, int]) -> Floats:
    """Return a map of the table at a picture's size."""
    image = Image.fromarray(shares.astype(np.float32))
    grown = image.resize(size, Image.Resampling.BICUBIC)
    return np.asarray(grown, np.float32)[..., None]

"""How the light falls where nothing is in the way.

One soft key light stands high on the model's left, exactly between the model's side
and the director's, so that neither side is in the dark; broad even light comes from
both ends of the table. All numbers are factors of a colour as shown on a screen.
"""

import numpy as np

from director_gui.render.mesh import Floats

KEY = np.array([-0.46, 0.0, 0.8879], np.float32)  # unit vector towards the key light
KEY_SPREAD = 0.17  # radius of the key light as seen from the table, as a tangent
KEY_TINT = np.array([0.43, 0.424, 0.412], np.float32)  # warm
FILL_TINT = np.array([0.985, 0.99, 1.0], np.float32)  # a little cool
_FILL_TOP = 0.635
_FILL_SIDE = 0.79
_FILL_ENDS = 0.175  # more on faces turned to the model or to the director
_FILL_RIGHT = 0.06  # more on the side that the key light never reaches
_FILL_UNDER = 0.42
FOOT = 0.16  # how much darker a side is at its foot on the table


def key(normals: Floats) -> Floats:
    """Return the key light on surfaces with these normals, (n, 3)."""
    facing: Floats = np.clip((normals * KEY).sum(1), 0.0, None)
    return facing[:, None] * KEY_TINT


def fill(normals: Floats) -> Floats:
    """Return the even light on surfaces with these normals, (n, 3)."""
    x, y, z = normals[:, 0], normals[:, 1], normals[:, 2]
    up, down = np.clip(z, 0, None), np.clip(-z, 0, None)
    level = 1 - up - down
    amount = level * _FILL_SIDE + up * _FILL_TOP + down * _FILL_UNDER
    amount += _FILL_ENDS * y * y + _FILL_RIGHT * np.clip(x, 0, None) ** 2
    level_tint: Floats = amount[:, None].astype(np.float32) * FILL_TINT
    return level_tint


def foot_shade(heights: Floats, reach: float) -> Floats:
    """Return the factor, (n,), by which a side is darker close above the table.

    Args:
        heights: Heights above the table, m.
        reach: The height over which the shade fades, m.
    """
    fade: Floats = 1 - np.float32(FOOT) * np.exp(-heights / np.float32(reach))
    return fade


def open_light(heights: Floats, normals: Floats, reach: float) -> Floats:
    """Return the light, (n, 3), on the surface of a body that stands alone.

    Args:
        heights: Heights above the table, (n,), m.
        normals: Outward unit normals, (n, 3).
        reach: See `foot_shade`.
    """
    side = 1 - np.abs(normals[:, 2])
    foot = 1 - side * (1 - foot_shade(heights, reach))
    return fill(normals) * foot[:, None] + key(normals)

"""The part of the table that a partition hides from the director."""

import numpy as np

from director_gui.geometry.boxes import Floats, box_of
from director_gui.geometry.outline import Bounds, clip, hull
from director_gui.scene.model import Partition, Point, Scene

_FAR = 50.0  # m; where a line of sight that never comes down is ended


def hidden_floor(scene: Scene, partition: Partition) -> Floats:
    """Return the polygon on the table, shape (n, 2) in m, that a partition hides.

    It is the partition's shadow on the plane z = 0 with the director's eye as the
    light, clipped to the table; empty (n = 0) when no table lies behind it.
    """
    corners = box_of(partition).corners()
    ground = np.array([_landing(scene.director.eye, corner) for corner in corners])
    table = scene.table
    bounds = Bounds(
        -table.width / 2, -table.depth / 2, table.width / 2, table.depth / 2
    )
    return clip(hull(ground), bounds)


def _landing(eye: Point, corner: Floats) -> Floats:
    """Return where the line from the eye over a corner meets the table's plane."""
    away = corner - np.asarray(eye)
    drop = -away[2]
    reach = eye[2] / drop if drop > 1e-6 else _FAR
    landed: Floats = np.asarray(eye)[:2] + min(reach, _FAR) * away[:2]
    return landed

"""What stands where on the table: overlaps and what hangs over the edge."""

from itertools import combinations

import numpy as np

from director_gui.geometry.boxes import Box, Floats, box_of, solids_of
from director_gui.scene.model import Scene

ROUNDING = 1e-4  # m, the step of stored numbers: less than this is touching


def overlap_depth(a: Box, b: Box) -> float:
    """Return how deep two boxes on the table reach into each other, in m.

    Separating axes in the plane (both stand on z = 0, so their heights do not
    matter). 0 when they are apart or touch.
    """
    first, second = _ground(a), _ground(b)
    # Apart along any one axis is apart; else the least depth parts them soonest.
    depths = []
    for axis in (*_axes(a), *_axes(b)):
        p, q = first @ axis, second @ axis
        depths.append(min(p.max() - q.min(), q.max() - p.min()))
    return max(float(min(depths)), 0.0)


def overlaps(scene: Scene) -> list[tuple[int, int, float]]:
    """Return pairs that overlap, as numbers in `solids_of`, with the depth in m."""
    boxes = [box_of(item) for item in solids_of(scene)]
    found = []
    for i, j in combinations(range(len(boxes)), 2):
        depth = overlap_depth(boxes[i], boxes[j])
        if depth > ROUNDING:
            found.append((i, j, depth))
    return found


def overhang(scene: Scene, box: Box) -> float:
    """Return how far a box reaches over the table's edge, in m; 0 when it does not."""
    # The table is centred on the origin, so the sides need not be told apart.
    reach = np.abs(_ground(box)).max(axis=0)
    over = reach - (scene.table.width / 2, scene.table.depth / 2)
    return max(float(over.max()), 0.0)


def _ground(box: Box) -> Floats:
    """Return the corners in the plane; each of the four occurs twice."""
    corners: Floats = box.corners()[:, :2]
    return corners


def _axes(box: Box) -> tuple[Floats, Floats]:
    return np.array([box.cos, box.sin]), np.array([-box.sin, box.cos])

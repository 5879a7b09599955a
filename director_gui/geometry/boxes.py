"""Blocks and partitions as upright boxes: corners, faces and ray intersection."""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from director_gui.scene.model import Block, Partition, Point, Scene

Floats = NDArray[np.float64]

_SIGNS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], float)
# Corners whose signs differ in one place share an edge; each pair once.
EDGES = tuple(
    (a, b)
    for a in range(8)
    for b in range(a + 1, 8)
    if np.count_nonzero(_SIGNS[a] != _SIGNS[b]) == 1
)
_TINY = 1e-200  # stands for a zero direction: quotients stay finite, never NaN


@dataclass(frozen=True, slots=True)
class Box:
    """An upright box that is turned about z.

    Attributes:
        center: Its centre in m.
        half: Half its extent along its own axes in m.
        cos: Cosine of its yaw.
        sin: Sine of its yaw.
    """

    center: Point
    half: Point
    cos: float
    sin: float

    def to_own(self, vector: Point) -> Point:
        """Return a world *vector* (not a point) in the box's own axes."""
        x, y, z = vector
        return (self.cos * x + self.sin * y, self.cos * y - self.sin * x, z)

    def to_world(self, vectors: Floats) -> Floats:
        """Return own *vectors*, shape (n, 3), in the world's axes."""
        x, y, z = vectors.T
        turned = (self.cos * x - self.sin * y, self.sin * x + self.cos * y, z)
        return np.stack(turned, axis=-1)

    def corners(self) -> Floats:
        """Return the eight corners, shape (8, 3), in m."""
        return self.to_world(_SIGNS * self.half) + self.center

    def distance(self, origin: Point, direction: Point) -> float:
        """Return how far a ray goes until it enters the box, ∞ when it never does.

        The unit is the length of `direction`. A ray from inside does not enter. Plain
        floats: one ray is faster so than through numpy.
        """
        own_origin = self.to_own(_minus(origin, self.center))
        # The ray is inside the box while it is inside all three slabs at once.
        enter, leave = -np.inf, np.inf
        for o, d, h in zip(own_origin, self.to_own(direction), self.half, strict=True):
            step = d or _TINY
            near, far = (-h - o) / step, (h - o) / step
            enter, leave = max(enter, min(near, far)), min(leave, max(near, far))
        return float(enter) if 0 < enter <= leave else float(np.inf)


def box_of(item: Block | Partition) -> Box:
    """Return the box that a block or a partition fills; it stands on z = 0."""
    angle = radians(item.yaw)
    # At yaw 0 a partition's width runs along x (INTERFACES).
    if isinstance(item, Block):
        size = (item.edge, item.edge, item.edge)
    else:
        size = (item.width, item.thickness, item.height)
    half = (size[0] / 2, size[1] / 2, size[2] / 2)
    return Box((item.x, item.y, half[2]), half, cos(angle), sin(angle))


def solids_of(scene: Scene) -> tuple[Block | Partition, ...]:
    """Return all that can hide something: the blocks, then the partitions."""
    return (*scene.blocks, *scene.partitions)


def boxes_of(scene: Scene) -> tuple[Box, ...]:
    """Return the boxes of all blocks, then those of all partitions."""
    return tuple(box_of(item) for item in solids_of(scene))


def _minus(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])

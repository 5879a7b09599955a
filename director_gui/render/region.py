"""Which part of a view a moved block or partition changes.

In plain light a body casts nothing on others, so that what is outside the old and the
new place of what moved stays as it was drawn.
"""

from dataclasses import dataclass

import numpy as np

from director_gui.geometry.boxes import Floats, box_of
from director_gui.geometry.camera import basis_of
from director_gui.geometry.shadow import hidden_floor
from director_gui.render.build import NEAR
from director_gui.scene.model import Block, Partition, Scene, Viewpoint

Size = tuple[int, int]
_MARGIN = 3  # px: rounding, and the edge of a covered pixel
_MOST = 0.6  # of the view; a larger part saves too little


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a view in px, from its lower left corner."""

    left: int
    bottom: int
    width: int
    height: int

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.width <= 0 or self.height <= 0


def whole(size: Size) -> Region:
    """Return all of a view."""
    return Region(0, 0, *size)


def changed(
    old: Scene, new: Scene, eye: Viewpoint, size: Size, *, film: bool = False
) -> Region:
    """Return the part of a view that has to be drawn anew; all of it when in doubt.

    Args:
        old: The scene that was drawn.
        new: The scene that is wanted.
        eye: From where both are seen.
        size: Width and height of the view in px.
        film: Whether what partitions hide of the table is tinted.
    """
    solids = _moved(old, new)
    if solids is None:
        return whole(size)
    if not solids:
        return Region(0, 0, 0, 0)
    points = [box_of(solid).corners() for solid in solids]
    if film and old.partitions != new.partitions:
        points += [*_films(old), *_films(new)]
    return _around(np.concatenate(points), eye, size)


def _moved(old: Scene, new: Scene) -> list[Block | Partition] | None:
    """Return what moved, where it was and is; None when anything else changed."""
    if (old.table, old.director) != (new.table, new.director):
        return None
    if len(old.partitions) != len(new.partitions) or _kinds(old) != _kinds(new):
        return None
    before: list[Block | Partition] = [*old.blocks, *old.partitions]
    after: list[Block | Partition] = [*new.blocks, *new.partitions]
    pairs = zip(before, after, strict=True)
    return [solid for was, now in pairs if was != now for solid in (was, now)]


def _films(scene: Scene) -> list[Floats]:
    floors = [hidden_floor(scene, board) for board in scene.partitions]
    return [np.column_stack([floor, np.zeros(len(floor))]) for floor in floors]


def _kinds(scene: Scene) -> list[tuple[int, str]]:
    # A block of another digit or colour is another body.
    return [(block.digit, block.color) for block in scene.blocks]


def _around(points: Floats, eye: Viewpoint, size: Size) -> Region:
    basis = basis_of(eye)
    seen = basis.to_eye(points)
    if (seen[:, 2] <= NEAR).any():
        return whole(size)  # what stands beside the eye has no outline
    width, height = size
    center = np.array([width / 2, height / 2])
    spots = center + seen[:, :2] / (seen[:, 2:] * basis.slope) * (height / 2)
    low = np.floor(spots.min(axis=0)).astype(int) - _MARGIN
    high = np.ceil(spots.max(axis=0)).astype(int) + _MARGIN
    left, bottom = np.maximum(low, 0).tolist()
    right, top = np.minimum(high, size).tolist()
    found = Region(left, bottom, max(0, right - left), max(0, top - bottom))
    large = found.width * found.height > _MOST * width * height
    return whole(size) if large else found

"""Can the model read a block's digit? METHOD §2, "Verdicts"."""

from math import cos, hypot, radians
from typing import NamedTuple

import numpy as np

from director_gui.geometry.boxes import Box, Floats, box_of, boxes_of
from director_gui.geometry.camera import Basis, basis_of
from director_gui.geometry.visibility import GRID_HEIGHT
from director_gui.scene.looks import digit_height
from director_gui.scene.model import Block, Point, Scene

MAX_TURN = 65.0  # degrees between a face's normal and the direction to the eye
MIN_HEIGHT = 24.0  # px in a picture 768 px high
PROVIDER_WIDTH = 512.0  # px, what providers scale pictures to
MIN_SCALED = 12.0  # px, at that width

# Outward normal and the digit's up direction, in the block's own axes. A digit on top
# may be drawn along either side, so both are measured and the lower one counts.
_Z: Point = (0.0, 0.0, 1.0)
_FACES: tuple[tuple[Point, tuple[Point, ...]], ...] = (
    ((1.0, 0.0, 0.0), (_Z,)),
    ((-1.0, 0.0, 0.0), (_Z,)),
    ((0.0, 1.0, 0.0), (_Z,)),
    ((0.0, -1.0, 0.0), (_Z,)),
    (_Z, ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
)


class Legibility(NamedTuple):
    """The best face of a block in the model's picture.

    Attributes:
        height: Its digit's height in px at 768 px.
        scaled: That height in px in the picture scaled to 512 px wide.
    """

    height: float
    scaled: float

    @property
    def ok(self) -> bool:
        """Whether the digit is high enough in both."""
        return self.height >= MIN_HEIGHT and self.scaled >= MIN_SCALED


def legibility_of(scene: Scene, block: Block) -> Legibility | None:
    """Return how high the digit of the model's best face is.

    A face counts when it is turned to the camera within 65° and the middle of its
    digit is inside the picture with nothing in front of it. None when none counts.
    """
    basis, box = basis_of(scene.camera), box_of(block)
    others = list(boxes_of(scene))
    # By its place, not by its value: two blocks in one spot are two boxes.
    del others[scene.digits.index(block.digit)]
    heights = [
        min(
            _height(box, basis, normal, digit_height(block.digit) * np.array(up))
            for up in ups
        )
        for normal, ups in _FACES
        if _counts(box, basis, normal, others, scene.picture.aspect)
    ]
    if not heights:
        return None
    height = max(heights)
    return Legibility(
        height, height * PROVIDER_WIDTH / (GRID_HEIGHT * scene.picture.aspect)
    )


def _counts(
    box: Box, basis: Basis, normal: Point, others: list[Box], aspect: float
) -> bool:
    middle = _at(box, [normal])[0]
    x, y, z = (middle - basis.eye).tolist()
    a, b, c = box.to_world(np.array([normal]))[0].tolist()
    facing = -(a * x + b * y + c * z)
    if facing <= 0 or facing < hypot(x, y, z) * cos(radians(MAX_TURN)):
        return False
    # Turned the right way, but beside or behind the picture it shows nothing.
    seen = basis.to_eye(middle[None])
    if seen[0, 2] <= 0:
        return False
    across, upward = basis.on_picture(seen)[0].tolist()
    if abs(across) > aspect or abs(upward) > 1:
        return False
    # The middle of a digit stands for all of it: a glimpse of its rim is no reading.
    return all(other.distance(basis.eye, (x, y, z)) >= 1 - 1e-6 for other in others)


def _height(box: Box, basis: Basis, normal: Point, half: Floats) -> float:
    """Return the height in px at 768 px of a digit that reaches ±`half` on a face."""
    ends = basis.to_eye(_at(box, [normal - half, normal + half]))
    if (ends[:, 2] <= 0).any():
        return 0.0
    top, bottom = basis.on_picture(ends)
    return float(np.hypot(*(top - bottom))) * GRID_HEIGHT / 2


def _at(box: Box, own: list[Floats] | list[Point]) -> Floats:
    """Return the world's points of own coordinates in units of the half extent."""
    return box.to_world(np.array(own, float) * box.half) + box.center

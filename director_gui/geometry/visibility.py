"""Witness 1 of visibility: exact ray casting on METHOD's fixed grid.

One ray goes through the centre of every pixel of a grid 768 px high in the picture's
aspect, whatever size the picture is drawn at. Blocks and partitions hide; the
director's figure does not. Witness 2 (`render.depth_witness`) shares no code with
this module, and neither imports the other.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from director_gui.geometry.boxes import Box, Floats, boxes_of
from director_gui.geometry.camera import Basis, basis_of
from director_gui.geometry.outline import Bounds, bounds_of, outline, outside_share
from director_gui.scene.model import Scene, ViewName

GRID_HEIGHT = 768  # px
_RAYS_AT_ONCE = 400_000  # bounds the memory, about 60 MB
_TIE = 1e-9  # m; surfaces nearer to each other than this do not hide one another


@dataclass(frozen=True, slots=True)
class Sight:
    """How one block appears in one view.

    Attributes:
        visible_px: Grid pixels that show the block.
        alone_px: Grid pixels that would show it with nothing in front of it.
        fraction: visible_px / alone_px (0-1); None when alone_px is 0.
        outside: Share (0-1) of its projected area that falls outside the picture.
        visible_area: Visible pixels as a fraction of the picture.
        alone_area: Unoccluded pixels as a fraction of the picture.
    """

    visible_px: int
    alone_px: int
    fraction: float | None
    outside: float
    visible_area: float
    alone_area: float


@dataclass(frozen=True, slots=True)
class _Cast:
    """What the rays of one view need."""

    basis: Basis
    width: int  # px
    step: int  # every step-th pixel both ways


def grid_width(aspect: float) -> int:
    """Return the fixed grid's width in px."""
    return max(round(GRID_HEIGHT * aspect), 1)


def sights_of(scene: Scene, view: ViewName, step: int = 1) -> dict[int, Sight]:
    """Return how each block appears in a view, by digit.

    Args:
        scene: The scene.
        view: Whose picture.
        step: Cast a ray at every step-th pixel only; counts are scaled up. 1 is the
            verdict; 3 is good enough for a live readout.
    """
    aspect = scene.picture.aspect
    cast = _Cast(basis_of(scene.viewpoint(view)), grid_width(aspect), step)
    boxes = boxes_of(scene)
    outlines = [outline(box, cast.basis) for box in boxes]
    bounds = [bounds_of(polygon) for polygon in outlines]
    sights = {}
    for i, block in enumerate(scene.blocks):
        around = bounds[i]
        visible, alone = 0, 0
        if around is not None:
            # Only what overlaps it on the picture can hide it; most do not.
            rivals = [
                boxes[j]
                for j, other in enumerate(bounds)
                if j != i and other is not None and other.meets(around)
            ]
            visible, alone = _count(boxes[i], rivals, around, cast)
        outside = outside_share(outlines[i], aspect)
        sights[block.digit] = _sight(visible, alone, outside, cast)
    return sights


def _sight(visible: int, alone: int, outside: float, cast: _Cast) -> Sight:
    scale = cast.step * cast.step
    whole = cast.width * GRID_HEIGHT
    return Sight(
        visible_px=visible * scale,
        alone_px=alone * scale,
        fraction=visible / alone if alone else None,
        outside=outside,
        visible_area=visible * scale / whole,
        alone_area=alone * scale / whole,
    )


def _count(own: Box, rivals: list[Box], around: Bounds, cast: _Cast) -> tuple[int, int]:
    visible, alone = 0, 0
    for x, y in _tiles(around, cast):
        depth = _depths(own, cast.basis, x, y)
        hit = np.isfinite(depth)
        alone += int(np.count_nonzero(hit))
        for rival in rivals:
            hit &= _depths(rival, cast.basis, x, y) >= depth - _TIE
        visible += int(np.count_nonzero(hit))
    return visible, alone


def _tiles(around: Bounds, cast: _Cast) -> Iterator[tuple[Floats, Floats]]:
    """Yield plane coordinates of pixel centres, (columns, rows), in slices."""
    middle = GRID_HEIGHT / 2
    columns = _pixels(around.left, around.right, cast.width, cast.step)
    rows = _pixels(around.bottom, around.top, GRID_HEIGHT, cast.step)
    x = (columns + 0.5 - cast.width / 2) / middle
    y = (rows + 0.5 - middle) / middle
    if not len(x):
        return
    # At least one row at a time, however wide the picture is.
    height = max(_RAYS_AT_ONCE // len(x), 1)
    for start in range(0, len(y), height):
        yield x, y[start : start + height]


def _pixels(low: float, high: float, size: int, step: int) -> Floats:
    """Return the numbers of the pixels between two plane coordinates."""
    scale, centre = GRID_HEIGHT / 2, size / 2
    first = int(np.clip(np.floor(low * scale + centre), 0, size))
    last = int(np.clip(np.ceil(high * scale + centre), 0, size))
    first += -first % step + step // 2  # the same pixels whatever the bounds are
    return np.arange(first, last, step, dtype=float)


def _depths(box: Box, basis: Basis, x: Floats, y: Floats) -> Floats:
    """Return the depth in m at which each ray enters a box, shape (rows, columns).

    Slab method (Kay and Kajiya 1986). ∞ where the ray misses. From inside a box
    nothing of it is seen and it hides nothing, as a drawing without its back faces.
    """
    ex, ey, ez = basis.eye
    cx, cy, cz = box.center
    origin = box.to_own((ex - cx, ey - cy, ez - cz))
    forward, right, up = (box.to_own(v) for v in (basis.forward, basis.right, basis.up))
    enter, leave = np.array(-np.inf), np.array(np.inf)
    for i in range(3):
        d = forward[i] + (basis.slope * up[i] * y)[:, None]
        if right[i] != 0:  # upright boxes: heights need one number a row
            d = d + (basis.slope * right[i] * x)[None, :]
        d[d == 0] = 1e-200  # a finite quotient instead of NaN
        middle, reach = -origin[i] / d, box.half[i] / np.abs(d)
        enter = np.maximum(enter, middle - reach)
        leave = np.minimum(leave, middle + reach)
    depths: Floats = np.where((enter > 0) & (enter <= leave), enter, np.inf)
    return depths

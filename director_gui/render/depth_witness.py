"""Witness 2 of visibility: the z-buffer of the whole scene against a block's own.

A block's pixel is visible when the depth in the picture of everything is the depth
of that block drawn alone. Occluders are blocks and partitions (METHOD, section 2).
The grid is 768 px high in the picture's aspect, whatever size pictures are drawn at.

This witness reads the scene's canonical JSON itself, and VTK's camera does its
projection: it shares no code with the analytic witness, so that a mistake in one
cannot hide in the other.
"""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkCamera,
    vtkPolyDataMapper,
    vtkRenderer,
)

from director_gui.render import backend, vtk_arrays

GRID_HEIGHT = 768  # px
_STRIP = 4096  # px: widest part that is drawn at once
_NEAREST, _FAR = 0.002, 60.0  # m; every coordinate is within 10 m of the origin
_EYES = {"model": "camera", "director": "director"}  # view -> key in the scene


@dataclass(frozen=True, slots=True)
class DepthSight:
    """What the z-buffer says of one block in one view, in pixels of the grid."""

    visible_px: int
    alone_px: int  # with nothing in front of it, inside the picture

    @property
    def fraction(self) -> float | None:
        """Visible share of the block's own area in the picture; None without any."""
        return self.visible_px / self.alone_px if self.alone_px else None


Sights = dict[str, dict[int, DepthSight]]


def depth_fractions(canonical: bytes, window: "DepthWindow | None" = None) -> Sights:
    """Return what the z-buffer says of each block in both views.

    Args:
        canonical: The scene's canonical JSON.
        window: A window to draw in; without one a window is opened and closed.

    Returns:
        ``{"model": {digit: DepthSight}, "director": {...}}``.

    Raises:
        UserError: OpenGL cannot draw here.
    """
    if window is not None:
        return window.sights(json.loads(canonical))
    with DepthWindow() as own:
        return own.sights(json.loads(canonical))


class DepthWindow:
    """One offscreen window for many scenes; use it as a context manager."""

    def __init__(self) -> None:
        self._window = backend.open_window()
        self._renderer = vtkRenderer()
        # The frame is set by hand, so nothing may be left out by VTK's own guess.
        self._renderer.GetCullers().RemoveAllItems()
        self._window.AddRenderer(self._renderer)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the window."""
        backend.close_window(self._window)

    def sights(self, scene: dict[str, Any]) -> Sights:
        """Return what `depth_fractions` returns, of a parsed scene."""
        solids = [_solid(item) for item in scene["blocks"] + scene["partitions"]]
        self._renderer.RemoveAllViewProps()
        for solid in solids:
            self._renderer.AddActor(solid)
        digits = [int(block["digit"]) for block in scene["blocks"]]
        blocks = dict(zip(digits, solids[: len(digits)], strict=True))
        width = grid_width(scene["picture"])
        return {
            view: self._view(scene[key], width, blocks, solids)
            for view, key in _EYES.items()
        }

    def _view(
        self,
        eye: dict[str, Any],
        width: int,
        blocks: dict[int, vtkActor],
        solids: list[vtkActor],
    ) -> dict[int, DepthSight]:
        _aim(self._renderer.GetActiveCamera(), eye)
        near = _near(eye, solids)
        counts = dict.fromkeys(blocks, (0, 0))
        for start, stop in strips(width):
            self._frame(eye["fov"], near, width, start, stop)
            _show(solids, solids)
            everything = self._drawn()
            for digit, solid in blocks.items():
                _show(solids, [solid])
                alone = self._drawn()
                own = alone < 1.0
                seen = int(np.count_nonzero(own & (everything == alone)))
                visible, total = counts[digit]
                counts[digit] = (visible + seen, total + int(np.count_nonzero(own)))
        return {digit: DepthSight(*pair) for digit, pair in counts.items()}

    def _frame(
        self, fov: float, near: float, width: int, start: int, stop: int
    ) -> None:
        """Size the window to the columns from `start` to `stop` of the grid."""
        self._window.SetSize(stop - start, GRID_HEIGHT)
        top = near * math.tan(math.radians(fov) / 2)
        left, right = ((2 * x - width) / GRID_HEIGHT * top for x in (start, stop))
        camera = self._renderer.GetActiveCamera()
        camera.SetExplicitProjectionTransformMatrix(_frustum(left, right, top, near))
        camera.UseExplicitProjectionTransformMatrixOn()

    def _drawn(self) -> NDArray[np.float32]:
        self._window.Render()
        return vtk_arrays.grab_depths(self._window)


def grid_width(picture: dict[str, int]) -> int:
    """Return the grid's width in px for a picture, at least one."""
    return max(1, round(GRID_HEIGHT * picture["width"] / picture["height"]))


def strips(width: int) -> Iterator[tuple[int, int]]:
    """Yield first and last column (exclusive) of the parts of a wide grid."""
    for start in range(0, width, _STRIP):
        yield start, min(start + _STRIP, width)


def _solid(item: dict[str, Any]) -> vtkActor:
    """Return a block or a partition as a box that stands on the table."""
    names = ("width", "thickness", "height")
    size = [item["edge"]] * 3 if "edge" in item else [item[name] for name in names]
    source = vtkCubeSource()
    source.SetXLength(size[0])
    source.SetYLength(size[1])
    source.SetZLength(size[2])
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.SetPosition(item["x"], item["y"], size[2] / 2)
    actor.SetOrientation(0.0, 0.0, item["yaw"])
    # From inside a box nothing of it is seen, and it hides nothing.
    actor.GetProperty().BackfaceCullingOn()
    actor.GetProperty().LightingOff()
    return actor


def _show(solids: list[vtkActor], shown: list[vtkActor]) -> None:
    for solid in solids:
        solid.SetVisibility(solid in shown)


def _aim(camera: vtkCamera, eye: dict[str, Any]) -> None:
    camera.SetPosition(*eye["eye"])
    camera.SetFocalPoint(*eye["look_at"])
    camera.SetViewUp(0.0, 0.0, 1.0)


def _near(eye: dict[str, Any], solids: list[vtkActor]) -> float:
    """Return a near plane, m, in front of everything the eye faces.

    The further away it is, the finer the z-buffer tells depths apart.
    """
    ahead = [b - a for a, b in zip(eye["eye"], eye["look_at"], strict=True)]
    length = math.hypot(*ahead)
    depths: list[float] = []
    for solid in solids:
        away = [b - a for a, b in zip(eye["eye"], solid.GetCenter(), strict=True)]
        depth = sum(a * b for a, b in zip(away, ahead, strict=True)) / length
        depths.append(depth - solid.GetLength() / 2)
    return max(_NEAREST, min(depths) / 2)


def _frustum(left: float, right: float, top: float, near: float) -> vtkMatrix4x4:
    """Return OpenGL's perspective matrix; `left`, `right`, `top` at the near plane."""
    matrix = vtkMatrix4x4()
    matrix.Zero()
    matrix.SetElement(0, 0, 2 * near / (right - left))
    matrix.SetElement(0, 2, (right + left) / (right - left))
    matrix.SetElement(1, 1, near / top)
    matrix.SetElement(2, 2, -(_FAR + near) / (_FAR - near))
    matrix.SetElement(2, 3, -2 * _FAR * near / (_FAR - near))
    matrix.SetElement(3, 2, -1.0)
    return matrix

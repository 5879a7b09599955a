"""The pictures that are sent, printed and kept: pixels, PNG bytes and their hashes.

Edges are smoothed by adding up frames that are shifted by parts of a pixel, which
gives the same pixels in every process; multisampling stays off.
"""

import io
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.render import backend, vtk_arrays
from director_gui.render.bake import bake
from director_gui.render.build import SceneActors, aim
from director_gui.scene.model import Picture, Scene, ViewName

Quality = Literal["print", "plain"]
Size = tuple[int, int]
_PNG_LEVEL = 4  # 6 takes nearly twice the time to save a tenth of the bytes
# Offsets in pixels, an 8-rooks pattern: each row and each column is met once.
JITTER = tuple(
    ((2 * column - 7) / 16, (2 * row - 7) / 16)
    for row, column in enumerate((3, 6, 1, 4, 7, 2, 5, 0))
)
_SHIFTS: dict[Quality, tuple[tuple[float, float], ...]] = {
    "print": JITTER,
    "plain": ((0.0, 0.0),),
}


@dataclass(frozen=True)
class Still:
    """One picture of a scene."""

    pixels: NDArray[np.uint8]  # (height, width, 3), the top row first
    renderer: str  # what drew it; other renderers may differ by some pixels

    @cached_property
    def png(self) -> bytes:
        """The PNG file: no metadata, so equal pixels give equal bytes."""
        return encode(self.pixels)

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the PNG file."""
        return sha256_hex(self.png)

    @cached_property
    def pixels_sha256(self) -> str:
        """The SHA-256 of the RGB bytes, row by row from the top."""
        return sha256_hex(self.pixels.tobytes())

    @property
    def size(self) -> Size:
        """Width and height in px."""
        height, width, _ = self.pixels.shape
        return width, height


def draw(
    scene: Scene,
    view: ViewName,
    *,
    size: Size | None = None,
    quality: Quality = "print",
) -> Still:
    """Draw one view of a scene; for several pictures keep a `StillRenderer`.

    Args:
        scene: What is drawn.
        view: From the camera (``model``) or from the director's eye.
        size: Width and height in px; the picture's own without it. A size must have
            the picture's shape, for another shape would show more or less of the
            scene than the model is asked about.
        quality: ``print`` with baked light and smooth edges, or one ``plain`` frame.

    Raises:
        UserError: The size has another shape, or OpenGL cannot draw here.
    """
    with StillRenderer() as renderer:
        return renderer.draw(scene, view, size=size, quality=quality)


class StillRenderer:
    """One offscreen window that draws many pictures; use it as a context manager.

    It belongs to the thread that made it.
    """

    def __init__(self) -> None:
        self._window = backend.open_window()
        self._renderers: dict[ViewName, tuple[vtkRenderer, SceneActors]] = {
            "model": _stage(figure=True),
            "director": _stage(figure=False),
        }
        self._name = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the window."""
        for _, actors in self._renderers.values():
            actors.clear()
        backend.close_window(self._window)

    @property
    def name(self) -> str:
        """What draws, see `backend.renderer_name`."""
        if not self._name:
            self._name = backend.renderer_name(self._window)
        return self._name

    def draw(
        self,
        scene: Scene,
        view: ViewName,
        *,
        size: Size | None = None,
        quality: Quality = "print",
    ) -> Still:
        """Draw one view of a scene; see the function `draw`."""
        width, height = fitted(scene.picture, size)
        renderer, actors = self._renderers[view]
        if quality == "print":
            # Surfaces that touch tie in depth, and the later one wins: built anew,
            # the order is the scene's own, whatever was drawn before.
            actors.clear()
        actors.sync(scene)
        if quality == "print":
            actors.light(bake(scene))
        else:
            actors.plain()
        aim(renderer, scene.viewpoint(view))
        self._window.SetSize(width, height)
        # Only while it draws: a window draws all its renderers.
        self._window.AddRenderer(renderer)
        try:
            return Still(self._expose(renderer, _SHIFTS[quality]), self.name)
        finally:
            self._window.RemoveRenderer(renderer)

    def _expose(
        self, renderer: vtkRenderer, shifts: tuple[tuple[float, float], ...]
    ) -> NDArray[np.uint8]:
        """Return the mean of one frame per shift, (height, width, 3)."""
        width, height = self._window.GetSize()
        camera = renderer.GetActiveCamera()
        # Whole numbers: sums of floats could round differently elsewhere.
        total = np.zeros((height, width, 3), np.uint16)
        for x, y in shifts:
            # In half widths, which is how VTK counts.
            camera.SetWindowCenter(2 * x / width, 2 * y / height)
            self._window.Render()
            total += vtk_arrays.grab(self._window)
        camera.SetWindowCenter(0.0, 0.0)
        # Half the divisor, so that the division rounds.
        total += len(shifts) // 2
        total //= len(shifts)
        return total[::-1].astype(np.uint8)


def fitted(picture: Picture, size: Size | None) -> Size:
    """Return the size to draw at, in px.

    Raises:
        UserError: `size` is out of range or has another shape than the picture.
    """
    if size is None:
        return picture.width, picture.height
    width, height = size
    if not (16 <= width <= 8192 and 16 <= height <= 8192):
        raise UserError("must be from 16 to 8192 px a side", where="size")
    near = max(1, round(height * picture.aspect))
    nearly = max(1, round(width / picture.aspect))
    # Either may be the rounded one.
    if width != near and height != nearly:
        raise UserError(
            f"{width}x{height} has another shape than the scene's picture "
            f"({picture.width}x{picture.height})",
            where="size",
            todo=f"Use {near}x{height} or {width}x{nearly}, "
            "or change the picture in the scene",
        )
    return width, height


def encode(pixels: NDArray[np.uint8]) -> bytes:
    """Return a PNG of (height, width, 3) bytes, the same for the same pixels."""
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", compress_level=_PNG_LEVEL)
    return file.getvalue()


def _stage(*, figure: bool) -> tuple[vtkRenderer, SceneActors]:
    renderer = vtkRenderer()
    # Jittered frames smooth the digits by themselves.
    return renderer, SceneActors(renderer, figure=figure, mipmap=False)

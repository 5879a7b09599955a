"""The bridge between numpy and VTK: arrays, meshes, images, pixels, depths."""

import numpy as np
from numpy.typing import NDArray
from vtkmodules.vtkCommonCore import (
    vtkFloatArray,
    vtkIdTypeArray,
    vtkPoints,
    vtkUnsignedCharArray,
)
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkImageData, vtkPolyData
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkPolyDataMapper,
    vtkRenderWindow,
    vtkTexture,
)

from director_gui.render.mesh import Floats, Mesh

Pixels = NDArray[np.uint8]  # (rows, columns, 3); the top row first


def floats(values: Floats) -> vtkFloatArray:
    """Return a VTK copy of (n, components) numbers."""
    source = np.ascontiguousarray(values, np.float32)
    borrowed, owned = vtkFloatArray(), vtkFloatArray()
    borrowed.SetNumberOfComponents(source.shape[1])
    borrowed.SetVoidArray(source, source.size, 1)
    # VTK keeps a bare pointer: numpy would free the memory under it.
    owned.DeepCopy(borrowed)
    return owned


def octets(values: Pixels) -> vtkUnsignedCharArray:
    """Return a VTK copy of (n, components) bytes."""
    source = np.ascontiguousarray(values, np.uint8)
    borrowed, owned = vtkUnsignedCharArray(), vtkUnsignedCharArray()
    borrowed.SetNumberOfComponents(source.shape[1])
    borrowed.SetVoidArray(source, source.size, 1)
    owned.DeepCopy(borrowed)
    return owned


def quantise(colors: Floats) -> Pixels:
    """Return colours from 0 to 1 as bytes."""
    # Rounded by hand: numpy's rint takes halves to the even number.
    return (np.clip(colors, 0.0, 1.0) * 255.0 + 0.5).astype(np.uint8)


def poly_data(mesh: Mesh) -> vtkPolyData:
    """Return a mesh as VTK's own, with its colours and texture coordinates."""
    points = vtkPoints()
    points.SetData(floats(mesh.points))
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(_cells(mesh.triangles))
    paint(data, mesh.colors)
    if mesh.uv is not None:
        set_uv(data, mesh.uv)
    return data


def set_polygons(
    data: vtkPolyData, polygons: list[NDArray[np.float64]], height: float
) -> None:
    """Make a mesh of level convex polygons, each (n, 2) in m, at one height."""
    points, cells = vtkPoints(), vtkCellArray()
    for polygon in polygons:
        cells.InsertNextCell(len(polygon))
        for x, y in polygon:
            cells.InsertCellPoint(points.InsertNextPoint(x, y, height))
    data.SetPoints(points)
    data.SetPolys(cells)


def paint(data: vtkPolyData, colors: Floats) -> None:
    """Give every point its colour, (n, 3) from 0 to 1."""
    scalars = octets(quantise(colors))
    scalars.SetName("color")
    data.GetPointData().SetScalars(scalars)
    # Without it VTK would go on drawing what it has uploaded.
    data.Modified()


def set_uv(data: vtkPolyData, uv: Floats) -> None:
    """Give every point its texture coordinates, (n, 2)."""
    coordinates = floats(uv)
    coordinates.SetName("uv")
    data.GetPointData().SetTCoords(coordinates)
    data.Modified()


def image_data(pixels: Pixels) -> vtkImageData:
    """Return an image for a texture; its top row becomes v = 1."""
    rows, columns, parts = pixels.shape
    image = vtkImageData()
    image.SetDimensions(columns, rows, 1)
    # VTK counts rows from the bottom, numpy and PNG from the top.
    scalars = octets(pixels[::-1].reshape(-1, parts))
    scalars.SetName("color")
    image.GetPointData().SetScalars(scalars)
    return image


def texture(image: vtkImageData, *, mipmap: bool) -> vtkTexture:
    """Return a texture of an image.

    Anisotropic filtering stays at 1 for ever: with mipmaps and multisampling more
    makes Mesa's llvmpipe hang.
    """
    made = vtkTexture()
    made.SetInputData(image)
    made.InterpolateOn()
    made.RepeatOff()
    # Or a face's edge would take colour from the opposite one.
    made.EdgeClampOn()
    made.SetMaximumAnisotropicFiltering(1.0)
    made.SetMipmap(mipmap)
    return made


def actor(
    data: vtkPolyData, skin: vtkTexture | None = None, *, closed: bool = False
) -> vtkActor:
    """Return an unlit actor that shows its points' colours times its texture.

    Of a closed body the faces turned away are not drawn, which halves its cost.

    Each actor has a mapper of its own: one that is shared by actors with and without
    a texture loses the texture at the second frame.
    """
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    # Or VTK would take the bytes for values to look up.
    mapper.SetColorModeToDirectScalars()
    made = vtkActor()
    made.SetMapper(mapper)
    # Light is in the colours already; VTK's would be added to it.
    made.GetProperty().LightingOff()
    made.GetProperty().SetBackfaceCulling(closed)
    if skin is not None:
        made.SetTexture(skin)
    return made


def grab(window: vtkRenderWindow) -> Pixels:
    """Return the pixels of the window's last frame, the bottom row first."""
    return grab_part(window, (0, 0), window.GetSize())


def grab_part(
    window: vtkRenderWindow, corner: tuple[int, int], size: tuple[int, int]
) -> Pixels:
    """Return part of the last frame, the bottom row first.

    Args:
        window: Whose frame.
        corner: Left and bottom px of the part.
        size: Its width and height in px.
    """
    (left, bottom), (width, height) = corner, size
    pixels = np.empty((height, width, 3), np.uint8)
    target = vtkUnsignedCharArray()
    target.SetNumberOfComponents(3)
    # Borrowed here: VTK writes straight into our array, which outlives the call.
    target.SetVoidArray(pixels, pixels.size, 1)
    right, top = left + width - 1, bottom + height - 1
    # 0 asks for the back buffer: an offscreen window shows none.
    window.GetPixelData(left, bottom, right, top, 0, target, 0)
    return pixels


def grab_depths(window: vtkRenderWindow) -> NDArray[np.float32]:
    """Return the z-buffer of the last frame, (rows, columns), the bottom row first."""
    width, height = window.GetSize()
    depths = np.empty((height, width), np.float32)
    target = vtkFloatArray()
    target.SetVoidArray(depths, depths.size, 1)
    window.GetZbufferData(0, 0, width - 1, height - 1, target)
    return depths


def _cells(triangles: NDArray[np.int64]) -> vtkCellArray:
    source = np.ascontiguousarray(triangles, np.int64)
    borrowed, owned = vtkIdTypeArray(), vtkIdTypeArray()
    borrowed.SetVoidArray(source, source.size, 1)
    owned.DeepCopy(borrowed)
    cells = vtkCellArray()
    cells.SetData(3, owned)
    return cells

"""The bridge to VTK: copies that own their memory, and nothing upside down."""

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from vtkmodules.vtkRenderingCore import vtkRenderer, vtkRenderWindow

from director_gui.render import backend, vtk_arrays
from director_gui.render.mesh import Mesh, grid_triangles, painted, unit_box


@pytest.fixture
def stage() -> Iterator[tuple[vtkRenderWindow, vtkRenderer]]:
    """A window of 40 x 20 px that looks straight at the square from 0 to 1."""
    window = backend.open_window(40, 20)
    renderer = vtkRenderer()
    window.AddRenderer(renderer)
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    camera.SetParallelScale(0.5)
    camera.SetPosition(1.0, 0.5, 5.0)
    camera.SetFocalPoint(1.0, 0.5, 0.0)
    camera.SetClippingRange(1.0, 9.0)
    yield window, renderer
    backend.close_window(window)


def square(width: float = 2.0) -> Mesh:
    corners = np.array([[0, 0, 0], [width, 0, 0], [0, 1, 0], [width, 1, 0]], float)
    return Mesh(
        points=corners,
        normals=np.tile([0.0, 0.0, 1.0], (4, 1)),
        colors=np.ones((4, 3)),
        triangles=grid_triangles(2, 2),
        uv=corners[:, :2] / [width, 1],
    )


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9)), min_size=1, max_size=9))
def test_floats_are_copied(rows: list[tuple[float, float]]) -> None:
    source = np.array(rows)
    copied = vtk_arrays.floats(source)
    expected = source.astype(np.float32)
    source[:] = 77
    assert copied.GetNumberOfTuples() == len(rows)
    for i in range(len(rows)):
        assert copied.GetTuple(i) == pytest.approx(tuple(expected[i]))


def test_octets_are_copied() -> None:
    source = np.arange(12, dtype=np.uint8).reshape(4, 3)
    copied = vtk_arrays.octets(source)
    source[:] = 0
    assert [copied.GetTuple3(i) for i in (0, 3)] == [(0, 1, 2), (9, 10, 11)]


@given(st.floats(-3, 3))
def test_quantise_rounds_and_stays_within_a_byte(value: float) -> None:
    (found,) = vtk_arrays.quantise(np.array([value]))
    assert abs(int(found) - min(max(value, 0), 1) * 255) <= 0.5 + 1e-6


def test_quantised_bytes_come_back() -> None:
    every = np.arange(256, dtype=np.uint8)
    np.testing.assert_array_equal(vtk_arrays.quantise(every / 255.0), every)


def test_mesh_keeps_its_points_and_triangles() -> None:
    unit = unit_box()
    data = vtk_arrays.poly_data(unit)
    assert data.GetNumberOfPoints() == len(unit.points)
    assert data.GetNumberOfPolys() == len(unit.triangles)
    assert data.GetPoint(7) == pytest.approx(tuple(unit.points[7]))
    assert data.GetPointData().GetTCoords().GetNumberOfTuples() == len(unit.points)
    cell = data.GetCell(11)
    assert [cell.GetPointId(i) for i in range(3)] == unit.triangles[11].tolist()


@pytest.mark.render
def test_first_row_of_an_image_is_at_the_top(
    stage: tuple[vtkRenderWindow, vtkRenderer],
) -> None:
    window, renderer = stage
    image = np.zeros((2, 2, 3), np.uint8)
    image[0, 0], image[0, 1] = (255, 0, 0), (0, 255, 0)
    image[1, 0], image[1, 1] = (0, 0, 255), (255, 255, 255)
    skin = vtk_arrays.texture(vtk_arrays.image_data(image), mipmap=False)
    renderer.AddActor(vtk_arrays.actor(vtk_arrays.poly_data(square()), skin))
    window.Render()
    shown = vtk_arrays.grab(window)[::-1]
    corners = shown[[1, 1, -2, -2], [1, -2, 1, -2]]
    np.testing.assert_array_equal(corners, image.reshape(4, 3))


@pytest.mark.render
def test_color_is_texture_times_point_color_and_no_light(
    stage: tuple[vtkRenderWindow, vtkRenderer],
) -> None:
    window, renderer = stage
    image = np.full((4, 4, 3), (200, 100, 50), np.uint8)
    skin = vtk_arrays.texture(vtk_arrays.image_data(image), mipmap=True)
    data = vtk_arrays.poly_data(painted(square(), np.array([0.5, 1.0, 0.0])))
    renderer.AddActor(vtk_arrays.actor(data, skin))
    window.Render()
    shown = vtk_arrays.grab(window)[10, 20].astype(int)
    np.testing.assert_allclose(shown, [100, 100, 0], atol=1)


@pytest.mark.render
def test_paint_and_uv_change_what_is_shown(
    stage: tuple[vtkRenderWindow, vtkRenderer],
) -> None:
    window, renderer = stage
    image = np.zeros((1, 2, 3), np.uint8)
    image[0, 1] = 255
    data = vtk_arrays.poly_data(square())
    skin = vtk_arrays.texture(vtk_arrays.image_data(image), mipmap=False)
    renderer.AddActor(vtk_arrays.actor(data, skin))
    window.Render()
    assert vtk_arrays.grab(window)[10, -2].tolist() == [255, 255, 255]
    vtk_arrays.paint(data, np.tile([1.0, 0.0, 0.0], (4, 1)))
    window.Render()
    assert vtk_arrays.grab(window)[10, -2].tolist() == [255, 0, 0]
    vtk_arrays.set_uv(data, np.zeros((4, 2)))
    window.Render()
    assert vtk_arrays.grab(window)[10, -2].tolist() == [0, 0, 0]


@pytest.mark.render
def test_closed_bodies_hide_their_faces_turned_away(
    stage: tuple[vtkRenderWindow, vtkRenderer],
) -> None:
    window, renderer = stage
    front = square()
    back = Mesh(front.points, -front.normals, front.colors, front.triangles[:, ::-1])
    for mesh, closed, seen in ((front, True, 1), (back, True, 0), (back, False, 1)):
        body = vtk_arrays.actor(vtk_arrays.poly_data(mesh), closed=closed)
        renderer.AddActor(body)
        window.Render()
        assert (vtk_arrays.grab(window)[10, 20].max() == 255) == bool(seen)
        renderer.RemoveActor(body)


@pytest.mark.render
def test_depths_are_those_of_the_camera_bottom_row_first(
    stage: tuple[vtkRenderWindow, vtkRenderer],
) -> None:
    window, renderer = stage
    low = square()
    low.points[2:, 1] = 0.5  # the lower half of the picture
    renderer.AddActor(vtk_arrays.actor(vtk_arrays.poly_data(low)))
    window.Render()
    depths = vtk_arrays.grab_depths(window)
    assert depths.shape == (20, 40)
    # In parallel projection depth is linear: 5 m between planes at 1 and 9 m.
    assert depths[2, 20] == pytest.approx(0.5, abs=1e-5)
    assert depths[-2, 20] == 1.0

"""Translucent bodies that say where something may be; never in a picture.

A ghost stands upright: an outline on the table, drawn up from one height to another.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot

from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from director_gui.render import vtk_arrays
from director_gui.scene.model import Point

Spot = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ghost:
    """A translucent upright body.

    Attributes:
        outline: Corners of a convex outline in m, counter-clockwise from above.
        low: Where it begins, in m above the table.
        high: Where it ends, in m above the table; as `low` for a film.
        color: Such as #8a3ab9.
        opacity: From 0 to 1.
    """

    outline: tuple[Spot, ...]
    low: float
    high: float
    color: str
    opacity: float

    @property
    def middle(self) -> Point:
        """The middle of its box, in m."""
        xs, ys = zip(*self.outline, strict=True)
        return (_mean(xs), _mean(ys), (self.low + self.high) / 2)


class GhostActors:
    """The ghosts of one renderer."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._renderer = renderer
        self._shown: tuple[Ghost, ...] = ()
        self._actors: list[vtkActor] = []

    def show(self, ghosts: Iterable[Ghost], eye: Point) -> None:
        """Show these ghosts as seen from `eye`, in m.

        The farthest is drawn first. The passes with which OpenGL would sort them cost
        more than the whole scene, and these bodies are few and simple.
        """
        wanted = tuple(sorted(ghosts, key=lambda ghost: -_away(ghost.middle, eye)))
        # Turning the view changes the order alone, and mostly not even that.
        if wanted == self._shown:
            return
        self.clear()
        self._shown = wanted
        self._actors = [_actor(ghost) for ghost in wanted]
        for actor in self._actors:
            # In this order: VTK draws actors as they were added.
            self._renderer.AddActor(actor)

    def clear(self) -> None:
        """Take every ghost out of the renderer."""
        for actor in self._actors:
            self._renderer.RemoveActor(actor)
        self._actors, self._shown = [], ()


def _actor(ghost: Ghost) -> vtkActor:
    # Only the faces towards the eye: a body has one tone and shows one outline.
    made = vtk_arrays.actor(_body(ghost), closed=True)
    look = made.GetProperty()
    red, green, blue = (int(ghost.color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    look.SetColor(red, green, blue)
    look.SetOpacity(ghost.opacity)
    return made


def _body(ghost: Ghost) -> vtkPolyData:
    points, cells = vtkPoints(), vtkCellArray()
    for height in (ghost.low, ghost.high):
        for x, y in ghost.outline:
            points.InsertNextPoint(x, y, height)
    for face in _faces(len(ghost.outline), flat=ghost.low == ghost.high):
        cells.InsertNextCell(len(face))
        for corner in face:
            cells.InsertCellPoint(corner)
    data = vtkPolyData()
    data.SetPoints(points)
    data.SetPolys(cells)
    return data


def _faces(corners: int, *, flat: bool) -> list[list[int]]:
    """Return faces as corners, counter-clockwise from outside; the bottom comes first.

    The lower corners have the numbers from 0, those above them follow.
    """
    top = [corners + i for i in range(corners)]
    if flat:
        # A film has one face; two at one height would fight for each pixel.
        return [top]
    following = [(i + 1) % corners for i in range(corners)]
    sides = [
        [i, after, corners + after, corners + i] for i, after in enumerate(following)
    ]
    return [list(range(corners))[::-1], *sides, top]


def _away(a: Point, b: Point) -> float:
    return hypot(*(p - q for p, q in zip(a, b, strict=True)))


def _mean(values: tuple[float, ...]) -> float:
    # Of the box and not of the corners, which may lie close together at one end.
    return (min(values) + max(values)) / 2

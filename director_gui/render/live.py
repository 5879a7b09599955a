"""Views that are drawn again and again while a scene is edited.

All views of one stage share a window, side by side: one OpenGL context, one set of
shaders, and one frame for all views that a change has made stale. Plain light while
something moves; baked light and shifted frames, whose mean has smooth edges, at rest.
While a block moves only the part of a view around it is drawn anew.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import atan, degrees, radians, tan

from vtkmodules.vtkCommonDataModel import vtkPolyData
from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.geometry.shadow import hidden_floor
from director_gui.render import backend, vtk_arrays
from director_gui.render.bake import Baked
from director_gui.render.build import SceneActors, aim
from director_gui.render.ghosts import Ghost, GhostActors
from director_gui.render.region import Region, changed, whole
from director_gui.scene.model import Scene, Viewpoint

Size = tuple[int, int]
_FILM = 0.28  # opacity of the film over the table
_LIFT = 0.0006  # m above the table: clear of it in the depth buffer, without a gap


@dataclass(frozen=True, slots=True)
class Wish:
    """What a view is to show.

    Attributes:
        scene: The scene.
        viewpoint: From where.
        size: Width and height in px.
        shade: The colour, such as #8a3ab9, in which the part of the table that the
            director cannot see is shaded; None leaves it out.
        ghosts: Translucent bodies around the scene's own.
    """

    scene: Scene
    viewpoint: Viewpoint
    size: Size
    shade: str | None = None
    ghosts: tuple[Ghost, ...] = ()


@dataclass(slots=True)
class _Slot:
    """One view's place in the window."""

    renderer: vtkRenderer
    actors: SceneActors
    wish: Callable[[], Wish]
    floor: "HiddenFloor"
    ghosts: GhostActors
    size: Size = (0, 0)
    left: int = 0  # px in the window
    stale: bool = True
    pixels: vtk_arrays.Pixels | None = None
    drawn: Wish | None = None  # what `pixels` show; None when they show no wish


class HiddenFloor:
    """The part of the table that the director cannot see, as a tinted film on it."""

    def __init__(self, renderer: vtkRenderer) -> None:
        self._data = vtkPolyData()
        self._actor = vtk_arrays.actor(self._data)
        look = self._actor.GetProperty()
        look.SetOpacity(_FILM)
        self._shown: object = None
        # One film needs no order: the passes that sort translucent things cost 8 ms.
        renderer.UseOITOff()
        renderer.AddActor(self._actor)

    def show(self, scene: Scene, shade: str | None) -> None:
        """Show what the director misses in `scene`; nothing when `shade` is None."""
        wanted = (scene.partitions, scene.director, scene.table, shade)
        if wanted == self._shown:
            return
        self._shown = wanted
        floors = [hidden_floor(scene, board) for board in scene.partitions]
        polygons = [floor for floor in floors if len(floor)] if shade else []
        self._actor.SetVisibility(bool(polygons))
        if shade and polygons:
            vtk_arrays.set_polygons(self._data, polygons, _LIFT)
            red, green, blue = (int(shade[i : i + 2], 16) / 255 for i in (1, 3, 5))
            self._actor.GetProperty().SetColor(red, green, blue)


class LiveStage:
    """Draws any number of named views; it belongs to the thread that made it."""

    def __init__(self) -> None:
        self._window = backend.open_window()
        self._slots: dict[str, _Slot] = {}

    def add(self, name: str, wish: Callable[[], Wish], *, figure: bool) -> None:
        """Add a view.

        Args:
            name: Its name in every other call.
            wish: Says what it is to show whenever it is drawn.
            figure: Whether the director's figure is drawn (never from its own eye).
        """
        renderer = vtkRenderer()
        self._window.AddRenderer(renderer)
        actors = SceneActors(renderer, figure=figure)
        floor, ghosts = HiddenFloor(renderer), GhostActors(renderer)
        self._slots[name] = _Slot(renderer, actors, wish, floor, ghosts)

    def mark(self, name: str) -> None:
        """Say that a view no longer shows what it should."""
        self._slots[name].stale = True

    def take(self, name: str) -> vtk_arrays.Pixels:
        """Return a view's pixels, shape (height, width, 3), top row first.

        Where it is stale, every stale view is drawn in the same frame.
        """
        slot = self._slots[name]
        if slot.stale or slot.pixels is None:
            self._draw([one for one in self._slots.values() if one.stale])
        found = slot.pixels
        if found is None:  # drawn above; a view is never without pixels
            raise RuntimeError(name)
        return found

    def shifted(self, name: str, shift: tuple[float, float]) -> vtk_arrays.Pixels:
        """Return one frame of a view, moved by parts of a pixel (`still.JITTER`)."""
        slot = self._slots[name]
        width, height = slot.wish().size
        slot.drawn = None
        self._draw([slot], (2 * shift[0] / width, 2 * shift[1] / height))
        slot.stale, slot.drawn = True, None  # what it keeps is not the view itself
        return slot.pixels if slot.pixels is not None else self._slice(slot)

    def relight(self, name: str, scene: Scene, baked: Baked) -> None:
        """Put baked light on a view; it stays until the scene changes."""
        slot = self._slots[name]
        slot.actors.sync(scene)
        slot.actors.light(baked)
        slot.stale, slot.drawn = True, None

    def close(self) -> None:
        """Free the window; nothing can be drawn after this."""
        for slot in self._slots.values():
            slot.actors.clear()
            slot.ghosts.clear()
        self._slots.clear()
        backend.close_window(self._window)

    def _draw(
        self, slots: list[_Slot], shift: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        wishes = [slot.wish() for slot in slots]
        parts = [_part(slot, wish) for slot, wish in zip(slots, wishes, strict=True)]
        for slot, wish in zip(slots, wishes, strict=True):
            slot.actors.sync(wish.scene)
            slot.floor.show(wish.scene, wish.shade)
            slot.ghosts.show(wish.ghosts, wish.viewpoint.eye)
            aim(slot.renderer, wish.viewpoint)
        if any(w.size != s.size for s, w in zip(slots, wishes, strict=True)):
            self._lay_out(slots, wishes)
        seen = [slot for slot, p in zip(slots, parts, strict=True) if not p.empty]
        for slot in self._slots.values():
            slot.renderer.SetDraw(slot in seen)
        for slot, part in zip(slots, parts, strict=True):
            self._look_at(slot, part, shift)
        if seen:
            self._window.Render()
        for slot, wish, part in zip(slots, wishes, parts, strict=True):
            self._keep(slot, part)
            slot.stale, slot.drawn = False, wish

    def _look_at(self, slot: _Slot, part: Region, shift: tuple[float, float]) -> None:
        """Let a view's camera see only a part of the view, in that part's place."""
        if part.empty:
            return
        width, height = self._window.GetSize()
        left, bottom = slot.left + part.left, part.bottom
        right, top = left + part.width, bottom + part.height
        slot.renderer.SetViewport(
            left / width, bottom / height, right / width, top / height
        )
        camera = slot.renderer.GetActiveCamera()
        half = tan(radians(camera.GetViewAngle()) / 2) * part.height / slot.size[1]
        camera.SetViewAngle(degrees(2 * atan(half)))
        aside = (2 * part.left + part.width - slot.size[0]) / part.width
        above = (2 * part.bottom + part.height - slot.size[1]) / part.height
        camera.SetWindowCenter(aside + shift[0], above + shift[1])

    def _keep(self, slot: _Slot, part: Region) -> None:
        if slot.pixels is None or part == whole(slot.size):
            slot.pixels = self._slice(slot)
        elif not part.empty:
            corner = (slot.left + part.left, part.bottom)
            size = (part.width, part.height)
            new = vtk_arrays.grab_part(self._window, corner, size)[::-1]
            # Whoever was given the old pixels may still show them.
            kept = slot.pixels.copy()
            top = slot.size[1] - part.bottom - part.height
            kept[top : top + part.height, part.left : part.left + part.width] = new
            slot.pixels = kept

    def _lay_out(self, slots: list[_Slot], wishes: list[Wish]) -> None:
        for slot, wish in zip(slots, wishes, strict=True):
            slot.size = wish.size
        width = sum(slot.size[0] for slot in self._slots.values())
        height = max(slot.size[1] for slot in self._slots.values())
        self._window.SetSize(width, height)
        left = 0
        for slot in self._slots.values():
            slot.left = left
            left += slot.size[0]

    def _slice(self, slot: _Slot) -> vtk_arrays.Pixels:
        return vtk_arrays.grab_part(self._window, (slot.left, 0), slot.size)[::-1]


def _part(slot: _Slot, wish: Wish) -> Region:
    """Return what of a view has to be drawn: all of it unless only bodies moved."""
    drawn = slot.drawn
    if drawn is None or replace(drawn, scene=wish.scene) != wish:
        return whole(wish.size)
    film = wish.shade is not None
    part = changed(drawn.scene, wish.scene, wish.viewpoint, wish.size, film=film)
    # Baked light goes at the first move, from everywhere at once.
    return whole(wish.size) if slot.actors.lit and not part.empty else part

"""What a drag does: from a handle and two rays to a new scene, without Qt.

A gesture always starts again from the scene in which it began, so that a step of the
pointer depends on where the pointer is, never on the steps before it.
"""

from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin

from director_gui.geometry.camera import on_plane, pick
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint
from director_gui.ui.scenes.handles import Handle

Ray = tuple[Point, Point]  # origin in m, direction


@dataclass(frozen=True, slots=True)
class Snap:
    """The grid that a drag keeps to; None where it does not."""

    grid: float | None = 0.01  # m
    angle: float | None = 5.0  # degrees
    table: bool = True  # blocks and partitions stay on the table


FREE = Snap(None, None, table=False)


@dataclass(frozen=True, slots=True)
class Gesture:
    """One drag: the scene and the ray with which it began, and what is held."""

    scene: Scene
    handle: Handle
    start: Ray
    held: Point  # where the first ray met what is held, m

    @property
    def text(self) -> str:
        """Return what the undo step is called."""
        verbs = {
            "body": "Move",
            "eye": "Move",
            "rotate": "Turn",
            "aim": "Aim",
            "lift": "Lift",
        }
        return f"{verbs.get(self.handle.name, 'Resize')} {self.handle.item}"

    def moved(self, ray: Ray, snap: Snap) -> Scene:
        """Return the scene when the pointer is on `ray`."""
        handle = self.handle
        if handle.item.kind in ("director", "camera"):
            return self._eye_moved(ray, snap)
        thing = edits.solid(self.scene, handle.item)
        if thing is None:
            return self.scene
        if handle.name == "body":
            return self._body_moved(thing, ray, snap)
        if handle.name == "rotate":
            return self._turned(thing, ray, snap)
        return self._resized(thing, ray, snap)

    def _body_moved(self, thing: Block | Partition, ray: Ray, snap: Snap) -> Scene:
        at = on_plane(*ray, self.held[2])
        if at is None:
            return self.scene
        x = edits.snapped(thing.x + at[0] - self.held[0], snap.grid)
        y = edits.snapped(thing.y + at[1] - self.held[1], snap.grid)
        moved = edits.move_to(self.scene, self.handle.item, x, y)
        return edits.keep_on_table(moved, self.handle.item) if snap.table else moved

    def _turned(self, thing: Block | Partition, ray: Ray, snap: Snap) -> Scene:
        at = on_plane(*ray, 0.0)
        if at is None:
            return self.scene
        turn = _bearing(thing, at) - _bearing(thing, self.handle.point)
        yaw = edits.snapped(thing.yaw + turn, snap.angle)
        return edits.turn_to(self.scene, self.handle.item, yaw)

    def _resized(self, thing: Block | Partition, ray: Ray, snap: Snap) -> Scene:
        item = self.handle.item
        if isinstance(thing, Block):
            at = on_plane(*ray, self.handle.point[2])
            size = 2 * max(abs(own) for own in _own(thing, at)) if at else thing.edge
            return edits.size_to(self.scene, item, edits.snapped(size, snap.grid))
        if self.handle.name == "width":
            at = on_plane(*ray, self.handle.point[2])
            size = 2 * abs(_own(thing, at)[0]) if at else thing.width
            return edits.size_to(
                self.scene, item, edits.snapped(size, snap.grid), "width"
            )
        height = thing.height + _risen(self.handle.point, self.start, ray)
        return edits.size_to(
            self.scene, item, edits.snapped(height, snap.grid), "height"
        )

    def _eye_moved(self, ray: Ray, snap: Snap) -> Scene:
        item, name = self.handle.item, self.handle.name
        view = self.scene.director if item.kind == "director" else self.scene.camera
        if name == "lift":
            x, y, z = view.eye
            z = edits.snapped(z + _risen(self.handle.point, self.start, ray), snap.grid)
            return edits.set_eye(self.scene, item, (x, y, z))
        at = on_plane(*ray, self.handle.point[2])
        if at is None:
            return self.scene
        to = (edits.snapped(at[0], snap.grid), edits.snapped(at[1], snap.grid), at[2])
        put = edits.set_aim if name == "aim" else edits.set_eye
        return put(self.scene, item, to)


def first_met(scene: Scene, ray: Ray) -> Point:
    """Return where a ray first meets a block or partition; its origin if nowhere."""
    met = pick(scene, *ray)
    t = 0.0 if met is None else met[2]
    (x, y, z), (dx, dy, dz) = ray
    return (x + t * dx, y + t * dy, z + t * dz)


def nudged(scene: Scene, item: Item, dx: float, dy: float) -> Scene:
    """Return the scene with an item moved by (dx, dy) m on the table's plane."""
    thing = edits.solid(scene, item)
    if thing is not None:
        return edits.move_to(scene, item, thing.x + dx, thing.y + dy)
    if item.kind in ("director", "camera"):
        view: Viewpoint = scene.director if item.kind == "director" else scene.camera
        x, y, z = view.eye
        return edits.set_eye(scene, item, (x + dx, y + dy, z))
    return scene


def turned_by(scene: Scene, item: Item, angle: float) -> Scene:
    """Return the scene with a block or partition turned by `angle` degrees."""
    thing = edits.solid(scene, item)
    return scene if thing is None else edits.turn_to(scene, item, thing.yaw + angle)


def grown_by(scene: Scene, item: Item, length: float) -> Scene:
    """Return the scene with a block's edge or a partition's width changed by m."""
    thing = edits.solid(scene, item)
    if isinstance(thing, Block):
        return edits.size_to(scene, item, thing.edge + length)
    if isinstance(thing, Partition):
        return edits.size_to(scene, item, thing.width + length, "width")
    return scene


def _bearing(thing: Block | Partition, at: Point) -> float:
    return degrees(atan2(at[1] - thing.y, at[0] - thing.x))


def _own(thing: Block | Partition, at: Point) -> tuple[float, float]:
    a = radians(thing.yaw)
    dx, dy = at[0] - thing.x, at[1] - thing.y
    return dx * cos(a) + dy * sin(a), dy * cos(a) - dx * sin(a)


def _risen(point: Point, start: Ray, ray: Ray) -> float:
    """Return how much higher `ray` passes the upright through `point` than `start`."""
    heights = (_height_at(point, start), _height_at(point, ray))
    return 0.0 if None in heights else (heights[1] or 0.0) - (heights[0] or 0.0)


def _height_at(point: Point, ray: Ray) -> float | None:
    # The upright plane through the point that faces the eye.
    (ox, oy, oz), (dx, dy, dz) = ray
    nx, ny = point[0] - ox, point[1] - oy
    along = dx * nx + dy * ny
    if along < 1e-9:
        return None
    return oz + dz * (nx * nx + ny * ny) / along

"""Handles of an item: where they are in space, and what a pointer may take hold of."""

from dataclasses import dataclass
from math import cos, hypot, radians, sin

from director_gui.scene.items import Item
from director_gui.scene.model import Block, Partition, Point, Scene, Viewpoint

GAP = 0.06  # m between an item and its rotating ring
LIFT = 0.14  # m from an eye to the handle that changes its height
REACH = 11.0  # px within which a pointer takes hold of a handle


@dataclass(frozen=True, slots=True)
class Handle:
    """A knob of one item at a place in space.

    `name` says what it changes: ``rotate``, ``size``, ``width``, ``height``, ``eye``,
    ``aim`` or ``lift``; ``body`` stands for the item itself.
    """

    item: Item
    name: str
    point: Point


def handles_of(
    scene: Scene, item: Item, eye: Point | None = None
) -> tuple[Handle, ...]:
    """Return the handles of a selected item as seen from `eye`, none for the table.

    Without `eye` they are those that the model's camera would see.
    """
    if item.kind == "block":
        return _of_block(item, scene.block(item.key), eye or scene.camera.eye)
    if item.kind == "partition":
        return _of_partition(item, scene.partitions[item.key])
    if item.kind in ("director", "camera"):
        view = scene.director if item.kind == "director" else scene.camera
        return _of_viewpoint(item, view)
    return ()


def eyes_of(scene: Scene) -> tuple[Handle, Handle]:
    """Return the two eyes, which can be taken hold of without being selected."""
    return (
        Handle(Item("director"), "eye", scene.director.eye),
        Handle(Item("camera"), "eye", scene.camera.eye),
    )


def ring_radius(item: Block | Partition) -> float:
    """Return the radius in m of an item's rotating ring on the table."""
    if isinstance(item, Block):
        return item.edge / 2**0.5 + GAP
    return hypot(item.width, item.thickness) / 2 + GAP


def _of_block(item: Item, block: Block, eye: Point) -> tuple[Handle, ...]:
    half = block.edge / 2
    ring = _around(block, 0.0, -ring_radius(block))
    ways = ((half, -half), (half, half), (-half, half), (-half, -half))
    corners = [_around(block, *way, block.edge) for way in ways]
    # The rightmost corner lies on the outline; the near one would cover a small
    # block's middle, where people take hold to move it.
    ahead = (block.x - eye[0], block.y - eye[1])
    corner = max(corners, key=lambda c: c[0] * ahead[1] - c[1] * ahead[0])
    return Handle(item, "rotate", ring), Handle(item, "size", corner)


def _of_partition(item: Item, board: Partition) -> tuple[Handle, ...]:
    ring = _around(board, 0.0, -ring_radius(board))
    end = _around(board, board.width / 2, 0.0, board.height / 2)
    top = _around(board, 0.0, 0.0, board.height)
    return (
        Handle(item, "rotate", ring),
        Handle(item, "width", end),
        Handle(item, "height", top),
    )


def _of_viewpoint(item: Item, view: Viewpoint) -> tuple[Handle, ...]:
    x, y, z = view.eye
    return (
        Handle(item, "eye", view.eye),
        Handle(item, "lift", (x, y, z + LIFT)),
        Handle(item, "aim", view.look_at),
    )


def _around(
    item: Block | Partition, right: float, ahead: float, z: float = 0.0
) -> Point:
    a = radians(item.yaw)
    x = item.x + right * cos(a) - ahead * sin(a)
    return (x, item.y + right * sin(a) + ahead * cos(a), z)

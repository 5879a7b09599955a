"""Edits of a scene: pure functions Scene -> Scene.

Every stored number is rounded to 0.1 mm and 0.01°, as METHOD §2 has it, and kept
within the bounds of the scene file, so that what is shown can always be saved.
"""

from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, radians, sin
from typing import Literal, TypeVar

from director_gui.errors import UserError
from director_gui.scene.items import Item
from director_gui.scene.model import (
    Block,
    Partition,
    Picture,
    Point,
    Request,
    Scene,
    Table,
    Viewpoint,
)

Thing = TypeVar("Thing")

FAR = 10.0  # m, every coordinate
SMALLEST, BIGGEST = 0.01, 2.0  # m, every edge, width, height and thickness
NARROWEST, WIDEST = 5.0, 120.0  # degrees, fields of view
MOST_BLOCKS, MOST_PARTITIONS = 12, 4
PALETTE = (
    "#c0504d", "#4f81bd", "#9bbb59", "#d99a2b", "#7e62a3", "#3b9c9c",
    "#b9729c", "#8a7a4f", "#5b7f3a", "#a65f2e", "#52708f", "#7d7d7d",
)  # fmt: skip
_GAP = 0.02  # m left between a new block and its neighbours


def has_item(scene: Scene, item: Item) -> bool:
    """Tell whether `item` still refers to something in `scene`."""
    if item.kind == "block":
        return item.key in scene.digits
    return item.kind != "partition" or item.key < len(scene.partitions)


def solid(scene: Scene, item: Item) -> Block | Partition | None:
    """Return the block or partition that `item` refers to, None for others."""
    if not has_item(scene, item):
        return None
    if item.kind == "block":
        return scene.block(item.key)
    return scene.partitions[item.key] if item.kind == "partition" else None


def snapped(value: float, step: float | None) -> float:
    """Return `value` on the nearest line of a grid of `step`; None leaves it."""
    return value if not step else round(value / step) * step


def move_to(scene: Scene, item: Item, x: float, y: float) -> Scene:
    """Return the scene with a block or partition centred at (x, y) in m."""
    at = {"x": _meters(x, FAR), "y": _meters(y, FAR)}
    return _put(scene, item, lambda b: replace(b, **at), lambda p: replace(p, **at))


def keep_on_table(scene: Scene, item: Item) -> Scene:
    """Return the scene with a block or partition pushed back onto the table."""
    thing = solid(scene, item)
    if thing is None:
        return scene
    right, ahead = _half_extent(thing)
    room_x = max(0.0, scene.table.width / 2 - right)
    room_y = max(0.0, scene.table.depth / 2 - ahead)
    return move_to(scene, item, _within(thing.x, room_x), _within(thing.y, room_y))


def turn_to(scene: Scene, item: Item, yaw: float) -> Scene:
    """Return the scene with a block or partition at `yaw` degrees, -180 to 180."""
    new = round((yaw + 180.0) % 360.0 - 180.0, 2) + 0.0
    return _put(
        scene, item, lambda b: replace(b, yaw=new), lambda p: replace(p, yaw=new)
    )


def size_to(
    scene: Scene,
    item: Item,
    size: float,
    what: Literal["edge", "width", "height", "thickness"] = "edge",
) -> Scene:
    """Return the scene with one size in m of a block or partition changed.

    A block has only an edge and a partition none; another `what` changes nothing.
    """
    new = round(min(BIGGEST, max(SMALLEST, size)), 4)
    if what == "edge":
        return _put(scene, item, lambda b: replace(b, edge=new), _same)
    if what == "width":
        return _put(scene, item, _same, lambda p: replace(p, width=new))
    if what == "height":
        return _put(scene, item, _same, lambda p: replace(p, height=new))
    return _put(scene, item, _same, lambda p: replace(p, thickness=new))


def paint(scene: Scene, item: Item, color: str) -> Scene:
    """Return the scene with a block in the colour ``#rrggbb``."""
    return _put(scene, item, lambda b: replace(b, color=color.lower()), _same)


def rename(scene: Scene, item: Item, digit: int) -> Scene:
    """Return the scene with a block carrying another digit.

    Raises:
        UserError: Another block carries it, or it is not from 0 to 99.
    """
    if not 0 <= digit <= 99:
        raise UserError("a digit must be from 0 to 99", where=str(item))
    if digit != item.key and digit in scene.digits:
        raise UserError(
            f"another block carries {digit}",
            where=str(item),
            todo="Choose a digit that is free",
        )
    return _put(scene, item, lambda b: replace(b, digit=digit), _same)


def add_block(scene: Scene) -> tuple[Scene, Item]:
    """Return the scene with one block more, on a free spot, and its reference.

    Raises:
        UserError: There are as many blocks as a scene may hold.
    """
    _refuse_more(len(scene.blocks), MOST_BLOCKS, "blocks")
    digit = _free_digit(scene)
    edge = round(min((b.edge for b in scene.blocks), default=0.15) / 1.2, 4)
    edge = max(0.06, edge)
    x, y = free_spot(scene, edge)
    color = PALETTE[len(scene.blocks) % len(PALETTE)]
    block = Block(digit, edge, x, y, 0.0, color)
    return replace(scene, blocks=(*scene.blocks, block)), Item("block", digit)


def add_partition(scene: Scene) -> tuple[Scene, Item]:
    """Return the scene with one partition more, and its reference.

    Raises:
        UserError: There are as many partitions as a scene may hold.
    """
    _refuse_more(len(scene.partitions), MOST_PARTITIONS, "partitions")
    x, y = free_spot(scene, 0.4)
    board = Partition(x, y, 0.0, 0.4, 0.3, 0.02)
    item = Item("partition", len(scene.partitions))
    return replace(scene, partitions=(*scene.partitions, board)), item


def duplicate(scene: Scene, item: Item) -> tuple[Scene, Item]:
    """Return the scene with a copy of a block or partition, and its reference.

    Raises:
        UserError: `item` is neither, or there is no room for one more.
    """
    thing = solid(scene, item)
    if isinstance(thing, Block):
        _refuse_more(len(scene.blocks), MOST_BLOCKS, "blocks")
        x, y = free_spot(scene, thing.edge)
        copy = replace(thing, digit=_free_digit(scene), x=x, y=y)
        made = replace(scene, blocks=(*scene.blocks, copy))
        return made, Item("block", copy.digit)
    if isinstance(thing, Partition):
        _refuse_more(len(scene.partitions), MOST_PARTITIONS, "partitions")
        x, y = free_spot(scene, thing.width)
        boards = (*scene.partitions, replace(thing, x=x, y=y))
        return replace(scene, partitions=boards), Item("partition", len(boards) - 1)
    raise UserError("only blocks and partitions can be duplicated", where=str(item))


def delete(scene: Scene, item: Item) -> Scene:
    """Return the scene without a block or partition.

    Raises:
        UserError: It is the last block, or nothing that can be deleted.
    """
    if item.kind == "block" and has_item(scene, item):
        if len(scene.blocks) == 1:
            raise UserError("a scene needs at least one block", where=str(item))
        left = tuple(b for b in scene.blocks if b.digit != item.key)
        return replace(scene, blocks=left)
    if item.kind == "partition" and has_item(scene, item):
        boards = scene.partitions[: item.key] + scene.partitions[item.key + 1 :]
        return replace(scene, partitions=boards)
    raise UserError("only blocks and partitions can be deleted", where=str(item))


def set_eye(scene: Scene, item: Item, eye: Point) -> Scene:
    """Return the scene with the director's or the camera's eye at `eye` in m."""
    return _look(scene, item, lambda v: replace(v, eye=_point(eye)))


def set_aim(scene: Scene, item: Item, aim: Point) -> Scene:
    """Return the scene with the director or the camera looking at `aim` in m."""
    return _look(scene, item, lambda v: replace(v, look_at=_point(aim)))


def set_fov(scene: Scene, item: Item, fov: float) -> Scene:
    """Return the scene with a vertical field of view in degrees."""
    new = round(min(WIDEST, max(NARROWEST, fov)), 2)
    return _look(scene, item, lambda v: replace(v, fov=new))


def set_table(scene: Scene, width: float, depth: float) -> Scene:
    """Return the scene with a table of `width` by `depth` m."""
    sizes = (round(min(FAR, max(0.01, size)), 4) for size in (width, depth))
    return replace(scene, table=Table(*sizes))


def set_picture(scene: Scene, width: int, height: int) -> Scene:
    """Return the scene with a picture of `width` by `height` px, 64 to 8192."""
    sizes = (min(8192, max(64, size)) for size in (width, height))
    return replace(scene, picture=Picture(*sizes))


def set_request(scene: Scene, extreme: Literal["largest", "smallest"]) -> Scene:
    """Return the scene in which the director asks for another extreme."""
    return replace(scene, request=Request(extreme=extreme))


def set_name(scene: Scene, name: str) -> Scene:
    """Return the scene under another name of at most 200 plain characters."""
    plain = "".join(c for c in name if c >= " " and not "\ud800" <= c <= "\udfff")
    return replace(scene, name=plain[:200])


def free_spot(scene: Scene, size: float) -> tuple[float, float]:
    """Return a place on the table for something `size` m across, near its middle.

    Where nothing is free the middle is returned; the overlap shows as a problem.
    """
    taken = [(b.x, b.y, b.edge * 0.71) for b in scene.blocks]
    taken += [(p.x, p.y, p.width / 2) for p in scene.partitions]
    room_x = max(0.0, scene.table.width / 2 - size)
    room_y = max(0.0, scene.table.depth / 2 - size)
    steps = [
        (i / 8 * room_x, j / 8 * room_y) for i in range(-8, 9) for j in range(-8, 9)
    ]
    for x, y in sorted(steps, key=lambda at: (hypot(*at), at)):
        reach = size * 0.71 + _GAP
        if all(hypot(x - a, y - b) > reach + r for a, b, r in taken):
            return round(x, 2), round(y, 2)
    return 0.0, 0.0


def _put(
    scene: Scene,
    item: Item,
    block: Callable[[Block], Block],
    partition: Callable[[Partition], Partition],
) -> Scene:
    if item.kind == "block":
        blocks = (block(b) if b.digit == item.key else b for b in scene.blocks)
        return replace(scene, blocks=tuple(blocks))
    if item.kind == "partition":
        numbered = enumerate(scene.partitions)
        boards = (partition(p) if i == item.key else p for i, p in numbered)
        return replace(scene, partitions=tuple(boards))
    return scene


def _same(thing: Thing) -> Thing:
    return thing


def _look(scene: Scene, item: Item, change: Callable[[Viewpoint], Viewpoint]) -> Scene:
    old = scene.director if item.kind == "director" else scene.camera
    new = change(old)
    if _too_steep(new):
        return scene
    if item.kind == "director":
        return replace(scene, director=new)
    return replace(scene, camera=new)


def _too_steep(view: Viewpoint) -> bool:
    # A look straight down has no "up"; the file format refuses it.
    (x, y, _), (a, b, _) = view.eye, view.look_at
    return max(abs(x - a), abs(y - b)) < 1e-3


def _half_extent(thing: Block | Partition) -> tuple[float, float]:
    c, s = abs(cos(radians(thing.yaw))), abs(sin(radians(thing.yaw)))
    if isinstance(thing, Block):
        width = depth = thing.edge
    else:
        width, depth = thing.width, thing.thickness
    return (width * c + depth * s) / 2, (width * s + depth * c) / 2


def _free_digit(scene: Scene) -> int:
    order = [*range(1, 10), 0, *range(10, 100)]
    return next(digit for digit in order if digit not in scene.digits)


def _refuse_more(count: int, most: int, what: str) -> None:
    if count >= most:
        raise UserError(f"a scene holds at most {most} {what}")


def _point(point: Point) -> Point:
    x, y, z = (_meters(value, FAR) for value in point)
    return (x, y, z)


def _meters(value: float, limit: float) -> float:
    return round(_within(value, limit), 4) + 0.0


def _within(value: float, limit: float) -> float:
    return min(limit, max(-limit, value))

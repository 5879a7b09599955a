"""Edits of a scene: pure functions Scene -> Scene.

Every stored number is rounded to 0.1 mm and 0.01°, as METHOD §2 has it, and kept
within the bounds of the scene file, so that what is shown can always be saved.
"""

from collections.abc import Callable
from dataclasses import replace
from math import cos, hypot, isfinite, radians, sin
from typing import Literal, TypeVar

from director_gui.errors import UserError
from director_gui.scene import bounds, reading
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

FAR = bounds.COORDINATE.high
SMALLEST, BIGGEST = bounds.SIZE
NARROWEST, WIDEST = bounds.FOV
MOST_BLOCKS, MOST_PARTITIONS = bounds.BLOCKS[1], bounds.PARTITIONS[1]
PALETTE = (
    "#c0504d", "#4f81bd", "#9bbb59", "#d99a2b", "#7e62a3", "#3b9c9c",
    "#b9729c", "#8a7a4f", "#5b7f3a", "#a65f2e", "#52708f", "#7d7d7d",
)  # fmt: skip
_GAP = 0.02  # m left between a new block and its neighbours


def has_item(scene: Scene, item: Item) -> bool:
    """Tell whether `item` still refers to something in `scene`."""
    if item.kind == "block":
        return item.key in scene.digits
    return item.kind != "partition" or 0 <= item.key < len(scene.partitions)


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
    to_x, to_y = _meters(x), _meters(y)
    return _put(
        scene,
        item,
        lambda b: replace(b, x=to_x, y=to_y),
        lambda p: replace(p, x=to_x, y=to_y),
    )


def keep_on_table(scene: Scene, item: Item) -> Scene:
    """Return the scene with a block or partition pushed back onto the table."""
    thing = solid(scene, item)
    if thing is None:
        return scene
    across, ahead = _room(scene, _half_extent(thing))
    return move_to(scene, item, across.clamp(thing.x), ahead.clamp(thing.y))


def turn_to(scene: Scene, item: Item, yaw: float) -> Scene:
    """Return the scene with a block or partition at `yaw` degrees, -180 to 180."""
    new = _degrees((_finite(yaw) + 180.0) % 360.0 - 180.0, bounds.YAW)
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
    new = _meters(size, bounds.SIZE)
    if what == "edge":
        return _put(scene, item, lambda b: replace(b, edge=new), _same)
    if what == "width":
        return _put(scene, item, _same, lambda p: replace(p, width=new))
    if what == "height":
        return _put(scene, item, _same, lambda p: replace(p, height=new))
    return _put(scene, item, _same, lambda p: replace(p, thickness=new))


def paint(scene: Scene, item: Item, color: str) -> Scene:
    """Return the scene with a block in another colour.

    Raises:
        UserError: The colour is not written ``#rrggbb``.
    """
    new = reading.color({"color": color}, str(item), "color")
    return _put(scene, item, lambda b: replace(b, color=new), _same)


def rename(scene: Scene, item: Item, digit: int) -> Scene:
    """Return the scene with a block carrying another digit.

    Raises:
        UserError: Another block carries it, or it is not from 0 to 99.
    """
    if not bounds.DIGITS[0] <= digit <= bounds.DIGITS[1]:
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
    x, y = free_spot(scene, edge, edge)
    color = PALETTE[len(scene.blocks) % len(PALETTE)]
    block = Block(digit, edge, x, y, 0.0, color)
    return replace(scene, blocks=(*scene.blocks, block)), Item("block", digit)


def add_partition(scene: Scene) -> tuple[Scene, Item]:
    """Return the scene with one partition more, and its reference.

    Raises:
        UserError: There are as many partitions as a scene may hold.
    """
    _refuse_more(len(scene.partitions), MOST_PARTITIONS, "partitions")
    x, y = free_spot(scene, 0.4, 0.02)
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
        x, y = free_spot(scene, *_extent(thing))
        copy = replace(thing, digit=_free_digit(scene), x=x, y=y)
        made = replace(scene, blocks=(*scene.blocks, copy))
        return made, Item("block", copy.digit)
    if isinstance(thing, Partition):
        _refuse_more(len(scene.partitions), MOST_PARTITIONS, "partitions")
        x, y = free_spot(scene, *_extent(thing))
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
    """Return the scene with the director's or the camera's eye at `eye` in m.

    An eye straight above or below what it looks at has no "up": the scene stays.
    """
    return _look(scene, item, lambda v: replace(v, eye=_point(eye)))


def set_aim(scene: Scene, item: Item, aim: Point) -> Scene:
    """Return the scene with the director or the camera looking at `aim` in m.

    An aim straight above or below the eye has no "up": the scene stays.
    """
    return _look(scene, item, lambda v: replace(v, look_at=_point(aim)))


def set_fov(scene: Scene, item: Item, fov: float) -> Scene:
    """Return the scene with a vertical field of view in degrees."""
    new = _degrees(fov, bounds.FOV)
    return _look(scene, item, lambda v: replace(v, fov=new))


def set_table(scene: Scene, width: float, depth: float) -> Scene:
    """Return the scene with a table of `width` by `depth` m."""
    sizes = (_meters(size, bounds.TABLE) for size in (width, depth))
    return replace(scene, table=Table(*sizes))


def set_picture(scene: Scene, width: int, height: int) -> Scene:
    """Return the scene with a picture of `width` by `height` px, 64 to 8192."""
    low, high = bounds.PIXELS
    sizes = (min(high, max(low, size)) for size in (width, height))
    return replace(scene, picture=Picture(*sizes))


def set_request(scene: Scene, extreme: Literal["largest", "smallest"]) -> Scene:
    """Return the scene in which the director asks for another extreme."""
    return replace(scene, request=Request(extreme=extreme))


def set_name(scene: Scene, name: str) -> Scene:
    """Return the scene under another name of at most 200 plain characters."""
    plain = "".join(c for c in name if c >= " " and not "\ud800" <= c <= "\udfff")
    return replace(scene, name=plain[:200])


def free_spot(scene: Scene, width: float, depth: float) -> tuple[float, float]:
    """Return a place on the table, near its middle, for a rectangle in m.

    Where nothing is free the middle is returned; the overlap shows as a problem.
    """
    half = (width / 2, depth / 2)
    solids: tuple[Block | Partition, ...] = (*scene.blocks, *scene.partitions)
    taken = [(thing.x, thing.y, *_half_extent(thing)) for thing in solids]
    room = _room(scene, half)
    steps = [part / 12 for part in range(-12, 13)]
    spots = [
        (round(a * room[0].high, 2) + 0.0, round(b * room[1].high, 2) + 0.0)
        for a in steps
        for b in steps
    ]
    for x, y in sorted(spots, key=lambda at: (hypot(*at), at)):
        if all(
            abs(x - a) > half[0] + w + _GAP or abs(y - b) > half[1] + d + _GAP
            for a, b, w, d in taken
        ):
            return x, y
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


def _extent(thing: Block | Partition) -> tuple[float, float]:
    """Return width and depth in m of the rectangle around a thing on the table."""
    c, s = abs(cos(radians(thing.yaw))), abs(sin(radians(thing.yaw)))
    if isinstance(thing, Block):
        width = depth = thing.edge
    else:
        width, depth = thing.width, thing.thickness
    return width * c + depth * s, width * s + depth * c


def _half_extent(thing: Block | Partition) -> tuple[float, float]:
    width, depth = _extent(thing)
    return width / 2, depth / 2


def _room(scene: Scene, half: tuple[float, float]) -> tuple[bounds.Range, bounds.Range]:
    """Return where on the table a thing's centre may be, along x and y."""
    across = max(0.0, scene.table.width / 2 - half[0])
    ahead = max(0.0, scene.table.depth / 2 - half[1])
    return bounds.Range(-across, across), bounds.Range(-ahead, ahead)


def _free_digit(scene: Scene) -> int:
    free = [digit for digit in range(100) if digit not in scene.digits]
    return free[1] if free[0] == 0 else free[0]  # 0 comes last, it reads like a letter


def _refuse_more(count: int, most: int, what: str) -> None:
    if count >= most:
        raise UserError(f"a scene holds at most {most} {what}")


def _point(point: Point) -> Point:
    x, y, z = (_meters(value) for value in point)
    return (x, y, z)


def _meters(value: float, allowed: bounds.Range = bounds.COORDINATE) -> float:
    # Adding 0.0 turns a negative zero, which files would show, into zero.
    return round(allowed.clamp(_finite(value)), bounds.LENGTH_DECIMALS) + 0.0


def _degrees(value: float, allowed: bounds.Range) -> float:
    return round(allowed.clamp(_finite(value)), bounds.ANGLE_DECIMALS) + 0.0


def _finite(value: float) -> float:
    if not isfinite(value):
        raise UserError("a number must be finite")
    return value

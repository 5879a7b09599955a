"""The change between two scenes in plain words, for probes held side by side."""

from collections.abc import Iterator, Sequence
from math import dist

from director_gui.scene.model import Block, Partition, Picture, Scene, Viewpoint

SAME = "The two scenes are the same."


def difference_lines(before: Scene, after: Scene) -> tuple[str, ...]:
    """Return what was done to `before` to get `after`, a line a change.

    Blocks are matched by digit; a block that only changed its digit is told as such.
    Lengths are in cm, angles in degrees. For equal scenes there is one line, `SAME`.
    """
    lines = (
        *_name(before, after),
        *_blocks(before.blocks, after.blocks),
        *_partitions(before.partitions, after.partitions),
        *_viewpoint("the director", "eye", before.director, after.director),
        *_viewpoint("the camera", "camera", before.camera, after.camera),
        *_rest(before, after),
    )
    return lines or (SAME,)


def _name(before: Scene, after: Scene) -> Iterator[str]:
    if before.name != after.name:
        yield f"renamed the scene from “{before.name}” to “{after.name}”"


def _blocks(before: Sequence[Block], after: Sequence[Block]) -> Iterator[str]:
    old = [block for block in before if block not in after]
    new = [block for block in after if block not in before]
    if not old and not new and before != after:
        yield "put the blocks in another order"
    for block in list(old):
        # A changed digit is one change; "removed 5, added 7" would hide that.
        twin = next((b for b in new if _body(b) == _body(block)), None)
        if twin is not None:
            yield f"renumbered block {block.digit} to {twin.digit}"
            old.remove(block)
            new.remove(twin)
    now = {block.digit: block for block in new}
    for block in old:
        if block.digit in now:
            yield from _block(block, now.pop(block.digit))
        else:
            yield f"removed block {block.digit}"
    for block in now.values():
        yield f"added block {block.digit} ({_cm(block.edge)})"


def _body(block: Block) -> tuple[object, ...]:
    return (block.edge, block.x, block.y, block.yaw, block.color)


def _block(before: Block, after: Block) -> Iterator[str]:
    name = f"block {before.digit}"
    yield from _pose(name, before, after)
    if before.edge != after.edge:
        yield f"resized {name} from {_cm(before.edge)} to {_cm(after.edge)}"
    if before.color != after.color:
        yield f"recoloured {name}"


def _pose(
    name: str, before: Block | Partition, after: Block | Partition
) -> Iterator[str]:
    moved = dist((before.x, before.y), (after.x, after.y))
    if moved:
        yield f"moved {name} by {_cm(moved)}{_way(before, after)}"
    if before.yaw != after.yaw:
        # The shorter way round: a turn is between -180° and 180°.
        turn = (after.yaw - before.yaw + 180) % 360 - 180
        yield f"turned {name} by {abs(turn):.1f}°"


def _way(before: Block | Partition, after: Block | Partition) -> str:
    """Return the main direction as the model sees it: x to its right, y away."""
    dx, dy = after.x - before.x, after.y - before.y
    if abs(dx) >= abs(dy):
        return " to the right" if dx > 0 else " to the left"
    return " away from the model" if dy > 0 else " towards the model"


def _partitions(
    before: Sequence[Partition], after: Sequence[Partition]
) -> Iterator[str]:
    # "The partition" is clear as long as there is only one.
    many = max(len(before), len(after)) > 1
    old, new = list(enumerate(before)), list(enumerate(after))
    for entry in list(old):
        twin = next((other for other in new if other[1] == entry[1]), None)
        if twin is not None:
            old.remove(entry)
            new.remove(twin)
    if not old and not new and before != after:
        yield "put the partitions in another order"
    # Partitions have no name, so the order says which became which.
    for (i, item), (_, other) in zip(old, new, strict=False):
        yield from _partition(_partition_name(i, many=many), item, other)
    for i, _ in old[len(new) :]:
        yield f"removed {_partition_name(i, many=many)}"
    for i, _ in new[len(old) :]:
        yield f"added {_partition_name(i, many=many)}"


def _partition_name(at: int, *, many: bool) -> str:
    return f"partition {at + 1}" if many else "the partition"


def _partition(name: str, before: Partition, after: Partition) -> Iterator[str]:
    yield from _pose(name, before, after)
    for side in ("width", "height", "thickness"):
        old, new = getattr(before, side), getattr(after, side)
        if old != new:
            yield f"changed the {side} of {name} from {_cm(old)} to {_cm(new)}"


def _viewpoint(
    name: str, what: str, before: Viewpoint, after: Viewpoint
) -> Iterator[str]:
    thing = f"{name}’s eye" if what == "eye" else name
    if before.eye != after.eye:
        yield f"moved {thing} by {_cm(dist(before.eye, after.eye))}"
    if before.look_at != after.look_at:
        by = _cm(dist(before.look_at, after.look_at))
        yield f"moved what {name} looks at by {by}"
    if before.fov != after.fov:
        fields = f"from {before.fov:.1f}° to {after.fov:.1f}°"
        yield f"changed the field of view of {name} {fields}"


def _rest(before: Scene, after: Scene) -> Iterator[str]:
    if before.table != after.table:
        old, new = (
            f"{100 * t.width:.1f} × {100 * t.depth:.1f} cm"
            for t in (before.table, after.table)
        )
        yield f"changed the table from {old} to {new}"
    if before.picture != after.picture:
        yield f"changed the picture {_sizes(before.picture, after.picture)}"
    if before.request != after.request:
        old, new = (s.request.extreme for s in (before, after))
        yield f"asked for the {new} block instead of the {old}"


def _sizes(before: Picture, after: Picture) -> str:
    old, new = (f"{p.width} × {p.height} px" for p in (before, after))
    return f"from {old} to {new}"


def _cm(metres: float) -> str:
    # Stored numbers have 0.1 mm; a smaller change than shown is still a change.
    text = f"{100 * metres:.1f} cm"
    return "under 0.1 cm" if text == "0.0 cm" and metres else text

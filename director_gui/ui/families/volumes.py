"""How far a family's things may reach, as upright bodies around one of its scenes.

A partition that goes with the hidden block, and the sizes of blocks, are shown where
the scene has that block: around every place where it may be they would fill the table.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import atan2, cos, radians, sin

from director_gui.families.example import Example
from director_gui.families.model import (
    EyeRule,
    Family,
    HiderRule,
    Span,
    SpanPoint,
    StanderRule,
)
from director_gui.scene.bounds import SIZE
from director_gui.scene.model import Block, Viewpoint
from director_gui.ui.families.extents import Role, Spot, box, own_regions

FILM = 0.0012  # m above the table: clear of it, and of the film under it
_FILM_STEP = 0.0006  # m between two films that lie over another
_STEPS = 5  # turns of a board that its outline is made of
_LEAST = 0.004  # m; what may not move by more is fixed and has no ghost


@dataclass(frozen=True, slots=True)
class Volume:
    """An upright body.

    Attributes:
        role: What it is the extent of.
        outline: Corners in m, counter-clockwise from above.
        low: Where it begins, in m above the table.
        high: Where it ends; as `low` for a film on the table.
    """

    role: Role
    outline: tuple[Spot, ...]
    low: float
    high: float


def volumes_of(family: Family, example: Example) -> list[Volume]:
    """Return the extents of all that is not fixed."""
    found = list(_places(family))
    found += _sizes(family, example)
    for rule in family.partitions:
        if isinstance(rule, HiderRule):
            found.append(_hider(rule, example.block, example.scene.director))
        else:
            found.append(_stander(rule))
    found += _eyes("director", family.director)
    found += _eyes("camera", family.camera)
    return found


def edge_span(family: Family, rank: int) -> Span:
    """Return the edges in m that a block may have; `rank` is 0 for the largest."""
    largest, ratio = family.blocks.largest, family.blocks.ratio
    low, high = largest.low / ratio.high**rank, largest.high / ratio.low**rank
    return Span(SIZE.clamp(low), SIZE.clamp(high))


def hull(spots: Iterable[Spot]) -> tuple[Spot, ...]:
    """Return the corners of the convex hull, counter-clockwise (monotone chain)."""
    order = sorted(set(spots))
    if len(order) < 3:
        return tuple(order)
    halves = (_half(order), _half(order[::-1]))
    return tuple(spot for half in halves for spot in half[:-1])


def _half(order: Sequence[Spot]) -> list[Spot]:
    chain: list[Spot] = []
    for spot in order:
        while len(chain) > 1 and _bend(chain[-2], chain[-1], spot) <= 0:
            chain.pop()
        chain.append(spot)
    return chain


def _bend(a: Spot, b: Spot, c: Spot) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _places(family: Family) -> Iterator[Volume]:
    """Yield films on the table: where the centres of blocks may be."""
    films = [r for r in own_regions(family) if r.role in ("blocks", "hidden")]
    for at, film in enumerate(films):
        if _moves(film.x) or _moves(film.y):
            height = FILM + at * _FILM_STEP
            yield Volume(film.role, _rectangle(film.x, film.y), height, height)


def _sizes(family: Family, example: Example) -> Iterator[Volume]:
    """Yield each block of the scene at its greatest size."""
    order = sorted(example.scene.blocks, key=lambda block: -block.edge)
    for rank, block in enumerate(order):
        most = edge_span(family, rank).high
        if most - block.edge > _LEAST:
            role: Role = "hidden" if block.digit == example.hidden else "blocks"
            corners = box((block.x, block.y), (most, most), radians(block.yaw))
            yield Volume(role, hull(corners), 0.0, most)


def _hider(rule: HiderRule, block: Block, director: Viewpoint) -> Volume:
    away = atan2(director.eye[1] - block.y, director.eye[0] - block.x)
    turn = away - radians(block.yaw)
    reach = block.edge / 2 * (abs(cos(turn)) + abs(sin(turn)))
    size = (SIZE.clamp(block.edge * rule.width.high), rule.thickness.high)
    spots: list[Spot] = []
    for gap, side, yaw in product(rule.gap, rule.side, _steps(rule.turn)):
        far = reach + gap + rule.thickness.high / 2
        middle = (
            block.x + far * cos(away) - side * sin(away),
            block.y + far * sin(away) + side * cos(away),
        )
        spots += box(middle, size, away + radians(90 + yaw))
    high = SIZE.clamp(block.edge * rule.height.high)
    return Volume("partition", hull(spots), 0.0, high)


def _stander(rule: StanderRule) -> Volume:
    size = (rule.width.high, rule.thickness.high)
    spots: list[Spot] = []
    for x, y, yaw in product(rule.x, rule.y, _steps(rule.yaw)):
        spots += box((x, y), size, radians(yaw))
    return Volume("partition", hull(spots), 0.0, rule.height.high)


def _eyes(role: Role, rule: EyeRule) -> Iterator[Volume]:
    """Yield where an eye may be, and what it may look at."""
    for spans in (rule.eye, rule.look_at):
        if any(map(_moves, spans)):
            yield _room(role, spans)


def _room(role: Role, spans: SpanPoint) -> Volume:
    # What is fixed in one direction is given a little body, so that it can be seen.
    x, y, z = (s if _moves(s) else Span(s.low - _LEAST, s.high + _LEAST) for s in spans)
    return Volume(role, _rectangle(x, y), z.low, z.high)


def _rectangle(x: Span, y: Span) -> tuple[Spot, ...]:
    return ((x.low, y.low), (x.high, y.low), (x.high, y.high), (x.low, y.high))


def _moves(span: Span) -> bool:
    return span.high - span.low > _LEAST


def _steps(span: Span) -> list[float]:
    step = (span.high - span.low) / (_STEPS - 1)
    return [span.low + i * step for i in range(_STEPS)] if step else [span.low]

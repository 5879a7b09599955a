"""A family as TOML: written anew, or one value of a file changed.

A change keeps every comment and the order of the file, so that the form and the text
of a family are two views of one thing.
"""

import re
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Item

from director_gui.errors import UserError
from director_gui.families.model import (
    EyeRule,
    Family,
    HiderRule,
    PartitionRule,
    Span,
    SpanPoint,
)
from director_gui.families.reading import FORMAT, Find, parsed, read_family
from director_gui.scene.reading import refuse

Value = Any  # what TOML holds: a number, a text, a list or a table
_STEP = re.compile(r"(?:^|\.)([A-Za-z0-9_-]+)|\[(\d{1,4})\]")


def value_of(family: Family) -> dict[str, Value]:
    """Return the tables of a family's file."""
    # Its geometry belongs to the other file; a copy would drift from it.
    if family.rearranges:
        return {
            "format": FORMAT,
            "name": family.name,
            "about": family.about,
            "rearranges": family.rearranges,
        }
    blocks, hidden, demands = family.blocks, family.hidden, family.demands
    # What is not said must stay unsaid, or the file would say more than before.
    places = {"x": hidden.x, "y": hidden.y, "yaw": hidden.yaw}
    return {
        "format": FORMAT,
        "name": family.name,
        "about": family.about,
        "count": family.count,
        "seed": family.seed,
        "request": {
            "dimension": family.request.dimension,
            "extreme": family.request.extreme,
        },
        "picture": {"width": family.picture.width, "height": family.picture.height},
        "table": {"width": family.table.width, "depth": family.table.depth},
        "blocks": {
            "counts": {str(count): share for count, share in blocks.counts},
            "largest": _span(blocks.largest),
            "ratio": _span(blocks.ratio),
            "x": _span(blocks.x),
            "y": _span(blocks.y),
            "yaw": _span(blocks.yaw),
            "gap": blocks.gap,
            "digit_rule": blocks.digit_rule,
            "digits": list(blocks.digits),
            "colors": list(blocks.colors),
        },
        "hidden": {
            "ranks": dict(hidden.ranks),
            **{name: _span(span) for name, span in places.items() if span},
        },
        "partitions": [_partition(rule) for rule in family.partitions],
        "director": _eye(family.director),
        "camera": _eye(family.camera),
        "demands": {name: getattr(demands, name) for name in demands.__slots__},
    }


def text_of(family: Family) -> str:
    """Return a family's file, without comments; `read_family` gives it back."""
    return tomlkit.dumps(value_of(family))


def changed(text: str, path: str, value: Value, find: Find | None = None) -> str:
    """Return a family file with one value changed and all else as it was.

    Args:
        text: The file.
        path: Of a value that is there, such as ``blocks.ratio`` or
            ``partitions[0].gap``.
        value: Its new value.
        find: As for `reading.read_family`.

    Raises:
        UserError: There is no such value, or the file with the new value is refused.
    """
    # Its refusals are worded for people; half a pair of surrogates is one of them.
    parsed(text.encode(errors="surrogatepass"))
    try:
        document = tomlkit.parse(text)
    except TOMLKitError as error:
        raise UserError(f"not TOML: {error}") from error
    *steps, last = _steps(path)
    place = cast("dict[str | int, Item]", document)
    for step in steps:
        place = cast("dict[str | int, Item]", _inside(place, step, path))
    _inside(place, last, path)
    place[last] = tomlkit.item(value)
    # Read again as a whole: one value can make another one wrong.
    new = tomlkit.dumps(document)
    read_family(new.encode(), find)
    return new


def _steps(path: str) -> list[str | int]:
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            raise refuse(path, "this is no path of a value")
        steps.append(match[1] if match[1] is not None else int(match[2]))
        at = match.end()
    if not steps:
        raise refuse(path, "this is no path of a value")
    return steps


def _inside(place: dict[str | int, Item], step: str | int, path: str) -> Item:
    try:
        return place[step]
    except (KeyError, IndexError, TypeError, TOMLKitError):
        raise refuse(path, "there is no such value") from None


def _span(span: Span) -> float | list[float]:
    return span.low if span.low == span.high else [span.low, span.high]


def _point(spans: SpanPoint) -> list[float | list[float]]:
    return [_span(span) for span in spans]


def _eye(rule: EyeRule) -> dict[str, Value]:
    return {
        "eye": _point(rule.eye),
        "look_at": _point(rule.look_at),
        "fov": _span(rule.fov),
    }


def _partition(rule: PartitionRule) -> dict[str, Value]:
    at = "hidden" if isinstance(rule, HiderRule) else "table"
    return {"at": at} | {name: _span(getattr(rule, name)) for name in rule.__slots__}

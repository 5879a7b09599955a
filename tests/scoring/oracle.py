"""A slow, plain second reading of METHOD's rules 4 to 6, on the standard decoder."""

import json
from typing import Any, NoReturn

from director_gui.ids import Json


class Pairs(list[tuple[str, Any]]):
    """An object's members in order, repeats kept."""


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)


DECODER = json.JSONDecoder(object_pairs_hook=Pairs, parse_constant=_refuse)


def decoded(text: str) -> list[Pairs]:
    """Try the decoder at every brace; go on behind what it could read."""
    found, at = [], 0
    while (at := text.find("{", at)) >= 0:
        try:
            value, at = DECODER.raw_decode(text, at)
        except ValueError:
            at += 1
        else:
            found.append(value)
    return found


def number(value: Json) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str):
        bare = value.strip(" \t\r\n")
        digits = bare[1:] if bare[:1] in ("+", "-") else bare
        ascii_digits = digits != "" and all(c in "0123456789" for c in digits)
        return int(bare) if ascii_digits else None
    return value if isinstance(value, int) else None


def typed(key: str, value: Json) -> Json:
    if key not in ("visible", "known"):
        return number(value)
    if isinstance(value, Pairs) or not isinstance(value, list):
        return None
    numbers = [number(item) for item in value]
    return None if None in numbers else frozenset(numbers)


def matching(value: Json, keys: tuple[str, ...]) -> list[Pairs]:
    """Return the matching objects in a value: outermost ones, in order."""
    if isinstance(value, Pairs):
        last = dict(value)
        if all(typed(key, last.get(key)) is not None for key in keys):
            return [value]
        return [m for _, item in value for m in matching(item, keys)]
    if isinstance(value, list):
        return [m for item in value for m in matching(item, keys)]
    return []


def last_answer(
    text: str, keys: tuple[str, ...]
) -> tuple[Any, bool, bool, bool] | None:
    """Return (values, conflicting, repeated, unasked report) of the last."""
    found = [m for value in decoded(text) for m in matching(value, keys)]
    if not found:
        return None
    values = [{key: typed(key, dict(m)[key]) for key in keys} for m in found]
    names = [name for name, _ in found[-1]]
    return (
        values[-1],
        any(value != values[-1] for value in values),
        len(names) != len(set(names)),
        "visible" in names and "visible" not in keys,
    )

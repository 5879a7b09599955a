"""Typed, bounded reading of JSON objects; every refusal names the value's path."""

import math
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from director_gui.errors import UserError

T = TypeVar("T")
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")


def refuse(path: str, what: str) -> UserError:
    """Return the error for a value at `path`, such as ``blocks[2].edge``."""
    return UserError(what, where=path or "the file")


def fields(value: Any, path: str, names: Collection[str]) -> dict[str, Any]:  # noqa: ANN401 - raw JSON
    """Return `value` when it is an object with exactly the keys `names`.

    Raises:
        UserError: It is no object, or a key is unknown or missing.
    """
    if not isinstance(value, dict):
        raise refuse(path, f"expected an object, found {kind(value)}")
    for key in value:
        if key not in names:
            raise refuse(_join(path, plain(key)), "this key is unknown")
    for name in names:
        if name not in value:
            raise refuse(_join(path, name), "this key is missing")
    return value


def number(obj: dict[str, Any], path: str, key: str, low: float, high: float) -> float:
    """Return a finite number between `low` and `high`, both included."""
    value, where = obj[key], _join(path, key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise refuse(where, f"expected a number, found {kind(value)}")
    # Compared before float(): an integer of 400 digits has no float.
    if not low <= value <= high or not math.isfinite(value):
        raise refuse(where, f"must be from {low:g} to {high:g}, found {short(value)}")
    return float(value)


def integer(obj: dict[str, Any], path: str, key: str, low: int, high: int) -> int:
    """Return a whole number between `low` and `high`, both included."""
    value, where = obj[key], _join(path, key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise refuse(where, f"expected a whole number, found {kind(value)}")
    if not low <= value <= high:
        raise refuse(where, f"must be from {low} to {high}, found {short(value)}")
    return value


def text(obj: dict[str, Any], path: str, key: str, limit: int = 200) -> str:
    """Return a text of at most `limit` characters that UTF-8 can carry."""
    value, where = obj[key], _join(path, key)
    if not isinstance(value, str):
        raise refuse(where, f"expected a text, found {kind(value)}")
    if len(value) > limit:
        raise refuse(where, f"is longer than {limit} characters")
    if any("\ud800" <= c <= "\udfff" or c < " " for c in value):
        raise refuse(where, "holds a character that is not plain text")
    return value


def choice(obj: dict[str, Any], path: str, key: str, options: Collection[str]) -> str:
    """Return a text that is one of `options`."""
    value = text(obj, path, key)
    if value not in options:
        listed = ", ".join(options)
        raise refuse(_join(path, key), f"must be one of {listed}; found {short(value)}")
    return value


def color(obj: dict[str, Any], path: str, key: str) -> str:
    """Return a colour such as ``#c0504d``, in lower case."""
    value = text(obj, path, key)
    if not _COLOR.fullmatch(value):
        raise refuse(_join(path, key), "must be a colour such as #c0504d")
    return value.lower()


def point(obj: dict[str, Any], path: str, key: str, limit: float) -> tuple[float, ...]:
    """Return three numbers between -`limit` and `limit`."""
    value, where = obj[key], _join(path, key)
    if not isinstance(value, list) or len(value) != 3:
        raise refuse(where, "expected a list of three numbers")
    named = {f"[{i}]": item for i, item in enumerate(value)}
    return tuple(number(named, where, name, -limit, limit) for name in named)


def items(
    obj: dict[str, Any],
    path: str,
    key: str,
    counts: tuple[int, int],
    read: Callable[[Any, str], T],
) -> tuple[T, ...]:
    """Return a list of `counts` (least, most) items, each read by `read`."""
    value, where = obj[key], _join(path, key)
    if not isinstance(value, list):
        raise refuse(where, f"expected a list, found {kind(value)}")
    if not counts[0] <= len(value) <= counts[1]:
        raise refuse(where, f"must hold {counts[0]} to {counts[1]}, found {len(value)}")
    return tuple(read(item, f"{where}[{i}]") for i, item in enumerate(value))


def kind(value: object) -> str:
    """Return the name of a JSON value's type, in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "null" if value is None else names.get(type(value), "a number")


def short(value: object) -> str:
    """Return a value as text of at most 40 characters."""
    shown = repr(value) if abs_ok(value) else "a number of very many digits"
    return shown if len(shown) <= 40 else shown[:37] + "…"


def plain(key: str) -> str:
    """Return a key of the file so that it can be shown and encoded anywhere."""
    return key if key.isprintable() and len(key) <= 40 else short(key)


def abs_ok(value: object) -> bool:
    """Tell whether Python will write `value` out (huge integers are refused)."""
    return not isinstance(value, int) or value.bit_length() < 4096


def _join(path: str, key: str) -> str:
    glue = "" if not path or key.startswith("[") else "."
    return f"{path}{glue}{key}"

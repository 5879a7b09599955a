"""Reading JSON that strangers wrote: bounded, typed, every refusal with its place."""

import json
import re
from collections.abc import Collection
from pathlib import Path

from coding.errors import CodingError

# Strings are matched whole, so that brackets inside them do not count; an unclosed
# string runs to the end, which keeps the scan linear on hostile input.
_TOKENS = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_HEX = re.compile(r"[0-9a-f]+")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


def read_file(path: Path, limit: int) -> bytes:
    """Return the bytes of a file of at most `limit` bytes.

    Raises:
        CodingError: The file cannot be read or is larger; it is named.
    """
    try:
        with path.open("rb") as file:
            # One byte more than allowed tells, without asking for the size first.
            data = file.read(limit + 1)
    except OSError as error:
        raise CodingError(
            f"the file cannot be read ({error.strerror})", where=str(path)
        ) from error
    if len(data) > limit:
        raise CodingError(f"is larger than {limit} bytes", where=str(path))
    return data


def load_json(data: bytes, where: str, *, max_depth: int = 8) -> object:
    """Return the JSON value in `data`.

    Raises:
        CodingError: Not UTF-8, not strict JSON, nested deeper than `max_depth`, or an
            object repeats a key.
    """
    # Depth is counted first: a parser may exhaust the stack before it complains.
    if depth_of(data) > max_depth:
        raise CodingError(f"is nested deeper than {max_depth} levels", where=where)
    try:
        return json.loads(
            data.decode(), object_pairs_hook=_unique, parse_constant=_no_constant
        )
    except UnicodeDecodeError as error:
        raise CodingError(
            f"is not UTF-8 text at byte {error.start}", where=where
        ) from error
    except json.JSONDecodeError as error:
        raise CodingError(f"is not JSON: {error.msg}", where=where) from error
    except ValueError as error:  # ours from the hooks, or a number of too many digits
        raise CodingError("is not JSON that can be read", where=where) from error


def depth_of(data: bytes) -> int:
    """Return how deep the brackets in JSON bytes are nested; time is linear."""
    depth = deepest = 0
    for token in _TOKENS.finditer(data):
        first = data[token.start()]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def fields(
    value: object, where: str, needed: Collection[str], optional: Collection[str] = ()
) -> dict[str, object]:
    """Return `value` when it is an object with the `needed` and `optional` keys."""
    if not isinstance(value, dict):
        raise CodingError("must be an object", where=where)
    for key in value:
        if key not in needed and key not in optional:
            raise CodingError("this key is unknown", where=f"{where}.{key[:40]}")
    for key in needed:
        if key not in value:
            raise CodingError("this key is missing", where=f"{where}.{key}")
    return value


def text(
    obj: dict[str, object], key: str, where: str, limit: int, *, plain: bool = True
) -> str:
    """Return the text at `key`, of at most `limit` characters ('' when missing).

    Args:
        obj: The object.
        key: The key in it.
        where: The path of the object.
        limit: The greatest length in characters.
        plain: Refuse control characters and lone surrogates.
    """
    value = obj.get(key, "")
    if not isinstance(value, str):
        raise CodingError("must be a text", where=f"{where}.{key}")
    if len(value) > limit:
        raise CodingError(f"is longer than {limit} characters", where=f"{where}.{key}")
    if plain and not is_plain(value):
        raise CodingError(
            "holds a character that is not plain text", where=f"{where}.{key}"
        )
    return value


def is_plain(value: str) -> bool:
    """Tell whether a text is free of controls (newline and tab pass) and surrogates."""
    return not any(
        (c < " " and c not in "\n\t")
        or "\x7f" <= c < "\xa0"
        or "\ud800" <= c <= "\udfff"
        for c in value
    )


def hexadecimal(obj: dict[str, object], key: str, where: str, digits: int) -> str:
    """Return a text of exactly `digits` lower-case hexadecimal digits."""
    value = obj.get(key)
    if not isinstance(value, str) or len(value) != digits or not _HEX.fullmatch(value):
        raise CodingError(
            f"must be {digits} hexadecimal digits", where=f"{where}.{key}"
        )
    return value


def name(obj: dict[str, object], key: str, where: str, limit: int = 32) -> str:
    """Return a name of ASCII letters, digits, hyphens and underscores."""
    value = text(obj, key, where, limit)
    if not _NAME.fullmatch(value):
        raise CodingError(
            "must be a name of letters, digits, - and _", where=f"{where}.{key}"
        )
    return value


def whole(obj: dict[str, object], key: str, where: str, low: int, high: int) -> int:
    """Return a whole number between `low` and `high`, both included."""
    value = obj.get(key)
    # True is 1 to Python, but not to a file format.
    if isinstance(value, bool) or not isinstance(value, int):
        raise CodingError("must be a whole number", where=f"{where}.{key}")
    if not low <= value <= high:
        raise CodingError(f"must be from {low} to {high}", where=f"{where}.{key}")
    return value


def items(value: object, where: str, limit: int) -> list[object]:
    """Return `value` when it is a list of at most `limit` values."""
    if not isinstance(value, list):
        raise CodingError("must be a list", where=where)
    if len(value) > limit:
        raise CodingError(f"holds more than {limit} values", where=where)
    return value


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    # Readers differ in which of two they believe; a hash cannot tell.
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _no_constant(constant: str) -> object:
    raise ValueError(constant)

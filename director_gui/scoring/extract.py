"""The last matching JSON object of a reply, and what is odd about it."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from director_gui.scoring.clean import without_fences
from director_gui.scoring.scan import JsonObject, Raw, scan

NUMBER_KEYS = ("count", "choice")
LIST_KEYS = ("visible", "known")

Value = int | frozenset[int]

_INTEGER = re.compile(r"-?[0-9]+")
_DIGITS = re.compile(r"[ \t\r\n]*+([+-]?[0-9]++)[ \t\r\n]*+")  # ASCII alone


@dataclass(frozen=True, slots=True)
class Answer:
    """The matching object that counts.

    Args:
        values: What each asked key holds: a number, or a set of numbers.
        conflicting: Whether another matching object says something else.
        repeated: Whether a key occurs twice in the object.
        unasked_report: Whether it holds a `visible` that was not asked for.
    """

    values: Mapping[str, Value]
    conflicting: bool
    repeated: bool
    unasked_report: bool


def last_answer(text: str, keys: Sequence[str]) -> Answer | None:
    """Return the last matching object in a reply's text, None when none matches.

    An object matches when it has every key of `keys` with a value of the right type.
    Objects nested in a matching one are part of its answer, not answers.

    Args:
        text: What the reply says after its reasoning; code fences may stand in it.
        keys: The JSON keys that were asked for, at least one.
    """
    last: JsonObject | None = None
    answers: list[dict[str, Value]] = []
    for found in scan(without_fences(text)):
        if last is not None and found.start < last.end:
            continue
        # The first that matches is the outermost: objects come by their start.
        values = _values(found, keys)
        if values is not None:
            last = found
            answers.append(values)
    if last is None:
        return None
    return Answer(
        values=answers[-1],
        conflicting=any(values != answers[-1] for values in answers),
        repeated=last.repeated,
        unasked_report="visible" in last.members and "visible" not in keys,
    )


def _values(found: JsonObject, keys: Sequence[str]) -> dict[str, Value] | None:
    values: dict[str, Value] = {}
    for key in keys:
        raw = found.members.get(key)
        value = _numbers(raw) if key in LIST_KEYS else _number(raw)
        if value is None:
            return None
        values[key] = value
    return values


def _numbers(raw: Raw) -> frozenset[int] | None:
    if not isinstance(raw, list):
        return None
    numbers = [_number(item) for item in raw]
    known = frozenset(number for number in numbers if number is not None)
    return None if None in numbers else known


def _number(raw: Raw) -> int | None:
    """Read an integer, an integer-valued float, or a string of ASCII digits."""
    if not isinstance(raw, str):
        return None
    if raw.startswith('"'):
        digits = _DIGITS.fullmatch(json.loads(raw))
        return _integer(digits[1]) if digits else None
    if raw in ("true", "false", "null"):
        return None
    if _INTEGER.fullmatch(raw):
        return _integer(raw)
    value = float(raw)  # 1e400 becomes infinite, which is no integer
    return int(value) if value.is_integer() else None


def _integer(digits: str) -> int | None:
    try:
        return int(digits)
    except ValueError:
        # More digits than Python converts (4,300): it cannot be printed either, and
        # no block is meant by it.
        return None

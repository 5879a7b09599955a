"""Values of other programs as the text that a label is compared by."""

import json
import math
from collections.abc import Mapping
from typing import Any

_DEEPEST = 4  # levels of a nested value that become columns of their own


def flat(value: Mapping[str, Any], before: str = "", depth: int = 1) -> dict[str, str]:
    """Return nested values under dotted names, each as text."""
    found: dict[str, str] = {}
    for key, item in value.items():
        name = f"{before}{key}"
        if isinstance(item, dict) and depth < _DEEPEST:
            found |= flat(item, f"{name}.", depth + 1)
        else:
            found[name] = text_of(item)
    return found


def text_of(value: object) -> str:
    """Return a value as text; null and NaN are empty, a string stays as it is."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def _number(value: float) -> str:
    if math.isnan(value):
        return ""  # how many programs write a gap among numbers
    # A workbook holds 1 as 1.0, and so does a column of integers with a gap.
    return str(int(value)) if value.is_integer() else str(value)

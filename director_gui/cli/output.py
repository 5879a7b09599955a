"""What commands print: one JSON document, or a few plain lines."""

import json
import sys
from collections.abc import Iterable
from typing import Any


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print one JSON document on stdout; NaN is a bug and raises ValueError."""
    json.dump(value, sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people on stdout."""
    for line in lines:
        sys.stdout.write(line + "\n")


def note(text: str) -> None:
    """Print progress or a remark on stderr, where scripts do not read it."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()

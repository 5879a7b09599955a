"""What commands print: one JSON document, or a few plain lines."""

import json
import os
import sys
from collections.abc import Iterable
from typing import Any

from director_gui.errors import UserError


def print_json(value: Any) -> None:  # noqa: ANN401 - any JSON value
    """Print one JSON document on stdout; NaN is a bug and raises ValueError."""
    # ASCII alone: no encoding of stdout can change it.
    write(json.dumps(value, allow_nan=False) + "\n")


def print_lines(lines: Iterable[str]) -> None:
    """Print lines for people on stdout."""
    for line in lines:
        write(line + "\n")


def write(text: str) -> None:
    """Write `text` on stdout and send it off.

    Raises:
        UserError: There is no stdout, or it takes no more.
        BrokenPipeError: Its reader went away.
    """
    if sys.stdout is None:
        raise UserError("there is no standard output to print on")
    try:
        sys.stdout.write(text)
        # At once, or a full disk would show only when Python exits.
        sys.stdout.flush()
    # Not an error to tell of: `dispatch` ends quietly.
    except BrokenPipeError:
        raise
    except OSError as error:
        mute()
        raise UserError(f"the output cannot be written ({error.strerror})") from error


def mute() -> None:
    """Send what is still to be printed nowhere, or Python would try it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def note(text: str) -> None:
    """Print progress or a remark on stderr, where scripts do not read it."""
    if sys.stderr is not None:  # closed by who started us
        sys.stderr.write(text + "\n")
        sys.stderr.flush()

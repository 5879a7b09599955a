"""Replies as JSON Lines, from this program or from any other: read and scored."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from director_gui.errors import UserError
from director_gui.prompts.library import library
from director_gui.scoring.extract import LIST_KEYS, NUMBER_KEYS
from director_gui.scoring.score import score_reply

Line = dict[str, Any]  # one JSON object of the file


def score_lines(path: Path) -> Iterator[dict[str, object]]:
    """Yield the score of each line of a file, with the reply's id first.

    Lines end at LF; blank lines are skipped, and so is a byte order mark. Keys that
    are not known are ignored.

    Raises:
        UserError: The file cannot be read, or a line is refused; `where` names the
            file and the line's number.
    """
    try:
        with path.open("rb") as file:
            # Bytes end lines at LF alone; text would also end them at U+2028.
            for number, data in enumerate(file, 1):
                text = data.removeprefix(b"\xef\xbb\xbf") if number == 1 else data
                if text.strip():
                    yield _scored(text, f"{path}, line {number}")
    except OSError as error:
        raise UserError(
            f"the file cannot be read ({error.strerror})", where=str(path)
        ) from error


def _scored(data: bytes, where: str) -> dict[str, object]:
    try:
        return score_line(_load(data))
    except UserError as error:
        what = f"{error.where}: {error.what}" if error.where else error.what
        raise UserError(what, where=where, todo=error.todo) from error


def score_line(line: Line) -> dict[str, object]:
    """Return the JSON value of one reply's score.

    Raises:
        UserError: A value is missing or of the wrong type; `where` is its key.
    """
    turn1_text = _text(line, "turn1_text", needed=False)
    turn1_keys, keys = _asked(line, two_turns=turn1_text is not None)
    score = score_reply(
        _text(line, "text"),
        keys=keys,
        finish_reason=_text(line, "finish_reason", needed=False),
        digits=_digits(line, "digits"),
        hidden=_hidden(line),
        sees=_digits(line, "sees"),
        turn1_text=turn1_text,
        turn1_keys=turn1_keys,
    )
    return {"id": _id(line), **score.value()}


def _load(data: bytes) -> Line:
    try:
        value = json.loads(data.decode(), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise UserError(f"not UTF-8 text at byte {error.start}") from error
    except RecursionError as error:
        raise UserError("nested too deeply") from error
    except json.JSONDecodeError as error:
        raise UserError(f"not JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise UserError("a number is too long") from error
    if not isinstance(value, dict):
        raise UserError("expected an object")
    return value


def _refuse_constant(name: str) -> Any:  # noqa: ANN401 - never returns
    raise UserError(f"{name} is not a number that JSON knows")


def _asked(line: Line, *, two_turns: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys that turn 1 asks for (none when there is one turn), and the last.

    With keys of its own, a line of two turns asks for the choice in the second and for
    the rest in the first; a line that names the choice alone means the usual report.
    """
    if line.get("keys") is None:
        condition = library().condition(_name(line))
        turns = condition.keys
        return (turns[0], turns[1]) if condition.turns == 2 else ((), turns[0])
    keys = _keys(line)
    if not two_turns or "choice" not in keys:
        return (), keys
    return tuple(key for key in keys if key != "choice") or ("visible",), ("choice",)


def _name(line: Line) -> str:
    if line.get("condition") is None:
        raise UserError("neither “condition” nor “keys” is given")
    return _text(line, "condition") or ""


def _keys(line: Line) -> tuple[str, ...]:
    keys = line["keys"]
    known = (*LIST_KEYS, *NUMBER_KEYS)
    if not isinstance(keys, list) or not keys or any(key not in known for key in keys):
        named = ", ".join(known)
        raise UserError(f"expected a list of some of {named}", where="keys")
    return tuple(dict.fromkeys(keys))


def _text(line: Line, key: str, *, needed: bool = True) -> str | None:
    if needed and key not in line:
        raise UserError("is missing", where=key)
    value = line.get(key)
    if value is not None and not isinstance(value, str):
        raise UserError("expected a text or null", where=key)
    return value


def _digits(line: Line, key: str) -> tuple[int, ...]:
    value = line.get(key)
    # The exact type, because true is an int to Python.
    if not isinstance(value, list) or not all(type(item) is int for item in value):
        raise UserError("expected a list of whole numbers", where=key)
    return tuple(value)


def _hidden(line: Line) -> int | None:
    if "hidden" not in line:
        raise UserError("is missing", where="hidden")
    value = line["hidden"]
    if value is not None and type(value) is not int:
        raise UserError("expected a whole number or null", where="hidden")
    return value


def _id(line: Line) -> str | int | None:
    value = line.get("id")
    if value is not None and type(value) not in (str, int):
        raise UserError("expected a text or a whole number", where="id")
    return value

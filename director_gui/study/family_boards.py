"""Partitions put into a family's text and taken out of it, all else left as it is.

A family file has its partitions as tables of their own, so a change is whole lines.
Files that write them otherwise are changed through tomlkit. Either way the tables that
come out are compared with those that were wanted.
"""

import re
from collections.abc import Callable, Sequence
from typing import Any, Literal

import tomlkit
from tomlkit.exceptions import TOMLKitError

from director_gui.errors import UserError
from director_gui.families.reading import parsed
from director_gui.scene.bounds import PARTITIONS

Place = Literal["hidden", "table"]
MOST = int(PARTITIONS[1])
NONE = "partitions = []"
# The ranges of the built-in families: a beginning that a person changes.
TEXTS: dict[Place, str] = {
    "hidden": """\
[[partitions]]
at = "hidden"  # between the hidden block and the director
gap = [0.03, 0.07]  # free room between the two
side = [-0.02, 0.02]  # shifted to the director’s left or right
turn = [-12, 12]  # against facing the director squarely
width = [1.5, 2.1]  # in edges of the hidden block
height = [1.25, 1.6]  # in edges of the hidden block
thickness = 0.02
""",
    "table": """\
[[partitions]]
at = "table"  # with a place of its own
x = [-0.5, 0.5]
y = [0.1, 0.4]
yaw = [-30, 30]
width = [0.2, 0.34]  # in metres, as it belongs to no block
height = [0.1, 0.2]
thickness = 0.02
""",
}
_HEADER = re.compile(r"""\s*\[{1,2}\s*["'A-Za-z_][^\[\]]*\]{1,2}\s*(#.*)?$""")
_BOARD = re.compile(r"\s*\[\[\s*partitions\s*\]\]\s*(#.*)?$")
_NONE = re.compile(r"partitions\s*=\s*\[\s*\]\s*(#.*)?$")
_Tables = dict[str, Any]


def with_partition(text: str, place: Place) -> str:
    """Return the text with one more partition, the last of them.

    Raises:
        UserError: It is no TOML, or has as many partitions as a scene may have.
    """
    tables = parsed(text.encode())
    boards = _boards(tables)
    if len(boards) >= MOST:
        raise UserError(
            f"a scene has at most {MOST} partitions",
            where="partitions",
            todo="Remove one first",
        )
    (board,) = parsed(TEXTS[place].encode())["partitions"]
    return _checked(
        {**tables, "partitions": [*boards, board]},
        lambda: _lines_added(text.split("\n"), TEXTS[place]),
        lambda: _items_changed(text, lambda items: items.append(_inline(board))),
    )


def without_partition(text: str, index: int) -> str:
    """Return the text without partition `index`, from 0, and the comments on it.

    Raises:
        UserError: It is no TOML, or has no such partition.
    """
    tables = parsed(text.encode())
    boards = _boards(tables)
    if not 0 <= index < len(boards):
        raise UserError(
            "the family has no such partition", where=f"partitions[{index}]"
        )
    return _checked(
        {**tables, "partitions": boards[:index] + boards[index + 1 :]},
        lambda: _lines_removed(text.split("\n"), index),
        lambda: _items_changed(text, lambda items: items.pop(index)),
    )


def _boards(tables: _Tables) -> list[Any]:
    found = tables.get("partitions", [])
    return found if isinstance(found, list) else []


def _checked(wanted: _Tables, *ways: Callable[[], str]) -> str:
    """Return the first text that says what is wanted."""
    for way in ways:
        try:
            text = way()
            if parsed(text.encode()) == wanted:
                return text
        except (UserError, TOMLKitError, TypeError, AttributeError, LookupError):
            continue  # the file is written in another way
    raise UserError(
        "the partitions of this text cannot be changed here",
        where="partitions",
        todo="Change them in the text",
    )


# Whole lines -------------------------------------------------------------------------


def _lines_added(lines: list[str], added: str) -> str:
    new = added.rstrip("\n").split("\n")
    starts = _starts(lines)
    if starts:
        end = _end(lines, starts[-1])
        return "\n".join([*lines[:end], "", *new, *lines[end:]])
    kept = [line for line in lines if not _NONE.match(line)]
    at = _table(kept, "director")
    return "\n".join([*kept[:at], *new, "", *kept[at:]])


def _lines_removed(lines: list[str], index: int) -> str:
    starts = _starts(lines)
    start, end = starts[index], _end(lines, starts[index])
    while start and lines[start - 1].lstrip().startswith("#"):
        start -= 1  # what stands on it, without a blank, is about it
    while end < len(lines) and not lines[end].strip():
        end += 1
    left = [*lines[:start], *lines[end:]]
    if len(starts) == 1:
        at = _table(left, None)
        left = [*left[:at], NONE, "", *left[at:]]
    return "\n".join(left)


def _starts(lines: Sequence[str]) -> list[int]:
    return [i for i, line in enumerate(lines) if _BOARD.match(line)]


def _end(lines: Sequence[str], start: int) -> int:
    """Return the line after a table's last value."""
    following = range(start + 1, len(lines))
    end = next((i for i in following if _HEADER.match(lines[i])), len(lines))
    while end > start + 1 and _empty(lines[end - 1]):
        end -= 1
    return end


def _table(lines: Sequence[str], name: str | None) -> int:
    """Return the line where a table begins, its comments included; None for any."""
    headers = [i for i, line in enumerate(lines) if _HEADER.match(line)]
    if name is not None:
        headers = [i for i in headers if lines[i].strip().startswith(f"[{name}]")]
    at = headers[0]
    while at and lines[at - 1].lstrip().startswith("#"):
        at -= 1
    return at


def _empty(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


# Through tomlkit ---------------------------------------------------------------------


def _items_changed(text: str, change: Callable[[Any], object]) -> str:
    document = tomlkit.parse(text)
    if "partitions" not in document:
        document["partitions"] = tomlkit.array()
    change(document["partitions"])
    return tomlkit.dumps(document)


def _inline(board: _Tables) -> Any:  # noqa: ANN401 - tomlkit's own
    table = tomlkit.inline_table()
    table.update(board)
    return table

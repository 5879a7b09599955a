"""Strict reading of CSV files in which every value is a verbatim string.

The standard library's reader is used, not pandas: pandas would turn the scene "01"
into 1 and the condition "NA" into a missing value.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from director_gui.errors import UserError
from director_gui.stats.replies import Replies, Reply

T = TypeVar("T")
# Read whole, for a good line number in every error; more would fill the memory.
MAX_BYTES = 512 * 1024 * 1024
# "0.0" as well: a column with gaps turns into floats in many programs.
_EVENTS: Mapping[str, int | None] = {"0": 0, "0.0": 0, "1": 1, "1.0": 1, "": None}


def read_replies(path: Path, batch: str | None = None) -> Replies:
    """Read columns ``scene,condition,y`` and, where there is one, ``batch``.

    Args:
        path: UTF-8 with or without BOM, comma, quoted fields; other columns are
            ignored.
        batch: Keep only the rows of this batch; ``None`` keeps all.

    Raises:
        UserError: The file cannot be read, a column is missing, a `y` is not 0, 1
            or empty, a label is empty, or no row belongs to `batch`.
    """
    rows = read_columns(path, ("scene", "condition", "y"), ("batch",), _reply)
    if batch is None:
        return Replies.of(rows)
    kept = [row for row in rows if row.batch == batch]
    if not kept:
        listed = ", ".join(sorted({row.batch for row in rows if row.batch}))
        known = f"Batches here: {listed}" if listed else "The file names no batch"
        raise UserError(f"no row is of batch {batch!r}", where=str(path), todo=known)
    return Replies.of(kept)


def read_p_values(path: Path) -> list[tuple[float | None, str]]:
    """Read column ``p`` and, where there is one, ``family``; an empty p is ``None``.

    Raises:
        UserError: The file cannot be read, or a `p` is not a number from 0 to 1.
    """
    return read_columns(path, ("p",), ("family",), _p_value)


def read_columns(
    path: Path,
    needed: tuple[str, ...],
    optional: tuple[str, ...],
    parse: Callable[[dict[str, str]], T],
) -> list[T]:
    """Return `parse` of each row, given the columns that were asked for.

    Args:
        path: The CSV file; its first line names the columns.
        needed: Columns that must be there.
        optional: Columns that read as empty text when they are not there.
        parse: Turns one row into a value; a `ValueError` of it names the fault.

    Raises:
        UserError: With the line at fault.
    """
    lines = _lines(path)
    header = next(lines, (1, []))[1]
    places = {name: _place(header, name, path) for name in needed}
    places |= {name: header.index(name) for name in optional if name in header}
    empty = dict.fromkeys(optional, "")
    parsed = []
    for number, row in lines:
        try:
            cells = _cells(row, len(header))
            if cells:
                named = {name: cells[place] for name, place in places.items()}
                parsed.append(parse(empty | named))
        except ValueError as error:
            raise UserError(str(error), where=f"{path}, line {number}") from None
    return parsed


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    # Without `strict` a stray quote swallows lines and drops replies silently.
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        where = f"{path}, line {reader.line_num}"
        raise UserError(f"not readable as CSV ({error})", where=where) from None


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_BYTES:
            limit = f"larger than {MAX_BYTES // 1024**2} MB"
            raise UserError(limit, where=str(path), todo="Split the file")
        raw = path.read_bytes()
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise UserError(what, where=str(path)) from None
    try:
        # Spreadsheet programs write a mark first, which would join the first column's
        # name.
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        where = f"{path}, line {line}"
        todo = "Save the file as CSV in UTF-8"
        raise UserError("not UTF-8 text", where=where, todo=todo) from None
    # The csv module of 3.11 and later keeps NULs; in a label they would pass unseen.
    before, nul, _ = text.partition("\0")
    if nul:
        line = before.count("\n") + 1
        raise UserError("holds a NUL character", where=f"{path}, line {line}")
    return text


def _place(header: list[str], name: str, path: Path) -> int:
    if header.count(name) == 1:
        return header.index(name)
    where = f"{path}, line 1"
    if name in header:
        raise UserError(f"the column {name!r} is there more than once", where=where)
    listed = ", ".join(header) or "none"
    raise UserError(
        f"the column {name!r} is missing", where=where, todo=f"Columns: {listed}"
    )


def _cells(row: list[str], width: int) -> list[str]:
    # A blank line is an empty value where there is one column, and nothing elsewhere.
    if not row:
        return [""] if width == 1 else []
    if len(row) != width:
        raise ValueError(f"has {len(row)} values where the first line has {width}")
    return row


def _reply(cells: dict[str, str]) -> Reply:
    if cells["y"] not in _EVENTS:
        raise ValueError(f"y must be 0, 1 or empty, found {cells['y'][:40]!r}")
    for name in ("scene", "condition"):
        if not cells[name]:
            raise ValueError(f"the {name} is empty")
    event = _EVENTS[cells["y"]]
    return Reply(cells["scene"], cells["condition"], event, cells["batch"])


def _p_value(cells: dict[str, str]) -> tuple[float | None, str]:
    if not cells["p"]:
        return None, cells["family"]
    try:
        # Python alone reads "0_5" as 5.
        value = -1.0 if "_" in cells["p"] else float(cells["p"])
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        found = cells["p"][:40]
        raise ValueError(f"p must be from 0 to 1 or empty, found {found!r}")
    return value, cells["family"]

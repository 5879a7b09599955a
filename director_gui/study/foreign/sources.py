"""Read a file of replies row by row; every value is a verbatim string.

pandas would turn the scene "01" into 1 and the condition "NA" into a gap, so it is not
used. A file is streamed: only the columns that were asked for are ever held.
"""

import csv
import json
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from director_gui.errors import UserError
from director_gui.study.foreign.parquet import parquet_rows
from director_gui.study.foreign.values import flat, text_of

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

# Streamed, so memory is no limit; beyond it waiting is.
MAX_BYTES = 2 * 1024**3
SUFFIXES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet", ".eval")
_MAX_FIELD = 32 * 1024**2  # characters of one value: replies with long reasoning
Row = Mapping[str, str]


def rows_of(
    path: Path, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Row]]:
    """Yield where each row stands, in words, and its values by column.

    Nested values of JSON become columns named with dots; null is empty text.

    Args:
        path: The file.
        wanted: The columns that are needed, so that others need not be unpacked; all
            without it.

    Raises:
        UserError: The file cannot be read, is larger than 2 GB or of no known kind, or
            a wanted column holds no plain values.
    """
    suffix = path.suffix.lower()
    readers: Mapping[str, Callable[[Path], Iterator[tuple[str, Row]]]] = {
        ".csv": _csv_rows,
        ".tsv": _csv_rows,
        ".jsonl": _json_rows,
        ".xlsx": _xlsx_rows,
        ".parquet": partial(parquet_rows, wanted=wanted),
        ".eval": _eval_rows,
    }
    if suffix not in readers:
        listed = ", ".join(SUFFIXES)
        raise UserError(
            "this kind of file is not read",
            where=str(path),
            todo=f"Save it as one of {listed}",
        )
    _refuse_large(path)
    try:
        yield from readers[suffix](path)
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error
    except UnicodeDecodeError as error:
        raise UserError(
            "not UTF-8 text", where=str(path), todo="Save the file in UTF-8"
        ) from error
    except zipfile.BadZipFile as error:
        raise UserError(f"damaged ({error})", where=str(path)) from error


def _refuse_large(path: Path) -> None:
    try:
        size = path.stat().st_size
    except OSError as error:
        what = f"cannot be read ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error
    if size > MAX_BYTES:
        raise UserError("larger than 2 GB", where=str(path), todo="Split the file")


def _csv_rows(path: Path) -> Iterator[tuple[str, Row]]:
    # Python's own 128 KB is less than one long reasoning trace.
    csv.field_size_limit(_MAX_FIELD)
    with path.open(encoding="utf-8-sig", newline="") as file:
        first = file.readline()
        file.seek(0)
        reader = csv.reader(file, delimiter=_delimiter(first), strict=True)
        try:
            yield from _listed_rows(path, ((reader.line_num, row) for row in reader))
        except csv.Error as error:
            where = f"{path}, line {reader.line_num}"
            raise UserError(f"not readable as CSV ({error})", where=where) from None


def _delimiter(first: str) -> str:
    # The header decides: a reply may hold any number of commas and semicolons.
    return max(",;\t", key=lambda sign: len(next(csv.reader([first], delimiter=sign))))


def _listed_rows(
    path: Path, lines: Iterator[tuple[int, list[str]]]
) -> Iterator[tuple[str, Row]]:
    header = next(lines, (1, []))[1]
    repeated = {name for name, times in Counter(header).items() if times > 1}
    for number, row in lines:
        if not row:
            continue
        where = f"{path}, line {number}"
        if len(row) != len(header):
            raise UserError(
                f"has {len(row)} values where the first line has {len(header)}",
                where=where,
            )
        # A name that two columns share names none of them.
        pairs = zip(header, row, strict=True)
        yield where, {name: value for name, value in pairs if name not in repeated}


def _json_rows(path: Path) -> Iterator[tuple[str, Row]]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                where = f"{path}, line {number}"
                yield where, flat(_loaded(line, where))


def _loaded(text: str | bytes, where: str) -> dict[str, Any]:
    try:
        # Numbers as they are written: 1.0 and 01 are labels like any other.
        value = json.loads(text, parse_int=str, parse_float=str)
    except (ValueError, RecursionError) as error:
        raise UserError(f"not JSON ({error})", where=where) from None
    if not isinstance(value, dict):
        raise UserError("not a JSON object", where=where)
    return value


def _xlsx_rows(path: Path) -> Iterator[tuple[str, Row]]:
    from openpyxl import load_workbook  # noqa: PLC0415 - only workbooks need it
    from openpyxl.utils.exceptions import InvalidFileException  # noqa: PLC0415

    _refuse_bomb(path)
    try:
        # Values only: a formula is never worked out, its last result is read.
        book = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, KeyError, ValueError) as error:
        raise UserError(f"no workbook ({error})", where=str(path)) from error
    try:
        yield from _listed_rows(path, _sheet_rows(book.worksheets[0]))
    finally:
        book.close()


def _sheet_rows(sheet: "Worksheet") -> Iterator[tuple[int, list[str]]]:
    width = 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = [text_of(value) for value in row]
        if number == 1:
            # Formatted cells to the right of a table count as its width in Excel.
            while cells and not cells[-1]:
                cells.pop()
            width = len(cells)
        if any(cells):
            yield number, (cells + [""] * width)[:width]


def _refuse_bomb(path: Path) -> None:
    with zipfile.ZipFile(path) as packed:
        if sum(item.file_size for item in packed.infolist()) > MAX_BYTES:
            raise UserError(
                "larger than 2 GB when unpacked",
                where=str(path),
                todo="Save the replies as CSV",
            )


def _eval_rows(path: Path) -> Iterator[tuple[str, Row]]:
    _refuse_bomb(path)
    with zipfile.ZipFile(path) as log:
        names = log.namelist()
        shared: dict[str, str] = {}
        if "header.json" in names:
            header = _loaded(_member(log, "header.json", path), f"{path}, header.json")
            about = header.get("eval", {})
            shared = flat(about, "eval.") if isinstance(about, dict) else {}
        for name in names:
            if name.startswith("samples/") and name.endswith(".json"):
                where = f"{path}, {name}"
                yield (
                    where,
                    {**shared, **flat(_loaded(_member(log, name, path), where))},
                )


def _member(log: zipfile.ZipFile, name: str, path: Path) -> bytes:
    try:
        return log.read(name)
    except NotImplementedError as error:
        raise UserError(
            "packed in a way that this Python cannot read",
            where=f"{path}, {name}",
            todo="Convert the log with `inspect log convert --to json`",
        ) from error

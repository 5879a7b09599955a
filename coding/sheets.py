"""Codes from CSV files: every cell is the text that stands there."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from coding import bounded
from coding.errors import CodingError

MAX_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class Sheet:
    """One coder's codes of one field.

    Attributes:
        name: The file's name, for messages and tables.
        codes: Item → code; items with an empty cell are missing.
        scenes: Item → scene where the file says so.
    """

    name: str
    codes: Mapping[str, str]
    scenes: Mapping[str, str]


def read_sheet(path: Path, field: str) -> Sheet:
    """Return the codes in the CSV file at `path`; see `parse_sheet`."""
    return parse_sheet(bounded.read_file(path, MAX_BYTES), str(path), field)


def parse_sheet(data: bytes, where: str, field: str) -> Sheet:
    """Return the codes in a CSV file with the columns ``item``, `field`, ``scene``.

    UTF-8 with or without BOM. Cells are read verbatim: "None", "NA" and "nan" are
    codes like any other, and only an empty cell is missing. Other columns are
    ignored, ``scene`` is optional.

    Args:
        data: The file's bytes.
        where: The file's name.
        field: The column that holds the codes.

    Raises:
        CodingError: Not UTF-8, not CSV, a column is missing or there twice, a row of
            another length than the header, an item without a name or there twice.
    """
    rows = _rows(data, where)
    if not rows:
        raise CodingError("the file is empty", where=where)
    header = rows[0][1]
    item_at, code_at = (_column(header, name, where) for name in ("item", field))
    scene_at = _column(header, "scene", where) if "scene" in header else None
    codes: dict[str, str] = {}
    scenes: dict[str, str] = {}
    for line, row in rows[1:]:
        place = f"{where}, line {line}"
        # A shifted row would put somebody's note into the column of codes.
        if len(row) != len(header):
            raise CodingError(
                f"has {len(row)} cells, the header has {len(header)}", where=place
            )
        item = row[item_at]
        if not item or item in codes:
            what = f'the item "{item[:40]}" occurs twice' if item else "has no item"
            raise CodingError(what, where=place, todo="Keep one row per item")
        # Empty cells are kept until the end, so that a second row is noticed.
        codes[item] = row[code_at]
        if scene_at is not None and row[scene_at]:
            scenes[item] = row[scene_at]
    return Sheet(where, {i: code for i, code in codes.items() if code}, scenes)


def scenes_of(sheets: Sequence[Sheet]) -> dict[str, str] | None:
    """Return item → scene over several files; None when none of them says any.

    Raises:
        CodingError: Two files put one item into different scenes.
    """
    found: dict[str, str] = {}
    for sheet in sheets:
        for item, scene in sheet.scenes.items():
            if found.setdefault(item, scene) != scene:
                raise CodingError(
                    f'item "{item[:40]}" is in scene "{scene[:40]}", but in '
                    f'"{found[item][:40]}" in a file before',
                    where=sheet.name,
                )
    return found or None


def _rows(data: bytes, where: str) -> list[tuple[int, list[str]]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CodingError(
            f"is not UTF-8 text at byte {error.start}", where=where
        ) from error
    # newline="" keeps line ends inside quoted cells as they are.
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        # A blank line is no row.
        return [(reader.line_num, row) for row in reader if row]
    except csv.Error as error:
        place = f"{where}, line {reader.line_num}"
        raise CodingError(f"is not CSV: {error}", where=place) from error


def _column(header: list[str], name: str, where: str) -> int:
    count = header.count(name)
    if count != 1:
        what = f'has no column "{name}"' if not count else f'has "{name}" twice'
        raise CodingError(what, where=where, todo="Check the first line of the file")
    return header.index(name)

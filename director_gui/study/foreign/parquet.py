"""Rows of a Parquet file, whose columns have types: "01" and 1 stay apart.

pyarrow is large and needed for nothing else, so it is optional.
"""

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from director_gui.errors import UserError
from director_gui.study.foreign.values import text_of

Row = Mapping[str, str]


def parquet_rows(
    path: Path, wanted: Collection[str] | None = None
) -> Iterator[tuple[str, Row]]:
    """Yield where each row stands, in words, and its values by column, as text.

    Null and NaN are empty; a string is taken verbatim. Columns that hold lists or
    structures are left out.

    Args:
        path: The file.
        wanted: The columns that are unpacked; every plain one without it.

    Raises:
        UserError: pyarrow is not installed, the file is damaged, or a wanted column is
            nested or holds bytes that are no text.
    """
    arrow, parquet = _pyarrow(path, ""), _pyarrow(path, ".parquet")
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            names = _plain(path, file.schema_arrow, arrow.types, wanted)
            for batch in file.iter_batches(columns=names):
                for row in batch.to_pylist():
                    number += 1
                    where = f"{path}, row {number}"
                    yield where, {name: _text(row[name], where) for name in names}
    except (arrow.ArrowException, OSError) as error:  # some damage is the one or other
        raise UserError(f"not readable as Parquet ({error})", where=str(path)) from None


def _pyarrow(path: Path, part: str) -> Any:  # noqa: ANN401 - it ships no types
    try:
        # By name: it is not one of our packages, and has no types here.
        return import_module(f"pyarrow{part}")
    except ImportError as error:
        raise UserError(
            "Parquet needs the Python package pyarrow, which is not installed",
            where=str(path),
            todo="Install it, or save the replies as CSV",
        ) from error


def _plain(
    path: Path,
    schema: Any,  # noqa: ANN401 - pyarrow's
    types: Any,  # noqa: ANN401 - pyarrow's
    wanted: Collection[str] | None,
) -> list[str]:
    """Return the columns to read; of two with one name, neither can be meant."""
    nested = {field.name for field in schema if types.is_nested(field.type)}
    for name in sorted(nested & set(wanted or ())):
        raise UserError(
            f"the column {name!r} holds lists or structures",
            where=str(path),
            todo="Save its values in columns of their own, or the file as JSON Lines",
        )
    return [
        name
        for name in schema.names
        if name not in nested
        and schema.names.count(name) == 1
        and (wanted is None or name in wanted)
    ]


def _text(value: object, where: str) -> str:
    if not isinstance(value, bytes):
        return text_of(value)
    try:
        # Some writers store text without saying that it is text.
        return value.decode()
    except UnicodeDecodeError:
        raise UserError("holds bytes that are no text", where=where) from None

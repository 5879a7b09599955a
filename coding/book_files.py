"""Codebook files by their suffix: TOML to edit, JSON as in packets, .qdc to hand on."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from coding import bounded
from coding.book_toml import to_toml
from coding.codebook import MAX_BYTES, Codebook, from_bytes, from_toml, to_bytes
from coding.errors import CodingError
from coding.qdc import to_qdc
from coding.qdc_reading import from_qdc

T = TypeVar("T")
_READERS: Mapping[str, Callable[[bytes, str], Codebook]] = {
    ".toml": from_toml,
    ".json": from_bytes,
    ".qdc": from_qdc,
}
_WRITERS: Mapping[str, Callable[[Codebook], bytes]] = {
    ".toml": to_toml,
    ".json": to_bytes,
    ".qdc": to_qdc,
}


def read_book(path: Path) -> Codebook:
    """Return the codebook in a .toml, .json or .qdc file.

    Raises:
        CodingError: The file cannot be read, is of another kind, or is refused.
    """
    reads = _known(_READERS, path)
    return reads(bounded.read_file(path, MAX_BYTES), str(path))


def book_data(book: Codebook, path: Path) -> bytes:
    """Return what a file of this name is to hold; the same codebook, the same bytes.

    Raises:
        CodingError: No codebook is written to such a file, or XML cannot carry it.
    """
    return _known(_WRITERS, path)(book)


def _known(table: Mapping[str, T], path: Path) -> T:
    found = table.get(path.suffix.lower())
    if found is None:
        raise CodingError(
            "is no kind of codebook file",
            where=str(path),
            todo=f"Name it {', '.join(table)}",
        )
    return found

"""Codebook files by their suffix: TOML to edit, JSON as in packets, .qdc to hand on."""

from collections.abc import Callable, Mapping
from pathlib import Path

from coding import bounded
from coding.book_toml import to_toml
from coding.codebook import MAX_BYTES, Codebook, from_bytes, from_toml, to_bytes
from coding.errors import CodingError
from coding.qdc import to_qdc
from coding.qdc_reading import from_qdc

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
    """Return the codebook in a .toml, .json or .qdc file; of another name: JSON.

    Raises:
        CodingError: The file cannot be read or is refused.
    """
    # Packets carry JSON, so a file of another name is taken for a copy of that.
    reads = _READERS.get(path.suffix.lower(), from_bytes)
    return reads(bounded.read_file(path, MAX_BYTES), str(path))


def book_data(book: Codebook, path: Path) -> bytes:
    """Return what a file of this name is to hold; the same codebook, the same bytes.

    Raises:
        CodingError: No codebook is written to such a file, or XML cannot carry it.
    """
    writes = _WRITERS.get(path.suffix.lower())
    if writes is None:
        raise CodingError(
            "is no kind of codebook file",
            where=str(path),
            todo=f"Let its name end in {', '.join(_WRITERS)}",
        )
    return writes(book)

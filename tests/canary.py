"""Looks for a key in files: as text of several codings, and inside what is packed."""

import base64
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

_ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
_DEEP = 3  # packed inside packed
_MOST = 64 * 2**20


def forms(key: str) -> list[bytes]:
    """The key as UTF-8, UTF-16 and base64, whatever stands before it."""
    data = key.encode()
    coded = [base64.b64encode(b"\0" * n + data)[4:-4] for n in range(3)]
    return [data, key.encode("utf-16-le"), key.encode("utf-16-be"), *coded]


def found_in(data: bytes, key: str) -> bool:
    """Whether the key is in some bytes, or in what is packed in them."""
    wanted = forms(key)
    return any(form in layer for layer in _layers(data, _DEEP) for form in wanted)


def files_with(folder: Path, key: str) -> list[Path]:
    """The files under a folder that hold the key."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if found_in(path.read_bytes(), key)]


def _layers(data: bytes, deep: int) -> Iterator[bytes]:
    yield data
    if deep:
        for inner in _unpacked(data):
            yield from _layers(inner, deep - 1)


def _unpacked(data: bytes) -> Iterator[bytes]:
    if zipfile.is_zipfile(io.BytesIO(data)):
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            yield from (archive.read(item) for item in archive.infolist())
    if data[:2] == b"\x1f\x8b":
        yield gzip.decompress(data)
    # PNG, PDF and databases hold zlib streams somewhere inside.
    for match in _ZLIB.finditer(data):
        try:
            inner = zlib.decompressobj().decompress(data[match.start() :], _MOST)
        except zlib.error:
            continue
        if inner:
            yield inner

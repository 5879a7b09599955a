"""The zip around a packet: written the same on every machine, read with suspicion."""

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping

from coding.errors import CodingError

# Greatest sizes in bytes, before and while unpacking; the order is the file's.
LIMITS = {
    "packet.json": 10_000,
    "codebook.json": 1_000_000,
    "items.jsonl": 250_000_000,
    "manifest.json": 10_000,
}
MAX_BYTES = sum(LIMITS.values()) + 10_000
_ENCRYPTED = 0x1 | 0x40 | 0x2000  # flag bits: classic, strong, masked headers
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = struct.Struct("<4s4H2LH")  # the end record, 22 bytes without a comment
_LOCAL = struct.Struct("<4s5H3L2H")  # a local header, 30 bytes before the name
_FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    RuntimeError,
    ValueError,
)


def write(entries: Mapping[str, bytes]) -> bytes:
    """Return the zip of a packet's entries, in their fixed order.

    Entries are stored, not compressed: compressed bytes differ between versions of
    zlib, and the same packet must be the same bytes everywhere.

    Raises:
        CodingError: An entry is larger than a packet may hold.
    """
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as file:
        for name, limit in LIMITS.items():
            if len(entries[name]) > limit:
                raise CodingError(
                    f"is larger than {limit} bytes",
                    where=name,
                    todo="Make several smaller packets",
                )
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.create_system = 3  # Unix, so that the mode is read everywhere
            info.external_attr = (stat.S_IFREG | 0o644) << 16
            file.writestr(info, entries[name])
    return out.getvalue()


def read(data: bytes) -> dict[str, bytes]:
    """Return the entries of a packet's zip.

    Raises:
        CodingError: The bytes are not just the four entries that a packet has: other,
            repeated or missing names, a link, extra fields, anything encrypted, too
            large, damaged, or between, before or after the entries.
    """
    # The cheapest checks come first; nothing is unpacked before all others passed.
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where="packet")
    _check_end(data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            infos = file.infolist()
            # The name as it stands in the file: zipfile cuts names off at a NUL.
            _check_names([info.orig_filename for info in infos])
            for info in infos:
                _check_entry(info)
            _check_layout(data, infos, file.start_dir)
            return {info.filename: _unpack(file, info) for info in infos}
    except _FAULTS as error:
        raise CodingError(
            f"is not a zip file that can be read ({error})",
            where="packet",
            todo="Ask for the packet again",
        ) from error


def _check_end(data: bytes) -> None:
    # zipfile searches for the end record and would pass over bytes around it.
    end = data[-_END.size :]
    if len(end) < _END.size or end[:4] != b"PK\x05\x06" or end[-2:] != b"\0\0":
        raise CodingError(
            "is not a packet, or is cut off, or holds data after its end",
            where="packet",
            todo="Ask for the packet again",
        )
    # A directory of millions of entries is refused before it is read.
    listed = _END.unpack(end)[4]
    if listed != len(LIMITS):
        raise CodingError(
            f"must hold {len(LIMITS)} entries, lists {listed}", where="packet"
        )


def _check_names(names: list[str]) -> None:
    for name in names:
        if name not in LIMITS:
            raise CodingError("this entry is unknown", where=repr(name[:60]))
    if sorted(names) != sorted(LIMITS):
        raise CodingError("an entry occurs twice or is missing", where="packet")


def _check_entry(info: zipfile.ZipInfo) -> None:
    # No type at all is what zip tools without Unix modes write.
    kind = stat.S_IFMT(info.external_attr >> 16)
    limit = LIMITS[info.filename]
    faults = {
        "is encrypted": info.flag_bits & _ENCRYPTED,
        "is compressed in a way that packets do not use": (
            info.compress_type not in _METHODS
        ),
        "is not a plain file": kind not in (0, stat.S_IFREG),
        "has extra fields or a comment": info.extra or info.comment,
        f"is larger than {limit} bytes": info.file_size > limit,
    }
    for what, found in faults.items():
        if found:
            raise CodingError(what, where=info.filename)


def _check_layout(data: bytes, infos: list[zipfile.ZipInfo], directory: int) -> None:
    # Entries must follow each other without a gap: nothing hides between them and no
    # two share bytes.
    at = 0
    for info in sorted(infos, key=lambda info: info.header_offset):
        if info.header_offset != at:
            raise CodingError("holds data that belongs to no entry", where="packet")
        # The local header is a second copy, and zipfile shows only the first one.
        name_size, extra_size = _LOCAL.unpack_from(data, at)[-2:]
        if extra_size:
            raise CodingError("has extra fields", where=info.filename)
        at += _LOCAL.size + name_size + info.compress_size
    size, start = _END.unpack(data[-_END.size :])[5:7]
    if at != start or start != directory or start + size + _END.size != len(data):
        raise CodingError("holds data that belongs to no entry", where="packet")


def _unpack(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    # The claimed size may lie: unpacking itself stops at the limit.
    limit = LIMITS[info.filename]
    with file.open(info) as entry:
        data = entry.read(limit + 1)
    if len(data) > limit or len(data) != info.file_size:
        raise CodingError("does not have the size it claims", where=info.filename)
    return data

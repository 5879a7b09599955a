"""Read Inspect's log files: ``.eval`` (a zip of JSON) or ``.json``, no Inspect needed.

Newer logs are packed with Zstandard (zip method 93), which `zipfile` of our Pythons
cannot read; `zstandard` can, where it is installed.
"""

import json
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

from director_gui.errors import UserError
from director_gui.ids import Json

_ZSTD = 93
_LOCAL_HEADER = 30  # bytes before the names (PKWARE's APPNOTE, 4.3.7)
_MOST = 512 * 2**20  # bytes of one unpacked member; a bomb must not fill the memory
_ATTACHED = "attachment://"


@dataclass(frozen=True, slots=True)
class InspectLog:
    """A log as far as we read it.

    Attributes:
        model: The model that was asked, such as ``openai/gpt-6-sol``.
        samples: Each sample's JSON, attachments put back in their places.
    """

    model: str
    samples: tuple[Json, ...]


def read_log(path: Path) -> InspectLog:
    """Return an Inspect log.

    Raises:
        UserError: The file cannot be read, or is no such log.
    """
    try:
        if zipfile.is_zipfile(path):
            return _packed(path)
        value = json.loads(path.read_bytes())
        return _log(value, value["samples"] or [])
    except OSError as error:
        raise UserError(
            f"this log cannot be read ({error.strerror})", where=str(path)
        ) from error
    except (
        ValueError, KeyError, TypeError, zipfile.BadZipFile, RecursionError,
    ) as error:  # fmt: skip
        raise UserError(
            "this is not an Inspect log",
            where=str(path),
            todo="Choose a .eval or .json file from Inspect's log folder",
        ) from error


def _packed(path: Path) -> InspectLog:
    with zipfile.ZipFile(path) as archive:
        names = {item.filename: item for item in archive.infolist()}
        # A run that was cut short has no header yet, but says how it began.
        head = names.get("header.json") or names["_journal/start.json"]
        samples = [
            json.loads(_member(path, archive, item))
            for name, item in names.items()
            if name.startswith("samples/") and name.endswith(".json")
        ]
        return _log(json.loads(_member(path, archive, head)), samples)


def _log(head: Json, samples: list[Json]) -> InspectLog:
    return InspectLog(str(head["eval"]["model"]), tuple(map(_whole, samples)))


def _member(path: Path, archive: zipfile.ZipFile, item: zipfile.ZipInfo) -> bytes:
    if item.file_size > _MOST:
        raise UserError(f"{item.filename} is too large", where=str(path))
    if item.compress_type != _ZSTD:
        return archive.read(item)
    try:
        import zstandard  # noqa: PLC0415 - optional, and only for these logs
    except ModuleNotFoundError:
        raise UserError(
            "this log is packed with Zstandard, and the Python package zstandard is"
            " not installed",
            where=str(path),
            todo="Install it, or convert the log: inspect log convert --to json",
        ) from None
    try:
        unpacker = zstandard.ZstdDecompressor()
        data: bytes = unpacker.decompress(_packed_bytes(path, item), _MOST)
    except zstandard.ZstdError as error:
        raise zipfile.BadZipFile(str(error)) from error
    return data


def _packed_bytes(path: Path, item: zipfile.ZipInfo) -> bytes:
    with path.open("rb") as file:
        file.seek(item.header_offset)
        head = file.read(_LOCAL_HEADER)
        # The local names may be longer than the directory's.
        name, extra = struct.unpack("<HH", head[26:30])
        file.seek(item.header_offset + _LOCAL_HEADER + name + extra)
        return file.read(item.compress_size)


def _whole(sample: Json) -> Json:
    """Return a sample with its attachments where they belong."""
    attached = sample.get("attachments") or {}

    def put_back(value: Json) -> Json:
        if isinstance(value, str) and value.startswith(_ATTACHED):
            return attached.get(value.removeprefix(_ATTACHED), value)
        if isinstance(value, dict):
            return {key: put_back(item) for key, item in value.items()}
        if isinstance(value, list):
            return [put_back(item) for item in value]
        return value

    kept = ("id", "epoch", "input", "messages", "events", "error")
    return {key: put_back(sample.get(key)) for key in kept}

"""Where a supplement goes: a folder or a zip, the same bytes each time."""

import json
import zipfile
from pathlib import Path
from typing import Protocol

from director_gui.errors import UserError
from director_gui.ids import canonical_json, sha256_hex
from director_gui.study.unfinished import finish, note, noted, remove

MANIFEST = "manifest.json"
# In the manifest, as the mark by which a later export knows its own folder.
FORMAT = "director-supplement/1"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can hold


class Target(Protocol):
    """Takes files one by one."""

    def write(self, name: str, data: bytes) -> None:
        """Write a file."""

    def finish(self) -> list[dict[str, str]]:
        """Write the manifest last; return path and SHA-256 of every file."""


def target_at(path: Path) -> Target:
    """Return where files of a supplement go: a zip for ``.zip``, else a folder.

    Raises:
        UserError: Something else is there already.
    """
    return ZipTarget(path) if path.suffix.lower() == ".zip" else FolderTarget(path)


class _Listed:
    def __init__(self) -> None:
        self._hashes: dict[str, str] = {}

    def _list(self, name: str, data: bytes) -> None:
        self._hashes[name] = sha256_hex(data)

    def _manifest(self) -> bytes:
        return canonical_json({"format": FORMAT, "files": self._files()}) + b"\n"

    def _files(self) -> list[dict[str, str]]:
        # Sorted: the order of writing is no promise.
        return [{"path": p, "sha256": h} for p, h in sorted(self._hashes.items())]


class FolderTarget(_Listed):
    """Writes into a new or empty folder, or over an earlier supplement."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        if path.exists() and not path.is_dir():
            raise UserError("this is a file, not a folder", where=str(path))
        if path.is_dir() and any(path.iterdir()):
            self._clear()

    def write(self, name: str, data: bytes) -> None:
        """Write a file below the folder.

        Raises:
            UserError: It cannot be written.
        """
        path = self._path / name
        try:
            note(self._path, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            what = f"a file cannot be written ({error.strerror or error})"
            raise UserError(what, where=str(path)) from error
        self._list(name, data)

    def finish(self) -> list[dict[str, str]]:
        """Write the manifest: a folder that has one is complete."""
        self.write(MANIFEST, self._manifest())
        finish(self._path)
        return self._files()

    def _clear(self) -> None:
        # Never somebody's own folder; of an earlier export only what it wrote.
        listed, begun = _earlier(self._path / MANIFEST), noted(self._path)
        if listed is None and begun is None:
            raise UserError(
                "this folder holds other things",
                where=str(self._path),
                todo="Choose a new or an empty folder",
            )
        earlier = [*(listed or ()), *(begun or ())]
        note(self._path, *earlier)
        # First: an export that breaks off must not look complete.
        (self._path / MANIFEST).unlink(missing_ok=True)
        remove(self._path, earlier)


class ZipTarget(_Listed):
    """Writes one zip without times, so that equal files make equal bytes."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        if path.is_dir():
            raise UserError("this is a folder, not a zip", where=str(path))
        try:
            self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        except OSError as error:
            what = f"the zip cannot be written ({error.strerror or error})"
            raise UserError(what, where=str(path)) from error

    def write(self, name: str, data: bytes) -> None:
        """Add a file."""
        entry = zipfile.ZipInfo(name, _EPOCH)
        entry.compress_type = zipfile.ZIP_DEFLATED
        # Unix rights stand in the upper half; without them unpacked files are
        # unreadable.
        entry.external_attr = 0o644 << 16
        self._zip.writestr(entry, data)
        self._list(name, data)

    def finish(self) -> list[dict[str, str]]:
        """Add the manifest and close the zip."""
        self.write(MANIFEST, self._manifest())
        self._zip.close()
        return self._files()


def _earlier(manifest: Path) -> list[str] | None:
    try:
        value = json.loads(manifest.read_bytes())
        if value["format"] != FORMAT:
            return None
        return [str(one["path"]) for one in value["files"]]
    # Whatever is no manifest of ours makes the folder somebody else's.
    except (OSError, ValueError, KeyError, TypeError):
        return None

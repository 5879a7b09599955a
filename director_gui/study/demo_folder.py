"""The demo's folder: its own files are replaced, everybody else's stay as they are.

A demo is made in a hidden work folder and moved into place when it is whole, so that
one that was interrupted leaves nothing half done; the next one starts over. What it
wrote is listed with hashes in ``demo.json``: only a file that still has its hash is
replaced, one that was changed since is set aside under another name.
"""

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from director_gui.errors import UserError
from director_gui.ids import Json, sha256_hex
from director_gui.store.database import open_study
from director_gui.store.lock import NotWritableError, WriterLock

FORMAT = "director-demo/1"
LIST = "demo.json"
WORK = ".director-gui-demo"
_LOCK = "making"
_BESIDE = ("", "-wal", "-shm")  # what SQLite may have left beside a study

Hashes = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a demo is made and where it goes.

    Attributes:
        work: An empty folder to make it in.
        folder: Where it goes.
        study: Path of the study inside both.
        known: The files of the demo before: path inside the folder → hashes.
    """

    work: Path
    folder: Path
    study: str
    known: Hashes = field(default_factory=dict)

    def publish(self) -> tuple[Path, ...]:
        """Move what was made into place; return changed files that were set aside.

        Raises:
            UserError: The folder cannot be written.
        """
        with writing_in(self.folder):
            made = {name: [_hash(self.work / name)] for name in _files(self.work)}
            both = {
                name: [*self.known.get(name, ()), *made.get(name, ())]
                for name in sorted({*self.known, *made})
            }
            # Both are listed first, so that a kill on the way leaves no stranger.
            self._write_list(both)
            kept = [self._clear(name) for name in both]
            for name in made:
                target = self.folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                (self.work / name).replace(target)
            self._write_list(made)
        return tuple(path for path in kept if path)

    def _write_list(self, files: Hashes) -> None:
        text = json.dumps({"format": FORMAT, "files": files}, indent=1, sort_keys=True)
        draft = self.work / LIST
        draft.write_text(text, encoding="utf-8")
        draft.replace(self.folder / LIST)

    def _clear(self, name: str) -> Path | None:
        path = self.folder / name
        if not path.exists():
            return None
        if path.is_file() and _hash(path) in self.known.get(name, ()):
            path.unlink()
            return None
        # Somebody's work, or a file that another program wrote in our place.
        free = _free_name(path)
        for end in _BESIDE:
            beside = path.with_name(path.name + end)
            if beside.exists():
                beside.rename(free.with_name(free.name + end))
        return free


@contextmanager
def place_for(folder: Path, study: str) -> Iterator[Place]:
    """Claim `folder` for a demo while the block runs.

    The work folder is removed at the end; after an interruption it stays, and the
    next claim empties it.

    Raises:
        UserError: The folder holds other files, cannot be written, or a demo is being
            made in it, or its study is open elsewhere.
    """
    folder = folder.absolute()
    with writing_in(folder):
        known = _known(folder)
    with ExitStack() as locks:
        work = folder / WORK
        with writing_in(folder):
            work.mkdir(parents=True, exist_ok=True)
        locks.callback(_locked(work / _LOCK, folder).release)
        # Held all the time: a window that opens it meanwhile would lose its file.
        if (folder / study).exists():
            _settle(folder / study)
            locks.callback(WriterLock(folder / study).release)
        with writing_in(folder):
            _empty(work)
        # After an error it stays, so that what went wrong can be looked at.
        yield Place(work, folder, study, known)
        shutil.rmtree(work, ignore_errors=True)


def _known(folder: Path) -> Hashes:
    """Return the files of the demo that is there, none in a new or empty folder."""
    if folder.exists() and not folder.is_dir():
        raise UserError(
            "this is a file", where=str(folder), todo="Choose a folder with --out"
        )
    # A first demo that was interrupted has left its work folder and nothing else.
    if not folder.exists() or {path.name for path in folder.iterdir()} <= {WORK}:
        return {}
    try:
        return _listed(json.loads((folder / LIST).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise UserError(
            "this folder holds files that are not a demo's",
            where=str(folder),
            todo="Choose a new or an empty folder with --out",
        ) from error


def _listed(value: Json) -> Hashes:
    if value["format"] != FORMAT:
        raise ValueError(value["format"])
    return {_inside(name): tuple(map(str, of)) for name, of in value["files"].items()}


def _inside(name: str) -> str:
    # The list may come from anywhere, and what it names may be removed.
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.parts:
        raise ValueError(name)
    return name


def _settle(study: Path) -> None:
    """Bring what a killed program left beside a study into it."""
    try:
        open_study(study).close()
    except NotWritableError:
        raise
    except UserError:
        return  # damaged or no study: its hash tells, and it is set aside


def _locked(path: Path, folder: Path) -> WriterLock:
    try:
        return WriterLock(path)
    except NotWritableError as error:
        raise UserError(
            "a demo is being made in this folder already",
            where=str(folder),
            todo="Wait for it, or choose another folder with --out",
        ) from error


def _empty(work: Path) -> None:
    for path in work.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != f"{_LOCK}.lock":
            path.unlink()


def _files(work: Path) -> list[str]:
    return sorted(
        path.relative_to(work).as_posix()
        for path in work.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    )


def _hash(path: Path) -> str:
    return sha256_hex(path.read_bytes())


def _free_name(path: Path) -> Path:
    number = 1
    while (found := path.with_stem(f"{path.stem}.kept-{number}")).exists():
        number += 1
    return found


@contextmanager
def writing_in(folder: Path) -> Iterator[None]:
    """Tell in words what the disk refuses while the block runs.

    Raises:
        UserError: In the place of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise UserError(
            f"the demo's folder cannot be used ({os.strerror(error.errno or 0)})",
            where=str(folder),
            todo="Choose another folder with --out",
        ) from error

"""Copies of unsaved work that outlive a kill.

An edit is on disk at most `DELAY_MS` after it was made, written by a thread of its own
so that a slow disk never holds the window up. A copy belongs to a running program as
long as its lock is held; a copy without an owner is work to offer again.
"""

import json
import os
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from director_gui import home
from director_gui.errors import UserError
from director_gui.scene.model import Scene
from director_gui.scene.serialize import scene_of, value_of
from director_gui.ui.document import Document

DELAY_MS = 250


@dataclass(frozen=True, slots=True)
class Recovered:
    """Unsaved work that a killed program left behind."""

    copy: Path
    scene: Scene
    path: Path | None  # the file that the scene was opened from


def write_atomically(path: Path, data: bytes) -> None:
    """Put `data` at `path` durably, or leave what is there as it is.

    Raises:
        OSError: The disk refused; the old file is whole.
    """
    beside = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        with suppress(OSError):  # the first error is the one to tell
            beside.unlink(missing_ok=True)


class Recovery(QObject):
    """Keeps a copy of the document's unsaved work while the program runs."""

    failed = Signal(str)  # what the disk said; the work is only in memory
    stored = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._copy = _folder() / f"{uuid.uuid4().hex}.json"
        self._lock = _lock_of(self._copy)
        self._lock.tryLock(0)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="recovery")
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._store)
        document.scene_changed.connect(self._note)
        document.file_changed.connect(self._note)

    def close(self) -> None:
        """Forget the copy: the program ends in an orderly way."""
        self._timer.stop()
        self._writer.shutdown(wait=True)
        with suppress(OSError):
            self._copy.unlink(missing_ok=True)
        self._lock.unlock()

    def _note(self) -> None:
        # A running timer is left alone, so a long drag is stored all the while.
        if not self._timer.isActive():
            self._timer.start()

    def _store(self) -> None:
        document = self._document
        if document.modified:
            path = str(document.path) if document.path else None
            value = {"path": path, "scene": value_of(document.scene)}
            self._writer.submit(self._write, json.dumps(value).encode())
        else:
            self._writer.submit(self._copy.unlink, missing_ok=True)

    def _write(self, data: bytes) -> None:
        try:
            write_atomically(self._copy, data)
        except OSError as error:
            self.failed.emit(error.strerror or str(error))
        else:
            self.stored.emit()


def left_behind() -> list[Recovered]:
    """Return the unsaved work of programs that are gone, newest first."""
    copies = sorted(_folder().glob("*.json"), key=lambda p: -p.stat().st_mtime)
    found = (_read(copy) for copy in copies if _is_orphan(copy))
    return [work for work in found if work is not None]


def forget(work: Recovered) -> None:
    """Remove a copy that the user does not want, or has saved."""
    work.copy.unlink(missing_ok=True)


def _folder() -> Path:
    folder = home.state_folder() / "recovery"
    with suppress(OSError):  # writing the copy will say what the disk said
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _lock_of(copy: Path) -> QLockFile:
    lock = QLockFile(str(copy.with_suffix(".lock")))
    lock.setStaleLockTime(0)  # only a dead owner makes a lock stale, never its age
    return lock


def _is_orphan(copy: Path) -> bool:
    lock = _lock_of(copy)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _read(copy: Path) -> Recovered | None:
    try:
        value = json.loads(copy.read_bytes())
        path = Path(value["path"]) if value["path"] else None
        return Recovered(copy, scene_of(value["scene"]), path)
    except (OSError, ValueError, KeyError, TypeError, UserError):
        # Half a copy cannot be: it is renamed into place. This is some other file.
        return None

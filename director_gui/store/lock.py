"""One writer per study: a lock of the operating system, gone with its process.

The lock is held on a file beside the study, because SQLite drops its own locks on the
study whenever any handle to that file is closed in the same process (POSIX).
"""

import os
import sys
from pathlib import Path
from typing import BinaryIO

from director_gui.errors import UserError


class NotWritableError(UserError):
    """The study can only be read now: another program or the folder is in the way."""


class WriterLock:
    """Held from construction to `release`; a crash or a kill releases it too.

    Raises:
        NotWritableError: Another program holds it, or the folder cannot be written.
    """

    def __init__(self, study: Path) -> None:
        path = study.with_name(study.name + ".lock")
        try:
            # Not "w": that would empty the holder's number before we know of the lock.
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise NotWritableError(
                f"the study's folder cannot be written ({error.strerror})",
                where=str(study),
                todo="Open the study read-only, or copy it to a folder of your own",
            ) from error
        # Never waits: the user is to be told who has it.
        if not try_lock(self._file):
            holder = _holder(self._file)
            self._file.close()
            raise NotWritableError(
                f"this study is already open{holder}",
                where=str(study),
                todo="Close it there, or open it read-only here",
            )
        # For the message that the next one gets; the lock does not depend on it.
        self._file.truncate(0)
        self._file.write(str(os.getpid()).encode())
        self._file.flush()

    def release(self) -> None:
        """Let another program write; harmless when it is released already."""
        if not self._file.closed:
            self._file.truncate(0)
            self._file.close()


def _holder(file: BinaryIO) -> str:
    try:
        file.seek(0)
        text = file.read(20).decode("ascii", "replace").strip()
    except OSError:  # Windows forbids reading a locked range
        return ""
    return f" in process {text}" if text.isdigit() else ""


def try_lock(file: BinaryIO) -> bool:
    """Lock a file until it is closed; return False when another holds it."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415 - exists on Windows alone

            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415 - exists on POSIX alone

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True

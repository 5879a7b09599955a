"""Turn what SQLite and the system say into what a user can do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from director_gui.errors import UserError


class StorageFullError(UserError):
    """There is no room for a write; nothing that was stored is lost."""


@contextmanager
def mended(path: Path) -> Iterator[None]:
    """Raise a `UserError` that names `path` for each known fault of the file.

    Raises:
        StorageFullError: The disk is full.
        UserError: The file is damaged, locked, read-only or cannot be opened.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise  # a broken rule of the schema is a bug of ours, not of the file
    except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
        known = _known(error, str(path))
        if known is None:
            raise
        raise known from error


def _known(error: sqlite3.Error, where: str) -> UserError | None:
    code = getattr(error, "sqlite_errorcode", None)
    # Errors of Python's own module carry no code: those are bugs.
    if code is None:
        return None
    primary = code & 0xFF  # extended codes keep the primary one in the low byte
    if primary == sqlite3.SQLITE_FULL:
        # A type of its own: whoever can go on without the file does so.
        return StorageFullError(
            "the disk is full", where=where, todo="Make room, then go on"
        )
    what, todo = _WORDS.get(primary, ("", ""))
    # An unknown code is likelier a bug of ours, whose traceback is wanted.
    return UserError(what, where=where, todo=todo) if what else None


_DAMAGED = (
    "this study file is damaged",
    "Restore a copy of it; `sqlite3 FILE .recover` can save what is readable",
)
_READ_ONLY = (
    "this study cannot be written",
    "Check the rights of the file and its folder, or open it read-only",
)
_WORDS = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: (
        "this file is not a study",
        "Choose a file that this program made",
    ),
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: (
        "this file cannot be opened",
        "Check that its folder exists and may be written",
    ),
    sqlite3.SQLITE_BUSY: (
        "the study is busy with another write",
        "Try again in a moment",
    ),
    sqlite3.SQLITE_IOERR: (
        "reading or writing this study failed",
        "Check the disk, then open the study again",
    ),
}

"""A study is one SQLite file: open it, make it, read it, write it.

Every thread gets a connection of its own (`Study.db`); a write is one `Study.write`
block, durable when the block ends. One process at a time may write.
"""

import os
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from director_gui import __version__
from director_gui.errors import UserError
from director_gui.runner.records import now_utc
from director_gui.store.faults import mended
from director_gui.store.lock import WriterLock
from director_gui.store.migrations import APPLICATION_ID, MIGRATIONS, migrate

if TYPE_CHECKING:
    from sqlite_utils import Database

# Longer than any of our transactions; Python's 5 s are short on slow disks.
BUSY_SECONDS = 10.0
CHECKED_WHOLE = 64 * 2**20  # bytes; a larger file is checked as it is read
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes of a database's header (sqlite.org/fileformat)
_MARK = slice(68, 72)  # where the header holds the application id

Row = dict[str, Any]


class Study:
    """An open study file; use `create_study` or `open_study`.

    Attributes:
        path: The file.
        read_only: Whether writes are refused.
    """

    def __init__(self, path: Path, *, read_only: bool, lock: WriterLock | None) -> None:
        self.path = path
        self.read_only = read_only
        self._lock = lock
        # For the list of connections; each connection itself has one thread.
        self._guard = threading.Lock()
        self._open: dict[threading.Thread, Database] = {}
        self._file = _file_at(path)  # which it is; made with the first connection
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def db(self) -> "Database":
        """Return this thread's connection.

        Raises:
            UserError: The study is closed or its file cannot be opened.
        """
        thread = threading.current_thread()
        with self._guard:
            if self._closed:
                raise UserError("this study is closed", where=str(self.path))
            # By the thread and not its id, which the system gives out again.
            if thread not in self._open:
                self._forget_ended_threads()
                self._refuse_another_file()
                with mended(self.path):
                    self._open[thread] = _connect(self.path, read_only=self.read_only)
                self._file = self._file or _file_at(self.path)
            return self._open[thread]

    def query(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Return the rows of a SELECT.

        Raises:
            UserError: The file is damaged or cannot be read.
        """
        # A list: an open cursor would keep the log from being folded in.
        with mended(self.path):
            return list(self.db().query(sql, params))

    @contextmanager
    def write(self) -> "Iterator[Database]":
        """Run the block as one transaction: all of it is durable, or nothing.

        A block inside another joins it.

        Raises:
            StorageFullError: The disk is full.
            UserError: The study is read-only, its file cannot be written, or it is
                no longer where it was.
        """
        if self.read_only:
            raise UserError(
                "this study is open read-only",
                where=str(self.path),
                todo="Close it elsewhere and open it again to write",
            )
        db = self.db()
        # SQLite has no nested transactions; the outer block decides for all.
        if db.conn.in_transaction:
            yield db
            return
        # What is written into a file without a name is gone when it is closed.
        self._refuse_another_file()
        with mended(self.path), _transaction(db.conn):
            yield db

    def close(self) -> None:
        """Close every thread's connection and let another program write."""
        with self._guard:
            self._closed = True
            for db in self._open.values():
                db.close()
            self._open.clear()
            # Last, when no connection can write any more.
            if self._lock is not None:
                self._lock.release()

    def meta(self, key: str) -> str | None:
        """Return one fact of the study: `name`, `program` or `created`."""
        rows = self.query("SELECT value FROM meta WHERE key = ?", (key,))
        return rows[0]["value"] if rows else None

    def set_meta(self, key: str, value: str) -> None:
        """Store one fact of the study."""
        with self.write() as db:
            db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def _refuse_another_file(self) -> None:
        if self._file is not None and _file_at(self.path) != self._file:
            raise UserError(
                "this study was moved, deleted or replaced while it is open",
                where=str(self.path),
                todo="Put it back where it was, then go on",
            )

    def _forget_ended_threads(self) -> None:
        for thread in [t for t in self._open if not t.is_alive()]:
            self._open.pop(thread).close()


def create_study(path: Path, name: str) -> Study:
    """Make a new study file and open it for writing.

    Raises:
        UserError: The path is taken, or its folder is missing or cannot be written.
    """
    path = path.absolute()
    if path.exists():
        raise UserError(
            "this path is taken", where=str(path), todo="Choose another name"
        )
    if not path.parent.is_dir():
        raise UserError(
            "the folder does not exist", where=str(path.parent), todo="Make it first"
        )
    # Two programs may be asked to make the same study.
    lock = WriterLock(path)
    # Made beside its place and moved there whole: a kill leaves a study or nothing.
    new = path.with_name(f"{path.name}.new")
    try:
        with mended(path):
            _remove(new)
            _fill(new, name)
            new.replace(path)
    except BaseException:
        lock.release()
        raise
    return Study(path, read_only=False, lock=lock)


def _fill(path: Path, name: str) -> None:
    facts = {"name": name, "program": __version__, "created": now_utc()}
    with Study(path, read_only=False, lock=None) as study:
        migrate(study.db())
        with study.write() as db:
            db.table("meta").insert_all(
                {"key": key, "value": value} for key, value in facts.items()
            )
        # So that the file alone is a study from its first moment, without its log.
        study.query("PRAGMA wal_checkpoint(TRUNCATE)")


def _remove(path: Path) -> None:
    """Remove what a kill left of a study in the making."""
    for ending in ("", "-wal", "-shm", "-journal"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def open_study(path: Path, *, read_only: bool = False) -> Study:
    """Open an existing study, bringing an older file up to date.

    Raises:
        UserError: There is no such file, it is no study, it is damaged, it was made
            by a newer program, or another program has it open for writing.
    """
    path = path.absolute()
    _look_at(path)
    # Before the first look inside, which may bring an old file up to date.
    lock = None if read_only else WriterLock(path)
    study = Study(path, read_only=read_only, lock=lock)
    try:
        with mended(path):
            _accept(study)
    except BaseException:
        study.close()
        raise
    return study


def join_study(path: Path) -> Study:
    """Open for writing a study that another process of this program holds open.

    Its lock keeps others away; SQLite lets the two take turns. The one that holds it
    has brought the file up to date.

    Raises:
        UserError: The file cannot be opened.
    """
    study = Study(path, read_only=False, lock=None)
    try:
        study.db()
    except BaseException:
        study.close()
        raise
    return study


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return which file lies at a path; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    # Not the name: a study that was replaced has the same name and other contents.
    return found.st_dev, found.st_ino


def _look_at(path: Path) -> None:
    if path.is_dir():
        raise UserError(
            "this is a folder, not a study", where=str(path), todo="Choose a study file"
        )
    try:
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError as error:
        raise UserError("there is no such study", where=str(path)) from error
    except OSError as error:
        raise UserError(
            f"this study cannot be read ({error.strerror})", where=str(path)
        ) from error
    # Read from the bytes: opening another program's database could change it.
    mark = int.from_bytes(head[_MARK], "big")
    if not head.startswith(_MAGIC) or mark != APPLICATION_ID:
        raise UserError(
            "this file is not a study",
            where=str(path),
            todo="Choose a file that this program made",
        )


def _accept(study: Study) -> None:
    db, path = study.db(), study.path
    (version,) = db.execute("PRAGMA user_version").fetchone()
    # Refused even for reading: a table may mean something else by now.
    if version > len(MIGRATIONS):
        raise UserError(
            "this study was made by a newer version of the program",
            where=str(path),
            todo="Install the newest director-gui",
        )
    if version < len(MIGRATIONS):
        _bring_up_to_date(study)
    # A check reads all of it, which a large study would make one wait for.
    if path.stat().st_size <= CHECKED_WHOLE:
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise UserError(
                "this study file is damaged",
                where=str(path),
                todo="Restore a copy of it",
            )


def _bring_up_to_date(study: Study) -> None:
    if study.read_only:
        raise UserError(
            "this study was made by an older version of the program",
            where=str(study.path),
            todo="Open it once for writing, which brings it up to date",
        )
    migrate(study.db())


def _connect(path: Path, *, read_only: bool) -> "Database":
    if read_only:
        return _connect_read_only(path)
    conn = _raw(path.as_uri())
    try:
        conn.execute("PRAGMA journal_mode = WAL")
        # NORMAL may lose the last commits of a log when the power fails.
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        return _wrapped(conn)
    except BaseException:
        conn.close()
        raise


def _connect_read_only(path: Path) -> "Database":
    conn = _raw(path.as_uri() + "?mode=ro")
    try:
        # SQLite opens lazily; only a read tells whether it can.
        conn.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        conn.close()
        wal = path.with_name(path.name + "-wal")
        if os.access(path.parent, os.W_OK) or (wal.exists() and wal.stat().st_size):
            raise
        # WAL wants its side files; in a folder that nobody can write none change.
        conn = _raw(path.as_uri() + "?mode=ro&immutable=1")
    return _wrapped(conn)


def _wrapped(conn: sqlite3.Connection) -> "Database":
    from sqlite_utils import Database  # noqa: PLC0415 - it imports pandas: 0.3 s

    return Database(conn)


def _raw(uri: str) -> sqlite3.Connection:
    # Another thread uses a connection only to close it, in `Study.close`.
    return sqlite3.connect(
        uri,
        uri=True,
        timeout=BUSY_SECONDS,
        # Autocommit: every transaction is one of `_transaction`.
        isolation_level=None,
        check_same_thread=False,
    )


@contextmanager
def _transaction(conn: sqlite3.Connection) -> Iterator[None]:
    # IMMEDIATE: a reader that turns writer would fail at once instead of waiting.
    conn.execute("BEGIN IMMEDIATE")
    try:
        yield
        conn.execute("COMMIT")
    except BaseException:
        if conn.in_transaction:
            conn.execute("ROLLBACK")
        raise

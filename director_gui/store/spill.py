"""Replies that found no room in their study, kept elsewhere until there is some.

A reply that was paid for outlives a full disk and the end of the program. Room for it
is taken before anything is sent, in the program's own folder: that often lies on the
very disk that fills.
"""

import base64
import binascii
import json
import os
import uuid
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from director_gui import home
from director_gui.runner.records import Attempt, Outcome, Usage
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Row, Study
from director_gui.store.ledger import PASSES, RUNS, Ledger
from director_gui.store.lock import try_lock
from director_gui.store.sendings import end_sending

RESERVE = 8 * 2**20  # bytes: a hundred replies with long reasoning
_ENDING = ".unsaved"

_Key = tuple[str, int, int]  # call, turn, number: what is unique in a study


def spill_folder() -> Path:
    """Return the folder of what found no room."""
    return home.state_folder() / "unsaved"


class Spill:
    """The file of one session; nothing but room unless a write fails.

    Args:
        study: The study that the replies belong to.
        ledger: The tables that they belong into.
    """

    def __init__(self, study: Path, ledger: Ledger) -> None:
        self._kept: set[_Key] = set()
        # A name of its own: several sessions may spill at once.
        self._path = spill_folder() / f"{uuid.uuid4().hex}{_ENDING}"
        head = {"study": str(study), "calls": ledger.calls}
        self._head = json.dumps(head).encode() + b"\n"
        self._file: BinaryIO | None = None
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self._path.open("w+b", buffering=0)
            # Tells other sessions that somebody still writes here.
            try_lock(self._file)
            _write(self._file, self._head)
            # Written over later; a disk that is full then has given this away.
            self._file.write(bytes(RESERVE))
        self._rewind()

    def keep(self, attempts: Iterable[Attempt]) -> None:
        """Put attempts that could not be written here, each once.

        Where this finds no room either they stay with whoever holds them.
        """
        if self._file is None:
            return
        with suppress(OSError):
            for attempt in attempts:
                if _key(attempt) not in self._kept:
                    _write(self._file, _line(attempt))
                    self._kept.add(_key(attempt))

    def settle(self, attempts: Iterable[Attempt]) -> None:
        """Forget attempts that have come into the study after all."""
        if self._kept:
            self._kept.difference_update(map(_key, attempts))
            if not self._kept:
                self._rewind()

    def close(self) -> None:
        """Leave a file behind only when it holds what is nowhere else."""
        if self._file is None:
            return
        with suppress(OSError):
            if self._kept:
                self._file.truncate()
        self._file.close()
        if not self._kept:
            self._path.unlink(missing_ok=True)

    def _rewind(self) -> None:
        if self._file is not None:
            with suppress(OSError):
                self._file.seek(len(self._head))


def _write(file: BinaryIO, data: bytes) -> None:
    """Write all of it and see that it lies on the disk."""
    start, left = file.tell(), memoryview(data)
    try:
        while left:  # a file without a buffer writes as much as there is room for
            left = left[file.write(left) :]
        os.fsync(file.fileno())
    except OSError:
        file.seek(start)
        raise


def take_in(study: Study) -> int:
    """Bring what an earlier session could not write into its study.

    Returns:
        How many attempts the study holds now that it lacked.

    Raises:
        UserError: There is still no room, or the study cannot be written.
    """
    found = sorted(spill_folder().glob(f"*{_ENDING}"))
    return sum(_take_file(study, path) for path in found)


def _take_file(study: Study, path: Path) -> int:
    try:
        with path.open("r+b") as file:
            # One that is still written belongs to its session.
            if not try_lock(file):
                return 0
            taken = _take_lines(study, file.readline(), file)
    except OSError:
        return 0
    if taken is None:
        return 0
    path.unlink(missing_ok=True)
    return taken


def _take_lines(study: Study, head: bytes, lines: Iterable[bytes]) -> int | None:
    """Return how many were brought in; None when they are another study's."""
    told = _object(head)
    ledger = PASSES if told.get("calls") == PASSES.calls else RUNS
    attempts = [a for a in _attempts(lines) if _belongs(study, a, ledger)]
    where = Path(str(told.get("study", "")))
    # A study that was moved is known by its calls; a copy of it takes nothing away.
    if where != study.path and (where.exists() or not attempts):
        return None
    with study.write():
        return sum(_add(study, attempt, ledger) for attempt in attempts)


def _belongs(study: Study, attempt: Attempt, ledger: Ledger) -> bool:
    sql = f"SELECT 1 FROM {ledger.calls} WHERE id = ?"  # noqa: S608 - our own names
    return bool(study.query(sql, (attempt.call,)))


def _add(study: Study, attempt: Attempt, ledger: Ledger) -> bool:
    """Add one attempt unless the study holds it, or the call's end, already."""
    held = study.query(
        f"SELECT 1 FROM {ledger.attempts} WHERE call = ?"  # noqa: S608 - our own names
        " AND (terminal = 1 OR (turn = ? AND number = ?))",
        _key(attempt),
    )
    if held:
        return False
    add_attempts(study, [attempt], ledger)
    # It was in flight when it was paid for; now its end is known.
    rows = study.query(
        f"SELECT id FROM {ledger.sendings} WHERE call = ? AND answered = 0"  # noqa: S608 - our own names
        " ORDER BY id LIMIT 1",
        (attempt.call,),
    )
    for row in rows:
        end_sending(study, row["id"], attempt, ledger)
    return True


def _key(attempt: Attempt) -> _Key:
    return (attempt.call, attempt.turn, attempt.number)


def _line(attempt: Attempt) -> bytes:
    """Return an attempt as one line of base64, in which a torn line is found out."""
    values = asdict(attempt)
    body = attempt.body
    values["body"] = None if body is None else base64.b64encode(body).decode()
    return base64.b64encode(zlib.compress(json.dumps(values).encode(), 1)) + b"\n"


def _attempts(lines: Iterable[bytes]) -> Iterator[Attempt]:
    for line in lines:
        if line.startswith(b"\0"):  # room that was never needed
            return
        # Rest of an earlier, longer line, or one that a kill cut off.
        with suppress(binascii.Error, zlib.error, ValueError, TypeError, KeyError):
            yield _attempt(json.loads(zlib.decompress(base64.b64decode(line))))


def _attempt(values: Row) -> Attempt:
    body = values["body"]
    values["body"] = None if body is None else base64.b64decode(body)
    values["usage"] = Usage(**values["usage"])
    values["outcome"] = Outcome(values["outcome"])
    return Attempt(**values)


def _object(line: bytes) -> dict[str, object]:
    with suppress(ValueError):
        found = json.loads(line)
        if isinstance(found, dict):
            return found
    return {}

"""How many replies of a run ended how: small numbers in place of very many replies.

Everything here is derived from calls and attempts, and can be counted anew at any
time. What is counted is believed only together with its basis, which names everything
that a score depends on; the schema's triggers forget counts whose attempts change.

A *cell* is one model, batch, condition version and scene of a run. How its replies
ended is one number a reply (`study.results.outcome`), which means nothing here.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from director_gui.store.database import Study
from director_gui.store.faults import mended
from director_gui.store.migrations import COUNT_TABLES

Place = tuple[str, str, str, str, str]  # model, batch, condition, its version, scene


class Counted(NamedTuple):
    """How far a run was counted.

    Attributes:
        id: Names this counting; another one of the same run has another.
        run: The run.
        basis: Hash of what its scores depend on.
        until: Id of the last attempt that was looked at.
        calls: How many calls the run had when its cells were made.
    """

    id: int
    run: str
    basis: str
    until: int
    calls: int


class CellCount(NamedTuple):
    """How many replies of a cell ended one way; `outcome` is None without any."""

    cell: int
    place: Place
    calls: int
    outcome: int | None
    n: int


class Counts:
    """The counts of a study: in its file, or in memory where that is read-only.

    Use it in one thread at a time.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._memory: sqlite3.Connection | None = None
        if study.read_only:
            self.leave_the_file()

    def leave_the_file(self) -> None:
        """Go on in memory alone, as when the disk is full."""
        if self._memory is None:
            # A job's thread makes it, another may use it next.
            self._memory = sqlite3.connect(
                ":memory:", isolation_level=None, check_same_thread=False
            )
            # Without the triggers: nobody changes attempts through this connection.
            self._memory.executescript(COUNT_TABLES)

    def of_run(self, run: str) -> Counted | None:
        """Return how far a run was counted; None before it was begun, or forgotten."""
        # Once a run: counting goes on from what the file had then.
        if self._memory is not None and _of_run(self._memory, run) is None:
            self._copy(run)
        with self._reading() as conn:
            return _of_run(conn, run)

    def begin(
        self, run: str, basis: str, until: int, cells: Mapping[Place, int]
    ) -> Counted:
        """Forget what was counted of a run, and make its cells.

        Args:
            run: The run.
            basis: Hash of what its scores depend on.
            until: Id of an attempt before the run's first.
            cells: How many calls each place has.
        """
        with self._writing() as conn:
            forget(conn, run)
            row = (run, basis, until, sum(cells.values()))
            made = conn.execute(
                "INSERT INTO counted_runs (run, basis, until, calls)"
                " VALUES (?, ?, ?, ?)",
                row,
            ).lastrowid
            conn.executemany(
                "INSERT INTO cells (counted, profile, batch, condition,"
                " condition_hash, scene, calls) VALUES (?, ?, ?, ?, ?, ?, ?)",
                ((made, *place, n) for place, n in cells.items()),
            )
        return Counted(made or 0, *row)

    def add(
        self, counted: Counted, until: int, found: Mapping[tuple[int, int], int]
    ) -> bool:
        """Add what the attempts up to `until` came to, all or nothing.

        Returns:
            Whether it was added; not when somebody else has counted them, or has
            forgotten the run, since `counted` was read.
        """
        with self._writing() as conn:
            moved = conn.execute(
                # The old place is part of the condition: whoever comes second changes
                # nothing.
                "UPDATE counted_runs SET until = ? WHERE id = ? AND until = ?",
                (until, counted.id, counted.until),
            ).rowcount
            if not moved:
                return False
            conn.executemany(
                "INSERT INTO cell_counts (cell, outcome, n) VALUES (?, ?, ?)"
                " ON CONFLICT (cell, outcome) DO UPDATE SET n = n + excluded.n",
                ((cell, outcome, n) for (cell, outcome), n in found.items()),
            )
        return True

    def cells(self, counted: Counted) -> list[CellCount]:
        """Return every cell with its counts, one row a way that replies ended."""
        # One statement, so that nobody can write between the cells and their counts.
        sql = (
            "SELECT k.id, k.profile, k.batch, k.condition, k.condition_hash, k.scene,"
            " k.calls, c.outcome, coalesce(c.n, 0) FROM cells k"
            " LEFT JOIN cell_counts c ON c.cell = k.id WHERE k.counted = ?"
            " ORDER BY k.id, c.outcome"
        )
        with self._reading() as conn:
            rows = conn.execute(sql, (counted.id,)).fetchall()
        return [CellCount(row[0], row[1:6], *row[6:]) for row in rows]

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        if self._memory is not None:
            yield self._memory
            return
        with mended(self._study.path):
            yield self._study.db().conn

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        if self._memory is not None:
            yield self._memory
            return
        with self._study.write() as db:
            yield db.conn

    def _copy(self, run: str) -> None:
        """Take over what the file holds, so that little is left to count."""
        into, file = self._memory, self._study.db().conn
        if into is None:
            return
        with mended(self._study.path), _snapshot(file):
            found = _of_run(file, run)
            if found is None:
                return
            cells = file.execute("SELECT * FROM cells WHERE counted = ?", (found.id,))
            counts = file.execute(
                "SELECT c.* FROM cell_counts c JOIN cells k ON k.id = c.cell"
                " WHERE k.counted = ?",
                (found.id,),
            )
            # With their ids, as the cells refer to them.
            into.execute("INSERT INTO counted_runs VALUES (?, ?, ?, ?, ?)", found)
            into.executemany("INSERT INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)", cells)
            into.executemany("INSERT INTO cell_counts VALUES (?, ?, ?)", counts)


@contextmanager
def _snapshot(conn: sqlite3.Connection) -> Iterator[None]:
    """See one state of the file: another program may be counting in it."""
    conn.execute("BEGIN")
    try:
        yield
    finally:
        conn.execute("ROLLBACK")


def forget(conn: sqlite3.Connection, run: str) -> None:
    """Forget what was counted of a run, and cells that nothing points to any more."""
    conn.execute("DELETE FROM counted_runs WHERE run = ?", (run,))
    # The triggers forget a run by its one row and leave the rest for here.
    conn.execute("DELETE FROM cells WHERE counted NOT IN (SELECT id FROM counted_runs)")
    conn.execute("DELETE FROM cell_counts WHERE cell NOT IN (SELECT id FROM cells)")


def forget_counts(study: Study) -> None:
    """Forget every count of a study; the next reader counts its replies anew."""
    with study.write() as db:
        for table in ("cell_counts", "cells", "counted_runs"):
            db.conn.execute(f"DELETE FROM {table}")  # noqa: S608 - three fixed names


def places_of(study: Study, run: str, start: int, stop: int) -> Counter[Place]:
    """Return how many of a run's calls, from one position up to another, are where."""
    sql = (
        "SELECT profile, batch, condition, condition_hash, scene FROM calls"
        " WHERE run = ? AND position >= ? AND position < ?"
    )
    # Streamed and counted here: SQLite would sort all of it to group it.
    with mended(study.path):
        return Counter(study.db().conn.execute(sql, (run, start, stop)))


def _of_run(conn: sqlite3.Connection, run: str) -> Counted | None:
    row = conn.execute(
        "SELECT id, run, basis, until, calls FROM counted_runs WHERE run = ?", (run,)
    ).fetchone()
    return None if row is None else Counted(*row)

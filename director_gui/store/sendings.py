"""What was in flight: a row from before a request is sent until its end is stored.

A row that is left over when a session begins is of a request that was in flight when
the program was killed, or that ended without a whole reply: it may have been answered,
and paid for, all the same. Such rows stay, because a cost ceiling counts them.
"""

from dataclasses import dataclass

from director_gui.runner.budget import billed
from director_gui.runner.records import Attempt, now_utc
from director_gui.store.database import Study
from director_gui.store.ledger import RUNS, Ledger


@dataclass(frozen=True, slots=True)
class Lost:
    """Requests of a run whose end nobody knows.

    Attributes:
        in_flight: Calls, still open, that were in flight at the last kill; sending
            them again may pay for them twice.
        unanswered: Other requests that ended without a whole reply.
        worst: The most that all of them cost, US dollars; unknown prices as 0.
    """

    in_flight: int
    unanswered: int
    worst: float


def add_sending(
    study: Study, call: str, worst: float | None, ledger: Ledger = RUNS
) -> int:
    """Keep that a call's next request is about to be sent; return the row's id."""
    with study.write() as db:
        cursor = db.execute(
            f"INSERT INTO {ledger.sendings} (call, started, worst) VALUES (?, ?, ?)",  # noqa: S608 - our own names
            (call, now_utc(), worst),
        )
        return int(cursor.lastrowid or 0)


def end_sending(
    study: Study, row: int, attempt: Attempt | None, ledger: Ledger = RUNS
) -> None:
    """Take a row away with the attempt that it became, or because it was not sent.

    The row of an attempt whose cost cannot be known is kept, as answered.
    """
    # An unknown cost counts with its worst case, so that a ceiling holds.
    known = attempt is None or billed(attempt) is not None
    table = ledger.sendings
    with study.write() as db:
        db.execute(
            f"DELETE FROM {table} WHERE id = ? AND (? OR coalesce(worst, 0) = 0)",  # noqa: S608 - our own names
            (row, known),
        )
        if not known:
            db.execute(f"UPDATE {table} SET answered = 1 WHERE id = ?", (row,))  # noqa: S608 - our own names


def lost_of(study: Study, run_id: str, ledger: Ledger = RUNS) -> Lost:
    """Return what a run's earlier sessions left in flight."""
    rows = study.query(
        "SELECT count(DISTINCT CASE WHEN s.answered = 0 AND NOT EXISTS (SELECT 1 FROM"  # noqa: S608 - our own names
        f" {ledger.attempts} a WHERE a.call = s.call AND a.terminal = 1)"
        " THEN s.call END)"
        " AS in_flight, count(*) AS n, coalesce(sum(s.worst), 0.0) AS worst"
        f" FROM {ledger.sendings} s JOIN {ledger.calls} c ON s.call = c.id"
        " WHERE c.run = ?",
        (run_id,),
    )
    found = rows[0]
    unanswered = found["n"] - found["in_flight"]
    return Lost(found["in_flight"], unanswered, found["worst"])


def spent_of(study: Study, run_id: str, ledger: Ledger = RUNS) -> float:
    """Return the dollars that a run spent or may have spent; unknown prices as 0."""
    rows = study.query(
        f"SELECT coalesce(sum(a.cost), 0.0) AS cost FROM {ledger.attempts} a"  # noqa: S608 - our own names
        f" JOIN {ledger.calls} c ON a.call = c.id WHERE c.run = ?",
        (run_id,),
    )
    # May count too much and never too little: a ceiling is a promise.
    return float(rows[0]["cost"]) + lost_of(study, run_id, ledger).worst

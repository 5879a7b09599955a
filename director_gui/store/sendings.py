"""What was in flight: a row from before a request is sent until its end is stored.

A row that is left over when a session begins is of a request that was in flight when
the program was killed, or that ended without a whole reply: it may have been answered,
and paid for, all the same. Such rows stay, because a cost ceiling counts them.
"""

from dataclasses import dataclass

from director_gui.runner.budget import billed
from director_gui.runner.records import Attempt, now_utc
from director_gui.store.database import Study


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


def add_sending(study: Study, call: str, worst: float | None) -> int:
    """Keep that a call's next request is about to be sent; return the row's id."""
    with study.write() as db:
        cursor = db.execute(
            "INSERT INTO sendings (call, started, worst) VALUES (?, ?, ?)",
            (call, now_utc(), worst),
        )
        return int(cursor.lastrowid or 0)


def end_sending(study: Study, row: int, attempt: Attempt | None) -> None:
    """Take a row away with the attempt that it became, or because it was not sent.

    The row of an attempt whose cost cannot be known is kept, as answered.
    """
    known = attempt is None or billed(attempt) is not None
    with study.write() as db:
        db.execute(
            "DELETE FROM sendings WHERE id = ? AND (? OR coalesce(worst, 0) = 0)",
            (row, known),
        )
        db.execute("UPDATE sendings SET answered = 1 WHERE id = ?", (row,))


def lost_of(study: Study, run_id: str) -> Lost:
    """Return what a run's earlier sessions left in flight."""
    rows = study.query(
        "SELECT count(DISTINCT CASE WHEN s.answered = 0 AND NOT EXISTS (SELECT 1 FROM"
        " attempts a WHERE a.call = s.call AND a.terminal = 1) THEN s.call END)"
        " AS in_flight, count(*) AS n, coalesce(sum(s.worst), 0.0) AS worst"
        " FROM sendings s JOIN calls c ON s.call = c.id WHERE c.run = ?",
        (run_id,),
    )
    found = rows[0]
    unanswered = found["n"] - found["in_flight"]
    return Lost(found["in_flight"], unanswered, found["worst"])


def spent_of(study: Study, run_id: str) -> float:
    """Return the dollars that a run spent or may have spent; unknown prices as 0."""
    rows = study.query(
        "SELECT coalesce(sum(a.cost), 0.0) AS cost FROM attempts a"
        " JOIN calls c ON a.call = c.id WHERE c.run = ?",
        (run_id,),
    )
    return float(rows[0]["cost"]) + lost_of(study, run_id).worst

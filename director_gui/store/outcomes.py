"""What calls came to, as plain tuples: for tables over very many replies.

A dictionary or an object per reply would cost more than reading it.
"""

from director_gui.store.database import Study
from director_gui.store.faults import mended

# The call's place; whether a reply came; finish reason; the reply's text; the text of
# turn 1 where the call has two.
EndRow = tuple[str, str, str, str, str, int, str | None, str, str | None]


def call_count(study: Study, run_id: str) -> int:
    """Return how many calls a run has, without reading them."""
    rows = study.query(
        "SELECT max(position) AS last FROM calls WHERE run = ?", [run_id]
    )
    # The last position, as count(*) would walk a million rows of the index.
    return 0 if rows[0]["last"] is None else int(rows[0]["last"]) + 1


def last_attempt(study: Study) -> int:
    """Return the id of the newest attempt, 0 without any."""
    rows = study.query("SELECT coalesce(max(id), 0) AS last FROM attempts")
    return int(rows[0]["last"])


def before_first(study: Study, run_id: str) -> int:
    """Return the id of an attempt, or 0, after which all of a run's attempts come.

    Where a run is a small part of a study this spares reading past the rest.
    """
    last = last_attempt(study)
    # For a large part of the study the search costs more than it spares.
    if 4 * call_count(study, run_id) > last:
        return 0
    rows = study.query(
        "SELECT min(a.id) AS first FROM calls c CROSS JOIN attempts a ON a.call = c.id"
        " WHERE c.run = ?",
        [run_id],
    )
    first = rows[0]["first"]
    # Nothing sent yet: whatever comes is newer than all there is.
    return last if first is None else int(first) - 1


def ends_between(study: Study, run_id: str, after: int, until: int) -> list[EndRow]:
    """Return how a run's calls ended, of the attempts after one id up to another.

    Attempts are never changed and only added, so whoever remembers the last id has
    read everything before it.
    """
    # CROSS JOIN and NOT INDEXED keep this order: attempts by id, each looked up among
    # the calls.
    sql = (
        "SELECT c.profile, c.batch, c.condition, c.condition_hash, c.scene,"
        " a.outcome = 'reply', a.finish_reason, a.text, CASE WHEN a.turns > 1 THEN"
        " (SELECT f.text FROM attempts f WHERE f.call = a.call AND f.turn = 1"
        " AND f.outcome = 'reply') END"
        " FROM attempts a NOT INDEXED CROSS JOIN calls c ON c.id = a.call"
        " WHERE a.id > ? AND a.id <= ? AND a.terminal = 1 AND c.run = ?"
    )
    with mended(study.path):
        conn = study.db().conn
        return conn.execute(sql, (after, until, run_id)).fetchall()


def among_calls(study: Study, run_id: str, calls: frozenset[str]) -> bool:
    """Tell whether a run has one of some calls."""
    return any(
        study.query("SELECT 1 FROM calls WHERE id = ? AND run = ?", [call, run_id])
        # One look-up each ends at the first hit, mostly at once.
        for call in sorted(calls)
    )

"""What calls came to, as plain tuples: for tables over very many replies.

A dictionary or an object per reply would cost more than reading it.
"""

from collections.abc import Iterator

from director_gui.store.database import Study
from director_gui.store.faults import mended

CHUNK = 20_000  # rows held at a time


# Id, profile, condition, its version, batch, scene; version and scene are hashes.
CallRow = tuple[str, str, str, str, str, str]
# Id, which grows with time; call, turn, turns, outcome, finish reason, text.
AnswerRow = tuple[int, str, int, int, str, str | None, str]


def call_count(study: Study, run_id: str) -> int:
    """Return how many calls a run has, without reading them."""
    rows = study.query(
        "SELECT max(position) AS last FROM calls WHERE run = ?", [run_id]
    )
    return 0 if rows[0]["last"] is None else int(rows[0]["last"]) + 1


def call_rows(study: Study, run_id: str) -> list[CallRow]:
    """Return a run's calls in the order they are sent."""
    sql = (
        "SELECT id, profile, condition, condition_hash, batch, scene FROM calls"
        " WHERE run = ? ORDER BY position"
    )
    with mended(study.path):
        return study.db().conn.execute(sql, (run_id,)).fetchall()


def answers_after(study: Study, run_id: str, after: int) -> Iterator[list[AnswerRow]]:
    """Yield what came in for a run since attempt `after`, in order, in chunks.

    Attempts are never changed and only added, so whoever remembers the last id has
    read everything before it. Where most attempts are the run's, those of other runs
    come along: to leave them out would cost more than to skip them.
    """
    rows = study.query("SELECT max(id) AS last FROM attempts")
    alone = 2 * call_count(study, run_id) > (rows[0]["last"] or 0)
    while found := _chunk(study, run_id, after, alone=alone):
        yield found
        after = found[-1][0]


def _chunk(study: Study, run_id: str, after: int, *, alone: bool) -> list[AnswerRow]:
    # CROSS JOIN keeps this order: attempts by id, each looked up among the calls.
    among = "" if alone else " CROSS JOIN calls c ON c.id = a.call AND c.run = :run"
    sql = (
        "SELECT a.id, a.call, a.turn, a.turns, a.outcome, a.finish_reason, a.text"  # noqa: S608 - two fixed texts
        f" FROM attempts a{among} WHERE a.id > :after AND a.outcome != 'retry'"
        " ORDER BY a.id LIMIT :most"
    )
    given = {"run": run_id, "after": after, "most": CHUNK}
    with mended(study.path):
        return study.db().conn.execute(sql, given).fetchall()

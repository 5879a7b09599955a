"""The study's log: what was done that must be told, such as an unblinding.

It can only grow; the file itself refuses a change (see `migrations`).
"""

import json
from dataclasses import dataclass

from director_gui.ids import Json, canonical_json
from director_gui.runner.records import now_utc
from director_gui.store.database import Study


@dataclass(frozen=True, slots=True)
class LogEntry:
    """Who did what, when (UTC), with details."""

    id: int
    time: str
    actor: str
    action: str
    detail: Json


def add_entry(study: Study, actor: str, action: str, detail: Json) -> None:
    """Append an entry durably; lone surrogates are kept as their escapes."""
    row = {
        "time": now_utc(),
        "actor": _storable(actor),
        "action": action,
        "detail": canonical_json(_storable(detail)).decode(),
    }
    with study.write() as db:
        db.table("log").insert(row)


def _storable(value: Json) -> Json:
    # A name or a reason from a terminal that is not UTF-8 must not cost the entry.
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {name: _storable(one) for name, one in value.items()}
    return [_storable(one) for one in value] if isinstance(value, list) else value


def entries(study: Study, action: str | None = None) -> list[LogEntry]:
    """Return the entries, oldest first; of one action when it is given."""
    rows = study.query(
        "SELECT * FROM log WHERE ?1 IS NULL OR action = ?1 ORDER BY id", (action,)
    )
    return [LogEntry(**{**row, "detail": json.loads(row["detail"])}) for row in rows]

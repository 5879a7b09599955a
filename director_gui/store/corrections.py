"""Scores corrected by hand: each with a reason, kept beside the automatic score."""

import json
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json
from director_gui.runner.records import now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class Correction:
    """One correction; `score` holds the values a person gave, as JSON."""

    id: int
    call: str
    created: str
    actor: str
    reason: str
    score: Json


def add_correction(
    study: Study, call_id: str, score: Json, *, actor: str, reason: str
) -> None:
    """Keep a correction; earlier ones of the call stay.

    Raises:
        UserError: The reason is empty.
    """
    # A score that was changed without a reason could not be defended later.
    if not reason.strip():
        raise UserError("a correction needs a reason", where=call_id)
    row = {
        "call": call_id,
        "created": now_utc(),
        "actor": actor,
        "reason": reason,
        "score": canonical_json(score).decode(),
    }
    with study.write() as db:
        db.table("corrections").insert(row)


def corrections_of(study: Study, call_id: str) -> list[Correction]:
    """Return a call's corrections, oldest first; the last one counts."""
    rows = study.query(
        "SELECT * FROM corrections WHERE call = ? ORDER BY id", (call_id,)
    )
    return [_correction(row) for row in rows]


def current_corrections(study: Study, run_id: str) -> dict[str, Correction]:
    """Return the correction that counts for each corrected call of a run."""
    rows = study.query(
        "SELECT k.* FROM corrections k JOIN calls c ON k.call = c.id"
        " WHERE c.run = ? ORDER BY k.id",
        (run_id,),
    )
    # Oldest first, so that the dict is left with each call's last one.
    return {row["call"]: _correction(row) for row in rows}


def _correction(row: Row) -> Correction:
    return Correction(**{**row, "score": json.loads(row["score"])})

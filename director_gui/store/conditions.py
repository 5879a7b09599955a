"""Versions of conditions: the pieces that a prompt was made of when it was used.

A version is named by the hash of its content and never edited; another wording is
another version.
"""

import json
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json
from director_gui.runner.records import now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class StoredCondition:
    """One version of a condition.

    Attributes:
        hash: The version's hash.
        name: The condition's name, such as ``move.ask``.
        created: When this version was first kept, UTC.
        pieces: The pieces as JSON, as `prompts` describes them.
    """

    hash: str
    name: str
    created: str
    pieces: Json


def add_condition(study: Study, version: str, name: str, pieces: Json) -> None:
    """Keep a version under its hash; the same version twice changes nothing.

    Raises:
        UserError: Another content is kept under this hash.
    """
    # Canonical, so that equal pieces are equal texts below.
    text = canonical_json(pieces).decode()
    row = {"hash": version, "name": name, "created": now_utc(), "pieces": text}
    with study.write() as db:
        db.table("conditions").insert(row, ignore=True)
        # The hash was computed elsewhere; the content is compared, not believed.
        kept = study.query("SELECT pieces FROM conditions WHERE hash = ?", (version,))
        if kept[0]["pieces"] != text:
            raise UserError(
                "this version of a condition is frozen",
                where=name,
                todo="An edit makes a new version",
            )


def condition(study: Study, version: str) -> StoredCondition:
    """Return one version.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM conditions WHERE hash = ?", (version,))
    if not rows:
        raise UserError("the study holds no such condition", where=version)
    return _condition(rows[0])


def conditions(study: Study) -> list[StoredCondition]:
    """Return all versions in the order they were kept."""
    rows = study.query("SELECT * FROM conditions ORDER BY rowid")
    return [_condition(row) for row in rows]


def _condition(row: Row) -> StoredCondition:
    return StoredCondition(**{**row, "pieces": json.loads(row["pieces"])})

"""Sets of scenes: the family that they were made from, and each scene's facts.

A set is kept under the hash of its family; its scenes are rows in order, so that a
set that was interrupted is the beginning of the whole one.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from director_gui import __version__
from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json
from director_gui.runner.records import now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class StoredSet:
    """A set and where it comes from.

    Attributes:
        id: Hash of the family with its count and seed.
        name: The family's name, unique in the study.
        created: UTC.
        program: The version of the program that made it.
        family: The family file's text; empty for an imported set.
        count: How many scenes it has when it is complete.
        seed: Where its draws began.
        original: The set whose digits it rearranges, None for none.
    """

    id: str
    name: str
    created: str
    program: str
    family: str = field(repr=False)
    count: int
    seed: int
    original: str | None


@dataclass(frozen=True, slots=True)
class SetScene:
    """One scene of a set.

    Attributes:
        set: The set's id.
        position: From 0.
        scene: The scene's hash.
        original: Hash of the scene before its digits were permuted, None for none.
        candidate: The number of the candidate that was accepted.
        rejected: How many candidates before it were refused, by reason.
        facts: Both witnesses, verdicts and key, as `scene check --json` prints them.
    """

    set: str
    position: int
    scene: str
    original: str | None
    candidate: int
    rejected: dict[str, int]
    facts: Json = field(repr=False)


def add_set(
    study: Study,
    set_id: str,
    *,
    name: str,
    family: str,
    count: int,
    seed: int,
    original: str | None = None,
) -> StoredSet:
    """Keep a set without scenes, or return the one that has this id.

    Raises:
        UserError: Another set has this name.
    """
    # Asking twice is how a resumed set is found again.
    known = find_set(study, set_id)
    if known is not None:
        return known
    if study.query("SELECT id FROM sets WHERE name = ?", (name,)):
        raise UserError(
            "the study holds another set of this name, from another family, count "
            "or seed",
            where=name,
            todo="Give the family another name, or use another study",
        )
    row: Row = {
        "id": set_id,
        "name": name,
        # Kept beside the id, which must not depend on when a set was made.
        "created": now_utc(),
        "program": __version__,
        "family": family,
        "count": count,
        "seed": seed,
        "original": original,
    }
    with study.write() as db:
        db.table("sets").insert(row)
    return StoredSet(**row)


def find_set(study: Study, set_id: str) -> StoredSet | None:
    """Return a set by its id, None when the study does not hold it."""
    rows = study.query("SELECT * FROM sets WHERE id = ?", (set_id,))
    return StoredSet(**rows[0]) if rows else None


def sets(study: Study) -> list[StoredSet]:
    """Return all sets, oldest first."""
    return [StoredSet(**r) for r in study.query("SELECT * FROM sets ORDER BY rowid")]


def set_named(study: Study, name: str) -> StoredSet:
    """Return a set by its name.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM sets WHERE name = ?", (name,))
    if not rows:
        raise UserError("the study holds no such set", where=name)
    return StoredSet(**rows[0])


def add_set_scene(study: Study, row: SetScene) -> None:
    """Keep one scene of a set; the scene itself must be kept already."""
    with study.write() as db:
        db.table("set_scenes").insert(
            {
                "set": row.set,
                "position": row.position,
                "scene": row.scene,
                "original": row.original,
                "candidate": row.candidate,
                # Canonical, so that two makings of a set can be compared as bytes.
                "rejected": canonical_json(row.rejected).decode(),
                "facts": canonical_json(row.facts).decode(),
            }
        )


def scene_count(study: Study, set_id: str) -> int:
    """Return how many scenes of a set are kept."""
    rows = study.query(
        'SELECT count(*) AS n FROM set_scenes WHERE "set" = ?', (set_id,)
    )
    return int(rows[0]["n"])


def set_scenes(
    study: Study, set_id: str, *, start: int = 0, limit: int = -1
) -> list[SetScene]:
    """Return the scenes of a set in order, from position `start`, at most `limit`."""
    rows = study.query(
        # By position and not OFFSET, which would read every earlier row again.
        'SELECT * FROM set_scenes WHERE "set" = ? AND position >= ?'
        " ORDER BY position LIMIT ?",
        (set_id, start, limit),
    )
    return [_set_scene(row) for row in rows]


def scenes_in_sets(study: Study, scenes: Iterable[str]) -> list[SetScene]:
    """Return where some scenes, by hash, stand in sets; the oldest set first."""
    rows = study.query(
        'SELECT set_scenes.* FROM set_scenes JOIN sets ON sets.id = set_scenes."set"'
        " WHERE set_scenes.scene IN (SELECT value FROM json_each(?))"
        " ORDER BY sets.rowid, position",
        # As JSON, because SQLite limits how many parameters a statement has.
        (json.dumps(sorted(scenes)),),
    )
    return [_set_scene(row) for row in rows]


def _set_scene(row: Row) -> SetScene:
    # Parsed here alone; nobody else knows that they are kept as text.
    loaded = {name: json.loads(row[name]) for name in ("rejected", "facts")}
    return SetScene(**{**row, **loaded})

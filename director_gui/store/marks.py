"""Pins and drops: what a person thinks of a set's scenes, and why.

Rows are only added, so that a drop that was undone can still be told; of a scene the
newest row counts.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from director_gui.errors import UserError
from director_gui.runner.records import now_utc
from director_gui.store.database import Study

Kind = Literal["pin", "drop", "none"]
MOST_REASON = 2000  # characters


@dataclass(frozen=True, slots=True)
class Mark:
    """What was said of one scene of a set.

    Attributes:
        scene: The scene's hash.
        kind: ``pin``, ``drop``, or ``none`` where a mark was taken back.
        reason: Why, in the person's words.
        actor: Who.
        created: UTC.
    """

    scene: str
    kind: Kind
    reason: str = ""
    actor: str = ""
    created: str = ""


def add_marks(study: Study, set_id: str, marks: Iterable[Mark]) -> None:
    """Keep marks of a set's scenes, all of them or none; they are dated now.

    Raises:
        UserError: A pin or a drop has no reason, or the study cannot be written.
    """
    rows = [(set_id, m.scene, m.kind, _reason(m), m.actor, now_utc()) for m in marks]
    with study.write() as db:
        for row in rows:
            db.execute(
                'INSERT INTO scene_marks ("set", scene, kind, reason, actor, created)'
                " VALUES (?, ?, ?, ?, ?, ?)",
                row,
            )


def marks_of(study: Study, set_id: str) -> dict[str, Mark]:
    """Return the pins and drops that count now, by scene hash."""
    rows = study.query(
        "SELECT scene, kind, reason, actor, created FROM scene_marks WHERE id IN"
        ' (SELECT max(id) FROM scene_marks WHERE "set" = ? GROUP BY scene)'
        " AND kind <> 'none' ORDER BY id",
        (set_id,),
    )
    return {row["scene"]: Mark(**row) for row in rows}


def dropped(study: Study, set_id: str) -> set[str]:
    """Return the hashes of the scenes that were dropped from a set."""
    return {m.scene for m in marks_of(study, set_id).values() if m.kind == "drop"}


def _reason(mark: Mark) -> str:
    reason = mark.reason.strip()
    if mark.kind != "none" and not reason:
        raise UserError(f"a {mark.kind} needs a reason", todo="Say in a few words why")
    # Cut and not refused: a pasted page must not cost the mark.
    return reason[:MOST_REASON]

"""Runs and their calls.

The calls of a run are stored before the first one is sent, in the shuffled order, with
the texts they send: what is left to do can then be read from the file alone.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Literal

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json, sha256_hex
from director_gui.runner.records import Call, CallInput, PlannedCall, now_utc
from director_gui.store.database import Row, Study
from director_gui.store.scenes import image

Kind = Literal["probe", "plan"]
# From the class, so that a new field cannot be forgotten in a statement.
_CALL_FIELDS = tuple(item.name for item in fields(Call))
CALL_COLUMNS = ", ".join(f"calls.{name}" for name in _CALL_FIELDS)


@dataclass(frozen=True, slots=True)
class Run:
    """A probe or a plan that was set going.

    Attributes:
        id: Names the run in every call.
        kind: `probe` or `plan`.
        label: The user's words.
        created: UTC.
        practice: Whether the practice reader answers; then everything made with
            the run is labelled *practice*.
        settings: Profiles, order seed, samples and whatever else shaped the run;
            never a key.
    """

    id: str
    kind: Kind
    label: str
    created: str
    practice: bool
    settings: Json


def add_run(
    study: Study,
    run_id: str,
    kind: Kind,
    label: str,
    *,
    practice: bool,
    settings: Json,
    calls: Sequence[PlannedCall],
) -> Run:
    """Keep a run and all its calls, in order, in one transaction.

    The scenes, pictures and condition versions that the calls name are stored before.

    Raises:
        UserError: The run id is taken.
    """
    if study.query("SELECT id FROM runs WHERE id = ?", (run_id,)):
        raise UserError("there is a run of this id already", where=run_id)
    run = Run(run_id, kind, label, now_utc(), practice, settings)
    row = asdict(run) | {
        "practice": int(practice),
        "settings": canonical_json(settings).decode(),
    }
    with study.write() as db:
        db.table("runs").insert(row)
        # Most scenes share their texts; each is kept once.
        texts = {sha256_hex(t.encode()): t for c in calls for t in c.turns}
        db.table("prompts").insert_all(
            ({"sha256": key, "text": text} for key, text in texts.items()),
            ignore=True,
        )
        db.table("calls").insert_all(
            _call_row(position, planned) for position, planned in enumerate(calls)
        )
    return run


def run(study: Study, run_id: str) -> Run:
    """Return one run.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM runs WHERE id = ?", (run_id,))
    if not rows:
        raise UserError("the study holds no such run", where=run_id)
    return _run(rows[0])


def runs(study: Study, kind: Kind | None = None) -> list[Run]:
    """Return the runs, oldest first; of one kind when `kind` is given."""
    rows = study.query(
        "SELECT * FROM runs WHERE ?1 IS NULL OR kind = ?1 ORDER BY rowid", (kind,)
    )
    return [_run(row) for row in rows]


def calls_of(study: Study, run_id: str) -> list[Call]:
    """Return a run's calls in the order they are sent."""
    rows = study.query(
        f"SELECT {CALL_COLUMNS} FROM calls WHERE run = ? ORDER BY position",  # noqa: S608 - our own column names
        (run_id,),
    )
    return [call_of_row(row) for row in rows]


def planned_call(study: Study, call_id: str) -> PlannedCall:
    """Return a call with the texts of its user turns.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM calls WHERE id = ?", (call_id,))
    if not rows:
        raise UserError("the study holds no such call", where=call_id)
    return PlannedCall(call_of_row(rows[0]), turns_of(study, call_id))


def call_input(study: Study, call: Call) -> CallInput:
    """Return what a stored call sends: its texts and the untouched picture.

    Raises:
        UserError: The study does not hold the call or its picture.
    """
    return CallInput(turns_of(study, call.id), image(study, call.image).png)


def turns_of(study: Study, call_id: str) -> tuple[str, ...]:
    """Return the texts of a stored call's user turns, in order.

    Raises:
        UserError: The study does not hold the call or a text of it.
    """
    # One statement: this is read for every call of a run, between its replies.
    rows = study.query(
        "SELECT p.text FROM calls c, json_each(c.turns) t"
        " LEFT JOIN prompts p ON p.sha256 = t.value WHERE c.id = ? ORDER BY t.key",
        (call_id,),
    )
    if not rows:
        raise UserError("the study holds no such call", where=call_id)
    texts = tuple(row["text"] for row in rows)
    if None in texts:
        raise UserError("a text of this call is missing", where=call_id)
    return texts


def call_of_row(row: Row) -> Call:
    """Return the call in a row that has the columns of `CALL_COLUMNS`."""
    return Call(**{name: row[name] for name in _CALL_FIELDS})


def _call_row(position: int, planned: PlannedCall) -> Row:
    # By hash: the text is kept once for thousands of calls.
    turns = [sha256_hex(text.encode()) for text in planned.turns]
    return asdict(planned.call) | {
        "id": planned.call.id,
        "position": position,
        "turns": json.dumps(turns),
    }


def _run(row: Row) -> Run:
    settings = json.loads(row["settings"])
    return Run(**{**row, "practice": bool(row["practice"]), "settings": settings})

"""Passes of the automatic coder and their calls.

A call's text is kept in parts, for the codebook is the same in all of them; what is
sent is the parts joined end to end.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json, sha256_hex
from director_gui.runner.records import Call, PlannedCall, now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class AutoPass:
    """One automatic coder's work on one packet.

    Attributes:
        id: Names the pass in every call.
        packet: The packet's id.
        alias: The coder's name in the results.
        created: UTC.
        practice: Whether the practice reader codes.
        settings: The profile, the ceiling and the wording; never a key.
    """

    id: str
    packet: str
    alias: str
    created: str
    practice: bool
    settings: Json


def add_pass(
    study: Study,
    pass_id: str,
    packet: str,
    alias: str,
    *,
    practice: bool,
    settings: Json,
    calls: Sequence[PlannedCall],
) -> AutoPass:
    """Keep a pass and its first calls, in one transaction.

    Raises:
        UserError: The packet has a pass of this alias.
    """
    # The table refuses it too; this says so in words.
    if any(one.alias == alias for one in passes_in(study, packet)):
        raise UserError("this packet has a pass of this name", where=alias)
    made = AutoPass(pass_id, packet, alias, now_utc(), practice, settings)
    row = asdict(made) | {
        "practice": int(practice),
        "settings": canonical_json(settings).decode(),
    }
    with study.write() as db:
        db.table("auto_passes").insert(row)
        add_calls(study, pass_id, calls)
    return made


def add_calls(study: Study, pass_id: str, calls: Sequence[PlannedCall]) -> None:
    """Keep more calls of a pass behind those it has, all or none.

    Args:
        study: Open for writing.
        pass_id: The pass.
        calls: The calls; `turns` are the parts of the one text that each sends.
    """
    with study.write() as db:
        # Counted inside the transaction, so that two writers cannot share a place.
        (first,) = db.execute(
            "SELECT count(*) FROM auto_calls WHERE run = ?", (pass_id,)
        ).fetchone()
        texts = {sha256_hex(t.encode()): t for c in calls for t in c.turns}
        db.table("auto_texts").insert_all(
            ({"sha256": key, "text": text} for key, text in texts.items()),
            ignore=True,
        )
        db.table("auto_calls").insert_all(
            _call_row(first + at, planned) for at, planned in enumerate(calls)
        )


def auto_pass(study: Study, pass_id: str) -> AutoPass:
    """Return one pass.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM auto_passes WHERE id = ?", (pass_id,))
    if not rows:
        raise UserError("the study holds no such automatic pass", where=pass_id)
    return _pass(rows[0])


def passes_in(study: Study, packet: str) -> list[AutoPass]:
    """Return the passes of a packet, oldest first."""
    rows = study.query(
        "SELECT * FROM auto_passes WHERE packet = ? ORDER BY rowid", (packet,)
    )
    return [_pass(row) for row in rows]


def text_of_call(study: Study, call: Call) -> str:
    """Return the text that a call of a pass sends.

    Raises:
        UserError: The study does not hold the call.
    """
    rows = study.query("SELECT turns FROM auto_calls WHERE id = ?", (call.id,))
    if not rows:
        raise UserError("the study holds no such call", where=call.id)
    # One look-up a part: the codebook's is in the database's cache after the first.
    parts = [
        study.query("SELECT text FROM auto_texts WHERE sha256 = ?", (key,))[0]["text"]
        for key in json.loads(rows[0]["turns"])
    ]
    return "".join(parts)


def _call_row(position: int, planned: PlannedCall) -> Row:
    parts = [sha256_hex(text.encode()) for text in planned.turns]
    return asdict(planned.call) | {
        "id": planned.call.id,
        "position": position,
        "turns": json.dumps(parts),
    }


def _pass(row: Row) -> AutoPass:
    settings = json.loads(row["settings"])
    return AutoPass(**{**row, "practice": bool(row["practice"]), "settings": settings})

"""Coding packets, their keys, and what coders sent back."""

import json
from dataclasses import dataclass, field

from director_gui.errors import UserError
from director_gui.ids import Json, canonical_json
from director_gui.runner.records import now_utc
from director_gui.store.database import Row, Study


@dataclass(frozen=True, slots=True)
class StoredPacket:
    """A released packet and its key, which stays in the study.

    Attributes:
        id: The packet's 128 random bits, hexadecimal.
        created: UTC.
        form: What an item's text holds, such as `without_report` or `with_reply`.
        commitment: SHA-256 of the salt and the canonical key, logged before release.
        salt: 32 random bytes.
        key: Item id to reply id, text hash and cuts.
        file: The packet file's bytes: what coders were given.
    """

    id: str
    created: str
    form: str
    commitment: str
    # Out of repr, so that no log or traceback unblinds anybody.
    salt: bytes = field(repr=False)
    key: Json = field(repr=False)
    file: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class PacketResults:
    """One coder's results file for a packet, byte for byte."""

    packet: str
    alias: str
    stored: str
    data: bytes = field(repr=False)


def add_packet(
    study: Study,
    packet_id: str,
    *,
    form: str,
    commitment: str,
    salt: bytes,
    key: Json,
    file: bytes = b"",
) -> StoredPacket:
    """Keep a packet; its id must be new.

    Raises:
        UserError: There is a packet of this id.
    """
    if study.query("SELECT id FROM packets WHERE id = ?", (packet_id,)):
        raise UserError("there is a packet of this id already", where=packet_id)
    row = {
        "id": packet_id,
        "created": now_utc(),
        "form": form,
        "commitment": commitment,
        "salt": salt,
        "key": canonical_json(key).decode(),
        "file": file,
    }
    with study.write() as db:
        db.table("packets").insert(row)
    return _packet(row)


def packet(study: Study, packet_id: str) -> StoredPacket:
    """Return one packet.

    Raises:
        UserError: The study does not hold it.
    """
    rows = study.query("SELECT * FROM packets WHERE id = ?", (packet_id,))
    if not rows:
        raise UserError("the study holds no such packet", where=packet_id)
    return _packet(rows[0])


def packets(study: Study) -> list[StoredPacket]:
    """Return all packets, oldest first."""
    return [_packet(r) for r in study.query("SELECT * FROM packets ORDER BY rowid")]


def put_results(study: Study, packet_id: str, alias: str, data: bytes) -> None:
    """Keep a coder's results file, replacing the one kept before.

    Whether `data` continues what is kept is the caller's to check (CODING §5).
    """
    row = {"packet": packet_id, "alias": alias, "stored": now_utc(), "data": data}
    with study.write() as db:
        # The newest file holds all decisions before it, so one is enough.
        db.table("packet_results").insert(row, replace=True)


def results_of(study: Study, packet_id: str) -> list[PacketResults]:
    """Return the results kept for a packet, sorted by alias."""
    rows = study.query(
        "SELECT * FROM packet_results WHERE packet = ? ORDER BY alias", (packet_id,)
    )
    return [PacketResults(**row) for row in rows]


def _packet(row: Row) -> StoredPacket:
    return StoredPacket(**{**row, "key": json.loads(row["key"])})

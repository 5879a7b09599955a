"""Unblind packets: results are locked and hashed first, and the log says so."""

from dataclasses import dataclass

from coding.canonical import sha256_hex
from director_gui.errors import CheckFailedError, UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.log import LogEntry, add_entry, entries
from director_gui.store.packets import PacketResults, results_of
from director_gui.study.blind.adjudicating import keep
from director_gui.study.blind.keys import Opened, opened
from director_gui.study.blind.passes import (
    UNBLINDED,
    WHOLE,
    kin,
    passes_of,
    unblinding_of,
)


@dataclass(frozen=True, slots=True)
class Revealed:
    """Where one item comes from."""

    item: str
    call: str
    model: str
    condition: str
    scene: str


def unblind(study: Study, packet_id: str, actor: str, reason: str) -> LogEntry:
    """Lock the results of a packet and its other passes, and open their keys.

    They hold the same items: whoever learns where those of one packet come from knows
    it of all. The codes as they are now are named by their hashes; what is coded later
    is marked and left out of tables unless it is asked for.

    Returns:
        The log's entry of this packet; each other packet has one of its own.

    Raises:
        UserError: No reason is given, or the study does not hold the packet.
        CheckFailedError: A key is not the one committed to; this is logged, and
            all of the packets stay blind.
    """
    opened(study, packet_id)
    told = _reason(reason, packet_id)
    # One transaction: a coder who merges meanwhile is before all of it or after.
    with study.write():
        details = _details(study, packet_id, actor, told)
        broken = [one for one in details if not one["commitment_kept"]]
        for detail in broken or details:
            action = f"{UNBLINDED}: refused" if broken else UNBLINDED
            add_entry(study, actor, action, detail)
    # A key that was changed after release could tell any story.
    if broken:
        raise CheckFailedError(
            "the key is not the one that was committed to before release",
            where=broken[0]["packet"],
            todo="Do not use this packet's codes; look at the study's log",
        )
    every = entries(study, UNBLINDED)
    return [one for one in every if one.detail["packet"] == packet_id][-1]


def _details(study: Study, packet_id: str, actor: str, reason: str) -> list[Json]:
    # Others that are open already have told their story in the log.
    packets = [
        found
        for found in kin(study, packet_id)
        if found.stored.id == packet_id or unblinding_of(study, found.stored.id) is None
    ]
    # What was settled last may be on disk beside the study only, after a kill.
    for found in packets:
        keep(study, found.stored.id, actor)
    ids = [found.stored.id for found in packets]
    return [
        {**_detail(study, found, WHOLE, reason), "together": ids} for found in packets
    ]


def reveal(
    study: Study, packet_id: str, item: str, actor: str, reason: str
) -> Revealed:
    """Tell where a single item comes from, and log that it was told.

    Raises:
        UserError: No reason is given, or there is no such packet or item, or the item
            is a known-code text.
    """
    found = opened(study, packet_id)
    calls = {**found.calls, **found.repeats}
    if item not in calls:
        raise UserError("is no reply of this packet", where=item)
    _logged(study, actor, _detail(study, found, item, _reason(reason, item)))
    call = calls[item]
    row = study.query(
        "SELECT profile, condition, scene FROM calls WHERE id = ?", (call,)
    )[0]
    return Revealed(item, call, row["profile"], row["condition"], row["scene"])


def _reason(reason: str, where: str) -> str:
    if not reason.strip():
        raise UserError(
            "unblinding needs a reason", where=where, todo="Say why in a few words"
        )
    return reason.strip()


def _detail(study: Study, found: Opened, scope: str, reason: str) -> Json:
    # As they are now, what was coded late included: the log tells the state.
    every = passes_of(study, found, late=True, adjudicated=True)
    heads = {one.alias: one.head for one in every}
    kept = results_of(study, found.stored.id)
    return {
        "packet": found.stored.id,
        "scope": scope,
        "reason": reason,
        "commitment": found.stored.commitment,
        "commitment_kept": found.keeps_commitment(),
        "results": [_result(one, heads[one.alias]) for one in kept],
    }


def _result(results: PacketResults, head: str) -> Json:
    return {
        "alias": results.alias,
        "sha256": sha256_hex(results.data),
        "events": results.data.count(b"\n") - 1,
        "head": head,
    }


def _logged(study: Study, actor: str, detail: Json) -> LogEntry:
    add_entry(study, actor, UNBLINDED, detail)
    return entries(study, UNBLINDED)[-1]

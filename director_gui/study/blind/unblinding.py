"""Unblind a packet: results are locked and hashed first, and the log says so."""

from dataclasses import dataclass

from coding.canonical import sha256_hex
from director_gui.errors import CheckFailedError, UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.log import LogEntry, add_entry, entries
from director_gui.store.packets import PacketResults, results_of
from director_gui.study.blind.adjudicating import keep
from director_gui.study.blind.keys import Opened, opened
from director_gui.study.blind.passes import UNBLINDED, WHOLE, passes_of


@dataclass(frozen=True, slots=True)
class Revealed:
    """Where one item comes from."""

    item: str
    call: str
    model: str
    condition: str
    scene: str


def unblind(study: Study, packet_id: str, actor: str, reason: str) -> LogEntry:
    """Lock a packet's results and open its key; return the log's entry.

    The codes as they are now are named by their hashes; what is coded later is marked
    and left out of tables unless it is asked for.

    Raises:
        UserError: No reason is given, or the study does not hold the packet.
        CheckFailedError: The key is not the one committed to; this is logged, and
            the packet stays blind.
    """
    found = opened(study, packet_id)
    told = _reason(reason, packet_id)
    # What was settled last may be on disk beside the study only, after a kill.
    keep(study, packet_id, actor)
    detail = _detail(study, found, WHOLE, told)
    # A key that was changed after release could tell any story.
    if not detail["commitment_kept"]:
        add_entry(study, actor, f"{UNBLINDED}: refused", detail)
        raise CheckFailedError(
            "the key is not the one that was committed to before release",
            where=packet_id,
            todo="Do not use this packet's codes; look at the study's log",
        )
    return _logged(study, actor, detail)


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

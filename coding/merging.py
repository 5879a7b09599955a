"""Taking in coders' results: what is new, what is refused, what is left to do."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from coding.errors import CodingError
from coding.events import Header
from coding.log import Log, header_of, parse_log
from coding.packet import Packet
from coding.state import ItemState

Change = Literal["new", "same", "update", "older"]


@dataclass(frozen=True, slots=True)
class Merged:
    """A results file that may go into the study.

    Attributes:
        header: Packet, codebook and coder.
        change: "new", or against what is known of the coder: "same", "update" (a
            longer chain with the same beginning), "older" (what is known is longer).
        head: The hash of the chain's last line.
        events: Number of events.
        data: The bytes to keep: the lines that hold.
        states: Item → what the coder says about it, in the packet's order.
        coded: Items with every required field.
        skipped: Items that the coder passed over.
        missing: All other items of the packet, those begun included.
    """

    header: Header
    change: Change
    head: str
    events: int
    data: bytes
    states: Mapping[str, ItemState]
    coded: int
    skipped: int
    missing: int


def merge(
    data: bytes,
    packets: Mapping[str, Packet],
    known: bytes | None = None,
    where: str = "results",
) -> Merged:
    """Check a results file against its packet and what is known of the same coder.

    When `change` is "same" or "older", there is nothing to store.

    Args:
        data: The file's bytes.
        packets: Packet id → packet, of the packets that the study has released.
        known: The bytes kept from the last merge of this packet and alias, or None.
        where: The file's name, for messages.

    Raises:
        CodingError: Unknown packet, wrong hash, broken chain, unknown id or code, a
            quote that is not the text at its span, or a fork of what is known.
    """
    packet = _packet_of(data, packets, where)
    log = parse_log(data, packet, where)
    # What is known was checked when it came in, and is checked again: it is cheap.
    change: Change = "new"
    if known is not None:
        change = _compare(log, parse_log(known, packet, "the results known so far"))
    return _merged(log, packet, change, data[: log.kept])


def _packet_of(data: bytes, packets: Mapping[str, Packet], where: str) -> Packet:
    header = header_of(data, where)
    if header.packet not in packets:
        raise CodingError(
            f"is about packet {header.packet}, which this study has not released",
            where=where,
            todo="Merge it into the study that made the packet",
        )
    return packets[header.packet]


def _compare(new: Log, old: Log) -> Change:
    if new.header.alias != old.header.alias:
        raise CodingError(
            f'"{new.header.alias}" is not the coder "{old.header.alias}"',
            where="results",
        )
    shorter = min(len(new.hashes), len(old.hashes))
    # The chain makes one hash enough: it stands for every line before it.
    if new.hashes[shorter - 1] != old.hashes[shorter - 1]:
        raise _fork(new, old)
    if len(new.hashes) == len(old.hashes):
        return "same"
    return "update" if len(new.hashes) > shorter else "older"


def _fork(new: Log, old: Log) -> CodingError:
    pairs = zip(new.hashes, old.hashes, strict=False)
    # Line 0 is the header, so the last shared event is one less.
    shared = next(i for i, (a, b) in enumerate(pairs) if a != b)
    return CodingError(
        f"two different continuations after event {shared - 1}: "
        f"{_tail(new, shared)} here, {_tail(old, shared)} known",
        where=f"results of {new.header.alias}",
        todo="Ask the coder which of the two files is the right one",
    )


def _tail(log: Log, shared: int) -> str:
    count = len(log.hashes) - shared
    return f"{count} more event{'' if count == 1 else 's'} up to {log.head[:12]}"


def _merged(log: Log, packet: Packet, change: Change, data: bytes) -> Merged:
    states = {item.id: log.fold.state(item.id) for item in packet.items}
    counts = Counter(s.status(packet.codebook) for s in states.values())
    coded, skipped = counts["coded"], counts["skipped"]
    return Merged(
        header=log.header,
        change=change,
        head=log.head,
        events=len(log.hashes) - 1,
        # With its line end, so that the next comparison sees whole lines.
        data=data if data.endswith(b"\n") else data + b"\n",
        states=states,
        coded=coded,
        skipped=skipped,
        missing=len(packet.items) - coded - skipped,
    )

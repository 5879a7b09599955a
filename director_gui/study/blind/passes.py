"""Passes: what each coder has said about a packet's items, as far as it was merged."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coding.canonical import sha256_hex
from coding.log import Log, parse_log
from coding.results import ADJUDICATED, AUTO
from coding.state import ItemState
from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.store.log import LogEntry, entries
from director_gui.store.packets import PacketResults, results_of
from director_gui.study.blind.keys import KNOWN, Opened, all_opened, mended, opened

UNBLINDED = "packet unblinded"
LOCKED = "results locked"
WHOLE = "packet"  # the scope of an unblinding that is about all items
PRACTICE = "practice-"  # how the alias of a practice coder begins


@dataclass(frozen=True, slots=True)
class Pass:
    """One coder's work on one packet.

    Attributes:
        opened: The packet.
        alias: The coder.
        states: Item id to what the coder says; every item of the packet.
        head: Hash of the last event that counts here.
        coded: Items with every required field.
        skipped: Items passed over.
        missing: All others.
        late: Events made after the results were locked (for adjudication, or at the
            unblinding), left out unless they were asked for.
    """

    opened: Opened
    alias: str
    states: Mapping[str, ItemState]
    head: str
    coded: int
    skipped: int
    missing: int
    late: int

    @property
    def done(self) -> bool:
        """Whether every item is coded or skipped."""
        return self.missing == 0

    @property
    def name(self) -> str:
        """How tables call it: a second pass bears its packet's first letters.

        One that was made after the unblinding says so wherever it is counted.
        """
        packet = self.opened.stored.id
        if self.opened.first_pass == packet:
            return self.alias
        late = ", made after unblinding" if self.opened.after_unblinding else ""
        return f"{self.alias} ({packet[:6]}{late})"

    @property
    def adjudicated(self) -> bool:
        """Whether it settles disagreements: then it is no independent coder."""
        return self.alias == ADJUDICATED

    @property
    def practice(self) -> bool:
        """Whether a practice coder made it."""
        return self.alias.startswith(PRACTICE)

    @property
    def automatic(self) -> bool:
        """Whether a model made it."""
        return is_automatic(self.alias)

    def codes(self, field: str) -> dict[str, str]:
        """Return call id to code, of the items that are coded and not skipped."""
        # By call, not by item: ids are new in each packet, calls are not.
        return self._codes(self.opened.calls, field)

    def repeated(self, field: str) -> dict[str, str]:
        """Return call id to the code of its second time in the packet."""
        return self._codes(self.opened.repeats, field)

    def known_right(self, field: str) -> tuple[int, int] | None:
        """Return how many known-code items came back as intended, and of how many.

        None when the packet has none for this field.
        """
        items: Mapping[str, dict[str, dict[str, dict[str, str]]]]
        items = self.opened.stored.key["items"]
        meant = {
            item: secret["hidden"].get("codes", {}).get(field)
            for item, secret in items.items()
            if str(secret["ref"]).startswith(KNOWN)
        }
        # A known item may be written to some fields only.
        wanted = {item: code for item, code in meant.items() if code is not None}
        if not wanted:
            return None
        right = sum(self.states[i].values.get(field) == c for i, c in wanted.items())
        return right, len(wanted)

    def _codes(self, calls: Mapping[str, str], field: str) -> dict[str, str]:
        return {
            calls[item]: state.values[field]
            for item, state in self.states.items()
            if item in calls and not state.skipped and field in state.values
        }


def is_automatic(alias: str) -> bool:
    """Tell whether an alias is one of an automatic coder; no person's may be."""
    return alias.casefold().removeprefix(PRACTICE).startswith(AUTO)


def passes_of(
    study: Study, found: Opened, *, late: bool = False, adjudicated: bool = False
) -> tuple[Pass, ...]:
    """Return the merged passes of a packet, sorted by alias.

    Args:
        study: The study.
        found: The packet.
        late: Count what was coded after the results were locked too.
        adjudicated: Return the adjudicated pass too. Not by default: whoever counts
            coders would count one who has read the others' codes.
    """
    kept = results_of(study, found.stored.id)
    return tuple(
        _pass(found, one, heads_of(study, found.stored.id, one.alias), late=late)
        for one in kept
        if adjudicated or one.alias != ADJUDICATED
    )


def family(study: Study, packet_id: str) -> tuple[Opened, ...]:
    """Return a packet and all others that hold the same items once more.

    Only those with the same codebook: other codes cannot be compared.
    """
    book = opened(study, packet_id).packet.codebook.hash
    same = kin(study, packet_id)
    return tuple(other for other in same if other.packet.codebook.hash == book)


def kin(study: Study, packet_id: str) -> tuple[Opened, ...]:
    """Return a packet and all others of the same items, whatever their codebooks.

    What tells the source of one packet's items tells that of them all.
    """
    first = opened(study, packet_id).first_pass
    return tuple(other for other in all_opened(study) if other.first_pass == first)


def heads_of(study: Study, packet_id: str, alias: str) -> str | None:
    """Return the head that locks a coder's results: what comes after it is late.

    The first lock counts: nobody mends codes after others were compared with them.

    Returns:
        The hash; empty for a coder who came after the unblinding, of whom all is late;
        None while nothing is locked.
    """
    locks = [e for e in entries(study, LOCKED) if e.detail["packet"] == packet_id]
    opening = unblinding_of(study, packet_id)
    for entry in [*locks, opening] if opening else locks:
        for one in entry.detail["results"]:
            if one["alias"] == alias:
                return str(one["head"])
    return "" if opening else None


def unblinding_of(study: Study, packet_id: str) -> LogEntry | None:
    """Return the entry of a packet's first unblinding as a whole, None before it."""
    for entry in entries(study, UNBLINDED):
        if entry.detail["packet"] == packet_id and entry.detail["scope"] == WHOLE:
            return entry
    return None


def refuse_while_blind(study: Study, packet_id: str) -> None:
    """Do nothing once a packet is unblinded: the one gate between codes and conditions.

    Raises:
        UserError: The packet is still blind.
    """
    if unblinding_of(study, packet_id) is None:
        raise UserError(
            "this packet is still blind",
            where=packet_id,
            todo="Unblind it with a reason first",
        )


def _pass(
    found: Opened, results: PacketResults, head: str | None, *, late: bool
) -> Pass:
    with mended():
        log = parse_log(results.data, found.packet, f"results of {results.alias}")
        behind = 0
        # The chain makes a prefix trustworthy: one hash stands for all before it.
        if head is not None:
            locked = _upto(results.data, head)
            behind = len(log.hashes) - len(locked)
            if behind and not late:
                log = parse_log(b"".join(locked) or _header(results), found.packet)
    return _counted(found, results.alias, log, behind)


def _upto(data: bytes, head: str) -> list[bytes]:
    """Return the lines up to the one whose hash is `head`; none when it is not there.

    A coder who came after the unblinding has no locked head: all of it is late.
    """
    lines = list(_lines(data))
    for at, line in enumerate(lines):
        if sha256_hex(line.removesuffix(b"\n")) == head:
            return lines[: at + 1]
    return []


def _header(results: PacketResults) -> bytes:
    return next(_lines(results.data))


def _lines(data: bytes) -> Iterator[bytes]:
    # Not splitlines: a text may hold a carriage return or U+2028.
    return (line + b"\n" for line in data.split(b"\n")[:-1])


def _counted(found: Opened, alias: str, log: Log, late: int) -> Pass:
    packet = found.packet
    states = {item.id: log.fold.state(item.id) for item in packet.items}
    counts = Counter(state.status(packet.codebook) for state in states.values())
    coded, skipped = counts["coded"], counts["skipped"]
    missing = len(packet.items) - coded - skipped
    return Pass(found, alias, states, log.head, coded, skipped, missing, late)

"""Adjudication: items that coders coded differently, settled in a pass of their own.

The results of the coders who are done are locked first, and nothing in them changes.
What is settled goes into a results log like any coder's, under an alias that agreement
never counts: whoever adjudicates has read the others' codes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from coding.bounded import read_file
from coding.codebook import CHOICES, Codebook
from coding.log import MAX_BYTES, parse_log
from coding.packet import Packet
from coding.results import ADJUDICATED, results_name
from coding.state import ItemState, Quote
from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.packets import results_of
from director_gui.study.blind.keys import Opened, mended
from director_gui.study.blind.merging import MergedFile, take_in
from director_gui.study.blind.passes import (
    LOCKED,
    Pass,
    family,
    heads_of,
    passes_of,
    unblinding_of,
)

ELSEWHERE = Quote(-1, -1, "")  # a quote that the text which is shown does not hold
_FOLDER = ".adjudication"  # beside the study, after its name


@dataclass(frozen=True, slots=True)
class Said:
    """What one coder says about an item.

    Attributes:
        coder: The pass's name.
        state: Codes, quotes and note; a quote's place is in the text that is shown,
            `ELSEWHERE` where that text lacks it (the other form of the packet).
    """

    coder: str
    state: ItemState


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that was coded differently.

    Attributes:
        item: Its id in the adjudicated packet.
        fields: The fields whose codes differ.
        said: What each coder says, in an order that is the item's own.
    """

    item: str
    fields: tuple[str, ...]
    said: tuple[Said, ...]

    def settled(self, state: ItemState) -> bool:
        """Tell whether a third code is there for every field that differs."""
        return state.skipped or all(field in state.values for field in self.fields)


@dataclass(frozen=True, slots=True)
class Adjudication:
    """What there is to settle in a packet and its second passes.

    Attributes:
        packet: The family's first packet, cut down to these items, for a session.
        items: Item id to disagreement, in the packet's order.
        states: Item id to what was settled so far.
        coders: The passes that are compared.
        path: The results log of the adjudicated pass.
    """

    packet: Packet
    items: Mapping[str, Disagreement]
    states: Mapping[str, ItemState]
    coders: tuple[str, ...]
    path: Path

    @property
    def settled(self) -> int:
        """How many items are settled."""
        return sum(one.settled(self.states[i]) for i, one in self.items.items())


def disagreements(study: Study, packet_id: str) -> Adjudication:
    """Return the items that coders who are done coded differently; nothing is written.

    Args:
        study: The study.
        packet_id: The packet, or any of its second passes.

    Raises:
        UserError: Fewer than two coders are done, or a log cannot be read.
    """
    packets = family(study, packet_id)
    passes = [p for found in packets for p in passes_of(study, found) if p.done]
    # The same gate as for the figures: a code that is seen could move a coder.
    if len(passes) < 2:
        raise UserError(
            "adjudication needs two coders who are done",
            where=packet_id,
            todo="Merge the results of two coders first",
        )
    base = packets[0]
    path = _path(study, base)
    states = _states(study, base, path)
    listed = {
        item: one
        for item, one in _compared(base, passes).items()
        # What was settled stays in sight, whatever came in since.
        if one.fields or item in states
    }
    items = tuple(item for item in base.packet.items if item.id in listed)
    return Adjudication(
        packet=replace(base.packet, items=items),
        items=listed,
        states={item: states.get(item, ItemState()) for item in listed},
        coders=tuple(one.name for one in passes),
        path=path,
    )


def begin(study: Study, packet_id: str, actor: str) -> Adjudication:
    """Lock the results of the coders who are done, and return what is to be settled.

    Raises:
        UserError: Fewer than two coders are done, nothing differs, a packet is
            unblinded already, or the log's folder cannot be made.
    """
    found = disagreements(study, packet_id)
    packets = family(study, packet_id)
    for one in packets:
        if unblinding_of(study, one.stored.id) is not None:
            raise UserError(
                "this packet is unblinded, so nothing can be adjudicated blind",
                where=one.stored.id,
            )
    if not found.items:
        raise UserError("the coders agree on every item", where=packet_id)
    with study.write():
        for one in packets:
            lock(study, one, actor)
    _keep_log(study, packets[0], found.path)
    return found


def lock(study: Study, found: Opened, actor: str) -> None:
    """Lock the results of a packet's coders who are done; log their hashes.

    What is locked already stays as it is, and a coder who is not done can go on.
    """
    packet = found.stored.id
    done = [
        one
        for one in passes_of(study, found)
        if one.done and heads_of(study, packet, one.alias) is None
    ]
    if done:
        results = [{"alias": one.alias, "head": one.head} for one in done]
        add_entry(study, actor, LOCKED, {"packet": packet, "results": results})


def keep(study: Study, packet_id: str, actor: str) -> MergedFile | None:
    """Take what was settled so far into the study; None when there is nothing new.

    Every decision is on disk before; this makes it part of the study. It is called
    again before an unblinding, so that a kill in between loses nothing.

    Raises:
        UserError: The log was changed by other hands, and is refused.
    """
    base = family(study, packet_id)[0]
    path = _path(study, base)
    if not path.exists():
        return None
    with mended():
        data = read_file(path, MAX_BYTES)
        # A kill can leave less than a header; then nothing was decided.
        whole = b"\n" in data and parse_log(data, base.packet, path.name).kept
    if not whole or _kept(study, base) == data:
        return None
    return take_in(study, data, path.name, actor)


def _path(study: Study, base: Opened) -> Path:
    folder = study.path.with_name(study.path.stem + _FOLDER)
    return folder / results_name(base.stored.id, ADJUDICATED)


def _kept(study: Study, base: Opened) -> bytes:
    rows = results_of(study, base.stored.id)
    return next((row.data for row in rows if row.alias == ADJUDICATED), b"")


def _keep_log(study: Study, base: Opened, path: Path) -> None:
    """Put the log where a session finds it, when the study came here alone."""
    try:
        path.parent.mkdir(exist_ok=True)
        kept = _kept(study, base)
        if kept and not path.exists():
            path.write_bytes(kept)
    except OSError as error:
        raise UserError(
            f"the adjudicated pass cannot be written ({error.strerror})",
            where=str(path.parent),
            todo="Check the folder's rights and the free space",
        ) from error


def _states(study: Study, base: Opened, path: Path) -> dict[str, ItemState]:
    """Return what was settled, of the items that anything was said about."""
    with mended():
        data = read_file(path, MAX_BYTES) if path.exists() else _kept(study, base)
        if b"\n" not in data:
            return {}
        log = parse_log(data, base.packet, path.name)
    said = {item.id: log.fold.state(item.id) for item in base.packet.items}
    return {item: state for item, state in said.items() if state != ItemState()}


@dataclass(frozen=True, slots=True)
class _Side:
    """A pass whose items are found by call: ids are new in each packet of a family."""

    one: Pass
    items: Mapping[str, str]

    def said(self, call: str, text: str) -> Said | None:
        """Return what it says about a call whose shown text is `text`."""
        item = self.items.get(call)
        if item is None or self.one.states[item].skipped:
            return None  # passed over is missing, and no opinion
        state = self.one.states[item]
        quotes = {name: _placed(quote, text) for name, quote in state.quotes.items()}
        return Said(self.one.name, replace(state, quotes=quotes))


def _compared(base: Opened, passes: Sequence[Pass]) -> dict[str, Disagreement]:
    """Return item id to what each coder says, of all replies of the packet."""
    sides = [_Side(p, {c: i for i, c in p.opened.calls.items()}) for p in passes]
    # A known-code item has its code already; there is nothing to settle.
    calls, book = base.calls, base.packet.codebook
    found = {}
    for item in base.packet.items:
        if item.id in calls:
            told = (side.said(calls[item.id], item.text) for side in sides)
            # By their words: a name could decide what a code should.
            said = sorted((s for s in told if s), key=lambda s: sorted(_codes(s)))
            differ = _fields_that_differ(book, said)
            found[item.id] = Disagreement(item.id, differ, tuple(said))
    return found


def _codes(said: Said) -> list[tuple[str, str]]:
    return list(said.state.values.items())


def _placed(quote: Quote, text: str) -> Quote:
    """Return a quote with its place in `text`, which may be of the other form.

    Its words are dropped where the text lacks them: they are of the reply then, and
    could tell whoever adjudicates what was asked.
    """
    if text[quote.start : quote.end] == quote.text:
        return quote
    at = text.find(quote.text)
    return Quote(at, at + len(quote.text), quote.text) if at >= 0 else ELSEWHERE


def _fields_that_differ(book: Codebook, said: Sequence[Said]) -> tuple[str, ...]:
    def codes(name: str) -> set[str]:
        return {s.state.values[name] for s in said if name in s.state.values}

    choices = (field.name for field in book.fields if field.kind in CHOICES)
    return tuple(name for name in choices if len(codes(name)) > 1)

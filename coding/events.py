"""The lines of a results log: one header, then events, each chained to the last."""

from dataclasses import dataclass
from typing import Literal, get_args

from coding import bounded
from coding.canonical import canonical_json
from coding.errors import CodingError
from coding.packet import MAX_ITEMS, MAX_TEXT
from coding.randomness import ID_DIGITS

FORMAT = "director-results/1"
MAX_VALUE = 20_000  # characters of a note, a text or a quote
MAX_EVENTS = 50 * MAX_ITEMS
Kind = Literal["code", "quote", "note", "skip", "flag", "guess", "undo", "redo"]
# What a coder may guess about an item once all are decided: whether the visibility
# question was asked before the choice. Apart from codes, and never one of them.
ASKED, NOT_ASKED, UNKNOWN = "asked", "not-asked", "unknown"
GUESSES = (ASKED, NOT_ASKED, UNKNOWN)
Value = str | bool | None
# What each kind of event carries beside seq, prev, event and item.
_KEYS: dict[str, tuple[str, ...]] = {
    "code": ("field", "value"),
    "quote": ("field", "value", "start", "end"),
    "note": ("value",),
    "skip": ("value",),
    "flag": ("value",),
    "guess": ("value",),
    "undo": ("target",),
    "redo": ("target",),
}


@dataclass(frozen=True, slots=True)
class Header:
    """The first line: whose results these are, and of exactly which packet.

    Attributes:
        packet: The packet's id.
        manifest: SHA-256 of the packet's manifest.
        codebook: SHA-256 of the packet's codebook.
        alias: The coder's chosen name.
    """

    packet: str
    manifest: str
    codebook: str
    alias: str


@dataclass(frozen=True, slots=True)
class Event:
    """One decision of a coder, or the taking back of one.

    Attributes:
        seq: 1 for the first event, then counting.
        kind: What was done.
        item: The item it was done to.
        field: The codebook's field (code and quote events).
        value: The code or text, None to clear it; true or false for skip and flag;
            the quoted text.
        start: First code point of the quote in the item's text.
        end: One past its last code point.
        target: The event that an undo or redo is about.
    """

    seq: int
    kind: Kind
    item: str
    field: str = ""
    value: Value = None
    start: int = 0
    end: int = 0
    target: int = 0


def header_line(header: Header) -> bytes:
    """Return the header's line, without its line end."""
    return canonical_json(
        {
            "format": FORMAT,
            "packet": header.packet,
            "manifest": header.manifest,
            "codebook": header.codebook,
            "alias": header.alias,
        }
    )


def event_line(event: Event, prev: str) -> bytes:
    """Return an event's line, without its line end.

    Args:
        event: The event.
        prev: SHA-256 of the line before.
    """
    # Each kind writes its own keys alone: an empty one would be open to readings.
    carried = {name: getattr(event, name) for name in _KEYS[event.kind]}
    return canonical_json(
        {
            "seq": event.seq,
            "event": event.kind,
            "item": event.item,
            "prev": prev,
            **carried,
        }
    )


def read_header(line: bytes, where: str) -> Header:
    """Return the header in a line.

    Raises:
        CodingError: The line is no header.
    """
    keys = ("format", "packet", "manifest", "codebook", "alias")
    obj = bounded.fields(bounded.load_json(line, where, max_depth=1), where, keys)
    if obj["format"] != FORMAT:
        raise CodingError(f'must be "{FORMAT}"', where=f"{where}.format")
    return Header(
        packet=bounded.hexadecimal(obj, "packet", where, ID_DIGITS),
        manifest=bounded.hexadecimal(obj, "manifest", where, 64),
        codebook=bounded.hexadecimal(obj, "codebook", where, 64),
        alias=bounded.name(obj, "alias", where),
    )


def read_event(line: bytes, where: str) -> tuple[Event, str]:
    """Return the event in a line, and the hash that it gives for the line before.

    Raises:
        CodingError: The line is no event.
    """
    value = bounded.load_json(line, where, max_depth=1)
    # The kind decides which keys there must be, so it is read first.
    kind = _kind(value, where)
    keys = ("seq", "event", "item", "prev", *_KEYS[kind])
    obj = bounded.fields(value, where, keys)
    event = Event(
        seq=bounded.whole(obj, "seq", where, 1, MAX_EVENTS),
        kind=kind,
        item=bounded.hexadecimal(obj, "item", where, ID_DIGITS),
        field=bounded.text(obj, "field", where, 32),
        value=_value(obj, kind, where),
        start=_place(obj, "start", where),
        end=_place(obj, "end", where),
        target=_target(obj, where),
    )
    return event, bounded.hexadecimal(obj, "prev", where, 64)


def _kind(value: object, where: str) -> Kind:
    found = value.get("event") if isinstance(value, dict) else None
    for kind in get_args(Kind):
        if found == kind:
            known: Kind = kind
            return known
    raise CodingError("is no event", where=where)


def _value(obj: dict[str, object], kind: Kind, where: str) -> Value:
    value = obj.get("value")
    if kind in ("skip", "flag"):
        if not isinstance(value, bool):
            raise CodingError("must be true or false", where=f"{where}.value")
        return value
    # None clears a field; '' would be a text.
    if value is None:
        return None
    if kind == "guess" and value not in GUESSES:
        raise CodingError("is no guess", where=f"{where}.value")
    return bounded.text(obj, "value", where, MAX_VALUE, plain=False)


def _place(obj: dict[str, object], key: str, where: str) -> int:
    return bounded.whole(obj, key, where, 0, MAX_TEXT) if key in obj else 0


def _target(obj: dict[str, object], where: str) -> int:
    if "target" not in obj:
        return 0
    return bounded.whole(obj, "target", where, 1, MAX_EVENTS)

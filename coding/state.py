"""What a coder's events come to: the state of each item, what can be undone.

The state is a fold of the events, nothing else; undoing is an event too.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from coding.codebook import CHOICES, Codebook
from coding.errors import CodingError
from coding.events import MAX_VALUE, Event
from coding.packet import Packet

T = TypeVar("T")
Status = Literal["open", "started", "coded", "skipped"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A passage of an item's text, in code points: ``text[start:end] == quote``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class ItemState:
    """What one coder has said about one item.

    Attributes:
        values: Field → code or text.
        quotes: Field → quote.
        note: A remark, '' when there is none.
        skipped: The coder passed the item over: missing, never a code. A later code
            or quote takes the item up again.
        flagged: The coder wants it looked at.
        guess: Whether the coder guesses that the visibility question was asked: one
            of `GUESSES`, '' for none. It is no code and never makes an item coded.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    quotes: Mapping[str, Quote] = field(default_factory=dict)
    note: str = ""
    skipped: bool = False
    flagged: bool = False
    guess: str = ""

    def status(self, book: Codebook) -> Status:
        """Return how far the item is, by the fields that the codebook requires."""
        # Skipping wins over codes that were given before it.
        if self.skipped:
            return "skipped"
        given = self.values.keys() | self.quotes.keys()
        # Without required fields nothing would ever be left to do.
        if book.required and book.required <= given:
            return "coded"
        return "started" if given else "open"


class Fold:
    """The running fold of a log's events over one packet.

    `check` says whether an event may come next, `apply` takes it in; both are fast
    enough for every key press.
    """

    def __init__(self, packet: Packet) -> None:
        self._packet = packet
        self._events: list[Event] = []
        self._by_item: dict[str, list[Event]] = {}
        self._undone: set[int] = set()
        self._undo: list[int] = []
        self._redo: list[int] = []

    @property
    def next_seq(self) -> int:
        """The sequence number of the event that comes next."""
        return len(self._events) + 1

    @property
    def undoable(self) -> Event | None:
        """The event that an undo would take back."""
        return self._events[self._undo[-1] - 1] if self._undo else None

    @property
    def redoable(self) -> Event | None:
        """The event that a redo would bring back."""
        return self._events[self._redo[-1] - 1] if self._redo else None

    def state(self, item: str) -> ItemState:
        """Return the state of an item; an untouched one is open and empty."""
        state = ItemState()
        for event in self._by_item.get(item, ()):
            if event.seq not in self._undone:
                state = _after(state, event)
        return state

    def check(self, event: Event) -> None:
        """Refuse an event that cannot come next.

        Raises:
            CodingError: Unknown item, field or code, a quote that is not the text at
                its span, or an undo or redo of another event than the next in line.
        """
        if event.seq != self.next_seq:
            raise CodingError(f"the sequence number must be {self.next_seq}")
        item = self._packet.item(event.item)
        match event.kind:
            case "code":
                _check_code(self._packet.codebook, event)
            case "quote":
                _check_quote(self._packet.codebook, event, item.text)
            case "note":
                _check_length(event.value)
            case "undo":
                _check_target(event, self.undoable, "undo")
            case "redo":
                _check_target(event, self.redoable, "redo")
            case _:
                pass  # skip, flag and guess carry nothing that could be wrong

    def apply(self, event: Event) -> None:
        """Take in an event that `check` let pass."""
        # Undone events stay in the list: the log is a history, not a state.
        self._events.append(event)
        if event.kind == "undo":
            self._undone.add(self._undo.pop())
            self._redo.append(event.target)
        elif event.kind == "redo":
            self._undone.discard(self._redo.pop())
            self._undo.append(event.target)
        else:
            self._by_item.setdefault(event.item, []).append(event)
            self._undo.append(event.seq)
            self._redo.clear()


def _after(state: ItemState, event: Event) -> ItemState:
    text = event.value if isinstance(event.value, str) else None
    match event.kind:
        case "code":
            return replace(
                state, values=_with(state.values, event.field, text), skipped=False
            )
        case "quote":
            quote = Quote(event.start, event.end, text) if text else None
            return replace(
                state, quotes=_with(state.quotes, event.field, quote), skipped=False
            )
        case "note":
            return replace(state, note=text or "")
        case "skip":
            return replace(state, skipped=bool(event.value))
        case "guess":
            return replace(state, guess=text or "")
        case _:
            return replace(state, flagged=bool(event.value))


def _with(old: Mapping[str, T], key: str, value: T | None) -> Mapping[str, T]:
    rest = {name: kept for name, kept in old.items() if name != key}
    return rest if value is None else {**rest, key: value}


def _check_code(book: Codebook, event: Event) -> None:
    field = book.field(event.field)
    if field.kind == "quote":
        raise CodingError("this field takes a quote", where=field.name)
    if event.value is None:
        return
    if field.kind in CHOICES:
        field.code(str(event.value))
    else:
        _check_length(event.value)


def _check_quote(book: Codebook, event: Event, text: str) -> None:
    field = book.field(event.field)
    if field.kind != "quote":
        raise CodingError("this field takes no quote", where=field.name)
    if event.value is None:
        return
    if not 0 <= event.start < event.end <= len(text):
        raise CodingError(
            "the quote is empty or lies outside the text", where=field.name
        )
    # The span alone could drift with another reading of the text; both must agree.
    if text[event.start : event.end] != event.value:
        raise CodingError("the quote is not the text at its place", where=field.name)
    _check_length(event.value)


def _check_length(value: object) -> None:
    if isinstance(value, str) and len(value) > MAX_VALUE:
        raise CodingError(f"the text is longer than {MAX_VALUE} characters")


def _check_target(event: Event, expected: Event | None, what: str) -> None:
    if expected is None:
        raise CodingError(f"there is nothing to {what}")
    # Undo is a stack: taking back an older event would change what later ones meant.
    if (event.target, event.item) != (expected.seq, expected.item):
        raise CodingError(f"this is not the event to {what}")

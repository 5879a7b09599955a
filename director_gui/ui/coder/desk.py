"""What lies on the coder's desk: one trace, its codes, and where to go next.

The desk owns the place in the packet and the one decision that a failing disk keeps
waiting; the session owns everything that is on disk. Views observe, never each other.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from coding.codebook import Codebook, Field
from coding.errors import CodingError
from coding.packet import Item, Packet
from coding.results import CodingSession, Progress
from coding.state import ItemState, Quote, Status
from coding.textmap import TextMap
from director_gui.ui.coder.saving import Record, Saver

T = TypeVar("T")
_EDGES = " \t\r\n"  # blanks at the ends of a selection are no part of a quote


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing the coder decided.

    Attributes:
        record: Puts it on disk; returns the item to show, if it is another.
        shown: The item's state as it will be, to show while the disk fails.
    """

    record: Record
    shown: Callable[[ItemState], ItemState]


class Desk(QObject):
    """The trace that is up, and everything that can be done to it."""

    moved = Signal()  # another trace is up
    changed = Signal()  # its codes, or the counts, are others now
    hinted = Signal(str)  # a remark that needs no answer
    failed = Signal(str)  # the disk refuses; '' when it obeys again
    finished = Signal()  # the last trace is behind us, or nothing is left open

    def __init__(
        self, packet: Packet, session: CodingSession, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.packet = packet
        self._saver = Saver(session)
        self._pending: Decision | None = None
        self._warned = False
        # Whoever comes back to a packet that is done wants to look, not to be sent off.
        self._end_shown = self.progress.open == 0
        self._index = self._first()
        self._text = TextMap(self.item.text)

    @property
    def book(self) -> Codebook:
        """The packet's codebook."""
        return self.packet.codebook

    @property
    def session(self) -> CodingSession:
        """The results, as far as they are on disk."""
        return self._saver.session

    @property
    def index(self) -> int:
        """The place of the trace in the packet, from 0."""
        return self._index

    @property
    def item(self) -> Item:
        """The trace that is up."""
        return self.packet.items[self._index]

    @property
    def text(self) -> TextMap:
        """Its text, and the way from what is shown back to it."""
        return self._text

    @property
    def state(self) -> ItemState:
        """Its codes, with the decision that still waits for the disk."""
        state = self.session.state(self.item.id)
        return self._pending.shown(state) if self._pending else state

    @property
    def status(self) -> Status:
        """How far it is on disk."""
        return self.session.status(self.item.id)

    @property
    def progress(self) -> Progress:
        """How far the packet is."""
        return self.session.progress()

    @property
    def waits(self) -> bool:
        """Tell whether a decision is not on disk yet."""
        return self._pending is not None

    def missing(self) -> list[Field]:
        """Return the required fields that the trace still lacks."""
        state = self.state
        given = state.values.keys() | state.quotes.keys()
        return [f for f in self.book.fields if f.required and f.name not in given]

    def choose(self, field: str, code: str) -> None:
        """Give a field its code; the same code again takes it away."""
        # Buttons are toggles: a slip is mended by the key that made it.
        value = None if self.state.values.get(field) == code else code
        self._set_value(field, value)

    def write(self, field: str, text: str) -> None:
        """Give a text field its text; '' takes it away."""
        if text == self.state.values.get(field, ""):
            self.changed.emit()
        else:
            self._set_value(field, text or None)

    def quote(self, field: str, start: int, end: int) -> None:
        """Quote code points of the trace; blanks at either end are left out."""
        text = self.item.text
        while start < end and text[start] in _EDGES:
            start += 1
        while end > start and text[end - 1] in _EDGES:
            end -= 1
        if start == end:
            self.hinted.emit("Select the words in the trace first, then press the key")
            return
        item, quote = self.item.id, Quote(start, end, text[start:end])
        self._decide(
            lambda s: s.record_quote(item, start, end, field),
            lambda state: replace(state, quotes={**state.quotes, field: quote}),
        )

    def unquote(self, field: str) -> None:
        """Take a field's quote away."""
        item = self.item.id
        if field in self.state.quotes:
            self._decide(
                lambda s: s.clear_quote(item, field),
                lambda state: replace(state, quotes=_without(state.quotes, field)),
            )

    def note(self, text: str) -> None:
        """Write a note about the trace."""
        item = self.item.id
        if text == self.state.note:
            self.changed.emit()
        else:
            self._decide(
                lambda s: s.set_note(item, text),
                lambda state: replace(state, note=text),
            )

    def skip(self) -> None:
        """Pass the trace over, or take it up again."""
        item, on = self.item.id, not self.state.skipped
        # `item` is bound now: a retry may come when another trace would be up.
        self._decide(
            lambda s: s.set_skip(item, on=on),
            lambda state: replace(state, skipped=on),
        )
        said = (
            "Skipped: it counts as missing, never as a code. Skip again to take it up"
        )
        self.hinted.emit(said if on else "Taken up again")

    def flag(self) -> None:
        """Flag the trace to be looked at, or remove the flag."""
        item, on = self.item.id, not self.state.flagged
        self._decide(
            lambda s: s.set_flag(item, on=on),
            lambda state: replace(state, flagged=on),
        )

    def guess(self, guess: str) -> None:
        """Guess what was asked before; the same guess again takes it away."""
        item, value = self.item.id, None if self.state.guess == guess else guess
        self._decide(
            lambda s: s.set_guess(item, value),
            lambda state: replace(state, guess=value or ""),
        )

    def unguessed(self) -> int:
        """Return how many traces are without a guess."""
        states = (self.session.state(item.id) for item in self.packet.items)
        return sum(not state.guess for state in states)

    def next_unguessed(self, start: int | None = None) -> bool:
        """Go to the next trace without a guess; False when there is none.

        Args:
            start: The place to begin at, going round at the end; None for this trace.
        """
        count, first = len(self.packet.items), self._index if start is None else start
        for at in (place % count for place in range(first, first + count)):
            if not self.session.state(self.packet.items[at].id).guess:
                self._go(at)
                return True
        return False

    def undo(self) -> None:
        """Take back the last decision and show its trace."""
        if self.session.can_undo():
            self._decide(lambda s: s.undo())
        else:
            self.hinted.emit("There is nothing to undo")

    def redo(self) -> None:
        """Bring back the decision that was taken back last, and show its trace."""
        if self.session.can_redo():
            self._decide(lambda s: s.redo())
        else:
            self.hinted.emit("There is nothing to redo")

    def retry(self) -> bool:
        """Try to put the waiting decision on disk; True when nothing waits."""
        if self._pending is not None:
            self._save(self._pending)
        return self._pending is None

    def next(self) -> None:
        """Go to the next trace; an uncoded one is named once before it is left."""
        if not self.retry() or self._holds():
            return
        last = self._index + 1 == len(self.packet.items)
        if last or (not self._end_shown and self.progress.open == 0):
            self._end_shown = self.progress.open == 0
            self.finished.emit()
        else:
            self._go(self._index + 1)

    def previous(self) -> None:
        """Go back one trace."""
        if self.retry():
            self._go(max(0, self._index - 1))

    def next_uncoded(self) -> None:
        """Go to the next trace that is neither coded nor skipped."""
        if not self.retry():
            return
        item = self.session.next_uncoded(self.item.id)
        if item is None:
            self.hinted.emit("Every trace is coded or skipped")
        else:
            self._go(self.packet.positions[item.id])

    def _first(self) -> int:
        item = self.session.next_uncoded()
        return self.packet.positions[item.id] if item else 0

    def _go(self, index: int) -> None:
        if index == self._index:
            return  # the caret and the selection stay where they are
        self._index = index
        self._text = TextMap(self.item.text)
        self._warned = False
        self.moved.emit()

    def _holds(self) -> bool:
        missing = self.missing()
        if self._warned or not missing or self.state.skipped:
            return False
        # Said once: a coder who only looks around must not be stopped at every trace.
        self._warned = True
        self.hinted.emit(
            f"Not coded yet: {_listed(f.label for f in missing)}. "
            "Next again leaves it open"
        )
        return True

    def _set_value(self, field: str, value: str | None) -> None:
        item = self.item.id

        def shown(state: ItemState) -> ItemState:
            rest = _without(state.values, field)
            values = rest if value is None else {**rest, field: value}
            return replace(state, values=values)

        self._decide(lambda s: s.record_code(item, field, value), shown)

    def _decide(
        self,
        record: Record,
        shown: Callable[[ItemState], ItemState] = lambda state: state,
    ) -> None:
        # A decision that still waits goes first: the log keeps the order of things.
        if self.retry():
            self._save(Decision(record, shown))

    def _save(self, decision: Decision) -> None:
        try:
            item = self._saver.save(decision.record)
        except CodingError as error:
            self._refuse(decision, error)
            return
        self._pending = None
        self._warned = False
        self.failed.emit("")
        if item is not None and item != self.item.id:
            self._go(self.packet.positions[item])
        self.changed.emit()

    def _refuse(self, decision: Decision, error: CodingError) -> None:
        waits = isinstance(error.__cause__, OSError)
        if waits:
            self._pending = decision
        self.changed.emit()
        (self.failed if waits else self.hinted).emit(str(error))


def _without(old: Mapping[str, T], key: str) -> dict[str, T]:
    return {name: value for name, value in old.items() if name != key}


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last

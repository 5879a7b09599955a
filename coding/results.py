"""One coder's work on one packet: every decision on disk before it is shown."""

import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from types import TracebackType
from typing import Literal, Self

from coding.appending import AppendFile
from coding.canonical import sha256_hex
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.events import GUESSES, Event, Header, event_line, header_line
from coding.log import MAX_BYTES, Log, parse_log
from coding.packet import Item, Packet
from coding.state import Fold, ItemState, Status

SUFFIX = ".jsonl"
# Aliases that the study gives to passes which are no person's.
AUTO, ADJUDICATED = "auto-", "adjudicated"
_ALIAS = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_LONG_BREAK = 600.0  # s; a longer gap between two items is a pause, not work


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a coder is.

    Attributes:
        total: Items in the packet.
        coded: Items with every required field.
        skipped: Items passed over.
        open: Items that are neither.
        seconds_left: Median time per item of this sitting times the open items; None
            before two items are done.
    """

    total: int
    coded: int
    skipped: int
    open: int
    seconds_left: float | None


def results_name(packet_id: str, alias: str) -> str:
    """Return the name of a results file.

    Raises:
        CodingError: The alias is not 1 to 32 ASCII letters, digits, - and _.
    """
    if not _ALIAS.fullmatch(alias):
        raise CodingError(
            "an alias has 1 to 32 letters, digits, - and _",
            where="alias",
            todo="Choose another alias",
        )
    return f"{packet_id}-{alias}{SUFFIX}"


def own_alias(alias: str) -> str:
    """Return an alias that a person may code under.

    Told at the start: results under another one are refused when they are merged.

    Raises:
        CodingError: The alias is kept for passes that are no person's.
    """
    plain = alias.casefold()
    if plain == ADJUDICATED or plain.startswith(AUTO):
        raise CodingError(
            f'"{alias}" is kept for passes that are no person\'s',
            where="alias",
            todo="Choose another alias",
        )
    return alias


class CodingSession:
    """A packet, a results file that is open for this coder alone, and the state.

    Every `record_…`, `set_…`, `undo` and `redo` returns after its event is on disk;
    one that is refused raises CodingError and changes nothing.

    Attributes:
        packet: The packet.
        path: The results file.
        header: Its header; `header.alias` names the coder.
        torn: Bytes of a last line that a kill had cut short; they were kept beside
            the file with the suffix ``.torn``, b"" when there were none.
    """

    def __init__(
        self,
        packet: Packet,
        path: Path,
        alias: str,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Open the results file at `path`, or create it, and lock it.

        Args:
            packet: The packet to code.
            path: The results file, best named by `results_name`.
            alias: The coder's name; an existing file must bear the same.
            clock: Seconds, for the time that is left.

        Raises:
            CodingError: The file is open elsewhere, belongs to another packet, coder
                or codebook, its chain is broken, or the disk refuses.
        """
        results_name(packet.id, alias)
        self.packet, self.path, self.torn = packet, path, b""
        # The file must match these four to the letter before anything is added to it.
        self.header = Header(packet.id, packet.manifest, packet.codebook.hash, alias)
        self._clock, self._seconds = clock, list[float]()
        self._since = clock()
        self._file = AppendFile(path)
        try:
            log = self._resume(self._file.read(MAX_BYTES))
        except CodingError:
            self._file.close()
            raise
        self._head = log.head if log else sha256_hex(header_line(self.header))
        self._fold = log.fold if log else Fold(packet)
        # Kept up to date event by event: a fold over 10,000 items for each key press
        # would be slower than a picture frame.
        self._status = {i.id: self.state(i.id).status(self._book) for i in packet.items}
        self._counts = Counter(self._status.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file; what was recorded is on disk already."""
        self._file.close()

    @property
    def head(self) -> str:
        """SHA-256 of the log's last line, which stands for all of it."""
        return self._head

    def state(self, item: str) -> ItemState:
        """Return what the coder has said about an item so far."""
        return self._fold.state(item)

    def status(self, item: str) -> Status:
        """Return how far an item is: open, started, coded or skipped."""
        return self._status[self.packet.item(item).id]

    def progress(self) -> Progress:
        """Return how far the coder is."""
        total, counts = len(self.packet.items), self._counts
        # The median, because one long look at a hard trace says little about the rest.
        left = total - counts["coded"] - counts["skipped"]
        pace = median(self._seconds) * left if len(self._seconds) > 1 else None
        return Progress(total, counts["coded"], counts["skipped"], left, pace)

    def next_uncoded(self, after: str | None = None) -> Item | None:
        """Return the next item that is neither coded nor skipped, or None.

        Args:
            after: The item to look behind, going round at the end; None to look from
                the start.
        """
        items = self.packet.items
        first = self.packet.positions[self.packet.item(after).id] + 1 if after else 0
        # Once around, ending with the item itself if it is the only one left.
        for at in range(first, first + len(items)):
            item = items[at % len(items)]
            if self._status[item.id] in ("open", "started"):
                return item
        return None

    def record_code(self, item: str, field: str, value: str | None) -> None:
        """Give a field its code (or text); None takes it away.

        Raises:
            CodingError: Unknown item, field or code; or the disk refuses.
        """
        self._record(Event(self._fold.next_seq, "code", item, field, value))

    def record_quote(
        self, item: str, start: int, end: int, field: str | None = None
    ) -> None:
        """Quote a passage.

        Args:
            item: The item.
            start: Its first code point in the item's text (see `TextMap.span`).
            end: One past its last code point.
            field: The field; None for the codebook's first quote field.

        Raises:
            CodingError: Unknown item or field, an empty or outside span; or the disk
                refuses.
        """
        text = self.packet.item(item).text
        if not 0 <= start < end <= len(text):
            raise CodingError("the quote is empty or lies outside the text")
        # The text is stored beside its span, so that each can prove the other.
        name = field or self._book.quote_field().name
        seq = self._fold.next_seq
        self._record(Event(seq, "quote", item, name, text[start:end], start, end))

    def clear_quote(self, item: str, field: str | None = None) -> None:
        """Take the quote of a field away (None: the first quote field)."""
        name = field or self._book.quote_field().name
        self._record(Event(self._fold.next_seq, "quote", item, name))

    def set_note(self, item: str, text: str) -> None:
        """Write a note about an item; '' removes it."""
        self._record(Event(self._fold.next_seq, "note", item, value=text))

    def set_skip(self, item: str, *, on: bool = True) -> None:
        """Pass an item over (missing, never a code), or take it up again."""
        self._record(Event(self._fold.next_seq, "skip", item, value=on))

    def set_flag(self, item: str, *, on: bool = True) -> None:
        """Flag an item to be looked at, or remove the flag."""
        self._record(Event(self._fold.next_seq, "flag", item, value=on))

    def set_guess(self, item: str, guess: str | None) -> None:
        """Guess whether the visibility question was asked; None takes it back.

        Args:
            item: The item.
            guess: One of `events.GUESSES`.

        Raises:
            CodingError: Unknown item or no guess; or the disk refuses.
        """
        if guess is not None and guess not in GUESSES:
            raise CodingError("is no guess", where=guess[:40])
        self._record(Event(self._fold.next_seq, "guess", item, value=guess))

    def can_undo(self) -> bool:
        """Tell whether there is an event to take back."""
        return self._fold.undoable is not None

    def can_redo(self) -> bool:
        """Tell whether there is an undone event to bring back."""
        return self._fold.redoable is not None

    def undo(self) -> str | None:
        """Take back the last event; return its item, None when there is nothing."""
        return self._turn("undo", self._fold.undoable)

    def redo(self) -> str | None:
        """Bring back the last undone event; return its item, None when nothing is."""
        return self._turn("redo", self._fold.redoable)

    @property
    def _book(self) -> Codebook:
        return self.packet.codebook

    def _turn(self, kind: Literal["undo", "redo"], target: Event | None) -> str | None:
        if target is None:
            return None
        seq = self._fold.next_seq
        self._record(Event(seq, kind, target.item, target=target.seq))
        return target.item

    def _record(self, event: Event) -> None:
        # Disk first, memory second: what the window shows is never ahead of the file.
        self._fold.check(event)
        line = event_line(event, self._head)
        self._file.append(line + b"\n")
        self._head = sha256_hex(line)
        self._fold.apply(event)
        self._count(event.item)

    def _count(self, item: str) -> None:
        old, new = self._status[item], self.state(item).status(self._book)
        self._status[item] = new
        self._counts[old] -= 1
        self._counts[new] += 1
        # An item that is changed later was timed when it was first done.
        if new in ("coded", "skipped") and old not in ("coded", "skipped"):
            now = self._clock()
            if now - self._since <= _LONG_BREAK:
                self._seconds.append(now - self._since)
            self._since = now

    def _resume(self, data: bytes) -> Log | None:
        header = header_line(self.header) + b"\n"
        # A file that holds less than its header was killed while it was being made.
        if len(data) < len(header) and header.startswith(data):
            if data:
                self._file.truncate(0)
            self._file.append(header)
            self._file.sync_folder()
            return None
        # The whole chain is checked each time: the file was out of our hands.
        log = parse_log(data, self.packet, str(self.path))
        if log.header != self.header:
            raise CodingError(
                f'belongs to the coder "{log.header.alias}"', where=str(self.path)
            )
        self._mend(data, log)
        return log

    def _mend(self, data: bytes, log: Log) -> None:
        # Aside first: a kill between the two steps leaves the line in both places.
        if log.torn:
            self.torn = log.torn
            _keep_aside(self.path, log.torn)
            self._file.truncate(log.kept)
        elif not data.endswith(b"\n"):
            # A whole last event that only lost its line end, in some editor perhaps.
            self._file.append(b"\n")


def _keep_aside(path: Path, torn: bytes) -> None:
    # Never acknowledged, so nothing depends on it; kept for whoever wants to look.
    aside = path.with_name(path.name + ".torn")
    try:
        with aside.open("ab") as file:
            file.write(torn + b"\n")
    except OSError as error:
        raise CodingError(
            f"cannot be written ({error.strerror})", where=str(aside)
        ) from error

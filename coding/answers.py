"""What another tool brought back about a packet's items, recorded like any decision.

Each tool has its own file format; all of them end here, so that every code and quote
passes the same checks whatever it was made with.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from coding.codebook import CHOICES, Codebook, Field
from coding.errors import CodingError
from coding.packet import Packet
from coding.results import CodingSession
from coding.textmap import TextMap

_ASTRAL = re.compile(r"[\U00010000-\U0010FFFF]")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a coder says about one item.

    Attributes:
        item: The item's id.
        values: Field → code or text.
        quotes: Field → code points of the item's original text.
        note: A remark, '' for none.
        skip: The item was passed over.
        flag: The coder wants it looked at.
    """

    item: str
    values: Mapping[str, str] = field(default_factory=dict)
    quotes: Mapping[str, Span] = field(default_factory=dict)
    note: str = ""
    skip: bool = False
    flag: bool = False


def take_in(answers: Sequence[Answer], session: CodingSession, where: str) -> int:
    """Record what the session does not know yet.

    Everything is checked before the first decision is recorded: a file that is
    refused changes nothing.

    Args:
        answers: One for each item at most; what they do not say stays as it is.
        session: Whose results these become.
        where: The file's name, for messages.

    Returns:
        The number of decisions recorded.

    Raises:
        CodingError: An item is unknown or there twice, or a code is unknown.
    """
    seen: set[str] = set()
    for one in answers:
        place = f"{where}, item {one.item[:40]}"
        if session.packet.item(one.item).id in seen:
            raise CodingError("occurs twice", where=place)
        seen.add(one.item)
        _check(one, session.packet.codebook, place)
    decisions = [act for one in answers for act in _decisions(one, session)]
    for decide in decisions:
        decide()
    return len(decisions)


def choice_of(found: Field, said: Iterable[object], where: str) -> str:
    """Return the one code among what a tool gave for a field.

    Args:
        found: The field.
        said: Names or labels of codes.
        where: For messages.

    Raises:
        CodingError: Not exactly one, or no code of this field.
    """
    listed = list(said)
    if len(listed) != 1:
        raise CodingError(
            f"{len(listed)} codes for {found.name}, one is possible", where=where
        )
    for code in found.codes:
        # By its name, or by the label that the tool showed in its place.
        if listed[0] in (code.name, code.label):
            return code.name
    raise CodingError(
        f'"{str(listed[0])[:40]}" is no code of {found.name}',
        where=where,
        todo=f"The codes are {', '.join(found.code_names())}",
    )


def located(text: str, start: int, end: int, words: str | None, where: str) -> Span:
    """Return the code points of the original behind a tool's span of the shown text.

    Tools count differently: in code points, or in UTF-16 units as browsers do. The
    quoted words decide; without them a text in which both differ is refused.

    Args:
        text: The item's original text.
        start: Where the span begins, as the tool counts.
        end: Where it ends, exclusive.
        words: The quoted words, None when the tool does not give them.
        where: For messages.

    Raises:
        CodingError: The span is empty or outside, or its words are not there.
    """
    shown = TextMap(text)
    spans = list(_readings(shown, start, end))
    if words is not None:
        wanted = words.replace("\r\n", "\n")
        spans = [s for s in spans if shown.display[slice(*s)] == wanted]
        # Some versions shift their counts; the words may still name one place.
        if not spans and wanted and shown.display.count(wanted) == 1:
            at = shown.display.index(wanted)
            spans = [(at, at + len(wanted))]
    if len(set(spans)) != 1:
        raise CodingError("the quote is not the text at its place", where=where)
    first, last = spans[0]
    return shown.original_span(first, last)


def narrow(text: str) -> str:
    """Return a text whose every character counts as one in every way of counting.

    Characters outside the basic plane, such as emoji, become ▢; places stay.
    """
    return _ASTRAL.sub("\N{WHITE SQUARE WITH ROUNDED CORNERS}", text)


def same_text(sent: str, back: object, where: str) -> None:
    """Refuse an answer about another text than was sent out.

    Raises:
        CodingError: The texts differ: then no place in one is a place in the other.
    """
    if isinstance(back, str) and back.replace("\r\n", "\n") != sent:
        raise CodingError("the text is not the one that was handed out", where=where)


def _readings(shown: TextMap, start: int, end: int) -> Iterator[Span]:
    """Yield the display's code points for each way of counting that gives a span."""
    if 0 <= start < end <= len(shown.display):
        yield start, end
    units = shown.display.encode("utf-16-le", "surrogatepass")
    if 0 <= start < end <= len(units) // 2:
        before = units[: 2 * start].decode("utf-16-le", "ignore")
        inside = units[2 * start : 2 * end].decode("utf-16-le", "ignore")
        yield len(before), len(before) + len(inside)


def _check(one: Answer, book: Codebook, where: str) -> None:
    for name, value in one.values.items():
        found = book.field(name)
        if found.kind == "quote":
            raise CodingError("this field takes a quote", where=f"{where}, {name}")
        if found.kind in CHOICES:
            choice_of(found, [value], f"{where}, {name}")
    for name in one.quotes:
        if book.field(name).kind != "quote":
            raise CodingError("this field takes no quote", where=f"{where}, {name}")


def _decisions(one: Answer, session: CodingSession) -> Iterator[Callable[[], object]]:
    state, item = session.state(one.item), one.item
    for name, value in one.values.items():
        if state.values.get(name) != value:
            yield partial(session.record_code, item, name, value)
    for name, (start, end) in one.quotes.items():
        known = state.quotes.get(name)
        if known is None or (known.start, known.end) != (start, end):
            yield partial(session.record_quote, item, start, end, name)
    if one.note and one.note != state.note:
        yield partial(session.set_note, item, one.note)
    if one.flag and not state.flagged:
        yield partial(session.set_flag, item)
    # Last, because a code takes a skipped item up again.
    if one.skip and not state.skipped:
        yield partial(session.set_skip, item)


def shown_texts(packet: Packet) -> Iterator[tuple[str, str]]:
    """Yield each item's id and its text as the pane shows it."""
    for item in packet.items:
        yield item.id, TextMap(item.text).display

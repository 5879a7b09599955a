"""An automatic pass as a results log: the same events and chain as a person's."""

from collections.abc import Iterable, Iterator

from coding.canonical import sha256_hex
from coding.events import Event, Header, event_line, header_line
from coding.packet import Item, Packet
from coding.state import Fold
from director_gui.study.blind.auto_answer import Answer
from director_gui.study.blind.auto_work import Verdict
from director_gui.study.blind.keys import mended

UNCODABLE = "uncodable: "  # how the note of an item without codes begins


def results_log(packet: Packet, alias: str, verdicts: Iterable[Verdict]) -> bytes:
    """Return the bytes of a results file that says what an automatic pass said.

    An item without an answer is skipped (missing, never a code), with the reason as
    its note. The same verdicts give the same bytes.

    Raises:
        UserError: A verdict does not fit the packet; it was read from other replies.
    """
    # In the packet's order, whatever the verdicts': then the bytes are always the same.
    said = {verdict.item: verdict for verdict in verdicts}
    line = header_line(Header(packet.id, packet.manifest, packet.codebook.hash, alias))
    lines, fold = [line], Fold(packet)
    with mended():
        for item in packet.items:
            for event in _events(fold, item, said[item.id]):
                fold.check(event)
                line = event_line(event, sha256_hex(line))
                fold.apply(event)
                lines.append(line)
    return b"".join(one + b"\n" for one in lines)


def _events(fold: Fold, item: Item, verdict: Verdict) -> Iterator[Event]:
    # `next_seq` is asked anew for each: the event before it was applied meanwhile.
    if verdict.answer is not None:
        yield from _codes(fold, item, verdict.answer)
        return
    reason = verdict.refusal.words if verdict.refusal else "it was not asked"
    yield Event(fold.next_seq, "note", item.id, value=UNCODABLE + reason)
    yield Event(fold.next_seq, "skip", item.id, value=True)


def _codes(fold: Fold, item: Item, answer: Answer) -> Iterator[Event]:
    # The passage first, as a person selects it before the code.
    for field, (start, end) in answer.quotes.items():
        quote = item.text[start:end]
        yield Event(fold.next_seq, "quote", item.id, field, quote, start, end)
    for field, value in answer.values.items():
        yield Event(fold.next_seq, "code", item.id, field, value)

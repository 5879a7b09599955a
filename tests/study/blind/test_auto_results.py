"""Verdicts as a results log: what went in comes out, for any codebook and any text."""

import random

from hypothesis import assume, given
from hypothesis import strategies as st

from coding.codebook import CHOICES, Codebook
from coding.log import parse_log
from coding.packet import Entry, Packet, seal
from coding.state import Quote
from director_gui.study.blind.auto_answer import Answer, Refusal
from director_gui.study.blind.auto_results import UNCODABLE, results_log
from director_gui.study.blind.auto_work import Verdict
from tests.strategies import FEW, QUICK, codebooks

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=40)


@st.composite
def said(draw: st.DrawFn) -> tuple[Packet, list[Verdict]]:
    """A packet of any codebook, and a verdict about each of its items."""
    book = draw(codebooks())
    texts = draw(st.lists(TEXTS, min_size=1, max_size=4))
    assume(all(text.strip() for text in texts))
    entries = [Entry(str(at), text) for at, text in enumerate(texts)]
    packet = seal(entries, book, random.Random(1).randbytes, {}).packet
    return packet, [_verdict(draw, book, i.id, i.text) for i in packet.items]


def _verdict(draw: st.DrawFn, book: Codebook, item: str, text: str) -> Verdict:
    if draw(st.integers(0, 3)) == 0:
        return Verdict(item, refusal=Refusal("no_json"), asks=2)
    values, quotes = {}, {}
    for field in book.fields:
        if field.kind in CHOICES:
            values[field.name] = draw(st.sampled_from(field.code_names()))
        elif field.kind == "quote":
            start = draw(st.integers(0, len(text) - 1))
            quotes[field.name] = (start, draw(st.integers(start + 1, len(text))))
        else:
            values[field.name] = draw(TEXTS)
    return Verdict(item, answer=Answer(values, quotes), asks=1)


@QUICK
@given(said())
def test_what_was_said_is_what_the_log_says(
    made: tuple[Packet, list[Verdict]],
) -> None:
    packet, verdicts = made
    data = results_log(packet, "auto-x", verdicts)
    log = parse_log(data, packet)
    assert (log.kept, log.torn) == (len(data), b"")
    for verdict, item in zip(verdicts, packet.items, strict=True):
        state = log.fold.state(item.id)
        if verdict.answer is None:
            assert state.skipped
            assert state.note.startswith(UNCODABLE)
            assert not state.values
            assert state.status(packet.codebook) == "skipped"
            continue
        assert dict(state.values) == dict(verdict.answer.values)
        assert dict(state.quotes) == {
            name: Quote(start, end, item.text[start:end])
            for name, (start, end) in verdict.answer.quotes.items()
        }
        assert not state.skipped


@FEW
@given(said(), st.randoms(use_true_random=False))
def test_the_order_of_the_verdicts_moves_nothing(
    made: tuple[Packet, list[Verdict]], order: random.Random
) -> None:
    packet, verdicts = made
    mixed = list(verdicts)
    order.shuffle(mixed)
    assert results_log(packet, "auto-x", mixed) == results_log(
        packet, "auto-x", verdicts
    )

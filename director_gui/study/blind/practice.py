"""Practice coders at work: they code a packet the way a person does, file and all."""

from pathlib import Path

from coding.packet import Item, Packet
from coding.results import CodingSession, results_name
from director_gui.runner.practice.coders import PracticeCoder
from director_gui.runner.practice.traces import Codes, true_codes
from director_gui.study.blind.keys import mended


def practice_coding(
    packet: Packet, alias: str, coder: PracticeCoder, folder: Path
) -> Path:
    """Code every item of a packet; return the results file.

    The codes go through the same session as a person's, so the file is of the same
    kind; a text that is no practice trace is skipped, never guessed. A file that
    another sitting left is gone on with.

    Args:
        packet: What to code; its codebook must be the program's own.
        alias: The coder's name in the file, beginning with ``practice-``.
        coder: Who codes, and how often it errs.
        folder: Where the results file goes.

    Raises:
        UserError: The file is refused, or the codebook lacks a field.
    """
    with mended():
        path = folder / results_name(packet.id, alias)
        with CodingSession(packet, path, alias) as session:
            for item in packet.items:
                # What another sitting has done stays done.
                if session.status(item.id) in ("open", "started"):
                    _code(session, item, coder)
    return path


def _code(session: CodingSession, item: Item, coder: PracticeCoder) -> None:
    truth = true_codes(item.text)
    if truth is None:
        session.set_skip(item.id)
        return
    codes = coder.code(item.text, truth)
    # Offsets of the item's own text, as a person's selection gives them.
    start = item.text.index(codes.quote)
    session.record_quote(item.id, start, start + len(codes.quote), "quote")
    for field, code in _values(codes):
        session.record_code(item.id, field, code)


def _values(codes: Codes) -> tuple[tuple[str, str], ...]:
    return (
        ("reading", codes.reading),
        ("sees_choice", codes.sees_choice),
        ("works_out", codes.works_out),
    )

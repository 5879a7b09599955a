"""Practice coders at work: they code a packet the way a person does, file and all."""

from pathlib import Path

from coding.codebook import NO, NOT_SAID, YES, Codebook
from coding.packet import Item, Packet
from coding.results import CodingSession, results_name
from director_gui.runner.practice.coders import READINGS, PracticeCoder
from director_gui.runner.practice.traces import Codes, true_codes
from director_gui.study.blind.keys import mended

# What practice coders say, in the words of the program's codebook.
_SAID = {
    "reading": READINGS,
    "sees_choice": (YES, NO, NOT_SAID),
    "works_out": (YES, NO),
}


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


def can_code(book: Codebook) -> bool:
    """Tell whether practice coders can code by a codebook: it has all that they say."""
    quotes = [field.name for field in book.fields if field.kind == "quote"]
    codes = {field.name: field.code_names() for field in book.fields if field.codes}
    known = all(
        value in codes.get(field, ())
        for field, values in _SAID.items()
        for value in values
    )
    # Whatever else must be coded they would leave open for ever.
    return known and "quote" in quotes and book.required <= {*_SAID, "quote"}


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

"""Known-code items: traces written to a known code, mixed in unmarked.

How many of them come back as intended says how far a pass can be trusted (METHOD §7).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coding import bounded
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import MAX_TEXT
from director_gui.study.blind.keys import mended

# A file of a stranger's; a few dozen traces are far below.
MAX_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class KnownItem:
    """A trace written to a known code; what a coder sees is written as for replies.

    Attributes:
        name: Unique among the known items.
        reasoning: The reasoning text.
        choice: The block that it chooses.
        codes: Field to the code that it was written to.
        reply: The reply's text, for packets that show the whole reply.
    """

    name: str
    reasoning: str
    choice: int
    codes: Mapping[str, str]
    reply: str = ""


def read_known(path: Path, book: Codebook) -> tuple[KnownItem, ...]:
    """Return the known-code items of a JSON Lines file.

    Lines are ``{"reasoning","choice","codes":{field: code},"reply"?}``.

    Raises:
        UserError: The file cannot be read, a line is no such object, or a code is not
            in the codebook.
    """
    with mended():
        lines = bounded.read_file(path, MAX_BYTES).split(b"\n")
        return tuple(
            _item(line, at, f"{path.name}, line {at}", book)
            for at, line in enumerate(lines, 1)
            if line.strip()
        )


def _item(line: bytes, at: int, where: str, book: Codebook) -> KnownItem:
    value = bounded.load_json(line, where, max_depth=2)
    obj = bounded.fields(value, where, ("reasoning", "choice", "codes"), ("reply",))
    # Quotes and notes have no right answer to be scored against.
    known = [field.name for field in book.fields if field.codes]
    codes = bounded.fields(obj["codes"], f"{where}.codes", (), known)
    return KnownItem(
        # By its line, as the format gives items no name.
        name=str(at),
        reasoning=bounded.text(obj, "reasoning", where, MAX_TEXT, plain=False),
        # Shown to the coder with the trace, as for replies.
        choice=bounded.whole(obj, "choice", where, 0, 99),
        codes={f: _code(book, f, code, where) for f, code in codes.items()},
        reply=bounded.text(obj, "reply", where, MAX_TEXT, plain=False),
    )


def _code(book: Codebook, field: str, code: object, where: str) -> str:
    for name in book.field(field).code_names():
        # The book's own text: what JSON gave may be of any type.
        if name == code:
            return name
    raise CodingError(
        f"{str(code)[:40]!r} is no code of this field", where=f"{where}.codes.{field}"
    )

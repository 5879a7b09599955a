"""How traces were coded, told of the codebooks and packets that were used."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from coding.codebook import Codebook, Field
from director_gui.study.blind.itemtext import FORM_WORDS, FORMS
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.sealing import default_codebook

READING = (
    "Traces are coded for their reading of the request, for whether the chosen "
    "block is taken to be seen, and for whether the director’s view is worked "
    "out; every reading carries a quote."
)
_DEFINED = "The definitions and examples of the codebook."
_CUT = "Names of models are cut from the texts that coders read."
_AUTOMATIC = (
    "The wording around the codebook that an automatic coder gets; an answer that "
    "cannot be used is asked for once more, then the item is uncodable; a pass is "
    "warned of below 90 % of a field’s known-code items as intended."
)
_KINDS = {"quote": "a quote", "text": "free text"}


@dataclass(frozen=True, slots=True)
class CodingChoices:
    """Sentences about the coding.

    Attributes:
        paper: What the paper fixes, where its fields were coded.
        ours: What we chose.
    """

    paper: tuple[str, ...]
    ours: tuple[str, ...]


def coding_choices(packets: Sequence[Opened]) -> CodingChoices:
    """Return how the traces of some packets were coded; nothing where none were."""
    if not packets:
        return CodingChoices((), ())
    # By its hash: an edited version asks something else under the same name.
    built_in = default_codebook().hash
    books = {one.packet.codebook.hash: one.packet.codebook for one in packets}
    papers = built_in in books
    others = [book for key, book in books.items() if key != built_in]
    return CodingChoices(
        paper=(READING,) if papers else (),
        ours=(
            *((_DEFINED,) if papers else ()),
            *map(_described, others),
            *_forms(packets),
            _CUT,
            _AUTOMATIC,
        ),
    )


def _described(book: Codebook) -> str:
    asked = "; ".join(map(_asked, book.fields))
    name = _line(book.title or book.name)
    return f"The codebook “{name}” ({book.name}, version {book.version}): {asked}."


def _asked(field: Field) -> str:
    codes = ", ".join(_line(code.label) for code in field.codes)
    return f"{_line(field.label)} ({codes or _KINDS.get(field.kind, field.kind)})"


def _forms(packets: Iterable[Opened]) -> Iterator[str]:
    used = {one.stored.form for one in packets}
    told = [FORM_WORDS[form] for form in FORMS if form in used]
    if told:
        yield f"What coders read of a reply: {'; or '.join(told)}."


def _line(text: str) -> str:
    # A list of sentences has no place for a label's own lines.
    return " ".join(text.split())

"""An automatic coder's reply, read into codes, or refused with the reason.

Strict JSON only, as everywhere in the program; prose and code fences around it do no
harm. Nothing is guessed: a reply that holds two different answers holds none.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as default
from typing import Literal

from coding.codebook import CHOICES, Codebook, Field
from coding.events import MAX_VALUE
from director_gui.scoring.clean import without_fences, without_reasoning
from director_gui.scoring.scan import JsonObject, Raw, scan

Kind = Literal[
    "no_reply",
    "filtered",
    "cut",
    "empty",
    "no_json",
    "several",
    "missing",
    "no_code",
    "no_quote",
    "no_text",
]
# Never what the reply said: the words are shown before the codes may be seen.
_WORDS: dict[Kind, str] = {
    "no_reply": "no reply came",
    "filtered": "the provider's filter held the reply back",
    "cut": "it was cut off at its length limit",
    "empty": "it was empty",
    "no_json": "it holds no JSON object with the keys that were asked for",
    "several": "it holds more than one answer",
    "missing": "{field} is missing",
    "no_code": "{field} is not a code of the codebook",
    "no_quote": "{field} does not stand in the text to the letter",
    "no_text": "{field} is not a text that can be kept",
}
_SURROGATES = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reply gives no codes.

    Attributes:
        kind: What is wrong.
        field: The codebook's field that it is about; empty for the whole reply.
    """

    kind: Kind
    field: str = ""

    @property
    def words(self) -> str:
        """The reason for people and for the second request; it names no code."""
        return _WORDS[self.kind].format(field=f'"{self.field}"')


@dataclass(frozen=True, slots=True)
class Answer:
    """The codes of one item.

    Attributes:
        values: Field to code or text.
        quotes: Field to the first code point of its quote and one past its last.
    """

    values: Mapping[str, str] = default(default_factory=dict)
    quotes: Mapping[str, tuple[int, int]] = default(default_factory=dict)


class _RefusedError(Exception):
    def __init__(self, kind: Kind, field: str = "") -> None:
        super().__init__(kind)
        self.refusal = Refusal(kind, field)


def read_answer(
    book: Codebook, text: str, reply: str, finish: str | None = None
) -> Answer | Refusal:
    """Return what a reply codes, or why it codes nothing.

    Args:
        book: The codebook that was sent.
        text: The item's text; every quote must stand in it.
        reply: The reply's text.
        finish: The reply's finish reason.
    """
    # Whatever was let through before the filter is not what the model meant to say.
    if finish == "content_filter":
        return Refusal("filtered")
    said = without_fences(without_reasoning(reply))
    try:
        return _read(book, text, _the_one(book, said))
    except _RefusedError as error:
        if error.refusal.kind == "no_json":
            return _nothing(said, finish)
        return error.refusal


def _nothing(said: str, finish: str | None) -> Refusal:
    # A limit is the likelier reason, and the one that a user can mend.
    if finish == "length":
        return Refusal("cut")
    return Refusal("no_json" if said.strip() else "empty")


def _the_one(book: Codebook, said: str) -> Mapping[str, object]:
    """Return the members of the only answer in a reply."""
    names = {field.name for field in book.fields}
    found = list(_answering(scan(said), names))
    if not found:
        raise _RefusedError("no_json")
    # An object that gives a key twice is two answers in one.
    if any(one.repeated for one in found):
        raise _RefusedError("several")
    values = [_members(one, names) for one in found]
    fullest = max(values, key=len)
    for value in values:
        if any(name not in fullest or fullest[name] != value[name] for name in value):
            raise _RefusedError("several")
    return fullest


def _answering(found: list[JsonObject], names: set[str]) -> Iterator[JsonObject]:
    """Return the objects that have a key of ours, but none that lies in another."""
    end = 0
    for one in found:
        if one.start >= end and names & one.members.keys():
            yield one
            end = one.end


def _members(one: JsonObject, names: set[str]) -> dict[str, object]:
    return {name: _member(raw) for name, raw in one.members.items() if name in names}


def _member(raw: Raw) -> object:
    if raw == "null":
        return None
    # Nothing but a string is a code, a quote or a text; `...` is never one.
    return json.loads(raw) if isinstance(raw, str) and raw[0] == '"' else ...


def _read(book: Codebook, text: str, said: Mapping[str, object]) -> Answer:
    values: dict[str, str] = {}
    quotes: dict[str, tuple[int, int]] = {}
    for field in book.fields:
        value = said.get(field.name)
        # Models write "" where they mean null.
        if value is None or (isinstance(value, str) and not value.strip()):
            if field.required:
                raise _RefusedError("missing", field.name)
        elif field.kind in CHOICES:
            values[field.name] = _code(field, value)
        elif field.kind == "quote":
            quotes[field.name] = _span(field, text, value)
        else:
            values[field.name] = _text(field, value)
    return Answer(values, quotes)


def _code(field: Field, value: object) -> str:
    # true is not "yes": a codebook may mean something else by it.
    if isinstance(value, str):
        given = value.strip()
        # An exact name goes first: a codebook may tell "a" from "A".
        exact = [name for name in field.code_names() if name == given]
        alike = [n for n in field.code_names() if n.casefold() == given.casefold()]
        for found in (exact, alike):
            if len(found) == 1:
                return found[0]
    raise _RefusedError("no_code", field.name)


def _span(field: Field, text: str, value: object) -> tuple[int, int]:
    """Return where a quote stands; blanks and line ends may differ, nothing else."""
    if isinstance(value, str) and len(value) <= MAX_VALUE:
        at = text.find(value)
        if at >= 0:
            return at, at + len(value)
        # Models wrap lines; the passage kept is the text's own.
        words = r"\s+".join(re.escape(word) for word in value.split())
        found = re.search(words, text)
        if found and found.end() - found.start() <= MAX_VALUE:
            return found.span()
    raise _RefusedError("no_quote", field.name)


def _text(field: Field, value: object) -> str:
    fits = isinstance(value, str) and len(value) <= MAX_VALUE
    if isinstance(value, str) and fits and not _SURROGATES.search(value):
        return value
    raise _RefusedError("no_text", field.name)

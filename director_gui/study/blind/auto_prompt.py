"""What the automatic coder is asked: the codebook, then one item's text, no more.

The codebook comes first and is the same bytes for every item, so that servers which
keep a prompt's beginning need not read it again.
"""

import re
import tomllib
from functools import cache
from typing import TypedDict, cast

from coding.codebook import CHOICES, Code, Codebook, Field
from director_gui import assets
from director_gui.runner.content import whole_text

_LEAST_FENCE = 5  # equals signs
_FENCES = re.compile("=+")


class _Value(TypedDict):
    choice: str
    quote: str
    text: str
    optional: str


class _Words(TypedDict):
    wording: int
    opening: str
    answer: str
    text: str
    again: str
    value: _Value


def wording() -> int:
    """Return the version of our words, which a pass keeps."""
    return _words()["wording"]


def codebook_part(book: Codebook) -> str:
    """Return the part of a request that is the same for all items."""
    said = _words()
    parts = [said["opening"], f"\n# {_line(book.title or book.name)}\n"]
    parts += [f"\n{book.intro.strip()}\n"] if book.intro.strip() else []
    parts += [_question(field) for field in book.fields]
    keys = "".join(f'- "{f.name}": {_value(f, said["value"])}\n' for f in book.fields)
    return whole_text("".join([*parts, "\n", said["answer"], keys]))


def item_part(text: str) -> str:
    """Return the part of a request that holds an item's text, and nothing else of it.

    Half surrogate pairs, which no request can carry, are sent as U+FFFD.
    """
    # Longer than any in the text, so that a text cannot end its own frame.
    longest = max((len(run) for run in _FENCES.findall(text)), default=0)
    fence = "=" * max(_LEAST_FENCE, longest + 1)
    return whole_text(f"\n{_words()['text']}{fence}\n{text}\n{fence}\n")


def again_part(reason: str) -> str:
    """Return what is added when an answer could not be used, with the reason."""
    return "\n" + _words()["again"].format(reason=reason)


def item_text_in(request: str) -> str | None:
    """Return the item's text in a whole request; None when it is no such request."""
    _, mark, rest = request.partition(f"\n{_words()['text']}")
    fence, _, rest = rest.partition("\n")
    end = rest.rfind(f"\n{fence}\n")
    return rest[:end] if mark and fence and end >= 0 else None


def _question(field: Field) -> str:
    # The name leads, because it is the key that the answer must use.
    lines = ["", f"## {field.name}: {_line(field.label)}"]
    lines += [field.question.strip()] if field.question.strip() else []
    for code in field.codes:
        lines += _code(code)
    return "\n".join(lines) + "\n"


def _code(code: Code) -> list[str]:
    label = f" ({_line(code.label)})" if code.label not in ("", code.name) else ""
    definition = f": {_line(code.definition)}" if code.definition.strip() else ""
    return [
        f'- "{code.name}"{label}{definition}',
        *(f"  For example: {_line(passage)}" for passage in code.examples),
        *(f"  But not: {_line(passage)}" for passage in code.counter_examples),
    ]


def _value(field: Field, said: _Value) -> str:
    # Names, not labels: the names are what is stored, and what is compared.
    if field.kind in CHOICES:
        codes = ", ".join(f'"{name}"' for name in field.code_names())
        text = said["choice"].format(codes=codes)
    else:
        text = said["quote"] if field.kind == "quote" else said["text"]
    return text if field.required else text + said["optional"]


def _line(text: str) -> str:
    # A definition of several lines would look like several codes.
    return " ".join(text.split())


@cache
def _words() -> _Words:
    return cast("_Words", tomllib.loads(assets.read_text("blind/automatic.toml")))

"""What is wrong with a codebook, in words, and where.

Some of it stops a packet from being made; the rest is advice that a coder would
thank the author for.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coding.codebook import CHOICES, Code, Codebook, Field, from_bytes, to_bytes
from coding.errors import CodingError


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing to mend, or to think about.

    Attributes:
        what: A sentence without its full stop.
        stops: Whether no packet can be made with it.
        field: The field's place in the codebook; None for the codebook itself.
        code: The code's place in the field; None for the field itself.
    """

    what: str
    stops: bool = False
    field: int | None = None
    code: int | None = None


def remarks(book: Codebook, pane: Mapping[str, str] | None = None) -> list[Remark]:
    """Return all there is to say about a codebook, what stops it first.

    Args:
        book: The codebook, however unfinished.
        pane: Key to what it does in the coders' pane, such as ``{"f": "Flag"}``.
    """
    said = [*_stops(book), *_advice(book, pane or {})]
    # Its words name a path; ours name what the author sees, so ours come first.
    if not any(remark.stops for remark in said):
        said += _refused(book)
    return sorted(said, key=lambda remark: not remark.stops)


def may_be_used(book: Codebook) -> bool:
    """Tell whether a packet can be made with a codebook."""
    return not any(remark.stops for remark in remarks(book))


def _stops(book: Codebook) -> Iterator[Remark]:
    if not book.fields:
        yield Remark("There is no field yet, so there is nothing to code", stops=True)
    # Sheets are opened by tools that take Note and note for one column.
    names = Counter(field.name.casefold() for field in book.fields)
    for at, field in enumerate(book.fields):
        if names[field.name.casefold()] > 1:
            what = f"Two fields are stored as “{field.name}”"
            yield Remark(what, stops=True, field=at)
        yield from _code_stops(field, at)
    yield from _key_stops(book)


def _code_stops(field: Field, at: int) -> Iterator[Remark]:
    if field.kind == "one_of" and len(field.codes) < 2:
        what = f"“{field.label}” needs at least two codes to choose from"
        yield Remark(what, stops=True, field=at)
    names = Counter(field.code_names())
    for place, code in enumerate(field.codes):
        # An empty value in a sheet means missing, so it can be no code.
        if not code.name.strip():
            what = f"A code of “{field.label}” is empty: it needs a name to be stored"
            yield Remark(what, stops=True, field=at, code=place)
        elif names[code.name] > 1:
            what = f"Two codes of “{field.label}” are stored as “{code.name}”"
            yield Remark(what, stops=True, field=at, code=place)


def _key_stops(book: Codebook) -> Iterator[Remark]:
    first: dict[str, str] = {}
    for at, place, code in _codes(book):
        key = code.key.casefold()
        if key and key in first:
            # Over all fields: in the pane one key means one thing everywhere.
            what = f"Key {key.upper()} is on “{first[key]}” and on “{_called(code)}”"
            yield Remark(what, stops=True, field=at, code=place)
        first.setdefault(key, _called(code))


def _advice(book: Codebook, pane: Mapping[str, str]) -> Iterator[Remark]:
    for at, field in enumerate(book.fields):
        if not field.question.strip():
            yield Remark(f"“{field.label}” asks no question yet", field=at)
        yield from _color_advice(field, at)
    for at, place, code in _codes(book):
        if not code.definition.strip():
            what = f"“{_called(code)}” has no definition: coders would guess"
            yield Remark(what, field=at, code=place)
        # The codebook's keys win: coders learn them, and the pane's letters give way.
        if code.key.casefold() in pane:
            command, key = pane[code.key.casefold()], code.key.upper()
            what = f"{key} is the pane's key for {command}, which gets another one"
            yield Remark(what, field=at, code=place)
    yield from _practice_advice(book)


def _color_advice(field: Field, at: int) -> Iterator[Remark]:
    first: dict[str, str] = {}
    for place, code in enumerate(field.codes):
        color = code.color.casefold()
        if color and color in first:
            what = f"“{first[color]}” and “{_called(code)}” have one colour"
            yield Remark(what, field=at, code=place)
        # The colours of one field stand side by side; other fields may use them again.
        first.setdefault(color, _called(code))


def _practice_advice(book: Codebook) -> Iterator[Remark]:
    for at, field in enumerate(book.fields):
        bare = [_called(code) for code in field.codes if not code.examples]
        if field.kind in CHOICES and bare:
            listed = ", ".join(f"“{name}”" for name in bare)
            yield Remark(f"No example to practise on: {listed}", field=at)


def _refused(book: Codebook) -> Iterator[Remark]:
    # The reader of files has the last word: lengths, characters, names of ours.
    try:
        from_bytes(to_bytes(book), "")
    except CodingError as error:
        field, code = _place(error.where.strip("."))
        what = f"{_part(book, field, code)}{error.what}"
        yield Remark(
            f"{what[:1].upper()}{what[1:]} ({error.where.strip('.').split('.')[-1]})",
            stops=True,
            field=field,
            code=code,
        )


def _part(book: Codebook, field: int | None, code: int | None) -> str:
    if field is None:
        return ""
    found = book.fields[field]
    name = found.label if code is None else _called(found.codes[code])
    return f"“{name}”: "


def _place(where: str) -> tuple[int | None, int | None]:
    """Return field and code of a path such as ``fields[1].codes[0].name``."""
    found: list[int | None] = [None, None]
    for at, part in enumerate(where.split(".")[:2]):
        number = part.partition("[")[2].rstrip("]")
        found[at] = int(number) if number.isdigit() else None
    return found[0], found[1]


def _codes(book: Codebook) -> Iterator[tuple[int, int, Code]]:
    for at, field in enumerate(book.fields):
        for place, code in enumerate(field.codes):
            yield at, place, code


def _called(code: Code) -> str:
    return code.label or code.name or "a code without a name"

"""Edits of a codebook: each takes a value and returns a new one.

A draft may be wrong in any way a user can type; `book_checks` says so in words, and
nothing but a codebook that `codebook.from_bytes` accepts gets into a packet.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, TypeVar

from coding.codebook import FIXED, Code, Codebook, Field, Kind

T = TypeVar("T")
Part = TypeVar("Part", Codebook, Field, Code)
_START = "field", "code"


def fresh_book(name: str = "codebook") -> Codebook:
    """Return a codebook to begin with: one choice and the quote that backs it."""
    # A quote from the start: a code that nothing backs cannot be adjudicated.
    first = Field("reading", "Reading", "one_of", codes=_two_codes())
    quote = Field("quote", "Quote", "quote")
    return Codebook(name, 1, "New codebook", "", (first, quote))


def fresh_field(book: Codebook, kind: Kind) -> Field:
    """Return a field of this kind under a name that the codebook does not have."""
    name = _free(_START[0], (field.name for field in book.fields))
    return with_kind(Field(name, name.replace("-", " ").capitalize(), "text"), kind)


def fresh_code(field: Field) -> Code:
    """Return a code under a name that the field does not have."""
    name = _free(_START[1], field.code_names())
    return Code(name, name.replace("-", " ").capitalize())


def with_kind(field: Field, kind: Kind) -> Field:
    """Return a field of another kind with the codes that this kind can have."""
    codes: tuple[Code, ...] = ()
    if kind == "one_of":
        codes = field.codes if len(field.codes) > 1 else _two_codes()
    elif kind in FIXED:
        # Words and keys of a yes stay a yes's, from whichever kind they come.
        given = {code.name: code for code in field.codes}
        names = FIXED[kind]
        codes = tuple(given.get(n) or Code(n, n.replace("-", " ")) for n in names)
    return replace(field, kind=kind, codes=codes)


def with_part(value: Part, part: str, new: object) -> Part:
    """Return a codebook, field or code with something else in one of its parts."""
    changes: dict[str, Any] = {part: new}  # the part's name is known to its form alone
    return replace(value, **changes)


def with_field(book: Codebook, at: int, field: Field) -> Codebook:
    """Return the codebook with another field at this place."""
    return replace(book, fields=_put(book.fields, at, field))


def plus_field(book: Codebook, field: Field) -> Codebook:
    """Return the codebook with one more field."""
    return replace(book, fields=(*book.fields, field))


def minus_field(book: Codebook, at: int) -> Codebook:
    """Return the codebook without the field at this place."""
    return replace(book, fields=_without(book.fields, at))


def moved_field(book: Codebook, at: int, by: int) -> Codebook:
    """Return the codebook with a field `by` places further; it stays at either end."""
    return replace(book, fields=_moved(book.fields, at, by))


def with_code(field: Field, at: int, code: Code) -> Field:
    """Return the field with another code at this place."""
    return replace(field, codes=_put(field.codes, at, code))


def plus_code(field: Field, code: Code) -> Field:
    """Return the field with one more code."""
    return replace(field, codes=(*field.codes, code))


def minus_code(field: Field, at: int) -> Field:
    """Return the field without the code at this place."""
    return replace(field, codes=_without(field.codes, at))


def moved_code(field: Field, at: int, by: int) -> Field:
    """Return the field with a code `by` places further; it stays at either end."""
    return replace(field, codes=_moved(field.codes, at, by))


def same_content(one: Codebook, other: Codebook) -> bool:
    """Tell whether two codebooks differ in their version at most."""
    return replace(one, version=other.version) == other


def _two_codes() -> tuple[Code, ...]:
    return (Code("code-1", "Code 1"), Code("code-2", "Code 2"))


def _free(start: str, taken: Iterable[str]) -> str:
    # Sheets may not tell two columns apart by case alone.
    known = {name.casefold() for name in taken}
    names = (f"{start}-{n}" for n in range(1, len(known) + 2))
    return next(name for name in names if name not in known)


def _put(old: tuple[T, ...], at: int, new: T) -> tuple[T, ...]:
    return (*old[:at], new, *old[at + 1 :])


def _without(old: tuple[T, ...], at: int) -> tuple[T, ...]:
    return (*old[:at], *old[at + 1 :])


def _moved(old: tuple[T, ...], at: int, by: int) -> tuple[T, ...]:
    # Taken out first, so that `by` counts the others only.
    rest = _without(old, at)
    to = min(len(rest), max(0, at + by))
    return (*rest[:to], old[at], *rest[to:])

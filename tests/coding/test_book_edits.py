"""Edits give new codebooks, and the remarks say what is wrong with them."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import book_edits as edits
from coding import codebook
from coding.book_checks import Remark, may_be_used, remarks
from coding.codebook import Code, Codebook, Field, Kind
from tests.strategies import QUICK, codebooks


def stopping(book: Codebook) -> list[Remark]:
    return [one for one in remarks(book) if one.stops]


def said(book: Codebook) -> str:
    return "\n".join(one.what for one in remarks(book))


def test_a_fresh_codebook_can_be_used_at_once() -> None:
    made = edits.fresh_book("mine")
    assert may_be_used(made)
    assert codebook.from_bytes(codebook.to_bytes(made)) == made


@pytest.mark.parametrize("kind", codebook.KINDS)
def test_a_fresh_field_of_each_kind_can_be_used(book: Codebook, kind: Kind) -> None:
    field = edits.fresh_field(book, kind)
    made = edits.plus_field(book, field)
    assert not stopping(made)
    assert made.fields[-1].kind == kind
    assert codebook.from_bytes(codebook.to_bytes(made)) == made


def test_fresh_names_are_free() -> None:
    book = edits.fresh_book()
    for _ in range(5):
        book = edits.plus_field(book, edits.fresh_field(book, "one_of"))
        field = edits.plus_code(book.fields[0], edits.fresh_code(book.fields[0]))
        book = edits.with_field(book, 0, field)
    assert len({f.name for f in book.fields}) == len(book.fields) == 7
    assert len(set(book.fields[0].code_names())) == 7
    assert may_be_used(book)


@QUICK
@given(codebooks(), st.data())
def test_moving_there_and_back_changes_nothing(
    made: Codebook, data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(made.fields) - 1))
    to = data.draw(st.integers(0, len(made.fields) - 1))
    moved = edits.moved_field(made, at, to - at)
    assert moved.fields[to] == made.fields[at]
    assert edits.moved_field(moved, to, at - to) == made


def test_what_is_moved_too_far_stays_at_the_end(book: Codebook) -> None:
    field = book.fields[0]
    assert edits.moved_code(field, 0, -1) == field
    assert edits.moved_code(field, 1, 99).code_names()[-1] == "own-view"
    assert edits.moved_field(book, 3, 9) == book


def test_taking_out_and_putting_in(book: Codebook) -> None:
    field = book.fields[0]
    less = edits.minus_code(field, 1)
    assert less.code_names() == (*field.code_names()[:1], *field.code_names()[2:])
    assert edits.minus_field(book, 0).fields == book.fields[1:]
    other = edits.with_code(field, 2, Code("x", "X"))
    assert [c.name for c in other.codes].index("x") == 2
    assert len(other.codes) == 5


def test_a_kind_brings_its_codes_and_keeps_what_fits(book: Codebook) -> None:
    sees = book.field("sees_choice")
    two = edits.with_kind(sees, "yes_no")
    assert two.codes == sees.codes[:2]
    assert edits.with_kind(two, "yes_no_not_said").codes[:2] == sees.codes[:2]
    assert edits.with_kind(sees, "one_of").codes == sees.codes
    assert edits.with_kind(sees, "quote").codes == ()
    assert edits.with_kind(edits.with_kind(sees, "text"), "one_of").codes


def test_only_the_version_may_differ(book: Codebook) -> None:
    assert edits.same_content(book, replace(book, version=9))
    assert not edits.same_content(book, replace(book, title="Other"))


# Remarks ------------------------------------------------------------------------------


def test_the_built_in_codebook_has_nothing_to_mend(book: Codebook) -> None:
    assert stopping(book) == []
    assert [one for one in remarks(book) if "definition" in one.what] == []


def first_field(book: Codebook, **changes: object) -> Codebook:
    return edits.with_field(book, 0, replace(book.fields[0], **changes))  # type: ignore[arg-type]


def first_code(book: Codebook, **changes: object) -> Codebook:
    field = book.fields[0]
    code = replace(field.codes[0], **changes)  # type: ignore[arg-type]
    return edits.with_field(book, 0, edits.with_code(field, 0, code))


WRONG: dict[str, tuple[Callable[[Codebook], Codebook], str]] = {
    "no field": (lambda b: replace(b, fields=()), "no field yet"),
    "same key": (lambda b: first_code(b, key="O"), "Key O is on “Director's view” and"),
    "same key elsewhere": (lambda b: first_code(b, key="8"), "Key 8 is on"),
    "empty code": (lambda b: first_code(b, name="  "), "A code of “Reading of"),
    "same code": (lambda b: first_code(b, name="own-view"), "stored as “own-view”"),
    "same field": (lambda b: first_field(b, name="Quote"), "stored as “Quote”"),
    "one code": (lambda b: first_field(b, codes=b.fields[0].codes[:1]), "at least two"),
    "no field name": (lambda b: first_field(b, name=""), "letters, digits"),
    "our name": (lambda b: first_field(b, name="note"), "a name of ours"),
    "odd key": (lambda b: first_code(b, key="§"), "one letter or digit"),
    "odd colour": (lambda b: first_code(b, color="red"), "a colour such as"),
    "long": (lambda b: first_code(b, definition="x" * 4001), "longer than 4000"),
    "half a sign": (lambda b: replace(b, intro="\ud800"), "not plain text"),
    "no name": (lambda b: replace(b, name="a b"), "letters, digits"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_what_stops_a_packet_is_said_in_words(book: Codebook, fault: str) -> None:
    change, words = WRONG[fault]
    found = stopping(change(book))
    assert any(words in one.what for one in found), found
    assert not may_be_used(change(book))


def test_a_remark_points_at_its_code(book: Codebook) -> None:
    (same,) = stopping(first_code(book, key="8"))
    assert (same.field, same.code) == (3, 0)  # the later of the two
    (odd,) = stopping(first_code(book, key="§"))
    assert (odd.field, odd.code) == (0, 0)


ADVICE: dict[str, tuple[Callable[[Codebook], Codebook], str]] = {
    "definition": (lambda b: first_code(b, definition=" "), "has no definition"),
    "colour": (lambda b: first_code(b, color="#C0562F"), "have one colour"),
    "question": (lambda b: first_field(b, question=""), "asks no question"),
    "example": (lambda b: first_code(b, examples=()), "No example to practise on"),
}


@pytest.mark.parametrize("what", ADVICE)
def test_advice_is_given_but_stops_nothing(book: Codebook, what: str) -> None:
    change, words = ADVICE[what]
    assert words in said(change(book))
    assert words not in said(book)
    assert may_be_used(change(book))


def test_a_key_of_the_pane_is_told(book: Codebook) -> None:
    pane = {"f": "Flag", "n": "Note"}
    (told,) = [one for one in remarks(book, pane) if "pane's key" in one.what]
    assert told.what == "N is the pane's key for Note, which gets another one"
    assert not told.stops


@QUICK
@given(codebooks())
def test_no_remark_stops_what_the_reader_accepts(made: Codebook) -> None:
    assert stopping(made) == []


def test_drafts_of_any_kind_are_told_and_never_crash() -> None:
    field = Field("", "", "one_of", codes=(Code("", ""), Code("", "")))
    found = remarks(Codebook("", 0, "", "", (field, field)))
    assert all(one.stops for one in found[:4])

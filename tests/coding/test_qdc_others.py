"""REFI-QDA codebooks as other tools write them, and whatever else may come."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import codebook
from coding.book_checks import may_be_used
from coding.book_files import book_data
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.qdc import SPACE, guid, to_qdc
from coding.qdc_reading import from_qdc
from tests.strategies import QUICK, codebooks

# In the manner of three programs: with a schema's place, sets, braces, odd blanks.
WITH_SCHEMA = """\ufeff<?xml version="1.0" encoding="utf-8" standalone="no"?>
<CodeBook xmlns="urn:QDA-XML:codebook:1.0"
  xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" origin="Tool A 2022"
  xsi:schemaLocation="urn:QDA-XML:codebook:1.0 Codebook.xsd">
  <Codes>
    <Code guid="6E5D1A2C-0001-4A4A-8A8A-0123456789AB" name="Emotions" color="#FF0000"
      isCodable="false">
      <Description>What is felt&#13;
</Description>
      <Code guid="6E5D1A2C-0002-4A4A-8A8A-0123456789AB" name="Joy" isCodable="true"/>
      <Code guid="6E5D1A2C-0003-4A4A-8A8A-0123456789AB" name="Fear" isCodable="true">
        <Description>Also worry</Description>
      </Code>
    </Code>
  </Codes>
</CodeBook>"""
WITH_SETS = f"""<?xml version="1.0" encoding="UTF-8"?>
<q:CodeBook xmlns:q="{SPACE}" origin="Tool B">
<q:Codes>
<q:Code guid="{{6E5D1A2C-0001-4A4A-8A8A-0123456789AB}}" name="One" isCodable="1"/>
<q:Code guid="{{6E5D1A2C-0002-4A4A-8A8A-0123456789AB}}" name="Two" isCodable="1"/>
</q:Codes>
<q:Sets><q:Set guid="{{6E5D1A2C-0009-4A4A-8A8A-0123456789AB}}" name="Both">
<q:MemberCode guid="{{6E5D1A2C-0001-4A4A-8A8A-0123456789AB}}"/></q:Set></q:Sets>
</q:CodeBook>"""
CODABLE_TREE = f"""<CodeBook xmlns="{SPACE}"><Codes>
<Code guid="6E5D1A2C-0001-4A4A-8A8A-0123456789AB" name="Space" isCodable="true">
<Code guid="6E5D1A2C-0002-4A4A-8A8A-0123456789AB" name="Left" isCodable="false">
<Code guid="6E5D1A2C-0003-4A4A-8A8A-0123456789AB" name="Far" isCodable="true"/>
<Code guid="6E5D1A2C-0004-4A4A-8A8A-0123456789AB" name="Near" isCodable="true"/>
</Code></Code></Codes></CodeBook>"""


def test_a_file_with_a_schemas_place_and_a_mark_of_order() -> None:
    made = from_qdc(WITH_SCHEMA.encode())
    (emotions,) = made.fields
    assert (emotions.name, emotions.question) == ("emotions", "What is felt")
    assert [(c.name, c.definition) for c in emotions.codes] == [
        ("Joy", ""), ("Fear", "Also worry"),
    ]  # fmt: skip
    assert made.title == "Codebook from Tool A 2022"
    assert may_be_used(made)


def test_a_file_with_prefixes_braces_and_sets() -> None:
    (codes,) = from_qdc(WITH_SETS.encode()).fields
    assert codes.code_names() == ("One", "Two")
    assert codes.kind == "one_of"


def test_codes_that_hold_codes_are_offered_with_the_way_to_them() -> None:
    (space,) = from_qdc(CODABLE_TREE.encode()).fields
    # The group between cannot be coded with, but tells near from near.
    assert space.code_names() == ("Space", "Left / Far", "Left / Near")


def test_what_came_in_goes_out_and_in_again() -> None:
    for text in (WITH_SCHEMA, WITH_SETS, CODABLE_TREE):
        made = from_qdc(text.encode())
        assert from_qdc(to_qdc(made)) == made


@dataclass
class Tree:
    name: str
    codable: bool
    said: str
    below: list["Tree"] = field(default_factory=list)


trees = st.recursive(
    st.builds(
        Tree, st.text("abcÄ \"'&<>/\n\t", min_size=1, max_size=90), st.booleans(),
        st.text("xyz\n\r ", max_size=30),
    ),
    lambda inner: st.builds(
        Tree, st.text("AB -", min_size=1, max_size=40), st.booleans(), st.just(""),
        st.lists(inner, max_size=4),
    ),
    max_leaves=12,
)  # fmt: skip


def escaped(text: str) -> str:
    signs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\r": "&#13;"}
    signs |= {"\n": "&#10;", "\t": "&#9;"}
    return "".join(signs.get(sign, sign) for sign in text)


def file_of(tops: Sequence[Tree]) -> bytes:
    def one(tree: Tree) -> str:
        ident = uuid.uuid4()
        can = "true" if tree.codable else "false"
        head = f'<Code guid="{ident}" name="{escaped(tree.name)}" isCodable="{can}">'
        said = f"<Description>{escaped(tree.said)}</Description>" if tree.said else ""
        return head + said + "".join(map(one, tree.below)) + "</Code>"

    codes = "".join(map(one, tops))
    return f'<CodeBook xmlns="{SPACE}"><Codes>{codes}</Codes></CodeBook>'.encode()


def _codes_in(tree: Tree) -> bool:
    return tree.codable or any(map(_codes_in, tree.below))


def _blank_in(tree: Tree) -> bool:
    return not tree.name.strip() or any(map(_blank_in, tree.below))


@QUICK
@given(st.lists(trees, max_size=5))
def test_any_tree_of_codes_becomes_a_codebook_or_a_reason(tops: list[Tree]) -> None:
    try:
        made = from_qdc(file_of(tops), "in.qdc")
    except CodingError:
        # No code to code with, or a name of blanks alone.
        assert not any(map(_codes_in, tops)) or any(map(_blank_in, tops))
        return
    assert codebook.from_bytes(codebook.to_bytes(made)) == made
    assert from_qdc(to_qdc(made)) == made


@QUICK
@given(codebooks(), st.data())
def test_a_damaged_file_is_a_codebook_or_a_reason(
    made: Codebook, data: st.DataObject
) -> None:
    whole = bytearray(to_qdc(made))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] = data.draw(st.integers(0, 255))
    try:
        found = from_qdc(bytes(whole[: data.draw(st.integers(at, len(whole)))]))
    except CodingError:
        return
    assert codebook.from_bytes(codebook.to_bytes(found)) == found


@pytest.mark.parametrize(
    "lost", ["Stored as: reading\n", "Kind: one_of", "Version: 1\n", "<Sets>"]
)
def test_our_file_that_lost_a_line_is_read_like_anothers(
    book: Codebook, lost: str
) -> None:
    text = to_qdc(book).decode()
    assert lost in text
    cut = text.replace(lost, "" if lost != "<Sets>" else "<Other>", 1)
    cut = cut.replace("</Sets>", "</Other>") if lost == "<Sets>" else cut
    made = from_qdc(cut.encode())
    assert made.name == "imported"
    assert made.fields[0].label == book.fields[0].label
    assert len(made.fields[0].codes) == 5


def test_a_guid_tells_fields_codes_and_codebooks_apart(book: Codebook) -> None:
    made = {
        guid(book),
        guid(book, "reading"),
        guid(book, "reading", "own-view"),
        guid(book, "quote"),
        guid(replace(book, name="other"), "reading"),
    }
    assert len(made) == 5
    for one in made:
        assert uuid.UUID(one).version == 5


def test_exports_are_the_same_bytes_each_time(book: Codebook) -> None:
    for name in ("a.toml", "a.json", "a.qdc"):
        assert book_data(book, Path(name)) == book_data(book, Path(name))

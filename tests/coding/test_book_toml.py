"""Codebooks as TOML: what the writer writes, and what hands may make of it."""

import tomllib
from dataclasses import replace

import pytest

from coding import codebook
from coding.book_toml import to_toml
from coding.codebook import Code, Codebook, Field
from coding.errors import CodingError

FIELD = Field("f", "F", "one_of", "Which?", codes=(Code("a", "A"), Code("b", "B")))
BOOK = Codebook("b", 1, "Title", "", (FIELD,))


def with_definition(text: str) -> Codebook:
    codes = (Code("a", "A", text, (text,), (text,)), FIELD.codes[1])
    return replace(BOOK, intro=text, fields=(replace(FIELD, codes=codes),))


@pytest.mark.parametrize(
    "text",
    [
        '"', '""', '"""', '""""', "'", "'''", "\\", "\\\\", '\\"', "\\n", "\\u0041",
        "a\tb", "a\nb", "\na", "a\n", "\n", "\n\n", " a ", "a\\\nb", 'a"\n"b',
        "# no comment", "[table]", "key = 1", "é ▇ \U0001f600 \u2028 \xa0",
        "x" * 71, '"' * 71, "\\" * 71, "line\n" * 30, "\u202e right to left",
    ],
)  # fmt: skip
def test_any_plain_text_comes_back(text: str) -> None:
    made = with_definition(text)
    assert codebook.from_toml(to_toml(made)) == made


def test_a_long_text_stands_on_lines_of_its_own() -> None:
    text = to_toml(with_definition("word " * 40)).decode()
    assert 'definition = """\nword word' in text
    short = to_toml(with_definition("few words")).decode()
    assert 'definition = "few words"\n' in short


def test_what_is_empty_or_usual_is_left_out() -> None:
    text = to_toml(BOOK).decode()
    for absent in ("intro", "required", "color", "examples", "definition", "key ="):
        assert absent not in text
    optional = replace(BOOK, fields=(replace(FIELD, required=False),))
    assert "required = false" in to_toml(optional).decode()


def test_it_is_toml_to_others_as_well(book: Codebook) -> None:
    value = tomllib.loads(to_toml(book).decode())
    assert value["format"] == codebook.FORMAT
    assert [f["name"] for f in value["fields"]] == [f.name for f in book.fields]
    assert value["fields"][0]["codes"][0]["examples"][0].startswith("Block 3")


def test_the_same_codebook_gives_the_same_bytes(book: Codebook) -> None:
    assert to_toml(book) == to_toml(codebook.from_toml(to_toml(book)))
    assert to_toml(book).endswith(b"\n")
    assert b"\r" not in to_toml(book)


def test_a_hand_may_add_comments_and_windows_ends(book: Codebook) -> None:
    text = to_toml(book).decode()
    with_comment = "# my notes\n" + text.replace("[[fields]]", "[[fields]]  # one")
    assert codebook.from_toml(with_comment.encode()) == book
    marked = b"\xef\xbb\xbf" + text.encode()  # as some editors begin a file
    assert codebook.from_toml(marked) == book


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('kind = "one_of"', 'kind = "many"', "fields[0].kind"),
        ('name = "a"', 'name = ""', "fields[0].codes[0].name"),
        ('name = "a"', 'name = "b"', "fields[0].codes"),
        ("version = 1", "version = 0", "version"),
        ("version = 1", 'version = "1"', "version"),
        ('name = "f"', 'name = "text"', "fields[0].name"),
        ('label = "F"', 'labell = "F"', "fields[0].labell"),
        ('question = "Which?"', "question = 1", "fields[0].question"),
    ],
)
def test_a_slip_of_the_hand_is_told_with_its_place(
    old: str, new: str, where: str
) -> None:
    text = to_toml(BOOK).decode()
    assert old in text
    with pytest.raises(CodingError) as caught:
        codebook.from_toml(text.replace(old, new, 1).encode(), "mine.toml")
    assert caught.value.where == f"mine.toml.{where}"


@pytest.mark.parametrize("data", [b"= 1", b"\xff", b"a = [" * 2000, b'x = "\\q"'])
def test_what_is_no_toml_is_refused(data: bytes) -> None:
    with pytest.raises(CodingError, match="not TOML"):
        codebook.from_toml(data, "mine.toml")

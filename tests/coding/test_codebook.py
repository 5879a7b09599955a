import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import codebook
from coding.canonical import sha256_hex
from coding.codebook import Codebook
from coding.errors import CodingError
from tests.strategies import QUICK

SMALL = {
    "format": codebook.FORMAT,
    "name": "small",
    "version": 1,
    "fields": [
        {"name": "pick", "kind": "one_of", "codes": [{"name": "a"}, {"name": "b"}]},
        {"name": "why", "kind": "text", "required": False},
    ],
}


def small(**changes: object) -> bytes:
    return json.dumps({**SMALL, **changes}).encode()


def one_field(**field: object) -> bytes:
    return small(fields=[{"name": "pick", **field}])


def test_the_papers_codebook_has_its_fields_and_codes(book: Codebook) -> None:
    assert {f.name: f.kind for f in book.fields} == {
        "reading": "one_of",
        "quote": "quote",
        "sees_choice": "yes_no_not_said",
        "works_out": "yes_no",
    }
    assert book.field("reading").code_names() == (
        "director-view",
        "own-view",
        "prior-knowledge",
        "largest-digit",
        "no-rule",
    )
    assert book.field("sees_choice").code_names() == ("yes", "no", "not-said")
    assert book.field("works_out").code_names() == ("yes", "no")
    # Every reading carries a quote, so none of the four can be left out.
    assert book.required == {"reading", "quote", "sees_choice", "works_out"}


def test_every_code_of_the_paper_is_explained_and_has_a_key(book: Codebook) -> None:
    codes = [code for field in book.fields for code in field.codes]
    assert len(codes) == 10
    for code in codes:
        assert code.definition.strip(), code.name
        assert code.examples, code.name
        assert len(code.key) == 1, code.name
    assert len({code.key for code in codes}) == len(codes)
    assert all(code.counter_examples for code in book.field("reading").codes)
    assert len({code.color for code in book.field("reading").codes}) == 5


def test_bytes_come_back_as_the_same_codebook(book: Codebook) -> None:
    data = codebook.to_bytes(book)
    again = codebook.from_bytes(data)
    assert again == book
    assert codebook.to_bytes(again) == data
    assert again.hash == sha256_hex(data)


def test_a_changed_word_is_another_hash(book: Codebook) -> None:
    data = codebook.to_bytes(book)
    changed = data.replace(b"Own view", b"own view")
    assert changed != data
    assert codebook.from_bytes(changed).hash != book.hash


def test_toml_and_json_mean_the_same() -> None:
    toml = f"""
    format = "{codebook.FORMAT}"
    name = "small"
    version = 1
    [[fields]]
    name = "pick"
    kind = "one_of"
    codes = [{{name = "a"}}, {{name = "b"}}]
    [[fields]]
    name = "why"
    kind = "text"
    required = false
    """
    assert codebook.from_toml(toml.encode()) == codebook.from_bytes(small())


def test_yes_no_fields_bring_their_codes() -> None:
    made = codebook.from_bytes(one_field(kind="yes_no_not_said"))
    assert made.field("pick").code_names() == ("yes", "no", "not-said")
    assert made.field("pick").code("not-said").label == "not said"


def test_own_words_for_a_fixed_code_are_kept() -> None:
    data = one_field(
        kind="yes_no", codes=[{"name": "no", "label": "Never", "key": "x"}]
    )
    field = codebook.from_bytes(data).field("pick")
    assert field.code_names() == ("yes", "no")
    assert (field.code("no").label, field.code("no").key) == ("Never", "x")


def test_codes_may_be_called_none_or_na() -> None:
    names = ["None", "NA", "nan", "null", "=1+1"]
    data = one_field(kind="one_of", codes=[{"name": name} for name in names])
    assert codebook.from_bytes(data).field("pick").code_names() == tuple(names)


def test_files_are_read_by_their_suffix(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("books") / "small.json"
    path.write_bytes(small())
    assert codebook.read_file(path).name == "small"
    path.rename(path.with_suffix(".toml"))
    with pytest.raises(CodingError, match="is not TOML"):
        codebook.read_file(path.with_suffix(".toml"))
    with pytest.raises(CodingError, match="cannot be read"):
        codebook.read_file(path)


@pytest.mark.parametrize("text", ["a = " + "9" * 5000, "a = " + "[" * 5000, "\x00"])
def test_toml_that_python_cannot_read_is_refused(text: str) -> None:
    with pytest.raises(CodingError, match="is not TOML"):
        codebook.from_toml(text.encode())


TWO = [{"name": "a"}, {"name": "b"}]
REFUSED = {
    "other format": (small(format="x"), "format"),
    "unknown key": (small(extra=1), "extra"),
    "name with a slash": (small(name="../x"), "name"),
    "version 0": (small(version=0), "version"),
    "version true": (small(version=True), "version"),
    "no fields": (small(fields=[]), "fields"),
    "fields no list": (small(fields={}), "fields"),
    "field twice": (small(fields=[SMALL["fields"][1]] * 2), "why"),
    "reserved name": (small(fields=[{"name": "Item", "kind": "text"}]), "Item"),
    "unknown kind": (one_field(kind="many_of"), "kind"),
    "kind no text": (one_field(kind=["one_of"]), "kind"),
    "one code": (one_field(kind="one_of", codes=TWO[:1]), "two codes"),
    "code twice": (one_field(kind="one_of", codes=TWO + TWO), "twice"),
    "codes for a text": (one_field(kind="text", codes=TWO), "no codes"),
    "foreign yes/no": (one_field(kind="yes_no", codes=[{"name": "maybe"}]), "yes, no"),
    "blank code": (one_field(kind="one_of", codes=[{"name": " a"}, *TWO]), "one line"),
    "no code name": (one_field(kind="one_of", codes=[{"name": ""}, *TWO]), "one line"),
    "control in code": (
        one_field(kind="one_of", codes=[{"name": "\0"}, *TWO]),
        "plain",
    ),
    "long key": (
        one_field(kind="one_of", codes=[{"name": "c", "key": "xy"}]),
        "longer",
    ),
    "odd key": (one_field(kind="one_of", codes=[{"name": "c", "key": " "}]), "letter"),
    "color": (
        one_field(kind="one_of", codes=[{"name": "c", "color": "red"}]),
        "colour",
    ),
    "example no text": (
        one_field(kind="one_of", codes=[{"name": "c", "examples": [1]}]),
        "examples",
    ),
    "required no bool": (one_field(kind="text", required="yes"), "required"),
    "key twice": (
        one_field(
            kind="one_of",
            codes=[{"name": "a", "key": "x"}, {"name": "b", "key": "X"}],
        ),
        "twice",
    ),
    "not JSON": (b"{", "not JSON"),
    "a list": (b"[]", "object"),
    "too large": (b" " * (codebook.MAX_BYTES + 1), "larger"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_codebook_is_refused_with_its_place(name: str) -> None:
    data, place = REFUSED[name]
    with pytest.raises(CodingError) as caught:
        codebook.from_bytes(data)
    assert place in str(caught.value)


def test_toml_that_is_too_large_or_not_utf8_is_refused() -> None:
    for data in (
        b"#" * (codebook.MAX_BYTES + 1),
        b"name = '\xff'",
        b"a = " + b"[" * 9999,
    ):
        with pytest.raises(CodingError):
            codebook.from_toml(data)


def test_asking_for_what_is_not_there(book: Codebook) -> None:
    with pytest.raises(CodingError, match="no field"):
        book.field("mood")
    with pytest.raises(CodingError, match="no code"):
        book.field("reading").code("mood")
    with pytest.raises(CodingError, match="quote"):
        codebook.from_bytes(small()).quote_field()
    assert book.quote_field().name == "quote"


@QUICK
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_plain_words_survive_the_round_trip(title: str, definition: str) -> None:
    codes = [{"name": "a", "definition": definition}, {"name": "b"}]
    fields = [{"name": "pick", "kind": "one_of", "codes": codes}]
    try:
        made = codebook.from_bytes(small(title=title, fields=fields))
    except CodingError as error:
        assert "plain text" in str(error)  # noqa: PT017 - both outcomes are right
        return
    assert codebook.from_bytes(codebook.to_bytes(made)) == made
    assert made.title == title
    assert made.field("pick").code("a").definition == definition

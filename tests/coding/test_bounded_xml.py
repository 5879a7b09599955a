"""XML of strangers: what is read, and that nothing else is."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding.bounded_xml import MAX_DEPTH, MAX_ELEMENTS, Element, load_xml
from coding.errors import CodingError
from tests.strategies import QUICK

NAMES = st.text(string.ascii_letters, min_size=1, max_size=8)
TEXTS = st.text(
    st.characters(
        min_codepoint=32,
        exclude_categories=("Cs", "Cc"),
        exclude_characters="\ufffe\uffff",
    ),
    max_size=20,
)


def escaped(text: str) -> str:
    signs = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"}
    return "".join(signs.get(sign, sign) for sign in text)


def written(element: Element) -> str:
    given_ = "".join(f' {k}="{escaped(v)}"' for k, v in element.attributes.items())
    inside = "".join(map(written, element.children))
    return f"<{element.name}{given_}>{escaped(element.text)}{inside}</{element.name}>"


elements = st.recursive(
    st.builds(Element, NAMES, st.just(""), st.dictionaries(NAMES, TEXTS), TEXTS),
    lambda inner: st.builds(
        Element, NAMES, st.just(""), st.dictionaries(NAMES, TEXTS), TEXTS,
        st.lists(inner, max_size=3),
    ),
    max_leaves=6,
)  # fmt: skip


@QUICK
@given(elements.filter(lambda e: depth(e) <= MAX_DEPTH))
def test_what_is_written_is_read(element: Element) -> None:
    assert load_xml(written(element).encode(), "x") == element


def depth(element: Element) -> int:
    return 1 + max(map(depth, element.children), default=0)


def test_namespaces_stand_beside_the_names() -> None:
    root = load_xml(b'<a xmlns="urn:one"><b/><c xmlns="urn:two"/></a>', "x")
    assert (root.name, root.space) == ("a", "urn:one")
    assert [(c.name, c.space) for c in root.children] == [
        ("b", "urn:one"), ("c", "urn:two"),
    ]  # fmt: skip


def test_children_are_found_by_name() -> None:
    root = load_xml(b"<a><b>1</b><c/><b>2</b></a>", "x")
    assert [b.text for b in root.all("b")] == ["1", "2"]
    assert root.text_of("b") == "1"
    assert root.text_of("missing") == ""


def test_entities_of_xml_and_character_references_are_text() -> None:
    inside = b"&lt;b&gt; &amp; &#x1F600;<![CDATA[<i>]]>"
    root = load_xml(b'<a n="&#10;&quot;">' + inside + b"</a>", "x")
    assert root.attributes == {"n": '\n"'}
    assert root.text == "<b> & \U0001f600<i>"
    assert root.children == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_that_the_file_names_is_used(encoding: str) -> None:
    declared = {"utf-8-sig": "utf-8"}.get(encoding, encoding)
    text = f'<?xml version="1.0" encoding="{declared}"?><a>Größe</a>'
    assert load_xml(text.encode(encoding), "x").text == "Größe"


def test_as_deep_and_as_many_as_allowed_pass_and_one_more_does_not() -> None:
    deep = "<a>" * MAX_DEPTH + "</a>" * MAX_DEPTH
    assert depth(load_xml(deep.encode(), "x")) == MAX_DEPTH
    many = "<a>" + "<b/>" * (MAX_ELEMENTS - 1) + "</a>"
    assert len(load_xml(many.encode(), "x").children) == MAX_ELEMENTS - 1
    for text in (f"<a>{deep}</a>", many.replace("</a>", "<b/></a>")):
        with pytest.raises(CodingError):
            load_xml(text.encode(), "x")


def test_comments_and_instructions_are_left_out() -> None:
    root = load_xml(b"<?go rm?><a><!-- <b/> -->1<?php echo ?>2</a>", "x")
    assert (root.text, root.children) == ("12", [])


@pytest.mark.parametrize(
    "text",
    [
        "<!DOCTYPE a><a/>",
        "<!DOCTYPE a [<!ELEMENT a ANY>]><a/>",
        '<!DOCTYPE a [<!ENTITY % p SYSTEM "http://example.invalid/p"> %p;]><a/>',
        '<!DOCTYPE a PUBLIC "-//x" "http://example.invalid/a.dtd"><a/>',
    ],
)  # fmt: skip
def test_no_document_type_is_read_however_it_is_written(text: str) -> None:
    with pytest.raises(CodingError, match="declares a document type"):
        load_xml(text.encode(), "file.qdc")


def test_the_line_of_a_fault_is_named() -> None:
    with pytest.raises(CodingError) as caught:
        load_xml(b"<a>\n<b>\n</a>", "file.qdc")
    assert caught.value.where == "file.qdc, line 3"


@pytest.mark.parametrize("data", [b"", b" ", b"text", b"<a/><b/>", b"\xff\xfe\x00"])
def test_what_is_no_document_is_refused(data: bytes) -> None:
    with pytest.raises(CodingError, match="not XML"):
        load_xml(data, "x")

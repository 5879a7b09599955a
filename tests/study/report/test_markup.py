"""Text enters a page escaped; markup is only what this module built."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.study.report.markup import (
    Markup,
    col,
    join,
    num,
    table,
    tag,
    td,
    text,
    th,
)

HOSTILE = [
    "<script>alert(1)</script>", "</pre><img src=x onerror=alert(1)>", "&lt;b&gt;",
    '" onmouseover="x', "' onfocus='x", "]]><!--", "</style><style>*{}", "\x00\x1b[31m",
]  # fmt: skip


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def read(markup: str) -> Reader:
    reader = Reader()
    reader.feed(markup)
    reader.close()
    return reader


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_text_stays_text(hostile: str) -> None:
    found = read(tag("p", hostile, title=hostile))
    assert found.tags == ["p"]
    assert [name for name, _ in found.attributes] == ["title"]


@given(st.text())
def test_any_text_comes_back_as_it_was_but_for_what_html_forbids(given_: str) -> None:
    found = read(tag("p", given_, title=given_))
    expected = "".join(
        char if char in "\t\n" or char.isprintable() or ord(char) > 0x9F else "\ufffd"
        for char in given_
    )
    expected = "".join("\ufffd" if c in "\ufffe\uffff" else c for c in expected)
    assert found.text == expected
    assert found.attributes == [("title", expected)]
    found.text.encode()


def test_a_lone_surrogate_can_be_written() -> None:
    assert tag("p", "a\ud800b").encode() == "<p>a\ufffdb</p>".encode()


def test_markup_is_not_escaped_twice() -> None:
    assert tag("p", tag("b", "x"), " & ", None, ["y", tag("i", "z")]) == (
        "<p><b>x</b> &amp; y<i>z</i></p>"
    )


def test_a_string_that_looks_like_markup_is_text() -> None:
    assert join("<b>") == "&lt;b&gt;"
    assert isinstance(join("<b>"), Markup)


def test_attributes_are_named_for_html() -> None:
    made = tag("p", class_="a", aria_label="b", hidden=True, id=None, lang=False, x=1.5)
    assert made == '<p class="a" aria-label="b" hidden="" x="1.5"></p>'


def test_elements_without_content_close_themselves() -> None:
    assert tag("img", src="a") == '<img src="a"/>'
    assert tag("svg", tag("line", x1=1), tag("line", x1=2)) == (
        '<svg><line x1="1"/><line x1="2"/></svg>'
    )


def test_numbers_become_text() -> None:
    assert text(3) == "3"


def test_a_table_names_rows_and_columns_for_those_who_listen() -> None:
    made = table("What", [col("a"), col("b", num=True)], [[th("r"), num("1")]])
    found = read(made)
    assert found.tags == [
        "div", "table", "caption", "thead", "tr", "th", "th", "tbody", "tr", "th", "td",
    ]  # fmt: skip
    assert [v for n, v in found.attributes if n == "scope"] == ["col", "col", "row"]
    assert ("tabindex", "0") in found.attributes
    assert read(td("x")).text == "x"

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding.errors import CodingError
from coding.textmap import TextMap
from tests.strategies import QUICK

# Everything that Qt changes, loses, or shows as nothing, among plain letters.
AWKWARD = st.lists(
    st.sampled_from(
        "ab\n\r\t\0\x0b\x0c\x1b\x7f\x85\xa0\u061c\u200e\u202e\u2028\u2029\u2066"
        "\ud800\udfff\ufdd0\ufdd1\ufeff\ufffc\ufffe\uffff\u0301é\U0001f600\U00010000"
    )
    | st.just("\r\n"),
    max_size=12,
).map("".join)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def walk(original: str) -> list[tuple[int, int, int]]:
    """(original start, original end, UTF-16 units) of each shown character.

    Written character by character, unlike the program's arithmetic.
    """
    out, at = [], 0
    while at < len(original):
        size = 2 if original[at : at + 2] == "\r\n" else 1
        out.append((at, at + size, 2 if original[at] > "\uffff" else 1))
        at += size
    return out


@QUICK
@given(AWKWARD)
def test_every_selection_of_whole_characters_comes_back(original: str) -> None:
    shown = TextMap(original)
    steps = walk(original)
    assert len(shown.display) == len(steps)
    starts = [0]
    for *_, width in steps:
        starts.append(starts[-1] + width)
    assert starts[-1] == units(shown.display)
    for i in range(len(steps)):
        for j in range(i + 1, len(steps) + 1):
            span = (steps[i][0], steps[j - 1][1])
            assert shown.span(starts[i], starts[j]) == span
            assert shown.selection(*span) == (starts[i], starts[j])


@QUICK
@given(AWKWARD, st.data())
def test_a_selection_that_splits_a_character_takes_the_whole(
    original: str, data: st.DataObject
) -> None:
    shown = TextMap(original)
    end = data.draw(st.integers(0, units(shown.display)))
    start = data.draw(st.integers(0, end))
    low, high = shown.span(start, end)
    assert 0 <= low <= high <= len(original)
    if start == end:
        assert low == high
    else:
        back = shown.selection(low, high)
        assert back[0] <= start
        assert back[1] >= end
        assert low < high


@QUICK
@given(AWKWARD)
def test_what_is_shown_is_safe(original: str) -> None:
    shown = TextMap(original).display
    for c in shown:
        assert c in "\n\t" or c >= " "
        assert not "\x7f" <= c <= "\xa0"
        assert not "\ud800" <= c <= "\udfff"
        assert c not in "\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u2028\u2029\ufeff"
    shown.encode("utf-8")  # can be written anywhere


def test_symbols_stand_for_what_cannot_be_shown() -> None:
    assert TextMap("a\0b\x7f").display == "a\u2400b\u2421"
    assert TextMap("\u202eabc\u2069").display == "\u21c4abc\u21c4"
    assert TextMap("a\ud800").display == "a\ufffd"
    assert TextMap("x\xa0y\r\nz\rw\u2028v").display == "x y\nz\nw\nv"


def test_a_quote_behind_an_emoji_and_crlf() -> None:
    original = "\U0001f600\r\nlargest"
    start, end = TextMap(original).span(3, 10)
    assert original[start:end] == "largest"


def test_plain_text_is_shown_as_it_is() -> None:
    text = "<b>**Markdown** and HTML</b> ![x](http://example.org) é ñ 漢字 👍"
    assert TextMap(text).display == text


def test_a_span_from_between_cr_and_lf_shows_the_whole_line_end() -> None:
    shown = TextMap("a\r\nb")
    assert shown.selection(2, 4) == (1, 3)
    assert shown.selection(0, 2) == (0, 2)


def test_a_caret_selects_nothing_even_inside_a_character() -> None:
    shown = TextMap("a\U0001f600b")
    assert [shown.span(at, at) for at in range(5)] == [
        (0, 0),
        (1, 1),
        (1, 1),
        (2, 2),
        (3, 3),
    ]


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (2, 1), (0, 6)])
def test_outside_is_refused(start: int, end: int) -> None:
    with pytest.raises(CodingError, match="outside"):
        TextMap("a\U0001f600bc").span(start, end)
    with pytest.raises(CodingError, match="outside"):
        TextMap("abcde").selection(start, end)


@pytest.mark.gui
@pytest.mark.usefixtures("qapp")
def test_qt_leaves_the_shown_text_alone() -> None:
    """Against a real text box: same text back, and its selections are mapped right."""
    from PySide6.QtGui import QTextCursor
    from PySide6.QtWidgets import QPlainTextEdit

    original = (
        "\ufeffa\xa0b\r\nc\rd\u2028e\u2029f\ufdd0g\ufdd1h\0i\U0001f600j\ufffck\u202el"
        "\ud800m\x0bn\x0co\x85p\ufffeq\U0010ffffr"
    )
    shown = TextMap(original)
    box = QPlainTextEdit()
    box.setPlainText(shown.display)
    assert box.toPlainText() == shown.display
    for letter in "abcdefghijklmnopqr":
        found = box.document().find(letter)
        start, end = shown.span(found.selectionStart(), found.selectionEnd())
        assert original[start:end] == letter
    cursor = QTextCursor(box.document())
    for at, char in enumerate(original):
        if char == "\n":
            continue
        start, end = shown.selection(at, at + 1)
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        assert shown.span(cursor.selectionStart(), cursor.selectionEnd()) == (
            at,
            at + 1 + (char == "\r" and original[at + 1] == "\n"),
        )

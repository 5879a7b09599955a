"""What is selected on screen is exactly what is quoted, whatever the text holds."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from coding.textmap import TextMap
from director_gui.ui import theme
from director_gui.ui.coder.reading import MEASURE, ReadingView

HOSTILE = [
    "\U0001f600 first, \U0001f468\u200d\U0001f469 joined",
    "a\u00a0b\u00a0c",
    "one\r\ntwo\r\nthree",
    "one\rtwo\n\nthree",
    "line\u2028separator\u2029paragraph",
    "nul\x00byte and \x1b[31m",
    "\u202eright to left\u202c \u2066isolate\u2069",
    "<b>bold</b> <img src='http://example.invalid/x.png'> **md**",
    "\ufdd0frame\ufdd1 \ufffc object \ufeff mark",
    "e\u0301 combining, שלום عربى",
    "lone \ud800 surrogate",
]
_ALPHABET = st.sampled_from(
    [*"ab \n\r\x00\u00a0\u2028\u202e\ufdd0\ufffc\ud800", "\r\n"]
)
_TEXT = st.lists(st.one_of(_ALPHABET, st.just("\U0001f600")), max_size=30).map("".join)
pytestmark = pytest.mark.gui


@pytest.fixture
def view(qtbot: QtBot, qapp: QApplication) -> ReadingView:
    theme.apply(qapp, "light", 1.0)
    made = ReadingView()
    qtbot.addWidget(made)
    made.resize(900, 600)
    with qtbot.waitExposed(made):
        made.show()
    return made


def select(view: ReadingView, start: int, end: int) -> None:
    cursor = view.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, cursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)


@pytest.mark.parametrize("text", HOSTILE)
def test_selecting_all_quotes_all(view: ReadingView, text: str) -> None:
    view.show_text(TextMap(text))
    view.selectAll()
    start, end = view.selected()
    assert text[start:end] == text


@pytest.mark.parametrize("text", HOSTILE)
def test_qt_shows_the_display_as_it_is(view: ReadingView, text: str) -> None:
    shown = TextMap(text)
    view.show_text(shown)
    assert view.toPlainText() == shown.display


@given(_TEXT, st.data())
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_every_span_comes_back(
    view: ReadingView, text: str, data: st.DataObject
) -> None:
    shown = TextMap(text)
    view.show_text(shown)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    # Between CR and LF there is nothing to select.
    inside = any(text[at - 1 : at + 1] == "\r\n" for at in (start, end) if at)
    if start == end or inside:
        return
    select(view, *shown.selection(start, end))
    assert view.selected() == (start, end)


def test_a_lit_span_covers_its_words_and_has_a_sign_beside_the_colour(
    view: ReadingView,
) -> None:
    text = "\U0001f600 The largest\r\nblock is 3."
    view.show_text(TextMap(text))
    at = text.index("block")
    view.mark([(at, at + 5)])
    (lit,) = view.extraSelections()
    assert lit.cursor.selectedText() == "block"
    assert lit.format.fontUnderline()
    view.show_text(TextMap("another"))
    assert view.extraSelections() == []


def test_a_long_paragraph_breaks_at_spaces_and_keeps_its_places(
    view: ReadingView,
) -> None:
    text = "words and more " * 1000
    view.show_text(TextMap(text))
    shown = view.toPlainText()
    assert len(shown) == len(text)
    assert max(map(len, shown.split("\n"))) <= 2000
    at = text.index("more", 9000)
    select(view, at, at + 4)
    assert view.selected() == (at, at + 4)


def test_the_measure_is_comfortable_and_centred(view: ReadingView) -> None:
    view.resize(1600, 600)
    margins = view.viewportMargins()
    assert abs(margins.left() - margins.right()) <= 1
    line = view.fontMetrics().horizontalAdvance("The director sees the block. " * 20)
    across = view.viewport().width() / (line / (29 * 20))
    assert 65 <= across <= 80
    assert MEASURE == 72


def test_lines_have_room_between_them(view: ReadingView) -> None:
    for text in ("one paragraph only " * 40, "two\n\nparagraphs " * 40):
        view.show_text(TextMap(text))
        view.repaint()
        layout = max(
            (view.document().findBlockByNumber(i).layout() for i in range(3)),
            key=lambda found: found.lineCount() if found else 0,
        )
        if layout.lineCount() > 1:
            step = layout.lineAt(1).position().y() - layout.lineAt(0).position().y()
            assert step >= 1.3 * view.fontMetrics().height()


def test_space_turns_the_page(view: ReadingView) -> None:
    view.show_text(TextMap("a line\n" * 200))
    QTest.keyClick(view, Qt.Key.Key_Space)
    down = view.verticalScrollBar().value()
    assert down > 5
    QTest.keyClick(view, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
    assert view.verticalScrollBar().value() == 0


def test_nothing_can_be_written_dropped_or_loaded(view: ReadingView) -> None:
    view.show_text(TextMap("<img src='http://example.invalid/x.png'>"))
    QTest.keyClicks(view, "xyz")
    assert view.toPlainText().startswith("<img")
    assert not view.acceptDrops()

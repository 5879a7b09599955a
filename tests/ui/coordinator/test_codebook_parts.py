"""The parts of the codebook editor, each by itself."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QColorDialog
from pytestqt.qtbot import QtBot

from coding.book_checks import Remark
from coding.book_edits import fresh_book, minus_code, with_field
from coding.codebook import Code, Codebook, Field
from director_gui.store.codebooks import stored_codebooks
from director_gui.store.database import open_study
from director_gui.study.blind.codebooks import KeptBook
from director_gui.study.blind.sealing import default_codebook
from director_gui.ui import theme
from director_gui.ui.coder import keys
from director_gui.ui.coordinator.codebook_box import BookBox
from director_gui.ui.coordinator.codebook_entries import (
    ColorBox,
    Passage,
    line,
    put_line,
)
from director_gui.ui.coordinator.codebook_forms import CodeForm, FieldForm
from director_gui.ui.coordinator.codebook_outline import Outline
from director_gui.ui.coordinator.codebook_remarks import RemarkList
from director_gui.ui.coordinator.codebook_tree import BOOK, BookTree
from director_gui.ui.coordinator.codebook_words import (
    COLORS,
    KIND_WORDS,
    PANE_KEYS,
    code_words,
    state_words,
    version_words,
)
from director_gui.ui.window import MainWindow

K = Qt.Key
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def book() -> Codebook:
    return default_codebook()


# Words ----------------------------------------------------------------------------


def test_versions_say_where_they_come_from_and_who_uses_them(book: Codebook) -> None:
    assert version_words(KeptBook(book)) == "reading, version 1"
    shipped = KeptBook(book, shipped=True)
    assert version_words(shipped) == "reading, version 1 · built in"
    used = KeptBook(replace(book, version=3), packets=2)
    assert version_words(used) == "reading, version 3 · in 2 packets"
    assert version_words(KeptBook(book, packets=1)).endswith("in 1 packet")


@pytest.mark.parametrize(
    ("kept", "usable", "writable", "words"),
    [
        (KeptBook(fresh_book()), True, True, "edits change it"),
        (KeptBook(fresh_book(), packets=1), True, True, "1 packet made with it"),
        (KeptBook(fresh_book(), shipped=True), True, True, "Built in"),
        (KeptBook(fresh_book(), packets=1), False, True, "Not saved yet"),
        (KeptBook(fresh_book()), False, False, "read-only"),
    ],
)
def test_one_line_says_what_becomes_of_an_edit(
    kept: KeptBook,
    usable: bool,  # noqa: FBT001
    writable: bool,  # noqa: FBT001
    words: str,
) -> None:
    assert words in state_words(kept, usable=usable, writable=writable)


def test_the_panes_own_letters_are_the_ones_it_likes_best() -> None:
    # A codebook without keys leaves them all to the pane.
    plan = keys.plan(Codebook("b", 1, "", "", (Field("q", "Q", "quote"),)))
    given = {plan.command(name) for name in keys.COMMANDS} | {plan.field("q")}
    assert given == set(PANE_KEYS)


def test_each_kind_has_words_and_colours_differ() -> None:
    assert len(set(KIND_WORDS.values())) == 5
    values = [value for value, _ in COLORS]
    assert len(set(values)) == len(values) == 9


def test_a_code_without_a_name_is_still_something_to_choose() -> None:
    assert code_words(Code("", ""), "") == "Code without a name"
    assert code_words(Code("a", "A"), "x") == "A  (X)"


# Entries --------------------------------------------------------------------------


def test_a_line_tells_what_is_typed_but_not_what_is_shown(qtbot: QtBot) -> None:
    told: list[str] = []
    entry = line("Name", told.append)
    qtbot.addWidget(entry)
    put_line(entry, "shown")
    assert told == []
    QTest.keyClicks(entry, "x")
    assert told == ["xshown"]


def test_showing_the_same_text_leaves_the_caret_alone(qtbot: QtBot) -> None:
    entry = line("Name", lambda _: None)
    qtbot.addWidget(entry)
    put_line(entry, "words")
    entry.setCursorPosition(3)
    put_line(entry, "words")
    assert entry.cursorPosition() == 3
    passage = Passage("Text", 3, lambda _: None)
    qtbot.addWidget(passage)
    passage.put("words")
    passage.moveCursor(passage.textCursor().MoveOperation.End)
    passage.put("words")
    assert passage.textCursor().position() == 5


def test_a_passage_keeps_spaces_that_do_not_break(qtbot: QtBot) -> None:
    told: list[str] = []
    passage = Passage("Text", 3, told.append)
    qtbot.addWidget(passage)
    passage.put("15\u00a0cm, 1\u202f000\u2028a\u2003b")
    passage.moveCursor(passage.textCursor().MoveOperation.End)
    QTest.keyClicks(passage, "!")
    QTest.keyClick(passage, K.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert told[-1] == "15\u00a0cm, 1\u202f000\na\u2003b!\n"
    # What was told is what is shown: putting it again leaves the caret where it is.
    passage.put(told[-1])
    assert passage.textCursor().atEnd()


def test_examples_with_spaces_that_do_not_break_are_shown_once(
    qtbot: QtBot, book: Codebook
) -> None:
    form = CodeForm()
    qtbot.addWidget(form)
    code = Code("a", "A", examples=("5\u00a0cm", "b"), counter_examples=("6\u00a0cm",))
    form.show_value(code, book.fields[0], book)
    form.examples.moveCursor(form.examples.textCursor().MoveOperation.End)
    form.show_value(code, book.fields[0], book)
    assert form.examples.textCursor().atEnd()


def test_a_passage_tells_what_is_typed_and_grows_with_the_text_size(
    qtbot: QtBot, qapp: QApplication
) -> None:
    told: list[str] = []
    theme.apply(qapp, "light")
    passage = Passage("Text", 3, told.append)
    qtbot.addWidget(passage)
    passage.show()
    passage.put("shown")
    assert told == []
    QTest.keyClicks(passage, "a")
    assert told == ["ashown"]
    small = passage.height()
    theme.apply(qapp, "light", 2.0)
    try:
        passage.retheme()
        assert passage.height() > 1.5 * small
    finally:
        theme.apply(qapp, "light")


def test_a_colour_of_the_codebooks_own_has_a_row(qtbot: QtBot) -> None:
    told: list[str] = []
    box = ColorBox("Colour", told.append)
    qtbot.addWidget(box)
    assert box.currentText() == "No colour"
    box.put("#123456")
    assert box.currentText() == "#123456"
    box.put("#2f6db3")
    assert box.currentText() == "Blue"
    assert box.findData("#123456") == -1
    assert told == []


@pytest.mark.parametrize(
    ("picked", "wanted"), [("#abcdef", "#abcdef"), ("", "#2f6db3")]
)
def test_another_colour_is_picked_or_not(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, picked: str, wanted: str
) -> None:
    told: list[str] = []
    box = ColorBox("Colour", told.append)
    qtbot.addWidget(box)
    box.put("#2f6db3")
    color = QColor(picked) if picked else QColor()
    monkeypatch.setattr(QColorDialog, "getColor", staticmethod(lambda **_: color))
    box.setFocus()
    QTest.keyClick(box, K.Key_End)
    assert told == [wanted]
    assert box.currentData() == wanted


# Forms ----------------------------------------------------------------------------


def test_a_form_hands_over_another_value_and_where_it_was_typed(
    qtbot: QtBot, book: Codebook
) -> None:
    form = CodeForm()
    qtbot.addWidget(form)
    told: list[tuple[Code, str]] = []
    form.edited.connect(lambda value, part: told.append((value, part)))
    field = book.fields[0]
    form.show_value(field.codes[1], field, book)
    assert told == []
    form.shown.selectAll()
    QTest.keyClicks(form.shown, "N")
    assert told == [(replace(field.codes[1], label="N"), "label")]


def test_only_names_of_a_choice_can_be_changed(qtbot: QtBot, book: Codebook) -> None:
    form = CodeForm()
    qtbot.addWidget(form)
    for at, free in ((0, True), (2, False), (3, False)):
        field = book.fields[at]
        form.show_value(field.codes[0], field, book)
        assert form.stored.isEnabled() == free


def test_another_kind_is_no_typing(qtbot: QtBot, book: Codebook) -> None:
    form = FieldForm()
    qtbot.addWidget(form)
    told: list[tuple[Field, str]] = []
    form.edited.connect(lambda value, part: told.append((value, part)))
    form.show_value(book.fields[0])
    form.kind.setFocus()
    QTest.keyClick(form.kind, K.Key_End)
    ((value, part),) = told
    assert (value.kind, value.codes, part) == ("text", (), "")
    form.required.click()
    assert told[-1][0].required is False


# Outline --------------------------------------------------------------------------


@pytest.fixture
def tree(qtbot: QtBot, book: Codebook) -> BookTree:
    made = BookTree()
    qtbot.addWidget(made)
    made.show_book(book, BOOK)
    return made


def test_a_place_stays_or_gives_way_to_the_nearest(
    tree: BookTree, book: Codebook
) -> None:
    tree.choose((0, 4))
    tree.show_book(book, tree.place)
    assert tree.place == (0, 4)
    less = with_field(book, 0, minus_code(book.fields[0], 4))
    tree.show_book(less, tree.place)
    assert tree.place == (0, 3)
    tree.show_book(replace(book, fields=book.fields[:1]), (3, 1))
    assert tree.place == (0, 1)
    tree.show_book(replace(book, fields=()), (0, 1))
    assert tree.place == BOOK


def test_filling_is_not_choosing(tree: BookTree, book: Codebook, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(tree.chosen):
        tree.show_book(book, (0, 0))
    with qtbot.waitSignal(tree.chosen):
        tree.choose((1, -1))


def test_markup_in_a_label_is_shown_as_text(tree: BookTree) -> None:
    html = "<img src='http://example.invalid/x.png'>"
    codes = (Code("a", html, html), Code("b", "B", "plain"))
    tree.show_book(
        Codebook("b", 1, "t", "", (Field("f", "F", "one_of", codes=codes),)), BOOK
    )
    top = tree.topLevelItem(1)
    assert "<img" not in top.child(0).toolTip(0)
    assert "&lt;img" in top.child(0).toolTip(0)
    assert top.child(0).text(0).startswith(html)


def test_typing_a_definition_leaves_the_tree_alone(
    tree: BookTree, book: Codebook
) -> None:
    item = tree.topLevelItem(1)
    codes = (
        replace(book.fields[0].codes[0], definition="x"),
        *book.fields[0].codes[1:],
    )
    tree.show_book(with_field(book, 0, replace(book.fields[0], codes=codes)), (0, 0))
    assert tree.topLevelItem(1) is item
    tree.show_book(with_field(book, 0, replace(book.fields[0], label="New")), (0, 0))
    assert tree.topLevelItem(1).text(0) == "New"


@pytest.mark.parametrize(
    ("place", "code", "move"),
    [
        (BOOK, False, False),
        ((0, -1), True, True),
        ((0, 1), True, True),
        ((1, -1), False, True),
        ((2, 0), False, False),
    ],
)
def test_only_what_can_be_done_is_offered(
    qtbot: QtBot,
    book: Codebook,
    place: tuple[int, int],
    code: bool,  # noqa: FBT001
    move: bool,  # noqa: FBT001
) -> None:
    outline = Outline()
    qtbot.addWidget(outline)
    outline.show_book(book)
    outline.tree.choose(place)
    outline.enable(book, writable=True)
    assert outline.add_code.isEnabled() == code
    assert outline.remove.isEnabled() == move
    outline.enable(book, writable=False)
    parts = (outline.add_field, outline.add_code, outline.up, outline.remove)
    assert not any(part.isEnabled() for part in parts)
    with qtbot.assertNotEmitted(outline.removal_asked):
        QTest.keyClick(outline.tree, K.Key_Delete)


# Remarks and versions -------------------------------------------------------------


def test_remarks_lead_to_their_places_by_key_too(qtbot: QtBot) -> None:
    listed = RemarkList()
    qtbot.addWidget(listed)
    listed.resize(400, 100)
    listed.show()
    listed.show_remarks([Remark("One", stops=True), Remark("Two", field=2, code=1)])
    assert [listed.item(at).text() for at in (0, 1)] == ["✗ One.", "· Two."]
    listed.setCurrentRow(1)
    with qtbot.waitSignal(listed.chosen) as told:
        QTest.keyClick(listed, K.Key_Return)
    assert told.args == [(2, 1)]
    listed.show_remarks([])
    assert not listed.isVisible()


def test_many_remarks_scroll(qtbot: QtBot) -> None:
    listed = RemarkList()
    qtbot.addWidget(listed)
    listed.resize(400, 100)
    listed.show()
    listed.show_remarks([Remark(f"Remark {n}") for n in range(5)])
    five = listed.height()
    listed.show_remarks([Remark(f"Remark {n}") for n in range(40)])
    assert listed.height() == five


def test_the_box_lists_the_programs_codebook_first(
    qtbot: QtBot, book: Codebook
) -> None:
    box = BookBox()
    qtbot.addWidget(box)
    assert box.book == book  # before anything was read
    other = KeptBook(fresh_book("aaa"))
    second = KeptBook(replace(book, version=2, title="x"))
    known = (other, second, KeptBook(book, shipped=True))
    box.show_books(known)
    assert [box.itemText(at)[:7] for at in range(3)] == [
        "reading",
        "reading",
        "aaa, ve",
    ]
    assert box.book == second.book
    box.setCurrentIndex(2)
    box.show_books(known)
    assert box.book == other.book  # what was chosen stays chosen
    box.show_books(known[1:])
    assert box.book == second.book


# In the window --------------------------------------------------------------------


@pytest.mark.render
def test_undo_is_the_codebooks_while_it_is_shown(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window.session.create(tmp_path / "a.study")
    at = window.workspace_names().index("Coding")
    window.show_workspace(at)
    coding = window.workspace("Coding")
    coding.list.books.click()
    page = coding.books
    qtbot.waitUntil(lambda: bool(page.desk.known), timeout=10_000)
    page.outline.tree.choose(BOOK)
    entry = page.book_form.title
    entry.setFocus()
    QTest.keyClicks(entry, "Z")
    assert page.desk.draft.title.startswith("Z")
    scene = window.document.scene
    QTest.keyClick(entry, K.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert page.desk.draft == default_codebook()
    assert window.document.scene == scene
    QTest.keyClicks(entry, "Q")
    window.document.undo_stack.setClean()
    window.close()  # the edit half a second before is kept
    with open_study(tmp_path / "a.study") as study:
        (stored,) = stored_codebooks(study)
    assert b'"title":"Q' in stored.data

"""The coding page, driven by real key and mouse events."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPlainTextEdit

from coding.packet import Packet
from coding.results import CodingSession
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.pane import CoderPane

K = Qt.Key
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
Press = Callable[..., None]
# Only the offscreen plugin says this, whenever a window has a least size.
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


def button(pane: CoderPane, name: str) -> QAbstractButton:
    (found,) = [
        b
        for b in pane.findChildren(QAbstractButton)
        if name in (b.accessibleName(), b.text())
    ]
    return found


def select_words(press: Press, words: int) -> None:
    press((K.Key_Home, CTRL))
    for _ in range(words):
        press((K.Key_Right, CTRL | SHIFT))


def test_a_trace_is_coded_by_keys_alone(
    pane: CoderPane, session: CodingSession, press: Press
) -> None:
    press(K.Key_O)
    select_words(press, 4)
    press(K.Key_Q, K.Key_2, K.Key_8, K.Key_Return)
    first = pane.desk.packet.items[0]
    state = session.state(first.id)
    assert state.values == {
        "reading": "own-view",
        "sees_choice": "no",
        "works_out": "yes",
    }
    assert state.quotes["quote"].text == "The director sees 5"
    assert session.status(first.id) == "coded"
    assert pane.desk.index == 1


def test_each_key_press_is_on_disk_before_anything_else(
    pane: CoderPane, results: Path, press: Press
) -> None:
    lines = results.read_bytes().count(b"\n")
    for key in (K.Key_O, K.Key_2, K.Key_F, K.Key_S, (K.Key_Z, CTRL)):
        press(key)
        lines += 1
        assert results.read_bytes().count(b"\n") == lines
    assert pane.desk.index == 0


@pytest.mark.parametrize(
    ("on", "back"),
    [
        (K.Key_Return, K.Key_Left),
        (K.Key_Enter, K.Key_PageUp),
        (K.Key_Right, K.Key_Left),
        (K.Key_PageDown, K.Key_PageUp),
    ],
)
def test_next_and_previous(pane: CoderPane, press: Press, on: K, back: K) -> None:
    press(on)
    assert pane.desk.index == 0
    assert "Not coded yet" in pane.hint.text()
    press(on)
    assert pane.desk.index == 1
    press(back)
    assert pane.desk.index == 0


def test_a_key_works_wherever_the_focus_is(pane: CoderPane, press: Press) -> None:
    for _ in range(4):
        press(K.Key_Tab)
        press(K.Key_D)
        assert pane.desk.state.values == {"reading": "director-view"}
        press((K.Key_Z, CTRL))
        assert pane.desk.state.values == {}


def test_tab_reaches_every_control_in_reading_order(
    pane: CoderPane, press: Press, qapp: QApplication
) -> None:
    order = []
    for _ in range(40):
        at = qapp.focusWidget()
        name = at.accessibleName() or (
            at.text() if isinstance(at, QAbstractButton) else ""
        )
        assert name
        order.append(name)
        press(K.Key_Tab)
        if qapp.focusWidget() is pane.trace:
            break
    assert order[0].startswith("Trace 1 of")
    codes = [name for name in order if name.startswith("Reading of the request")]
    assert len(codes) == 5
    assert order[1:6] == codes
    tools = ["Undo", "Redo", "Codebook", "Training"]
    following = ["Note", "Flag", "Skip", "Previous", "Next", *tools]
    assert order[-9:] == following


def test_every_control_and_text_has_a_name_for_a_screen_reader(pane: CoderPane) -> None:
    named = (*pane.findChildren(QAbstractButton), *pane.findChildren(QPlainTextEdit))
    for widget in named:
        if widget.isVisible():
            spoken = QAccessible.queryAccessibleInterface(widget)
            assert spoken.text(QAccessible.Text.Name), widget
    chosen = button(pane, "Reading of the request: Own view")
    assert chosen.accessibleDescription() == "Key o"


def test_the_mouse_does_the_same_and_leaves_the_keys_to_the_trace(
    pane: CoderPane, press: Press
) -> None:
    left = Qt.MouseButton.LeftButton
    QTest.mouseClick(button(pane, "Reading of the request: Own view"), left)
    assert pane.desk.state.values == {"reading": "own-view"}
    assert pane.trace.hasFocus()
    QTest.mouseClick(button(pane, "Next"), left)
    press(K.Key_Return)
    assert pane.desk.index == 1


def test_the_quote_shows_under_its_heading_and_in_the_text(
    pane: CoderPane, press: Press
) -> None:
    select_words(press, 2)
    press(K.Key_Q)
    assert any("“The director”" in x.text() for x in pane.column.findChildren(QLabel))
    (lit,) = pane.trace.extraSelections()
    assert lit.cursor.selectedText() == "The director"
    assert not pane.trace.textCursor().hasSelection()
    button(pane, "Remove the quote of Quote").click()
    assert pane.trace.extraSelections() == []
    assert pane.desk.state.quotes == {}


def test_a_note_takes_letters_as_letters(
    pane: CoderPane, press: Press, session: CodingSession, qapp: QApplication
) -> None:
    press(K.Key_T)
    QTest.keyClicks(qapp.focusWidget(), "odd: q s f 2 ?")
    assert pane.desk.state.values == {}
    press(K.Key_Return)
    assert session.state(pane.desk.item.id).note == "odd: q s f 2 ?"
    assert pane.trace.hasFocus()


def test_a_note_is_kept_when_the_coder_moves_on_by_mouse(
    pane: CoderPane, press: Press, session: CodingSession, qapp: QApplication
) -> None:
    first = pane.desk.item.id
    press(K.Key_S, K.Key_T)
    QTest.keyClicks(qapp.focusWidget(), "unsure")
    QTest.mouseClick(button(pane, "Next"), Qt.MouseButton.LeftButton)
    assert pane.desk.index == 1
    assert session.state(first).note == "unsure"
    assert pane.desk.state.note == ""
    note = pane.column.findChild(QPlainTextEdit)
    assert note is not None
    assert note.toPlainText() == ""


def test_a_note_keeps_spaces_that_do_not_break(
    pane: CoderPane, press: Press, session: CodingSession, qapp: QApplication
) -> None:
    press(K.Key_T)
    note = qapp.focusWidget()
    assert isinstance(note, QPlainTextEdit)
    note.insertPlainText("15\u00a0cm\u202f!")
    press((K.Key_Return, SHIFT))
    QTest.keyClicks(note, "two")
    press(K.Key_Return)
    assert session.state(pane.desk.item.id).note == "15\u00a0cm\u202f!\ntwo"


def test_a_note_being_written_survives_another_decision(
    pane: CoderPane, press: Press, qapp: QApplication
) -> None:
    press(K.Key_T)
    note = qapp.focusWidget()
    QTest.keyClicks(note, "half a th")
    QTest.mouseClick(button(pane, "Flag"), Qt.MouseButton.LeftButton)
    QTest.keyClicks(note, "ought")
    press(K.Key_Return)
    assert pane.desk.state.note == "half a thought"
    assert pane.desk.state.flagged


def test_skip_and_flag_say_what_they_mean(pane: CoderPane, press: Press) -> None:
    press(K.Key_S)
    assert "missing, never as a code" in pane.hint.text()
    assert "skipped" in pane.progress.findChildren(QLabel)[0].text()
    press(K.Key_S, K.Key_F)
    assert not pane.desk.state.skipped
    assert pane.desk.state.flagged


def test_the_codebook_is_one_key_away(pane: CoderPane, press: Press) -> None:
    for key in (K.Key_F1, K.Key_Question):
        press(key)
        assert pane.sheet.isVisible()
        assert pane.sheet.hasFocus()
        assert "In the" not in pane.sheet.toHtml()[:0]
        press(K.Key_D)  # codes work with the codebook open
        assert pane.desk.state.values == {"reading": "director-view"}
        press((K.Key_Z, CTRL), K.Key_Escape)
        assert not pane.sheet.isVisible()
        assert pane.trace.hasFocus()


def test_the_codebook_holds_each_definition_as_plain_words(pane: CoderPane) -> None:
    words = pane.sheet.toPlainText()
    for field in pane.desk.book.fields:
        assert field.label in words
        for code in field.codes:
            assert code.definition.strip() in words
            assert all(example in words for example in code.examples)


def test_a_held_key_does_not_run_on(pane: CoderPane, qapp: QApplication) -> None:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QKeyEvent

    none = Qt.KeyboardModifier.NoModifier
    for repeated in (False, True, True, True):
        held = QKeyEvent(QEvent.Type.KeyPress, K.Key_Return, none, "\r", repeated)
        qapp.sendEvent(pane.trace, held)
    assert pane.desk.index <= 1


def test_a_full_disk_shows_a_banner_and_the_decision_until_it_is_saved(
    pane: CoderPane,
    results: Path,
    press: Press,
    full_disk: Callable[[Path], AbstractContextManager[None]],
) -> None:
    own = button(pane, "Reading of the request: Own view")
    with full_disk(results):
        press(K.Key_O)
        assert pane.banner.isVisible()
        assert "Check the folder" in pane.banner.text
        assert own.isChecked()
        assert "not saved" in pane.progress.findChildren(QLabel)[0].text()
        press(K.Key_Return, K.Key_Return)
        assert pane.desk.index == 0
    button(pane, "Try again").click()
    assert not pane.banner.isVisible()
    assert own.isChecked()
    assert pane.hint.text() == "Saved"
    assert pane.desk.session.state(pane.desk.item.id).values == {"reading": "own-view"}


def test_no_code_button_is_pressed_at_first(pane: CoderPane) -> None:
    assert not any(b.isChecked() for b in pane.findChildren(KeyButton))


def test_progress_counts_and_tells_the_time_left(
    packet: Packet, results: Path, show: Callable[[CoderPane], None], press: Press
) -> None:
    seconds = iter(range(0, 10_000, 120))
    with CodingSession(packet, results, "ann", lambda: float(next(seconds))) as session:
        pane = CoderPane(packet, session)
        show(pane)
        pane.trace.setFocus()
        for _ in range(2):
            press(K.Key_S, K.Key_Return)
        words = [label.text() for label in pane.progress.findChildren(QLabel)]
    assert words == ["Trace 3 of 5", "0 coded · 2 skipped", "about 6 min left"]


def test_hostile_text_is_shown_as_text(
    pack_of: Callable[[list[str]], Packet],
    tmp_path: Path,
    show: Callable[[CoderPane], None],
) -> None:
    text = "<h1>Big</h1><img src='http://example.invalid/x.png'> \u202edesrever\u202c"
    packet = pack_of([text])
    with CodingSession(packet, tmp_path / "r.jsonl", "ann") as session:
        pane = CoderPane(packet, session)
        show(pane)
        shown = pane.trace.toPlainText()
        assert shown == text.replace("\u202e", "\u21c4").replace("\u202c", "\u21c4")


def test_words_survive_a_full_disk_too(
    pane: CoderPane,
    results: Path,
    press: Press,
    qapp: QApplication,
    full_disk: Callable[[Path], AbstractContextManager[None]],
) -> None:
    with full_disk(results):
        press(K.Key_O, K.Key_T)
        QTest.keyClicks(qapp.focusWidget(), "hard one")
        press(K.Key_Return, K.Key_Return)
        assert pane.desk.index == 0
    button(pane, "Try again").click()
    state = pane.desk.session.state(pane.desk.item.id)
    assert (state.values, state.note) == ({"reading": "own-view"}, "hard one")


def test_words_are_selected_by_mouse_and_quoted(pane: CoderPane, press: Press) -> None:
    def place(position: int) -> QPoint:
        cursor = pane.trace.textCursor()
        cursor.setPosition(position)
        return pane.trace.cursorRect(cursor).center()

    view, left = pane.trace.viewport(), Qt.MouseButton.LeftButton
    text = pane.desk.item.text
    start = text.index("sees")
    QTest.mousePress(view, left, pos=place(start))
    QTest.mouseMove(view, place(start + 6))
    QTest.mouseRelease(view, left, pos=place(start + 6))
    press(K.Key_Q)
    assert pane.desk.state.quotes["quote"].text == "sees 5"
    QTest.mouseDClick(view, left, pos=place(text.index("director") + 3))
    press(K.Key_Q)
    assert pane.desk.state.quotes["quote"].text == "director"


def test_page_keys_turn_the_codebook_while_it_is_being_read(
    pane: CoderPane, press: Press
) -> None:
    press(K.Key_F1)
    top = pane.sheet.verticalScrollBar().value()
    press(K.Key_PageDown, K.Key_PageDown)
    assert pane.sheet.verticalScrollBar().value() > top
    assert pane.desk.index == 0
    press(K.Key_Return, K.Key_Return)  # Enter still goes on
    assert pane.desk.index == 1

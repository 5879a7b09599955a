"""The training page and practice: made from the codebook, kept out of the results."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from coding.codebook import Code, Codebook, Field
from coding.packet import Packet
from coding.results import CodingSession, results_name
from coding.training import cards
from director_gui.ui import theme
from director_gui.ui.coder import keys
from director_gui.ui.coder.guide import steps
from director_gui.ui.coder.practice import PracticePage
from director_gui.ui.coder.training import TrainingPage
from director_gui.ui.coder.window import CoderWindow

K = Qt.Key
Press = Callable[..., None]
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def window(
    packet: Packet, tmp_path: Path, show: Callable[[QWidget], None]
) -> Iterator[CoderWindow]:
    made = CoderWindow(packet, tmp_path, "ann")
    show(made)
    made.welcome.start()
    yield made
    if made.pane is not None:
        made.pane.desk.session.close()


@pytest.fixture
def practice(window: CoderWindow, press: Press) -> PracticePage:
    press(K.Key_Backtab, K.Key_Space)  # from “Start” to “Practise”
    assert window.practice is not None
    return window.practice


def words(page: QWidget) -> str:
    shown = [x.text() for x in page.findChildren(QLabel) if x.isVisible()]
    return "\n".join(shown)


def key_of(page: PracticePage, code: str) -> Qt.Key:
    key = page._plan.code(page.practice.card.field, code).upper()
    return Qt.Key(ord(key))


def wrong(page: PracticePage, book: Codebook) -> str:
    card = page.practice.card
    names = book.field(card.field).code_names()
    return next(name for name in names if name != card.code)


# The training page ------------------------------------------------------------------


def test_it_comes_before_the_first_trace_and_enter_goes_on(
    window: CoderWindow, press: Press
) -> None:
    assert window.training.isVisible()
    assert window.training.start.text() == "Start with trace 1"
    press(K.Key_Return)
    assert window.pane is not None
    assert window.pane.trace.hasFocus()


def test_it_names_every_field_and_every_key(
    window: CoderWindow, book: Codebook
) -> None:
    said = words(window.training)
    for field in book.fields:
        assert field.label in said
    assert "press Q" in said
    assert "T writes a note" in said  # N is a code of this codebook
    text = window.training.book.toPlainText()
    for field in book.fields:
        for code in field.codes:
            assert code.definition[:40].split("\n")[0] in text


def test_a_coder_who_has_begun_goes_straight_to_the_traces(
    packet: Packet, tmp_path: Path, show: Callable[[QWidget], None]
) -> None:
    path = tmp_path / results_name(packet.id, "ann")
    with CodingSession(packet, path, "ann") as session:
        session.set_flag(packet.items[0].id)
    window = CoderWindow(packet, tmp_path, "ann")
    show(window)
    window.welcome.start()
    assert window.pane is not None
    assert window.pane.isVisible()
    window.close()


def test_it_can_be_reached_again_from_a_trace_and_back(
    window: CoderWindow, press: Press
) -> None:
    press(K.Key_Return, K.Key_S, K.Key_Return)
    assert window.pane is not None
    assert window.pane.desk.index == 1
    press(K.Key_F2)
    assert window.training.isVisible()
    assert window.training.start.text() == "Back to trace 2"
    press(K.Key_Escape)
    assert window.pane.trace.hasFocus()
    assert window.pane.desk.index == 1


def test_it_can_be_reached_by_mouse_and_from_the_last_page(
    window: CoderWindow, press: Press, packet: Packet
) -> None:
    press(K.Key_Return)
    assert window.pane is not None
    (tool,) = [
        b for b in window.pane.findChildren(QAbstractButton) if b.text() == "Training"
    ]
    QTest.mouseClick(tool, Qt.MouseButton.LeftButton)
    assert window.training.isVisible()
    press(K.Key_Escape)
    for _ in packet.items:
        press(K.Key_S, K.Key_Return)
    assert window.finish.isVisible()
    press(K.Key_F2)
    assert window.training.isVisible()


def test_words_that_are_being_written_are_kept_on_the_way(
    window: CoderWindow, press: Press, qapp: QApplication, packet: Packet
) -> None:
    press(K.Key_Return, K.Key_T)
    QTest.keyClicks(qapp.focusWidget(), "odd")
    press(K.Key_F2)
    assert window.pane is not None
    assert window.pane.desk.session.state(packet.items[0].id).note == "odd"


def test_steps_are_made_from_any_codebook() -> None:
    codes = (Code("a", "A", key="f"), Code("b", "B"))
    book = Codebook("b", 1, "", "", (
        Field("x", "Mood", "one_of", codes=codes),
        Field("q", "Proof", "quote", required=False),
        Field("w", "Why", "text"),
    ))  # fmt: skip
    said = " ".join(steps(book, keys.plan(book)))
    assert "decide 3 things: Mood; Proof (if there is something to say); Why." in said
    assert "Proof: select the words in the trace, then press Q." in said
    plan = keys.plan(book)
    assert f"Why: {plan.field('w').upper()} opens its field" in said
    assert f"{plan.command(keys.FLAG).upper()} flags" in said
    assert plan.command(keys.FLAG) != "f"


def test_without_examples_there_is_no_practice(show: Callable[[QWidget], None]) -> None:
    book = Codebook("b", 1, "", "", (Field("w", "Why", "text"),))
    page = TrainingPage(book, keys.plan(book))
    show(page)
    assert not page.practise.isVisible()
    assert "Practice" not in words(page)


# Practice ---------------------------------------------------------------------------


def test_a_right_answer_is_told_by_key(
    practice: PracticePage, book: Codebook, press: Press
) -> None:
    card = practice.practice.card
    assert practice.passage.hasFocus()
    assert practice.passage.toPlainText() == card.text
    press(key_of(practice, card.code))
    label = book.field(card.field).code(card.code).label
    assert practice.verdict.text() == f"✓ Right: {label}"
    assert practice.verdict.isVisible()
    assert book.field(card.field).code(card.code).definition in practice.why.text()
    press(K.Key_Return)
    assert practice.practice.at == 1
    assert not practice.verdict.isVisible()


def test_a_wrong_answer_is_told_with_the_code_it_should_be(
    practice: PracticePage, book: Codebook, press: Press
) -> None:
    card = practice.practice.card
    other = wrong(practice, book)
    press(key_of(practice, other), key_of(practice, card.code))
    field = book.field(card.field)
    assert field.code(card.code).label in practice.verdict.text()
    assert f"you chose “{field.code(other).label}”" in practice.verdict.text()
    assert practice.practice.right == 0  # the first answer counts


def test_only_the_field_of_the_card_is_asked(
    practice: PracticePage, book: Codebook, press: Press
) -> None:
    field = practice.practice.card.field
    shown = [name for name, box in practice._choices.items() if box.isVisible()]
    assert shown == [field]
    elsewhere = next(f for f in book.fields if f.codes and f.name != field)
    press(Qt.Key(ord(practice._plan.code(elsewhere.name, "no").upper())))
    assert practice.practice.answer is None


def test_the_mouse_answers_too(practice: PracticePage) -> None:
    card = practice.practice.card
    box = practice._choices[card.field]
    box._buttons[card.code].click()
    assert practice.practice.is_right


def test_all_the_way_through_and_again(
    window: CoderWindow, practice: PracticePage, book: Codebook, press: Press
) -> None:
    first = practice.practice.cards
    for _ in first:
        press(key_of(practice, practice.practice.card.code), K.Key_Return)
    total = len(cards(book))
    assert f"{total} of {total} as the codebook has them" in practice.verdict.text()
    press(K.Key_Backtab, K.Key_Return)  # “Practise again”
    assert practice.practice.at == 0
    assert practice.practice.cards != first
    for _ in first:
        press(K.Key_Return)
    press(K.Key_Return)
    assert window.pane is not None
    assert window.pane.isVisible()


def test_nothing_of_practice_is_in_the_results_or_anywhere_else(
    window: CoderWindow, practice: PracticePage, tmp_path: Path, press: Press
) -> None:
    assert window.pane is not None
    path = window.pane.desk.session.path
    before = path.read_bytes()
    files = sorted(tmp_path.rglob("*"))
    for _ in range(5):
        press(key_of(practice, practice.practice.card.code), K.Key_Return)
    press(K.Key_Escape)
    assert window.training.isVisible()
    press(K.Key_Return)
    assert window.pane.isVisible()
    assert path.read_bytes() == before
    assert sorted(tmp_path.rglob("*")) == files
    desk = window.pane.desk
    assert not any(desk.session.state(item.id).values for item in desk.packet.items)


def test_no_passage_of_the_packet_is_practised(
    practice: PracticePage, packet: Packet
) -> None:
    texts = {item.text for item in packet.items}
    assert not texts & {card.text for card in practice.practice.cards}


def test_practice_goes_on_where_it_was_left(
    window: CoderWindow, practice: PracticePage, press: Press
) -> None:
    press(K.Key_Return, K.Key_Return, K.Key_Escape, K.Key_Backtab, K.Key_Space)
    assert practice.isVisible()
    assert practice.practice.at == 2
    assert window.practice is practice


def test_markup_in_an_example_is_shown_as_text(show: Callable[[QWidget], None]) -> None:
    html = "<b>bold</b> <img src='http://example.invalid/x.png'>"
    codes = (Code("a", html, html, (html,)), Code("b", "B"))
    field = Field("f", html, "one_of", html, codes=codes)
    book = Codebook("b", 1, html, html, (field,))
    page = PracticePage(book, keys.plan(book))
    show(page)
    page.choose("f", "a")
    assert page.passage.toPlainText() == html
    labels = page.findChildren(QLabel)
    assert html in page.verdict.text()
    assert all(x.textFormat() == Qt.TextFormat.PlainText for x in labels)


# Both: keyboard, names, size --------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name(
    window: CoderWindow, practice: PracticePage, press: Press, qapp: QApplication
) -> None:
    for page, least in ((practice, 5), (window.training, 4)):
        if page is window.training:
            press(K.Key_Escape)
        names = []
        for _ in range(25):
            press(K.Key_Tab)
            focus = qapp.focusWidget()
            assert focus is not None
            spoken = QAccessible.queryAccessibleInterface(focus)
            name = spoken.text(QAccessible.Text.Name)
            assert name, focus
            if name in names:
                break
            names.append(name)
        assert len(names) >= least, names


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_at_twice_the_size_both_pages_keep_their_width_and_their_words(
    window: CoderWindow, practice: PracticePage, press: Press, mode: str
) -> None:
    window.set_mode(mode)
    window.set_scale(2.0)
    press(key_of(practice, practice.practice.card.code))
    QTest.qWait(50)
    sight = practice._area.viewport()
    place = practice._answer.mapTo(sight, practice._answer.rect().bottomLeft())
    assert place.y() <= sight.height()  # the verdict was brought into sight
    assert (window.width(), window.height()) == (1280, 800)
    press(K.Key_Escape)
    QTest.qWait(50)
    for label in window.training.findChildren(QLabel):
        needed = label.heightForWidth(label.width())
        assert label.height() >= needed, label.text()
    assert theme.tokens().panel in window.training.book.styleSheet()
    window.set_scale(1.0)

"""Nothing is cut and nothing is out of reach: many codes, long words, 200 % text."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QPlainTextEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from coding.codebook import Code, Codebook, Field
from coding.packet import Entry, seal
from coding.results import CodingSession
from director_gui.ui import theme
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.pane import CoderPane
from director_gui.ui.coder.words import breakable

K = Qt.Key
Press = Callable[..., None]
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]

WORD = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfarbenverordnung"
SHORT = ("yes", "no", "not said")
LABELS = [
    "Looks at what the director can see and leaves out whatever is hidden from there",
    "Own view", WORD, "Prior knowledge", "Largest digit", "No identifiable rule",
    "Guesses", "Copies an example", "Counts", "Compares edges", "Compares faces",
    "Something else that has no name of its own yet",
]  # fmt: skip
BOOK = Codebook("big", 1, "Twelve codes, six fields", "Intro " * 40, (
    Field("strategy", f"Strategy {WORD}", "one_of", codes=tuple(
        Code(f"c{n}", label, "Definition " * 9, key="a" if n == 0 else "",
             color="#2f6db3" if n % 2 else "")
        for n, label in enumerate(LABELS)
    )),
    Field("quote", "Quote", "quote"),
    Field("sees", "Director sees the chosen block", "yes_no_not_said"),
    Field("works", "Works out what the director sees", "yes_no"),
    Field("second", "Second quote, where the trace changes its mind", "quote",
          required=False),
    Field("why", "Why", "text", "In your own words", required=False),
))  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Iterator[CodingSession]:
    entries = [Entry(str(n), f"Trace {n} {WORD} " * 9) for n in range(3)]
    packet = seal(entries, BOOK, random.Random(1).randbytes).packet
    with CodingSession(packet, tmp_path / "r.jsonl", "ann") as opened:
        yield opened


@pytest.fixture(params=[1.0, 2.0], ids=["100 %", "200 %"])
def pane(
    request: pytest.FixtureRequest,
    session: CodingSession,
    show: Callable[[QWidget], None],
    qapp: QApplication,
) -> Iterator[CoderPane]:
    made = CoderPane(session.packet, session)
    show(made)
    theme.apply(qapp, "light", request.param)
    made.restyle()
    made.trace.setFocus()
    yield made
    theme.apply(qapp, "light", 1.0)


def spot(widget: QWidget, inside: QWidget) -> QRect:
    return QRect(widget.mapTo(inside, QPoint()), widget.size())


def test_the_page_is_as_wide_as_it_was_given(pane: CoderPane, qtbot: QtBot) -> None:
    qtbot.wait(50)
    assert pane.width() == 1280
    assert pane.column.width() <= 0.5 * pane.width()
    assert pane.trace.width() >= 0.5 * pane.width()


def test_nothing_in_the_column_is_cut_at_its_sides(
    pane: CoderPane, qtbot: QtBot
) -> None:
    qtbot.wait(50)
    area = pane.column._area
    seen = 0
    for widget in pane.column._inner.findChildren(QWidget):
        if not isinstance(widget, QAbstractButton | QLabel | QPlainTextEdit):
            continue
        place = spot(widget, area.viewport())
        assert place.left() >= 0, widget
        assert place.right() <= area.viewport().width(), widget
        seen += 1
    assert seen > 25


def test_every_button_is_high_enough_for_its_words(
    pane: CoderPane, qtbot: QtBot
) -> None:
    qtbot.wait(50)
    buttons = pane.findChildren(KeyButton)
    assert len(buttons) == 12 + 2 + 3 + 2 + 2
    for button in buttons:
        assert button.height() >= button.heightForWidth(button.width()), button.label
        room = button.width() - button._left() - theme.px(theme.S2)
        flags = int(Qt.TextFlag.TextWordWrap)
        needed = button.fontMetrics().boundingRect(
            QRect(0, 0, room, 10_000), flags, breakable(button.label)
        )
        assert needed.width() <= room, button.label
        assert needed.height() <= button.height(), button.label


def test_short_answers_stand_side_by_side_on_one_line(
    pane: CoderPane, qtbot: QtBot
) -> None:
    qtbot.wait(50)
    short = [b for b in pane.findChildren(KeyButton) if b.label in SHORT]
    assert len(short) == 5
    for button in short:
        assert button.width() >= button.sizeHint().width(), button.label
    assert len({button.mapTo(pane, QPoint()).y() for button in short}) == 2


def test_a_narrow_column_puts_them_under_one_another(
    pane: CoderPane, qtbot: QtBot
) -> None:
    pane.column.setFixedWidth(150)
    qtbot.wait(50)
    short = [b for b in pane.findChildren(KeyButton) if b.label in SHORT]
    assert len({button.mapTo(pane, QPoint()).y() for button in short}) == 5


def test_what_has_the_focus_is_in_sight(
    pane: CoderPane, press: Press, qtbot: QtBot, qapp: QApplication
) -> None:
    seen = []
    for _ in range(60):
        press(K.Key_Tab)
        qtbot.wait(1)
        focus = qapp.focusWidget()
        assert focus is not None
        if focus is pane.trace:
            break
        if pane.column._inner.isAncestorOf(focus):
            sight = pane.column._area.viewport()
            place = spot(focus, sight)
            assert sight.rect().contains(place.center()), focus.accessibleName()
            assert place.height() > sight.height() or sight.rect().contains(place)
        seen.append(focus.accessibleName())
    assert len(seen) > 22
    assert f"Strategy {WORD}: {WORD}" in seen


def test_a_key_brings_its_field_into_sight(
    pane: CoderPane, press: Press, qtbot: QtBot
) -> None:
    key = pane.plan.code("works", "yes").upper()
    press(getattr(K, f"Key_{key}"))
    qtbot.wait(1)
    assert pane.desk.state.values == {"works": "yes"}
    (button,) = [
        b
        for b in pane.findChildren(KeyButton)
        if b.accessibleName().startswith("Works out") and b.label == "yes"
    ]
    sight = pane.column._area.viewport()
    assert sight.rect().contains(spot(button, sight))


def test_every_field_has_a_key_and_none_serves_twice(pane: CoderPane) -> None:
    given = [key for key in pane.plan.keys.values() if key]
    assert len(set(given)) == len(given) == 12 + 3 + 2 + 3 + 4
    assert pane.plan.code("strategy", "c0") == "a"


def test_long_words_can_be_broken_and_short_ones_stay() -> None:
    assert breakable("Own view") == "Own view"
    assert breakable(WORD).replace("\N{ZERO WIDTH SPACE}", "") == WORD
    assert "\N{ZERO WIDTH SPACE}" in breakable(f"a {WORD}")


def test_the_place_stays_and_the_counts_give_way(pane: CoderPane, qtbot: QtBot) -> None:
    pane.progress.show_counts(1200, 300, 10_000, "about 12 h 55 min left")
    pane.resize(700, 500)
    qtbot.wait(50)
    assert pane.progress._place.isVisible()
    shown = [w for w in (pane.progress._counts, pane.progress._left) if w.isVisible()]
    buttons = pane.progress.findChildren(QAbstractButton)
    row = [*buttons, pane.progress._place, *shown]
    places = [spot(w, pane.progress) for w in row]
    for at, one in enumerate(places):
        assert not any(one.intersects(other) for other in places[at + 1 :])
    said = pane.progress._bar.accessibleDescription()
    assert said == "1,200 coded · 300 skipped of 10,000 about 12 h 55 min left"

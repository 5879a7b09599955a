"""The pane is built from the codebook that the packet brings, whatever it asks."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from coding.codebook import Code, Codebook, Field
from coding.packet import Entry, seal
from coding.results import CodingSession
from director_gui.ui.coder.buttons import KeyButton
from director_gui.ui.coder.pane import CoderPane

K = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Press = Callable[..., None]
# Only the offscreen plugin says this, whenever a window has a least size.
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]

MARKUP = "<b>bold</b> & <a href='http://example.invalid'>link</a>"
LONG = "A very long label that needs more than one line in the column of codes, surely"
BOOK = Codebook(
    name="other",
    version=3,
    title=MARKUP,
    intro=MARKUP,
    fields=(
        Field("tone", "Tone & mood", "one_of", MARKUP, codes=(
            Code("None", "None", MARKUP, (MARKUP,), (MARKUP,)),
            Code("NA", LONG, key="f"),
            Code("=1+1", "=1+1", key="s"),
        )),
        Field("first", "First quote", "quote"),
        Field("second", "Second quote", "quote", required=False),
        Field("why", "Why", "text", "In your own words", required=False),
    ),
)  # fmt: skip


@pytest.fixture
def session(tmp_path: Path) -> Iterator[CodingSession]:
    entries = [Entry("a", "one two three four"), Entry("b", "five six seven")]
    packet = seal(entries, BOOK, random.Random(1).randbytes).packet
    with CodingSession(packet, tmp_path / "r.jsonl", "ann") as opened:
        yield opened


@pytest.fixture
def pane(session: CodingSession, show: Callable[[QWidget], None]) -> CoderPane:
    made = CoderPane(session.packet, session)
    show(made)
    made.trace.setFocus()
    return made


def test_every_field_is_coded_by_the_keys_that_it_shows(
    pane: CoderPane, session: CodingSession, press: Press, qapp: QApplication
) -> None:
    plan = pane.plan
    text = session.packet.items[0].text
    press(K.Key_F)  # the codebook's own: "NA", not the flag
    press((K.Key_Home, CTRL), (K.Key_Right, CTRL | SHIFT))
    QTest.keyClicks(qapp.focusWidget(), plan.field("first"))
    press((K.Key_End, CTRL), (K.Key_Left, CTRL | SHIFT))
    QTest.keyClicks(qapp.focusWidget(), plan.field("second"))
    QTest.keyClicks(qapp.focusWidget(), plan.field("why"))
    QTest.keyClicks(qapp.focusWidget(), "because f s 1")
    press(K.Key_Return)
    state = session.state(session.packet.items[0].id)
    assert state.values == {"tone": "NA", "why": "because f s 1"}
    assert not state.flagged
    words = text.split()
    assert [state.quotes[f].text for f in ("first", "second")] == [words[0], words[-1]]
    assert len(pane.trace.extraSelections()) == 2
    press(K.Key_Return)
    assert pane.desk.index == 1


def test_the_codebooks_markup_is_shown_never_interpreted(pane: CoderPane) -> None:
    assert pane.sheet.toPlainText().count(MARKUP) == 6
    assert not pane.sheet.anchorAt(pane.sheet.rect().center())
    labels = pane.findChildren(QLabel)
    assert all(x.textFormat() == Qt.TextFormat.PlainText for x in labels)
    for button in pane.findChildren(KeyButton):
        assert "<b>" not in button.toolTip()


def test_a_long_label_wraps_inside_its_button(pane: CoderPane) -> None:
    (long,) = [b for b in pane.findChildren(KeyButton) if b.label == LONG]
    (short,) = [b for b in pane.findChildren(KeyButton) if b.label == "None"]
    assert long.height() > 1.4 * short.height()
    assert long.width() == short.width() <= pane.column.width()


def test_optional_fields_do_not_hold_the_coder(
    pane: CoderPane, session: CodingSession, press: Press
) -> None:
    press(K.Key_S, (K.Key_Home, CTRL), (K.Key_Right, CTRL | SHIFT), K.Key_Q)
    assert session.status(session.packet.items[0].id) == "coded"
    assert session.state(session.packet.items[0].id).values == {"tone": "=1+1"}
    press(K.Key_Return)
    assert pane.desk.index == 1

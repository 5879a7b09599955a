"""Disagreements settled in the window by keyboard alone; blind to coders' names."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from coding.log import parse_log
from coding.packet import Packet, read_packet
from coding.results import ADJUDICATED, CodingSession, results_name
from coding.state import ItemState, Quote
from director_gui.store.packets import results_of
from director_gui.study.blind.adjudicating import ELSEWHERE, Disagreement, Said
from director_gui.study.blind.merging import merge_results
from director_gui.ui import theme
from director_gui.ui.coordinator.adjudicate_page import AdjudicatePane
from director_gui.ui.coordinator.adjudicate_sides import shades
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
WAIT = 10_000  # ms
K = Qt.Key


def coded(packet: Path, alias: str, odd: int) -> Path:
    """Code all items alike but the first `odd` ones."""
    found = read_packet(packet)
    path = packet.parent / results_name(found.id, alias)
    with CodingSession(found, path, alias) as session:
        for at, item in enumerate(found.items):
            code = "director-view" if at < odd else "own-view"
            session.record_code(item.id, "reading", code)
            session.record_quote(item.id, odd, odd + 12)
            session.record_code(item.id, "sees_choice", "no")
            session.record_code(item.id, "works_out", "yes")
        session.set_note(found.items[0].id, f"a note by {alias}")
    return path


@pytest.fixture
def compared(bench: Bench, packet: Path, qtbot: QtBot) -> Packet:
    """A packet whose coders differ on three items, its page on show."""
    paths = [coded(packet, "ann", 0), coded(packet, "ben", 3)]
    merge_results(bench.session.study, paths, "me")
    bench.workspace.refresh()
    box = bench.workspace.page.adjudicate
    qtbot.waitUntil(lambda: box.isVisible() and box.begin.isVisible(), timeout=WAIT)
    return read_packet(packet)


@pytest.fixture
def pane(
    bench: Bench, compared: Packet, qtbot: QtBot, qapp: QApplication
) -> AdjudicatePane:
    """The adjudication, begun with the key that its button names."""
    del compared
    bench.workspace.activateWindow()
    qtbot.waitUntil(bench.workspace.isActiveWindow, timeout=WAIT)
    bench.workspace.setFocus()
    press(qapp, (K.Key_J, Qt.KeyboardModifier.ControlModifier))
    page = bench.workspace.adjudicate
    qtbot.waitUntil(lambda: page.pane is not None, timeout=WAIT)
    assert page.pane is not None
    qtbot.waitUntil(page.pane.trace.hasFocus, timeout=WAIT)
    return page.pane


def press(app: QApplication, *keys: object) -> None:
    """Press keys where the keyboard is."""
    for key in keys:
        target = app.focusWidget()
        assert target is not None
        QTest.keyClick(target, *(key if isinstance(key, tuple) else (key,)))


def shown_words(pane: AdjudicatePane) -> str:
    return "\n".join(" ".join(row) for row in pane.sides.rows)


def test_the_page_says_what_there_is_to_settle(bench: Bench, compared: Packet) -> None:
    del compared
    assert bench.says("3 items were coded differently")
    assert bench.says("locks the coders' results")


def test_nothing_is_said_before_two_coders_are_done(
    bench: Bench, packet: Path, qtbot: QtBot
) -> None:
    merge_results(bench.session.study, [coded(packet, "ann", 0)], "me")
    page = bench.workspace.page
    bench.workspace.refresh()
    qtbot.waitUntil(lambda: page.coders.rowCount() == 1, timeout=WAIT)
    assert page.adjudicate.isHidden()


def test_both_codes_stand_side_by_side_without_names(pane: AdjudicatePane) -> None:
    rows = pane.sides.rows
    assert rows[0] == ("", "Coder A", "Coder B")
    assert ("≠ Reading of the request", "Director's view", "Own view") in rows
    assert ("Director sees the chosen block", "No", "No") in rows
    assert "a note by" in shown_words(pane) or pane.desk.index
    for name in ("Coder ann", "Coder ben"):
        assert name not in shown_words(pane)
    assert "Reading of the request" in pane.sides.accessibleDescription()


def test_both_quotes_are_lit_apart_from_the_own_one(
    pane: AdjudicatePane, qapp: QApplication
) -> None:
    def lit() -> dict[str, str]:
        selections: list[QTextEdit.ExtraSelection] = pane.trace.extraSelections()
        return {
            s.format.background().color().name(): s.cursor.selectedText()
            for s in selections
        }

    text, t = pane.desk.item.text, theme.tokens()
    # The codes decide the order: who chose the director's view is coder A here, and
    # what both quoted has A's colour.
    assert lit() == {t.accent_soft: text[12:15], t.warning_soft: text[:3]}
    lines = [s.format.underlineStyle() for s in pane.trace.extraSelections()]
    assert len(set(lines)) == 2
    shift = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier
    press(qapp, (K.Key_Right, shift), K.Key_Q)
    assert set(lit()) == {t.accent_soft, t.warning_soft, t.lit}
    press(qapp, K.Key_Return, K.Key_Return)
    assert t.lit not in lit()


def test_only_what_differs_is_asked_for(
    pane: AdjudicatePane, qapp: QApplication
) -> None:
    assert [field.name for field in pane.desk.missing()] == ["reading"]
    press(qapp, K.Key_Return)  # named once, then left open
    assert "Reading of the request" in pane.hint.text()
    press(qapp, K.Key_O)
    assert pane.desk.missing() == []
    assert (pane.desk.status, pane.desk.progress.coded) == ("coded", 1)
    press(qapp, K.Key_Return)
    assert pane.desk.index == 1


def test_keys_alone_settle_all_and_lead_back(
    bench: Bench,
    compared: Packet,
    pane: AdjudicatePane,
    qtbot: QtBot,
    qapp: QApplication,
) -> None:
    path = pane.desk.session.path
    for key in (K.Key_O, K.Key_D, K.Key_G):
        press(qapp, key, K.Key_Return)
    box = bench.workspace.page.adjudicate
    qtbot.waitUntil(lambda: "3 settled" in box.words.text(), timeout=WAIT)
    assert bench.workspace.adjudicate.pane is None
    kept = {r.alias: r.data for r in results_of(bench.session.study, compared.id)}
    assert kept[ADJUDICATED] == path.read_bytes()
    fold = parse_log(path.read_bytes(), compared).fold
    first = [fold.state(item.id).values for item in compared.items[:3]]
    codes = ["own-view", "director-view", "largest-digit"]
    assert first == [{"reading": code} for code in codes]
    assert not bench.refused
    # The third reader is no coder: the list and the figures know two.
    assert bench.workspace.page.coders.rowCount() == 2
    assert bench.workspace.page.agreement.pairs.rowCount() == 1


def test_each_decision_is_on_disk_before_the_next(
    pane: AdjudicatePane, qapp: QApplication
) -> None:
    path = pane.desk.session.path
    press(qapp, K.Key_O)
    assert path.read_bytes().count(b"\n") == 2
    press(qapp, (K.Key_Z, Qt.KeyboardModifier.ControlModifier))
    assert b'"undo"' in path.read_bytes()
    assert pane.desk.state.values == {}


def test_undo_goes_back_to_its_item_and_counts_right(
    pane: AdjudicatePane, qapp: QApplication
) -> None:
    undo = (K.Key_Z, Qt.KeyboardModifier.ControlModifier)
    press(qapp, K.Key_O, K.Key_Return, K.Key_D, K.Key_Return)
    assert (pane.desk.index, pane.desk.progress.coded) == (2, 2)
    press(qapp, undo)
    assert (pane.desk.index, pane.desk.progress.coded) == (1, 1)
    press(qapp, undo)
    assert (pane.desk.index, pane.desk.progress.coded) == (0, 0)
    press(qapp, (K.Key_Y, Qt.KeyboardModifier.ControlModifier))
    assert pane.desk.progress.coded == 1


def test_leaving_half_way_goes_on_there(
    bench: Bench, pane: AdjudicatePane, qtbot: QtBot, qapp: QApplication
) -> None:
    press(qapp, K.Key_O, K.Key_Return)
    assert pane.desk.index == 1
    press(qapp, (K.Key_Return, Qt.KeyboardModifier.ControlModifier))
    box = bench.workspace.page.adjudicate
    qtbot.waitUntil(lambda: "1 settled" in box.words.text(), timeout=WAIT)
    box.begin.click()
    page = bench.workspace.adjudicate
    qtbot.waitUntil(lambda: page.pane is not None, timeout=WAIT)
    assert page.pane is not None
    assert page.pane.desk.index == 1


def test_news_of_the_packet_does_not_end_it(
    bench: Bench, pane: AdjudicatePane, qtbot: QtBot
) -> None:
    bench.workspace.refresh()
    qtbot.wait(400)
    assert pane.isVisible()


def test_another_page_closes_the_log(
    bench: Bench, pane: AdjudicatePane, compared: Packet
) -> None:
    path = pane.desk.session.path
    bench.workspace.show_make()
    assert bench.workspace.adjudicate.pane is None
    CodingSession(compared, path, ADJUDICATED).close()  # nobody holds its lock


def test_a_changed_log_is_refused_in_words(
    bench: Bench, compared: Packet, qtbot: QtBot
) -> None:
    folder = bench.session.study.path.with_name("a.adjudication")
    folder.mkdir()
    (folder / results_name(compared.id, ADJUDICATED)).write_text("{}\n")
    bench.workspace.page.adjudicate.begin.click()
    qtbot.waitUntil(lambda: bool(bench.refused), timeout=WAIT)
    assert "missing" in str(bench.refused[0])
    # The rest of the packet's page stays in use, and says what is wrong.
    bench.workspace.refresh()
    box = bench.workspace.page.adjudicate
    qtbot.waitUntil(lambda: "missing" in box.words.text(), timeout=WAIT)
    assert box.begin.isHidden()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_it_follows_the_theme(
    mode: theme.Mode,
    pane: AdjudicatePane,
    bench: Bench,
    qapp: QApplication,
    request: pytest.FixtureRequest,
) -> None:
    request.addfinalizer(lambda: theme.apply(qapp, "light"))
    theme.apply(qapp, mode)
    bench.workspace.retheme()
    colors = {
        s.format.background().color().name() for s in pane.trace.extraSelections()
    }
    assert theme.tokens().accent_soft in colors


def test_a_quote_of_another_form_is_named_and_not_shown(
    pane: AdjudicatePane,
) -> None:
    item = pane.desk.item.id
    said = (
        Said("ann", ItemState({"reading": "own-view"}, {"quote": Quote(0, 3, "abc")})),
        Said("ben", ItemState({"reading": "no-rule"}, {"quote": ELSEWHERE})),
    )
    one = Disagreement(item, ("reading",), said)
    pane.sides.show_item(one)
    assert ("Quote", "“abc”", "not in this form of the text") in pane.sides.rows
    assert [(s.start, s.end) for s in shades(one)] == [(0, 3)]

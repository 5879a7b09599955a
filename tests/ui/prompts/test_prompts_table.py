"""The table of conditions, and the messages under it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.prompts.pieces import SLOTS, Piece, own_variants
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.store.prompts import OwnPrompts
from director_gui.study.asking import prompts_for
from director_gui.study.probing import input_tokens
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    put_condition,
    put_piece,
)
from director_gui.ui import theme
from director_gui.ui.prompts.condition_model import COLUMNS
from tests.study.test_prompt_library import changed, full
from tests.ui.prompts.bench import WAIT_MS, Bench

pytestmark = pytest.mark.gui
GROUND = Qt.ItemDataRole.BackgroundRole


def lit(bench: Bench) -> set[tuple[str, str]]:
    """The cells that are lit, by condition and column."""
    return {
        (name, column)
        for name in bench.names()
        for column in COLUMNS
        if bench.cell(name, column, GROUND) is not None
    }


def test_every_condition_stands_with_its_pieces(bench: Bench) -> None:
    assert bench.names() == [c.name for c in library().conditions]
    for condition in library().conditions:
        for slot, piece in condition.slots.items():
            column = COLUMNS[SLOTS.index(slot)]
            shown = bench.cell(condition.name, column)
            assert shown == (piece.name if piece else "–")


def test_numbers_are_those_of_the_open_scene(bench: Bench) -> None:
    scene = bench.document.scene
    names = bench.names()
    prompts = prompts_for(scene, truth_of(scene), names)
    for name, prompt in prompts.items():
        assert bench.cell(name, "Bytes") == f"{sum(map(len, prompt.turns)):,}"
        assert bench.cell(name, "Tokens") == f"{input_tokens(prompt.turns):,}"
        assert bench.cell(name, "Turns") == str(len(prompt.turns))


def test_another_scene_changes_the_statement(bench: Bench) -> None:
    before = bench.cell("move.state", "Bytes")
    bench.click_cell("move.state", "report")
    assert "blocks: 5, 8." in bench.space.pair.text.toPlainText()
    scene = edits.delete(bench.document.scene, Item("block", 8))
    bench.document.apply(scene, "Delete")
    bench.qtbot.waitUntil(
        lambda: bench.cell("move.state", "Bytes") != before, timeout=WAIT_MS
    )
    assert "blocks: 5." in bench.space.pair.text.toPlainText()


def test_a_click_shows_the_condition_against_its_first_partner(bench: Bench) -> None:
    bench.click_cell("move.count", "report")
    pair = bench.space.pair
    assert pair.title.text() == "move.count"
    assert pair.chosen_partner == "move.plain"
    assert "How many blocks" in pair.text.toPlainText()
    assert pair.proof.text().startswith("✓ Declared pair, move.count against")
    assert "one inserted run at “report”" in pair.proof.text()
    assert lit(bench) == {("move.count", "Report"), ("move.plain", "Report")}


def test_the_differing_span_is_lit_in_the_message(bench: Bench) -> None:
    bench.click_cell("move.ask", "report")
    block = bench.space.pair.text.document().begin()
    found = []
    while block.isValid():
        form = block.blockFormat()
        if form.hasProperty(QTextBlockFormat.Property.BackgroundBrush):
            found.append(block.text())
        block = block.next()
    assert len(found) == 1
    assert found[0].startswith("Which blocks can the director see?")


def test_declared_partners_come_before_the_others(bench: Bench) -> None:
    bench.click_cell("want.ask", "report")
    box = bench.space.pair.partner
    listed = [box.itemText(at) for at in range(box.count())]
    assert listed[:2] == ["want.plain", "move.ask"]
    assert listed[2] == ""
    assert set(listed[4:]) | {"want.plain", "move.ask", "want.ask"} == {
        c.name for c in library().conditions
    }


def test_two_turns_are_shown_as_turns(bench: Bench) -> None:
    bench.click_cell("move.first_turn", "report")
    text = bench.space.pair.text.toPlainText()
    assert "User message 1 of 2" in text
    assert "User message 2 of 2" in text
    assert text.index("picture goes here") < text.index("numbered blocks")


def test_sizes_are_told_in_bytes_characters_and_tokens(bench: Bench) -> None:
    bench.click_cell("move.ask", "report")
    words = bench.space.pair.sizes.text()
    assert "move.ask: 649 bytes, 649 characters, about 962 tokens" in words
    assert "move.plain: 560 bytes" in words


def test_an_undeclared_partner_may_be_no_pair(bench: Bench) -> None:
    bench.click_cell("move.ask", "report")
    bench.choose_partner("want.plain")
    assert "Not a declared pair" in bench.space.pair.proof.text()
    assert (
        "no pair: they differ in more than one piece" in bench.space.pair.proof.text()
    )
    assert ("want.plain", "Action") in lit(bench)
    bench.choose_partner("no other condition")
    assert lit(bench) == set()


def test_typing_filters_by_condition_piece_and_state(bench: Bench) -> None:
    bench.give(full())
    QTest.keyClicks(bench.space.filter, "knowledge")
    assert bench.names() == ["move.knowledge.ask"]
    bench.type(bench.space.filter, "YOURS big")
    assert bench.names() == ["big"]
    bench.type(bench.space.filter, "mean count")
    assert bench.names() == ["mean.count"]


def test_a_filter_that_finds_nothing_offers_to_clear_it(bench: Bench) -> None:
    QTest.keyClicks(bench.space.filter, "nothing at all")
    assert bench.space.listed.currentIndex() == 1
    bench.press("Clear the filter")
    assert bench.space.listed.currentIndex() == 0
    assert len(bench.names()) == len(library().conditions)
    assert bench.space.table.current().name == "move.ask"


def test_a_click_on_a_head_sorts(bench: Bench) -> None:
    head = bench.space.table.horizontalHeader()
    at = head.sectionViewportPosition(COLUMNS.index("Bytes")) + 20
    point = head.viewport().rect().center()
    point.setX(at)
    bench.qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=point)
    sizes = [int(str(bench.cell(n, "Bytes")).replace(",", "")) for n in bench.names()]
    assert sizes == sorted(sizes)


def test_arrows_move_and_keep_the_slot(bench: Bench) -> None:
    bench.click_cell("move.ask", "action")
    bench.key(bench.space.table, Qt.Key.Key_Down)
    assert bench.space.details.title.text() == "move.plain"
    assert bench.space.table.slot() == "action"
    bench.key(bench.space.table, Qt.Key.Key_Right)
    assert bench.space.table.slot() == "report_after"
    assert bench.space.pair.title.text() == "move.plain"


def test_the_table_is_copied_as_tsv(bench: Bench) -> None:
    bench.space.table.setFocus()
    QTest.keyClick(bench.space.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().split("\n")
    assert lines[0].split("\t") == ["Condition", *COLUMNS]
    assert len(lines) == 1 + len(library().conditions)
    assert lines[5].split("\t")[:4] == ["move.ask", "setting", "–", "see"]


def test_the_exact_text_is_copied(bench: Bench) -> None:
    bench.click_cell("move.both.plain", "constraint")
    bench.press("Copy exact text")
    text = QApplication.clipboard().text()
    assert text.startswith("The picture shows a table")
    assert len(text.encode()) == 742


def test_a_broken_pair_is_told_everywhere(bench: Bench) -> None:
    bench.give(declare(full(), "big", "move.plain"))
    bench.click_cell("big", "request")
    assert "cannot run as a pair" in bench.space.pair.proof.text()
    assert bench.cell("big", "Pairs") == "1 ✗"
    assert "1 broken" in str(
        bench.cell("big", "Pairs", Qt.ItemDataRole.AccessibleTextRole)
    )
    item = bench.space.details.pairs.item(0)
    assert "more than one piece" in item.text()
    assert "broken" in item.data(Qt.ItemDataRole.AccessibleTextRole)


def test_a_piece_without_text_for_the_request_is_told(bench: Bench) -> None:
    text = own_variants("r", {"smallest": "Move the tiny one.\n"})
    own = put_piece(OwnPrompts(), Piece("r", "request", text))
    own = put_condition(own, condition_row("tiny", changed(request="r")))
    bench.give(declare(own, "tiny", "move.ask"))
    bench.click_cell("tiny", "request")
    assert "no text for “the largest block”" in bench.space.pair.proof.text()
    assert bench.space.pair.text.toPlainText() == ""
    assert bench.cell("tiny", "Bytes") == "–"
    scene = edits.set_request(bench.document.scene, "smallest")
    bench.document.apply(scene, "Ask")
    bench.qtbot.waitUntil(lambda: bench.cell("tiny", "Bytes") != "–", timeout=WAIT_MS)
    assert "Move the tiny one." in bench.space.pair.text.toPlainText()


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_new_theme_keeps_what_is_shown(bench: Bench, mode: str) -> None:
    bench.click_cell("move.count", "report")
    before = bench.space.pair.text.toPlainText()
    app = QApplication.instance()
    try:
        theme.apply(app, mode, 2.0)
        bench.space.retheme()
        assert bench.space.pair.text.toPlainText() == before
        assert bench.cell("move.count", "Report", GROUND).name() == theme.tokens().lit
        assert bench.space.minimumSizeHint().width() <= 1224
    finally:
        theme.apply(app, "light", 1.0)


def test_everything_that_takes_the_keyboard_has_a_name(bench: Bench) -> None:
    pages = (
        bench.space.edit_slot,
        bench.space.new_condition,
        lambda: bench.press("Cancel"),
        lambda: bench.space.tabs.setCurrentWidget(bench.space.pieces),
    )
    bench.click_cell("move.ask", "report")
    inner = ("QTabBar", "QLineEdit", "ConditionTable")  # Qt's own parts
    for turn_to in pages:
        turn_to()
        for widget in bench.space.findChildren(QWidget):
            keyboard = isinstance(
                widget, QAbstractButton | QComboBox | QLineEdit | QAbstractScrollArea
            )
            if keyboard and widget.isVisible():
                text = widget.text() if isinstance(widget, QAbstractButton) else ""
                parent = type(widget.parent()).__name__
                named = text or widget.accessibleName() or parent in inner
                assert named or isinstance(widget, QScrollArea | QHeaderView), widget

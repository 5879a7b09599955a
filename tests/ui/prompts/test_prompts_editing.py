"""Writing pieces, conditions and pairs in the window, with undo and freezing."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from director_gui.prompts.pieces import ExtremeText, FixedText, SeesText
from director_gui.store.database import open_study
from director_gui.store.prompts import OwnPair, OwnPrompts
from director_gui.study.prompt_library import (
    declare,
    piece_of,
    put_piece,
    without_condition,
)
from director_gui.ui.prompts.piece_texts import EXTREMES, SEES
from tests.study.test_prompt_library import SEE, full
from tests.ui.prompts.bench import Bench

pytestmark = pytest.mark.gui
ASK = 'What can the director see? Write "visible".'


def text_of(bench: Bench, name: str) -> bytes:
    (row,) = [row for row in bench.own.pieces if row.name == name]
    text = piece_of(row).text
    assert isinstance(text, FixedText)
    return text.data


class TestPieces:
    def test_editing_a_built_in_piece_makes_one_and_a_condition(
        self, bench: Bench
    ) -> None:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_Return)
        form = bench.space.piece_form
        assert bench.space.side.currentWidget() is form
        assert form.name.text() == "see.2"
        assert "built in" in form.why.text()
        assert form.use.text() == "Use it in a copy of move.ask"
        bench.type(bench.box(), ASK)
        bench.press("Save piece")
        assert text_of(bench, "see.2") == f"{ASK}\n".encode()
        assert bench.own.pieces[0].origin == "see"
        (made,) = bench.own.conditions
        assert (made.name, made.origin) == ("move.ask.2", "move.ask")
        assert "see.2" in made.pieces
        assert bench.space.pair.title.text() == "move.ask.2"
        assert ASK in bench.space.pair.text.toPlainText()

    def test_an_own_piece_is_changed_in_its_place(self, bench: Bench) -> None:
        bench.give(full())
        bench.click_cell("move.ask.2", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        form = bench.space.piece_form
        assert form.name.text() == "see.2"
        assert "changed in its place" in form.why.text()
        assert not form.use.isVisible()
        bench.type(bench.box(), ASK)
        bench.press("Save piece")
        assert text_of(bench, "see.2") == f"{ASK}\n".encode()
        assert bench.own.pieces[0].origin == "see"
        assert len(bench.own.conditions) == 2

    def test_a_piece_that_a_run_sent_is_frozen(self, bench: Bench) -> None:
        bench.give(full())
        bench.run("move.ask.2")
        bench.click_cell("move.ask.2", "report")
        assert "Frozen" in bench.space.details.state.text()
        assert not bench.space.details.delete_button.isVisible()
        bench.key(bench.space.table, Qt.Key.Key_F2)
        form = bench.space.piece_form
        assert "frozen" in form.why.text()
        assert form.name.text() == "see.3"
        assert form.use.text() == "Use it in a copy of move.ask.2"
        bench.type(bench.box(), ASK)
        bench.press("Save piece")
        assert text_of(bench, "see.2") == SEE.text.data
        assert text_of(bench, "see.3") == f"{ASK}\n".encode()
        assert bench.own.conditions[-1].name == "move.ask.3"

    def test_a_name_that_is_taken_is_refused_and_the_form_stays(
        self, bench: Bench
    ) -> None:
        bench.give(full())
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        for name in ("see.2", "see", "a b"):
            form = bench.space.piece_form
            bench.type(form.name, name)
            if form.save.isEnabled():
                bench.press("Save piece")
            said = bench.space.banner.text or form.state.text()
            assert "name" in said, name
            assert bench.space.side.currentWidget() is form
            assert bench.own == full()

    def test_what_is_wrong_is_said_while_typing(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        form = bench.space.piece_form
        bench.type(bench.box(), "No key here.")
        assert "names the keys none, but asks for visible" in form.state.text().lower()
        assert not form.save.isEnabled()
        bench.type(bench.box(), ASK)
        assert form.state.text().startswith("44 bytes")
        assert form.save.isEnabled()

    def test_a_new_referring_expression(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "request")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        form = bench.space.piece_form
        assert form.texts.kind == EXTREMES
        bench.type(bench.box("largest"), "Please move the biggest block.")
        bench.type(bench.box("smallest"), "Please move the tiniest block.")
        bench.press("Save piece")
        text = piece_of(bench.own.pieces[0]).text
        assert isinstance(text, ExtremeText)
        assert {key: data for key, _, data in text.variants} == {
            "largest": b"Please move the biggest block.\n",
            "smallest": b"Please move the tiniest block.\n",
        }
        assert "biggest" in bench.space.pair.text.toPlainText()

    def test_a_statement_keeps_the_blank_at_its_end(self, bench: Bench) -> None:
        bench.click_cell("move.state", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        assert bench.space.piece_form.texts.kind == SEES
        assert not bench.space.piece_form.slips.isVisible()
        bench.type(bench.box("head"), "Seen are: ")
        bench.press("Save piece")
        text = piece_of(bench.own.pieces[0]).text
        assert isinstance(text, SeesText)
        assert text.head == b"Seen are: "
        assert "Seen are: 5, 8." in bench.space.pair.text.toPlainText()

    def test_a_new_piece_and_its_deletion(self, bench: Bench) -> None:
        bench.space.tabs.setCurrentWidget(bench.space.pieces)
        bench.press("New piece")
        form = bench.space.piece_form
        bench.press("Save piece") if form.save.isEnabled() else None
        assert bench.own == OwnPrompts()
        form.slot.setCurrentText("constraint")
        bench.type(form.name, "quiet")
        bench.type(bench.box(), "The room is quiet.")
        bench.press("Save piece")
        assert bench.space.pieces.chosen() == "quiet"
        assert "The room is quiet." in bench.space.pieces.text.text()
        bench.press("Delete", bench.space.pieces)
        assert bench.own == OwnPrompts()

    def test_what_a_condition_uses_cannot_be_deleted(self, bench: Bench) -> None:
        bench.give(put_piece(without_condition(full(), "big"), SEE, "see"))
        pieces = bench.space.pieces
        bench.space.tabs.setCurrentWidget(pieces)
        for name, free in (("see.2", False), ("request.big", True), ("see", False)):
            pieces.choose(name)
            assert pieces.delete_button.isEnabled() == free

    def test_cancel_changes_nothing(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        bench.type(bench.box(), ASK)
        bench.press("Cancel")
        assert bench.own == OwnPrompts()
        assert bench.space.side.currentWidget() is bench.space.tabs


class TestSlips:
    @pytest.fixture
    def form(self, bench: Bench) -> Bench:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        return bench

    @pytest.mark.parametrize(
        "slip",
        [
            "\u00a0",
            "\u200b",
            "\ufeff",
            "\u0441",
            "\u03bf",
            "\u2019",
            "\u2026",
            "\u2011",
        ],
        ids=ascii,
    )
    def test_a_pasted_slip_is_found_at_its_place(self, form: Bench, slip: str) -> None:
        form.paste(f'Which "visible"\nbl{slip}ocks?')
        slips = form.space.piece_form.slips
        assert slips.isVisible()
        assert slips.list.item(0).text().startswith("line 2, column 3: ")
        assert f"U+{ord(slip):04X}" in slips.list.item(0).text()
        assert len(form.box().extraSelections()) == 1
        form.press("Mend all")
        assert not slips.isVisible()
        assert slip not in form.box().exact()
        form.press("Save piece")
        assert slip not in text_of(form, "see.2").decode()

    def test_curly_quotes_around_a_key_are_mended_in_one_click(
        self, form: Bench
    ) -> None:
        form.paste("What is seen? Write \u201cvisible\u201d. ")
        assert not form.space.piece_form.save.isEnabled()
        assert form.space.piece_form.slips.title.text().startswith("3 ")
        form.press("Mend all")
        assert form.box().exact() == 'What is seen? Write "visible".'
        assert form.space.piece_form.save.isEnabled()

    def test_a_click_goes_to_the_slip_also_behind_wide_characters(
        self, form: Bench
    ) -> None:
        form.paste('\U0001f600 "visible" bl\u043ecks')
        slips = form.space.piece_form.slips
        form.click_list(slips.list, 0)
        assert form.box().textCursor().selectedText() == "\u043e"

    def test_windows_line_ends_are_told_and_written_as_lf(self, form: Bench) -> None:
        form.paste('Look.\r\nWhat is "visible"?')
        assert "CRLF" in form.space.piece_form.notice.text
        form.press("Save piece")
        assert text_of(form, "see.2") == b'Look.\nWhat is "visible"?\n'

    def test_a_soft_line_break_is_found(self, form: Bench) -> None:
        form.type(form.box(), 'Is it "visible"?')
        QTest.keyClick(form.box(), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        QTest.keyClicks(form.box(), "Look.")
        form.press("Mend all") if form.space.piece_form.slips.isVisible() else None
        form.press("Save piece")
        assert text_of(form, "see.2") == b'Is it "visible"?\nLook.\n'

    def test_an_empty_line_is_found(self, form: Bench) -> None:
        form.type(form.box(), 'Is it "visible"?')
        QTest.keyClick(form.box(), Qt.Key.Key_Return)
        assert form.space.piece_form.slips.list.item(0).text().endswith("empty line")
        assert not form.space.piece_form.save.isEnabled()
        form.press("Mend all")
        assert form.box().exact() == 'Is it "visible"?'

    def test_mending_is_one_step_of_the_editors_undo(self, form: Bench) -> None:
        form.paste("\u201cvisible\u201d x")
        form.press("Mend all")
        form.box().setFocus()
        QTest.keyClick(form.box(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert form.box().exact() == "\u201cvisible\u201d x"
        assert form.own == OwnPrompts()


class TestConditions:
    def test_a_copy_with_another_piece_and_its_pair(self, bench: Bench) -> None:
        bench.click_cell("move.plain", "report")
        bench.press("Edit a copy")
        form = bench.space.condition_form
        assert form.name.text() == "move.plain.2"
        assert form.against.currentText() == "move.plain"
        form.slots["constraint"].setCurrentText("padding")
        bench.type(form.family, "length")
        bench.press("Save condition")
        assert bench.own.conditions[0].pieces[:2] == ("setting", "padding")
        assert bench.own.pairs == (OwnPair("move.plain.2", "move.plain", "length"),)
        item = bench.space.details.pairs.item(0)
        assert "length" in item.text()
        assert "padding added" in item.text()

    def test_what_makes_no_condition_is_said(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.press("Edit a copy")
        form = bench.space.condition_form
        form.slots["action"].setCurrentText("none")
        form.slots["report"].setCurrentText("none")
        assert "asks for nothing" in form.state.text()
        assert not form.save.isEnabled()
        form.slots["action"].setCurrentText("move")
        form.turns.setCurrentIndex(1)
        assert "asks for nothing" in form.state.text()
        form.slots["report"].setCurrentText("count")
        assert form.state.text() == "Its reply holds count, then choice"
        assert form.save.isEnabled()

    def test_a_frozen_condition_makes_another(self, bench: Bench) -> None:
        bench.give(full())
        bench.run("move.ask.2")
        bench.click_cell("move.ask.2", "report")
        bench.press("Edit a copy")
        assert "frozen" in bench.space.condition_form.why.text()
        assert bench.space.condition_form.name.text() == "move.ask.3"
        bench.type(bench.space.condition_form.name, "move.ask.2")
        assert "taken" in bench.space.condition_form.state.text()
        assert not bench.space.condition_form.save.isEnabled()
        bench.type(bench.space.condition_form.name, "move.ask.4")
        bench.press("Save condition")
        assert bench.own.conditions[:2] == full().conditions
        assert bench.own.conditions[2].origin == "move.ask.2"

    def test_deleting_takes_the_pairs_and_undo_brings_them_back(
        self, bench: Bench
    ) -> None:
        bench.give(full())
        bench.click_cell("move.ask.2", "report")
        bench.key(bench.space.table, Qt.Key.Key_Delete)
        assert bench.own == without_condition(full(), "move.ask.2")
        assert bench.space.pair.title.text() == "move.ask"
        undo, redo = Qt.Key.Key_Z, Qt.Key.Key_Y
        control = Qt.KeyboardModifier.ControlModifier
        QTest.keyClick(bench.space.table, undo, control)
        assert bench.own == full()
        assert "move.ask.2" in bench.names()
        del redo
        bench.space.book.undo_stack.redo()
        assert bench.own == without_condition(full(), "move.ask.2")

    def test_delete_in_a_list_deletes_no_condition(self, bench: Bench) -> None:
        bench.give(full())
        bench.click_cell("move.ask.2", "report")
        bench.key(bench.space.details.pairs, Qt.Key.Key_Delete)
        bench.key(bench.space.filter, Qt.Key.Key_Delete)
        assert bench.own == full()

    def test_built_in_conditions_stay(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_Delete)
        assert not bench.space.details.delete_button.isVisible()
        assert "move.ask" in bench.names()
        assert not bench.space.banner.isVisible()


class TestPairs:
    def test_a_partner_can_be_declared_and_removed(self, bench: Bench) -> None:
        bench.click_cell("want.ask", "report")
        bench.choose_partner("mean.ask")
        bench.press("Declare as a pair")
        assert bench.own.pairs == (OwnPair("want.ask", "mean.ask"),)
        assert bench.space.pair.proof.text().startswith("✓ Declared pair")
        assert not bench.space.pair.declare_pair.isVisible()
        pairs = bench.space.details.pairs
        bench.click_list(pairs, pairs.count() - 1)
        bench.press("Remove this pair")
        assert bench.own == OwnPrompts()
        assert "Not a declared pair" in bench.space.pair.proof.text()

    def test_an_own_pair_gets_a_family(self, bench: Bench) -> None:
        bench.give(full())
        bench.click_cell("move.ask.2", "report")
        pairs = bench.space.details.pairs
        bench.click_list(pairs, 1)
        assert bench.space.details.family.text() == ""
        bench.type(bench.space.details.family, "order")
        QTest.keyClick(bench.space.details.family, Qt.Key.Key_Return)
        assert bench.own.pairs[1].family == "order"
        assert "order" in pairs.item(1).text()
        assert bench.space.details.chosen_pair().family == "order"
        bench.space.book.undo_stack.undo()
        assert bench.own == full()
        assert bench.space.details.family.text() == ""

    def test_built_in_pairs_cannot_be_removed(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.click_list(bench.space.details.pairs, 0)
        assert not bench.space.details.remove.isVisible()
        assert not bench.space.details.family.isVisible()

    def test_a_click_on_a_pair_shows_it(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.click_list(bench.space.details.pairs, 2)
        assert bench.space.pair.chosen_partner == "move.knows"

    def test_a_broken_pair_may_be_declared_and_says_so(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.choose_partner("want.plain")
        bench.press("Declare as a pair")
        assert "cannot run as a pair" in bench.space.pair.proof.text()

    def test_a_condition_in_no_pair_says_what_to_do(self, bench: Bench) -> None:
        bench.give(full())
        bench.click_cell("big", "request")
        assert bench.space.details.no_pairs.isVisible()
        assert not bench.space.details.pairs.isVisible()


class TestStudies:
    def test_undo_of_what_was_frozen_since_is_refused(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_F2)
        bench.type(bench.box(), ASK)
        bench.press("Save piece")
        kept = bench.own
        bench.run("move.ask.2")
        bench.space.book.undo_stack.undo()
        assert bench.own == kept
        assert "frozen" in bench.space.banner.text
        assert not bench.space.book.undo_stack.canRedo()

    def test_another_study_brings_its_own(self, bench: Bench) -> None:
        bench.give(full())
        bench.session.create(bench.folder / "b.study")
        assert "move.ask.2" not in bench.names()
        assert not bench.space.book.undo_stack.canUndo()
        bench.session.open(bench.folder / "a.study")
        assert "move.ask.2" in bench.names()

    def test_a_read_only_study_is_shown_and_not_changed(self, bench: Bench) -> None:
        bench.give(full())
        bench.session.create(bench.folder / "b.study")
        with open_study(bench.folder / "a.study"):
            bench.session.open(bench.folder / "a.study")
            assert bench.space.bar.locked.isVisible()
            bench.click_cell("move.ask.2", "report")
            bench.key(bench.space.table, Qt.Key.Key_F2)
            bench.key(bench.space.table, Qt.Key.Key_Return)
            assert bench.space.side.currentWidget() is bench.space.tabs
            assert not bench.space.details.edit_button.isEnabled()
            assert not bench.space.pieces.new_button.isEnabled()
            bench.choose_partner("want.plain")
            assert not bench.space.pair.declare_pair.isEnabled()

    def test_prompts_that_clash_with_the_programs_do_not_hide_them(
        self, bench: Bench
    ) -> None:
        bench.give(full())
        with bench.study.write() as db:
            db.execute("UPDATE own_pieces SET name = 'see' WHERE name = 'see.2'")
        bench.space.book.load()
        assert "taken" in bench.space.banner.text
        assert "move.ask" in bench.names()
        bench.space.changes.declare("move.ask", "want.plain")
        assert "read-only" in bench.space.banner.text
        assert bench.own.pieces[0].name == "see"

    def test_errors_while_hidden_go_to_the_window(self, bench: Bench) -> None:
        bench.space.hide()
        bench.space.changes.declare("move.ask", "move.ask")
        assert "two conditions" in str(bench.refused[0])


class TestFiles:
    def test_out_and_into_another_study(self, bench: Bench) -> None:
        own = declare(full(), "big", "move.plain", "x")
        bench.give(own)
        path = bench.folder / "mine"
        bench.space.files.export_file(path)
        assert "mine.toml" in bench.space.banner.text
        bench.session.create(bench.folder / "b.study")
        bench.space.files.import_file(path.with_suffix(".toml"))
        assert bench.own == own
        assert "2 pieces, 2 conditions, 3 pairs" in bench.space.banner.text
        bench.space.book.undo_stack.undo()
        assert bench.own == OwnPrompts()

    def test_slips_of_a_file_are_told_first_and_mended_on_a_click(
        self, bench: Bench
    ) -> None:
        path = bench.folder / "slip.toml"
        text = '[pieces.q]\nslot = "constraint"\ntext = "It\u2019s quiet.\u00a0"\n'
        path.write_bytes(text.encode())
        bench.space.files.import_file(path)
        assert bench.own == OwnPrompts()
        assert "q, line 1, column 3" in bench.space.banner.text
        bench.press("Import it mended", bench.space.banner)
        assert text_of(bench, "q") == b"It's quiet.\n"

    @pytest.mark.parametrize("name", ["missing.toml", ".", "bad.toml"])
    def test_a_file_that_cannot_be_read_says_why(self, bench: Bench, name: str) -> None:
        (bench.folder / "bad.toml").write_text("pieces = 3")
        bench.space.files.import_file(bench.folder / name)
        assert bench.space.banner.isVisible()
        assert bench.own == OwnPrompts()

    def test_a_folder_that_cannot_be_written_says_so(self, bench: Bench) -> None:
        bench.space.files.export_file(bench.folder / "nowhere" / "a.toml")
        assert "not written" in bench.space.banner.text


def test_the_pointer_opens_the_editor(bench: Bench) -> None:
    bench.click_cell("mean.ask", "action")
    table = bench.space.table
    at: QPoint = table.visualRect(table.currentIndex()).center()
    bench.qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert bench.space.piece_form.title.text() == "Edit “mean”"

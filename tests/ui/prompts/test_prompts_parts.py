"""Parts of the prompts workspace: the forms' states, texts, lists, messages, layout."""

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from director_gui.prompts.library import library
from director_gui.prompts.lookalikes import find
from director_gui.prompts.pieces import SLOTS
from director_gui.ui import theme
from director_gui.ui.prompts.form_page import FormPage
from director_gui.ui.prompts.piece_texts import (
    EXTREMES,
    FIXED,
    KINDS,
    SEES,
    PieceTexts,
    fields_of,
)
from director_gui.ui.prompts.slip_list import SlipList
from director_gui.ui.prompts.text_box import TextBox
from tests.ui.prompts.bench import Bench

if TYPE_CHECKING:
    from director_gui.prompts.pieces import Piece

pytestmark = pytest.mark.gui
BUILT_IN = library().pieces


def shown_words(form: FormPage) -> str:
    return form.state.text()


def role(form: FormPage) -> object:
    return form.state.property("role")


class TestFormStates:
    def test_a_blank_form_blames_nobody(self, bench: Bench) -> None:
        bench.space.new_piece()
        form = bench.space.piece_form
        assert shown_words(form) == "Write its text to save it"
        assert role(form) == "caption"
        assert not form.save.isEnabled()

    def test_a_slip_is_an_error_in_colour_and_words(self, bench: Bench) -> None:
        bench.space.new_piece()
        form = bench.space.piece_form
        bench.type(bench.box(), " begins with a blank")
        assert role(form) == "formError"
        assert "blank" in shown_words(form)
        assert not form.save.isEnabled()
        bench.type(bench.box(), "Begins well.")
        assert role(form) == "caption"
        assert form.save.isEnabled()

    def test_a_missing_name_is_asked_for_last(self, bench: Bench) -> None:
        bench.space.new_piece()
        form = bench.space.piece_form
        bench.type(bench.box(), "Begins well.")
        bench.press("Save piece")
        assert shown_words(form) == "A name is missing"
        assert QApplication.focusWidget() is form.name
        assert bench.own.pieces == ()

    @pytest.mark.parametrize("slot", SLOTS)
    def test_a_new_piece_takes_the_slot_that_was_chosen(
        self, bench: Bench, slot: str
    ) -> None:
        bench.click_cell("move.ask", slot)
        bench.space.new_piece()
        form = bench.space.piece_form
        assert form.slot.currentText() == slot
        # A request must name what the scene asks for.
        assert (form.kind.currentIndex() == EXTREMES) == (slot == "request")

    def test_a_taken_name_is_said_at_once(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.space.new_condition()
        form = bench.space.condition_form
        assert role(form) == "caption"
        assert "choice" in shown_words(form)
        bench.type(form.name, "move.plain")
        assert role(form) == "formError"
        assert shown_words(form) == "The name “move.plain” is taken"
        assert not form.save.isEnabled()

    def test_a_family_needs_a_pair(self, bench: Bench) -> None:
        bench.click_cell("move.ask", "report")
        bench.space.new_condition()
        form = bench.space.condition_form
        assert form.family.isEnabled()
        form.against.setCurrentText("no pair")
        assert not form.family.isEnabled()

    @pytest.mark.parametrize("which", ["piece_form", "condition_form"])
    @pytest.mark.parametrize("scale", [1.0, 2.0])
    def test_fields_and_captions_line_up(
        self, bench: Bench, which: str, scale: float
    ) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        try:
            theme.apply(app, "light", scale)
            bench.space.retheme()
            bench.click_cell("move.ask", "report")
            bench.space.new_piece()
            if which == "condition_form":
                bench.space.new_condition()
            form: FormPage = getattr(bench.space, which)
            QApplication.processEvents()
            named = [
                w for w in form.findChildren(QWidget)
                if w.accessibleName() in {"Name", "Slot", "JSON key", "Turns", "Family"}
                and w.isVisible()
            ]  # fmt: skip
            assert len(named) >= 3
            assert len({w.mapTo(form, QPoint(0, 0)).x() for w in named}) == 1
            right = {w.mapTo(form, w.rect().topRight()).x() for w in named}
            assert len(right) == 1
            assert max(right) < form.width()
        finally:
            theme.apply(app, "light", 1.0)

    def test_nothing_is_spread_over_a_tall_form(self, bench: Bench) -> None:
        bench.space.resize(1864, 1012)
        bench.space.new_piece()
        form = bench.space.piece_form
        QApplication.processEvents()
        gap = form.save.mapTo(form, QPoint(0, 0)).y()
        box = bench.box()
        below = gap - box.mapTo(form, box.rect().bottomLeft()).y()
        assert below < theme.px(80)
        rows = [
            w.mapTo(form, QPoint(0, 0)).y() for w in (form.name, form.slot, form.key)
        ]
        assert all(b - a < theme.px(40) for a, b in pairwise(rows))

    def test_a_page_that_saves_nothing_is_a_mistake(self, bench: Bench) -> None:
        bare = FormPage(bench.space.book, "Save")
        bench.qtbot.addWidget(bare)
        with pytest.raises(NotImplementedError):
            bare._save()


class TestTexts:
    @pytest.fixture
    def texts(self, qtbot: QtBot) -> PieceTexts:
        made = PieceTexts()
        qtbot.addWidget(made)
        made.show()
        return made

    @pytest.mark.parametrize("piece", BUILT_IN, ids=lambda p: p.name)
    def test_a_text_comes_out_as_it_went_in(
        self, texts: PieceTexts, piece: "Piece"
    ) -> None:
        texts.show_text(piece.text)
        assert texts.text(piece.name) == piece.text
        assert texts.slips() == []

    @pytest.mark.parametrize("kind", [FIXED, EXTREMES, SEES])
    def test_every_kind_has_boxes_with_names(
        self, texts: PieceTexts, kind: int
    ) -> None:
        texts.set_kind(kind)
        QApplication.processEvents()  # new boxes are shown in the next turn
        assert list(texts.boxes) == list(fields_of(kind))
        captions = {w.text() for w in texts.findChildren(QLabel) if w.isVisible()}
        assert {box.accessibleName() for box in texts.boxes.values()} == captions
        assert len(KINDS) == 3

    def test_what_was_written_stays_when_the_kind_changes(
        self, texts: PieceTexts
    ) -> None:
        texts.boxes["text"].put("The director says this.")
        told: list[int] = []
        texts.changed.connect(lambda: told.append(texts.kind))
        texts.set_kind(EXTREMES)
        assert texts.boxes["largest"].exact() == "The director says this."
        assert told[-1] == EXTREMES
        texts.set_kind(EXTREMES)  # nothing changes
        assert texts.boxes["largest"].exact() == "The director says this."

    def test_an_extreme_that_is_left_empty_has_no_text(self, texts: PieceTexts) -> None:
        texts.set_kind(EXTREMES)
        texts.boxes["smallest"].put("The smallest block.")
        made = texts.text("mine")
        assert [data for _, _, data in made.variants] == [b"The smallest block.\n"]

    def test_mending_mends_every_box(self, texts: PieceTexts) -> None:
        texts.set_kind(EXTREMES)
        for box in texts.boxes.values():
            box.put("the “visible” key")
        assert len(texts.slips()) == 4
        assert [s.words(alone=False).split(",")[0] for s in texts.slips()] == [
            "largest", "largest", "smallest", "smallest",
        ]  # fmt: skip
        texts.mend()
        assert texts.slips() == []
        assert {b.exact() for b in texts.boxes.values()} == {'the "visible" key'}


class TestBox:
    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"])))
    def test_text_is_kept_exactly(self, qtbot: QtBot, text: str) -> None:
        box = TextBox("Text", 3)
        qtbot.addWidget(box)
        box.put(text)
        assert box.exact() == text

    def test_showing_the_same_is_no_step_of_undo(self, qtbot: QtBot) -> None:
        box = TextBox("Text", 3)
        qtbot.addWidget(box)
        box.put("one")
        box.put("two")
        box.put("two")
        box.undo()
        assert box.exact() == "one"

    def test_tab_leaves_it(self, qtbot: QtBot) -> None:
        page = QWidget()
        qtbot.addWidget(page)
        column = QVBoxLayout(page)
        box, after = TextBox("Text", 3), TextBox("After", 3)
        column.addWidget(box)
        column.addWidget(after)
        page.show()
        box.setFocus()
        qtbot.keyClick(box, Qt.Key.Key_Tab)
        assert box.exact() == ""
        assert page.focusWidget() is after

    def test_it_grows_with_the_text_size(self, qtbot: QtBot) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        box = TextBox("Text", 3)
        qtbot.addWidget(box)
        box.show()
        small = box.height()
        try:
            theme.apply(app, "light", 2.0)
            QApplication.processEvents()
            box.retheme()
            assert box.height() > 1.5 * small
        finally:
            theme.apply(app, "light", 1.0)


class TestSlips:
    @pytest.fixture
    def slips(self, qtbot: QtBot) -> SlipList:
        made = SlipList()
        qtbot.addWidget(made)
        return made

    def test_none_takes_no_room(self, slips: SlipList) -> None:
        slips.show_slips([])
        assert slips.isHidden()

    def test_one_and_many_are_counted(self, slips: SlipList) -> None:
        slips.show_slips(["line 1: a no-break space"])
        assert slips.title.text() == "1 unseen or look-alike character"
        slips.show_slips([f"line {n}" for n in range(9)])
        assert slips.title.text() == "9 unseen or look-alike characters"
        assert slips.list.count() == 9

    def test_the_same_list_keeps_the_chosen_line(
        self, qtbot: QtBot, slips: SlipList
    ) -> None:
        slips.show()
        slips.show_slips(["a", "b"])
        told: list[int] = []
        slips.chosen.connect(told.append)
        spot = slips.list.visualItemRect(slips.list.item(1)).center()
        qtbot.mouseClick(slips.list.viewport(), Qt.MouseButton.LeftButton, pos=spot)
        slips.show_slips(["a", "b"])
        assert slips.list.currentRow() == 1
        assert told[-1] == 1

    def test_mend_all_is_a_click(self, qtbot: QtBot, slips: SlipList) -> None:
        slips.show()
        slips.show_slips([str(found) for found in find("a\u00a0b")])
        with qtbot.waitSignal(slips.mend, timeout=1000):
            qtbot.mouseClick(slips.mend_all, Qt.MouseButton.LeftButton)


class TestPieceList:
    def test_built_in_pieces_are_copied_not_edited(self, bench: Bench) -> None:
        pieces = bench.space.pieces
        bench.space.tabs.setCurrentWidget(pieces)
        assert "Select a piece" in pieces.text.text()
        assert not pieces.edit_button.isEnabled()
        pieces.choose("see")
        assert pieces.edit_button.text() == "Edit a copy"
        assert pieces.text.text().startswith("Built in.\n\n")
        assert not pieces.delete_button.isEnabled()
        assert pieces.delete_button.toolTip() == "Only what nothing uses"

    def test_every_piece_says_its_state_to_a_screen_reader(self, bench: Bench) -> None:
        tree = bench.space.pieces.tree
        assert tree.topLevelItemCount() == len(BUILT_IN)
        for at in range(tree.topLevelItemCount()):
            said = tree.topLevelItem(at).data(0, Qt.ItemDataRole.AccessibleTextRole)
            assert str(said).endswith(", built in")

    def test_enter_opens_the_form(self, bench: Bench) -> None:
        pieces = bench.space.pieces
        bench.space.tabs.setCurrentWidget(pieces)
        pieces.choose("see")
        bench.key(pieces.tree, Qt.Key.Key_Return)
        assert bench.space.side.currentWidget() is bench.space.piece_form


class TestFilesAndHints:
    def test_dialogs_begin_beside_the_study(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        begun: list[str] = []

        def ask(
            _parent: object, _title: str, start: str, _kinds: str
        ) -> tuple[str, str]:
            begun.append(start)
            return "", ""

        monkeypatch.setattr(QFileDialog, "getOpenFileName", ask)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
        bench.space.files.ask_import()
        bench.space.files.ask_export()
        assert begun == [str(bench.folder), str(bench.folder / "prompts.toml")]

    def test_an_export_is_written_where_it_was_chosen(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        chosen = str(tmp_path / "mine")
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (chosen, ""))
        bench.space.files.ask_export()
        assert (tmp_path / "mine.toml").exists()
        assert "Written to" in bench.space.banner.text
        assert bench.session.folder == tmp_path

    def test_a_refusal_goes_with_the_next_change(self, bench: Bench) -> None:
        bench.space.changes.delete_piece("see")
        assert bench.space.banner.text
        bench.click_cell("move.ask", "report")
        bench.space.new_piece()
        bench.type(bench.box(), "Begins well.")
        bench.type(bench.space.piece_form.name, "mine")
        bench.press("Save piece")
        assert bench.space.banner.text == ""

    def test_the_hint_names_keys_that_work(self, bench: Bench) -> None:
        assert "Enter" in bench.space.HINT
        bench.click_cell("move.ask", "report")
        bench.key(bench.space.table, Qt.Key.Key_Return)
        assert bench.space.side.currentWidget() is bench.space.piece_form

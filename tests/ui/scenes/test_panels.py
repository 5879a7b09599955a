"""Outliner, properties and verdict: what they show and what they do."""

from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.geometry.problems import problems_of
from director_gui.geometry.truth import truth_of
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Scene
from director_gui.study.preview import legible_digits
from director_gui.ui import theme
from director_gui.ui.document import Document
from director_gui.ui.scenes.fields import NumberBox
from director_gui.ui.scenes.outliner import Outliner, rows_of
from director_gui.ui.scenes.properties import FIELDS, Properties
from director_gui.ui.scenes.verdict import Finding, Verdict, cells_of, culprit

pytestmark = pytest.mark.gui
FIVE, BOARD = Item("block", 5), Item("partition", 0)


def finding(scene: Scene) -> Finding:
    truth = truth_of(scene)
    problems = problems_of(scene, truth)
    return Finding(scene, truth, problems, legible_digits(scene))


def typed(box: NumberBox, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


class TestOutliner:
    def test_it_lists_everything_once(self, document: Document) -> None:
        names = [row[1] for row in rows_of(document.scene)]
        assert names == ["3", "5", "8", "Partition", "Director", "Camera", "Scene"]

    def test_choosing_a_row_selects(self, document: Document, qtbot: QtBot) -> None:
        outliner = Outliner(document)
        qtbot.addWidget(outliner)
        outliner.setCurrentIndex(outliner.model().index(1, 0))
        assert document.selection == FIVE

    def test_it_follows_the_selection(self, document: Document, qtbot: QtBot) -> None:
        outliner = Outliner(document)
        qtbot.addWidget(outliner)
        document.select(BOARD)
        assert outliner.currentIndex().row() == 3
        document.select(None)
        assert not outliner.selectedItems()

    def test_it_follows_edits(self, document: Document, qtbot: QtBot) -> None:
        outliner = Outliner(document)
        qtbot.addWidget(outliner)
        document.apply(edits.size_to(document.scene, FIVE, 0.123), "Resize")
        row = outliner.topLevelItem(1)
        assert row is not None
        qtbot.waitUntil(lambda: row.text(1) == "12.3 cm")
        document.apply(edits.delete(document.scene, FIVE), "Delete")
        assert outliner.topLevelItemCount() == 6


class TestProperties:
    @pytest.fixture
    def refusals(self) -> list[UserError]:
        return []

    @pytest.fixture
    def panel(
        self, document: Document, refusals: list[UserError], qtbot: QtBot
    ) -> Properties:
        made = Properties(document, refusals.append)
        qtbot.addWidget(made)
        return made

    def test_fields_shrink_again_with_the_text(
        self, panel: Properties, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        usual = panel.box("Table width").minimumWidth()
        with monkeypatch.context() as larger:
            larger.setattr(theme, "px", lambda size: 2 * size)
            panel.retheme()
            assert panel.box("Table width").minimumWidth() == 2 * usual
        panel.retheme()
        assert panel.box("Table width").minimumWidth() == usual

    def test_lengths_are_shown_and_typed_in_centimetres(
        self, panel: Properties, document: Document
    ) -> None:
        document.select(FIVE)
        assert panel.box("x").text() == "5.0 cm"
        typed(panel.box("x"), "12.34")
        assert document.scene.block(5).x == 0.1234
        assert panel.box("x").text() == "12.34 cm"

    def test_every_field_shows_what_the_scene_holds(
        self, panel: Properties, document: Document
    ) -> None:
        for item in (FIVE, BOARD, Item("director"), Item("camera"), Item("table")):
            document.select(item)
            for field in FIELDS[item.kind]:
                shown = panel.box(field.name).value()
                scale = 100 if field.unit == "cm" else 1
                value = field.get(document.scene, item)
                assert shown == pytest.approx(scale * value, abs=0.006), field.name

    def test_every_field_can_be_put_and_undone(
        self, panel: Properties, document: Document
    ) -> None:
        before = document.scene
        for item in (FIVE, BOARD, Item("director"), Item("camera"), Item("table")):
            document.select(item)
            for field in FIELDS[item.kind]:
                box = panel.box(field.name)
                box.setValue(box.value() + 3)
                value = field.get(document.scene, item)
                assert value != field.get(before, item), field.name
                document.undo_stack.undo()
                assert document.scene == before, field.name

    def test_a_taken_digit_is_refused_and_said(
        self, panel: Properties, document: Document, refusals: list[UserError]
    ) -> None:
        document.select(FIVE)
        digit = next(
            box
            for box in panel.findChildren(NumberBox)
            if box.value() == 5.0 and box.accessibleName() == "Digit"
        )
        typed(digit, "8")
        assert document.scene.digits == (3, 5, 8)
        assert "another block carries 8" in str(refusals[0])
        typed(digit, "7")
        assert document.scene.digits == (3, 7, 8)
        assert document.selection == Item("block", 7)

    def test_out_of_range_is_kept_within_bounds(
        self, panel: Properties, document: Document
    ) -> None:
        document.select(FIVE)
        typed(panel.box("Edge"), "0.1")
        assert document.scene.block(5).edge >= edits.SMALLEST

    def test_the_wheel_does_not_change_a_number(
        self, panel: Properties, document: Document
    ) -> None:
        document.select(FIVE)
        before = document.scene
        assert panel.box("x").focusPolicy() == Qt.FocusPolicy.StrongFocus
        assert document.scene == before


class TestVerdict:
    def test_the_examples_rows(self, document: Document) -> None:
        found = finding(document.scene)
        assert cells_of(found, 3) == ("3", "100 %", "0 %", "1 · –", "✓", "⊘ hidden")
        assert cells_of(found, 5) == ("5", "100 %", "100 %", "2 · 1", "✓", "✓ sees")

    def test_words_and_no_problems(self, document: Document, qtbot: QtBot) -> None:
        verdict = Verdict(document)
        qtbot.addWidget(verdict)
        verdict.show_finding(finding(document.scene), "note")
        assert verdict.words.text() == (
            "The director does not see 3. Largest for the director: 5. "
            "Largest in the picture: 3."
        )
        assert verdict.problems.count() == 0

    def test_a_click_on_a_problem_selects_the_culprit(
        self, document: Document, qtbot: QtBot
    ) -> None:
        verdict = Verdict(document)
        qtbot.addWidget(verdict)
        verdict.resize(400, 600)
        verdict.show()
        document.apply(edits.move_to(document.scene, FIVE, 0.32, 0.05), "Move")
        verdict.show_finding(finding(document.scene), "")
        assert verdict.problems.count() >= 1
        line = verdict.problems.item(0)
        assert line is not None
        assert line.text().startswith("Blocks 5 and 8 overlap")
        rect = verdict.problems.visualItemRect(line)
        QTest.mouseClick(
            verdict.problems.viewport(),
            Qt.MouseButton.LeftButton,
            pos=rect.center(),
        )
        assert document.selection == FIVE

    @pytest.mark.parametrize("room", ["least", "ample"])
    def test_nothing_lies_over_the_table(
        self, document: Document, qtbot: QtBot, room: str
    ) -> None:
        scene = document.scene
        for _ in range(4):
            scene, _added = edits.add_block(scene)
        found = finding(edits.move_to(scene, FIVE, 0.32, 0.05))
        assert found.problems
        verdict = Verdict(document)
        qtbot.addWidget(verdict)
        verdict.show_finding(found, "note")
        verdict.resize(400, 800 if room == "ample" else verdict.least_height())
        verdict.show()
        parts = (verdict.table, verdict.words, verdict.note, verdict.problems)
        for above, below in pairwise(parts):
            assert above.geometry().bottom() < below.geometry().top()
        assert verdict.problems.geometry().bottom() < verdict.height()
        rows = verdict.table.verticalHeader().length()
        whole = verdict.table.viewport().height() >= rows
        assert whole == (room == "ample")  # else it scrolls

    def test_many_blocks_leave_the_words_in_sight(
        self, document: Document, qtbot: QtBot
    ) -> None:
        scene = document.scene
        for _ in range(5):
            scene, _added = edits.add_block(scene)
        verdict, area = Verdict(document), QScrollArea()
        qtbot.addWidget(area)
        area.setWidgetResizable(True)
        area.setWidget(verdict)
        verdict.show_finding(finding(scene), "note")
        area.resize(420, verdict.least_height() + 4)
        area.show()
        assert verdict.table.height() < verdict.table.sizeHint().height()
        assert verdict.note.geometry().bottom() < area.viewport().height()

    def test_rows_grow_with_the_text(
        self, document: Document, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        verdict = Verdict(document)
        qtbot.addWidget(verdict)
        verdict.show_finding(finding(document.scene), "")
        rows, least = verdict.table.rowHeight(0), verdict.minimumHeight()
        monkeypatch.setattr(theme, "px", lambda size: 2 * size)
        verdict.retheme()
        assert verdict.table.rowHeight(0) == 2 * rows
        assert verdict.minimumHeight() > 1.5 * least

    def test_every_problem_has_a_culprit(self, document: Document) -> None:
        scene = edits.move_to(document.scene, BOARD, -0.32, 0.06)
        scene = edits.move_to(scene, FIVE, 0.9, 0.0)
        for problem in problems_of(scene, truth_of(scene)):
            assert edits.has_item(scene, culprit(problem)), problem

    def test_hovering_a_row_lights_the_block(
        self, document: Document, qtbot: QtBot
    ) -> None:
        verdict = Verdict(document)
        qtbot.addWidget(verdict)
        verdict.show_finding(finding(document.scene), "")
        verdict.table.cellEntered.emit(2, 0)
        assert document.hover == Item("block", 8)
        verdict.table.cellClicked.emit(2, 0)
        assert document.selection == Item("block", 8)

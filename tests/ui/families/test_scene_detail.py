"""One scene in full: its key in words, both fractions, pictures, and its mark."""

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from director_gui.families.tallies import Features
from director_gui.geometry.truth import Key
from director_gui.scene.example import example_scene
from director_gui.store.marks import Mark
from director_gui.store.sets import SetScene
from director_gui.study.gallery import Card
from director_gui.ui.families.scene_detail import (
    SceneDetail,
    block_rows,
    verdict_words,
)

pytestmark = pytest.mark.gui
SCENE = example_scene()
# What INTERFACES says of the example: the director sees 5 and 8, and nothing of 3.
FACTS: dict[str, Any] = {
    "key": {"hidden": 3, "director_view": 5, "model_view": 3},
    "sees": {"model": [3, 5, 8], "director": [5, 8]},
    "states": {"director": {"3": "hidden", "5": "sees", "8": "out_of_frame"}},
    "witnesses": {
        "analytic": {
            "model": {"3": 1.0, "5": 1.0, "8": 0.987},
            "director": {"3": 0.0, "5": 1.0, "8": None},
        }
    },
    "apparent_size": {"confound": False},
}
CARD = Card(
    position=0,
    scene="a",
    name="example",
    digits=(3, 5, 8),
    key=Key(3, 5, 3),
    features=Features(
        blocks=3,
        hidden_rank="largest",
        hidden_has_largest=False,
        smaller_outranks=True,
        confound=False,
    ),
    least=1.0,
    margin=0.25,
    candidate=0,
)


def row(candidate: int = 0, **facts: object) -> SetScene:
    return SetScene(
        set="S",
        position=0,
        scene="a",
        candidate=candidate,
        rejected={},
        facts={**FACTS, **facts},
        original=None,
    )


class TestWords:
    def test_the_examples_key(self) -> None:
        assert verdict_words(row()) == (
            "The director sees 5 and 8. Hidden: 3. Director-view block: 5. "
            "Model-view block: 3."
        )

    def test_the_candidate_is_told_when_it_was_not_the_first(self) -> None:
        assert verdict_words(row(1233)).endswith("Candidate 1,234.")

    def test_a_confound_is_explained(self) -> None:
        words = verdict_words(row(apparent_size={"confound": True}))
        assert "Another block looks larger to the director (confound)." in words

    @pytest.mark.parametrize(
        ("sees", "said"),
        [
            ([], "The director sees no block."),
            ([7], "The director sees 7."),
            ([1, 2, 9], "The director sees 1, 2 and 9."),
        ],
    )
    def test_lists_read_as_people_write_them(self, sees: list[int], said: str) -> None:
        assert verdict_words(row(sees={"director": sees})).startswith(said)

    def test_no_single_hidden_block(self) -> None:
        key = {"hidden": None, "director_view": None, "model_view": 3}
        words = verdict_words(row(key=key))
        assert "No single block is hidden from the director." in words
        assert "Director-view block: none." in words


class TestRows:
    def test_the_largest_comes_first_with_both_fractions(self) -> None:
        assert block_rows(SCENE, FACTS) == [
            ["3 · 20.0 cm", "100.0 %", "0.0 %", "hidden"],
            ["5 · 15.0 cm", "100.0 %", "100.0 %", "sees"],
            ["8 · 11.0 cm", "98.7 %", "–", "out of frame"],
        ]

    def test_what_was_not_stored_is_left_open(self) -> None:
        facts = {
            "witnesses": {"analytic": {"model": {}, "director": {}}},
            "states": {"director": {}},
        }
        assert [found[1:] for found in block_rows(SCENE, facts)] == [["–", "–", ""]] * 3


def filled(width: int, height: int, color: str) -> QPixmap:
    made = QPixmap(width, height)
    made.fill(QColor(color))
    return made


class TestDetail:
    @pytest.fixture
    def detail(self, qtbot: QtBot) -> SceneDetail:
        made = SceneDetail()
        qtbot.addWidget(made)
        made.resize(348, 700)
        made.show()
        return made

    def test_without_a_scene_it_asks_for_one(self, detail: SceneDetail) -> None:
        detail.show_selection(())
        assert detail.title.text() == "Select a scene"
        for widget in (*detail.pictures, detail.table, detail.pin, detail.open):
            assert not widget.isVisible()

    def test_one_scene_is_shown_in_full(self, detail: SceneDetail) -> None:
        detail.show_selection([CARD])
        detail.show_facts(SCENE, row())
        assert detail.title.text() == "example"
        assert detail.table.texts()[1][0] == "3 · 20.0 cm"
        assert not detail.mark_words.isVisible()
        assert not detail.clear.isVisible()

    @pytest.mark.parametrize(("kind", "verb"), [("pin", "Pinned"), ("drop", "Dropped")])
    def test_a_mark_is_told_with_who_and_when(
        self, detail: SceneDetail, kind: str, verb: str
    ) -> None:
        mark = Mark("a", kind, "too dark", "me", "2026-11-29T10:00:00")  # type: ignore[arg-type] # one of two
        detail.show_selection([replace(CARD, mark=mark)])
        assert detail.mark_words.text() == f"{verb}: too dark · me, 2026-11-29"
        assert detail.clear.isVisible()

    @pytest.mark.parametrize("kind", ["pin", "drop"])
    def test_what_a_mark_lacks_is_said_until_it_is_typed(
        self, detail: SceneDetail, kind: str
    ) -> None:
        heard: list[tuple[str, str]] = []
        detail.marked.connect(lambda *mark: heard.append(mark))
        detail.show_selection([CARD])
        act = detail.pin if kind == "pin" else detail.drop
        detail.reason.setText("   ")
        QTest.mouseClick(act, Qt.MouseButton.LeftButton)
        assert detail.needed.text().startswith(f"A {kind} needs a reason")
        assert detail.needed.isVisible()
        assert detail.reason.property("state") == "refused"
        assert heard == []
        QTest.keyClicks(detail.reason, "dark")
        assert not detail.needed.isVisible()
        assert detail.reason.property("state") == ""
        QTest.mouseClick(act, Qt.MouseButton.LeftButton)
        assert heard == [(kind, "dark")]

    def test_what_is_lacking_is_forgotten_with_another_scene(
        self, detail: SceneDetail
    ) -> None:
        detail.show_selection([CARD])
        QTest.mouseClick(detail.drop, Qt.MouseButton.LeftButton)
        detail.show_selection([replace(CARD, scene="b", name="other")])
        assert not detail.needed.isVisible()

    def test_marks_are_made_above_the_pictures(self, detail: SceneDetail) -> None:
        """In a small window nobody scrolls for what they do not know of."""
        detail.resize(348, 420)
        detail.show_selection([CARD])
        QApplication.processEvents()
        for widget in (detail.reason, detail.pin, detail.drop, detail.open):
            seen = widget.visibleRegion().boundingRect()
            assert seen.size() == widget.size(), widget

    def test_of_several_any_mark_can_be_cleared(self, detail: SceneDetail) -> None:
        other = replace(CARD, scene="b", mark=Mark("b", "pin", "fine"))
        detail.show_selection([CARD, other])
        assert detail.title.text() == "2 scenes are selected"
        assert detail.clear.isVisible()
        assert not detail.mark_words.isVisible()

    def test_pictures_have_the_shape_that_they_have(self, detail: SceneDetail) -> None:
        detail.show_selection([CARD])
        wide, tall = filled(64, 32, "#ff0000"), filled(30, 60, "#00ff00")
        detail.show_pictures((wide, tall))
        model, director = detail.pictures
        assert model.height() == pytest.approx(model.width() / 2, abs=2)
        assert director.height() == pytest.approx(director.width() * 2, abs=2)
        middle = model.grab().toImage().pixelColor(model.width() // 2, 20)
        assert middle == QColor("#ff0000")

    def test_without_pictures_their_places_stay(self, detail: SceneDetail) -> None:
        detail.show_selection([CARD])
        detail.show_pictures((filled(64, 48, "#ff0000"), filled(64, 48, "#00ff00")))
        before = [view.height() for view in detail.pictures]
        detail.show_pictures(None)
        assert [view.height() for view in detail.pictures] == before
        shown = detail.pictures[0].grab().toImage().pixelColor(20, 20)
        assert shown != QColor("#ff0000")

    def test_a_reason_goes_with_the_mark_without_blanks(
        self, detail: SceneDetail
    ) -> None:
        told: list[tuple[str, str]] = []
        detail.marked.connect(lambda *what: told.append(what))
        detail.show_selection([replace(CARD, mark=Mark("a", "pin", "fine"))])
        QTest.keyClicks(detail.reason, "  too dark ")
        for made in (detail.drop, detail.pin, detail.clear):
            QTest.mouseClick(made, Qt.MouseButton.LeftButton)
        assert told == [("drop", "too dark"), ("pin", "too dark"), ("none", "too dark")]

    def test_without_a_reason_it_is_asked_for_where_it_is_typed(
        self, detail: SceneDetail
    ) -> None:
        detail.show_selection([replace(CARD, mark=Mark("a", "pin", "fine"))])
        QTest.mouseClick(detail.drop, Qt.MouseButton.LeftButton)
        assert detail.focusWidget() is detail.reason
        detail.pin.setFocus()
        QTest.mouseClick(detail.clear, Qt.MouseButton.LeftButton)
        assert detail.focusWidget() is not detail.reason  # clearing needs none

    def test_the_scene_can_be_opened(self, detail: SceneDetail, qtbot: QtBot) -> None:
        detail.show_selection([CARD])
        with qtbot.waitSignal(detail.open_wanted):
            QTest.mouseClick(detail.open, Qt.MouseButton.LeftButton)

"""The form's fields: units, fixed and ranges, lists, shares; quiet when shown."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from director_gui.families import library
from director_gui.families.reading import parsed
from director_gui.study.family_text import value_in
from director_gui.ui.families.entries import (
    ChoiceEntry,
    Entry,
    Number,
    NumberEntry,
    SharesEntry,
    SpanEntry,
    TextEntry,
    entry_for,
)
from director_gui.ui.families.form_fields import FormField, Unit, groups_of

pytestmark = pytest.mark.gui
EDGE = FormField("blocks.largest", "Largest edge", "span", "cm")
OWN = FormField("hidden.x", "x", "own_span", "cm")
RANKS = FormField(
    "hidden.ranks", "Which", "shares", choices=(("largest", "l"), ("middle", "m"))
)
EVERY = [
    field
    for name in library.names()
    for group in groups_of(parsed(library.built_in(name).text.encode()))
    for field in group.fields
]


def made(qtbot: QtBot, field: FormField) -> tuple[Entry, list[Any]]:
    """A field's widgets, and all that they tell."""
    entry = entry_for(field)
    qtbot.addWidget(entry)
    entry.show()
    told: list[Any] = []
    entry.entered.connect(told.append)
    return entry, told


def typed(box: Number, text: str) -> None:
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, text)
    QTest.keyClick(box, Qt.Key.Key_Return)


def scroll(widget: QWidget) -> None:
    event = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(0, 0), QPoint(0, 120),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003 - Qt's signature
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


class TestNumber:
    @pytest.mark.parametrize(
        ("unit", "value", "text"),
        [
            ("cm", 0.18, "18"),
            ("cm", 0.1234, "12.34"),
            ("cm", -0.055, "-5.5"),
            ("%", 0.75, "75"),
            ("%", 0.005, "0.5"),
            ("°", 12.5, "12.5"),
            ("×", 1.38, "1.38"),
            ("edges", 1.25, "1.25"),
            ("px", 1024, "1024"),
        ],
    )
    def test_it_shows_the_unit_that_people_read_without_idle_zeros(
        self, qtbot: QtBot, unit: Unit, value: float, text: str
    ) -> None:
        box = Number(FormField("x", "x", "number", unit), "x")
        qtbot.addWidget(box)
        box.show_value(value)
        assert box.text() == text
        assert box.shown == value

    @pytest.mark.usefixtures("qapp")
    @settings(max_examples=50, deadline=None)
    @given(st.integers(-100_000, 100_000))
    def test_tenths_of_a_millimetre_survive(self, tenths: int) -> None:
        value = tenths / 10_000
        box = Number(EDGE, "x")
        box.show_value(value)
        assert box.shown == pytest.approx(value, abs=1e-9)
        box.deleteLater()

    def test_a_whole_number_is_one(self, qtbot: QtBot) -> None:
        box = Number(FormField("count", "Scenes", "integer"), "Scenes")
        qtbot.addWidget(box)
        box.show_value(160)
        assert isinstance(box.shown, int)
        seed = 2**53 - 1
        box.show_value(seed)
        assert box.shown == seed

    def test_showing_tells_nobody_and_scrolling_changes_nothing(
        self, qtbot: QtBot
    ) -> None:
        entry, told = made(qtbot, FormField("blocks.gap", "Gap", "number", "cm"))
        assert isinstance(entry, NumberEntry)
        entry.show_value(0.03)
        scroll(entry.box)
        assert told == []
        assert entry.box.shown == 0.03
        typed(entry.box, "4.5")
        assert told == [0.045]


class TestSpan:
    def test_a_range_and_a_fixed_value(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, EDGE)
        assert isinstance(entry, SpanEntry)
        entry.show_value([0.18, 0.23])
        assert entry.high.isVisible()
        entry.show_value(0.2)
        assert not entry.high.isVisible()
        assert entry.mode.currentData() == "fixed"
        typed(entry.low, "21")
        assert told == [0.21]

    def test_each_end_is_told_with_the_other(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, EDGE)
        assert isinstance(entry, SpanEntry)
        entry.show_value([0.18, 0.23])
        typed(entry.high, "25")
        typed(entry.low, "15")
        assert told == [[0.18, 0.25], [0.15, 0.25]]

    def test_names_for_those_who_cannot_see_follow_the_mode(self, qtbot: QtBot) -> None:
        entry, _ = made(qtbot, EDGE)
        assert isinstance(entry, SpanEntry)
        entry.show_value([0.18, 0.23])
        assert entry.low.accessibleName() == "Largest edge, least"
        entry.show_value(0.2)
        assert entry.low.accessibleName() == "Largest edge"

    def test_what_may_be_absent_is_told_as_none(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, OWN)
        assert isinstance(entry, SpanEntry)
        entry.show_value([-0.1, 0.1])
        entry.mode.setFocus()
        QTest.keyClick(entry.mode, Qt.Key.Key_Home)
        assert entry.mode.currentData() == "absent"
        assert told[-1] is None
        assert not entry.low.isVisible()

    def test_only_an_own_place_can_be_absent(self, qtbot: QtBot) -> None:
        for field, modes in ((EDGE, 2), (OWN, 3)):
            entry, _ = made(qtbot, field)
            assert isinstance(entry, SpanEntry)
            assert entry.mode.count() == modes

    def test_refused_fields_are_outlined_until_they_are_not(self, qtbot: QtBot) -> None:
        entry, _ = made(qtbot, EDGE)
        assert isinstance(entry, SpanEntry)
        entry.show_refused(refused=True)
        boxes = (entry.low, entry.high)
        assert [box.property("state") for box in boxes] == ["refused"] * 2
        entry.show_refused(refused=False)
        assert [box.property("state") for box in boxes] == [""] * 2


class TestWords:
    @pytest.mark.parametrize(
        ("text", "told"),
        [
            ("1 2 3", [1, 2, 3]),
            ("1,2,3", [1, 2, 3]),
            (" 4,  5 ", [4, 5]),
            ("", []),
            ("1 x", [1, "x"]),
        ],
    )
    def test_a_list_is_words_and_numbers(
        self, qtbot: QtBot, text: str, told: list[object]
    ) -> None:
        entry, heard = made(qtbot, FormField("blocks.digits", "Digits", "list"))
        assert isinstance(entry, TextEntry)
        entry.show_value([9])
        entry.box.selectAll()
        QTest.keyClick(entry.box, Qt.Key.Key_Delete)
        QTest.keyClicks(entry.box, text)
        QTest.keyClick(entry.box, Qt.Key.Key_Return)
        assert heard == [told]

    def test_losing_the_focus_alone_tells_nothing(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, FormField("about", "About", "text"))
        assert isinstance(entry, TextEntry)
        entry.show_value("as it was")
        entry.box.setFocus()
        QTest.keyClick(entry.box, Qt.Key.Key_Return)
        assert told == []

    def test_a_long_text_shows_its_beginning(self, qtbot: QtBot) -> None:
        entry, _ = made(qtbot, FormField("about", "About", "text"))
        assert isinstance(entry, TextEntry)
        entry.show_value("word " * 100)
        assert entry.box.cursorPosition() == 0

    def test_a_choice_tells_its_value_and_not_its_words(self, qtbot: QtBot) -> None:
        field = FormField(
            "blocks.digit_rule", "Digits", "choice",
            choices=(("draw", "drawn"), ("given", "given")),
        )  # fmt: skip
        entry, told = made(qtbot, field)
        assert isinstance(entry, ChoiceEntry)
        entry.show_value("draw")
        scroll(entry.box)
        assert told == []
        entry.box.setFocus()
        QTest.keyClick(entry.box, Qt.Key.Key_Down)
        assert told == ["given"]


class TestShares:
    def test_what_has_no_share_is_left_out(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, RANKS)
        assert isinstance(entry, SharesEntry)
        entry.show_value({"largest": 1})
        assert {key: box.value() for key, box in entry.boxes.items()} == {
            "largest": 1,
            "middle": 0,
        }
        entry.boxes["middle"].setValue(2)
        entry.boxes["largest"].setValue(0)
        assert told == [{"largest": 1, "middle": 2}, {"middle": 2}]

    def test_what_is_no_table_shows_nothing(self, qtbot: QtBot) -> None:
        entry, told = made(qtbot, RANKS)
        assert isinstance(entry, SharesEntry)
        entry.show_value("nonsense")
        assert [box.value() for box in entry.boxes.values()] == [0, 0]
        assert told == []


@pytest.mark.parametrize("field", EVERY, ids=lambda field: field.path)
def test_every_field_of_every_family_is_named_and_quiet(
    qtbot: QtBot, field: FormField
) -> None:
    """Showing what a built-in family says is never mistaken for an entry."""
    entry, told = made(qtbot, field)
    for name in library.names():
        tables = parsed(library.built_in(name).text.encode())
        entry.show_value(value_in(tables, field.path))
    assert told == []
    assert field.name
    assert field.path == field.path.strip()

"""A family as a form and as text: one truth, refusals beside, kept at rest."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.families.model import HiderRule, StanderRule
from director_gui.store import own_families
from director_gui.ui import theme
from director_gui.ui.families import form as form_module
from director_gui.ui.families.entries import (
    ChoiceEntry,
    NumberEntry,
    SharesEntry,
    SpanEntry,
    TextEntry,
)
from director_gui.ui.families.listing import Entry
from tests.ui.families.bench import Bench

pytestmark = pytest.mark.gui
MAIN = library.built_in("main").text


def span(bench: Bench, path: str) -> SpanEntry:
    found = bench.space.family.form.entries[path]
    assert isinstance(found, SpanEntry)
    return found


def refusal(bench: Bench, path: str) -> str:
    told = bench.space.family.form.refusals[path]
    return told.text() if told.isVisibleTo(bench.space.family.form) else ""


def choose(entry: SpanEntry | ChoiceEntry, value: str) -> None:
    """Choose with the keyboard, as a person would."""
    box = entry.mode if isinstance(entry, SpanEntry) else entry.box
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    for _ in range(box.findData(value)):
        QTest.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == value


def lines(text: str, other: str) -> list[str]:
    return [line for line in other.splitlines() if line not in text.splitlines()]


class TestShowing:
    def test_numbers_have_the_units_that_people_read(self, bench: Bench) -> None:
        bench.show()
        edge = span(bench, "blocks.largest")
        assert (edge.low.text(), edge.high.text()) == ("18", "23")
        assert edge.mode.currentData() == "range"
        gap = bench.space.family.form.entries["blocks.gap"]
        assert isinstance(gap, NumberEntry)
        assert gap.box.value() == 3.0  # cm

    def test_a_fixed_quantity_shows_one_number(self, bench: Bench) -> None:
        bench.show()
        fov = span(bench, "director.fov")
        assert fov.mode.currentData() == "fixed"
        assert not fov.high.isVisible()

    def test_what_the_file_leaves_out_is_as_for_all_blocks(self, bench: Bench) -> None:
        bench.show()
        assert span(bench, "hidden.x").mode.currentData() == "absent"

    @pytest.mark.parametrize("name", library.names())
    def test_every_built_in_family_has_a_form(self, bench: Bench, name: str) -> None:
        bench.show()
        bench.space.list.choose(Entry("built_in", name))
        family = bench.space.draft.family
        assert family is not None
        form = bench.space.family.form
        entry = form.entries["name"]
        assert isinstance(entry, TextEntry)
        assert entry.box.text() == name
        boards = [path for path in form.entries if path.endswith("].width")]
        assert len(boards) == (0 if family.rearranges else len(family.partitions))

    def test_a_built_in_family_cannot_be_edited(self, bench: Bench) -> None:
        bench.show()
        assert not bench.space.family.form.entries["name"].isEnabled()
        assert bench.space.family.text.isReadOnly()
        QTest.keyClicks(bench.space.family.text, "x")
        assert bench.space.draft.text == MAIN


class TestEditing:
    def test_a_number_changes_its_line_and_no_other(self, bench: Bench) -> None:
        bench.own()
        before = bench.space.draft.text
        bench.type(span(bench, "blocks.largest").low, "15")
        changed = lines(before, bench.space.draft.text)
        assert changed == ["largest = [0.15, 0.23]    # edge of the largest block"]
        family = bench.space.draft.family
        assert family is not None
        assert family.blocks.largest.low == 0.15

    def test_a_range_that_runs_backwards_is_refused_beside_the_field(
        self, bench: Bench
    ) -> None:
        bench.own()
        before = bench.space.draft.text
        box = span(bench, "blocks.ratio").high
        bench.type(box, "1.1")
        assert refusal(bench, "blocks.ratio") == "the least value 1.18 is above 1.1"
        assert box.property("state") == "refused"
        assert bench.space.draft.text == before
        bench.type(box, "1.5")
        assert refusal(bench, "blocks.ratio") == ""
        assert box.property("state") == ""
        assert "ratio = [1.18, 1.5]" in bench.space.draft.text

    @pytest.mark.parametrize(
        ("path", "text", "words"),
        [
            ("blocks.largest", "500", "must be from 0.01 to 2"),
            ("camera.fov", "1", "must be from 5 to 120"),
            ("partitions[0].width", "99", "must be from 0.1 to 20"),
        ],
    )
    def test_bounds_are_told_in_the_fields_words(
        self, bench: Bench, path: str, text: str, words: str
    ) -> None:
        bench.own()
        entry = span(bench, path)
        bench.type(entry.high if entry.high.isVisible() else entry.low, text)
        assert words in refusal(bench, path)

    def test_a_range_is_fixed_at_its_middle_and_opened_again(
        self, bench: Bench
    ) -> None:
        bench.own()
        entry = span(bench, "blocks.largest")
        choose(entry, "fixed")
        assert "largest = 0.205 " in bench.space.draft.text
        choose(entry, "range")
        bench.type(entry.high, "25")
        assert "largest = [0.205, 0.25]" in bench.space.draft.text

    def test_the_hidden_block_gets_and_loses_a_place_of_its_own(
        self, bench: Bench
    ) -> None:
        bench.own()
        before = bench.space.draft.text
        entry = span(bench, "hidden.x")
        choose(entry, "range")
        bench.type(entry.high, "10")
        family = bench.space.draft.family
        assert family is not None
        assert family.hidden.x == (0.0, 0.1)
        choose(entry, "absent")
        assert bench.space.draft.text == before

    def test_shares_stay_on_their_line(self, bench: Bench) -> None:
        bench.own()
        entry = bench.space.family.form.entries["hidden.ranks"]
        assert isinstance(entry, SharesEntry)
        bench.type(entry.boxes["middle"], "2")
        assert "ranks = {largest = 1, middle = 2}" in bench.space.draft.text
        bench.type(entry.boxes["largest"], "0")
        assert "ranks = {middle = 2}" in bench.space.draft.text
        bench.type(entry.boxes["middle"], "0")
        assert refusal(bench, "hidden.ranks")

    def test_lists_and_choices(self, bench: Bench) -> None:
        bench.own()
        digits = bench.space.family.form.entries["blocks.digits"]
        assert isinstance(digits, TextEntry)
        bench.type(digits.box, "1 2, 3 4")
        assert "digits = [1, 2, 3, 4]" in bench.space.draft.text
        bench.type(digits.box, "1 2 3 x")
        assert "expected a whole number" in refusal(bench, "blocks.digits")
        asked = bench.space.family.form.entries["request.extreme"]
        assert isinstance(asked, ChoiceEntry)
        choose(asked, "smallest")
        assert 'extreme = "smallest"' in bench.space.draft.text

    def test_scrolling_over_a_field_changes_nothing(self, bench: Bench) -> None:
        bench.own()
        before = bench.space.draft.text
        box = span(bench, "blocks.largest").low
        event = QWheelEvent(
            QPointF(5, 5), QPointF(5, 5), QPoint(0, 120), QPoint(0, 120),
            Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,  # noqa: FBT003 - Qt's signature
        )  # fmt: skip
        box.wheelEvent(event)
        assert bench.space.draft.text == before


def push(bench: Bench, words: str, at: int = 0) -> None:
    """Click one of the form's own buttons."""
    form = bench.space.family.form
    made = [b for b in form.findChildren(QPushButton) if b.text() == words]
    form.ensureWidgetVisible(made[at])
    bench.click(made[at])


def offered(bench: Bench) -> list[str]:
    found = bench.space.family.form.findChildren(QPushButton)
    return [made.text() for made in found]


def boards(bench: Bench) -> int:
    family = bench.space.draft.family
    assert family is not None
    return len(family.partitions)


class TestPartitions:
    def test_a_family_with_two_is_made_from_the_form_alone(self, bench: Bench) -> None:
        name = bench.own()
        before = bench.space.draft.text
        push(bench, "Add on the table")
        bench.until(lambda: boards(bench) == 2)
        bench.type(span(bench, "partitions[1].height").high, "25")
        family = bench.space.draft.family
        assert family is not None
        hider, stander = family.partitions
        assert isinstance(hider, HiderRule)
        assert isinstance(stander, StanderRule)
        assert stander.height == (0.1, 0.25)
        bench.space.keeping.save_now()
        kept = own_families.family_text(bench.study, name)
        assert [line for line in before.split("\n") if line not in kept] == []

    def test_the_new_one_is_in_sight_and_ready_to_be_typed_into(
        self, bench: Bench
    ) -> None:
        bench.own()
        form = bench.space.family.form
        push(bench, "Add on the table")
        bench.until(lambda: "partitions[1].x" in form.entries)
        row = form.entries["partitions[1].x"]
        bench.until(lambda: not row.visibleRegion().isEmpty())
        assert form.focusWidget() is span(bench, "partitions[1].x").low

    def test_one_before_the_hidden_block_is_offered_once(self, bench: Bench) -> None:
        bench.own()
        assert offered(bench) == ["Remove", "Add on the table"]
        push(bench, "Remove")
        bench.until(lambda: boards(bench) == 0)
        push(bench, "Add before the hidden block")
        bench.until(lambda: boards(bench) == 1)
        assert offered(bench) == ["Remove", "Add on the table"]

    def test_removing_keeps_the_place_and_can_be_undone(self, bench: Bench) -> None:
        bench.own("two-partitions")
        before = bench.space.draft.text
        bar = bench.space.family.form.verticalScrollBar()
        bench.until(lambda: bar.maximum() > 0)
        push(bench, "Remove")
        place = bar.value()
        assert place > 0
        bench.until(lambda: boards(bench) == 1)
        bench.until(lambda: bar.value() == min(place, bar.maximum()) > 0)
        family = bench.space.draft.family
        assert family is not None
        assert isinstance(family.partitions[0], StanderRule)
        bench.space.family.undo.trigger()
        bench.space.draft.read()
        assert bench.space.draft.text == before
        assert offered(bench).count("Remove") == 2

    def test_one_after_the_other_until_there_is_none(self, bench: Bench) -> None:
        bench.own("two-partitions")
        for left in (1, 0):
            push(bench, "Remove", at=left)
            bench.until(lambda n=left: boards(bench) == n)  # type: ignore[misc] # n
        assert "partitions = []" in bench.space.draft.text
        assert offered(bench) == ["Add before the hidden block", "Add on the table"]

    def test_a_fifth_is_not_offered(self, bench: Bench) -> None:
        bench.own()
        for count in (2, 3, 4):
            assert "Add on the table" in offered(bench)
            push(bench, "Add on the table")
            bench.until(lambda n=count: boards(bench) == n)  # type: ignore[misc] # n
        assert offered(bench) == ["Remove"] * 4

    def test_a_text_that_is_no_family_is_left_and_told(
        self, bench: Bench, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        bench.own()
        before = bench.space.draft.text
        error = UserError("the partitions of this text cannot be changed here")

        def refuse(*_: object) -> str:
            raise error

        monkeypatch.setattr(form_module, "with_partition", refuse)
        push(bench, "Add on the table")
        bench.until(lambda: bench.refused == [error])
        assert bench.space.draft.text == before

    def test_a_built_in_family_offers_nothing_that_works(self, bench: Bench) -> None:
        bench.show()
        found = bench.space.family.form.findChildren(QPushButton)
        assert found
        assert not any(made.isEnabled() for made in found)


class TestText:
    def test_what_is_typed_reaches_the_form(self, bench: Bench) -> None:
        bench.own()
        bench.space.family.tabs.setCurrentWidget(bench.space.family.text)
        text = bench.space.family.text
        cursor = text.document().find("1.38")
        text.setTextCursor(cursor)
        QTest.keyClicks(text, "1.6")
        bench.space.draft.read()
        assert span(bench, "blocks.ratio").high.text() == "1.6"

    def test_broken_text_is_told_and_not_kept(self, bench: Bench) -> None:
        name = bench.own()
        text = bench.space.family.text
        bench.space.family.tabs.setCurrentWidget(text)
        QTest.keyClicks(text, "x = = ")
        bench.space.draft.read()
        bench.space.keeping.save_now()
        assert "not TOML" in bench.space.family.fault.text()
        assert not bench.space.family.sample.isEnabled()
        assert not bench.space.family.form.entries["name"].isEnabled()
        assert "x = =" not in own_families.family_text(bench.study, name)

    def test_a_value_that_is_refused_is_named_and_told_at_its_field(
        self, bench: Bench
    ) -> None:
        bench.own()
        text = bench.space.family.text
        text.setTextCursor(text.document().find("gap = 0.03"))
        QTest.keyClicks(text, "gap = 7")
        bench.space.draft.read()
        assert "blocks.gap" in bench.space.family.fault.text()
        assert refusal(bench, "blocks.gap") == "must be from 0 to 1, found 7"

    def test_form_and_text_share_one_history(self, bench: Bench) -> None:
        bench.own()
        before = bench.space.draft.text
        bench.type(span(bench, "blocks.largest").low, "15")
        bench.space.family.undo.trigger()
        bench.space.draft.read()
        assert bench.space.draft.text == before
        assert span(bench, "blocks.largest").low.text() == "18"
        bench.space.family.redo.trigger()
        bench.space.draft.read()
        assert span(bench, "blocks.largest").low.text() == "15"

    def test_signs_beyond_the_first_plane_are_no_trouble(self, bench: Bench) -> None:
        bench.own()
        about = bench.space.family.form.entries["about"]
        assert isinstance(about, TextEntry)
        about.box.setText("🧊 blocks")
        about.box.editingFinished.emit()
        bench.type(span(bench, "blocks.largest").low, "15")
        assert "🧊 blocks" in bench.space.draft.text
        assert "largest = [0.15, 0.23]" in bench.space.draft.text


class TestKeeping:
    def test_a_text_that_is_no_family_can_be_gone_back_to(self, bench: Bench) -> None:
        name = bench.own()
        bench.space.family.tabs.setCurrentWidget(bench.space.family.text)
        QTest.keyClicks(bench.space.family.text, "x = = ")
        broken = bench.space.draft.text
        bench.space.list.choose(Entry("built_in", "rotated"))
        assert "was not kept" in bench.space.banner.text
        assert "x = =" not in own_families.family_text(bench.study, name)
        bench.click(bench.space.banner._buttons[0])
        assert bench.space.draft.text == broken
        assert bench.space.draft.name == name
        bench.space.draft.read()
        assert bench.space.draft.error is not None
        bench.space.family.undo.trigger()
        bench.space.draft.read()
        assert bench.space.draft.error is None

    def test_nothing_reaches_another_study(self, bench: Bench, tmp_path: Path) -> None:
        bench.own()
        bench.type(span(bench, "blocks.largest").low, "15")
        bench.session.create(tmp_path / "other.study")
        bench.space.keeping.save_now()
        assert own_families.family_texts(bench.study) == {}
        assert bench.space.current == Entry("built_in", "main")

    def test_an_edit_is_kept_at_rest(self, bench: Bench) -> None:
        name = bench.own()
        bench.type(span(bench, "blocks.largest").low, "15")
        bench.until(lambda: "0.15" in own_families.family_text(bench.study, name))

    def test_leaving_keeps_at_once(self, bench: Bench) -> None:
        name = bench.own()
        bench.type(span(bench, "blocks.largest").low, "15")
        bench.space.list.choose(Entry("built_in", "rotated"))
        assert "0.15" in own_families.family_text(bench.study, name)

    def test_another_name_moves_it(self, bench: Bench) -> None:
        old = bench.own()
        entry = bench.space.family.form.entries["name"]
        assert isinstance(entry, TextEntry)
        bench.type(entry.box, "narrow")
        bench.space.keeping.save_now()
        assert list(own_families.family_texts(bench.study)) == ["narrow"]
        assert bench.space.current == Entry("own", "narrow")
        assert old not in own_families.family_texts(bench.study)

    def test_a_name_that_is_taken_is_refused(self, bench: Bench) -> None:
        first = bench.own()
        bench.space.list.choose(Entry("built_in", "rotated"))
        bench.click(bench.space.family.copy)
        entry = bench.space.family.form.entries["name"]
        assert isinstance(entry, TextEntry)
        bench.type(entry.box, first)
        bench.space.keeping.save_now()
        assert "another family of this name" in bench.refused[-1].what
        assert len(own_families.family_texts(bench.study)) == 2

    def test_removing_can_be_undone(self, bench: Bench) -> None:
        name = bench.own()
        text = bench.space.draft.text
        bench.click(bench.space.family.forget)
        assert own_families.family_texts(bench.study) == {}
        (undo, _dismiss) = bench.space.banner._buttons
        bench.click(undo)
        assert own_families.family_texts(bench.study) == {name: text}
        assert bench.space.current == Entry("own", name)


@pytest.mark.parametrize(("mode", "scale"), [("dark", 1.0), ("light", 2.0)])
def test_it_follows_the_theme_and_the_text_size(
    bench: Bench,
    themed: Callable[[theme.Mode, float], None],
    mode: theme.Mode,
    scale: float,
) -> None:
    bench.own()
    themed(mode, scale)
    bench.space.retheme()
    assert not bench.space.grab().isNull()
    assert span(bench, "blocks.largest").low.text() == "18"
    assert bench.space.minimumSizeHint().width() <= 1224

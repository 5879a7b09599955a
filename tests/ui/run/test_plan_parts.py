"""Parts of the plan that is composed, each alone: ticks, batches, families, fields."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QStyle,
    QStyleOptionViewItem,
)
from pytestqt.qtbot import QtBot

from director_gui.prompts.library import Library, library
from director_gui.runner.plan import Batch
from director_gui.runner.profiles import Profile
from director_gui.study.plan_draft import Offer
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice
from director_gui.study.plan_scenes import LeftOut
from director_gui.study.probing import known_profiles
from director_gui.ui import theme
from director_gui.ui.run.batches import Batches
from director_gui.ui.run.families import Families
from director_gui.ui.run.lines import Lines
from director_gui.ui.run.model_list import ModelList
from director_gui.ui.run.plan_form import PlanForm
from tests.ui.run.runs_desk import plan

pytestmark = pytest.mark.gui
EFFECT, COUNT = ("move.ask", "move.plain"), ("move.count", "move.plain")
MEAN = ("mean.ask", "mean.plain")
OWN = Profile(name="mine", base_url="http://127.0.0.1:9/v1", model="m")


def click_box(qtbot: QtBot, boxes: QListWidget, row: int) -> None:
    """Click the box of a line, as a person does."""
    item = boxes.item(row)
    boxes.scrollToItem(item)
    option = QStyleOptionViewItem()
    boxes.initViewItemOption(option)
    option.rect = boxes.visualItemRect(item)
    option.features |= QStyleOptionViewItem.ViewItemFeature.HasCheckIndicator
    part = QStyle.SubElement.SE_ItemViewItemCheckIndicator
    spot = boxes.style().subElementRect(part, option, boxes).center()
    qtbot.mouseClick(boxes.viewport(), Qt.MouseButton.LeftButton, pos=spot)


def names_of(boxes: QListWidget) -> list[str]:
    return [boxes.item(row).text() for row in range(boxes.count())]


class TestBatches:
    @pytest.fixture
    def batches(self, qtbot: QtBot) -> Batches:
        made = Batches()
        qtbot.addWidget(made)
        made.show_library(library())
        made.resize(320, 260)
        made.show()
        return made

    def test_a_click_takes_a_condition_in_and_out(
        self, qtbot: QtBot, batches: Batches
    ) -> None:
        told: list[int] = []
        batches.changed.connect(lambda: told.append(len(batches.batches)))
        row = names_of(batches.list).index("mean.plain")
        click_box(qtbot, batches.list, row)
        assert "mean.plain" in batches.batches[0].conditions
        assert (
            batches.joined.text()
            == "mean.ask joins by itself as the base of this batch."
        )
        click_box(qtbot, batches.list, row)
        assert "mean.plain" not in batches.batches[0].conditions
        assert told == [1, 1]

    def test_the_keyboard_ticks_too(self, qtbot: QtBot, batches: Batches) -> None:
        batches.list.setFocus()
        batches.list.setCurrentRow(names_of(batches.list).index("move.state"))
        qtbot.keyClick(batches.list, Qt.Key.Key_Space)
        assert "move.state" in batches.batches[0].conditions

    def test_an_empty_batch_is_offered_but_is_none(
        self, qtbot: QtBot, batches: Batches
    ) -> None:
        qtbot.mouseClick(batches.add, Qt.MouseButton.LeftButton)
        assert batches.which.currentText() == "Batch 2"
        assert [b.name for b in batches.batches] == ["1"]
        assert batches.joined.text() == "Tick the conditions that are sampled together."
        click_box(qtbot, batches.list, 0)
        assert [b.name for b in batches.batches] == ["1", "2"]

    def test_the_last_batch_stays(self, qtbot: QtBot, batches: Batches) -> None:
        assert not batches.remove.isEnabled()
        qtbot.mouseClick(batches.add, Qt.MouseButton.LeftButton)
        assert batches.remove.isEnabled()
        qtbot.mouseClick(batches.remove, Qt.MouseButton.LeftButton)
        assert not batches.remove.isEnabled()
        assert batches.which.count() == 1

    def test_a_new_batch_takes_no_name_twice(
        self, qtbot: QtBot, batches: Batches
    ) -> None:
        batches.show_batches([Batch("2", EFFECT), Batch("late", COUNT)])
        qtbot.mouseClick(batches.add, Qt.MouseButton.LeftButton)
        qtbot.mouseClick(batches.add, Qt.MouseButton.LeftButton)
        named = [batches.which.itemText(at) for at in range(batches.which.count())]
        assert len(set(named)) == 4

    def test_another_study_takes_its_own_conditions_away(
        self, batches: Batches
    ) -> None:
        batches.show_batches([Batch("1", ("move.ask", "mine.only"))])
        batches.show_library(library())
        assert batches.batches == (Batch("1", ("move.ask",)),)
        batches.show_library(Library())
        assert batches.batches == ()
        assert batches.list.count() == 0

    @settings(
        max_examples=20,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(
        st.lists(
            st.sets(
                st.sampled_from([c.name for c in library().conditions]), min_size=1
            ),
            min_size=1,
            max_size=4,
        )
    )
    def test_what_is_shown_is_what_is_read(
        self, batches: Batches, found: Sequence[set[str]]
    ) -> None:
        order = [c.name for c in library().conditions]
        wanted = tuple(
            Batch(str(at), tuple(sorted(names, key=order.index)))
            for at, names in enumerate(found, 1)
        )
        batches.show_batches(wanted)
        for at in range(len(wanted)):
            batches.which.setCurrentIndex(at)
            batches._take()  # as if a line had been ticked to what it is
        assert batches.batches == wanted


class TestModels:
    @pytest.fixture
    def models(self, qtbot: QtBot) -> ModelList:
        made = ModelList()
        qtbot.addWidget(made)
        made.load()
        made.resize(320, 160)
        made.show()
        return made

    def test_a_first_run_is_practice(self, models: ModelList) -> None:
        (first,) = models.chosen
        assert first.practice
        assert [p.name for p in known_profiles()] == [
            text.split(" · ")[0] for text in names_of(models)
        ]

    def test_ticks_survive_a_new_list(self, qtbot: QtBot, models: ModelList) -> None:
        click_box(qtbot, models, 1)
        before = models.chosen
        assert len(before) == 2
        models.load()
        assert models.chosen == before

    def test_a_plans_own_profile_is_not_lost(self, models: ModelList) -> None:
        models.choose([OWN])
        assert models.chosen == (OWN,)
        models.load()
        assert models.chosen == (OWN,)
        assert names_of(models)[-1] == "mine · unknown price"

    def test_a_plans_version_of_a_known_profile_takes_its_place(
        self, models: ModelList
    ) -> None:
        changed = replace(known_profiles()[0], max_tokens=77)
        models.choose([changed])
        assert models.chosen == (changed,)
        assert models.count() == len(known_profiles())

    def test_lines_say_where_calls_go(self, models: ModelList) -> None:
        for row, profile in enumerate(known_profiles()):
            assert profile.base_url in models.item(row).toolTip()


class TestFamilies:
    @pytest.fixture
    def families(self, qtbot: QtBot) -> Families:
        made = Families()
        qtbot.addWidget(made)
        made.show_pairs([EFFECT, COUNT])
        made.resize(320, 200)
        made.show()
        return made

    def untick(self, families: Families, row: int) -> None:
        families.item(row, 0).setCheckState(Qt.CheckState.Unchecked)

    def test_new_pairs_are_declared_in_one_family(self, families: Families) -> None:
        assert families.families == (DeclaredFamily("main", (EFFECT, COUNT)),)
        families.show_pairs([EFFECT, COUNT, MEAN])
        assert families.families == (DeclaredFamily("main", (EFFECT, COUNT, MEAN)),)

    def test_what_was_left_out_stays_out(self, families: Families) -> None:
        self.untick(families, 1)
        families.show_pairs([EFFECT, COUNT, MEAN])
        assert families.families == (DeclaredFamily("main", (EFFECT, MEAN)),)
        families.declare_all()
        assert families.families == (DeclaredFamily("main", (EFFECT, COUNT, MEAN)),)

    def test_a_name_is_typed_into_the_cell(
        self, qtbot: QtBot, families: Families
    ) -> None:
        cell = families.visualItemRect(families.item(1, 1)).center()
        qtbot.mouseClick(families.viewport(), Qt.MouseButton.LeftButton, pos=cell)
        qtbot.mouseDClick(families.viewport(), Qt.MouseButton.LeftButton, pos=cell)
        editor = families.findChild(QLineEdit)
        QTest.keyClicks(editor, "controls")
        QTest.keyClick(editor, Qt.Key.Key_Return)
        QApplication.processEvents()  # the editor hands over when it closes
        assert families.families == (
            DeclaredFamily("main", (EFFECT,)),
            DeclaredFamily("controls", (COUNT,)),
        )

    def test_an_empty_name_is_the_main_family(self, families: Families) -> None:
        families.item(0, 1).setText("  ")
        assert families.families == (DeclaredFamily("main", (EFFECT, COUNT)),)

    def test_a_plans_order_is_kept(self, families: Families) -> None:
        given_ = (DeclaredFamily("b", (COUNT,)), DeclaredFamily("a", (EFFECT,)))
        families.show_families(given_)
        assert families.families == given_
        assert families.own == (COUNT, EFFECT)
        self.untick(families, 0)
        assert families.families == (DeclaredFamily("b", (COUNT,)),)

    def test_nothing_to_declare_is_one_empty_line(self, families: Families) -> None:
        families.show_pairs([])
        assert families.families == ()
        assert families.rowCount() == 0
        assert families.height() > families.horizontalHeader().height()


class TestPlanForm:
    @pytest.fixture
    def form(self, qtbot: QtBot) -> PlanForm:
        made = PlanForm()
        qtbot.addWidget(made)
        offers = (
            Offer("All scenes", SceneChoice(), 9),
            Offer("main", SceneChoice(sets=("main",)), 6),
        )
        made.show_study(offers, library())
        made.show()
        return made

    @pytest.mark.parametrize(
        "more",
        [
            {},
            {"ceiling": 2.5, "order_seed": None},
            {"transport": "batch", "batch_price_factor": 0.5},
            {"batches": (Batch("1", EFFECT), Batch("2", MEAN)), "samples": 40},
            {"scenes": SceneChoice(names=("a", "b"))},
        ],
    )
    def test_a_plan_comes_out_as_it_went_in(
        self, form: PlanForm, more: dict[str, object]
    ) -> None:
        wanted = plan(**more)
        form.families.show_pairs([EFFECT, MEAN])
        form.show_plan(wanted)
        assert form.plan() == wanted

    def test_typing_changes_the_plan(self, qtbot: QtBot, form: PlanForm) -> None:
        told: list[Plan] = []
        form.changed.connect(lambda: told.append(form.plan()))
        form.name.selectAll()
        qtbot.keyClicks(form.name, " pilot ")
        assert told[-1].name == "pilot"
        form.samples.selectAll()
        qtbot.keyClicks(form.samples, "12")
        qtbot.keyClick(form.samples, Qt.Key.Key_Return)
        assert told[-1].samples == 12

    def test_a_seed_is_digits_and_none_is_drawn(
        self, qtbot: QtBot, form: PlanForm
    ) -> None:
        assert form.plan().order_seed is None
        qtbot.keyClicks(form.seed, "-4x2")
        assert form.plan().order_seed == 42
        form.seed.clear()
        assert form.seed.placeholderText() == "drawn and stored"

    def test_no_ceiling_is_said_in_a_word(self, form: PlanForm) -> None:
        assert form.ceiling.text() == "none"
        assert form.plan().ceiling is None
        form.ceiling.setValue(3)
        assert form.ceiling.text() == "$3.00"

    def test_scenes_of_a_plan_that_the_study_lacks_are_still_shown(
        self, form: PlanForm
    ) -> None:
        choice = SceneChoice(sets=("main",), names=("x", "y"))
        form.show_plan(plan(scenes=choice))
        assert form.scenes.currentText() == "set main, x, … · 8"
        assert form.scene_count == 8
        assert form.plan().scenes == choice

    def test_another_study_keeps_the_choice_where_it_can(self, form: PlanForm) -> None:
        form.scenes.setCurrentIndex(1)
        form.show_study((Offer("main", SceneChoice(sets=("main",)), 2),), library())
        assert form.scene_count == 2
        form.show_study((), library())
        assert form.scene_count == 0
        assert form.plan().scenes == SceneChoice()

    def test_dropped_scenes_are_told(self, form: PlanForm) -> None:
        offer = Offer(
            "main",
            SceneChoice(sets=("main",)),
            1,
            left_out=(LeftOut("main", "s 4", "dropped by hand"),),
        )
        form.show_study((offer,), library())
        assert form.scenes.itemText(0) == "main · 1 (1 dropped)"
        tip = form.scenes.itemData(0, Qt.ItemDataRole.ToolTipRole)
        assert "s 4 (dropped by hand)" in tip

    def test_a_new_name_leaves_the_rest(self, form: PlanForm) -> None:
        form.families.show_pairs([EFFECT])
        form.show_plan(plan())
        form.rename("small again")
        assert form.plan() == plan(name="small again")

    def test_fields_line_up_in_every_size(self, form: PlanForm) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        try:
            for scale in (1.0, 2.0):
                theme.apply(app, "light", scale)
                form.retheme()
                form.resize(form.sizeHint())
                QApplication.processEvents()
                left = {
                    one.mapTo(form, QPoint(0, 0)).x()
                    for one in (form.name, form.scenes, form.samples)
                }
                assert len(left) == 1
                tops = [
                    one.mapTo(form, QPoint(0, 0)).y()
                    for one in (form.name, form.scenes, form.samples)
                ]
                assert all(b - a >= theme.px(20) for a, b in pairwise(tops))
        finally:
            theme.apply(app, "light", 1.0)


class TestLines:
    def test_the_same_lines_keep_the_selection(self, qtbot: QtBot) -> None:
        lines = Lines("Errors")
        qtbot.addWidget(lines)
        lines.show_lines(["one", "two"])
        lines.text.setSelection(0, 3)
        lines.show_lines(["one", "two"])
        assert lines.text.selectedText() == "one"
        lines.show_lines(["three"])
        assert lines.text.text() == "three"

    def test_nothing_is_an_empty_text(self, qtbot: QtBot) -> None:
        lines = Lines("Errors")
        qtbot.addWidget(lines)
        lines.show_lines([])
        assert lines.text.text() == ""
        assert lines.text.accessibleName() == "Errors"

"""What stands where the arms will be while a plan is composed."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from director_gui.prompts.library import library
from director_gui.runner.plan import Batch
from director_gui.study.plan_draft import PlanEstimate, plan_estimate
from director_gui.study.plan_file import Plan
from director_gui.ui.run.outlook import (
    Outlook,
    answer_lines,
    calls_text,
    condition_lines,
)
from tests.ui.run.runs_desk import RunDesk, plan

SCENES = 160
TWO = (Batch("1", ("move.plain", "move.count")), Batch("2", ("mean.plain",)))


def made(one: Plan) -> PlanEstimate:
    return plan_estimate(one, SCENES, library(), {})


def test_calls_are_a_product_that_is_right() -> None:
    one = plan(samples=5)
    assert calls_text(one, SCENES, made(one)) == (
        "2,400 = 160 scenes × 3 conditions × 5 samples × 1 model, shuffled together"
    )
    assert made(one).calls == 160 * 3 * 5


def test_calls_of_several_batches_name_no_product_of_conditions() -> None:
    two = plan(batches=TWO, samples=1)
    assert calls_text(two, 1, made(two)).endswith(
        "= 1 scene × 1 sample × 1 model, shuffled in 2 batches"
    )


def test_conditions_stand_by_batch_with_the_base_that_joins() -> None:
    one, two = plan(), plan(batches=TWO)
    assert condition_lines(one, made(one)) == [
        "move.plain, move.count; move.ask joins as the base"
    ]
    assert condition_lines(two, made(two)) == [
        "Batch 1: move.plain, move.count; move.ask joins as the base",
        "Batch 2: mean.plain; mean.ask joins as the base",
    ]
    whole = plan(batches=(Batch("1", ("move.ask", "move.plain")),))
    assert condition_lines(whole, made(whole)) == ["move.ask, move.plain"]


def test_two_bases_join_in_the_plural() -> None:
    both = plan(batches=(Batch("1", ("move.plain", "mean.plain")),))
    (line,) = condition_lines(both, made(both))
    assert line.endswith("move.ask and mean.ask join as the bases")


def test_answers_name_the_family_or_say_that_there_is_none() -> None:
    one = plan()
    assert answer_lines(one, made(one).pairs) == [
        "move: ask − plain · family effect",
        "move: count − plain · not declared",
    ]
    assert answer_lines(one, ()) == ["No declared pair: add the other condition of one"]


def test_many_pairs_are_told_in_part() -> None:
    lines = answer_lines(plan(), library().pairs)
    assert len(lines) == 9
    assert lines[-1] == f"and {len(library().pairs) - 8} more pairs"


@pytest.mark.gui
def test_what_is_missing_takes_the_place_of_the_plan(qtbot: QtBot) -> None:
    outlook = Outlook()
    qtbot.addWidget(outlook)
    outlook.resize(900, 700)
    outlook.show()
    one = plan()
    outlook.show_plan(one, SCENES, made(one))
    assert "What this plan will do" in outlook.text
    assert "Free" not in outlook.text.split("\n")[0]
    heads = {"Calls", "Conditions", "Takes", "Answers"}
    assert heads <= _seen(outlook)
    outlook.show_missing("Choose at least one model")
    assert outlook.text == "Choose at least one model"
    assert not heads & _seen(outlook)
    assert {"Steps", "1", "2", "3"} <= _seen(outlook)


@pytest.mark.gui
@pytest.mark.parametrize("width", [420, 560, 900, 1600])
def test_no_line_is_cut(qtbot: QtBot, width: int) -> None:
    outlook = Outlook()
    qtbot.addWidget(outlook)
    outlook.resize(width, 700)
    outlook.show()
    qtbot.waitExposed(outlook)
    all_of_them = tuple(c.name for c in library().conditions)
    # From few lines to many and back: heights of earlier texts must not stay.
    for batches in (plan().batches, (Batch("1", all_of_them),), TWO):
        one = plan(batches=batches)
        outlook.show_plan(one, SCENES, made(one))
        qtbot.wait(20)
        for line in outlook.findChildren(QLabel):
            if line.isVisible():
                need = line.heightForWidth(line.width())
                assert need <= line.height() <= need + 2, line.text()


@pytest.mark.gui
def test_it_follows_what_is_composed(desk: RunDesk) -> None:
    compose = desk.workspace.compose
    compose.show_plan(plan())
    assert "12 = 2 scenes × 3 conditions × 2 samples × 1 model" in compose.outlook.text
    compose.form.samples.setValue(5)
    assert "30 = 2 scenes" in compose.outlook.text
    desk.tick(compose.form.models)
    assert compose.outlook.text == "Choose at least one model"


def _seen(outlook: Outlook) -> set[str]:
    return {found.text() for found in outlook.findChildren(QLabel) if found.isVisible()}

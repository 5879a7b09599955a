"""A study's own conditions in the probe: offered, counted, sent, compared."""

import pytest

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.prompts.pieces import Piece, own_variants
from director_gui.scene.example import example_scene
from director_gui.store.prompts import OwnPrompts
from director_gui.study.probing import estimate
from director_gui.study.prompt_library import (
    condition_row,
    keep,
    merged,
    put_condition,
    put_piece,
)
from director_gui.ui.copying import CopyButton
from tests.probe_runs import PRACTICE
from tests.study.test_prompt_library import changed, full
from tests.ui.probe.desk import Desk

pytestmark = pytest.mark.gui
SCENE = example_scene()
TRUTH = truth_of(SCENE)


def only_smallest() -> OwnPrompts:
    """A condition whose request has no words for the largest block."""
    text = own_variants("r", {"smallest": "Move the tiny one.\n"})
    own = put_piece(OwnPrompts(), Piece("r", "request", text))
    return put_condition(own, condition_row("tiny", changed(request="r")))


def give(desk: Desk, own: OwnPrompts) -> None:
    desk.session.create(desk.folder / "own.study")
    keep(desk.session.study, own)


def test_an_estimate_counts_own_conditions_and_pairs() -> None:
    names = ["move.ask.2", "move.plain"]
    made = estimate(SCENE, TRUTH, names, [PRACTICE], 1, known=merged(full()))
    assert made.pairs == (
        ("move.ask", "move.plain"),
        ("move.ask.2", "move.plain"),
        ("move.ask.2", "move.ask"),
    )
    with pytest.raises(UserError, match="no such condition"):
        estimate(SCENE, TRUTH, names, [PRACTICE], 1)


def test_own_conditions_are_offered_once_the_drawer_opens(desk: Desk) -> None:
    give(desk, full())
    desk.open()
    assert "move.ask.2" in desk.drawer.compose.grid.boxes
    box = desk.drawer.messages.condition
    assert box.findText("big") >= 0
    box.setCurrentText("move.ask.2")
    assert "What is seen?" in desk.drawer.messages.text.toPlainText()
    partners = desk.drawer.messages.partner
    assert {partners.itemText(at) for at in range(partners.count())} == {
        "move.plain",
        "move.ask",
    }


def test_prompts_that_were_written_meanwhile_show_and_choices_stay(
    desk: Desk,
) -> None:
    give(desk, OwnPrompts())
    desk.open()
    desk.choose("move.count", "move.knows")
    desk.drawer.hide()
    keep(desk.session.study, full())
    desk.drawer.show()
    grid = desk.drawer.compose.grid
    assert "big" in grid.boxes
    assert grid.chosen() == ("move.count", "move.knows")


def test_another_study_takes_them_away(desk: Desk) -> None:
    give(desk, full())
    desk.open()
    desk.choose("move.ask.2", "move.plain")
    desk.session.create(desk.folder / "other.study")
    grid = desk.drawer.compose.grid
    assert set(grid.boxes) == {c.name for c in library().conditions}
    assert grid.chosen() == ("move.plain",)


def test_an_own_pair_is_sent_and_compared(desk: Desk) -> None:
    give(desk, full())
    desk.open()
    desk.choose("move.ask.2", "move.plain")
    desk.choose_models(PRACTICE.name)
    assert "ask.2 − plain" in desk.drawer.compose.answers.text()
    desk.probe()
    live = desk.drawer.replies.live
    assert live is not None
    pairs = {(pair.test, pair.reference) for pair in live.pairs()}
    assert ("move.ask.2", "move.plain") in pairs
    assert {row.reply.call.condition for row in live.rows} == {
        "move.ask.2",
        "move.ask",
        "move.plain",
    }


def test_a_request_without_words_for_the_scene_is_held_back(desk: Desk) -> None:
    give(desk, only_smallest())
    desk.open()
    desk.choose("tiny")
    desk.choose_models(PRACTICE.name)
    assert "no text for “the largest block”" in desk.drawer.compose.cost.text()
    assert not desk.drawer.compose.send.isEnabled()
    messages = desk.drawer.messages
    messages.condition.setCurrentText("tiny")
    assert "no text for" in messages.summary.text()
    desk.press(messages, "Copy exact text")
    copy = messages.findChild(CopyButton)
    assert copy is not None
    assert copy.text() == "Copy exact text"  # nothing was copied, nothing is said
    desk.choose("move.plain")
    assert desk.drawer.compose.send.isEnabled()


def test_prompts_at_odds_with_the_programs_are_told(desk: Desk) -> None:
    give(desk, full())
    with desk.session.study.write() as db:
        db.execute("UPDATE own_pieces SET name = 'see' WHERE name = 'see.2'")
    desk.open()
    assert "taken" in str(desk.refused[0])
    assert set(desk.drawer.compose.grid.boxes) == {c.name for c in library().conditions}

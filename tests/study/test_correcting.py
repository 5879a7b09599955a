"""Scores that a person gives, against the rules' own score of the same words."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.scene.example import example_scene
from director_gui.scoring.score import score_reply
from director_gui.store.corrections import add_correction, current_corrections
from director_gui.store.database import Study
from director_gui.study.correcting import (
    automatic,
    corrected,
    correction_text,
    digits_in,
    undone,
)
from director_gui.study.practice import Practice
from director_gui.study.scored import scored_replies
from tests.plan_studies import study_with_set
from tests.probe_runs import answered, stored

SCENE = example_scene()
TRUTH = truth_of(SCENE)
SHOWN = (SCENE, TRUTH)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


@given(
    choice=st.integers(0, 9),
    visible=st.lists(st.integers(0, 9), max_size=5).map(tuple),
)
def test_a_person_who_reads_the_same_scores_the_same(
    choice: int, visible: tuple[int, ...]
) -> None:
    words = f'{{"visible": {list(visible)}, "choice": {choice}}}'
    rules = score_reply(
        words,
        keys=("visible", "choice"),
        finish_reason="stop",
        digits=SCENE.digits,
        hidden=TRUTH.key.hidden,
        sees=TRUTH.sees["director"],
    )
    assert corrected(SHOWN, choice, visible) == rules.value()


def test_no_choice_is_no_answer() -> None:
    score = corrected(SHOWN, None, (1,))
    assert score["status"] == "unparsed"
    assert score["visible"] is None


def test_a_report_that_nobody_asked_for_is_refused() -> None:
    with pytest.raises(UserError, match="asks for no report"):
        corrected(SHOWN, 5, (5, 8), report_asked=False)
    with pytest.raises(UserError, match="asks for no report"):
        corrected(SHOWN, 5, (), report_asked=False)
    score = corrected(SHOWN, 5, None, report_asked=False)
    assert (score["choice"], score["report_correct"]) == (5, None)


def test_a_correction_stands_until_it_is_taken_back(study: Study) -> None:
    with Practice() as practice:
        run = answered(study, practice, samples=1)
    item = scored_replies(study, run.id)[0]
    assert undone(item)
    call = item.reply.call.id
    given_score = corrected(SHOWN, None, None)
    add_correction(study, call, given_score, actor="a", reason="it only muses")
    again = scored_replies(study, run.id)[0]
    assert not undone(again)
    assert again.score == item.score  # the automatic score never changes
    told = correction_text(current_corrections(study, run.id)[call])
    assert told.startswith("Corrected by hand: no answer. “it only muses” (a, ")
    add_correction(study, call, automatic(item), actor="a", reason="it was right")
    assert undone(scored_replies(study, run.id)[0])


def test_a_report_is_told_with_the_choice(study: Study) -> None:
    with Practice() as practice:
        run = answered(study, practice, samples=1)
    call = scored_replies(study, run.id)[0].reply.call.id
    add_correction(study, call, corrected(SHOWN, 1, (5, 1)), actor="a", reason="r")
    told = correction_text(current_corrections(study, run.id)[call])
    assert "chooses 1, reports 1, 5." in told


def test_an_open_call_has_no_score_to_go_back_to(study: Study) -> None:
    with Practice() as practice:
        run = stored(study, practice)
    with pytest.raises(UserError, match="no reply yet"):
        automatic(scored_replies(study, run.id)[0])


@pytest.mark.parametrize(
    ("text", "digits"),
    [("", None), (" ", None), ("1, 5", (1, 5)), ("8", (8,)), ("3 3,1", (3, 3, 1))],
)
def test_digits_are_read_as_they_are_typed(
    text: str, digits: tuple[int, ...] | None
) -> None:
    assert digits_in(text) == digits


@pytest.mark.parametrize("text", ["a", "1; 2", "-1", "1.5", "²"])
def test_other_words_are_refused(text: str) -> None:
    with pytest.raises(UserError, match="like 1, 5"):
        digits_in(text)

"""A study's own conditions and pairs count like the program's: from plan to report."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.prompts.pairing import PairRefusedError
from director_gui.prompts.pieces import FixedText, Piece
from director_gui.runner.plan import Batch
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Call, Outcome
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study, create_study
from director_gui.store.prompts import OwnPrompts
from director_gui.store.runs import Run, calls_of
from director_gui.store.scenes import add_scene
from director_gui.study.analysis import arm_counts, pair_results
from director_gui.study.asking import prompts_for, without_refused
from director_gui.study.plan_file import Plan, SceneChoice
from director_gui.study.plan_forecast import forecast
from director_gui.study.plan_result import plan_result
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.practice import Practice
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    keep,
    merged,
    put_condition,
    put_piece,
    slots_of,
    study_library,
)
from director_gui.study.report.facts import facts_of
from director_gui.study.report.page import page
from director_gui.study.report.value import report_value
from director_gui.study.run_view import read_run
from director_gui.study.scored import scored_replies
from tests.probe_runs import FlatRenderer
from tests.study.report.test_markup import read

NAME = "move.look"
WORDS = 'Which blocks can the director look at? List them as "visible".'
SEE = Piece("look", "report", FixedText(f"{WORDS}\n".encode()), "visible")
OWN_PAIR = (NAME, "move.plain")
LOCAL = Profile(
    name="local",
    base_url="http://127.0.0.1:1/v1",
    model="m",
    input_price=1.0,
    output_price=10.0,
)
PLAN = Plan(
    name="own",
    batches=(Batch("1", (NAME, "move.plain")),),
    profiles=(LOCAL,),
    scenes=SceneChoice(names=("example",)),
    samples=2,
)


def own_prompts() -> OwnPrompts:
    """A question of the study's own, the condition that asks it, and its pair."""
    slots = slots_of(library().condition("move.ask")) | {"report": SEE.name}
    own = put_piece(OwnPrompts(), SEE)
    own = put_condition(own, condition_row(NAME, slots, 1, "move.ask"))
    return declare(own, *OWN_PAIR, "wording")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        keep(made, own_prompts())
        scene = example_scene()
        add_scene(made, scene.name, canonical_bytes(scene))
        yield made


@pytest.fixture
def run(study: Study) -> Run:
    with Practice() as practice:
        return make_plan_run(study, PLAN, practice, renderer=FlatRenderer())


def replied(call: Call) -> Attempt:
    """An answer to a call: the own question makes every choice the hidden block."""
    choice = 3 if call.condition == NAME else 5
    return Attempt(
        call=call.id,
        turn=1,
        turns=1,
        number=1,
        outcome=Outcome.REPLY,
        started="t",
        latency=0.0,
        request_hash="h",
        text=f'{{"visible": [5, 8], "choice": {choice}}}',
        finish_reason="stop",
    )


def answer(study: Study, run: Run) -> None:
    """Answer every call of a run."""
    add_attempts(study, [replied(call) for call in calls_of(study, run.id)])


def test_a_forecast_counts_own_conditions_and_says_their_pairs(
    study: Study, run: Run
) -> None:
    found = forecast(study, run, {LOCAL.name: LOCAL})
    assert (found.calls, found.open) == (6, 6)  # own, plain and the base that joined
    assert set(found.pairs) == {OWN_PAIR, ("move.ask", "move.plain")}


def test_counts_and_results_hold_own_conditions_in_their_order(
    study: Study, run: Run
) -> None:
    answer(study, run)
    known = study_library(study)
    scored = scored_replies(study, run.id)
    names = [arm.condition for arm in arm_counts(scored, known)]
    assert names == ["move.ask", "move.plain", NAME]
    (own,) = (r for r in pair_results(scored, known) if r.test == NAME)
    assert own.comparison.estimate == 1.0
    interim = read_run(study, run.id).interim()
    assert OWN_PAIR in {(found.test, found.reference) for found in interim}
    assert plan_result(study, run, {LOCAL.name: LOCAL})["counts"]["answered"] == 6


def test_own_conditions_come_after_the_programs_only_by_the_library(
    study: Study, run: Run
) -> None:
    answer(study, run)
    scored = scored_replies(study, run.id)
    # Unknown ones sort by name at the end; known ones as the library lists them.
    order = [arm.condition for arm in arm_counts(scored, merged(own_prompts()))]
    assert order == [arm.condition for arm in arm_counts(scored)]
    assert not [r for r in pair_results(scored) if NAME in (r.test, r.reference)]


def test_a_report_shows_proves_and_compares_an_own_pair(study: Study, run: Run) -> None:
    answer(study, run)
    facts = facts_of(study, run.id)
    assert OWN_PAIR in {(pair.first, pair.second) for pair in facts.pairs}
    (result,) = (r for r in facts.results if r.test == NAME)
    assert (result.reference, result.comparison.estimate) == ("move.plain", 1.0)
    (asked,) = (a for a in facts.asked if a.condition.name == NAME)
    assert asked.prompt is not None  # its own piece can be shown lit
    compared = report_value(facts)["comparisons"]
    assert NAME in {value["test"] for value in compared}
    said = read(page(facts)).text
    assert WORDS in said
    assert said.count(NAME) >= 3


def test_a_pair_declared_afterwards_that_is_none_is_not_compared(
    study: Study, run: Run
) -> None:
    answer(study, run)
    # Made when both were strangers: no proof refused them then.
    pair = (NAME, "move.ask")
    keep(study, declare(own_prompts(), *pair))
    assert pair in {(p.first, p.second) for p in facts_of(study, run.id).pairs}
    slots = slots_of(library().condition("move.plain")) | {"constraint": "knowledge"}
    own = put_condition(own_prompts(), condition_row("move.far", slots))
    broken = (NAME, "move.far")
    keep(study, declare(own, *broken))
    plan = replace(PLAN, name="two", batches=(Batch("1", broken),))
    with pytest.raises(PairRefusedError), Practice() as practice:
        make_plan_run(study, plan, practice, renderer=FlatRenderer())
    keep(study, own)
    with Practice() as practice:
        later = make_plan_run(study, plan, practice, renderer=FlatRenderer())
    answer(study, later)
    keep(study, declare(own, *broken))
    facts = facts_of(study, later.id)
    assert broken not in {(p.first, p.second) for p in facts.pairs}
    assert broken not in {(r.test, r.reference) for r in facts.results}
    assert {arm.condition for arm in facts.arms} == {*broken, "move.ask"}


def test_only_what_is_refused_leaves_the_pairs() -> None:
    known = merged(own_prompts())
    scene = example_scene()
    prompts = prompts_for(scene, truth_of(scene), OWN_PAIR, known)
    assert without_refused(prompts, known) == known
    # Of conditions that were not asked nothing can be proved, and nothing is refused.
    assert without_refused({}, known) == known

"""A run of every condition, two-turn ones too: all can be reported."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from director_gui.prompts.library import library
from director_gui.runner.records import Outcome
from director_gui.scene.example import example_scene
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study, create_study
from director_gui.store.runs import Run, calls_of, planned_call
from director_gui.study.practice import Practice
from director_gui.study.report.facts import Facts, facts_of
from director_gui.study.report.page import page
from director_gui.study.report.value import report_value
from director_gui.study.running import Draft, make_run
from tests.study.report.test_hostile_study import PROFILE, Painted, attempt
from tests.study.report.test_markup import read

NAMES = tuple(condition.name for condition in library().conditions)
TURN_1, REPLY = (
    '{"visible": [5, 8], "count": 3}',
    ('{"visible": [5, 8], "known": [5, 8], "count": 3, "choice": 3}'),
)


def run_of(study: Study) -> Run:
    draft = Draft("plan", "all", (example_scene(),), NAMES, (PROFILE,), 1, seed=1)
    with Practice() as practice:
        run = make_run(study, draft, Painted(), practice)  # type: ignore[arg-type]
    for call in calls_of(study, run.id):
        turns = len(planned_call(study, call.id).turns)
        done = replace(attempt(call.id, 0), turn=turns, turns=turns, text=REPLY)
        if turns > 1:
            first = replace(done, turn=1, text=TURN_1, outcome=Outcome.REPLY)
            add_attempts(study, [first])
        add_attempts(study, [done])
    return run


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Facts]:
    path = tmp_path_factory.mktemp("all") / "all.study"
    with create_study(path, "all") as study:
        yield facts_of(study, run_of(study).id)


def test_every_declared_pair_is_proved_and_compared(facts: Facts) -> None:
    declared = set(library().pairs)
    assert {(pair.first, pair.second) for pair in facts.pairs} == declared
    assert {(r.test, r.reference) for r in facts.results} == declared
    assert len(report_value(facts)["comparisons"]) == len(declared)


def test_every_message_is_shown_turn_by_turn(facts: Facts) -> None:
    said = read(page(facts)).text.replace("(no question here)\n", "")
    assert len(facts.asked) == len(NAMES)
    two = [asked for asked in facts.asked if len(asked.turns) == 2]
    assert {asked.condition.name for asked in two} == {
        "move.first_turn", "move.first_turn_count",
    }  # fmt: skip
    for asked in facts.asked:
        assert asked.prompt is not None
        for turn in asked.turns:
            assert turn in said


def test_only_conditions_that_ask_for_a_report_have_an_accuracy(facts: Facts) -> None:
    keys = {c.name: {k for turn in c.keys for k in turn} for c in library().conditions}
    for arm in facts.arms:
        assert arm.answered == 1
        assert arm.hidden.share == 1.0
        assert (arm.accuracy is not None) is ("visible" in keys[arm.condition])


def test_the_page_holds_a_row_for_every_condition(facts: Facts) -> None:
    said = read(page(facts)).text
    for name in NAMES:
        assert said.count(name) >= 3  # rates, choices, prompts


def test_what_the_second_turn_shares_is_not_lit(facts: Facts) -> None:
    asked = next(a for a in facts.asked if a.condition.name == "move.first_turn")
    pair = next(p for p in facts.pairs if p.first == "move.first_turn")
    assert [part.slot for part in pair.span.a] == ["report", "reply_format"]
    only = replace(facts, asked=(asked,), pairs=(pair,))
    lit = re.findall(r"<pre>.*?</pre>", page(only), re.DOTALL)[:2]
    assert [turn.count('class="lit"') for turn in lit] == [2, 0]

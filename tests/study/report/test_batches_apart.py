"""A run in two batches: the report keeps them apart, as every table does."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.runner.keys import Keys
from director_gui.runner.plan import Batch
from director_gui.runner.service import RunService
from director_gui.stats.display import points_text
from director_gui.store.database import Study
from director_gui.study.plan_file import Plan, SceneChoice
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.plan_sending import ready, send
from director_gui.study.practice import Practice
from director_gui.study.report.facts import Facts, facts_of
from director_gui.study.report.rates import section
from director_gui.study.report.value import report_value
from director_gui.study.results.reading import ReplyCache
from director_gui.study.results.view import Found, Question, answer
from tests.made_runs import FAST
from tests.plan_studies import study_with_set
from tests.probe_runs import PRACTICE

PLAN = Plan(
    name="two batches",
    batches=(Batch("1", ("move.plain",)), Batch("2", ("move.count",))),
    profiles=(PRACTICE,),
    scenes=SceneChoice(sets=("main",)),
    samples=3,
    order_seed=1,
    families=(),
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


@pytest.fixture
def both(study: Study) -> tuple[Facts, Found]:
    with Practice() as reader, RunService() as service:
        run = make_plan_run(study, PLAN, reader)
        handle = send(service, study, ready(study, PLAN, run, reader), Keys(),
                      policy=FAST)  # fmt: skip
        assert handle.wait(60)
    found = answer(study, ReplyCache(study), Question(run=run.id))
    assert found is not None
    return facts_of(study, run.id), found


def test_the_base_has_a_rate_in_each_batch(both: tuple[Facts, Found]) -> None:
    facts, found = both
    rows = {(r.cells[1].text, r.cells[2].text): r for r in found.sheets["rates"].rows}
    assert {arm.condition for arm in facts.arms if arm.batch == "2"} == {
        "move.ask",
        "move.count",
    }
    assert len(facts.arms) == len(rows) == 4
    html = str(section(facts))
    for arm in facts.arms:
        row = rows[arm.condition, arm.batch]
        assert arm.hidden.share == row.cells[5].value
        assert sum(arm.statuses.values()) == row.cells[3].value
        assert facts.arm_name(arm) == f"{arm.condition} (batch {arm.batch})"
        assert facts.arm_name(arm) in html
        assert points_text(arm.hidden.share) in html


def test_each_difference_is_one_of_the_rates_beside_it(
    both: tuple[Facts, Found],
) -> None:
    facts, _ = both
    listed = report_value(facts)["comparisons"]
    # In batch 2 the base has no partner that it is declared against.
    assert [one["test"] for one in listed] == ["move.ask"]
    for one in listed:
        shares = one["shares"]
        gap = shares[one["test"]]["share"] - shares[one["reference"]]["share"]
        assert gap == pytest.approx(one["estimate"], abs=1e-12)

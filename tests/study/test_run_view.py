"""A run in memory: what events make of it, against what the study holds."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.prompts.library import library
from director_gui.runner.engine_values import (
    AttemptStored,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.keys import Keys
from director_gui.runner.plan import Batch
from director_gui.runner.records import Attempt, Call, Outcome, Usage, now_utc
from director_gui.runner.service import RunService
from director_gui.store.attempts import add_attempts, attempts_of
from director_gui.store.corrections import add_correction, corrections_of
from director_gui.store.database import Study
from director_gui.store.runs import Run, calls_of
from director_gui.study.analysis import arm_counts, pair_results
from director_gui.study.correcting import automatic, corrected
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.plan_sending import ready, send
from director_gui.study.practice import Practice
from director_gui.study.results.comparing import compared
from director_gui.study.results.reading import ReplyCache
from director_gui.study.run_arms import (
    ENDINGS,
    LEAST_ENDED,
    ArmView,
    Drift,
    Pace,
    imbalance,
)
from director_gui.study.run_view import RunView, arm_replies, read_run
from director_gui.study.scored import scored_replies
from tests.made_runs import FAST
from tests.plan_studies import study_with_set
from tests.probe_runs import PRACTICE

EFFECT = (("move.ask", "move.plain"),)
PLAN = Plan(
    name="small",
    batches=(Batch("1", ("move.plain",)), Batch("2", ("move.count",))),
    profiles=(PRACTICE,),
    scenes=SceneChoice(sets=("main",)),
    samples=3,
    order_seed=1,
    families=(DeclaredFamily("effect", EFFECT),),
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


@pytest.fixture
def practice() -> Iterator[Practice]:
    with Practice() as reader:
        yield reader


@pytest.fixture
def planned(study: Study, practice: Practice) -> Run:
    return make_plan_run(study, PLAN, practice)


@pytest.fixture
def live(study: Study, practice: Practice, planned: Run) -> RunView:
    """A view that saw every event of the run, and nothing else."""
    view = read_run(study, planned.id)
    with RunService() as service:
        sending = ready(study, PLAN, planned, practice)
        handle = send(service, study, sending, Keys(), policy=FAST)
        assert handle.wait(60)
        view.fold(handle.poll(10**6))
    return view


def attempt(call: Call, **more: object) -> Attempt:
    values: dict[str, object] = {
        "turn": 1,
        "turns": 1,
        "number": 1,
        "outcome": Outcome.REPLY,
        "started": now_utc(),
        "latency": 0.5,
        "request_hash": "h",
        "text": '{"choice": 1}',
        "finish_reason": "stop",
        "usage": Usage(100, 10),
        "cost": 0.25,
    }
    return Attempt(call=call.id, **(values | more))  # type: ignore[arg-type] # values of every type


def stored(call: Call, **more: object) -> AttemptStored:
    return AttemptStored(call, attempt(call, **more))


def test_events_and_the_study_come_to_the_same(
    study: Study, planned: Run, live: RunView
) -> None:
    read = read_run(study, planned.id)
    assert live.open == read.open == 0
    assert live.arms() == read.arms()
    assert live.tokens == read.tokens
    assert live.cost == read.cost
    assert live.errors() == read.errors()


def test_arms_count_as_the_analysis_counts(
    study: Study, planned: Run, live: RunView
) -> None:
    for batch in ("1", "2"):
        scored = [
            item
            for item in scored_replies(study, planned.id)
            if item.reply.call.batch == batch
        ]
        mine = {arm.condition: arm for arm in live.arms() if arm.batch == batch}
        theirs = {arm.condition: arm for arm in arm_counts(scored)}
        assert set(mine) == set(theirs)
        for name, arm in mine.items():
            assert arm.statuses == theirs[name].statuses
            assert arm.hidden == (theirs[name].hidden.k, theirs[name].hidden.n)


def test_interim_differences_are_those_of_the_analysis(
    study: Study, planned: Run, live: RunView
) -> None:
    (found,) = live.interim()
    scored = [
        item
        for item in scored_replies(study, planned.id)
        if item.reply.call.batch == "1"
    ]
    right = next(p for p in pair_results(scored) if p.test == "move.ask")
    assert (found.test, found.reference) == EFFECT[0]
    assert found.comparison == right.comparison
    assert found.adjusted is None  # looking early is not corrected for


def test_a_pair_in_two_batches_is_named_with_each(
    study: Study, practice: Practice
) -> None:
    both = tuple(Batch(name, ("move.plain",)) for name in ("1", "2"))
    run = make_plan_run(study, replace(PLAN, batches=both), practice)
    names = [pair.model for pair in read_run(study, run.id).interim()]
    assert names == [f"{PRACTICE.name}, batch {name}" for name in ("1", "2")]


def test_without_families_the_declared_pairs_are_compared(
    study: Study, practice: Practice
) -> None:
    run = make_plan_run(study, replace(PLAN, families=()), practice)
    assert read_run(study, run.id).pairs == library().pairs


def test_the_base_is_in_every_batch_and_its_drift_is_told(live: RunView) -> None:
    (drift,) = live.drifts()
    assert drift.condition == "move.ask"
    assert [name for name, _, _ in drift.rates] == ["1", "2"]
    assert {arm.batch for arm in live.arms() if arm.base} == {"1", "2"}


def test_drift_is_the_largest_gap_between_batches() -> None:
    rates = (("1", 1, 10), ("2", 3, 10), ("3", 0, 0), ("4", 2, 10))
    assert Drift("m", "move.ask", rates).points == pytest.approx(20.0)
    assert Drift("m", "move.ask", rates[:1]).points is None


def test_costs_tokens_and_errors_add_up(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    first, second = calls_of(study, planned.id)[:2]
    again = {
        "outcome": Outcome.RETRY,
        "error_kind": "server",
        "text": "",
        "cost": None,
        "usage": Usage(),
    }
    view.fold([stored(first, **again), stored(first, number=2), stored(second)])
    assert view.cost == pytest.approx(0.5)
    assert view.tokens == (200, 20)
    (error,) = view.errors()
    assert (error.model, error.kind, error.count) == (PRACTICE.name, "server", 1)
    assert view.open == len(calls_of(study, planned.id)) - 2


def test_an_unknown_price_makes_the_cost_unknown(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    first, second = calls_of(study, planned.id)[:2]
    view.fold([stored(first)])
    assert view.cost is not None
    view.fold([stored(second, cost=None)])
    assert view.cost is None


def test_tries_of_an_earlier_session_are_remembered(study: Study, planned: Run) -> None:
    call = calls_of(study, planned.id)[0]
    tried = attempt(call, outcome=Outcome.RETRY, error_kind="timeout", text="")
    add_attempts(study, [tried])
    view = read_run(study, planned.id)
    (moved,) = view.fold([stored(call, number=2)])
    assert moved.reply.attempts == 2
    assert [(error.kind, error.count) for error in view.errors()] == [("timeout", 1)]


def test_every_status_is_counted_apart(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    calls = calls_of(study, planned.id)
    endings: tuple[dict[str, object], ...] = (
        {},
        {"text": "no answer here"},
        {"text": ""},
        {"text": "", "finish_reason": "length"},
        {"finish_reason": "content_filter"},
        {
            "outcome": Outcome.FAILED,
            "error_kind": "rejected",
            "text": "",
            "finish_reason": None,
        },
    )
    view.fold([stored(call, **end) for call, end in zip(calls, endings, strict=False)])
    totals = Counter[str]()
    for arm in view.arms():
        totals.update(arm.statuses)
        assert arm.ended + arm.statuses["open"] == arm.calls
    named = "answered", "unparsed", "empty", "truncated", "filtered", "failed"
    assert [totals[name] for name in named] == [1] * 6
    assert totals["open"] == len(calls) - 6


def test_trouble_is_told_until_a_reply_comes(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    call = calls_of(study, planned.id)[0]
    busy = {"outcome": Outcome.RETRY, "error_kind": "rate_limit", "text": ""}
    view.fold([stored(call, **busy)])
    assert "tried again by itself" in view.trouble[PRACTICE.name].what
    view.fold([GateClosed(PRACTICE.name, 7.0)])
    assert "wait 7 s" in view.trouble[PRACTICE.name].what
    view.fold([stored(call, number=2)])
    assert not view.trouble
    view.fold([ProfileStopped(PRACTICE.name, "no credit")])
    assert view.trouble[PRACTICE.name].what == "no credit"


def test_why_a_model_stopped_outlasts_its_session(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    stopped = ProfileStopped(PRACTICE.name, "the cost ceiling is reached")
    # A wait that is over must not hide why nothing is sent any more.
    view.fold([GateClosed(PRACTICE.name, 7.0), stopped, RunEnded(0, 0, 5)])
    assert view.trouble[PRACTICE.name].what == "the cost ceiling is reached"
    view = read_run(study, planned.id)
    view.fold([GateClosed(PRACTICE.name, 7.0), RunEnded(0, 0, 5)])
    assert not view.trouble  # nobody waits any more
    call = calls_of(study, planned.id)[0]
    no_key = {"outcome": Outcome.RETRY, "error_kind": "auth", "text": ""}
    view.fold([stored(call, **no_key), stopped, RunEnded(0, 0, 5)])
    assert "ceiling" not in view.trouble[PRACTICE.name].what  # the cause, not the end


def test_what_was_in_flight_hides_no_reason_to_stop(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    one, two, three, *_ = calls_of(study, planned.id)
    late = {"outcome": Outcome.RETRY, "error_kind": "connection", "text": ""}
    stopped = ProfileStopped(PRACTICE.name, "10 calls in a row failed")
    waits = GateClosed(PRACTICE.name, 7.0)
    view.fold([stopped, stored(one, **late), stored(two), waits])
    assert view.trouble[PRACTICE.name].what == "10 calls in a row failed"
    assert sum(error.count for error in view.errors()) == 1
    view.fold([RunEnded(1, 0, 5)])
    assert view.trouble[PRACTICE.name].what == "10 calls in a row failed"
    # The next session begins anew: there a reply shows that it works again.
    view.fold([stored(three)])
    assert not view.trouble


def paused(view: RunView) -> str | None:
    return view.paused


def test_a_pause_has_a_reason_and_an_end(study: Study, planned: Run) -> None:
    view = read_run(study, planned.id)
    view.fold([RunPaused("the disk is full")])
    assert paused(view) == "the disk is full"
    view.fold([RunResumed()])
    assert paused(view) is None
    view.fold([RunPaused(""), RunEnded(0, 0, 5, error="a bug")])
    assert paused(view) is None
    assert [str(error) for error in view.trouble.values()] == [
        "sending ended (a bug). Resume the run"
    ]


def test_an_arm_is_read_by_scene_with_its_corrections(
    study: Study, planned: Run, live: RunView
) -> None:
    key = live.arms()[0].key
    found = arm_replies(study, live, key)
    assert len(found) == live.arms()[0].calls
    names = [live.shown[item.reply.call.scene][0].name for item in found]
    assert names == sorted(names)
    call = found[0].reply.call
    assert found[0].reply.text == attempts_of(study, call.id)[-1].text
    add_correction(study, call.id, {"choice": 1}, actor="a", reason="misread")
    again = arm_replies(study, live, key)[0]
    assert again.correction is not None
    assert again.correction.reason == "misread"
    assert again.score == found[0].score
    assert read_run(study, planned.id).corrected == 1


def rates(view: RunView) -> list[tuple[object, ...]]:
    return [(arm.key, arm.statuses, arm.hidden, arm.right) for arm in view.arms()]


def test_a_correction_is_laid_over_the_counts(
    study: Study, planned: Run, live: RunView
) -> None:
    before = rates(live)
    item = next(
        one
        for one in scored_replies(study, planned.id)
        if one.score is not None
        and one.score.hidden_choice is False
        and live.asks_report(one)
    )
    call = item.reply.call
    scene, truth = live.shown[call.scene]
    values = [
        corrected((scene, truth), truth.key.hidden, None),
        corrected((scene, truth), None, None),
        automatic(item),
    ]
    moved = []
    for value in values:
        add_correction(study, call.id, value, actor="a", reason="read it")
        live.correct(item, corrections_of(study, call.id)[-1])
        # What was moved in memory is what the study tells anew.
        read = read_run(study, planned.id)
        assert rates(live) == rates(read)
        assert live.corrected == read.corrected
        assert live.interim() == read.interim()
        moved.append((live.corrected, _arm(live, call).hidden))
    k, n = {key: hidden for key, _, hidden, _ in before}[_key(call)]
    assert moved == [(1, (k + 1, n)), (1, (k, n - 1)), (0, (k, n))]
    assert rates(live) == before


def test_interim_differences_count_corrections_as_the_results_do(
    study: Study, planned: Run, live: RunView
) -> None:
    for item in scored_replies(study, planned.id)[::3]:
        call = item.reply.call
        shown = live.shown[call.scene]
        value = corrected(shown, shown[1].key.hidden, None)
        add_correction(study, call.id, value, actor="a", reason="read it")
    columns = ReplyCache(study).columns(planned.id)
    read = read_run(study, planned.id)
    assert read.corrected == columns.corrected > 0
    right = {(one.test, one.reference): one.found for one in compared(columns, EFFECT)}
    (found,) = read.interim()
    assert found.comparison == right[found.test, found.reference]
    assert found.comparison != live.interim()[0].comparison


def _key(call: Call) -> tuple[str, str, str]:
    return call.profile, call.condition, call.batch


def _arm(view: RunView, call: Call) -> ArmView:
    return next(arm for arm in view.arms() if arm.key == _key(call))


def test_no_run_of_this_name_is_told(study: Study) -> None:
    with pytest.raises(UserError, match="no such run"):
        read_run(study, "nothing")


# Imbalance ------------------------------------------------------------------------


def arm(answered: int, condition: str = "a", **others: int) -> ArmView:
    statuses = dict.fromkeys(ENDINGS, 0) | {"answered": answered} | others
    return ArmView(
        model="m",
        condition=condition,
        batch="1",
        base=False,
        statuses=statuses,
        hidden=(0, answered),
        right=(0, 0),
        tokens=(0, 0),
        cost=0.0,
    )


def test_a_gap_beyond_chance_is_told_with_its_cause() -> None:
    said = imbalance(arm(100, "a"), arm(80, "b", truncated=18, failed=2))
    assert said == "without an answer: 0 of 100 in a, 20 of 100 in b; mostly truncated"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (arm(100), arm(97, unparsed=3)),  # under five points
        (arm(10), arm(9, unparsed=1)),  # chance explains it
        (arm(LEAST_ENDED - 1), arm(0, failed=50)),  # too few to tell
        (arm(0), arm(0)),
    ],
)
def test_small_gaps_are_not_told(first: ArmView, second: ArmView) -> None:
    assert imbalance(first, second) == ""


@given(st.lists(st.integers(0, 200), min_size=4, max_size=4))
def test_imbalance_does_not_depend_on_the_order(counts: list[int]) -> None:
    a, x, b, y = counts
    first, second = arm(a, "a", failed=x), arm(b, "b", failed=y)
    assert bool(imbalance(first, second)) == bool(imbalance(second, first))


def test_both_arms_of_a_pair_are_flagged(study: Study, practice: Practice) -> None:
    many = replace(PLAN, samples=20, batches=PLAN.batches[:1])
    run = make_plan_run(study, many, practice)
    view = read_run(study, run.id)
    view.fold(
        [
            stored(call, text="" if call.condition == "move.plain" else '{"choice":1}')
            for call in calls_of(study, run.id)
        ]
    )
    flagged = {item.condition: item.imbalance for item in view.arms()}
    # The base asks for a report too, so this bare choice is no answer to it.
    assert set(flagged) == {"move.ask", "move.plain"}
    assert not any(flagged.values())
    view = read_run(study, run.id)
    view.fold(
        [
            stored(
                call,
                text=""
                if call.condition == "move.plain"
                else '{"visible": [1], "choice": 1}',
            )
            for call in calls_of(study, run.id)
        ]
    )
    flagged = {item.condition: item.imbalance for item in view.arms()}
    assert flagged["move.ask"] == flagged["move.plain"] != ""
    assert flagged["move.ask"].endswith("mostly empty")


# Pace -----------------------------------------------------------------------------


def test_the_rate_is_that_of_the_last_half_minute() -> None:
    pace = Pace()
    for second in range(101):
        pace.tell(float(second), min(second, 50) * 10)
    assert pace.rate == 0.0
    assert pace.seconds_left(10) is None


def test_the_time_left_follows_from_the_rate() -> None:
    pace = Pace()
    for second in range(11):
        pace.tell(float(second), second * 4)
    assert pace.rate == pytest.approx(4.0)
    assert pace.seconds_left(80) == pytest.approx(20.0)


def test_one_look_is_no_rate() -> None:
    pace = Pace()
    pace.tell(0.0, 5)
    assert pace.rate is None
    assert pace.seconds_left(10) is None

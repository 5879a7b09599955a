"""Plans become runs: what is stored, refused, found again and forecast."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.runner.engine_values import RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.plan import Batch
from director_gui.runner.records import Attempt, Outcome
from director_gui.runner.service import RunService
from director_gui.scene.example import example_scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store import scenes as stored
from director_gui.store.attempts import add_attempts, replies_of
from director_gui.store.batches import BatchJobs
from director_gui.store.counts import Counts
from director_gui.store.database import Study
from director_gui.store.log import entries
from director_gui.store.marks import Mark, add_marks
from director_gui.store.runs import Run, calls_of
from director_gui.store.sendings import add_sending
from director_gui.store.sets import set_named
from director_gui.study import plan_scenes
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice
from director_gui.study.plan_forecast import forecast
from director_gui.study.plan_result import plan_result
from director_gui.study.plan_runs import find_plan_run, make_plan_run
from director_gui.study.plan_scenes import chosen_scenes, refuse_unfit
from director_gui.study.plan_sending import Sending, ready, send
from director_gui.study.practice import Practice
from tests.made_runs import FAST
from tests.plan_studies import SCENES, plan_at, plan_text, study_with_set
from tests.probe_runs import FlatRenderer


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


@pytest.fixture
def practice() -> Iterator[Practice]:
    with Practice() as reader:
        yield reader


@pytest.fixture
def plan(tmp_path: Path) -> Plan:
    return plan_at(tmp_path / "plan.toml", plan_text())


def sent(study: Study, sending: Sending) -> RunEnded:
    with RunService() as service:
        handle = send(service, study, sending, Keys(), policy=FAST)
        assert handle.wait(60)
        end = handle.poll(10**6)[-1]
    assert isinstance(end, RunEnded)
    return end


def test_a_sent_plan_is_counted_as_it_goes(
    study: Study, practice: Practice, plan: Plan
) -> None:
    run = make_plan_run(study, plan, practice)
    assert Counts(study).of_run(run.id) is None
    sent(study, ready(study, plan, run, practice))
    counts = Counts(study)
    counted = counts.of_run(run.id)
    assert counted is not None
    assert sum(cell.n for cell in counts.cells(counted)) == counted.calls == 8


def test_a_plan_is_stored_whole_before_anything_is_sent(
    study: Study, practice: Practice, plan: Plan
) -> None:
    told: list[tuple[int, int]] = []
    run = make_plan_run(study, plan, practice, progress=lambda *at: told.append(at))
    calls = calls_of(study, run.id)
    assert (run.kind, run.label, run.practice) == ("plan", "small", True)
    assert Counter(c.condition for c in calls) == {"move.ask": 4, "move.plain": 4}
    assert {c.batch for c in calls} == {"b"}
    assert {c.sample for c in calls} == {1, 2}
    assert run.settings["order_seed"] == 1
    assert told[-1] == (SCENES, SCENES)


def test_the_same_plan_is_found_and_another_of_its_name_refused(
    study: Study, practice: Practice, plan: Plan
) -> None:
    assert find_plan_run(study, plan) is None
    run = make_plan_run(study, plan, practice)
    assert find_plan_run(study, replace(plan, ceiling=1.0)) == run
    with pytest.raises(UserError, match="another plan of this name"):
        find_plan_run(study, replace(plan, samples=3))
    assert find_plan_run(study, replace(plan, name="other", samples=3)) is None


def test_the_same_seed_gives_the_same_order(
    study: Study, practice: Practice, plan: Plan
) -> None:
    def order(run: Run) -> list[tuple[str, str, int]]:
        return [(c.condition, c.scene, c.sample) for c in calls_of(study, run.id)]

    first = make_plan_run(study, plan, practice)
    second = make_plan_run(study, replace(plan, name="again"), practice)
    other = make_plan_run(study, replace(plan, name="o", order_seed=2), practice)
    assert order(first) == order(second) != order(other)
    drawn = make_plan_run(study, replace(plan, name="d", order_seed=None), practice)
    assert isinstance(drawn.settings["order_seed"], int)


def test_a_family_across_batches_is_refused_with_a_reason(
    study: Study, practice: Practice, plan: Plan
) -> None:
    apart = (Batch("1", ("move.plain",)), Batch("2", ("move.count",)))
    pairs = (("move.count", "move.plain"),)
    family = (DeclaredFamily("f", pairs),)
    with pytest.raises(UserError, match="drift"):
        make_plan_run(study, replace(plan, batches=apart, families=family), practice)
    # The base joins every batch, so a comparison with it holds in each.
    base = (DeclaredFamily("f", (("move.ask", "move.plain"),)),)
    run = make_plan_run(study, replace(plan, batches=apart, families=base), practice)
    held = {c.batch: set() for c in calls_of(study, run.id)}
    for call in calls_of(study, run.id):
        held[call.batch].add(call.condition)
    assert held == {"1": {"move.ask", "move.plain"}, "2": {"move.ask", "move.count"}}


def test_a_family_of_no_pair_is_refused(
    study: Study, practice: Practice, plan: Plan
) -> None:
    batch = (Batch("1", ("mean.count", "move.plain")),)
    family = (DeclaredFamily("f", (("mean.count", "move.plain"),)),)
    with pytest.raises(UserError, match="more than one piece"):
        make_plan_run(study, replace(plan, batches=batch, families=family), practice)
    assert find_plan_run(study, plan) is None


def test_scenes_are_chosen_by_set_by_name_or_all(study: Study) -> None:
    scene = replace(example_scene(), name="mine")
    stored.add_scene(study, "mine", canonical_bytes(scene))
    by_set = chosen_scenes(study, SceneChoice(sets=("main",)))
    by_name = chosen_scenes(study, SceneChoice(names=("mine", by_set[0].name)))
    assert len(by_set) == SCENES
    assert by_name == (scene, by_set[0])
    assert chosen_scenes(study, SceneChoice()) == (*by_set, scene)
    both = SceneChoice(sets=("main",), names=(by_set[1].name,))
    assert chosen_scenes(study, both) == by_set  # each once
    for wrong in (SceneChoice(sets=("x",)), SceneChoice(names=("x",))):
        with pytest.raises(UserError, match="no s"):
            chosen_scenes(study, wrong)


def test_a_dropped_scene_is_not_shown(study: Study) -> None:
    item = set_named(study, "main")
    first = stored.scenes(study)[0].hash
    add_marks(study, item.id, [Mark(first, "drop", "blurred", "me")])
    for choice in (SceneChoice(sets=("main",)), SceneChoice()):
        assert len(chosen_scenes(study, choice)) == SCENES - 1


def test_unfit_scenes_are_refused_by_name(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuse_unfit(study, chosen_scenes(study, SceneChoice()))
    scene = replace(example_scene(), name="mine")
    monkeypatch.setattr(plan_scenes, "_problems", lambda _: iter(["mine (overlap)"]))
    with pytest.raises(UserError, match=r"mine \(overlap\)"):
        refuse_unfit(study, (scene,))
    row = study.query("SELECT facts FROM set_scenes WHERE position = 0")[0]["facts"]
    bad = row.replace(
        '"problems":[', '"problems":[{"code":"off_table","blocks_stimulus":true},', 1
    ).replace("true},]", "true}]")
    with study.write() as db:
        db.execute("UPDATE set_scenes SET facts = ? WHERE position = 0", (bad,))
    with pytest.raises(UserError, match=r"scene 1 of main \(off_table\)"):
        refuse_unfit(study, chosen_scenes(study, SceneChoice()))


@pytest.mark.render
def test_a_loose_scene_is_judged_by_both_witnesses(study: Study) -> None:
    scene = example_scene()
    refuse_unfit(study, (scene,))
    moved = replace(scene, blocks=(replace(scene.blocks[0], x=5.0), *scene.blocks[1:]))
    with pytest.raises(UserError, match="off_table"):
        refuse_unfit(study, (moved,))


def test_a_set_that_is_drawn_needs_nothing_that_draws(
    study: Study, practice: Practice, plan: Plan
) -> None:
    class Never:
        def draw(self, *_: object) -> object:
            raise AssertionError("every picture is there")

    make_plan_run(study, plan, practice, renderer=Never())


def test_a_picture_that_is_missing_is_drawn(
    study: Study,
    practice: Practice,
    plan: Plan,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scene = replace(example_scene(), name="mine")
    stored.add_scene(study, "mine", canonical_bytes(scene))
    monkeypatch.setattr(plan_scenes, "_problems", lambda _: iter([""]))
    mine = replace(plan, scenes=SceneChoice(names=("mine",)))
    make_plan_run(study, mine, practice, renderer=FlatRenderer())
    assert stored.stimulus(study, stored.scenes(study)[-1].hash) is not None


def test_practice_and_models_do_not_share_a_plan(
    study: Study, practice: Practice, plan: Plan
) -> None:
    real = replace(plan.profiles[0], name="real", practice=False)
    with pytest.raises(UserError, match="cannot share"):
        make_plan_run(study, replace(plan, profiles=(*plan.profiles, real)), practice)


def test_a_plan_is_sent_and_counted(
    study: Study, practice: Practice, plan: Plan
) -> None:
    run = make_plan_run(study, plan, practice)
    sending = ready(study, plan, run, practice)
    assert forecast(study, run, sending.profiles).open == 8
    assert sent(study, sending) == RunEnded(8, 0, 0)
    result = plan_result(study, run, sending.profiles)
    assert sum(result["counts"].values()) == result["calls"] == 8
    assert result["attempts"] == 8
    assert result["tokens"]["input"] > 0
    assert (result["cost"], result["price_known"]) == (0.0, True)
    assert [e.detail["run"] for e in entries(study, "run.sent")] == [run.id]


def test_a_resumed_practice_run_knows_its_pictures(study: Study, plan: Plan) -> None:
    with Practice() as first:
        run = make_plan_run(study, plan, first)
    with Practice() as second:  # another session, which drew nothing
        assert sent(study, ready(study, plan, run, second)) == RunEnded(8, 0, 0)


def test_the_forecast_counts_what_is_open_and_what_was_in_flight(
    study: Study, practice: Practice, tmp_path: Path
) -> None:
    plan = plan_at(tmp_path / "p.toml", plan_text("http://127.0.0.1:1/v1"))
    run = make_plan_run(study, plan, practice)
    profiles = ready(study, plan, run, practice).profiles
    whole = forecast(study, run, profiles)
    assert (whole.calls, whole.open, whole.requests) == (8, 8, 8)
    assert whole.price is not None
    low, high = whole.price
    assert 0 < low < high
    assert high == pytest.approx((whole.input_tokens + 8 * 2500 * 10) / 1e6)
    assert whole.pairs == (("move.ask", "move.plain"),)
    assert "could be paid twice: nothing" in whole.lines()
    one, two, *_ = calls_of(study, run.id)
    add_attempts(
        study, [Attempt(one.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h", cost=0.5)]
    )
    add_sending(study, two.id, 0.25)
    left = forecast(study, run, profiles)
    assert (left.open, left.lost.in_flight, left.spent) == (7, 1, 0.75)
    text = "\n".join(left.lines(20.0))
    assert "7 of 8 calls" in text
    assert "could be paid twice: 1 call" in text
    assert "$20.00, of which $0.75" in text


def test_an_unknown_price_is_said(
    study: Study, practice: Practice, tmp_path: Path
) -> None:
    text = plan_text("http://127.0.0.1:1/v1").replace("input_price = 1.0\n", "")
    plan = plan_at(tmp_path / "p.toml", text)
    run = make_plan_run(study, plan, practice)
    found = forecast(study, run, ready(study, plan, run, practice).profiles)
    assert found.price is None
    assert "unknown price (no price for local)" in "\n".join(found.lines())


def test_two_turns_are_two_requests(
    study: Study, practice: Practice, plan: Plan
) -> None:
    two = replace(plan, batches=(Batch("b", ("move.first_turn",)),))
    run = make_plan_run(study, two, practice)
    found = forecast(study, run, ready(study, two, run, practice).profiles)
    assert (found.calls, found.requests) == (8, 12)


def test_a_result_counts_every_status_and_knows_no_cost_it_was_not_told(
    study: Study, practice: Practice, tmp_path: Path
) -> None:
    plan = plan_at(tmp_path / "p.toml", plan_text("http://127.0.0.1:1/v1"))
    run = make_plan_run(study, plan, practice)
    calls = [c for c in calls_of(study, run.id) if c.condition == "move.plain"]
    values = [
        {"text": '{"choice": 3}', "cost": 0.5},
        {"text": "none", "cost": 0.25},
        {"text": "", "finish_reason": "length", "cost": 0.25},
    ]
    made = [
        Attempt(c.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h", **value)
        for c, value in zip(calls, values, strict=False)
    ]
    failed = Attempt(calls[3].id, 1, 1, 1, Outcome.FAILED, "t", 0.0, "h")
    add_attempts(study, [*made, replace(failed, error_kind="rejected")])
    profiles = ready(study, plan, run, practice).profiles
    result = plan_result(study, run, profiles)
    counts = {"answered": 1, "unparsed": 1, "truncated": 1, "failed": 1, "open": 4}
    assert result["counts"] == {"filtered": 0, "empty": 0, **counts}
    assert result["cost"] == 1.0
    assert result["tokens"] == dict.fromkeys(("input", "output", "reasoning", "cached"))
    other = next(c for c in calls_of(study, run.id) if c.condition == "move.ask")
    add_attempts(study, [Attempt(other.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h")])
    assert plan_result(study, run, profiles)["cost"] is None


def test_a_batch_at_its_provider_is_not_sent_live_too(
    study: Study, practice: Practice, tmp_path: Path
) -> None:
    plan = plan_at(tmp_path / "p.toml", plan_text("http://127.0.0.1:1/v1"))
    run = make_plan_run(study, plan, practice)
    jobs = BatchJobs(study, run.id)
    job = jobs.add("local", [])
    assert ready(study, plan, run, practice)  # nothing was uploaded yet
    jobs.uploaded(job, "file-1")
    with pytest.raises(UserError, match="still at its provider"):
        ready(study, plan, run, practice)
    assert ready(study, replace(plan, transport="batch"), run, practice)


def test_batch_prices_are_a_share_and_practice_takes_no_batches(
    study: Study, practice: Practice, plan: Plan, tmp_path: Path
) -> None:
    real = plan_at(
        tmp_path / "p.toml",
        plan_text("http://127.0.0.1:1/v1", transport="batch", batch_price_factor=0.5),
    )
    run = make_plan_run(study, real, practice)
    (profile,) = ready(study, real, run, practice).profiles.values()
    assert (profile.input_price, profile.output_price) == (0.5, 5.0)
    own = replace(plan, name="own", transport="batch")
    made = make_plan_run(study, own, practice)
    with pytest.raises(UserError, match="no batches"):
        ready(study, own, made, practice)
    assert replies_of(study, made.id)[0].status == "open"

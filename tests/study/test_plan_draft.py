"""Plans while they are composed, written down, and made out of stored runs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.prompts.library import library
from director_gui.runner.plan import Batch
from director_gui.runner.profiles import Profile, save_profiles
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.marks import Mark, add_marks
from director_gui.store.runs import calls_of
from director_gui.store.sets import set_named, set_scenes
from director_gui.study.plan_draft import (
    KEPT,
    answerable,
    expected_seconds,
    kept_value,
    latencies_in,
    missing,
    plan_estimate,
    plan_of_run,
    plan_toml,
    promoted,
    scene_offers,
)
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice, read_plan
from director_gui.study.plan_forecast import forecast
from director_gui.study.plan_runs import make_plan_run
from director_gui.study.plan_scenes import chosen_scenes
from director_gui.study.practice import Practice
from director_gui.study.stimuli import scene_in
from director_gui.study.time_words import time_range_text, time_text
from tests.plan_studies import SCENES, study_with_set
from tests.probe_runs import PRACTICE, answered

LOCAL = Profile(
    name="local",
    base_url="http://127.0.0.1:9/v1",
    model="m",
    input_price=1.0,
    output_price=10.0,
    concurrency=4,
)
PLAN = Plan(
    name="small",
    batches=(
        Batch("1", ("move.plain", "move.first_turn")),
        Batch("2", ("mean.plain",)),
    ),
    profiles=(LOCAL,),
    scenes=SceneChoice(sets=("main",)),
    samples=3,
    order_seed=1,
)


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with study_with_set(tmp_path / "a.study") as made:
        yield made


@pytest.fixture
def practice() -> Iterator[Practice]:
    with Practice() as reader:
        yield reader


# What it adds up to -----------------------------------------------------------------


def test_an_estimate_counts_what_the_stored_run_holds(
    study: Study, practice: Practice
) -> None:
    made = plan_estimate(PLAN, SCENES, library(), {})
    run = make_plan_run(study, PLAN, practice)
    exact = forecast(study, run, {LOCAL.name: LOCAL})
    assert made.calls == exact.calls == len(calls_of(study, run.id))
    assert made.requests == exact.requests
    assert made.input_tokens == pytest.approx(exact.input_tokens, rel=0.02)
    assert made.output_tokens == exact.output_tokens
    assert made.price == pytest.approx(exact.price, rel=0.02)
    assert set(made.pairs) <= set(exact.pairs)


def test_bases_join_each_batch_by_themselves() -> None:
    made = plan_estimate(PLAN, SCENES, library(), {})
    assert made.joined == {"1": ("move.ask",), "2": ("mean.ask",)}


def test_a_pair_across_batches_is_not_answered() -> None:
    held = (("move.ask", "move.plain"), ("mean.ask",))
    pairs = answerable(held, library())
    assert ("move.ask", "move.plain") in pairs
    assert ("move.ask", "mean.ask") not in pairs
    together = answerable([(*held[0], *held[1])], library())
    assert ("move.ask", "mean.ask") in together


def test_an_unknown_price_is_no_price() -> None:
    free = replace(LOCAL, name="other", input_price=None)
    made = plan_estimate(replace(PLAN, profiles=(LOCAL, free)), 1, library(), {})
    assert made.price is None
    assert made.unpriced == ("other",)


def test_batches_cost_their_share() -> None:
    whole = plan_estimate(PLAN, SCENES, library(), {}).price
    half = replace(PLAN, transport="batch", batch_price_factor=0.5)
    part = plan_estimate(half, SCENES, library(), {}).price
    assert whole is not None
    assert part == pytest.approx((whole[0] / 2, whole[1] / 2))


def test_profiles_work_side_by_side() -> None:
    slow = replace(LOCAL, name="slow", concurrency=1)
    taken = {"local": (1.0, 2.0), "slow": (1.0, 3.0)}
    assert expected_seconds([LOCAL, slow], 100, taken) == (100.0, 300.0)
    assert expected_seconds([LOCAL], 100, taken) == (25.0, 50.0)
    assert expected_seconds([], 100, taken) == (0.0, 0.0)


def test_stored_latencies_are_expected_again(study: Study, practice: Practice) -> None:
    assert latencies_in(study) == {}
    answered(study, practice, samples=4)
    (low, high) = latencies_in(study)[PRACTICE.name]
    assert 0 < low <= high < 60


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "1 s"), (89, "89 s"), (600, "10 min"), (7200, "2.0 h"), (259_200, "3 days")],
)
def test_times_are_told_roughly(seconds: float, words: str) -> None:
    assert time_text(seconds).replace("\N{NO-BREAK SPACE}", " ") == words


def test_a_range_of_one_is_one() -> None:
    assert time_range_text((0.1, 0.2)).replace("\N{NO-BREAK SPACE}", " ") == "about 1 s"
    assert " – " in time_range_text((60.0, 600.0))


@pytest.mark.parametrize(
    ("change", "scenes", "lack"),
    [
        ({}, 1, ""),
        ({"name": " "}, 1, "name"),
        ({}, 0, "scenes"),
        ({"batches": ()}, 1, "conditions"),
        ({"profiles": ()}, 1, "models"),
        ({"profiles": (LOCAL, PRACTICE)}, 1, "mixed"),
    ],
)
def test_what_a_plan_lacks_is_named(
    change: dict[str, object], scenes: int, lack: str
) -> None:
    plan = replace(PLAN, **change)  # type: ignore[arg-type] # values of every type
    assert missing(plan, scenes) == lack


def test_dropped_scenes_are_not_offered(study: Study) -> None:
    whole, every = scene_offers(study)
    assert (whole.choice, whole.count) == (SceneChoice(sets=("main",)), SCENES)
    assert (every.choice, every.count) == (SceneChoice(), SCENES)
    found = set_named(study, "main")
    scene = set_scenes(study, found.id)[0].scene
    add_marks(study, found.id, [Mark(scene, "drop", "too dark")])
    assert [offer.count for offer in scene_offers(study)] == [SCENES - 1] * 2


# Plan files -------------------------------------------------------------------------

NAMES = st.text(min_size=1, max_size=12).map(str.strip).filter(bool)
PLANS = st.builds(
    Plan,
    name=NAMES,
    batches=st.lists(
        st.sampled_from([c.name for c in library().conditions]),
        min_size=1,
        max_size=4,
        unique=True,
    ).map(lambda names: (Batch("1", tuple(names)), Batch("2", tuple(names[:1])))),
    profiles=st.sampled_from([(PRACTICE,), (LOCAL,), (PRACTICE, LOCAL)]),
    scenes=st.one_of(
        st.just(SceneChoice()),
        st.builds(
            SceneChoice,
            sets=st.lists(NAMES, min_size=1, max_size=2, unique=True).map(tuple),
            names=st.lists(NAMES, max_size=2, unique=True).map(tuple),
        ),
    ),
    samples=st.integers(1, 1000),
    order_seed=st.none() | st.integers(0, 2**63 - 1),
    ceiling=st.none() | st.floats(0, 1e6),
    families=st.sampled_from(
        [(), (DeclaredFamily("effect", (("move.ask", "move.plain"),)),)]
    ),
    transport=st.sampled_from(["live", "batch"]),
    batch_price_factor=st.sampled_from([1.0, 0.5]),
)


@given(plan=PLANS)
def test_a_plan_that_is_written_is_read_the_same(
    tmp_path_factory: pytest.TempPathFactory, plan: Plan
) -> None:
    path = tmp_path_factory.mktemp("plans") / "plan.toml"
    path.write_text(plan_toml(plan), encoding="utf-8")
    assert read_plan(path) == plan


def test_a_profile_of_ones_own_is_named_not_copied() -> None:
    save_profiles((LOCAL,))
    text = plan_toml(PLAN)
    assert 'profiles = ["local"]' in text
    assert "base_url" not in text


def test_what_toml_cannot_say_is_refused() -> None:
    with pytest.raises(UserError, match="sends no effort"):
        plan_toml(replace(PLAN, profiles=(replace(LOCAL, effort=None),)))


# Plans of what is stored --------------------------------------------------------------


def test_a_stored_run_gives_its_plan_back(study: Study, practice: Practice) -> None:
    family = DeclaredFamily("effect", (("move.ask", "move.plain"),))
    plan = replace(PLAN, families=(family,), ceiling=2.5, transport="batch")
    run = make_plan_run(study, plan, practice)
    add_entry(study, "run", KEPT, kept_value(run, plan))
    found = plan_of_run(study, run)
    assert found.name == "small"
    assert found.profiles == plan.profiles
    assert (found.samples, found.order_seed) == (3, 1)
    assert (found.ceiling, found.transport) == (2.5, "batch")
    assert found.families == (family,)
    assert [set(batch.conditions) for batch in found.batches] == [
        {"move.plain", "move.first_turn", "move.ask"},
        {"mean.plain", "mean.ask"},
    ]
    assert found.scenes == plan.scenes


def test_what_was_dropped_since_stays_out_when_a_run_is_composed_again(
    study: Study, practice: Practice
) -> None:
    run = make_plan_run(study, PLAN, practice)
    kept, gone = [row.scene for row in set_scenes(study, set_named(study, "main").id)]
    drop = Mark(gone, "drop", "digit in the shade", "me")
    add_marks(study, set_named(study, "main").id, [drop])
    again = plan_of_run(study, run).scenes
    assert again == SceneChoice(sets=("main",))
    assert [scene.name for scene in chosen_scenes(study, again)] == [
        scene_in(study, kept).name
    ]


def test_todays_price_counts_but_not_another_model(
    study: Study, practice: Practice
) -> None:
    run = make_plan_run(study, PLAN, practice)
    save_profiles((replace(LOCAL, input_price=7.0),))
    assert plan_of_run(study, run).profiles[0].input_price == 7.0
    save_profiles((replace(LOCAL, input_price=7.0, model="another"),))
    assert plan_of_run(study, run).profiles == (LOCAL,)


def test_a_probe_is_promoted_over_the_chosen_scenes(
    study: Study, practice: Practice
) -> None:
    probe = answered(study, practice, samples=4)
    made = promoted(probe, PLAN)
    assert made.scenes == PLAN.scenes
    assert made.samples == 4
    assert made.profiles == (PRACTICE,)
    assert [batch.conditions for batch in made.batches] == [("move.ask", "move.plain")]

from collections import Counter

import pytest

from director_gui.errors import UserError
from director_gui.runner.plan import Arm, Batch, Shown, make_plan, with_bases
from director_gui.runner.profiles import Profile
from director_gui.runner.records import PlannedCall

ARMS = {
    name: Arm(name, f"v-{name}", "mean.ask" if name.startswith("mean") else "move.ask")
    for name in ("mean.ask", "mean.plain", "move.ask", "move.plain", "want.plain")
}
SHOWN = [Shown(f"s{n}", f"i{n}") for n in range(4)]
PROFILES = [
    Profile(name=name, base_url="http://x/v1", model=f"m-{name}") for name in "pq"
]


def plan(*batches: Batch, seed: int = 1, samples: int = 3) -> tuple[PlannedCall, ...]:
    return make_plan(
        "r",
        batches,
        ARMS,
        SHOWN,
        PROFILES,
        texts=lambda name, scene: (f"{name} on {scene}",),
        samples=samples,
        seed=seed,
    )


def test_bases_join_by_themselves_and_once() -> None:
    assert with_bases(["move.plain"], ARMS) == ("move.plain", "move.ask")
    assert with_bases(["want.plain"], ARMS) == ("want.plain", "move.ask")
    assert with_bases(["mean.plain", "move.ask", "mean.plain"], ARMS) == (
        "mean.plain",
        "move.ask",
        "mean.ask",
    )


def test_a_plan_crosses_everything_once() -> None:
    planned = plan(Batch("one", ("move.plain", "mean.plain")))
    assert len(planned) == 4 * 4 * 2 * 3
    assert len({item.call.id for item in planned}) == len(planned)
    per_arm = Counter((c.call.condition, c.call.profile) for c in planned)
    assert set(per_arm.values()) == {12}
    for item in planned:
        call = item.call
        assert item.turns == (f"{call.condition} on {call.scene}",)
        assert call.image == "i" + call.scene[1:]
        assert call.condition_hash == f"v-{call.condition}"
        assert call.settings == PROFILES[0].settings_hash
        assert 1 <= call.sample <= 3


def test_the_order_follows_from_the_seed() -> None:
    batch = Batch("one", ("move.plain",))
    ids = [item.call.id for item in plan(batch)]
    assert ids == [item.call.id for item in plan(batch)]
    other = [item.call.id for item in plan(batch, seed=2)]
    assert other != ids
    assert sorted(other) == sorted(ids)


def test_a_batch_is_shuffled_across_all_its_axes() -> None:
    calls = [item.call for item in plan(Batch("one", ("move.plain",)), samples=10)]
    half = calls[: len(calls) // 2]
    for axis in ("condition", "scene", "profile", "sample"):
        assert {getattr(c, axis) for c in half} == {getattr(c, axis) for c in calls}


def test_batches_follow_one_another_each_with_its_own_base() -> None:
    one, two = Batch("one", ("move.plain",)), Batch("two", ("want.plain",))
    planned = plan(one, two)
    names = [item.call.batch for item in planned]
    assert names == sorted(names)
    assert planned[: len(plan(one))] == plan(one)
    for name in ("one", "two"):
        inside = {i.call.condition for i in planned if i.call.batch == name}
        assert "move.ask" in inside


@pytest.mark.parametrize(
    ("batches", "samples", "word"),
    [
        ((Batch("one", ("move.nothing",)),), 1, "no such condition"),
        ((Batch("one", ()),), 1, "nothing to send"),
        ((), 1, "nothing to send"),
        ((Batch("one", ("move.ask",)),), 0, "at least one sample"),
        ((Batch("one", ("move.ask",)), Batch("one", ())), 1, "same name"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(
    batches: tuple[Batch, ...], samples: int, word: str
) -> None:
    with pytest.raises(UserError, match=word):
        plan(*batches, samples=samples)

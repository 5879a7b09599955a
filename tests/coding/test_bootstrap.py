import numpy as np
import pytest

from coding.agreement import Coder, compare
from coding.bootstrap import SceneInterval, scene_interval
from coding.kappa import kappa_of
from coding.tables import cross_table

Q = 3


def codes(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, Q, n)
    b = np.where(rng.random(n) < 0.7, a, rng.integers(0, Q, n))
    return a, b, [f"s{i}" for i in rng.integers(0, 12, n)]


def by_hand(
    a: np.ndarray, b: np.ndarray, scenes: list[str], draws: int
) -> tuple[list[float], int]:
    """The same bootstrap with loops: whole scenes are put together item by item."""
    names = sorted(set(scenes))
    places = {n: np.flatnonzero([s == n for s in scenes]) for n in names}
    uniform = np.random.default_rng(0).random((draws, len(names)))
    values, undefined = [], 0
    for row in uniform:
        drawn = [names[int(u * len(names))] for u in row]
        items = np.concatenate([places[name] for name in drawn])
        value = kappa_of(cross_table(a[items], b[items], Q)).value
        if value is None:
            undefined += 1
        else:
            values.append(value)
    return values, undefined


@pytest.mark.parametrize("seed", range(3))
def test_equals_the_bootstrap_by_hand(seed: int) -> None:
    a, b, scenes = codes(40, seed)
    found = scene_interval(a, b, scenes, Q, draws=150)
    values, undefined = by_hand(a, b, scenes, 150)
    wanted = tuple(np.quantile(values, [0.025, 0.975]))
    assert found.ci == pytest.approx(wanted, abs=1e-12)
    assert (found.undefined, found.draws, found.scenes) == (
        undefined,
        150,
        len(set(scenes)),
    )


def test_undefined_resamples_are_counted_and_left_out() -> None:
    # Only scene z holds another code: a resample without it has no kappa.
    a = np.array([0, 0, 0, 1, 0])
    b = np.array([0, 0, 0, 1, 1])
    scenes = list("wxyzz")
    values, undefined = by_hand(a, b, scenes, 2000)
    found = scene_interval(a, b, scenes, Q)
    assert found.undefined == undefined
    assert 0.25 < undefined / 2000 < 0.38  # (3/4)**4 = .316
    assert found.ci == pytest.approx(tuple(np.quantile(values, [0.025, 0.975])))


def test_blocks_of_resamples_are_one_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, scenes = codes(60, 4)
    whole = scene_interval(a, b, scenes, Q)
    monkeypatch.setattr("coding.bootstrap._BLOCK", 100)
    assert scene_interval(a, b, scenes, Q) == whole


def test_scenes_go_together() -> None:
    """Items that repeat within a scene must not make the interval narrower."""
    a, b, scenes = codes(36, 5)
    one = scene_interval(a, b, scenes, Q)
    five = scene_interval(np.tile(a, 5), np.tile(b, 5), scenes * 5, Q)
    assert one.ci == pytest.approx(five.ci, abs=1e-12)


def test_never_of_zero_width() -> None:
    a = np.array([0, 1, 0, 1, 0, 1])
    scenes = list("xxyyzz")
    found = scene_interval(a, a, scenes, Q)
    assert found == SceneInterval(
        None, "kappa is the same in every resample", 0, 2000, 3
    )


def test_needs_three_scenes() -> None:
    a = np.array([0, 1, 0])
    found = scene_interval(a, a, list("xyx"), Q)
    assert (found.ci, found.reason) == (None, "needs at least 3 scenes, found 2")


def test_no_value_at_all() -> None:
    a = np.zeros(4, dtype=np.int64)
    found = scene_interval(a, a, list("wxyz"), Q)
    assert (found.ci, found.undefined) == (None, 2000)


def test_the_seed_decides() -> None:
    a, b, scenes = codes(40, 6)
    first = scene_interval(a, b, scenes, Q, seed=1)
    assert first == scene_interval(a, b, scenes, Q, seed=1)
    assert first != scene_interval(a, b, scenes, Q, seed=2)


def test_an_item_without_a_scene_means_no_interval() -> None:
    ann = Coder("ann", {"1": "x", "2": "y", "3": "x"})
    bob = Coder("bob", {"1": "x", "2": "y", "3": "y"})
    found = compare(ann, bob, ["x", "y"], {"1": "s", "2": "t"}).by_scene
    assert found is not None
    assert (found.ci, found.reason) == (None, "1 items have no scene")
    assert compare(ann, bob, ["x", "y"], None).by_scene is None

"""The early verdict: hard families are called so, easy ones pass at once."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.families import forecast as module
from director_gui.families.draw import Candidate
from director_gui.families.forecast import (
    SECONDS,
    Forecast,
    HardFamilyError,
    forecast,
    require_feasible,
)
from director_gui.families.judge import Reason, Verdict
from director_gui.families.library import family, names
from director_gui.families.model import Family, HiderRule, Span
from director_gui.families.plan import Cell
from director_gui.families.rate import interval
from director_gui.families.sampler import nth_candidate
from tests.strategies import QUICK

MAIN = family("main")
CELL = Cell(3, "largest")


def _never() -> bool:
    return False


@pytest.mark.parametrize("name", names())
def test_built_in_families_are_feasible(name: str) -> None:
    for found in require_feasible(family(name)):
        assert found.low > 1e-4
        assert not found.hard


def test_an_impossible_family_is_called_so_within_ten_seconds() -> None:
    """The demand is bounded by the clock that the command runs by."""
    assert SECONDS < 10
    rule = MAIN.partitions[0]
    assert isinstance(rule, HiderRule)
    low = replace(MAIN, partitions=(replace(rule, height=Span(0.3, 0.4)),))
    with pytest.raises(HardFamilyError) as caught:
        require_feasible(low)
    found = caught.value.forecast
    assert (found.accepted, found.low) == (0, 0.0)
    assert found.high < 5e-4
    assert found.blame == ("hidden_block_seen", 1.0)
    assert "the partitions' width, height or place" in str(caught.value)
    assert "95 % interval" in str(caught.value)


def _judge_of(rate: float) -> Callable[[Family, Candidate], Verdict]:
    """Return a judge that accepts evenly at a rate."""
    tried = Counter[str]()

    def judge(_family: Family, _drawn: Candidate) -> Verdict:
        tried["n"] += 1
        hit = int(tried["n"] * rate) > int((tried["n"] - 1) * rate)
        return Verdict(None if hit else "overlap", None)

    return judge


@pytest.mark.parametrize(("rate", "hard"), [(2e-5, True), (5e-4, False), (0.2, False)])
def test_rates_around_one_in_ten_thousand(
    rate: float, *, hard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    candidate = nth_candidate(MAIN, 0, CELL, 0)
    monkeypatch.setattr(module, "nth_candidate", lambda *_: candidate)
    monkeypatch.setattr(module, "judge", _judge_of(rate))
    found = forecast(MAIN, CELL, _never)
    assert found.hard == hard
    assert (found.high < 1e-4) if hard else (found.low > 1e-4)


def test_the_time_is_kept() -> None:
    ticks = iter(range(1000))
    with pytest.raises(HardFamilyError) as caught:
        require_feasible(
            replace(MAIN, blocks=replace(MAIN.blocks, largest=Span(0.03, 0.03))),
            seconds=5,
            clock=lambda: float(next(ticks)),
        )
    assert caught.value.forecast.tried <= 5


def test_a_kind_that_takes_long_to_tell_leaves_time_for_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Three blocks fit once in 5,000, four never: they were left to spin."""
    evenly = _judge_of(2e-4)

    def judge(made: Family, drawn: Candidate) -> Verdict:
        if len(drawn.scene.blocks) == 4:
            return Verdict("overlap", None)
        return evenly(made, drawn)

    drawn = {n: nth_candidate(MAIN, 0, Cell(n, "largest"), 0) for n in (3, 4)}
    monkeypatch.setattr(module, "nth_candidate", lambda _f, _i, c, _k: drawn[c.blocks])
    monkeypatch.setattr(module, "judge", judge)
    ticks = count()
    with pytest.raises(HardFamilyError) as caught:
        require_feasible(MAIN, seconds=12_000, clock=lambda: float(next(ticks)))
    assert caught.value.forecast.cell.blocks == 4


def test_each_of_many_kinds_is_tried_before_the_time_is_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = Counter[Cell]()
    drawn = nth_candidate

    def counted(made: Family, index: int, cell: Cell, k: int) -> Candidate:
        tried[cell] += 1
        return drawn(made, index, cell, k)

    monkeypatch.setattr(module, "nth_candidate", counted)
    shares = tuple((n, 1) for n in range(3, 7))
    many = replace(MAIN, blocks=replace(MAIN.blocks, counts=shares, x=Span(5, 6)))
    ticks = count()
    with pytest.raises(HardFamilyError) as caught:
        require_feasible(many, seconds=2_000, clock=lambda: float(next(ticks)))
    assert len(tried) == 4
    # Of kinds that all look bad, one is looked at for the rest of the time.
    assert caught.value.forecast.tried > 1_500


def test_kinds_that_the_time_did_not_suffice_for_are_not_blamed() -> None:
    nothing = Forecast(CELL, 0, Counter(), *interval(0, 0))
    assert not nothing.hard
    assert nothing.blame is None


def test_the_blame_goes_to_the_narrowest_door() -> None:
    def blamed(refused: dict[Reason, int]) -> object:
        found = Forecast(CELL, 0, Counter(refused), 0.0, 0.0)
        return found.blame and found.blame[0]

    assert blamed({"overlap": 9990, "hidden_block_seen": 10}) == "overlap"
    assert blamed({"overlap": 5000, "hidden_block_seen": 5000}) == "hidden_block_seen"
    assert blamed({"key_fragile": 400, "overlap": 20000}) == "key_fragile"


def test_it_ends_when_it_is_told_to_and_calls_nothing_hard() -> None:
    nowhere = replace(MAIN, blocks=replace(MAIN.blocks, x=Span(5.0, 6.0)))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    found = require_feasible(nowhere, seconds=1e9, stop=stop)
    assert found == []
    assert len(asked) < 10  # before each of three candidates, then true for each kind


def test_whoever_stops_it_may_raise() -> None:
    def stop() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        require_feasible(MAIN, stop=stop)


@QUICK
@given(st.integers(0, 40), st.integers(1, 60_000))
def test_the_interval_is_scipys(hits: int, trials: int) -> None:
    from scipy.special import betaincinv

    hits = min(hits, trials)
    low, high = interval(hits, trials)
    right_low = betaincinv(hits, trials - hits + 1, 0.025) if hits else 0.0
    right_high = betaincinv(hits + 1, trials - hits, 0.975) if hits < trials else 1.0
    assert low == pytest.approx(right_low, rel=1e-6, abs=1e-12)
    assert high == pytest.approx(right_high, rel=1e-6, abs=1e-12)


def test_nothing_tried_says_nothing() -> None:
    assert interval(0, 0) == (0.0, 1.0)


def test_the_least_promising_kind_has_the_next_turn() -> None:
    shares = ((3, 1), (4, 1))
    two = replace(MAIN, blocks=replace(MAIN.blocks, counts=shares))
    fine, poor = (module._Trial(two, Cell(n, "largest")) for n in (3, 4))
    fine._hits, fine._tried = 2, 900
    poor._tried = 100
    assert min((fine, poor), key=module._Trial.promise) is poor
    worse = module._Trial(two, Cell(4, "largest"))
    worse._tried = 500  # of equals the one of which a verdict is nearest
    assert min((poor, worse), key=module._Trial.promise) is worse


def test_a_trial_that_is_stopped_keeps_what_it_knows() -> None:
    nowhere = replace(MAIN, blocks=replace(MAIN.blocks, x=Span(5.0, 6.0)))
    trial = module._Trial(nowhere, CELL)
    asked = count()
    trial.go_on(lambda: next(asked) >= 5, 100)
    assert (trial.found.tried, trial.found.accepted) == (5, 0)
    assert trial.found.low == 0.0
    trial.go_on(_never, 3)
    assert trial.found.tried == 8
    assert not trial.clear

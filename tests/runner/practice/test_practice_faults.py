"""Faults come at the share that was asked for, by name or by setting."""

from collections import Counter

import pytest

from director_gui.runner.practice.draws import generator
from director_gui.runner.practice.faults import (
    DEFAULT_SHARE,
    SLOW_S,
    Faults,
    split_model,
)


@pytest.mark.parametrize(
    ("model", "name", "faults"),
    [
        ("a", "a", Faults()),
        ("a+429", "a", Faults(rate_limit=DEFAULT_SHARE)),
        ("a+429=0.5+slow=0.1", "a", Faults(rate_limit=0.5, delay_s=0.1)),
        ("a+500=1+reset=0", "a", Faults(server_error=1.0)),
        ("a+slow", "a", Faults(delay_s=SLOW_S)),
        ("a+quota", "a", Faults(quota=1.0)),
        ("a+nonsense", "a", Faults(nonsense=DEFAULT_SHARE)),
        ("a+429=", "a", Faults(rate_limit=DEFAULT_SHARE)),
        ("", "", Faults()),
    ],
)
def test_suffixes(model: str, name: str, faults: Faults) -> None:
    assert split_model(model, Faults()) == (name, faults)


def test_suffixes_change_only_what_they_name() -> None:
    base = Faults(reset=0.25, retry_after_s=9.0)
    _, faults = split_model("a+429=0.5", base)
    assert faults == Faults(rate_limit=0.5, reset=0.25, retry_after_s=9.0)


@pytest.mark.parametrize(
    "model", ["a+", "a+418", "a+429=2", "a+429=-1", "a+429=nan", "a+429=x"]
)
def test_unknown_suffixes_are_refused(model: str) -> None:
    with pytest.raises(ValueError, match=r"unknown fault|not in 0|could not convert"):
        split_model(model, Faults())


def test_shares_come_out_and_exclude_each_other() -> None:
    faults, n = Faults(rate_limit=0.3, server_error=0.2, reset=0.1), 3000
    found = Counter(faults.draw(generator("fault", i)) for i in range(n))
    wanted = {"rate_limit": 0.3, "server_error": 0.2, "reset": 0.1, None: 0.4}
    assert set(found) == set(wanted)
    for fault, share in wanted.items():
        assert abs(found[fault] / n - share) < 4 * (share * (1 - share) / n) ** 0.5


def test_without_faults_nothing_fails() -> None:
    assert {Faults().draw(generator(i)) for i in range(100)} == {None}

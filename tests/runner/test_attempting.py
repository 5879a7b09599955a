from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.runner import prices
from director_gui.runner.attempting import ErrorKind, cost_of, judge
from director_gui.runner.content import Content
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Outcome, Usage

PRICED = Profile(
    name="p",
    base_url="http://x/v1",
    model="m",
    input_price=2.0,
    cached_price=0.5,
    output_price=10.0,
)
CONTENT = Content(
    text="",
    reasoning=None,
    finish_reason="stop",
    model="m",
    id=None,
    fingerprint=None,
    usage=Usage(input=1_000_000, output=100_000, reasoning=90_000, cached=400_000),
    cost=None,
)


@pytest.mark.parametrize(
    ("kind", "early", "late"),
    [
        ("", Outcome.REPLY, Outcome.REPLY),
        ("rate_limit", Outcome.RETRY, Outcome.RETRY),
        ("quota", Outcome.RETRY, Outcome.RETRY),
        ("auth", Outcome.RETRY, Outcome.RETRY),
        ("rejected", Outcome.FAILED, Outcome.FAILED),
        ("server", Outcome.RETRY, Outcome.FAILED),
        ("malformed", Outcome.RETRY, Outcome.FAILED),
        ("connection", Outcome.RETRY, Outcome.FAILED),
        ("timeout", Outcome.RETRY, Outcome.FAILED),
    ],
)
def test_what_an_error_means_before_and_at_the_last_try(
    kind: ErrorKind, early: Outcome, late: Outcome
) -> None:
    assert judge(kind, last_try=False) is early
    assert judge(kind, last_try=True) is late


def test_reasoning_is_priced_once_as_output_and_cached_input_cheaper() -> None:
    # 0.6 M at 2 + 0.4 M at 0.5 + 0.1 M at 10
    assert cost_of(PRICED, CONTENT) == pytest.approx(1.2 + 0.2 + 1.0)


def test_cached_input_without_a_price_of_its_own_costs_the_input_price() -> None:
    profile = replace(PRICED, cached_price=None)
    assert cost_of(profile, CONTENT) == pytest.approx(2.0 + 1.0)


def test_the_servers_own_figure_goes_first() -> None:
    assert cost_of(PRICED, replace(CONTENT, cost=0.01)) == 0.01


@pytest.mark.parametrize(
    ("profile", "usage"),
    [
        (replace(PRICED, input_price=None), CONTENT.usage),
        (replace(PRICED, output_price=None), CONTENT.usage),
        (PRICED, Usage(input=None, output=5)),
        (PRICED, Usage(input=5, output=None)),
    ],
)
def test_an_unknown_price_or_count_is_no_cost_of_nought(
    profile: Profile, usage: Usage
) -> None:
    assert cost_of(profile, replace(CONTENT, usage=usage)) is None


def test_a_free_server_costs_nought() -> None:
    free = replace(PRICED, input_price=0.0, output_price=0.0, cached_price=None)
    assert cost_of(free, CONTENT) == 0.0


def test_every_listed_price_is_whole_and_cached_is_no_dearer() -> None:
    for price in prices.prices().values():
        assert 0 < price.input < price.output
        assert price.cached is None or price.cached < price.input


def test_a_broken_price_list_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prices.assets, "read_text", lambda _: '["m"]\ninput = 1.0\n')
    with pytest.raises(UserError, match="price list"):
        prices.prices.__wrapped__()

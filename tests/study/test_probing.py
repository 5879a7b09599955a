"""What a probe sends and costs, told before it is sent."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import library
from director_gui.runner.profiles import Profile, presets, save_profiles
from director_gui.scene.example import example_scene
from director_gui.study.asking import BASICS, prompts_for
from director_gui.study.probing import (
    BLOCKED_WORDS,
    BYTES_PER_TOKEN,
    IMAGE_TOKENS,
    REPLY_TOKENS,
    blocked,
    estimate,
    known_profiles,
    price_text,
    tokens_text,
)

SCENE = example_scene()
TRUTH = truth_of(SCENE)
NAMES = [condition.name for condition in library().conditions]
FREE = Profile(name="free", base_url="http://x", model="m", practice=True)
FREE = replace(FREE, input_price=0.0, output_price=0.0)
DEAR = Profile(
    name="dear", base_url="http://x", model="m", input_price=2.0, output_price=10.0
)
UNKNOWN = Profile(name="unknown", base_url="http://x", model="m")


def test_the_bases_join_and_are_counted() -> None:
    made = estimate(SCENE, TRUTH, ["move.plain", "mean.count"], [FREE], 5)
    assert made.joined == ("move.ask", "mean.ask")
    assert set(made.conditions) == {"move.plain", "mean.count", "move.ask", "mean.ask"}
    assert made.calls == 4 * 5
    assert made.pairs == (("move.ask", "move.plain"), ("move.ask", "mean.ask"))


def test_the_basics_answer_six_pairs_without_joining() -> None:
    made = estimate(SCENE, TRUTH, BASICS, [FREE, DEAR], 3)
    assert made.joined == ()
    assert made.calls == 6 * 3 * 2
    assert len(made.pairs) == 6


def test_tokens_are_counted_from_bytes_and_pictures() -> None:
    made = estimate(SCENE, TRUTH, ["move.ask"], [DEAR], 2)
    text = prompts_for(SCENE, TRUTH, ["move.ask"])["move.ask"].turns[0]
    each = IMAGE_TOKENS + len(text) // BYTES_PER_TOKEN
    assert made.input_tokens == 2 * each
    assert made.output_tokens == tuple(2 * tokens for tokens in REPLY_TOKENS)


def test_a_second_turn_sends_the_first_again() -> None:
    made = estimate(SCENE, TRUTH, ["move.first_turn", "move.ask"], [DEAR], 1)
    base = estimate(SCENE, TRUTH, ["move.ask"], [DEAR], 1)
    one, two = prompts_for(SCENE, TRUTH, ["move.first_turn"])["move.first_turn"].turns
    sent = made.input_tokens - base.input_tokens
    assert sent == 2 * IMAGE_TOKENS + (2 * len(one) + len(two)) // BYTES_PER_TOKEN
    assert (made.calls, made.requests) == (2, 3)


def test_the_price_is_that_of_the_tokens() -> None:
    made = estimate(SCENE, TRUTH, ["move.ask"], [DEAR], 10)
    low, high = made.output_tokens
    assert made.price == pytest.approx(
        tuple((made.input_tokens * 2 + tokens * 10) / 1e6 for tokens in (low, high))
    )


def test_one_unknown_price_makes_all_unknown() -> None:
    made = estimate(SCENE, TRUTH, BASICS, [DEAR, UNKNOWN], 1)
    assert made.price is None
    assert made.unpriced == ("unknown",)
    assert price_text(made.price) == "unknown price"


def test_an_unknown_condition_is_refused() -> None:
    with pytest.raises(UserError, match="no such condition"):
        estimate(SCENE, TRUTH, ["move.nothing"], [FREE], 1)


@given(
    names=st.lists(st.sampled_from(NAMES), min_size=1, unique=True),
    samples=st.integers(1, 20),
)
def test_an_estimate_is_whole_for_any_choice(names: list[str], samples: int) -> None:
    made = estimate(SCENE, TRUTH, names, [DEAR], samples)
    assert made.conditions == (*names, *made.joined)
    assert not set(made.joined) & set(names)
    assert made.calls == samples * len(made.conditions)
    assert made.requests >= made.calls
    assert all(set(pair) <= set(made.conditions) for pair in made.pairs)
    assert made.price is not None
    assert 0 < made.price[0] < made.price[1]


@pytest.mark.parametrize(
    ("conditions", "profiles", "why"),
    [
        ((), (FREE,), "conditions"),
        (("move.ask",), (), "profiles"),
        (("move.ask",), (FREE, DEAR), "mixed"),
        (("move.ask",), (DEAR, UNKNOWN), ""),
        (("move.ask",), (FREE,), ""),
    ],
)
def test_what_forbids_sending(
    conditions: tuple[str, ...], profiles: tuple[Profile, ...], why: str
) -> None:
    found = blocked(conditions, profiles)
    assert found == why
    assert bool(BLOCKED_WORDS[found]) == bool(why)


@pytest.mark.parametrize(
    ("price", "text"),
    [
        (None, "unknown price"),
        ((0.0, 0.0), "free"),
        ((0.0001, 0.0099), "under $0.01"),
        ((0.02, 0.314), "about $0.02 – 0.31"),
    ],
)
def test_prices_in_words(price: tuple[float, float] | None, text: str) -> None:
    assert price_text(price) == text


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0 k"),
        (9_949, "9.9 k"),
        (9_950, "10 k"),
        (28_700, "29 k"),
        (999_499, "999 k"),
        (999_500, "1.0 M"),
        (12_300_000, "12 M"),
    ],
)
def test_tokens_in_words(tokens: int, text: str) -> None:
    assert tokens_text(tokens) == text


def test_own_profiles_hide_presets_of_their_name() -> None:
    preset = presets()[2]
    own = replace(preset, model="another")
    save_profiles((own, replace(own, name="mine")))
    known = known_profiles()
    names = [profile.name for profile in known]
    assert len(set(names)) == len(names) == len(presets()) + 1
    assert known[names.index(preset.name)].model == "another"

"""Practice coders err as often as they say, each for himself, and quote verbatim."""

from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.coders import (
    READINGS,
    PracticeCoder,
    two_coders,
)
from director_gui.runner.practice.draws import generator
from director_gui.runner.practice.traces import Codes, Thought, write_trace

TRUTH = Codes("own-view", "no", "yes", "I go by what I see.")
TEXT = "There are blocks. I go by what I see. The answer is 3."


def near(share: float, expected: float, n: int) -> bool:
    return abs(share - expected) <= 4 * (expected * (1 - expected) / n) ** 0.5


def test_each_code_is_wrong_at_the_stated_rate() -> None:
    coder, n = PracticeCoder("a", 1, error_rate=0.2), 2000
    found = [coder.code(f"{TEXT} {i}", TRUTH) for i in range(n)]
    assert near(fmean(c.reading != TRUTH.reading for c in found), 0.2, n)
    assert near(fmean(c.sees_choice != TRUTH.sees_choice for c in found), 0.2, n)
    assert near(fmean(c.works_out != TRUTH.works_out for c in found), 0.2, n)
    assert {code.reading for code in found} == set(READINGS)


def test_two_coders_err_apart() -> None:
    n, e = 2000, 0.2
    first, second = two_coders(3, e)
    pairs = [
        (first.code(f"{TEXT} {i}", TRUTH), second.code(f"{TEXT} {i}", TRUTH))
        for i in range(n)
    ]
    assert near(fmean(a.works_out == b.works_out for a, b in pairs), 0.68, n)
    same = fmean(a.reading == b.reading for a, b in pairs)
    assert near(same, (1 - e) ** 2 + e**2 / 4, n)


def test_a_perfect_coder_repeats_the_truth() -> None:
    assert PracticeCoder("a", 1, error_rate=0.0).code(TEXT, TRUTH) == TRUTH


def test_a_wrong_reading_quotes_another_sentence() -> None:
    wrong = PracticeCoder("a", 1, error_rate=1.0).code(TEXT, TRUTH)
    assert wrong.reading != TRUTH.reading
    assert wrong.quote in TEXT


def test_a_quote_that_was_cut_from_the_item_is_replaced() -> None:
    gone = replace(TRUTH, quote="This sentence is not there.")
    assert PracticeCoder("a", 1, error_rate=0.0).code(TEXT, gone).quote in TEXT


def test_the_same_item_gets_the_same_codes_and_coders_differ_by_seed() -> None:
    def all_codes(seed: int) -> list[Codes]:
        coder = PracticeCoder("a", seed, error_rate=0.5)
        return [coder.code(f"{TEXT} {i}", TRUTH) for i in range(20)]

    assert all_codes(1) == all_codes(1)
    assert all_codes(1) != all_codes(2)


@given(st.text(min_size=1), st.integers(0, 50))
def test_every_quote_occurs_in_the_item(text: str, seed: int) -> None:
    coder = PracticeCoder("a", seed, error_rate=0.5)
    if text.strip():
        code = coder.code(text, TRUTH)
        assert code.quote
        assert code.quote in text
    else:
        with pytest.raises(ValueError, match="empty"):
            coder.code(text, TRUTH)


def test_quotes_from_real_practice_traces_are_sentences(scene: KnownScene) -> None:
    coder = PracticeCoder("a", 1, error_rate=1.0)
    for i in range(50):
        thought = Thought((2, 5, 8), works_out=True, reading="own-view", choice=3)
        trace = write_trace(generator(i), scene, thought)
        assert trace.codes is not None
        quote = coder.code(trace.text, trace.codes).quote
        assert quote in trace.text
        assert quote[-1] in ".?!"
        assert len(quote) > 8

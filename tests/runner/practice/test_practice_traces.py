"""Traces state their codes, and the codes can be read back from the words."""

import re
import tomllib
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui import assets
from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.coders import READINGS, SEES_CHOICE, WORKS_OUT
from director_gui.runner.practice.draws import generator
from director_gui.runner.practice.mixture import Reading
from director_gui.runner.practice.traces import (
    Thought,
    Trace,
    true_codes,
    write_trace,
)

CASES = list(product(READINGS, (True, False), ((2, 5, 8), (2, 3, 5, 8), (2, 8), ())))


def traces(scene: KnownScene, thought: Thought, count: int = 30) -> list[Trace]:
    return [write_trace(generator("trace", i), scene, thought) for i in range(count)]


@pytest.mark.parametrize(("reading", "works_out", "belief"), CASES)
def test_codes_are_read_back_from_the_words(
    scene: KnownScene, reading: Reading, belief: tuple[int, ...], *, works_out: bool
) -> None:
    for trace in traces(scene, Thought(belief, works_out, reading, 5)):
        assert trace.codes is not None
        assert trace.codes.reading == reading
        assert trace.codes.works_out == ("yes" if works_out else "no")
        assert true_codes(trace.text) == trace.codes
        assert trace.codes.quote in trace.text


@pytest.mark.parametrize(("reading", "works_out", "belief"), CASES)
def test_traces_are_readable_english_of_the_stated_length(
    scene: KnownScene, reading: Reading, belief: tuple[int, ...], *, works_out: bool
) -> None:
    found = traces(scene, Thought(belief, works_out, reading, 5))
    for trace in found:
        assert 40 <= len(trace.text.split()) <= 200
        assert not re.search(r"[$`{}<]|None", trace.text)
        assert all(f"{digit} (" in trace.text for digit in scene.digits)
        assert "20 cm" in trace.text
    assert len({trace.text for trace in found}) > 10


@pytest.mark.parametrize(
    ("works_out", "reading", "belief", "sees"),
    [
        (True, "own-view", (2, 5, 8), "no"),
        (True, "own-view", (2, 3, 5, 8), "yes"),
        (True, "director-view", (3, 5), "yes"),
        (False, "own-view", (2, 5, 8), "not-said"),
        (False, "largest-digit", (3,), "not-said"),
    ],
)
def test_sees_choice_follows_from_the_thought(
    scene: KnownScene,
    reading: Reading,
    belief: tuple[int, ...],
    sees: str,
    *,
    works_out: bool,
) -> None:
    for trace in traces(scene, Thought(belief, works_out, reading, 3), 5):
        assert trace.codes is not None
        assert trace.codes.sees_choice == sees


def test_a_trace_without_a_choice_has_no_codes(scene: KnownScene) -> None:
    for trace in traces(scene, Thought((2, 5), works_out=True)):
        assert trace.codes is None
        assert true_codes(trace.text) is None
        assert "None" not in trace.text


@pytest.mark.parametrize("text", ["", "I pick 5.", "The director sees $seen.", "\0"])
def test_other_texts_have_no_codes(text: str) -> None:
    assert true_codes(text) is None


@given(
    digits=st.lists(st.integers(0, 99), min_size=1, max_size=12, unique=True),
    data=st.data(),
)
def test_any_scene_can_be_written_about_and_read_back(
    digits: list[int], data: st.DataObject
) -> None:
    scene = KnownScene(
        name="any",
        digits=tuple(digits),
        sizes={digit: 0.05 + digit / 300 for digit in digits},
        sees=tuple(digits),
        hidden=None,
        director_view=digits[0],
        model_view=digits[0],
    )
    belief = tuple(data.draw(st.lists(st.sampled_from(digits), unique=True)))
    thought = Thought(
        belief,
        data.draw(st.booleans()),
        data.draw(st.sampled_from(READINGS)),
        data.draw(st.sampled_from(digits)),
    )
    rng = generator(data.draw(st.integers(0, 9)))
    trace = write_trace(rng, scene, thought)
    assert true_codes(trace.text) == trace.codes


def test_codes_survive_the_item_around_them(scene: KnownScene) -> None:
    trace = write_trace(generator(1), scene, Thought((2, 5), True, "own-view", 3))  # noqa: FBT003
    assert true_codes(f"Note.\n\n{trace.text}\n\nChoice: 3") == trace.codes


def test_the_codes_are_those_of_the_codebook() -> None:
    book = tomllib.loads(assets.read_text("codebooks/reading.toml"))
    codes = {
        field["name"]: {code["name"] for code in field.get("codes", ())}
        for field in book["fields"]
    }
    assert codes["reading"] == set(READINGS)
    assert codes["sees_choice"] == set(SEES_CHOICE)
    assert codes["works_out"] == set(WORKS_OUT)


def test_the_smallest_block_is_asked_for_in_words(scene: KnownScene) -> None:
    small = replace(scene, extreme="smallest")
    trace = write_trace(generator(1), small, Thought((2,), True, "own-view", 2))  # noqa: FBT003
    assert "smallest" in trace.text
    assert "largest" not in trace.text

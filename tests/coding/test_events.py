import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import events
from coding.errors import CodingError
from coding.events import Event, Header
from tests.strategies import QUICK

ITEM, PREV = "ab" * 16, "cd" * 32
HEADER = Header("12" * 16, "34" * 32, "56" * 32, "ann")
SEQ = st.integers(1, 1000)
# Lone surrogates alone: two side by side are one character to every JSON reader.
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
EVENTS = st.one_of(
    st.builds(
        Event,
        SEQ,
        st.just("code"),
        st.just(ITEM),
        st.just("reading"),
        st.none() | TEXT,
    ),
    st.builds(
        Event,
        SEQ,
        st.just("quote"),
        st.just(ITEM),
        st.just("quote"),
        st.none() | TEXT,
        st.integers(0, 99),
        st.integers(0, 99),
    ),
    st.builds(Event, SEQ, st.just("note"), st.just(ITEM), value=TEXT),
    st.builds(
        Event,
        SEQ,
        st.sampled_from(["skip", "flag"]),
        st.just(ITEM),
        value=st.booleans(),
    ),
    st.builds(
        Event,
        SEQ,
        st.just("guess"),
        st.just(ITEM),
        value=st.sampled_from([*events.GUESSES, None]),
    ),
    st.builds(Event, SEQ, st.sampled_from(["undo", "redo"]), st.just(ITEM), target=SEQ),
)


@QUICK
@given(EVENTS)
def test_an_event_comes_back_from_its_line(event: Event) -> None:
    line = events.event_line(event, PREV)
    assert b"\n" not in line
    assert events.read_event(line, "f") == (event, PREV)


def test_a_header_comes_back_from_its_line() -> None:
    line = events.header_line(HEADER)
    assert b"\n" not in line
    assert events.read_header(line, "f") == HEADER


def test_a_lone_surrogate_in_a_note_is_kept() -> None:
    event = Event(1, "note", ITEM, value="a\ud800b")
    assert events.read_event(events.event_line(event, PREV), "f")[0] == event


def line_of(**changes: object) -> bytes:
    good = {
        "seq": 1,
        "event": "code",
        "item": ITEM,
        "prev": PREV,
        "field": "reading",
        "value": "own-view",
    }
    value = {**good, **changes}
    return json.dumps({k: v for k, v in value.items() if v != "-"}).encode()


def test_the_good_line_is_good() -> None:
    event, prev = events.read_event(line_of(), "f")
    assert (event.value, prev) == ("own-view", PREV)


@pytest.mark.parametrize(
    "changes",
    [
        {"seq": 0},
        {"seq": 1.0},
        {"seq": True},
        {"seq": 10**12},
        {"event": "delete"},
        {"event": None},
        {"event": ["code"]},
        {"item": "../x"},
        {"item": 5},
        {"prev": "0" * 63},
        {"prev": None},
        {"field": 3},
        {"field": "x" * 33},
        {"value": 1},
        {"value": ["own-view"]},
        {"value": "x" * 20_001},
        {"value": "-"},
        {"extra": 1},
        {"event": "skip", "field": "-", "value": "yes"},
        {"event": "flag", "field": "-", "value": None},
        {"event": "undo", "field": "-", "value": "-"},
        {"event": "undo", "field": "-", "value": "-", "target": 0},
        {"event": "quote", "start": -1, "end": 3},
        {"event": "quote", "start": 0},
        {"event": "quote", "start": 0, "end": 10**9},
    ],
    ids=str,
)
def test_lines_that_are_no_events(changes: dict[str, object]) -> None:
    with pytest.raises(CodingError) as caught:
        events.read_event(line_of(**changes), "log, line 7")
    assert caught.value.where.startswith("log, line 7")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", "director-results/2"),
        ("packet", "x"),
        ("manifest", None),
        ("codebook", "0" * 65),
        ("alias", "a/b"),
        ("alias", ""),
        ("model", "gpt-6-sol"),
    ],
)
def test_lines_that_are_no_headers(key: str, value: object) -> None:
    good = json.loads(events.header_line(HEADER))
    with pytest.raises(CodingError, match=key):
        events.read_header(json.dumps({**good, key: value}).encode(), "f")


@pytest.mark.parametrize("value", ["move.ask", "", "yes", 1, True])
def test_only_our_guesses_are_guesses(value: object) -> None:
    """A results file could otherwise carry anything past the codes' checks."""
    good = events.event_line(Event(1, "guess", ITEM, value="asked"), PREV)
    forged = json.dumps({**json.loads(good), "value": value}).encode()
    with pytest.raises(CodingError, match="value"):
        events.read_event(forged, "f")

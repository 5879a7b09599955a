"""Which replies can be coded, and how they are drawn."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.errors import UserError
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study, create_study
from director_gui.study.blind.known import KnownItem
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sampling import Sampling, drawn
from director_gui.study.blind.sealing import (
    UnresolvedHitsError,
    default_codebook,
    seal_packet,
)
from director_gui.study.blind.traces import Wanted, traces_in
from tests.blind_studies import OPEN, Desk, add_replies, attempt

ANSWER = '{"choice": 3, "visible": [5, 8]}'
REPLIES = (
    (ANSWER, "The largest is 3."),
    (f"<think>The largest is 3.</think>{ANSWER}", None),
    (ANSWER, None),
    (ANSWER, "  \n"),
    ("I do not know.", "Hard to tell."),
)


@pytest.fixture
def mixed(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as study:
        planned = add_replies(study, 3, 1, answered=False)
        for one, (text, reasoning) in zip(planned, REPLIES, strict=False):
            add_attempts(study, [attempt(one, text, reasoning)])
        yield study


def test_replies_without_a_trace_are_counted_not_coded(mixed: Study) -> None:
    found = traces_in(mixed, Wanted())
    tally = found.tally
    assert (tally.calls, tally.traces, tally.without_reasoning) == (6, 2, 2)
    assert (tally.without_choice, tally.unanswered) == (1, 1)
    assert tally.in_words() == (
        "2 of 6 replies have a trace to code; 2 without reasoning, not coded; "
        "1 without a choice; 1 unanswered"
    )


def test_reasoning_between_markers_reads_like_reasoning_apart(mixed: Study) -> None:
    items = prepare(mixed, Request()).items
    assert {item.text for item in items} == {"The largest is 3.\n\nChoice: 3"}


@pytest.mark.parametrize("name", ["runs", "models", "conditions"])
def test_a_filter_for_what_is_not_there_is_refused(mixed: Study, name: str) -> None:
    with pytest.raises(UserError, match="no such"):
        traces_in(mixed, Wanted(**{name: ("nope",)}))


def test_filters_choose(desk: Desk) -> None:
    add_replies(desk.study, 2, 1, profiles=(replace(OPEN, name="other"),), run="run-2")
    every = traces_in(desk.study, Wanted()).found
    for wanted, name, value in (
        (Wanted(models=("other",)), "model", "other"),
        (Wanted(conditions=("move.ask",)), "condition", "move.ask"),
        (Wanted(runs=("label of run-2",)), "model", "other"),
    ):
        chosen = traces_in(desk.study, wanted).found
        assert chosen == tuple(t for t in every if getattr(t, name) == value)
        assert chosen


def test_a_study_without_traces_says_what_to_do(tmp_path: Path) -> None:
    with (
        create_study(tmp_path / "a.study", "a") as study,
        pytest.raises(UserError, match="there is no trace to code"),
    ):
        prepare(study, Request())


def test_a_stratified_draw_takes_from_each_stratum_in_turn(desk: Desk) -> None:
    traces = traces_in(desk.study, Wanted()).found
    there = Counter(t.stratum for t in traces)
    for size in range(1, len(traces) + 1):
        chosen = drawn(traces, Sampling(size, "stratified", 3))
        taken = Counter(t.stratum for t in chosen)
        most = max(taken.values())
        assert len(chosen) == size
        assert all(taken[s] >= min(n, most - 1) for s, n in there.items())


def test_the_seed_decides_the_draw(desk: Desk) -> None:
    traces = traces_in(desk.study, Wanted()).found
    draws = {
        tuple(t.ref for t in drawn(traces, Sampling(5, "simple", seed)))
        for seed in (1, 1, 2, 3)
    }
    assert len(draws) == 3
    assert drawn(traces, Sampling(None)) != traces  # in a random order
    with pytest.raises(UserError, match="at least one"):
        drawn(traces, Sampling(0))


def test_each_trace_is_drawn_equally_often(desk: Desk) -> None:
    traces = traces_in(desk.study, Wanted()).found
    counts = Counter(
        t.ref for seed in range(600) for t in drawn(traces, Sampling(4, "simple", seed))
    )
    expected = 600 * 4 / len(traces)
    assert len(counts) == len(traces)
    spread = 5 * (expected * (1 - 4 / len(traces))) ** 0.5  # 5 standard errors
    assert all(abs(n - expected) < spread for n in counts.values())


def test_hits_must_be_resolved_before_a_packet_exists(desk: Desk) -> None:
    said = "I was asked which blocks can the director see, so 3."
    for one in add_replies(desk.study, 1, 1, run="run-2", answered=False):
        add_attempts(desk.study, [attempt(one, ANSWER, said)])
    prepared = prepare(desk.study, Request(Wanted(runs=("run-2",))))
    (finding,) = prepared.findings
    with pytest.raises(UnresolvedHitsError, match="which blocks can the director see"):
        seal_packet(desk.study, prepared, default_codebook(), "me")
    found = seal_packet(
        desk.study,
        prepared,
        default_codebook(),
        "me",
        decisions={finding.name: "cut"},
    )
    texts = {item.text for item in found.packet.items}
    assert texts == {"I was asked , so 3.\n\nChoice: 3"}
    cuts = [s["hidden"]["cuts"][0] for s in found.stored.key["items"].values()]
    assert {cut["text"] for cut in cuts} == {"which blocks can the director see"}
    with pytest.raises(UserError, match="1 to"):
        seal_packet(
            desk.study,
            prepared,
            default_codebook(),
            "me",
            decisions={finding.name: "leave_out"},
        )


@pytest.mark.parametrize("odd", ["\x00", "\u202e", "\r\n", "\u2028", "\U0001f600"])
def test_odd_characters_are_sealed_as_they_are(desk: Desk, odd: str) -> None:
    """Also inside a phrase that is cut, whose text the key keeps."""
    said = f"It asks{odd} which blocks{odd} can the director see, by GPT{odd}."
    for one in add_replies(desk.study, 1, 1, run="run-2", answered=False):
        add_attempts(desk.study, [attempt(one, ANSWER, said)])
    prepared = prepare(desk.study, Request(Wanted(runs=("run-2",))))
    decisions = {finding.name: "cut" for finding in prepared.findings}
    found = seal_packet(
        desk.study, prepared, default_codebook(), "me", decisions=decisions
    )
    texts = {item.text for item in found.packet.items}
    assert texts == {f"It asks{odd} , by ▇{odd}.\n\nChoice: 3"}
    assert found.keeps_commitment()


def test_a_lone_surrogate_in_a_cut_phrase_does_not_break_the_key(desk: Desk) -> None:
    said = "It asks which blocks\ud800 can the director see."
    known = (KnownItem("1", said, 3, {"reading": "own-view"}),)
    prepared = prepare(desk.study, Request(size=2, known=known))
    decisions = {finding.name: "cut" for finding in prepared.findings}
    assert decisions
    found = seal_packet(
        desk.study, prepared, default_codebook(), "me", decisions=decisions
    )
    assert "It asks .\n\nChoice: 3" in {item.text for item in found.packet.items}
    assert found.keeps_commitment()

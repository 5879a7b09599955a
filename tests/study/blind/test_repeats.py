"""Traces that are in one packet twice: unmarked, apart from all counts, and told."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from coding.results import CodingSession
from director_gui.errors import UserError
from director_gui.store.database import create_study
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.keys import REPEAT, Opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import passes_of
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, seal_packet
from director_gui.study.blind.unblinding import reveal, unblind
from tests.blind_studies import Desk, seeded


@pytest.fixture
def doubled(desk: Desk) -> Opened:
    return desk.seal(Request(seed=5, repeats=4))


def test_a_repeat_has_the_text_of_its_first_time_and_an_id_of_its_own(
    desk: Desk, doubled: Opened
) -> None:
    plain = desk.seal(Request(seed=5), seed=2)
    assert len(doubled.packet.items) == len(plain.packet.items) + 4
    assert len(doubled.repeats) == 4
    first = {call: item for item, call in doubled.calls.items()}
    for item, call in doubled.repeats.items():
        assert item != first[call]
        text = doubled.packet.item(first[call]).text
        assert doubled.packet.item(item).text == text


def test_only_the_key_marks_it(doubled: Opened) -> None:
    told = (
        doubled.stored.file
        + json.dumps([[i.id, i.text] for i in doubled.packet.items]).encode()
    )
    assert REPEAT.encode() not in told
    marked = [
        i for i, s in doubled.stored.key["items"].items() if s["hidden"].get("repeat")
    ]
    assert sorted(marked) == sorted(doubled.repeats)


def test_repeats_stand_anywhere_in_the_packet(desk: Desk) -> None:
    """Not at the end, and not always behind their first time."""
    behind = []
    for seed in range(4):
        found = desk.seal(Request(seed=5, repeats=6), seed=seed)
        places = found.packet.positions
        first = {call: item for item, call in found.calls.items()}
        behind += [
            places[item] > places[first[call]] for item, call in found.repeats.items()
        ]
    assert 0 < sum(behind) < len(behind)


def test_no_label_decides_which_trace_comes_twice(desk: Desk, tmp_path: Path) -> None:
    prepared = prepare(desk.study, Request(seed=5, repeats=5))
    other = {"model": "other", "condition": "x", "scene": "s"}
    moved = replace(
        prepared,
        traces=tuple(replace(t, **other) for t in reversed(prepared.traces)),
        repeats=tuple(replace(t, **other) for t in reversed(prepared.repeats)),
        items=(
            *reversed(prepared.items[: len(prepared.traces)]),
            *reversed(prepared.items[len(prepared.traces) :]),
        ),
    )
    files = []
    for at, one in enumerate((prepared, moved)):
        with create_study(tmp_path / f"{at}.study", "x") as study:
            source = seeded(1)
            book = default_codebook()
            found = seal_packet(study, one, book, "me", random_bytes=source)
            files.append(found.stored.file)
    assert files[0] == files[1]


def test_each_coder_is_compared_with_himself(desk: Desk, doubled: Opened) -> None:
    paths = [desk.code(doubled, at, error=0.0) for at in (0, 1)]
    slip = next(iter(doubled.repeats))
    with CodingSession(doubled.packet, paths[1], "practice-coder-2") as session:
        now = session.state(slip).values["reading"]
        session.record_code(
            slip, "reading", "no-rule" if now != "no-rule" else "own-view"
        )
    merge_results(desk.study, paths, "me")
    found = agreement_of(desk.study, doubled.stored.id)
    one, two = found.within["reading"]
    assert (one.a, one.kappa.agree, one.kappa.n) == ("practice-coder-1", 4, 4)
    assert (two.kappa.agree, two.kappa.n) == (3, 4)
    # Between coders each reply counts once, so the slip is not in the table.
    (pair,) = found.fields["reading"].pairs
    assert pair.kappa.n == len(doubled.calls)
    assert pair.kappa.agree == pair.kappa.n
    value = json.loads(json.dumps(found.value(), allow_nan=False))
    assert value["within"]["reading"][1]["agree"] == 3


def test_without_repeats_nobody_is_compared_with_himself(desk: Desk) -> None:
    found = desk.coded()
    result = agreement_of(desk.study, found.stored.id)
    assert not any(result.within.values())
    assert result.value()["within"] == {}


def test_a_reply_counts_once_when_codes_are_joined(desk: Desk, doubled: Opened) -> None:
    merge_results(desk.study, [desk.code(doubled)], "me")
    (one,) = passes_of(desk.study, doubled)
    assert len(one.codes("reading")) == len(doubled.calls)
    assert set(one.repeated("reading")) <= set(one.codes("reading"))
    unblind(desk.study, doubled.stored.id, "me", "done")
    (joined,) = joined_codes(desk.study, doubled.stored.id).passes
    assert sum(arm.n for arm in joined.arms) == len(doubled.calls)


def test_a_second_pass_repeats_the_replies_once(desk: Desk, doubled: Opened) -> None:
    again = desk.seal(Request(again=doubled.stored.id), seed=3)
    assert sorted(again.calls.values()) == sorted(doubled.calls.values())
    assert not again.repeats
    with pytest.raises(UserError, match="second pass holds no repeats"):
        prepare(desk.study, Request(again=doubled.stored.id, repeats=2))


@pytest.mark.parametrize("count", [-1, 17, 1000])
def test_more_repeats_than_traces_are_refused(desk: Desk, count: int) -> None:
    with pytest.raises(UserError, match="cannot be repeated"):
        prepare(desk.study, Request(seed=5, repeats=count))


def test_a_repeat_can_be_revealed_too(desk: Desk, doubled: Opened) -> None:
    item, call = next(iter(doubled.repeats.items()))
    seen = reveal(desk.study, doubled.stored.id, item, "me", "it cannot be read")
    assert seen.call == call

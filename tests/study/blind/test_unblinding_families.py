"""Packets that hold the same items are unblinded together, or not at all."""

import json
from dataclasses import replace

import pytest

from coding.results import CodingSession
from director_gui.errors import CheckFailedError, UserError
from director_gui.store.log import entries
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import UNBLINDED, kin, passes_of, unblinding_of
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, seal_packet
from director_gui.study.blind.unblinding import unblind
from tests.blind_studies import Desk, seeded


def pair_of(desk: Desk) -> tuple[Opened, Opened]:
    """One packet for each coder."""
    first = desk.seal()
    return first, desk.seal(Request(again=first.stored.id), seed=2)


@pytest.mark.parametrize("asked", [0, 1])
def test_one_reason_opens_every_packet_of_the_items(desk: Desk, asked: int) -> None:
    packets = pair_of(desk)
    other = desk.seal(Request(seed=9), seed=3)
    merge_results(desk.study, [desk.code(p, at) for at, p in enumerate(packets)], "me")
    entry = unblind(desk.study, packets[asked].stored.id, "ann", "both are done")
    assert entry.detail["packet"] == packets[asked].stored.id
    for at, one in enumerate(packets):
        told = unblinding_of(desk.study, one.stored.id)
        assert told is not None
        assert (told.actor, told.detail["reason"]) == ("ann", "both are done")
        assert told.detail["together"] == [p.stored.id for p in packets]
        (result,) = told.detail["results"]
        assert result["alias"] == f"practice-coder-{at + 1}"
        assert joined_codes(desk.study, one.stored.id).passes
    # Another draw of the same replies is a packet of its own.
    assert unblinding_of(desk.study, other.stored.id) is None


def test_a_coder_of_the_other_packet_is_late_too(desk: Desk) -> None:
    """They could have been told, and their codes would look like blind ones."""
    first, second = pair_of(desk)
    merge_results(desk.study, [desk.code(first)], "me")
    unblind(desk.study, first.stored.id, "me", "too early")
    (file,) = merge_results(desk.study, [desk.code(second, 1)], "me").files
    assert file.late
    (one,) = passes_of(desk.study, second)
    assert "made after" not in one.name
    assert (one.coded, one.missing) == (0, len(second.packet.items))
    assert passes_of(desk.study, second, late=True)[0].done


def test_codes_changed_in_the_other_packet_are_left_out(desk: Desk) -> None:
    first, second = pair_of(desk)
    path = desk.code(second, 1)
    merge_results(desk.study, [desk.code(first), path], "me")
    before = passes_of(desk.study, second)[0].codes("reading")
    unblind(desk.study, first.stored.id, "me", "done")
    item = second.packet.items[0].id
    wanted = "no-rule" if before[second.calls[item]] != "no-rule" else "own-view"
    with CodingSession(second.packet, path, "practice-coder-2") as session:
        session.record_code(item, "reading", wanted)
    assert merge_results(desk.study, [path], "me").files[0].late
    (one,) = passes_of(desk.study, second)
    assert (one.late, one.codes("reading")) == (1, before)


def test_another_codebook_keeps_no_packet_of_the_items_blind(desk: Desk) -> None:
    first = desk.seal()
    book = replace(default_codebook(), version=2)
    prepared = prepare(desk.study, Request(again=first.stored.id))
    second = seal_packet(desk.study, prepared, book, "me", random_bytes=seeded(2))
    assert [p.stored.id for p in kin(desk.study, second.stored.id)] == [
        first.stored.id,
        second.stored.id,
    ]
    unblind(desk.study, second.stored.id, "me", "done")
    assert unblinding_of(desk.study, first.stored.id) is not None


def test_a_pass_made_afterwards_is_opened_by_itself(desk: Desk) -> None:
    """Its coder gets new ids and knows nothing; what was logged is not logged again."""
    first = desk.seal()
    unblind(desk.study, first.stored.id, "me", "done")
    later = desk.seal(Request(again=first.stored.id), seed=2)
    merge_results(desk.study, [desk.code(later)], "me")
    (one,) = passes_of(desk.study, later)
    assert one.late == 0
    assert one.name.endswith(f"({later.stored.id[:6]}, made after unblinding)")
    assert unblinding_of(desk.study, later.stored.id) is None
    unblind(desk.study, later.stored.id, "me", "done too")
    assert [e.detail["packet"] for e in entries(desk.study, UNBLINDED)] == [
        first.stored.id,
        later.stored.id,
    ]


@pytest.mark.parametrize("asked", [0, 1])
def test_one_changed_key_keeps_all_of_them_blind(desk: Desk, asked: int) -> None:
    packets = pair_of(desk)
    broken = packets[1]
    key = json.loads(json.dumps(broken.stored.key))
    key["about"]["models"] = ["another"]
    with desk.study.write() as db:
        db["packets"].update(broken.stored.id, {"key": json.dumps(key)})
    with pytest.raises(CheckFailedError, match="committed to") as refused:
        unblind(desk.study, packets[asked].stored.id, "me", "done")
    assert refused.value.where == broken.stored.id
    assert [e.detail["packet"] for e in entries(desk.study, f"{UNBLINDED}: refused")]
    for one in packets:
        with pytest.raises(UserError, match="still blind"):
            joined_codes(desk.study, one.stored.id)

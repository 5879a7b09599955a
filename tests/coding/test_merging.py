from collections.abc import Mapping
from pathlib import Path

import pytest

from coding import packet
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.merging import merge
from coding.packet import Entry, Packet
from coding.results import CodingSession


@pytest.fixture
def packets(pack: Packet) -> Mapping[str, Packet]:
    return {pack.id: pack}


def work(pack: Packet, path: Path, readings: list[str], alias: str = "ann") -> bytes:
    """A results file in which the first items got these readings in full."""
    with CodingSession(pack, path, alias) as session:
        for item, reading in zip(pack.items, readings, strict=False):
            session.record_code(item.id, "reading", reading)
            session.record_quote(item.id, 0, 3)
            session.record_code(item.id, "sees_choice", "no")
            session.record_code(item.id, "works_out", "yes")
    return path.read_bytes()


def test_a_first_merge_reports_what_is_there(
    session: CodingSession, pack: Packet, packets: Mapping[str, Packet]
) -> None:
    items = [item.id for item in pack.items]
    session.set_skip(items[0])
    session.record_code(items[1], "reading", "own-view")
    session.close()
    work(pack, session.path.with_name("b.jsonl"), ["no-rule"] * 6, "bob")
    begun = merge(session.path.read_bytes(), packets)
    assert (begun.coded, begun.skipped, begun.missing) == (0, 1, 5)
    whole = merge(session.path.with_name("b.jsonl").read_bytes(), packets)
    assert (whole.coded, whole.skipped, whole.missing) == (6, 0, 0)
    assert (whole.change, whole.events, whole.header.alias) == ("new", 24, "bob")
    assert {s.values["reading"] for s in whole.states.values()} == {"no-rule"}
    assert list(whole.states) == items
    assert whole.data == session.path.with_name("b.jsonl").read_bytes()


def test_the_same_file_twice_changes_nothing(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet]
) -> None:
    data = work(pack, log_path, ["own-view"] * 2)
    first = merge(data, packets)
    again = merge(data, packets, known=first.data)
    assert again.change == "same"
    assert (again.states, again.head) == (first.states, first.head)


def test_a_longer_chain_updates_and_a_shorter_is_older(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet]
) -> None:
    short = work(pack, log_path, ["own-view"])
    with CodingSession(pack, log_path, "ann") as session:
        session.undo()
        session.set_skip(pack.items[3].id)
    long = log_path.read_bytes()
    updated = merge(long, packets, known=short)
    assert updated.change == "update"
    assert (updated.coded, updated.skipped) == (0, 1)
    assert merge(short, packets, known=long).change == "older"


def test_a_fork_is_refused_and_both_ends_are_shown(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet]
) -> None:
    start = work(pack, log_path, ["own-view"])
    heads, files = [], []
    for flag in (0, 1):
        log_path.write_bytes(start)
        with CodingSession(pack, log_path, "ann") as session:
            session.set_flag(pack.items[flag].id)
            if flag:
                session.set_flag(pack.items[2].id)
            heads.append(session.head)
        files.append(log_path.read_bytes())
    with pytest.raises(CodingError, match="two different") as caught:
        merge(files[0], packets, known=files[1])
    said = str(caught.value)
    assert "after event 4" in said
    assert f"1 more event up to {heads[0][:12]} here" in said
    assert f"2 more events up to {heads[1][:12]} known" in said


def test_two_separate_beginnings_are_a_fork(
    pack: Packet, tmp_path: Path, packets: Mapping[str, Packet]
) -> None:
    one = work(pack, tmp_path / "1", ["own-view"])
    two = work(pack, tmp_path / "2", ["no-rule", "no-rule"])
    with pytest.raises(CodingError, match="after event 0"):
        merge(one, packets, known=two)


def test_an_unknown_packet_is_refused(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet], book: Codebook
) -> None:
    data = work(pack, log_path, ["own-view"])
    other = packet.seal([Entry("r", "text")], book).packet
    with pytest.raises(CodingError, match="not released"):
        merge(data, {other.id: other}, where="ann.jsonl")
    # A packet that claims the id but holds other texts does not help.
    posing = Packet(pack.id, other.items, book, other.commitment, other.manifest)
    with pytest.raises(CodingError, match="other contents"):
        merge(data, {pack.id: posing})
    assert merge(data, packets).coded == 1


def test_another_coder_is_not_an_update(
    pack: Packet, tmp_path: Path, packets: Mapping[str, Packet]
) -> None:
    ann = work(pack, tmp_path / "a", ["own-view"], "ann")
    bob = work(pack, tmp_path / "b", ["own-view"], "bob")
    with pytest.raises(CodingError, match="is not the coder"):
        merge(ann, packets, known=bob)


def test_changed_results_are_refused(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet]
) -> None:
    data = work(pack, log_path, ["own-view"])
    for old, new in (
        (b"own-view", b"no-rule"),
        (b'"The"', b'"the"'),
        (b'"end":3', b'"end":4'),
    ):
        changed = data.replace(old, new)
        assert changed != data
        with pytest.raises(CodingError, match="line"):
            merge(changed, packets)


def test_a_copy_taken_in_the_middle_of_a_line_gives_what_holds(
    pack: Packet, log_path: Path, packets: Mapping[str, Packet]
) -> None:
    data = work(pack, log_path, ["own-view", "own-view"])
    whole = merge(data, packets)
    cut = merge(data[:-20], packets)
    assert (cut.events, cut.coded) == (whole.events - 1, 1)
    assert data.startswith(cut.data)
    assert merge(data, packets, known=cut.data).change == "update"
    unended = merge(data[:-1], packets)
    assert (unended.events, unended.data) == (whole.events, data)


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"hello\n", b"[]\n", b"\xff\n", b"x" * 9999]
)
def test_what_is_no_results_file_is_refused(
    data: bytes, packets: Mapping[str, Packet]
) -> None:
    with pytest.raises(CodingError, match="line 1"):
        merge(data, packets)

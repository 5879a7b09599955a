import errno
import itertools
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from coding import results
from coding.canonical import sha256_hex
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.events import Event, event_line
from coding.packet import Packet
from coding.results import CodingSession
from coding.state import ItemState, Quote


def complete(session: CodingSession, item: str, reading: str = "own-view") -> None:
    session.record_code(item, "reading", reading)
    session.record_quote(item, 0, 3)
    session.record_code(item, "sees_choice", "not-said")
    session.record_code(item, "works_out", "no")


def states(session: CodingSession) -> list[ItemState]:
    return [session.state(item.id) for item in session.packet.items]


def test_every_kind_of_decision_is_kept(session: CodingSession, pack: Packet) -> None:
    item = pack.items[0]
    session.record_code(item.id, "reading", "own-view")
    session.record_quote(item.id, 4, 11)
    session.set_note(item.id, "an odd one\nwith two lines")
    session.set_flag(item.id)
    assert session.state(item.id) == ItemState(
        values={"reading": "own-view"},
        quotes={"quote": Quote(4, 11, "largest")},
        note="an odd one\nwith two lines",
        flagged=True,
    )
    assert session.status(item.id) == "started"
    assert session.state(pack.items[1].id) == ItemState()


def test_the_file_is_one_chain(session: CodingSession, pack: Packet) -> None:
    complete(session, pack.items[2].id)
    lines = session.path.read_bytes().splitlines()
    assert json.loads(lines[0]) == {
        "format": "director-results/1",
        "packet": pack.id,
        "manifest": pack.manifest,
        "codebook": pack.codebook.hash,
        "alias": "ann",
    }
    for seq, (before, line) in enumerate(itertools.pairwise(lines), 1):
        value = json.loads(line)
        assert value["seq"] == seq
        assert value["prev"] == sha256_hex(before)
    assert session.head == sha256_hex(lines[-1])
    assert session.path.name == f"{pack.id}-ann.jsonl"


def test_an_item_is_coded_when_every_required_field_is_given(
    session: CodingSession, pack: Packet
) -> None:
    item = pack.items[0].id
    assert session.status(item) == "open"
    complete(session, item)
    assert session.status(item) == "coded"
    session.clear_quote(item)
    assert session.status(item) == "started"
    session.record_quote(item, 0, 1)
    session.record_code(item, "works_out", None)
    assert session.state(item).values.keys() == {"reading", "sees_choice"}
    assert session.status(item) == "started"


def test_skipped_is_missing_until_it_is_taken_up_again(
    session: CodingSession, pack: Packet
) -> None:
    item = pack.items[0].id
    complete(session, item)
    session.set_skip(item)
    assert session.status(item) == "skipped"
    assert session.progress().coded == 0
    session.set_skip(item, on=False)
    assert session.status(item) == "coded"
    session.set_skip(item)
    session.record_code(item, "reading", "no-rule")
    assert session.status(item) == "coded"


def test_undo_and_redo_walk_through_the_states(
    session: CodingSession, pack: Packet
) -> None:
    first, second = pack.items[0].id, pack.items[1].id
    steps: list[Callable[[], None]] = [
        lambda: session.record_code(first, "reading", "own-view"),
        lambda: session.record_code(first, "reading", "no-rule"),
        lambda: session.record_quote(first, 1, 4),
        lambda: session.set_note(second, "note"),
        lambda: session.set_skip(second),
        lambda: session.set_flag(second),
        lambda: session.clear_quote(first),
    ]
    seen = [states(session)]
    for step in steps:
        step()
        seen.append(states(session))
    touched = []
    for expected in reversed(seen[:-1]):
        touched.append(session.undo())
        assert states(session) == expected
    assert touched == [first, second, second, second, first, first, first]
    assert session.undo() is None
    for expected in seen[1:]:
        assert session.redo() is not None
        assert states(session) == expected
    assert session.redo() is None


def test_a_new_decision_ends_redo(session: CodingSession, pack: Packet) -> None:
    item = pack.items[0].id
    session.record_code(item, "reading", "own-view")
    session.undo()
    assert session.can_redo()
    session.record_code(item, "reading", "no-rule")
    assert not session.can_redo()
    session.undo()
    assert session.state(item) == ItemState()
    assert not session.can_undo()


def test_reopening_goes_on_where_it_stopped(
    session: CodingSession, pack: Packet, log_path: Path
) -> None:
    complete(session, pack.items[0].id)
    session.record_code(pack.items[1].id, "reading", "own-view")
    session.undo()
    before, head, progress = states(session), session.head, session.progress()
    data = log_path.read_bytes()
    session.close()
    with CodingSession(pack, log_path, "ann") as again:
        assert (states(again), again.head) == (before, head)
        assert again.progress() == progress
        assert again.can_redo()
        assert log_path.read_bytes() == data
        assert again.redo() == pack.items[1].id
        assert again.state(pack.items[1].id).values == {"reading": "own-view"}


def test_next_uncoded_goes_round(session: CodingSession, pack: Packet) -> None:
    ids = [item.id for item in pack.items]
    assert session.next_uncoded() == pack.items[0]
    complete(session, ids[0])
    session.set_skip(ids[1])
    session.record_code(ids[2], "reading", "own-view")  # begun is not done
    assert session.next_uncoded() == pack.items[2]
    assert session.next_uncoded(after=ids[2]) == pack.items[3]
    assert session.next_uncoded(after=ids[-1]) == pack.items[2]
    for item in ids:
        session.set_skip(item)
    assert session.next_uncoded() is None
    assert session.next_uncoded(after=ids[3]) is None


def test_progress_and_time_left(pack: Packet, log_path: Path) -> None:
    now = [0.0]
    with CodingSession(pack, log_path, "ann", clock=lambda: now[0]) as session:
        assert session.progress() == results.Progress(6, 0, 0, 6, None)
        for item, second in zip(pack.items, (10.0, 30.0, 5000.0), strict=False):
            now[0] = second
            session.set_skip(item.id)
        # Items took 10 and 20 s; the lunch before the third does not count.
        assert session.progress() == results.Progress(6, 0, 3, 3, 3 * 15.0)
        session.set_skip(pack.items[0].id, on=False)
        complete(session, pack.items[0].id)
        assert session.progress().coded == 1
        assert session.progress().skipped == 2


REFUSED: dict[str, Callable[[CodingSession, str], object]] = {
    "unknown item": lambda s, _: s.record_code("0" * 32, "reading", "own-view"),
    "unknown field": lambda s, i: s.record_code(i, "mood", "own-view"),
    "unknown code": lambda s, i: s.record_code(i, "reading", "my own"),
    "yes/no/maybe": lambda s, i: s.record_code(i, "works_out", "not-said"),
    "code for a quote": lambda s, i: s.record_code(i, "quote", "x"),
    "quote for a code": lambda s, i: s.record_quote(i, 0, 1, "reading"),
    "empty quote": lambda s, i: s.record_quote(i, 2, 2),
    "quote outside": lambda s, i: s.record_quote(i, 0, 10_000),
    "quote from -1": lambda s, i: s.record_quote(i, -1, 1),
    "quote unknown item": lambda s, _: s.record_quote("f" * 32, 0, 1),
    "note too long": lambda s, i: s.set_note(i, "x" * 20_001),
    "skip unknown": lambda s, _: s.set_skip("f" * 32),
    "next unknown": lambda s, _: s.next_uncoded(after="f" * 32),
    "status unknown": lambda s, _: s.status("f" * 32),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_changes_nothing(
    session: CodingSession, pack: Packet, name: str
) -> None:
    complete(session, pack.items[0].id)
    data, before = session.path.read_bytes(), states(session)
    with pytest.raises(CodingError):
        REFUSED[name](session, pack.items[0].id)
    assert (session.path.read_bytes(), states(session)) == (data, before)


@pytest.mark.parametrize("alias", ["", "a b", "../x", "ä", "x" * 33, "-x", "a\n"])
def test_an_alias_is_a_plain_name(pack: Packet, tmp_path: Path, alias: str) -> None:
    with pytest.raises(CodingError, match="alias"):
        CodingSession(pack, tmp_path / "x.jsonl", alias)
    assert not (tmp_path / "x.jsonl").exists()


def test_two_windows_cannot_write_one_log(
    session: CodingSession, pack: Packet, log_path: Path
) -> None:
    with pytest.raises(CodingError, match="another window"):
        CodingSession(pack, log_path, "ann")
    session.set_flag(pack.items[0].id)  # the first one goes on
    session.close()
    CodingSession(pack, log_path, "ann").close()


def test_another_coder_packet_or_codebook_is_refused(
    session: CodingSession, pack: Packet, log_path: Path, book: Codebook
) -> None:
    session.close()
    with pytest.raises(CodingError, match='the coder "ann"'):
        CodingSession(pack, log_path, "bob")
    for other, why in (
        (Packet("0" * 32, pack.items, book, "0" * 64, pack.manifest), "packet"),
        (Packet(pack.id, pack.items, book, "0" * 64, "0" * 64), "other contents"),
    ):
        with pytest.raises(CodingError, match=why):
            CodingSession(other, log_path, "ann")
    CodingSession(pack, log_path, "ann").close()  # no refusal kept the lock


@pytest.mark.parametrize("size", [1, 5, 60, -1])
def test_a_torn_last_line_is_cut_off_and_kept_aside(
    session: CodingSession, pack: Packet, log_path: Path, size: int
) -> None:
    complete(session, pack.items[0].id)
    whole, before = log_path.read_bytes(), states(session)
    session.set_note(pack.items[1].id, "never acknowledged")
    session.close()
    torn = log_path.read_bytes()[len(whole) :][:size]
    log_path.write_bytes(whole + torn)
    with CodingSession(pack, log_path, "ann") as again:
        if size > 0:
            assert again.torn == torn
            assert log_path.read_bytes() == whole
            assert states(again) == before
            aside = log_path.with_name(log_path.name + ".torn")
            assert aside.read_bytes() == torn + b"\n"
        else:  # only the line end was lost: the event itself is whole, and kept
            assert again.torn == b""
            assert again.state(pack.items[1].id).note == "never acknowledged"
        again.set_flag(pack.items[2].id)
    CodingSession(pack, log_path, "ann").close()


def test_a_log_killed_while_it_was_being_made(
    session: CodingSession, pack: Packet, log_path: Path
) -> None:
    session.close()
    header = log_path.read_bytes()
    for size in (0, 1, len(header) // 2, len(header) - 1):
        log_path.write_bytes(header[:size])
        CodingSession(pack, log_path, "ann").close()
        assert log_path.read_bytes() == header


def damaged(log: bytes) -> dict[str, bytes]:
    lines = log.splitlines(keepends=True)
    return {
        "changed": log.replace(b"own-view", b"no-rule", 1),
        "removed": b"".join(lines[:2] + lines[3:]),
        "swapped": b"".join([lines[0], lines[2], lines[1], *lines[3:]]),
        "added": b"".join([*lines[:2], lines[1], *lines[2:]]),
        "noise": b"".join([*lines[:2], b"hello\n", *lines[2:]]),
        "blank": b"".join([*lines[:2], b"\n", *lines[2:]]),
        "no header": b"".join(lines[1:]),
        "other header": lines[0].replace(b"ann", b"bob") + b"".join(lines[1:]),
    }


@pytest.mark.parametrize("name", damaged(b"own-view\n" * 4))
def test_a_changed_log_is_refused_and_left_as_it_is(
    session: CodingSession, pack: Packet, log_path: Path, name: str
) -> None:
    complete(session, pack.items[0].id)
    session.close()
    bad = damaged(log_path.read_bytes())[name]
    log_path.write_bytes(bad)
    with pytest.raises(CodingError) as caught:
        CodingSession(pack, log_path, "ann")
    assert str(log_path) in str(caught.value)
    assert log_path.read_bytes() == bad


FORGED = {
    "wrong quote": Event(1, "quote", "", "quote", "smallest", 0, 8),
    "quote outside": Event(1, "quote", "", "quote", "x", 500, 501),
    "unknown code": Event(1, "code", "", "reading", "mine"),
    "unknown field": Event(1, "code", "", "mood", "x"),
    "unknown item": Event(1, "flag", "f" * 32, value=True),
    "undo of nothing": Event(1, "undo", "", target=1),
    "seq": Event(2, "flag", "", value=True),
}


@pytest.mark.parametrize("name", FORGED)
def test_events_that_no_session_writes_are_refused(
    session: CodingSession, pack: Packet, log_path: Path, name: str
) -> None:
    """The chain holds, but the event itself cannot be."""
    event = FORGED[name]
    item = event.item or pack.items[0].id
    forged = Event(
        event.seq, event.kind, item, event.field, event.value, event.start, event.end,
        event.target,
    )  # fmt: skip
    line = event_line(forged, session.head)
    session.close()
    with log_path.open("ab") as file:
        file.write(line + b"\n")
    with pytest.raises(CodingError, match="line 2"):
        CodingSession(pack, log_path, "ann")


@pytest.mark.parametrize("call", ["write", "fsync"])
def test_a_full_disk_loses_the_decision_and_nothing_else(
    session: CodingSession,
    pack: Packet,
    monkeypatch: pytest.MonkeyPatch,
    call: str,
) -> None:
    complete(session, pack.items[0].id)
    data, before = session.path.read_bytes(), states(session)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class Full:
        def __init__(self, file: object) -> None:
            self._inner = file

        def write(self, part: bytes) -> int:
            self._inner.write(part[:7])
            raise full

        def __getattr__(self, name: str) -> object:
            return getattr(self._inner, name)

    def refuse(_fd: int) -> None:
        raise full

    with monkeypatch.context() as patch:
        if call == "write":
            patch.setattr(session._file, "_file", Full(session._file._file))
        else:
            patch.setattr(os, "fsync", refuse)
        with pytest.raises(CodingError, match="No space left"):
            session.set_note(pack.items[1].id, "lost")
    assert (session.path.read_bytes(), states(session)) == (data, before)
    session.set_note(pack.items[1].id, "kept")
    session.close()
    with CodingSession(pack, session.path, "ann") as again:
        assert again.state(pack.items[1].id).note == "kept"


def test_every_decision_is_synced_before_it_returns(
    pack: Packet, log_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[bytes] = []
    real = os.fsync

    def watched(fd: int) -> None:
        real(fd)
        synced.append(log_path.read_bytes())

    monkeypatch.setattr(os, "fsync", watched)
    with CodingSession(pack, log_path, "ann") as session:
        assert len(synced) == 2  # the file and its folder
        for act in (session.set_flag, session.set_skip):
            act(pack.items[0].id)
            assert synced[-1] == log_path.read_bytes()
        assert len(synced) == 4


def test_a_folder_that_is_not_there(pack: Packet, tmp_path: Path) -> None:
    with pytest.raises(CodingError, match="cannot be opened"):
        CodingSession(pack, tmp_path / "none" / "x.jsonl", "ann")


def test_a_guess_can_be_made_taken_back_and_undone(
    session: CodingSession, pack: Packet
) -> None:
    item = pack.items[0].id
    session.set_guess(item, "asked")
    assert session.state(item) == ItemState(guess="asked")
    assert session.status(item) == "open"
    session.set_guess(item, None)
    assert session.state(item).guess == ""
    session.undo()
    assert session.state(item).guess == "asked"


def test_what_is_no_guess_is_refused(session: CodingSession, pack: Packet) -> None:
    with pytest.raises(CodingError, match="no guess"):
        session.set_guess(pack.items[0].id, "move.ask")
    assert session.state(pack.items[0].id) == ItemState()

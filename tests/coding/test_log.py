import pytest

from coding.canonical import sha256_hex
from coding.errors import CodingError
from coding.log import header_of, parse_log
from coding.packet import Packet
from coding.results import CodingSession


@pytest.fixture
def data(session: CodingSession, pack: Packet) -> bytes:
    for item in pack.items[:3]:
        session.set_flag(item.id)
    session.close()
    return session.path.read_bytes()


def test_a_log_is_named_by_its_last_line(data: bytes, pack: Packet) -> None:
    log = parse_log(data, pack)
    assert log.hashes == tuple(sha256_hex(line) for line in data.splitlines())
    assert log.head == log.hashes[-1]
    assert (log.kept, log.torn, log.header.alias) == (len(data), b"", "ann")
    assert [log.fold.state(item.id).flagged for item in pack.items] == [True] * 3 + [
        False
    ] * 3


def test_every_cut_of_a_log_is_a_beginning_of_it(data: bytes, pack: Packet) -> None:
    """Wherever a kill cuts, whole lines count and nothing else does."""
    whole = parse_log(data, pack)
    header = data.index(b"\n")
    for size in range(header, len(data)):
        log = parse_log(data[:size], pack)
        assert log.hashes == whole.hashes[: len(log.hashes)]
        assert data[: log.kept] + log.torn == data[:size]
        lines = data[:size].count(b"\n")
        complete = size < len(data) and data[size : size + 1] == b"\n"
        assert len(log.hashes) == max(1, lines + complete)


def test_a_header_that_is_cut_is_refused(data: bytes, pack: Packet) -> None:
    header = data.index(b"\n")
    for size in range(header):
        with pytest.raises(CodingError, match="line 1"):
            parse_log(data[:size], pack)


def test_the_header_is_found_without_the_packet(data: bytes, pack: Packet) -> None:
    assert header_of(data) == parse_log(data, pack).header
    assert header_of(data).packet == pack.id


def test_a_log_that_is_too_large(
    data: bytes, pack: Packet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("coding.log.MAX_BYTES", len(data) - 1)
    with pytest.raises(CodingError, match="larger"):
        parse_log(data, pack)

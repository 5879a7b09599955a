"""A codebook, a packet and a session that tests of the blind side share."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from coding import codebook, packet
from coding.codebook import Codebook
from coding.packet import Entry, Packet, Sealed
from coding.results import CodingSession, results_name

READING = Path(__file__).parents[2] / "resources" / "codebooks" / "reading.toml"


def seeded(seed: int) -> Callable[[int], bytes]:
    """A source of random bytes that repeats itself, for tests alone."""
    return random.Random(seed).randbytes


@pytest.fixture(scope="session")
def book() -> Codebook:
    return codebook.read_file(READING)


@pytest.fixture(scope="session")
def sealed(book: Codebook) -> Sealed:
    texts = [f"The largest cube is {i}. \U0001f600 So: {i}\r\nDone." for i in range(6)]
    entries = [Entry(f"reply-{i}", text) for i, text in enumerate(texts)]
    return packet.seal(entries, book, seeded(1))


@pytest.fixture
def pack(sealed: Sealed) -> Packet:
    return sealed.packet


@pytest.fixture
def log_path(tmp_path: Path, pack: Packet) -> Path:
    return tmp_path / results_name(pack.id, "ann")


@pytest.fixture
def session(pack: Packet, log_path: Path) -> Iterator[CodingSession]:
    with CodingSession(pack, log_path, "ann") as opened:
        yield opened

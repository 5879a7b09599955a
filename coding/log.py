"""Reading a results log: the chain is checked line by line, against its packet."""

from dataclasses import dataclass

from coding.canonical import sha256_hex
from coding.errors import CodingError
from coding.events import Event, Header, read_event, read_header
from coding.packet import Packet
from coding.state import Fold

MAX_BYTES = 500_000_000


@dataclass(frozen=True, slots=True)
class Log:
    """A results log whose chain holds.

    Attributes:
        header: Its first line.
        hashes: SHA-256 of each line: header, event 1, event 2, …; the last one names
            the whole log.
        fold: What the events come to.
        kept: Number of bytes of the lines that hold.
        torn: The bytes after them: the beginning of a line that a kill cut short.
    """

    header: Header
    hashes: tuple[str, ...]
    fold: Fold
    kept: int
    torn: bytes

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return self.hashes[-1]


def header_of(data: bytes, where: str = "results") -> Header:
    """Return a log's header, to find the packet that it belongs to.

    Raises:
        CodingError: The bytes do not begin with a header.
    """
    # Bounded: a header is short, and the file may be anything.
    line = data[:4096].partition(b"\n")[0]
    return read_header(line, f"{where}, line 1")


def parse_log(data: bytes, packet: Packet, where: str = "results") -> Log:
    """Return the log in the bytes of a results file.

    A last line without its line end was never acknowledged to the coder: if it is the
    whole next event it counts, else it is `torn`.

    Raises:
        CodingError: Another packet or codebook, a line that is no event or breaks the
            chain, an unknown item or code, a quote that is not the text at its span.
    """
    if len(data) > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)
    # Whatever follows the last line end is no line yet.
    *lines, tail = data.split(b"\n")
    header = read_header(lines[0] if lines else tail, f"{where}, line 1")
    _check_header(header, packet, where)
    fold = Fold(packet)
    hashes = [sha256_hex(lines[0] if lines else tail)]
    for line in lines[1:]:
        _take(line, fold, hashes, where)
    kept = len(data) - len(tail)
    if not lines or (tail and _completes(tail, fold, hashes, where)):
        kept, tail = len(data), b""
    return Log(header, tuple(hashes), fold, kept, tail)


def _check_header(header: Header, packet: Packet, where: str) -> None:
    # From the plainest mistake to the oddest, so that the reason helps most.
    if header.packet != packet.id:
        raise CodingError(
            f"belongs to packet {header.packet}, not to {packet.id}", where=where
        )
    if header.codebook != packet.codebook.hash:
        raise CodingError("was coded with another codebook", where=where)
    if header.manifest != packet.manifest:
        raise CodingError("was coded from a packet with other contents", where=where)


def _take(line: bytes, fold: Fold, hashes: list[str], where: str) -> None:
    place = f"{where}, line {len(hashes) + 1}"
    event, prev = read_event(line, place)
    # The hash of the line before covers all lines before it.
    if prev != hashes[-1]:
        raise CodingError(
            "the chain is broken: a line before it was changed, added or removed",
            where=place,
            todo="Ask the coder for the file again",
        )
    _check(event, fold, place)
    fold.apply(event)
    hashes.append(sha256_hex(line))


def _check(event: Event, fold: Fold, place: str) -> None:
    try:
        fold.check(event)
    except CodingError as error:
        where = f"{place}: {error.where}" if error.where else place
        raise CodingError(error.what, where=where, todo=error.todo) from error


def _completes(tail: bytes, fold: Fold, hashes: list[str], where: str) -> bool:
    try:
        _take(tail, fold, hashes, where)
    except CodingError:
        return False
    return True

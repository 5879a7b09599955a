"""Packets of a study with their keys: what ties an item to its reply."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from coding.canonical import canonical_json
from coding.errors import CodingError
from coding.packet import SUFFIX, Packet, keeps_commitment, parse_packet
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.packets import StoredPacket
from director_gui.store.packets import packet as stored_packet
from director_gui.store.packets import packets as stored_packets

KNOWN = "known:"
REPEAT = "repeat:"  # a reply's second time in one packet; unmarked for the coder


@dataclass(frozen=True, slots=True)
class Opened:
    """A packet of this study with its key.

    Attributes:
        stored: The row, with salt and key.
        packet: What the coders were given.
    """

    stored: StoredPacket
    packet: Packet

    @property
    def refs(self) -> Mapping[str, str]:
        """Item id to what the key calls it: a call's id, or a name with a prefix."""
        items: Json = self.stored.key["items"]
        return {item: secret["ref"] for item, secret in items.items()}

    @property
    def calls(self) -> Mapping[str, str]:
        """Item id to call id; known-code items and repeats are left out."""
        # A repeat would count its reply twice, wherever codes are counted.
        apart = (KNOWN, REPEAT)
        return {i: ref for i, ref in self.refs.items() if not ref.startswith(apart)}

    @property
    def repeats(self) -> Mapping[str, str]:
        """Item id to call id, of the items that are in the packet a second time."""
        return {
            item: ref.removeprefix(REPEAT)
            for item, ref in self.refs.items()
            if ref.startswith(REPEAT)
        }

    @property
    def about(self) -> Json:
        """What the key says of the packet as a whole."""
        return self.stored.key.get("about", {})

    @property
    def practice(self) -> bool:
        """Whether practice replies are in it."""
        return bool(self.about.get("practice"))

    @property
    def after_unblinding(self) -> bool:
        """Whether it was made when its items were unblinded already."""
        return bool(self.about.get("after_unblinding"))

    @property
    def first_pass(self) -> str:
        """The packet whose items these are once more; itself when it is the first."""
        return str(self.about.get("again") or self.stored.id)

    def keeps_commitment(self) -> bool:
        """Tell whether the key is the one that was committed to before release."""
        # Canonical JSON comes back byte for byte, whatever the database did with it.
        key = canonical_json(self.stored.key)
        return keeps_commitment(self.packet, key, self.stored.salt)


def opened(study: Study, packet_id: str) -> Opened:
    """Return one packet.

    Raises:
        UserError: The study does not hold it, or its file is damaged.
    """
    return _open(stored_packet(study, packet_id))


def all_opened(study: Study) -> tuple[Opened, ...]:
    """Return all packets, oldest first."""
    return tuple(_open(stored) for stored in stored_packets(study))


def packet_id_of(name: str) -> str:
    """Return the id in what a user calls a packet: its id, or its file's path."""
    return Path(name).name.removesuffix(SUFFIX)


@contextmanager
def mended() -> Iterator[None]:
    """Raise what the blind side refuses as the program's own kind of error.

    Raises:
        UserError: In the words of the `CodingError`.
    """
    try:
        yield
    except CodingError as error:
        raise UserError(error.what, where=error.where, todo=error.todo) from error


def _open(stored: StoredPacket) -> Opened:
    # Parsing checks every hash, so a damaged packet is told, never coded.
    with mended():
        return Opened(stored, parse_packet(stored.file))

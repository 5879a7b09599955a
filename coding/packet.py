"""Packets: the texts a coder sees, and nothing else about them.

A packet is a zip of four entries. Its *key*, which ties an item to a reply, stays
with whoever made it; the packet holds only a commitment to it.
"""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from coding import archive, bounded, codebook
from coding.canonical import canonical_json, sha256_hex
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.randomness import ID_DIGITS, RandomBytes, new_id, new_ids, system

FORMAT = "director-packet/1"
SUFFIX = ".codepack"
SALT_BYTES = 32
MAX_ITEMS = 100_000
MAX_TEXT = 2_000_000  # characters of one item


@dataclass(frozen=True, slots=True)
class Item:
    """One text to code, under an id that is new for each packet."""

    id: str
    text: str


@dataclass(frozen=True)
class Packet:
    """What a coder is given.

    Attributes:
        id: 128 random bits in hexadecimal.
        items: In the order in which they are coded.
        codebook: The frozen copy.
        commitment: SHA-256 of salt and key, in hexadecimal.
        manifest: SHA-256 of ``manifest.json``, which covers every other entry.
    """

    id: str
    items: tuple[Item, ...]
    codebook: Codebook
    commitment: str
    manifest: str

    @cached_property
    def positions(self) -> Mapping[str, int]:
        """Item id → place in `items`."""
        return {item.id: i for i, item in enumerate(self.items)}

    def item(self, item_id: str) -> Item:
        """Return an item.

        Raises:
            CodingError: The packet has no such item.
        """
        if item_id not in self.positions:
            raise CodingError("is no item of this packet", where=item_id[:40])
        return self.items[self.positions[item_id]]


@dataclass(frozen=True, slots=True)
class Entry:
    """One text to seal, with what only the key may hold.

    Attributes:
        ref: What the study calls it, such as a reply id; unique.
        text: What the coder will see.
        hidden: Further key material, a JSON object: cuts, marks of known-code items.
    """

    ref: str
    text: str
    hidden: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sealed:
    """A new packet and what its maker keeps back.

    Attributes:
        packet: The packet as a value.
        data: Its file's bytes.
        key: Canonical JSON: packet id, item id → ref, text hash, hidden, and about.
        salt: The 32 random bytes of the commitment.
    """

    packet: Packet
    data: bytes
    key: bytes
    salt: bytes

    @property
    def file_name(self) -> str:
        """The name of the packet's file: its random id and the suffix."""
        return self.packet.id + SUFFIX


def seal(
    entries: Iterable[Entry],
    book: Codebook,
    random_bytes: RandomBytes = system,
    about: Mapping[str, object] | None = None,
) -> Sealed:
    """Make a packet of `entries`.

    Neither the order of `entries` nor their refs nor what is hidden about them moves
    an item: ids are drawn for the texts in their own order, and the packet's order is
    that of the random ids, which is a random order.

    Args:
        entries: What to seal.
        book: The codebook to freeze into the packet.
        random_bytes: The system's source, or a seeded one in a test.
        about: What the key says of the packet as a whole, a JSON object: how the
            items were drawn, with which seed.

    Raises:
        CodingError: No entries, too many, a ref that repeats, or a text that a
            packet cannot carry.
    """
    # Equal texts are told apart by ref alone, which no reader of the packet can see.
    ordered = sorted(entries, key=lambda entry: (entry.text, entry.ref))
    _check_entries(ordered)
    # Drawn in one fixed sequence, so that a seeded source gives the same packet.
    packet_id, salt = new_id(random_bytes), random_bytes(SALT_BYTES)
    drawn = zip(new_ids(len(ordered), random_bytes), ordered, strict=True)
    # Sorting by random ids shuffles, and the order tells nothing that ids do not.
    by_id = dict(sorted(drawn))
    key = canonical_json(
        {
            "packet": packet_id,
            "items": {item_id: _secret(entry) for item_id, entry in by_id.items()},
            "about": dict(about or {}),
        }
    )
    items = tuple(Item(item_id, entry.text) for item_id, entry in by_id.items())
    files = _files(packet_id, items, book, commit(key, salt))
    data = archive.write(files)
    # Reading it back proves that a coder's program will accept it.
    return Sealed(parse_packet(data), data, key, salt)


def commit(key: bytes, salt: bytes) -> str:
    """Return the commitment to a key: SHA-256 of the 32-byte salt and the key.

    Raises:
        ValueError: The salt has another length, so that two splits could collide.
    """
    if len(salt) != SALT_BYTES:
        raise ValueError(f"a salt has {SALT_BYTES} bytes")
    return sha256_hex(salt + key)


def keeps_commitment(packet: Packet, key: bytes, salt: bytes) -> bool:
    """Tell whether a key is the one that the packet was released with."""
    # Constant time costs nothing here, and habits are worth keeping.
    return hmac.compare_digest(commit(key, salt), packet.commitment)


def read_packet(path: Path) -> Packet:
    """Return the packet in a file; nothing is written.

    Raises:
        CodingError: The file cannot be read or is refused, with the reason.
    """
    data = bounded.read_file(path, archive.MAX_BYTES)
    try:
        return parse_packet(data)
    except CodingError as error:
        where = f"{path}: {error.where}" if error.where else str(path)
        raise CodingError(error.what, where=where, todo=error.todo) from error


def parse_packet(data: bytes) -> Packet:
    """Return the packet in the bytes of a packet file.

    Raises:
        CodingError: The bytes are no packet, or any hash, bound or id is wrong.
    """
    # Hashes before contents: what is parsed below is at least what was sealed.
    files = archive.read(data)
    _check_manifest(files)
    keys = ("format", "packet", "items", "codebook", "commitment")
    where = "packet.json"
    obj = bounded.fields(bounded.load_json(files[where], where), where, keys)
    if obj["format"] != FORMAT:
        raise CodingError(f'must be "{FORMAT}"', where=f"{where}.format")
    # Results name this hash, so a swapped codebook would mix two sets of codes.
    if obj["codebook"] != sha256_hex(files["codebook.json"]):
        raise CodingError(
            "is not the codebook that packet.json names", where="codebook"
        )
    count = bounded.whole(obj, "items", where, 1, MAX_ITEMS)
    return Packet(
        id=bounded.hexadecimal(obj, "packet", where, ID_DIGITS),
        items=_items(files["items.jsonl"], count),
        codebook=codebook.from_bytes(files["codebook.json"]),
        commitment=bounded.hexadecimal(obj, "commitment", where, 64),
        manifest=sha256_hex(files["manifest.json"]),
    )


def _check_entries(entries: list[Entry]) -> None:
    if not 1 <= len(entries) <= MAX_ITEMS:
        raise CodingError(f"a packet holds 1 to {MAX_ITEMS} items")
    if len({entry.ref for entry in entries}) != len(entries):
        raise CodingError("a reply occurs twice in one packet")
    for entry in entries:
        if len(entry.text) > MAX_TEXT:
            raise CodingError(f"is longer than {MAX_TEXT} characters", where=entry.ref)
        if bounded.load_json(canonical_json(entry.text), entry.ref) != entry.text:
            # Two lone surrogates side by side would come back as one character.
            raise CodingError("holds characters that no file keeps", where=entry.ref)


def _secret(entry: Entry) -> dict[str, object]:
    return {
        "ref": entry.ref,
        "text_sha256": sha256_hex(entry.text.encode("utf-8", "backslashreplace")),
        "hidden": dict(entry.hidden),
    }


def _files(
    packet_id: str, items: tuple[Item, ...], book: Codebook, commitment: str
) -> dict[str, bytes]:
    # No names, dates, pass number or seed: any of them could tell packets apart.
    about = {
        "format": FORMAT,
        "packet": packet_id,
        "items": len(items),
        "codebook": book.hash,
        "commitment": commitment,
    }
    lines = (canonical_json({"id": item.id, "text": item.text}) for item in items)
    files = {
        "packet.json": canonical_json(about),
        "codebook.json": codebook.to_bytes(book),
        "items.jsonl": b"".join(line + b"\n" for line in lines),
    }
    hashes = {name: sha256_hex(data) for name, data in files.items()}
    return {**files, "manifest.json": canonical_json(hashes)}


def _check_manifest(files: Mapping[str, bytes]) -> None:
    where = "manifest.json"
    named = [name for name in archive.LIMITS if name != where]
    hashes = bounded.fields(bounded.load_json(files[where], where), where, named)
    for name in named:
        if hashes[name] != sha256_hex(files[name]):
            raise CodingError("is not what the manifest's hash says", where=name)


def _items(data: bytes, count: int) -> tuple[Item, ...]:
    # A line end inside a text is written as an escape, so counting bytes is enough.
    if data.count(b"\n") != count or not data.endswith(b"\n"):
        raise CodingError("the number of items is not as stated", where="items.jsonl")
    lines = data.split(b"\n")[:-1]
    items = tuple(_item(line, i) for i, line in enumerate(lines, 1))
    if len({item.id for item in items}) != count:
        raise CodingError("an item id occurs twice", where="items.jsonl")
    return items


def _item(line: bytes, number: int) -> Item:
    where = f"items.jsonl, line {number}"
    value = bounded.load_json(line, where, max_depth=1)
    obj = bounded.fields(value, where, ("id", "text"))
    return Item(
        id=bounded.hexadecimal(obj, "id", where, ID_DIGITS),
        # Anything a model can say is a text; the pane shows it safely.
        text=bounded.text(obj, "text", where, MAX_TEXT, plain=False),
    )

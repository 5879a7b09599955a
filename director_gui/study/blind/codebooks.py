"""The codebooks that packets of a study can be made with, version by version.

A version that a packet was made with is frozen: an edit of it makes a new version, and
codings keep theirs. So is the one that ships with the program.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from coding.book_checks import may_be_used
from coding.book_edits import same_content
from coding.book_files import read_book
from coding.codebook import Codebook, from_bytes, to_bytes
from director_gui.errors import UserError
from director_gui.store.codebooks import (
    forget_codebook,
    put_codebook,
    stored_codebooks,
)
from director_gui.store.database import Study
from director_gui.store.log import entries
from director_gui.study.blind.keys import mended, opened
from director_gui.study.blind.sealing import SEALED, default_codebook


@dataclass(frozen=True, slots=True)
class KeptBook:
    """One version of a codebook.

    Attributes:
        book: The codebook.
        packets: How many packets were made with it.
        shipped: Whether it comes with the program.
    """

    book: Codebook
    packets: int = 0
    shipped: bool = False

    @property
    def frozen(self) -> bool:
        """Whether an edit makes a new version."""
        return self.shipped or self.packets > 0

    @property
    def label(self) -> str:
        """How lists call it, such as ``reading, version 2``."""
        return f"{self.book.name}, version {self.book.version}"


def codebooks(study: Study, seen: Iterable[KeptBook] = ()) -> tuple[KeptBook, ...]:
    """Return all versions: the program's, the study's, and those of its packets.

    The newest version of a name comes first among its own.

    Args:
        study: The study.
        seen: What was read of it before. A codebook that only a packet holds is not
            read from there again, which takes long when the packet is large.

    Raises:
        UserError: The study cannot be read.
    """
    used = _packets_by_book(study)
    shipped = default_codebook()
    books = {shipped.hash: shipped}
    with mended():
        for stored in stored_codebooks(study):
            books[stored.hash] = from_bytes(stored.data, stored.name)
    before = {one.book.hash: one.book for one in seen}
    # A packet may have been made with a file that the study does not keep.
    for sha256 in used.keys() - books.keys():
        known = before.get(sha256)
        books[sha256] = known or opened(study, used[sha256][0]).packet.codebook
    kept = (
        KeptBook(book, len(used.get(sha256, ())), sha256 == shipped.hash)
        for sha256, book in books.items()
    )
    return tuple(sorted(kept, key=lambda one: (one.book.name, -one.book.version)))


def codebook_for(study: Study, again: str, chosen: Codebook | None = None) -> Codebook:
    """Return the codebook of a new packet: the one that was chosen, or the program's.

    A second pass (`again`: the first one's id) takes the first one's: by another
    codebook the two could not be compared.

    Raises:
        UserError: The study does not hold the first pass.
    """
    if again:
        return opened(study, again).packet.codebook
    return chosen or default_codebook()


def newest(kept: tuple[KeptBook, ...], name: str) -> KeptBook | None:
    """Return the newest version of this name."""
    return next((one for one in kept if one.book.name == name), None)


def keep_codebook(
    study: Study,
    book: Codebook,
    before: KeptBook | None,
    seen: Iterable[KeptBook] = (),
) -> KeptBook:
    """Keep an edited codebook; return it as the version that it has become.

    Args:
        study: The study.
        book: The codebook after the edit.
        before: The version that was edited; None for one that is new here. It is
            replaced when no packet was made with it, and stays when one was.
        seen: As for `codebooks`.

    Raises:
        UserError: The study is read-only, or no packet could be made with `book`.
    """
    if not may_be_used(book):
        raise UserError(
            "this codebook cannot be used yet",
            where=book.name,
            todo="Mend what its page names first",
        )
    # Asked anew: a packet may have been made while the editor was open.
    known = codebooks(study, seen)
    now = _found(known, before)
    twin = next((k for k in known if k is not now and same_content(k.book, book)), None)
    stays = now is None or now.frozen
    if twin is not None:
        # Edited back to what there is: no second version with the same words.
        if now is not None and not stays:
            forget_codebook(study, now.book.hash)
        return twin
    if now is not None and same_content(now.book, book):
        return now
    made = _numbered(known, book, None if stays else now)
    replaces = now.book.hash if now is not None and not stays else ""
    put_codebook(
        study, made.hash, made.name, made.version, to_bytes(made), replaces=replaces
    )
    return KeptBook(made)


def discard_codebook(study: Study, kept: KeptBook) -> None:
    """Take a version out of the study that no packet was made with.

    Raises:
        UserError: It is frozen, or the study is read-only.
    """
    now = _found(codebooks(study), kept)
    if now is None or now.frozen:
        raise UserError(
            "this version stays",
            where=kept.label,
            todo="Packets were made with it, or it comes with the program",
        )
    forget_codebook(study, kept.book.hash)


def import_codebook(study: Study, path: Path) -> KeptBook:
    """Take a .toml, .json or .qdc codebook file into the study.

    A file whose version the study does not have keeps its number.

    Raises:
        UserError: The file is refused, or the study is read-only.
    """
    with mended():
        book = read_book(path)
        # Files of other tools bear no name that a codebook here could have.
        if book.name == "imported":
            book = replace(book, name=_name_of(path))
    return keep_codebook(study, book, None)


def _name_of(path: Path) -> str:
    # Names become parts of file names, and stand in logs.
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in path.stem)
    return plain.strip("-")[:64] or "imported"


def _packets_by_book(study: Study) -> Mapping[str, list[str]]:
    # From the log: reading every packet to learn its codebook would take seconds.
    found: dict[str, list[str]] = {}
    for entry in entries(study, SEALED):
        found.setdefault(entry.detail["codebook"], []).append(entry.detail["packet"])
    return found


def _found(known: tuple[KeptBook, ...], kept: KeptBook | None) -> KeptBook | None:
    if kept is None:
        return None
    return next((one for one in known if one.book.hash == kept.book.hash), None)


def _numbered(
    known: tuple[KeptBook, ...], book: Codebook, replaced: KeptBook | None
) -> Codebook:
    """Return the codebook under the version that it is to have."""
    others = [one for one in known if one is not replaced]
    taken = [one.book.version for one in others if one.book.name == book.name]
    # Nobody has seen the version that goes, so its number is free.
    if replaced is not None and replaced.book.name == book.name:
        return replace(book, version=replaced.book.version)
    if book.version not in taken and book.version > max(taken, default=0):
        return book
    return replace(book, version=max(taken, default=0) + 1)

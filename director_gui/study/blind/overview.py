"""What a coordinator sees of all packets while they are blind: counts, never codes."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from coding.packet import SUFFIX
from coding.results import SUFFIX as RESULTS
from director_gui.errors import UserError
from director_gui.store.database import Study
from director_gui.store.packets import results_of
from director_gui.study.blind.itemtext import FORM_WORDS, FORMS
from director_gui.study.blind.keys import Opened, all_opened
from director_gui.study.blind.passes import Pass, passes_of, unblinding_of
from director_gui.study.blind.practice import can_code

_FOLDER = "packet folder "  # and the packet's id: a fact of the study


@dataclass(frozen=True, slots=True)
class CoderRow:
    """How far one coder is."""

    alias: str
    coded: int
    skipped: int
    missing: int
    practice: bool
    late: int

    @property
    def done(self) -> bool:
        """Whether every item is coded or skipped."""
        return self.missing == 0


@dataclass(frozen=True, slots=True)
class PacketRow:
    """One packet as a list shows it.

    Attributes:
        id: The packet's id.
        created: UTC.
        form: What an item's text holds, in words.
        items: Number of items.
        practice: Whether practice replies are in it.
        again: The packet whose items these are once more; empty for a first pass.
        coders: How far each coder is.
        family: Coders who are done, with those of the packet's other passes.
        unblinded: When it was unblinded (UTC) and why; empty while it is blind.
        folder: Where its file was saved last; None when it was not.
        book: The codebook and its version, as lists call it.
        practisable: Whether practice coders know all of its codes.
        together: How many other packets of its items an unblinding opens too.
    """

    id: str
    created: str
    form: str
    items: int
    practice: bool
    again: str
    coders: tuple[CoderRow, ...]
    family: int
    unblinded: str
    folder: Path | None
    book: str = ""
    practisable: bool = True
    together: int = 0

    @property
    def short(self) -> str:
        """The first letters of the id, for people."""
        return self.id[:8]

    @property
    def file(self) -> Path | None:
        """The packet's file, None when it is not where it was saved."""
        path = self.folder / f"{self.id}{SUFFIX}" if self.folder else None
        return path if path is not None and path.is_file() else None


def overview(study: Study) -> tuple[PacketRow, ...]:
    """Return all packets, newest first.

    Raises:
        UserError: The study cannot be read, or a packet in it is damaged.
    """
    packets = all_opened(study)
    passes = {found.stored.id: passes_of(study, found) for found in packets}
    # Agreement needs two passes of the same items, in whichever packets.
    done: dict[str, int] = {}
    for found in packets:
        count = sum(one.done for one in passes[found.stored.id])
        done[found.first_pass] = done.get(found.first_pass, 0) + count
    rows = [
        _row(study, found, passes[found.stored.id], done[found.first_pass])
        for found in packets
    ]
    blind = Counter(row.again or row.id for row in rows if not row.unblinded)
    rows = [replace(row, together=_others(row, blind)) for row in rows]
    return tuple(reversed(rows))


def _others(row: PacketRow, blind: Counter[str]) -> int:
    return blind[row.again or row.id] - (not row.unblinded)


def remember_folder(study: Study, packet_id: str, folder: Path) -> None:
    """Remember where a packet's file was saved: results are expected there."""
    study.set_meta(_FOLDER + packet_id, str(folder.absolute()))


def waiting_results(study: Study, packet_id: str) -> tuple[Path, ...]:
    """Return the results files beside a packet's file that hold something new.

    Only their sizes are looked at; merging checks all the rest.
    """
    folder = _folder(study, packet_id)
    if folder is None or not folder.is_dir():
        return ()
    # A chain only grows, so a longer file holds something new.
    kept = {r.alias: len(r.data) for r in results_of(study, packet_id)}
    start = f"{packet_id}-"
    found = sorted(folder.glob(f"{start}*{RESULTS}"))
    return tuple(
        path
        for path in found
        if _size(path) > kept.get(path.stem.removeprefix(start), 0)
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0  # gone or out of reach: nothing that could be merged


def _folder(study: Study, packet_id: str) -> Path | None:
    kept = study.meta(_FOLDER + packet_id)
    return Path(kept) if kept else None


def _row(
    study: Study, found: Opened, passes: tuple[Pass, ...], family: int
) -> PacketRow:
    stored = found.stored
    entry = unblinding_of(study, stored.id)
    first, book = found.first_pass, found.packet.codebook
    return PacketRow(
        id=stored.id,
        created=stored.created,
        form=next((FORM_WORDS[f] for f in FORMS if f == stored.form), stored.form),
        items=len(found.packet.items),
        practice=found.practice,
        again="" if first == stored.id else first,
        coders=tuple(_coder(one) for one in passes),
        family=family,
        unblinded=f"{entry.time[:16].replace('T', ' ')} UTC: {entry.detail['reason']}"
        if entry
        else "",
        folder=_folder(study, stored.id),
        book=f"{book.name}, version {book.version}",
        practisable=can_code(book),
    )


def _coder(one: Pass) -> CoderRow:
    return CoderRow(
        one.alias, one.coded, one.skipped, one.missing, one.practice, one.late
    )


def need_file(row: PacketRow) -> Path:
    """Return the packet's file.

    Raises:
        UserError: It was not saved, or it is gone.
    """
    if row.file is None:
        raise UserError(
            "the packet's file is not where it was saved",
            where=str(row.folder) if row.folder else row.short,
            todo="Save the packet again",
        )
    return row.file

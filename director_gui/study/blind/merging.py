"""Take coders' results files into the study: all of them, or none."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from coding.bounded import read_file
from coding.log import MAX_BYTES, header_of
from coding.merging import Change, Merged, merge
from coding.packet import Packet
from coding.results import ADJUDICATED
from director_gui.errors import UserError
from director_gui.ids import Json
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.packets import packets as stored_packets
from director_gui.store.packets import put_results, results_of
from director_gui.study.blind.keys import mended, opened
from director_gui.study.blind.passes import heads_of, is_automatic

MERGED = "results merged"


@dataclass(frozen=True, slots=True)
class MergedFile:
    """What became of one results file.

    Attributes:
        packet: The packet's id.
        alias: The coder.
        change: `new`, `update`, or `same` and `older`, which change nothing.
        coded: Items with every required field.
        skipped: Items passed over.
        missing: All others.
        late: Whether it brings codes after this coder's results were locked.
    """

    packet: str
    alias: str
    change: Change
    coded: int
    skipped: int
    missing: int
    late: bool


@dataclass(frozen=True, slots=True)
class MergeReport:
    """What became of some results files, in their order."""

    files: tuple[MergedFile, ...]

    def value(self) -> Json:
        """Return the JSON value: sums over the files, and each file."""
        names = ("packet", "alias", "change", "coded", "skipped", "missing", "late")
        sums = {
            name: sum(getattr(file, name) for file in self.files)
            for name in ("coded", "skipped", "missing")
        }
        files = [{name: getattr(f, name) for name in names} for f in self.files]
        return {**sums, "files": files}


def merge_results(study: Study, paths: Iterable[Path], actor: str) -> MergeReport:
    """Merge results files in one transaction.

    Raises:
        UserError: A file cannot be read or is refused, with the reason (CODING.md,
            section 5); then nothing of any file is taken in.
    """
    with mended():
        files = [(path, read_file(path, MAX_BYTES)) for path in paths]
    # Nested writes join this one: the last file's fault takes the first one back.
    with study.write():
        merged = (_merge(study, path.name, data, actor) for path, data in files)
        return MergeReport(tuple(merged))


def _merge(study: Study, where: str, data: bytes, actor: str) -> MergedFile:
    with mended():
        alias = header_of(data, where).alias
    # It would pass for the word of whoever settled the disagreements.
    if alias.casefold() == ADJUDICATED:
        raise UserError(
            f'the alias "{alias}" is kept for the adjudicated pass',
            where=where,
            todo="Ask the coder to code under another alias",
        )
    # Its codes come in with its calibration, and by no other way.
    if is_automatic(alias):
        raise UserError(
            f'the alias "{alias}" is one of an automatic coder',
            where=where,
            todo="Accept the automatic pass in the study that made it",
        )
    return take_in(study, data, where, actor)


def take_in(study: Study, data: bytes, where: str, actor: str) -> MergedFile:
    """Take in the bytes of one results file, whoever's they are.

    Args:
        study: The study.
        data: The file's bytes.
        where: The file's name, for messages.
        actor: Who merges, for the log.

    Raises:
        UserError: They are refused, with the reason.
    """
    with mended():
        header = header_of(data, where)
        packets = _packets(study, header.packet)
        known = {r.alias: r.data for r in results_of(study, header.packet)}
        found = merge(data, packets, known.get(header.alias), where)
    # An older file is no fault: coders send backups too.
    changes = found.change in ("new", "update")
    if changes:
        _keep(study, found, actor)
    return MergedFile(
        packet=found.header.packet,
        alias=found.header.alias,
        change=found.change,
        coded=found.coded,
        skipped=found.skipped,
        missing=found.missing,
        late=changes
        and heads_of(study, found.header.packet, found.header.alias) is not None,
    )


def _packets(study: Study, packet_id: str) -> dict[str, Packet]:
    there = any(stored.id == packet_id for stored in stored_packets(study))
    return {packet_id: opened(study, packet_id).packet} if there else {}


def _keep(study: Study, found: Merged, actor: str) -> None:
    packet, alias = found.header.packet, found.header.alias
    put_results(study, packet, alias, found.data)
    detail = {
        "packet": packet,
        "alias": alias,
        "change": found.change,
        "events": found.events,
        "head": found.head,
    }
    add_entry(study, actor, MERGED, detail)

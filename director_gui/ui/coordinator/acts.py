"""What the coordinator can do with a packet, as functions for a worker thread."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QProcess

from coding import exchange
from coding.exchange import Tool
from director_gui.errors import UserError
from director_gui.runner.practice.coders import two_coders
from director_gui.store.database import Study
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.adjudicating import (
    Adjudication,
    begin,
    disagreements,
    keep,
)
from director_gui.study.blind.agreement import PassAgreement, agreement_of
from director_gui.study.blind.guessing import Guessed, guesses_of
from director_gui.study.blind.joining import Joined, joined_codes
from director_gui.study.blind.keys import mended, opened
from director_gui.study.blind.merging import MergeReport, merge_results
from director_gui.study.blind.overview import (
    PacketRow,
    need_file,
    overview,
    waiting_results,
)
from director_gui.study.blind.practice import practice_coding

_PRACTICE_SEED = 1


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything that the page of one packet shows.

    Attributes:
        rows: All packets, for the list.
        row: The packet; None when the study does not hold it.
        waiting: Results files beside the packet's file with something new.
        agreement: The agreement, or in words why there is none yet.
        joined: Field to codes by condition; empty while the packet is blind.
        adjudication: What coders coded differently, while it may still be settled; in
            words why that cannot be told.
        guesses: What coders guessed, by condition; empty while the packet is blind.
    """

    rows: tuple[PacketRow, ...]
    row: PacketRow | None
    waiting: tuple[Path, ...]
    agreement: PassAgreement | str
    joined: dict[str, Joined]
    adjudication: Adjudication | str | None = None
    guesses: tuple[Guessed, ...] = ()


def shown(study: Study, packet_id: str) -> Shown:
    """Return what there is to show of a packet.

    Raises:
        UserError: The study cannot be read.
    """
    rows = overview(study)
    row = next((one for one in rows if one.id == packet_id), None)
    if row is None:
        return Shown(rows, None, (), "", {})
    agreement = _agreement(study, row)
    joined: dict[str, Joined] = {}
    differ: Adjudication | str | None = None
    if row.unblinded:
        fields = opened(study, packet_id).packet.codebook.fields
        names = [field.name for field in fields if field.codes]
        joined = {name: joined_codes(study, packet_id, name) for name in names}
    elif isinstance(agreement, PassAgreement):
        differ = _differing(study, packet_id)
    waiting = waiting_results(study, packet_id)
    guesses = guesses_of(study, packet_id) if row.unblinded else ()
    return Shown(rows, row, waiting, agreement, joined, differ, guesses)


def merge(study: Study, paths: Sequence[Path]) -> MergeReport:
    """Merge results files as the user of this machine."""
    return merge_results(study, paths, user_name())


def adjudicate(study: Study, packet_id: str) -> Adjudication:
    """Lock the results and begin to settle what differs, as this machine's user."""
    return begin(study, packet_id, user_name())


def keep_settled(study: Study, packet_id: str) -> None:
    """Take what was settled into the study, as this machine's user."""
    keep(study, packet_id, user_name())


def practise(study: Study, row: PacketRow) -> MergeReport:
    """Let two practice coders code a packet of practice replies, and merge that.

    Raises:
        UserError: The packet's file is gone, or a results file is refused.
    """
    folder = need_file(row).parent
    packet = opened(study, row.id).packet
    coders = two_coders(_PRACTICE_SEED)
    paths = [practice_coding(packet, c.alias, c, folder) for c in coders]
    return merge_results(study, paths, user_name())


def hand_out(row: PacketRow, study: Study, tool: Tool, folder: Path) -> str:
    """Write a packet for another tool; return in words what was written.

    Raises:
        UserError: The folder cannot be written, or a text is too long for a cell.
    """
    with mended():
        files = exchange.hand_out(opened(study, row.id).packet, tool, folder)
    names = ", ".join(path.name[len(row.id) :].lstrip("-.") for path in files)
    return (
        f"Written to {folder}: {names} of packet {row.short}. They hold ids and texts, "
        "nothing else."
    )


def take_in(study: Study, row: PacketRow, file: Path, alias: str) -> MergeReport:
    """Make another tool's file into a coder's results, and merge them.

    Raises:
        UserError: The file is refused, with the reason; then nothing is kept.
    """
    folder = row.folder if row.folder and row.folder.is_dir() else file.parent
    packet = opened(study, row.id).packet
    with mended():
        tool = exchange.tool_of(file)
        found = exchange.bring_in(packet, file, tool, alias, folder)
    return merge_results(study, [found.path], user_name())


def merged_in_words(report: MergeReport) -> str:
    """Return what a merge came to, in one line."""
    words = {
        "new": "new",
        "update": "more",
        "same": "nothing new",
        "older": "older than what is kept",
    }
    return "; ".join(
        f"{file.alias}: {words[file.change]}, {file.coded} coded, "
        f"{file.skipped} skipped, {file.missing} missing"
        for file in report.files
    )


def start_pane(row: PacketRow) -> None:
    """Open the blind pane in a process of its own, which never holds the study.

    Raises:
        UserError: The packet's file is gone, or the process does not start.
    """
    path = need_file(row)
    # The packet's path alone: the coder's process never hears of the study.
    arguments = ["-m", "director_gui", "code", str(path)]
    started, _pid = QProcess.startDetached(sys.executable, arguments, str(path.parent))
    if not started:
        raise UserError(
            "the blind pane could not be started",
            where=sys.executable,
            todo=f"Run `director-gui code {path.name}` in the packet's folder",
        )


def _differing(study: Study, packet_id: str) -> Adjudication | str:
    # A log that somebody changed must not take the packet's page away.
    try:
        return disagreements(study, packet_id)
    except UserError as error:
        return str(error)


def _agreement(study: Study, row: PacketRow) -> PassAgreement | str:
    # Asked of the counts, so that no code is read before it may be shown.
    if row.family < 2:
        left = [f"{c.alias} has {c.missing} left" for c in row.coders if not c.done]
        waiting = f" Now: {'; '.join(left)}." if left else ""
        return (
            "Codes and figures stay hidden until two coders are done, so that they "
            f"cannot move anybody.{waiting}"
        )
    return agreement_of(study, row.id)

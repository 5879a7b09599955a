"""A packet handed out to another tool, and that tool's file brought back as results.

Whatever a lab codes in, it stays blind, as only ids and texts go out, and it comes back
as a results file like the pane's, so that merging checks it like any other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from coding import bounded, coder_sheets, doccano, label_studio
from coding.answers import take_in
from coding.errors import CodingError
from coding.packet import Packet
from coding.results import CodingSession, Progress, own_alias, results_name

Tool = Literal["csv", "xlsx", "label-studio", "doccano"]
TOOLS: Final[tuple[Tool, ...]] = ("csv", "xlsx", "label-studio", "doccano")
TOOL_WORDS: Final[Mapping[Tool, str]] = {
    "csv": "coder sheet, CSV",
    "xlsx": "coder sheet, Excel",
    "label-studio": "Label Studio",
    "doccano": "doccano",
}
MAX_BYTES = 200_000_000
_ENDINGS: Final[Mapping[str, Tool]] = {
    ".csv": "csv",
    ".xlsx": "xlsx",
    ".json": "label-studio",
    ".jsonl": "doccano",
}


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of a tool's file.

    Attributes:
        path: The results file, to be merged.
        recorded: Decisions that were new.
        progress: How far the coder is now.
    """

    path: Path
    recorded: int
    progress: Progress


def tool_of(path: Path) -> Tool:
    """Return the tool that usually writes such a file.

    Raises:
        CodingError: No tool that is known does.
    """
    if path.suffix.lower() not in _ENDINGS:
        raise CodingError(
            "is no file of a tool that is known",
            where=path.name,
            todo=f"The tools are {', '.join(TOOLS)}",
        )
    return _ENDINGS[path.suffix.lower()]


def hand_out(packet: Packet, tool: Tool, folder: Path) -> tuple[Path, ...]:
    """Write a packet's items as a tool reads them; return the files.

    Raises:
        CodingError: The folder cannot be written, or a text is too long for a cell.
    """
    # All contents first: a packet that cannot be handed out leaves no half of it.
    contents = _CONTENTS[tool](packet)
    paths = {folder / f"{packet.id}{name}": data for name, data in contents.items()}
    _make(folder)
    try:
        for path, data in paths.items():
            path.write_bytes(data)
    except OSError as error:
        raise _unwritten(folder, error) from error
    return tuple(paths)


def bring_in(
    packet: Packet, file: Path, tool: Tool, alias: str, folder: Path
) -> Brought:
    """Make a tool's file into the coder's results file, or add to it what is new.

    Args:
        packet: The packet that was handed out.
        file: What came back.
        tool: Which tool wrote it.
        alias: The coder.
        folder: Where the results file goes.

    Raises:
        CodingError: The file is refused, with the reason; then nothing is recorded.
    """
    data = bounded.read_file(file, MAX_BYTES)
    path = folder / results_name(packet.id, own_alias(alias))
    # Read before the results file is opened: a file that is no export leaves no trace.
    record = _reader(tool, data, packet, file.name)
    there = path.exists()
    _make(folder)
    try:
        with CodingSession(packet, path, alias) as session:
            recorded = record(session)
            return Brought(path, recorded, session.progress())
    except CodingError:
        if not there:
            path.unlink(missing_ok=True)
        raise


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritten(folder, error) from error


def _unwritten(folder: Path, error: OSError) -> CodingError:
    return CodingError(
        f"cannot be written ({error.strerror})",
        where=str(folder),
        todo="Choose another folder",
    )


def _reader(
    tool: Tool, data: bytes, packet: Packet, where: str
) -> Callable[[CodingSession], int]:
    if tool in ("csv", "xlsx"):
        read = coder_sheets.from_csv if tool == "csv" else coder_sheets.from_xlsx
        table = read(data, where)
        return lambda session: coder_sheets.take_in(table, session, where)
    answers = label_studio.answers if tool == "label-studio" else doccano.answers
    found = answers(data, packet, where)
    return lambda session: take_in(found, session, where)


def _csv(packet: Packet) -> dict[str, bytes]:
    return {".csv": coder_sheets.to_csv(coder_sheets.table_of(packet))}


def _xlsx(packet: Packet) -> dict[str, bytes]:
    return {".xlsx": coder_sheets.to_xlsx(coder_sheets.table_of(packet))}


def _label_studio(packet: Packet) -> dict[str, bytes]:
    return {
        "-label-studio.json": label_studio.tasks(packet),
        "-label-studio.xml": label_studio.config(packet.codebook).encode(),
    }


def _doccano(packet: Packet) -> dict[str, bytes]:
    return {
        "-doccano.jsonl": doccano.lines(packet),
        "-doccano-categories.json": doccano.categories(packet.codebook),
        "-doccano-spans.json": doccano.spans(packet.codebook),
    }


_CONTENTS: Final[Mapping[Tool, Callable[[Packet], dict[str, bytes]]]] = {
    "csv": _csv,
    "xlsx": _xlsx,
    "label-studio": _label_studio,
    "doccano": _doccano,
}

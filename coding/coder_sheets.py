"""Coder sheets: a packet as CSV or XLSX for coders who prefer a spreadsheet.

A sheet has the columns item, text, each field, note, skip and flag. What comes back
goes through a session like every other decision.
"""

import csv
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from coding.codebook import CHOICES, Field
from coding.errors import CodingError
from coding.packet import Packet
from coding.results import CodingSession
from coding.state import ItemState
from coding.textmap import TextMap

MAX_BYTES = 200_000_000
# Characters in a cell: what Excel holds, what Python's csv module reads back.
MAX_XLSX_CELL, MAX_CSV_CELL = 32_767, 131_000
MARKED = frozenset({"x", "1", "yes", "true"})
# A cell that begins like this is a formula to a spreadsheet, or our own guard.
_RISKY = ("=", "+", "-", "@", "\t", "\r", "'")
_GUARD = "'"
_TITLE = "items"
Table = list[list[str]]


def table_of(packet: Packet, states: Mapping[str, ItemState] | None = None) -> Table:
    """Return the rows of a sheet, the header first.

    Texts are as the pane shows them, with symbols for what cannot be shown.

    Args:
        packet: The packet.
        states: What a coder has said so far; None for an empty sheet.
    """
    fields = packet.codebook.fields
    head = ["item", "text", *(field.name for field in fields), "note", "skip", "flag"]
    given = states or {}
    rows = [
        _row(item.id, item.text, given.get(item.id, ItemState()), fields)
        for item in packet.items
    ]
    return [head, *rows]


def to_csv(table: Table) -> bytes:
    """Return a table as CSV: UTF-8 with BOM, all cells quoted, formulas defused.

    Raises:
        CodingError: A cell is too long to be read back.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerows(_guarded_row(row, MAX_CSV_CELL) for row in table)
    return out.getvalue().encode("utf-8-sig")


def to_xlsx(table: Table) -> bytes:
    """Return a table as XLSX; every cell is text, formulas are defused.

    Raises:
        CodingError: A cell is longer than a spreadsheet's cell can be.
    """
    import openpyxl  # noqa: PLC0415 - costs 0.2 s, and few ask for it

    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet(_TITLE)
    for row in table:
        sheet.append(_guarded_row(row, MAX_XLSX_CELL))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def from_csv(data: bytes, where: str = "sheet") -> Table:
    """Return the table in a CSV file, formulas no longer defused.

    Raises:
        CodingError: Not UTF-8, not CSV, or too large.
    """
    _check_size(len(data), where)
    try:
        text = data.decode("utf-8-sig")
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except UnicodeDecodeError as error:
        raise CodingError(
            "is not UTF-8", where=where, todo='Save it as "CSV UTF-8"'
        ) from error
    except csv.Error as error:
        raise CodingError(f"is not CSV: {error}", where=where) from error
    return [[_unguarded(cell) for cell in row] for row in rows if row]


def from_xlsx(data: bytes, where: str = "sheet") -> Table:
    """Return the table in the first sheet of an XLSX file.

    Raises:
        CodingError: Not XLSX, or too large when unpacked.
    """
    import openpyxl  # noqa: PLC0415 - costs 0.2 s, and few ask for it

    try:
        # An XLSX is a zip, so it can be a bomb like any other.
        with zipfile.ZipFile(io.BytesIO(data)) as file:
            _check_size(sum(info.file_size for info in file.infolist()), where)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True)
        # A file of charts, or one that a tool broke, can be without any.
        if not book.worksheets:
            raise CodingError("holds no sheet", where=where)
        rows = list(book.worksheets[0].iter_rows(values_only=True))
        book.close()
    # Entities that grow without end are stopped by the XML parser itself.
    # An XML parser's error is a SyntaxError.
    except (zipfile.BadZipFile, KeyError, ValueError, OSError, SyntaxError) as error:
        raise CodingError(f"is not XLSX ({error})", where=where) from error
    texts = ([_unguarded(_cell_text(cell)) for cell in row] for row in rows)
    return [row for row in texts if any(row)]


def take_in(table: Table, session: CodingSession, where: str = "sheet") -> int:
    """Record what a sheet says that the session does not know yet.

    An empty cell says nothing. The whole sheet is checked first: one that is refused
    changes nothing.

    Returns:
        The number of decisions recorded.

    Raises:
        CodingError: A column is missing, an item is unknown or there twice, a code is
            unknown, or a quote is not in the item's text.
    """
    rows = _by_item(table, session.packet, where)
    # All of them before the first is recorded: half a sheet would be worse than none.
    decisions = [
        decision
        for item, cells in rows.items()
        for decision in _Row(session, item, cells, f"{where}, item {item}").decisions()
    ]
    for decide in decisions:
        decide()
    return len(decisions)


@dataclass(frozen=True, slots=True)
class _Row:
    """One item's cells, against what the session knows."""

    session: CodingSession
    item: str
    cells: Mapping[str, str]
    where: str

    def decisions(self) -> Iterable[Callable[[], None]]:
        state = self.session.state(self.item)
        for field in self.session.packet.codebook.fields:
            cell = self.cells[field.name]
            if not cell:
                continue
            if field.kind == "quote":
                yield from self._quote(field, cell, state)
            elif self._code(field, cell) != _shown(
                field, state.values.get(field.name, "")
            ):
                yield self._decide_code(field.name, cell)
        note = _lines(self.cells["note"])
        if note and note != TextMap(state.note).display:
            yield lambda: self.session.set_note(self.item, note)
        if self._marked("flag") and not state.flagged:
            yield lambda: self.session.set_flag(self.item)
        # Last, because a code takes a skipped item up again.
        if self._marked("skip") and not state.skipped:
            yield lambda: self.session.set_skip(self.item)

    def _code(self, field: Field, cell: str) -> str:
        if field.kind in CHOICES and cell not in field.code_names():
            listed = ", ".join(field.code_names())
            raise CodingError(
                f'"{cell[:40]}" is no code of {field.name}',
                where=self.where,
                todo=f"The codes are {listed}",
            )
        return cell

    def _decide_code(self, field: str, cell: str) -> Callable[[], None]:
        return lambda: self.session.record_code(self.item, field, cell)

    def _quote(
        self, field: Field, cell: str, state: ItemState
    ) -> Iterable[Callable[[], None]]:
        # The coder copied from what the sheet showed, not from the original.
        shown = TextMap(self.session.packet.item(self.item).text)
        wanted = _lines(cell)
        at = shown.display.find(wanted)
        if at < 0:
            raise CodingError(
                f'"{cell[:40]}" is not in the text', where=f"{self.where}, {field.name}"
            )
        start, end = shown.original_span(at, at + len(wanted))
        known = state.quotes.get(field.name)
        # A passage that occurs twice keeps the place that was chosen in the pane.
        if known is None or TextMap(known.text).display != wanted:
            yield lambda: self.session.record_quote(self.item, start, end, field.name)

    def _marked(self, name: str) -> bool:
        cell = self.cells[name].strip().casefold()
        if cell and cell not in MARKED:
            raise CodingError(f"write x under {name}, or nothing", where=self.where)
        return bool(cell)


def _by_item(table: Table, packet: Packet, where: str) -> dict[str, dict[str, str]]:
    if not table:
        raise CodingError("is empty", where=where)
    head, *rows = table
    # The text may be changed or left out: it is ours, and not read back.
    for name in (n for n in table_of(packet)[0] if n != "text"):
        if head.count(name) != 1:
            raise CodingError(f'needs one column "{name}"', where=where)
    found: dict[str, dict[str, str]] = {}
    for row in rows:
        # Spreadsheets leave out empty cells at the end of a row.
        cells = dict(zip(head, [*row, *[""] * len(head)], strict=False))
        item = packet.item(cells["item"]).id
        if item in found:
            raise CodingError("occurs twice", where=f"{where}, item {item}")
        found[item] = cells
    return found


def _row(item: str, text: str, state: ItemState, fields: Iterable[Field]) -> list[str]:
    said = {name: quote.text for name, quote in state.quotes.items()} | dict(
        state.values
    )
    shown = [_shown(field, said.get(field.name, "")) for field in fields]
    marks = ["x" if on else "" for on in (state.skipped, state.flagged)]
    return [item, TextMap(text).display, *shown, TextMap(state.note).display, *marks]


def _shown(field: Field, value: str) -> str:
    # Codes are compared as they are; only what people wrote may hold odd characters.
    return value if field.kind in CHOICES else TextMap(value).display


def _guarded_row(row: list[str], limit: int) -> list[str]:
    cells = [_GUARD + cell if cell.startswith(_RISKY) else cell for cell in row]
    if max(map(len, cells)) > limit:
        raise CodingError(
            f"is longer than a cell of a sheet can be ({limit} characters)",
            where=f"item {row[0]}",
            todo="Code this packet in the program",
        )
    return cells


def _unguarded(cell: str) -> str:
    # A spreadsheet may have taken the guard away already, when it was typed there.
    return cell[1:] if cell.startswith(_GUARD) else cell


def _lines(cell: str) -> str:
    return cell.replace("\r\n", "\n").replace("\r", "\n")


def _cell_text(cell: object) -> str:
    return "" if cell is None else str(cell)


def _check_size(size: int, where: str) -> None:
    if size > MAX_BYTES:
        raise CodingError(f"is larger than {MAX_BYTES} bytes", where=where)

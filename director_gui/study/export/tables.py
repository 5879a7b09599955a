"""A sheet as CSV, Markdown, LaTeX (booktabs) or XLSX; no cell can act as a formula."""

import csv
import io
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, Protocol

from director_gui.errors import UserError
from director_gui.stats.display import MINUS, NOTHING
from director_gui.study.results.sheet import Cell, Column, Sheet


class _Cell(Protocol):
    """The part of a workbook's cell that is written; openpyxl ships no types."""

    value: Any
    data_type: str


SUFFIXES = (".csv", ".md", ".tex", ".xlsx")
_NUMBER = re.compile(r"[+-]?[0-9][0-9,]*(\.[0-9]+)?")
# What spreadsheets take for a formula, a command (DDE) or a way to hide one.
_ACTIVE = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%")
_PAGE_NAME = 31  # characters
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")
_LATEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#",
    "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}", MINUS: "$-$", NOTHING: "--", "±": r"$\pm$",
    "<": r"\textless{}", ">": r"\textgreater{}", "“": "``", "”": "''", "…": r"\ldots{}",
}  # fmt: skip


def write_table(sheet: Sheet, path: Path) -> None:
    """Write a sheet in the format that the path's suffix names.

    Raises:
        UserError: The suffix is none of `SUFFIXES`, or the file cannot be written.
    """
    data = table_bytes(sheet, path.suffix.lower())
    try:
        path.write_bytes(data)
    except OSError as error:
        what = f"the table cannot be written ({error.strerror or error})"
        raise UserError(what, where=str(path)) from error


def table_bytes(sheet: Sheet, suffix: str) -> bytes:
    """Return a sheet in one format.

    Raises:
        UserError: The suffix is none of `SUFFIXES`.
    """
    if suffix == ".xlsx":
        return xlsx([sheet])
    makers = {".csv": to_csv, ".md": markdown, ".tex": latex}
    if suffix not in makers:
        listed = ", ".join(SUFFIXES)
        raise UserError(
            f"no table is written as “{suffix}”", todo=f"Name the file with {listed}"
        )
    return makers[suffix](sheet).encode()


def to_csv(sheet: Sheet) -> str:
    """Return a sheet as CSV: figures as they are shown, a minus as ASCII."""
    out = io.StringIO()
    # LF everywhere: exports of one study are byte-identical.
    writer = csv.writer(out, lineterminator="\n")
    kept = _kept(sheet)
    writer.writerow(defused(column.title) for _, column in kept)
    for row in sheet.rows:
        writer.writerow(_plain(row.cells[at], column) for at, column in kept)
    return out.getvalue()


def defused(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    clean = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    # The apostrophe is what spreadsheets themselves write before forced text.
    return f"'{clean}" if text.lstrip(" ").startswith(_ACTIVE) else clean


def markdown(sheet: Sheet) -> str:
    """Return a sheet as a Markdown table with its title and its note."""
    kept = _kept(sheet)
    titles = [_markdown(column.title) for _, column in kept]
    lines = ["---:" if column.number else "---" for _, column in kept]
    rows = [[_markdown(row.cells[at].text) for at, _ in kept] for row in sheet.rows]
    table = "".join(f"| {' | '.join(cells)} |\n" for cells in (titles, lines, *rows))
    return f"**{_markdown(sheet.title)}**\n\n{table}\n{_markdown(sheet.note)}\n"


def latex(sheet: Sheet) -> str:
    """Return a sheet as a LaTeX table that needs the booktabs package alone."""
    kept = _kept(sheet)
    align = "".join("r" if column.number else "l" for _, column in kept)
    head = " & ".join(_latex(column.title) for _, column in kept)
    body = "".join(
        "    " + " & ".join(_latex(row.cells[at].text) for at, _ in kept) + " \\\\\n"
        for row in sheet.rows
    )
    caption = f"{_latex(sheet.title)}. {_latex(sheet.note)}"
    return (
        "% needs \\usepackage{booktabs}\n"
        f"\\begin{{table}}\n  \\caption{{{caption}}}\n"
        f"  \\begin{{tabular}}{{{align}}}\n    \\toprule\n    {head} \\\\\n"
        f"    \\midrule\n{body}    \\bottomrule\n"
        "  \\end{tabular}\n\\end{table}\n"
    )


def xlsx(sheets: Iterable[Sheet]) -> bytes:
    """Return sheets as one workbook; every text is stored as text."""
    from openpyxl import Workbook  # noqa: PLC0415 - only workbooks need it: 0.2 s

    book = Workbook()
    book.remove(book.worksheets[0])
    for sheet in sheets:
        page = book.create_sheet(_page_name(sheet.name, book.sheetnames))
        kept = _kept(sheet)
        for across, (at, column) in enumerate(kept, start=1):
            _put(page.cell(1, across), column.title)
            for down, row in enumerate(sheet.rows, start=2):
                shown = _plain(row.cells[at], column, guard=False)
                number = column.number and _NUMBER.fullmatch(shown)
                # The shown figure: one workbook is to say what the table says.
                value = float(shown.replace(",", "")) if number else shown
                _put(page.cell(down, across), value)
        # One row apart, so that sorting the table does not take the note along.
        _put(page.cell(len(sheet.rows) + 3, 1), sheet.note)
        page.freeze_panes = "A2"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _page_name(name: str, taken: Collection[str]) -> str:
    """Return a name of at most 31 characters, as Excel demands, that is not taken."""
    # Excel holds names that differ in case alone for the same.
    known = {one.casefold() for one in taken}
    found, number = name[:_PAGE_NAME], 1
    while found.casefold() in known:
        number += 1
        end = f"~{number}"
        found = name[: _PAGE_NAME - len(end)] + end
    return found


def _put(cell: "_Cell", value: str | float) -> None:
    if isinstance(value, str):
        cell.value = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", value)
        # Without this a text that begins with = would be stored as a formula.
        cell.data_type = "s"
    else:
        cell.value = value


def _kept(sheet: Sheet) -> list[tuple[int, Column]]:
    # A drawing's figures stand in the columns beside it.
    return [(at, col) for at, col in enumerate(sheet.columns) if not col.drawing]


def _plain(cell: Cell, column: Column, *, guard: bool = True) -> str:
    text = cell.text.replace(MINUS, "-")
    if column.number:
        # An empty cell reads as missing in R and pandas; a dash as a word.
        text = "" if text == NOTHING else text
        if _NUMBER.fullmatch(text):
            # A leading + or thousands' comma would make a figure text, or two cells.
            return text.removeprefix("+").replace(",", "")
    return defused(text) if guard else text


def _markdown(text: str) -> str:
    # A line break would end the table's row.
    flat = " ".join(text.split())
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", flat)


def _latex(text: str) -> str:
    flat = " ".join(_CONTROL.sub("", text).split())
    return "".join(_LATEX.get(sign, sign) for sign in flat)

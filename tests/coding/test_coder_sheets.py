import csv
import io
import itertools
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import coder_sheets as sheets
from coding import packet
from coding.codebook import Codebook
from coding.errors import CodingError
from coding.packet import Entry, Packet
from coding.results import CodingSession
from coding.state import ItemState
from tests.strategies import QUICK

Table = list[list[str]]
FORMATS: dict[str, tuple[Callable[[Table], bytes], Callable[[bytes], Table]]] = {
    "csv": (sheets.to_csv, sheets.from_csv),
    "xlsx": (sheets.to_xlsx, sheets.from_xlsx),
}


def states(session: CodingSession) -> dict[str, ItemState]:
    return {item.id: session.state(item.id) for item in session.packet.items}


def filled(table: Table, row: int, **cells: str) -> Table:
    copy = [list(line) for line in table]
    for name, cell in cells.items():
        copy[row][table[0].index(name)] = cell
    return copy


@pytest.fixture
def empty(pack: Packet) -> Table:
    return sheets.table_of(pack)


def test_an_empty_sheet_holds_texts_and_nothing_else(
    empty: Table, pack: Packet
) -> None:
    assert empty[0] == [
        "item", "text", "reading", "quote", "sees_choice", "works_out", "note", "skip",
        "flag",
    ]  # fmt: skip
    assert [row[0] for row in empty[1:]] == [item.id for item in pack.items]
    assert all(not any(row[2:]) for row in empty[1:])
    assert "\r" not in empty[1][1]


@pytest.mark.parametrize("kind", FORMATS)
def test_a_sheet_comes_back_and_is_taken_in(
    kind: str, session: CodingSession, pack: Packet, empty: Table, tmp_path: Path
) -> None:
    write, read = FORMATS[kind]
    first = pack.items[0]
    table = filled(
        empty, 1, reading="own-view", quote="largest cube", sees_choice="not-said",
        works_out="no", note="odd", flag="x",
    )  # fmt: skip
    table = filled(table, 2, skip="X")
    assert sheets.take_in(read(write(table)), session) == 7
    state = session.state(first.id)
    assert state.values["reading"] == "own-view"
    assert state.quotes["quote"].text == "largest cube"
    start, end = state.quotes["quote"].start, state.quotes["quote"].end
    assert first.text[start:end] == "largest cube"
    assert (state.note, state.flagged) == ("odd", True)
    assert session.status(first.id) == "coded"
    assert session.status(pack.items[1].id) == "skipped"
    # What a session says, a sheet shows, and taking that in again changes nothing.
    again = read(write(sheets.table_of(pack, states(session))))
    assert sheets.take_in(again, session) == 0
    with CodingSession(pack, tmp_path / "other.jsonl", "bob") as other:
        assert sheets.take_in(again, other) == 7
        assert states(other) == states(session)


@QUICK
@given(
    st.lists(
        st.lists(
            st.text(st.characters(exclude_categories=["Cs", "Cc", "Cn"])),
            min_size=2,
            max_size=2,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_cells_come_back_from_csv(rows: Table) -> None:
    assert sheets.from_csv(sheets.to_csv(rows)) == rows


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize(
    "cell",
    ["=1+1", "+1", "-1", "@x", "\tx", "'x", "'=x", "None", "NA", "01", "1e5", "a\nb"],
)
def test_cells_stay_text(kind: str, cell: str) -> None:
    write, read = FORMATS[kind]
    assert read(write([["head", "x"], ["i", cell]])) == [["head", "x"], ["i", cell]]


@pytest.mark.parametrize("cell", ["=HYPERLINK()", "+1", "-1", "@SUM", "\t=1", "\r=1"])
def test_no_cell_is_a_formula(cell: str) -> None:
    data = sheets.to_csv([["i", cell]])
    assert data.startswith(b"\xef\xbb\xbf")
    (row,) = csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    assert row[1][0] == "'"
    if cell[0] != "\r":
        with zipfile.ZipFile(io.BytesIO(sheets.to_xlsx([["i", cell]]))) as file:
            assert b"<f>" not in file.read("xl/worksheets/sheet1.xml")


def test_a_quote_is_found_through_what_the_sheet_changed(
    book: Codebook, tmp_path: Path
) -> None:
    text = "\U0001f600 one\xa0two\r\nthree"
    made = packet.seal([Entry("r", text)], book).packet
    table = filled(sheets.table_of(made), 1, quote="one two\r\nthree")
    with CodingSession(made, tmp_path / "x.jsonl", "ann") as session:
        assert sheets.take_in(table, session) == 1
        quote = session.state(made.items[0].id).quotes["quote"]
        assert quote.text == "one\xa0two\r\nthree"
        assert sheets.take_in(table, session) == 0


def test_a_repeated_passage_keeps_the_place_chosen_in_the_pane(
    session: CodingSession, pack: Packet
) -> None:
    item = pack.items[0]
    at = item.text.rindex("e.")
    session.record_quote(item.id, at, at + 1)
    table = sheets.table_of(pack, states(session))
    assert sheets.take_in(table, session) == 0
    assert session.state(item.id).quotes["quote"].start == at


REFUSED: dict[str, tuple[Callable[[Table], Table], str]] = {
    "empty": (lambda _: [], "empty"),
    "no item column": (lambda t: [["x", *t[0][1:]], *t[1:]], '"item"'),
    "no field": (lambda t: [row[:2] + row[3:] for row in t], '"reading"'),
    "field twice": (lambda t: [[*row, row[2]] for row in t], '"reading"'),
    "unknown item": (lambda t: filled(t, 1, item="f" * 32), "no item"),
    "item twice": (lambda t: [*t, t[1]], "twice"),
    "unknown code": (lambda t: filled(t, 2, reading="mine"), "no code of reading"),
    "code with a blank": (lambda t: filled(t, 2, works_out="yes "), "no code"),
    "no such quote": (lambda t: filled(t, 2, quote="the smallest"), "not in the text"),
    "odd mark": (lambda t: filled(t, 2, skip="maybe"), "write x under skip"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_sheet_changes_nothing(
    session: CodingSession, empty: Table, name: str
) -> None:
    change, why = REFUSED[name]
    good = filled(empty, 1, reading="own-view")
    before = session.path.read_bytes()
    with pytest.raises(CodingError, match=why):
        sheets.take_in(change(good), session)
    assert session.path.read_bytes() == before


def test_empty_cells_at_the_end_may_be_missing(
    session: CodingSession, empty: Table
) -> None:
    table = filled(empty, 1, reading="own-view")
    assert sheets.take_in([table[0], table[1][:3]], session) == 1


def test_a_workbook_without_a_sheet_is_refused(empty: Table) -> None:
    out = io.BytesIO()
    whole = io.BytesIO(sheets.to_xlsx(empty))
    with zipfile.ZipFile(whole) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            if not name.endswith("sheet1.xml"):
                new.writestr(name, old.read(name))
    with pytest.raises(CodingError, match="holds no sheet"):
        sheets.from_xlsx(out.getvalue())


@pytest.mark.parametrize("kind", FORMATS)
def test_what_is_no_sheet_is_refused(kind: str) -> None:
    read = FORMATS[kind][1]
    with pytest.raises(CodingError, match="sheet: is not"):
        read(b"\xff\xfe" if kind == "xlsx" else b"\xff")
    if kind == "xlsx":
        other = io.BytesIO()
        with zipfile.ZipFile(other, "w") as file:
            file.writestr("x", b"y")
        with pytest.raises(CodingError, match="is not XLSX"):
            read(other.getvalue())
    else:
        with pytest.raises(CodingError, match="is not CSV"):
            read(b'a,"b')


def test_a_sheet_that_unpacks_to_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    data = sheets.to_xlsx([["a"] * 50] * 100)
    monkeypatch.setattr(sheets, "MAX_BYTES", len(data))
    with pytest.raises(CodingError, match="larger"):
        sheets.from_xlsx(data)
    with pytest.raises(CodingError, match="larger"):
        sheets.from_csv(b"x" * (len(data) + 1))


def test_texts_too_long_for_a_cell() -> None:
    long = [["item", "x" * 40_000]]
    with pytest.raises(CodingError, match="longer than a cell"):
        sheets.to_xlsx(long)
    assert sheets.from_csv(sheets.to_csv(long)) == long
    with pytest.raises(CodingError, match="longer than a cell"):
        sheets.to_csv([["item", "x" * 140_000]])


def test_entities_that_grow_are_refused() -> None:
    """A billion laughs: a small XML text that unpacks to gigabytes."""
    data = sheets.to_xlsx([["item"], ["x"]])
    names = [f"a{n}" for n in range(12)]
    entities = '<!ENTITY a0 "haha">' + "".join(
        f'<!ENTITY {new} "{f"&{old};" * 20}">' for old, new in itertools.pairwise(names)
    )
    sheet = (
        f"<?xml version='1.0'?><!DOCTYPE x [{entities}]>"
        '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
        f'<sheetData><row><c t="inlineStr"><is><t>&{names[-1]};</t></is></c></row>'
        "</sheetData></worksheet>"
    )
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        for name in old.namelist():
            bomb = name.endswith("sheet1.xml")
            new.writestr(name, sheet if bomb else old.read(name))
    with pytest.raises(CodingError, match="is not XLSX"):
        sheets.from_xlsx(out.getvalue())

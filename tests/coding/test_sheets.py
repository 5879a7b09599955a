from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coding import sheets
from coding.errors import CodingError
from coding.sheets import Sheet
from tests.strategies import QUICK


def parse(text: str, field: str = "code") -> Sheet:
    return sheets.parse_sheet(text.encode(), "f.csv", field)


def test_codes_are_the_text_that_stands_there() -> None:
    read = parse('item,code\n1,None\n2,NA\n3,nan\n4, x \n5,01\n6,""\n7,\n8,"a,b"\n')
    assert read.codes == {
        "1": "None",
        "2": "NA",
        "3": "nan",
        "4": " x ",
        "5": "01",
        "8": "a,b",
    }


def test_items_are_verbatim() -> None:
    assert set(parse("item,code\n01,a\n1,a\n 1,a\n1.0,a\n").codes) == {
        "01",
        "1",
        " 1",
        "1.0",
    }


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_bom(end: str, bom: bytes) -> None:
    text = end.join(["item,code", "1,a", "", '2,"b', 'c"'])
    read = sheets.parse_sheet(bom + text.encode(), "f", "code")
    assert read.codes == {"1": "a", "2": f"b{end}c"}


def test_columns_in_any_order_and_others_ignored() -> None:
    text = "x,reading,scene,item,x\n9,own-view,s1,i1,8\n9,no-rule,,i2,8\n"
    read = parse(text, "reading")
    assert read.codes == {"i1": "own-view", "i2": "no-rule"}
    assert read.scenes == {"i1": "s1"}


REFUSED = {
    "empty": ("", "empty"),
    "no item column": ("id,code\n", '"item"'),
    "no code column": ("item,x\n", '"code"'),
    "code twice": ("item,code,code\n", "twice"),
    "scene twice": ("item,code,scene,scene\n", "twice"),
    "item twice": ("item,code\n1,a\n2,b\n1,a\n", "line 4"),
    "item twice, once missing": ("item,code\n1,\n1,a\n", "twice"),
    "no item": ("item,code\n,a\n", "has no item"),
    "short row": ("item,code\n1\n", "1 cells"),
    "long row": ("item,code\n1,a,b\n", "3 cells"),
    "open quote": ('item,code\n1,"a\n', "not CSV"),
    "text after quote": ('item,code\n1,"a"b\n', "not CSV"),
    "huge cell": ("item,code\n1," + "a" * 200_000 + "\n", "not CSV"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused(name: str) -> None:
    text, why = REFUSED[name]
    with pytest.raises(CodingError) as caught:
        parse(text)
    assert why in str(caught.value)
    assert "f.csv" in str(caught.value)


def test_not_utf8() -> None:
    with pytest.raises(CodingError, match="UTF-8"):
        sheets.parse_sheet("item,code\n1,ä".encode("latin-1"), "f", "code")


def test_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "ann.csv"
    path.write_text("item,code\n1,a\n")
    assert sheets.read_sheet(path, "code").codes == {"1": "a"}
    with pytest.raises(CodingError, match=r"none\.csv"):
        sheets.read_sheet(tmp_path / "none.csv", "code")


def test_scenes_of_several_files() -> None:
    one = Sheet("a", {}, {"1": "s"})
    two = Sheet("b", {}, {"1": "s", "2": "t"})
    assert sheets.scenes_of([one, two]) == {"1": "s", "2": "t"}
    assert sheets.scenes_of([Sheet("a", {"1": "x"}, {})]) is None
    with pytest.raises(CodingError, match='"u", but in "s"'):
        sheets.scenes_of([one, Sheet("b", {}, {"1": "u"})])


# csv's own writer makes the files; whatever it writes must come back.
@QUICK
@given(
    st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=9),
        st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
        max_size=6,
    )
)
def test_what_csv_writes_comes_back(codes: dict[str, str]) -> None:
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow(["item", "code"])
    writer.writerows(codes.items())
    assert parse(out.getvalue()).codes == {i: c for i, c in codes.items() if c}

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook

from director_gui.errors import UserError
from director_gui.stats.display import points_text
from director_gui.study.export.tables import (
    defused,
    latex,
    markdown,
    table_bytes,
    to_csv,
    write_table,
    xlsx,
)
from director_gui.study.results.sheet import (
    Cell,
    Column,
    Interval,
    Row,
    Sheet,
    count,
    difference,
    interval,
    p_value,
    words,
)

HEAD = (
    Column("Model"),
    Column("Points", number=True),
    Column("n", number=True),
    Column("95 % interval", number=True),
    Column("p", number=True),
    Column("Plot", drawing=True),
)


def sheet(name: str = "m", value: float | None = -0.039) -> Sheet:
    mark = Cell("", None, "", Interval(-0.1, value, 0.1))
    row = Row(
        (words(name), difference(value), count(1234), interval(-0.1, 0.05, signed=True),
         p_value(0.0004), mark)
    )  # fmt: skip
    return Sheet("comparisons", "Differences", HEAD, (row,), "160 scenes.")


def cells_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def test_csv_holds_plain_figures_and_no_drawing() -> None:
    head, row = cells_of(to_csv(sheet()))
    assert head == ["Model", "Points", "n", "95 % interval", "p"]
    assert row == ["m", "-3.9", "1234", "[-10.0, +5.0]", "<0.001"]


def test_what_has_no_value_is_empty_in_csv() -> None:
    assert cells_of(to_csv(sheet(value=None)))[1][1] == ""


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "|calc", "%x"]
)
def test_formulas_are_defused(text: str) -> None:
    assert defused(text).startswith("'")
    assert cells_of(to_csv(sheet(text)))[1][0].startswith("'")


@given(st.text())
def test_no_text_cell_of_a_csv_is_active(text: str) -> None:
    cell = cells_of(to_csv(sheet(text)))[1][0]
    assert not cell.lstrip(" ").startswith(("=", "+", "-", "@", "\t", "\r", "\n"))


@given(st.floats(-1, 1))
def test_figures_survive_a_csv(value: float) -> None:
    shown = cells_of(to_csv(sheet(value=value)))[1][1]
    assert float(shown) == float(points_text(value, minus="-"))


def test_a_workbook_holds_numbers_as_numbers_and_formulas_as_text() -> None:
    page = load_workbook(io.BytesIO(xlsx([sheet("=1+1")])))["comparisons"]
    assert page["A2"].value == "=1+1"
    assert page["A2"].data_type == "s"
    assert page["B2"].value == -3.9
    assert page["C2"].value == 1234
    assert "160 scenes" in str(page["A4"].value)


def test_markdown_stays_one_row_and_inert() -> None:
    text = markdown(sheet("a|b\n<script>[x](y)"))
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert len(rows) == 3
    assert r"a\|b \<script\>\[x\](y)" in rows[2]
    assert "| --- | ---: |" in rows[1]
    assert text.endswith("160 scenes.\n")


def test_latex_uses_booktabs_and_escapes() -> None:
    text = latex(sheet(r"50% & $x_1$ \input{x}"))
    for rule in ("toprule", "midrule", "bottomrule"):
        assert f"\\{rule}" in text
    assert r"50\% \& \$x\_1\$ \textbackslash{}input\{x\}" in text
    assert "$-$3.9" in text
    assert "{lrrrr}" in text


def test_a_table_is_written_by_its_suffix(tmp_path: Path) -> None:
    for suffix in (".csv", ".md", ".tex"):
        write_table(sheet(), tmp_path / f"t{suffix}")
        made = (tmp_path / f"t{suffix}").read_bytes()
        assert made == table_bytes(sheet(), suffix)


def test_refusals_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.csv, \.md, \.tex, \.xlsx"):
        write_table(sheet(), tmp_path / "t.doc")
    with pytest.raises(UserError, match="cannot be written"):
        write_table(sheet(), tmp_path / "no" / "t.csv")


def test_long_names_stay_apart_in_a_workbook() -> None:
    names = ["traces-" + "q" * 32 + end for end in ("a", "b", "C")]
    made = [
        Sheet(name, "t", (Column("a"),), (Row((words(name),)),), "") for name in names
    ]
    book = load_workbook(io.BytesIO(xlsx(made)))
    assert [len(name) <= 31 for name in book.sheetnames] == [True] * 3
    assert [page["A2"].value for page in book.worksheets] == names

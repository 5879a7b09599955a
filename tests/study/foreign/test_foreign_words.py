"""What a reader of other people’s replies is told: cells, hovers, faults, exports."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from director_gui.errors import UserError
from director_gui.stats.correction import adjust
from director_gui.stats.display import points_text
from director_gui.study.export.tables import latex, markdown, to_csv, xlsx
from director_gui.study.foreign.loading import (
    ALL,
    NAMELESS,
    Analysed,
    analysed,
    load,
    preview,
)
from director_gui.study.foreign.mapping import ColumnMap, suggested
from director_gui.study.results.sheet import Cell, Sheet

HEAD = ("scene", "condition", "y")
PLAIN = ColumnMap("scene", "condition", "y")
Rows = Sequence[Sequence[object]]
_NO_FIGURE = re.compile(r"\b(nan|inf|None|NaN)\b")


def write(path: Path, rows: Rows, head: Sequence[str] = HEAD) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def analyse(folder: Path, rows: Rows, reference: str = "A") -> Analysed:
    return analysed(load(write(folder / "r.csv", rows), PLAIN), reference, "r.csv")


def cells(sheets: Sequence[Sheet]) -> Iterator[Cell]:
    for sheet in sheets:
        for row in sheet.rows:
            yield from row.cells


def every(found: Analysed) -> list[Sheet]:
    places = range(len(found.comparisons))
    return [*found.sheets, *(found.scenes_of(at) for at in places)]


def grid(outcomes: dict[str, str], scenes: int = 6) -> list[list[object]]:
    """Each condition with its outcomes, one letter a scene: 0, 1 or - for none."""
    return [
        [f"s{scene}", name, letters[scene % len(letters)].replace("-", "")]
        for scene in range(scenes)
        for name, letters in outcomes.items()
    ]


def test_no_cell_and_no_hover_speaks_of_hidden_blocks(tmp_path: Path) -> None:
    found = analyse(tmp_path, grid({"A": "01", "B": "0111", "C": "1"}))
    told = [cell.hint for cell in cells(found.sheets) if cell.hint]
    assert any(hint.startswith("Events under B: ") for hint in told)
    assert any(hint.startswith("Events: ") for hint in told)
    for sheet in found.sheets:
        texts = [sheet.title, sheet.note, *(c.title + c.hint for c in sheet.columns)]
        assert not [t for t in (*texts, *told) if "idden" in t]


def test_reports_that_no_file_brings_have_no_columns(tmp_path: Path) -> None:
    rates = analyse(tmp_path, grid({"A": "01", "B": "1"})).sheets[1]
    titles = [column.title for column in rates.columns]
    assert titles[:7] == [
        "Model", "Condition", "Batch", "Calls", "Answered, %", "Events, %",
        "95 % interval",
    ]  # fmt: skip
    assert not [title for title in titles if "report" in title or "Joint" in title]
    assert {len(row.cells) for row in rates.rows} == {len(titles)}


def test_a_hover_tells_the_counts_behind_a_figure(tmp_path: Path) -> None:
    found = analyse(tmp_path, grid({"A": "011", "B": "0111"}, scenes=12))
    (row,) = found.sheets[0].rows
    assert row.cells[2].text == "+8.3"
    assert row.cells[2].hint == (
        "Events under B: 9 of 12 answered replies = 75.0 %; under A: 8 of 12 = "
        "66.7 %. Their difference, of the unrounded shares, is +8.3 points."
    )
    assert "12 scenes with answers" in row.cells[3].hint


def test_an_arm_without_an_answer_is_told_in_words(tmp_path: Path) -> None:
    found = analyse(tmp_path, grid({"A": "-", "B": "01"}))
    (row,) = found.sheets[0].rows
    assert row.cells[2].hint == (
        "Events under B: 3 of 6 answered replies = 50.0 %; under A: no answered "
        "reply. There is no difference without answers under both."
    )
    assert row.cells[5].text == "no interval"
    rate = found.sheets[1].rows[0].cells[5]
    assert (rate.text, rate.hint) == ("–", "Events: no answered reply")


@pytest.mark.parametrize(
    "outcomes",
    [
        {"A": "0", "B": "0"}, {"A": "1", "B": "1"}, {"A": "0", "B": "1"},
        {"A": "-", "B": "-"}, {"A": "01", "B": "-"}, {"A": "01", "B": "01"},
        {"A": "01"},
    ],
)  # fmt: skip
@pytest.mark.parametrize("scenes", [1, 2, 3, 8])
def test_no_gap_is_shown_as_a_number(
    tmp_path: Path, outcomes: dict[str, str], scenes: int
) -> None:
    found = analyse(tmp_path, grid(outcomes, scenes))
    for cell in cells(every(found)):
        assert not _NO_FIGURE.search(cell.text), cell
        assert not _NO_FIGURE.search(cell.hint), cell
        assert not isinstance(cell.value, float) or cell.value == cell.value
    for one in found.comparisons:
        assert one.call


@settings(
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["1", "01", "NA", "None", "nan"]),
            st.sampled_from(["A", "B"]),
            st.sampled_from(["0", "1", "", "0.0", "True", " 1 "]),
        ),
        min_size=1,
        max_size=40,
    )
)
def test_rates_are_those_of_the_rows_counted_one_by_one(
    tmp_path: Path, rows: list[tuple[str, str, str]]
) -> None:
    rows = [("1", "A", "0"), *rows]
    found = analyse(tmp_path, rows)
    truth = {"0": 0, "0.0": 0, "1": 1, "True": 1}
    answered, events = Counter[str](), Counter[str]()
    for _, condition, y in rows:
        if y.strip():
            answered[condition] += 1
            events[condition] += truth[y.strip()]
    assert set(found.columns.scenes) == {scene for scene, _, _ in rows}
    for row in found.sheets[1].rows:
        name = row.cells[1].text
        n = answered[name]
        rate = events[name] / n if n else None
        assert row.cells[5].text == points_text(rate)
        assert row.cells[5].value == rate
    for at in range(len(found.comparisons)):
        by_scene = found.scenes_of(at).rows
        assert sum(float(r.cells[2].value or 0) for r in by_scene) == answered["B"]
        assert sum(float(r.cells[4].value or 0) for r in by_scene) == answered["A"]


def test_three_hundred_conditions_are_one_family(tmp_path: Path) -> None:
    rows = [
        [scene, f"c{number:03d}", (scene * number) % 3 % 2]
        for scene in range(5)
        for number in range(301)
    ]
    found = analyse(tmp_path, rows, "c000")
    assert len(found.comparisons) == 300
    plain = [one.found.p if one.found else None for one in found.comparisons]
    assert [one.adjusted for one in found.comparisons] == pytest.approx(adjust(plain))
    assert "300 comparisons" in found.sheets[0].note


def test_a_batch_column_keeps_comparisons_inside_a_batch(tmp_path: Path) -> None:
    head = (*HEAD, "batch")
    rows = [
        [scene, name, scene % 2, batch]
        for scene in range(4)
        for name, batch in (("A", "x"), ("B", "x"), ("A", "y"), ("C", "z"))
    ]
    columns = load(write(tmp_path / "b.csv", rows, head), suggested(head))
    found = analysed(columns, "A", "b.csv")
    inside, across = found.comparisons
    assert (inside.name, inside.batch) == ("B − A", "x")
    assert across.found is None
    assert across.name == "C − A"
    assert "batch" in found.sheets[0].rows[1].cells[2].hint
    assert [r.cells[2].text for r in found.sheets[1].rows] == ["x", "y", "x", "z"]


def test_an_empty_model_has_a_name_and_none_is_all(tmp_path: Path) -> None:
    head = (*HEAD, "model")
    rows = [[s, name, 1, ""] for s in range(3) for name in "AB"]
    path = write(tmp_path / "m.csv", rows, head)
    assert load(path, suggested(head)).models == (NAMELESS,)
    assert load(path, PLAIN).models == (ALL,)


@pytest.mark.parametrize("part", ["scene", "condition"])
def test_a_label_must_be_there_and_be_text(tmp_path: Path, part: str) -> None:
    for value, said in (("", "is empty"), ("a\0b", "holds a NUL character")):
        row = {"scene": "1", "condition": "A", "y": "1", part: value}
        path = write(tmp_path / "r.csv", [list(row.values())])
        with pytest.raises(UserError, match=f"the {part} {said}") as caught:
            load(path, PLAIN)
        assert "line 2" in str(caught.value)


def test_formulas_leave_as_text(tmp_path: Path) -> None:
    names = ("=cmd()|1", "@B", "+C", "-D")
    rows = [[s, name, (s + len(name)) % 2] for s in range(4) for name in names]
    found = analyse(tmp_path, rows, names[0])
    for line in list(csv.reader(io.StringIO(to_csv(found.sheets[1]))))[1:]:
        assert line[1][0] == "'"
        assert line[1][1:] in names
    book = load_workbook(io.BytesIO(xlsx(found.sheets)))
    for page in book.worksheets:
        assert "f" not in {cell.data_type for row in page for cell in row}
    for text in (markdown(found.sheets[1]), latex(found.sheets[1])):
        assert "cmd()" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("scene,condition,y\n", "holds no replies"),
        ("", "holds no replies"),
        ("\ufeff\n", "holds no replies"),
    ],
)
def test_a_file_without_rows_is_told(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        preview(path)


def test_one_condition_alone_has_rates_and_no_comparison(tmp_path: Path) -> None:
    found = analyse(tmp_path, grid({"A": "01"}))
    assert found.comparisons == ()
    assert "0 comparisons" in found.sheets[0].note
    assert found.sheets[1].rows[0].cells[5].text == "50.0"

"""Parquet files: typed columns become the same verbatim text as everywhere else."""

import datetime as dt
import json
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.study.foreign.loading import analysed, load, preview
from director_gui.study.foreign.mapping import ColumnMap
from director_gui.study.foreign.sources import rows_of
from director_gui.study.results.columns import NOTHING

pyarrow = pytest.importorskip("pyarrow", reason="Parquet needs pyarrow")
parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow")

PLAIN = ColumnMap(scene="scene", condition="condition", y="y")


def write(path: Path, columns: dict[str, Any], **options: object) -> Path:
    parquet.write_table(pyarrow.table(columns), path, **options)
    return path


def values(path: Path, name: str) -> list[str]:
    return [row[name] for _, row in rows_of(path)]


def balanced() -> dict[str, list[Any]]:
    rows = [
        (f"{scene:02d}", name, int((scene + at) % 5 < rate))
        for scene in range(12)
        for name, rate in (("a", 1), ("b", 3))
        for at in range(3)
    ]
    scene, condition, y = zip(*rows, strict=True)
    return {"scene": list(scene), "condition": list(condition), "y": list(y)}


def test_a_parquet_file_gives_what_its_csv_gives(tmp_path: Path) -> None:
    made = balanced()
    rows = zip(*made.values(), strict=True)
    lines = ["scene,condition,y", *(",".join(map(str, row)) for row in rows)]
    (tmp_path / "r.csv").write_text("\n".join(lines) + "\n")
    # In small groups, so that more than one batch is read.
    write(tmp_path / "r.parquet", made, row_group_size=10)
    ours, theirs = (
        analysed(load(tmp_path / name, PLAIN), "a", "x").comparisons[0].found
        for name in ("r.parquet", "r.csv")
    )
    assert ours is not None
    assert ours == theirs
    assert ours.n == (36, 36)


def test_labels_are_verbatim(tmp_path: Path) -> None:
    made = {
        "scene": ["01", "1", " 1", "NA", "None", "nan"],
        "condition": ["NA", "null", "None", "", "a", "a"],
        "y": [1, 0, 1, 0, 1, 0],
    }
    path = write(tmp_path / "r.parquet", made)
    assert values(path, "scene") == made["scene"]
    assert values(path, "condition") == made["condition"]
    with pytest.raises(UserError, match="row 4: the condition is empty"):
        load(path, PLAIN)


def test_integers_are_no_strings_and_nulls_are_gaps(tmp_path: Path) -> None:
    made = {
        "scene": pyarrow.array([1, 2, 3, 10], pyarrow.int64()),
        "condition": pyarrow.array(["a", "a", "b", "b"]).dictionary_encode(),
        "y": pyarrow.array([1, None, 0, None], pyarrow.int8()),
    }
    columns = load(write(tmp_path / "r.parquet", made), PLAIN)
    assert columns.scenes == ("1", "10", "2", "3")
    assert columns.conditions == ("a", "b")
    assert list(columns.hidden) == [1, NOTHING, 0, NOTHING]


@pytest.mark.parametrize(
    ("kind", "given_", "read"),
    [
        # Of integers with a gap, many programs make numbers with a point.
        (pyarrow.float64(), [1.0, 0.0, float("nan"), None], ["1", "0", "", ""]),
        (pyarrow.float64(), [0.5, -2.0], ["0.5", "-2"]),
        (pyarrow.bool_(), [True, False, None], ["true", "false", ""]),
        (pyarrow.decimal128(9, 2), [Decimal("1.50"), None], ["1.50", ""]),
        (pyarrow.date32(), [dt.date(2026, 1, 2)], ["2026-01-02"]),
        (pyarrow.binary(), [b"01", "é".encode(), None], ["01", "é", ""]),
        (pyarrow.large_string(), ["01"], ["01"]),
        (pyarrow.uint64(), [2**64 - 1], ["18446744073709551615"]),
        (pyarrow.null(), [None, None], ["", ""]),
    ],
    ids=str,
)
def test_every_plain_type_has_one_text(
    tmp_path: Path, kind: object, given_: list[object], read: list[str]
) -> None:
    path = write(tmp_path / "r.parquet", {"x": pyarrow.array(given_, kind)})
    assert values(path, "x") == read


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), min_size=1))
def test_any_string_comes_back(tmp_path: Path, texts: list[str]) -> None:
    path = write(tmp_path / "r.parquet", {"x": pyarrow.array(texts, pyarrow.string())})
    assert values(path, "x") == texts


def nested(tmp_path: Path) -> Path:
    made = {**balanced(), "said": [["x"]] * 72, "about": [{"by": "me"}] * 72}
    return write(tmp_path / "nested.parquet", made)


def test_a_nested_column_is_not_offered(tmp_path: Path) -> None:
    found = preview(nested(tmp_path))
    assert found.columns == ("scene", "condition", "y")
    assert load(nested(tmp_path), PLAIN).calls == 72


@pytest.mark.parametrize("name", ["said", "about"])
def test_a_nested_column_is_refused_by_name(tmp_path: Path, name: str) -> None:
    mapping = ColumnMap(scene="scene", condition="condition", reply=name, target="y")
    with pytest.raises(UserError, match=f"the column '{name}' holds lists"):
        load(nested(tmp_path), mapping)


def test_two_columns_of_one_name_are_neither(tmp_path: Path) -> None:
    table = pyarrow.Table.from_arrays(
        [pyarrow.array([name]) for name in "abc"], names=["x", "x", "y"]
    )
    parquet.write_table(table, tmp_path / "r.parquet")
    assert [row for _, row in rows_of(tmp_path / "r.parquet")] == [{"y": "c"}]


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "r.parquet", {"x": [b"a", b"\xff"]})
    with pytest.raises(UserError, match="row 2: holds bytes that are no text"):
        values(path, "x")


def test_only_what_is_wanted_is_unpacked(tmp_path: Path) -> None:
    made = {**balanced(), **{f"c{at}": ["x"] * 72 for at in range(300)}}
    path = write(tmp_path / "r.parquet", made)
    rows = [row for _, row in rows_of(path, PLAIN.names())]
    assert {len(row) for row in rows} == {3}
    assert len(preview(path).columns) == 303


def test_replies_are_scored(tmp_path: Path) -> None:
    made = {
        "scene": ["1", "2"],
        "condition": ["a", "a"],
        "reply": [json.dumps({"choice": 3}), json.dumps({"choice": 5})],
        "hidden": [3, 3],
    }
    mapping = ColumnMap("scene", "condition", reply="reply", target="hidden")
    assert list(load(write(tmp_path / "r.parquet", made), mapping).hidden) == [1, 0]


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\0" * 50 + b"PAR1"])
def test_a_damaged_file_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "r.parquet").write_bytes(data)
    with pytest.raises(UserError, match="not readable as Parquet") as caught:
        preview(tmp_path / "r.parquet")
    assert "r.parquet" in caught.value.where


def test_a_file_that_was_cut_off_is_refused(tmp_path: Path) -> None:
    whole = write(tmp_path / "whole.parquet", balanced()).read_bytes()
    for share in (0.3, 0.9):
        (tmp_path / "r.parquet").write_bytes(whole[: int(len(whole) * share)])
        with pytest.raises(UserError, match="not readable as Parquet"):
            load(tmp_path / "r.parquet", PLAIN)


def test_without_pyarrow_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "r.parquet", balanced())
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UserError, match="needs the Python package pyarrow") as caught:
        preview(path)
    assert "CSV" in caught.value.todo

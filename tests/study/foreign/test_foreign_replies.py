import csv
import json
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from director_gui.errors import UserError
from director_gui.stats.contrast import compare
from director_gui.stats.table import read_replies
from director_gui.study.foreign import sources
from director_gui.study.foreign.loading import analysed, load, preview
from director_gui.study.foreign.mapping import ColumnMap, remember, suggested
from director_gui.study.results.columns import ENDINGS, NOTHING

PLAIN = ColumnMap(scene="scene", condition="condition", y="y")
TEXTS = ColumnMap(scene="scene", condition="condition", reply="reply", target="hidden")


def write(path: Path, rows: Sequence[Sequence[object]], sign: str = ",") -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, delimiter=sign).writerows(rows)
    return path


def many(rate: float = 0.5) -> list[list[object]]:
    rng = np.random.default_rng(2)
    return [
        [f"{scene:02d}", name, int(rng.random() < (rate if name == "b" else 0.2))]
        for scene in range(30)
        for name in ("a", "b")
        for _ in range(3)
    ]


def test_the_analysis_is_that_of_the_command(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", [["scene", "condition", "y"], *many()])
    found = analysed(load(path, PLAIN), "a", "r.csv").comparisons[0]
    assert found.found == compare(read_replies(path), "a", "b")


def test_every_format_holds_the_same(tmp_path: Path) -> None:
    head, rows = ["scene", "condition", "y"], many()
    write(tmp_path / "r.csv", [head, *rows])
    write(tmp_path / "semi.csv", [head, *rows], ";")
    write(tmp_path / "r.tsv", [head, *rows], "\t")
    bom = tmp_path / "bom.csv"
    bom.write_bytes(b"\xef\xbb\xbf" + (tmp_path / "r.csv").read_bytes())
    lines = [json.dumps(dict(zip(head, row, strict=True))) for row in rows]
    (tmp_path / "r.jsonl").write_text("\n".join(lines) + "\n\n")
    book = Workbook()
    for row in [head, *rows]:
        book.worksheets[0].append(row)
    book.save(tmp_path / "r.xlsx")
    first = analysed(load(tmp_path / "r.csv", PLAIN), "a", "x").comparisons[0].found
    for name in ("semi.csv", "r.tsv", "bom.csv", "r.jsonl", "r.xlsx"):
        other = analysed(load(tmp_path / name, PLAIN), "a", "x").comparisons[0].found
        assert other == first, name


def test_labels_are_verbatim(tmp_path: Path) -> None:
    rows = [["01", "NA", 1], ["1", "None", 0], [" 1", "nan", ""]]
    path = write(tmp_path / "r.csv", [["scene", "condition", "y"], *rows])
    columns = load(path, PLAIN)
    assert columns.scenes == (" 1", "01", "1")
    assert columns.conditions == ("NA", "None", "nan")
    (tmp_path / "r.jsonl").write_text(
        '{"scene": 1.0, "condition": null, "y": true}\n'
        '{"scene": "01", "condition": "NA", "y": false}'
    )
    with pytest.raises(UserError, match="line 1: the condition is empty"):
        load(tmp_path / "r.jsonl", PLAIN)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(
    st.text(
        st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
    )
)
def test_any_label_survives_a_csv(tmp_path: Path, label: str) -> None:
    path = write(tmp_path / "r.csv", [["scene", "condition", "y"], [label, "a", 1]])
    assert load(path, PLAIN).scenes == (label,)


def test_replies_are_scored_by_their_last_object(tmp_path: Path) -> None:
    texts = {
        '{"choice": 3}': ("answered", 1),
        '```json\n{"choice": 3}\n```\nor {"choice": 5}': ("answered", 0),
        '<think>{"choice": 3}</think>': ("empty", NOTHING),
        "I pick three": ("unparsed", NOTHING),
        "": ("empty", NOTHING),
    }
    rows = [[at, "a", text, 3] for at, text in enumerate(texts)]
    path = write(tmp_path / "r.csv", [["scene", "condition", "reply", "hidden"], *rows])
    columns = load(path, TEXTS)
    found = zip(columns.status, columns.hidden, strict=True)
    assert [(ENDINGS[s], y) for s, y in found] == list(texts.values())


def test_batches_are_heeded_and_models_are_apart(tmp_path: Path) -> None:
    rows = [[s, c, 1, "1" if c == "a" else "2", m] for s, c, _ in many() for m in "xy"]
    head = ["scene", "condition", "y", "batch", "model"]
    path = write(tmp_path / "r.csv", [head, *rows])
    mapping = ColumnMap("scene", "condition", "y", model="model", batch="batch")
    found = analysed(load(path, mapping), "a", "r")
    assert [one.model for one in found.comparisons] == ["x", "y"]
    assert all(one.found is None for one in found.comparisons)
    assert "drifts between batches" in found.sheets[0].rows[0].cells[2].hint


def test_inspect_logs_are_read(tmp_path: Path) -> None:
    path = tmp_path / "r.eval"
    with zipfile.ZipFile(path, "w") as log:
        log.writestr("header.json", '{"eval": {"task": "move", "model": "m"}}')
        for at in range(3):
            sample = {"id": at, "epoch": 1, "output": {"completion": '{"choice": 3}'},
                      "metadata": {"hidden": 3}}  # fmt: skip
            log.writestr(f"samples/{at}_epoch_1.json", json.dumps(sample))
    mapping = suggested(preview(path).columns)
    assert (mapping.scene, mapping.condition) == ("id", "eval.task")
    assert (mapping.reply, mapping.model) == ("output.completion", "eval.model")
    own = ColumnMap(
        "id", "eval.task", reply="output.completion", target="metadata.hidden"
    )
    columns = load(path, own)
    assert list(columns.hidden) == [1, 1, 1]


def test_thousands_of_columns_are_no_trouble(tmp_path: Path) -> None:
    extra = [f"c{at}" for at in range(5000)]
    rows = [[s, c, y, *extra] for s, c, y in many()[:50]]
    path = write(tmp_path / "r.csv", [["scene", "condition", "y", *extra], *rows])
    assert load(path, PLAIN).calls == 50
    found = preview(path)
    assert len(found.columns) == 5003
    assert len(found.sheet.columns) == 200


def test_a_mapping_is_remembered(tmp_path: Path) -> None:
    columns = ("who", "what", "hit")
    assert suggested(columns) == ColumnMap()
    mine = ColumnMap(scene="who", condition="what", y="hit")
    remember(mine, columns)
    assert suggested(("hit", "who", "what")) == mine
    del tmp_path


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("r.csv", "scene,condition,y\ns,a,2\n", "line 2: the outcome must be 0, 1"),
        ("r.csv", "scene,condition,y\ns,a\n", "line 2: has 2 values"),
        ("r.csv", 'scene,condition,y\ns,a,"1\n', "not readable as CSV"),
        ("r.csv", "scene,condition,y\n,a,1\n", "the scene is empty"),
        ("r.csv", "scene,scene,condition,y\na,b,c,1\n", "or it has it twice"),
        ("r.csv", "scene,condition,y\n", "holds no replies"),
        ("r.csv", "", "holds no replies"),
        ("r.jsonl", "[1]\n", "line 1: not a JSON object"),
        ("r.jsonl", "{\n", "line 1: not JSON"),
        ("r.jsonl", "[" * 100_000, "not JSON"),
        ("r.xlsx", "PK", "damaged"),
        ("r.eval", "PK", "damaged"),
        ("r.doc", "x", "this kind of file is not read"),
    ],
)
def test_faults_say_where(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(UserError, match=said):
        load(tmp_path / name, PLAIN)


def test_other_encodings_and_missing_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("scene,condition,y\né,a,1\n".encode("latin-1"))
    with pytest.raises(UserError, match="not UTF-8"):
        load(path, PLAIN)
    with pytest.raises(UserError, match="cannot be read"):
        preview(tmp_path / "no.csv")


def test_a_file_above_the_limit_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "r.csv", [["scene", "condition", "y"], *many()])
    monkeypatch.setattr(sources, "MAX_BYTES", 100)
    with pytest.raises(UserError, match="Split the file"):
        load(path, PLAIN)


@pytest.mark.parametrize(
    "mapping", [ColumnMap(), ColumnMap("scene", "condition"), ColumnMap("a", "b", "c")]
)
def test_a_mapping_that_cannot_work_is_refused(mapping: ColumnMap) -> None:
    with pytest.raises(UserError):
        mapping.check(("scene", "condition", "y"))


def test_an_unknown_reference_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", [["scene", "condition", "y"], *many()])
    with pytest.raises(UserError, match="no reply has this condition"):
        analysed(load(path, PLAIN), "z", "r")

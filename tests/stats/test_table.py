"""Reading CSV: what counts as a value, and what is said of a bad file."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.stats import table
from director_gui.stats.replies import Replies
from director_gui.stats.table import read_p_values, read_replies

Write = Callable[[str | bytes], Path]
HEADER = "scene,condition,sample,y\n"
text = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(content: str | bytes) -> Path:
        path = tmp_path / "replies.csv"
        raw = content if isinstance(content, bytes) else content.encode()
        path.write_bytes(raw)
        return path

    return _write


def same(first: Replies, second: Replies) -> None:
    assert first.scenes == second.scenes
    assert first.conditions == second.conditions
    for name in first.conditions:
        one, other = first.tally(name), second.tally(name)
        assert one.events.tolist() == other.events.tolist()
        assert one.answered.tolist() == other.answered.tolist()


def test_plain_file(write: Write) -> None:
    found = read_replies(write(HEADER + "s1,A,1,1\ns1,A,2,\ns2,B,1,0\n"))
    same(found, Replies.of([("s1", "A", 1), ("s1", "A", None), ("s2", "B", 0)]))


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + HEADER + "s1,A,1,1\n",
        "scene,condition,sample,y\r\ns1,A,1,1\r\n",
        "scene,condition,sample,y\rs1,A,1,1\r",
        HEADER + '"s1","A","1","1"',
        HEADER + "\ns1,A,1,1\n\n",
        "y,model,condition,scene\n1,any,A,s1\n",
        "scene,condition,y\ns1,A,1.0\n",
        '\ufeff"scene","condition","sample","y"\ns1,A,x,1\n',
    ],
)
def test_forms_that_mean_the_same(write: Write, content: str) -> None:
    same(read_replies(write(content)), Replies.of([("s1", "A", 1)]))


def test_values_stay_strings(write: Write) -> None:
    found = read_replies(write(HEADER + "01,NA,1,0.0\n1,None,1,1\n 1,nan,1,1\n"))
    assert found.scenes == (" 1", "01", "1")
    assert found.conditions == ("NA", "None", "nan")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=st.lists(st.tuples(text, text, st.sampled_from([0, 1, None]))))
def test_what_the_csv_writer_writes_is_read_back(
    write: Write, rows: list[tuple[str, str, int | None]]
) -> None:
    sheet = io.StringIO(newline="")
    writer = csv.writer(sheet)
    writer.writerow(["scene", "condition", "y"])
    writer.writerows(["" if cell is None else cell for cell in row] for row in rows)
    same(read_replies(write(sheet.getvalue())), Replies.of(rows))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (HEADER + "s,A,1,1\ns,A,2,yes\n", "line 3: y must be 0, 1 or empty"),
        (HEADER + "s,A,1,2\n", "line 2: y must be"),
        (HEADER + "s,A,1, 1\n", "line 2: y must be"),
        (HEADER + "s,A,1,nan\n", "line 2: y must be"),
        (HEADER + '"a\nb",A,1,1\ns,A,1,x\n', "line 4: y must be"),
        ("scene,condition\ns,A\n", "line 1: the column 'y' is missing.*condition"),
        ("scene,condition,y,y\ns,A,1,1\n", "column 'y' is there more than once"),
        ("", "line 1: the column 'scene' is missing.*none"),
        (HEADER + "s,A,1\n", "line 2: has 3 values where the first line has 4"),
        (HEADER + "s,A,1,1,1\n", "line 2: has 5 values"),
        (HEADER + ",A,1,1\n", "line 2: the scene is empty"),
        (HEADER + "s,,1,1\n", "line 2: the condition is empty"),
        (HEADER + "s,A\0,1,1\n", "line 2: holds a NUL"),
        (HEADER + '"s,A,1,1\n', "not readable as CSV"),
        (HEADER + '"s"s,A,1,1\n', "line 2: not readable as CSV"),
        (HEADER + "s" * 200_000 + ",A,1,1\n", "line 2: not readable as CSV"),
        ((HEADER + "s,A,1,1\n").encode() + b"\xff,A,1,1\n", "line 3: not UTF-8"),
        ((HEADER + "s,A,1,1\n").encode("utf-16"), "line 1: not UTF-8"),
    ],
)
def test_faults_are_named_with_their_line(
    write: Write, content: str, said: str
) -> None:
    with pytest.raises(UserError, match=said) as error:
        read_replies(write(content))
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(UserError, match="cannot be read"):
            read_replies(path)


def test_a_file_that_is_too_large_is_not_opened(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "MAX_BYTES", 10)
    with pytest.raises(UserError, match="larger than"):
        read_replies(write(HEADER))


BATCHED = "scene,condition,y,batch\ns,A,1,b1\ns,A,0,b2\ns,B,1,b2\n"


def test_one_batch_can_be_chosen(write: Write) -> None:
    found = read_replies(write(BATCHED), batch="b2")
    same(found, Replies.of([("s", "A", 0), ("s", "B", 1)]))


def test_an_unknown_batch_is_reported_with_those_that_are_there(write: Write) -> None:
    with pytest.raises(UserError, match="Batches here: b1, b2"):
        read_replies(write(BATCHED), batch="b3")
    with pytest.raises(UserError, match="names no batch"):
        read_replies(write(HEADER + "s,A,1,1\n"), batch="b3")


def test_p_values(write: Write) -> None:
    found = read_p_values(write("family,p\nf,0.01\nf,\ng,1e-300\n"))
    assert found == [(0.01, "f"), (None, "f"), (1e-300, "g")]


def test_a_blank_line_is_an_empty_value_in_a_single_column(write: Write) -> None:
    assert read_p_values(write('p\n0.5\n\n""\n1\n')) == [
        (0.5, ""),
        (None, ""),
        (None, ""),
        (1.0, ""),
    ]


@pytest.mark.parametrize(
    "p", ["1.5", "-0.1", "nan", "inf", "NA", "0_1", "<0.001", "0,1"]
)
def test_other_p_values_are_refused(write: Write, p: str) -> None:
    with pytest.raises(UserError, match=r"line 2: (p must be|has 2 values)"):
        read_p_values(write(f"p\n{p}\n"))

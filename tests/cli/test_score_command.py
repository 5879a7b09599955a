"""``director-gui score`` as a script sees it."""

import json
from pathlib import Path

import pytest

from director_gui.cli import dispatch


def test_prints_one_line_per_reply_in_order(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = data / "replies" / "replies.jsonl"
    assert dispatch.run(["score", str(path)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    ids = [json.loads(line)["id"] for line in path.read_text("utf-8").splitlines()]
    assert [json.loads(line)["id"] for line in out.splitlines()] == ids
    wanted = {"id", "status", "visible", "choice", "report_correct", "hidden_choice"}
    assert wanted | {"flags"} <= set(json.loads(out.splitlines()[0]))


def test_json_changes_nothing(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(data / "replies" / "replies.jsonl")
    outs = []
    for argv in (["score", path], ["score", path, "--json"]):
        assert dispatch.run(argv) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]


def test_a_broken_line_prints_no_score_at_all(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = (data / "replies" / "replies.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"".join(good[:3]) + b"{broken\n" + good[3])
    assert dispatch.run(["score", str(path)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert f"{path}, line 4: not JSON" in err
    assert err.count("\n") == 1


def test_a_missing_file_is_the_inputs_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert dispatch.run(["score", str(tmp_path / "none.jsonl")]) == 1
    assert "none.jsonl" in capsys.readouterr().err


def test_no_file_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        dispatch.run(["score"])
    assert caught.value.code == 2
    assert "REPLIES.jsonl" in capsys.readouterr().err


def test_an_id_that_no_encoding_carries_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    line = {"id": "\ud800é", "keys": ["choice"], "text": '{"choice":2}'}
    scene = {"digits": [2], "hidden": None, "sees": [2]}
    path = tmp_path / "replies.jsonl"
    path.write_text(json.dumps({**line, **scene}), "utf-8")
    assert dispatch.run(["score", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out)["id"] == "\ud800é"
    assert json.loads(out)["hidden_choice"] is None

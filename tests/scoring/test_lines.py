"""Lines of a replies file: the given cases, and what is refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from director_gui.errors import UserError
from director_gui.scoring.lines import score_line, score_lines

LINE: dict[str, Any] = {
    "id": "r1",
    "condition": "move.ask",
    "text": '{"visible":[2],"choice":2}',
    "finish_reason": "stop",
    "digits": [2, 5],
    "hidden": 5,
    "sees": [2],
}


def changed(**values: Any) -> dict[str, Any]:  # noqa: ANN401 - raw JSON
    return {**LINE, **values}


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in LINE.items() if name != key}


def test_the_given_cases(data: Path) -> None:
    lines = (data / "replies" / "expected.jsonl").read_text("utf-8").splitlines()
    expected = [json.loads(line) for line in lines]
    scored = list(score_lines(data / "replies" / "replies.jsonl"))
    assert len(scored) == len(expected) == 40
    for found, right in zip(scored, expected, strict=True):
        name = right.pop("name")
        assert {key: found[key] for key in right} == right, name


@pytest.mark.parametrize(
    ("condition", "text", "status"),
    [
        ("move.ask", '{"visible":[2],"choice":2}', "answered"),
        ("move.ask", '{"choice":2}', "unparsed"),
        ("mean.plain", '{"choice":2}', "answered"),
        ("mean.state", '{"choice":2}', "answered"),
        ("move.after", '{"choice":2,"visible":[2]}', "answered"),
        ("move.count", '{"visible":[2],"choice":2}', "unparsed"),
        ("move.count", '{"count":2,"choice":2}', "answered"),
        ("move.knows", '{"known":[2],"choice":2}', "answered"),
        ("move.first_turn", '{"choice":2}', "answered"),
        ("move.first_turn_count", '{"choice":2}', "answered"),
    ],
)
def test_the_condition_says_what_was_asked(
    condition: str, text: str, status: str
) -> None:
    assert score_line(changed(condition=condition, text=text))["status"] == status


def test_a_two_turn_condition_without_its_first_reply() -> None:
    found = score_line(changed(condition="move.first_turn"))
    assert found["flags"] == ["unasked_report", "report_unparsed"]


def test_a_first_reply_of_a_one_turn_condition_is_not_read() -> None:
    found = score_line(changed(turn1_text='{"visible":[5]}'))
    assert found["visible"] == [2]


@pytest.mark.parametrize("keys", [["visible", "choice"], ["choice"]])
def test_own_keys_over_two_turns(keys: list[str]) -> None:
    first, second = '{"visible":[2]}', '{"choice":5}'
    line = changed(keys=keys, condition=None, text=second, turn1_text=first)
    found = score_line(line)
    assert (found["visible"], found["choice"]) == ([2], 5)
    assert found["report_correct"] is found["hidden_choice"] is True


def test_own_keys_in_one_turn() -> None:
    line = {**without("condition"), "keys": ["choice", "choice"]}
    assert score_line(line)["flags"] == ["unasked_report"]
    assert score_line({**line, "keys": ["visible"]})["choice"] is None
    two = {**line, "keys": ["visible"], "turn1_text": '{"visible":[5]}'}
    assert score_line(two)["visible"] == [2], "nothing is left for a second turn"


def test_a_reply_that_never_came_has_failed() -> None:
    assert score_line(changed(text=None))["status"] == "failed"


def test_finish_reason_and_id_may_be_missing() -> None:
    found = score_line(without("finish_reason"))
    assert found["status"] == "answered"
    assert score_line(without("id"))["id"] is None
    assert score_line(changed(id=7))["id"] == 7


def test_unknown_keys_are_ignored() -> None:
    assert score_line(changed(model="m", note=[1]))["status"] == "answered"


@pytest.mark.parametrize(
    ("line", "where", "what"),
    [
        (without("condition"), "", "neither"),
        (changed(condition="move.nothing"), "", "no condition"),
        (changed(condition=3), "condition", "a text"),
        (changed(keys=[]), "keys", "a list of some of"),
        (changed(keys=["colour"]), "keys", "a list of some of"),
        (changed(keys="choice"), "keys", "a list of some of"),
        (changed(keys=[["choice"]]), "keys", "a list of some of"),
        (without("text"), "text", "missing"),
        (changed(text=5), "text", "a text"),
        (changed(turn1_text=5), "turn1_text", "a text"),
        (changed(finish_reason=5), "finish_reason", "a text"),
        (without("digits"), "digits", "whole numbers"),
        (changed(digits=[True]), "digits", "whole numbers"),
        (changed(digits=5), "digits", "whole numbers"),
        (changed(sees=["2"]), "sees", "whole numbers"),
        (without("hidden"), "hidden", "missing"),
        (changed(hidden="5"), "hidden", "a whole number or null"),
        (changed(hidden=True), "hidden", "a whole number or null"),
        (changed(id=[1]), "id", "a text or a whole number"),
        (changed(id=True), "id", "a text or a whole number"),
    ],
)
def test_refused_values_are_named(line: dict[str, Any], where: str, what: str) -> None:
    with pytest.raises(UserError, match=what) as caught:
        score_line(line)
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("broken", "what"),
    [
        (b"{", "not JSON"),
        (b"[]", "expected an object"),
        (b"3", "expected an object"),
        (b'{"id":NaN}', "NaN"),
        (b'{"id":' + b"1" * 5000 + b"}", "too long"),
        (b'{"id":' + b"[" * 100_000, "nested too deeply"),
        (b'{"id":"\xff"}', "not UTF-8"),
        (json.dumps(without("sees")).encode(), "sees: expected"),
        (json.dumps(LINE).encode() * 2, "not JSON"),
    ],
)
def test_a_broken_line_is_named_by_number(
    tmp_path: Path, broken: bytes, what: str
) -> None:
    path = tmp_path / "replies.jsonl"
    good = json.dumps(LINE).encode()
    path.write_bytes(b"\n".join([good, b"", broken, good]))
    with pytest.raises(UserError, match=what) as caught:
        list(score_lines(path))
    assert caught.value.where == f"{path}, line 3"


def test_lines_end_at_line_feeds_alone(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    texts = [LINE["text"] + tail for tail in ("\u2028", "\x85", "\x0b", "\ud800")]
    lines = [json.dumps(changed(text=text), ensure_ascii=False) for text in texts[:3]]
    lines.append(json.dumps(changed(text=texts[3])))
    path.write_bytes(b"\xef\xbb\xbf" + "\r\n".join(lines).encode() + b"\r\n\r\n")
    assert [found["status"] for found in score_lines(path)] == ["answered"] * 4


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read") as caught:
        list(score_lines(tmp_path / "none.jsonl"))
    assert caught.value.where.endswith("none.jsonl")
    with pytest.raises(UserError, match="cannot be read"):
        list(score_lines(tmp_path))


def test_an_empty_file_has_no_scores(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_bytes(b"")
    assert list(score_lines(path)) == []

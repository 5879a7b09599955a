"""Request and result files of a batch API."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.ids import canonical_json
from director_gui.runner.batching import BatchCall, member, request_line, results
from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.wire import request_body

ITEM = BatchCall("c" * 64, 2, 2, 3, "h", None)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_a_request_line_is_one_line_of_json_with_the_body_untouched(wire: str) -> None:
    profile = Profile(name="p", base_url="http://x/v1", model="m", wire=wire)
    body = request_body(profile, CallInput(("a\nb \u2028 größer", "two"), b"png"))
    line = request_line(ITEM, profile.wire, body)
    assert line.count(b"\n") == 1
    value = json.loads(line)
    assert value["custom_id"] == "c" * 64 + "-2-3"
    assert value["body"] == body
    assert value["url"].endswith("completions" if wire == "chat" else "responses")
    assert canonical_json(body) in line


@given(JSON, st.sampled_from([None, 2]), st.booleans())
def test_a_body_is_cut_out_as_it_was_written(
    value: object,
    indent: int | None,
    ascii_only: bool,  # noqa: FBT001 - hypothesis
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    whole = f'{{"a" : [1, "}}"], "response":\t{{"x": 1,"body": {text} }} }}'
    assert member(whole, "response", "body") == text


def test_what_is_not_there_is_null() -> None:
    assert member('{"a": 1}', "response", "body") == "null"
    assert member("[1]", "a") == "null"
    assert member("{}", "a") == "null"


def test_a_line_separator_inside_a_reply_ends_no_line() -> None:
    body = json.dumps({"text": "a\u2028b\x85c"}, ensure_ascii=False)
    line = f'{{"custom_id":"a","response":{{"status_code":200,"body":{body}}}}}\r\n'
    (found,) = results(line.encode(), "sdk 1")
    assert found.raw is not None
    assert found.raw.body.decode() == body


def test_results_are_read_as_far_as_they_go() -> None:
    response = b'{"status_code": 200, "request_id": "r", "body": {"x":  1}}'
    lines = [
        b'{"custom_id": "a", "error": null, "response": %s}' % response,
        b"",
        b"not json",
        b"[1]",
        b'{"custom_id": 5}',
        b'{"custom_id": "b", "response": null, "error": {"code": "batch_expired"}}',
        b'{"custom_id": "c"}',
        b"\xff" * 3,
        b'{"custom_id": "d", "resp',
    ]
    found = {item.custom_id: item for item in results(b"\n".join(lines), "sdk 1")}
    assert list(found) == ["a", "b", "c"]
    raw = found["a"].raw
    assert raw is not None
    assert (raw.status, raw.body, raw.headers["x-request-id"]) == (
        200,
        b'{"x":  1}',
        "r",
    )
    assert (found["b"].raw, found["b"].error) == (None, "batch_expired")
    assert found["c"].error == "no response"


def test_a_result_has_the_bytes_that_the_provider_wrote() -> None:
    for half in (b"\\ud83d", b"\xff", b"\xed\xa0\xbd"):
        body = b'{"text":  "%s"}' % half
        line = b'{"custom_id": "a", "response": {"status_code": 200, "body": %s}}'
        (found,) = results(line % body, "sdk 1")
        assert found.raw is not None
        assert found.raw.body == body
    (found,) = results(b'{"custom_id": "a", "error": {"code": "\\ud83d"}}', "sdk 1")
    assert found.error.encode()

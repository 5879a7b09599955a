import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.client import RawReply
from director_gui.runner.reading import Reading, read, retry_after
from director_gui.runner.records import Usage
from tests.fault_server import chat, error

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def reading(value: object, status: int = 200, **headers: str) -> Reading:
    body = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read(RawReply(status, headers, body, "test"))


def said(**message: object) -> dict[str, Any]:
    return json.loads(chat(**message))


def responses(*output: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"id": "resp_1", "status": "completed", "output": list(output), **more}


MESSAGE = {
    "type": "message",
    "content": [{"type": "output_text", "text": '{"choice": 5}'}],
}


def test_a_chat_reply_is_read_whole() -> None:
    found = reading(chat(), **{"x-request-id": "req_1"})
    content = found.content
    assert content is not None
    assert (found.verdict, found.message) == ("reply", "")
    assert (content.text, content.finish_reason) == ('{"choice": 5}', "stop")
    assert (content.model, content.fingerprint) == ("served-model", "fp_1")
    assert content.usage == Usage(1000, 200, 150, 100)
    assert found.request_id == "req_1"
    assert reading(chat()).request_id == "chatcmpl-1"


def test_a_responses_reply_is_read_whole() -> None:
    usage = {
        "input_tokens": 9,
        "output_tokens": 8,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 7},
    }
    thought = {"type": "reasoning", "summary": [{"text": "one"}, {"text": "two"}]}
    content = reading(responses(thought, MESSAGE, usage=usage, model="m")).content
    assert content is not None
    assert content.text == '{"choice": 5}'
    assert content.reasoning == "one\n\ntwo"
    assert content.usage == Usage(9, 8, 7, 0)
    assert (content.finish_reason, content.model) == ("stop", "m")


@pytest.mark.parametrize(
    "value",
    [
        said(reasoning_content="R"),
        said(reasoning="R"),
        said(reasoning="R", reasoning_details=[{"type": "x", "text": "R"}]),
        said(reasoning_details=[{"type": "reasoning.text", "text": "R"}]),
        said(reasoning_details=[{"type": "reasoning.summary", "summary": "R"}]),
        said(
            text=[
                {"type": "thinking", "thinking": [{"type": "text", "text": "R"}]},
                {"type": "text", "text": '{"choice": 5}'},
            ]
        ),
        responses({"type": "reasoning", "summary": [{"text": "R"}]}, MESSAGE),
        responses(
            {
                "type": "reasoning",
                "content": [{"type": "reasoning_text", "text": "R"}],
                "summary": [{"text": "short"}],
            },
            MESSAGE,
        ),
    ],
)
def test_reasoning_is_found_in_every_shape(value: dict[str, Any]) -> None:
    content = reading(value).content
    assert content is not None
    assert content.reasoning == "R"
    assert content.text == '{"choice": 5}'


@pytest.mark.parametrize("value", [said(), said(reasoning=""), said(reasoning=None)])
def test_no_reasoning_is_none(value: dict[str, Any]) -> None:
    content = reading(value).content
    assert content is not None
    assert content.reasoning is None


def test_thinking_inside_the_text_stays_there() -> None:
    content = reading(chat("<think>a</think>b")).content
    assert content is not None
    assert content.text == "<think>a</think>b"


def test_an_empty_and_a_refused_reply_are_replies() -> None:
    empty = reading(said(text=None)).content
    refused = reading(said(text=None, refusal="no")).content
    assert empty is not None
    assert refused is not None
    assert (empty.text, refused.text) == ("", "no")


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("max_output_tokens", "length"), ("content_filter", "content_filter")],
)
def test_a_cut_response_says_why(reason: str, finish: str) -> None:
    value = responses(status="incomplete", incomplete_details={"reason": reason})
    found = reading(value)
    assert found.content is not None
    assert (found.verdict, found.content.finish_reason) == ("reply", finish)


@pytest.mark.parametrize(
    ("status", "body", "verdict"),
    [
        (429, error("slow down", "rate_limit_exceeded"), "rate_limit"),
        (429, b"", "rate_limit"),
        (429, error("pay", "insufficient_quota"), "quota"),
        (402, error("no credit"), "quota"),
        (401, error("bad key"), "auth"),
        (400, error("bad picture"), "rejected"),
        (403, error("moderated"), "rejected"),
        (404, b"<html>", "rejected"),
        (500, error("oops"), "server"),
        (503, b"", "server"),
        (529, b"busy", "server"),
        (200, b"{}", "malformed"),
        (200, b"", "malformed"),
        (200, b'{"choices": null}', "malformed"),
        (200, b'{"choices": [{}]}', "malformed"),
        (200, b'{"output": []}', "reply"),
        (200, b'{"output": [], "status": "completed"}', "malformed"),
        (200, b"[1]", "malformed"),
        (200, chat()[:50], "malformed"),
        (200, b"\xff\xfe", "malformed"),
        (200, b"[" * 100_000, "malformed"),
        (200, error("upstream", None), "server"),
        (200, b'{"error": {"code": 429, "message": "x"}}', "rate_limit"),
        (200, b'{"error": {"code": 400, "message": "x"}}', "rejected"),
        (200, b'{"choices": [{"error": {"code": 502}, "message": {}}]}', "server"),
    ],
)
def test_what_is_no_reply_is_told_apart(status: int, body: bytes, verdict: str) -> None:
    assert reading(body, status).verdict == verdict


def test_the_servers_words_are_kept_short() -> None:
    assert "bad picture" in reading(error("bad picture"), 400).message
    assert len(reading(error("x" * 10_000), 400).message) <= 500
    assert "base URL" in reading(b" <!doctype html>").message


KEYS = ("choices", "message", "content", "output", "type", "usage", "error", "code")
LEAF = st.sampled_from(
    [None, True, 7, "", "message", 429, "insufficient_quota", "\ud800", -1, 10**400]
)
JSON = st.recursive(
    LEAF,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_no_body_is_a_bug(value: object) -> None:
    found = reading(value)
    texts = [found.message, found.request_id or ""]
    if found.content is not None:
        content = found.content
        texts += [content.text, content.reasoning or "", content.finish_reason or ""]
    "".join(texts).encode()  # fails on a text that no file can hold
    assert found.verdict in {
        "reply",
        "malformed",
        "server",
        "rate_limit",
        "rejected",
        "auth",
        "quota",
    }


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "86400"}, 86400.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "9"}, 9.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:02:00 GMT"}, 120.0),
        ({"retry-after": "Thu, 01 Jan 2026 00:02:00 -0000"}, 120.0),
        ({"retry-after": "Wed, 31 Dec 2025 23:00:00 GMT"}, 0.0),
        (
            {
                "retry-after": "Thu, 01 Jan 2026 00:02:00 GMT",
                "date": "Thu, 01 Jan 2026 00:01:30 GMT",
            },
            30.0,
        ),
    ],
)
def test_every_form_of_retry_after(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, NOW) == seconds


def test_a_bad_byte_does_not_make_a_reply_be_paid_for_again() -> None:
    found = reading(chat("choice X 5").replace(b"X", b"\xff"))
    assert found.verdict == "reply"
    assert found.content is not None
    assert found.content.text == "choice \ufffd 5"


def test_half_a_surrogate_pair_is_read_and_can_be_kept() -> None:
    for half in (b"\\ud83d", "\ud83d".encode("utf-8", "surrogatepass")):
        body = chat("five X", reasoning="X").replace(b"X", half)
        content = reading(body).content
        assert content is not None
        assert (content.text, content.reasoning) == ("five \ufffd", "\ufffd")
        assert content.text.encode()

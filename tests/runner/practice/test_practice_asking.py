"""Requests are read or refused in words; nothing else can happen."""

import base64
import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.ids import sha256_hex
from director_gui.runner.practice.asking import Ask, RefusedError, Wire, read_request

if TYPE_CHECKING:
    from collections.abc import Callable

URL = "data:image/png;base64," + base64.b64encode(b"picture").decode()
PICTURE = {"type": "image_url", "image_url": {"url": URL}}
INPUT_PICTURE = {"type": "input_image", "image_url": URL}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner)
    ),
    max_leaves=8,
)


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


def user(*parts: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"role": "user", "content": list(parts)}


def chat(*messages: dict[str, Any], **more: Any) -> Ask:  # noqa: ANN401
    body = {"model": "m", "messages": list(messages), **more}
    return read_request("chat", json.dumps(body).encode())


def responses(value: object, **more: Any) -> Ask:  # noqa: ANN401
    body = {"model": "m", "input": value, **more}
    return read_request("responses", json.dumps(body).encode())


def test_a_chat_request_is_read() -> None:
    ask = chat(user(PICTURE, text("one"), text("two")), seed=4, max_tokens=9)
    assert ask.turns == ("one\ntwo",)
    assert ask.picture == b"picture"
    assert ask.picture_sha256 == sha256_hex(b"picture")
    assert (ask.model, ask.seed, ask.max_tokens) == ("m", 4, 9)


def test_a_responses_request_says_the_same() -> None:
    part = {"type": "input_text", "text": "one"}
    ask = responses([user(INPUT_PICTURE, part)], max_output_tokens=9)
    assert (ask.turns, ask.picture, ask.max_tokens) == (("one",), b"picture", 9)


def test_turns_end_at_the_models_own_words() -> None:
    ask = chat(
        {"role": "system", "content": "rules"},
        user(PICTURE, text("first")),
        {"role": "assistant", "content": "an answer"},
        {"role": "user", "content": "second"},
    )
    assert ask.turns == ("rules\nfirst", "second")


def test_instructions_are_part_of_the_first_turn() -> None:
    ask = responses([user(INPUT_PICTURE)], instructions="rules")
    assert ask.turns == ("rules",)


def test_the_same_picture_twice_is_one_picture() -> None:
    assert chat(user(PICTURE), user(PICTURE)).picture == b"picture"


def test_the_newer_limit_wins() -> None:
    ask = chat(user(PICTURE), max_completion_tokens=5, max_tokens=9)
    assert ask.max_tokens == 5


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 200_000, "not JSON"),
        (b"1" * 5000, "not JSON"),
        (b"[]", "must be a JSON object"),
        (b"{}", "`model`"),
        (b'{"model": 3}', "`model`"),
        (b'{"model": "m"}', "`messages`"),
        (b'{"model": "m", "messages": []}', "`messages`"),
        (b'{"model": "m", "messages": "hello"}', "`messages`"),
        (b'{"model": "m", "messages": [3]}', r"messages\[0\]"),
        (b'{"model": "m", "messages": [{"content": 3}]}', "`content`"),
        (b'{"model": "m", "messages": [{"content": [3]}]}', "`content`"),
        (b'{"model": "m", "messages": [{"content": "x"}]}', "no picture"),
    ],
)
def test_broken_bodies_are_refused_in_words(body: bytes, words: str) -> None:
    with pytest.raises(RefusedError, match=words) as caught:
        read_request("chat", body)
    assert caught.value.status == 400


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"stream": True}, "streaming is not supported"),
        ({"n": 2}, "one choice"),
        ({"seed": "x"}, "`seed`"),
        ({"seed": 1.5}, "`seed`"),
        ({"seed": True}, "`seed`"),
        ({"max_tokens": 0}, "`max_tokens`"),
        ({"max_tokens": [1]}, "`max_tokens`"),
    ],
)
def test_what_is_not_supported_is_said(more: dict[str, Any], words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        chat(user(PICTURE), **more)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("https://example.org/a.png", "data URL"),
        (None, "data URL"),
        (7, "data URL"),
        ({"url": None}, "data URL"),
        ("data:image/png;base64,", "empty"),
        ("data:image/png;base64,###", "base64"),
        ("data:image/png;base64,\u00e9", "base64"),
        ("data:image/png,abc", "base64"),
    ],
)
def test_pictures_that_cannot_be_read(url: object, words: str) -> None:
    with pytest.raises(RefusedError, match=words):
        chat(user({"type": "image_url", "image_url": url}))


def test_two_different_pictures_are_refused() -> None:
    other = {"type": "image_url", "image_url": {"url": URL[:-4] + "AAAA"}}
    with pytest.raises(RefusedError, match="several different"):
        chat(user(PICTURE, other))


def test_a_text_part_without_text_is_refused() -> None:
    with pytest.raises(RefusedError, match="`text`"):
        chat(user(PICTURE, {"type": "text"}))


def test_parts_of_other_kinds_are_passed_over() -> None:
    assert chat(user(PICTURE, {"type": "audio"}, text("x"))).turns == ("x",)


@pytest.mark.parametrize("wire", ["chat", "responses"])
@given(value=JSON, key=st.sampled_from(["messages", "input", "content", "part", "url"]))
def test_any_json_is_read_or_refused(wire: Wire, value: object, key: str) -> None:
    wrap: dict[str, Callable[[object], object]] = {
        "content": lambda v: [{"role": "user", "content": v}],
        "part": lambda v: [user({"type": "text", "text": v})],
        "url": lambda v: [user({"type": "input_image", "image_url": v})],
    }
    wrapped = wrap.get(key, lambda v: v)(value)
    body = {"model": "m", "messages": wrapped, "input": wrapped}
    with pytest.raises(RefusedError):
        read_request(wire, json.dumps(body).encode())


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(body: bytes) -> None:
    with pytest.raises(RefusedError):
        read_request("chat", body)

import ast
import base64
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.ids import canonical_json
from director_gui.runner import wire
from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.wire import (
    as_curl,
    as_python,
    body_hash,
    encoded,
    request_body,
)
from tests.fault_server import FaultServer, Request, Served, chat

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
CHAT = Profile(name="p", base_url="http://x/v1", model="m", max_tokens=99)
RESPONSES = replace(CHAT, wire="responses")
WIRES = pytest.mark.parametrize("profile", [CHAT, RESPONSES], ids=["chat", "responses"])
URL = "data:image/png;base64," + base64.b64encode(PNG).decode()


def test_a_chat_body() -> None:
    assert request_body(CHAT, CallInput(("hello",), PNG)) == {
        "model": "m",
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "image_url", "image_url": {"url": URL}},
                    {"type": "text", "text": "hello"},
                ],
            }
        ],
        "reasoning_effort": "medium",
        "max_completion_tokens": 99,
    }


def test_a_responses_body() -> None:
    profile = replace(RESPONSES, summary="auto")
    assert request_body(profile, CallInput(("hello",), PNG)) == {
        "model": "m",
        "input": [
            {
                "role": "user",
                "content": [
                    {"type": "input_image", "image_url": URL},
                    {"type": "input_text", "text": "hello"},
                ],
            }
        ],
        "store": False,
        "reasoning": {"effort": "medium", "summary": "auto"},
        "max_output_tokens": 99,
    }


@WIRES
def test_what_is_not_set_is_not_sent(profile: Profile) -> None:
    bare = replace(profile, effort=None, max_tokens=None)
    body = request_body(bare, CallInput(("hello",), PNG))
    assert not {"reasoning", "reasoning_effort", "temperature", "seed"} & set(body)
    assert not {"max_completion_tokens", "max_output_tokens"} & set(body)


@WIRES
def test_a_second_turn_carries_the_reply_and_never_its_reasoning(
    profile: Profile,
) -> None:
    call_input = CallInput(("first", "second"), PNG)
    body = request_body(profile, call_input, ["<think>secret</think>said"])
    turns = body.get("messages") or body["input"]
    assert [turn["role"] for turn in turns] == ["user", "assistant", "user"]
    assert turns[1]["content"] == "said"
    assert [part["text"] for part in turns[2]["content"]] == ["second"]
    assert "secret" not in json.dumps(body)
    assert json.dumps(body).count(URL) == 1
    first = request_body(profile, call_input)
    assert (first.get("messages") or first["input"]) == turns[:1]


@WIRES
@given(a=st.text(), b=st.text())
def test_bodies_of_a_pair_differ_in_the_text_alone(
    profile: Profile, a: str, b: str
) -> None:
    mark = "\N{BLACK SQUARE}" * 3
    frame = json.dumps(request_body(profile, CallInput((mark,), PNG)))
    head, tail = frame.split(json.dumps(mark))
    for text in (a, b):
        body = request_body(profile, CallInput((text,), PNG))
        assert json.dumps(body) == head + json.dumps(text) + tail


def test_the_hash_is_of_the_content() -> None:
    body = request_body(CHAT, CallInput(("hello",), PNG))
    assert body_hash(body) == body_hash(dict(reversed(body.items())))
    assert body_hash(body) != body_hash(body | {"model": "n"})


NASTY = "it's $HOME `id` \\ \"quoted\"\nEND_OF_BODY\n'''ü\u2028"


def answer(_: Request) -> Served:
    return Served(body=chat("copied"))


@pytest.mark.skipif(not shutil.which("curl"), reason="curl is not installed")
def test_a_copied_curl_command_sends_the_same_body() -> None:
    call_input = CallInput((NASTY, "two"), PNG * 15)
    with FaultServer(answer) as server:
        profile = replace(CHAT, base_url=server.base_url, key_source="env:MY_KEY")
        command = as_curl(profile, call_input, ["said"])
        done = subprocess.run(
            ["bash", "-s"],
            input=command.encode(),
            env=os.environ | {"MY_KEY": "sk-canary", "no_proxy": "*"},
            capture_output=True,
            check=True,
            timeout=30,
        )
    assert json.loads(done.stdout) == json.loads(chat("copied"))
    assert server.requests[0].body == request_body(profile, call_input, ["said"])
    assert server.requests[0].headers["authorization"] == "Bearer sk-canary"
    assert len(command) > 131_072  # longer than one argument may be on Linux


def test_a_copied_script_sends_the_same_body() -> None:
    call_input = CallInput((NASTY,), PNG)
    with FaultServer(answer) as server:
        profile = replace(CHAT, base_url=server.base_url, key_source="memory")
        done = subprocess.run(
            [sys.executable, "-c", as_python(profile, call_input)],
            env=os.environ | {"MODEL_API_KEY": "sk-canary", "no_proxy": "*"},
            capture_output=True,
            check=True,
            timeout=60,
        )
    assert b"copied" in done.stdout
    assert server.requests[0].body == request_body(profile, call_input)
    assert server.requests[0].headers["authorization"] == "Bearer sk-canary"


@WIRES
def test_copied_code_without_a_key_names_none(profile: Profile) -> None:
    call_input = CallInput((NASTY,), PNG)
    assert "Authorization" not in as_curl(profile, call_input)
    script = as_python(profile, call_input)
    ast.parse(script)
    assert "environ" not in script


@WIRES
def test_a_body_and_a_plain_copy_of_it_are_the_same_bytes(profile: Profile) -> None:
    body = request_body(profile, CallInput(("größer \u2028", "two"), PNG), ("one",))
    plain = json.loads(json.dumps(body))
    assert encoded(body) == encoded(plain) == canonical_json(plain)
    assert body_hash(body) == body_hash(plain)
    assert body.data is body.data  # made once


@WIRES
def test_the_bytes_spelled_around_the_picture_are_the_canonical_ones(
    profile: Profile,
) -> None:
    for text in ("plain", 'quotes " and \\', "größer \u2028", wire._STAND_IN):
        body = request_body(profile, CallInput((text, "two"), PNG), ("one",))
        assert body.data == canonical_json(dict(body))
        assert json.loads(body.data) == body


def test_a_picture_is_written_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    encode = base64.b64encode

    def counted(data: bytes) -> bytes:
        written.append(data)
        return encode(data)

    monkeypatch.setattr(wire.base64, "b64encode", counted)
    wire._data_url.cache_clear()
    for text in ("one", "another"):
        assert URL in encoded(request_body(CHAT, CallInput((text,), PNG))).decode()
    assert written == [PNG]


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_without_a_picture_there_is_no_place_for_one(wire: str) -> None:
    profile = Profile(name="p", base_url="http://x/v1", model="m", wire=wire)
    turns, said = ("one", "two"), ("said",)
    bare = request_body(profile, CallInput(turns, b""), said)
    whole = request_body(profile, CallInput(turns, b"png"), said)
    key = "messages" if wire == "chat" else "input"
    assert b"image" not in bare.data
    assert bare.data == canonical_json({**bare})
    # All else is the same.
    whole[key][0]["content"].pop(0)
    assert {**whole} == {**bare}

"""Replies in the two wire formats, without any network."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from director_gui.runner.practice.catalogue import Catalogue
from director_gui.runner.practice.faults import Faults
from director_gui.runner.practice.mixture import presets
from director_gui.runner.practice.service import HttpReply, Service

Body = Callable[..., bytes]
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"


@pytest.fixture
def service(catalogue: Catalogue) -> Service:
    return Service(catalogue, seed=7, faults=Faults())


def post(service: Service, body: bytes, path: str = CHAT) -> HttpReply:
    return service.handle("POST", path, body)


def value(reply: HttpReply) -> Any:  # noqa: ANN401
    return json.loads(reply.body)


def responses_body(chat: bytes, **more: Any) -> bytes:  # noqa: ANN401
    body = json.loads(chat)
    picture, text = body["messages"][0]["content"]
    content = [
        {"type": "input_image", "image_url": picture["image_url"]["url"]},
        {"type": "input_text", "text": text["text"]},
    ]
    turns = [{"role": "user", "content": content}]
    return json.dumps({"model": body["model"], "input": turns, **more}).encode()


def test_a_chat_reply_has_the_wire_format(service: Service, chat_body: Body) -> None:
    reply = post(service, chat_body(model="practice-reader-open"))
    assert reply.status == 200
    assert reply.headers["x-request-id"].startswith("req_")
    found = value(reply)
    assert found["object"] == "chat.completion"
    assert found["model"] == "practice-reader-open"
    assert found["system_fingerprint"]
    message = found["choices"][0]["message"]
    assert message["role"] == "assistant"
    assert len(message["reasoning_content"].split()) >= 40


def test_usage_adds_up(service: Service, chat_body: Body) -> None:
    found = value(post(service, chat_body(model="practice-reader-open")))
    usage, message = found["usage"], found["choices"][0]["message"]
    reasoning = usage["completion_tokens_details"]["reasoning_tokens"]
    assert reasoning == -(-len(message["reasoning_content"]) // 4)
    assert usage["completion_tokens"] == reasoning + -(-len(message["content"]) // 4)
    assert usage["total_tokens"] == usage["prompt_tokens"] + usage["completion_tokens"]
    # A picture of 1024 x 768 is 2 x 2 tiles of 512: 85 + 4 * 170 tokens.
    text = json.loads(chat_body())["messages"][0]["content"][1]["text"]
    assert usage["prompt_tokens"] == 85 + 4 * 170 + -(-len(text) // 4)


def test_a_responses_reply_has_the_wire_format(
    service: Service, chat_body: Body
) -> None:
    body = responses_body(chat_body(model="practice-reader-open"))
    found = value(post(service, body, RESPONSES))
    assert found["status"] == "completed"
    kinds = [item["type"] for item in found["output"]]
    assert kinds == ["reasoning", "message"]
    assert found["usage"]["output_tokens_details"]["reasoning_tokens"] > 0


def test_a_token_limit_cuts_the_reply(service: Service, chat_body: Body) -> None:
    cut = value(post(service, chat_body(max_completion_tokens=20)))
    choice = cut["choices"][0]
    assert choice["finish_reason"] == "length"
    assert choice["message"]["content"] == ""
    assert cut["usage"]["completion_tokens"] == 20
    body = responses_body(chat_body(), max_output_tokens=20)
    found = value(post(service, body, RESPONSES))
    assert found["status"] == "incomplete"
    assert found["incomplete_details"] == {"reason": "max_output_tokens"}


def test_the_codes_never_go_on_the_wire(service: Service, chat_body: Body) -> None:
    for _ in range(30):
        body = post(service, chat_body()).body.decode()
        for word in ("works_out", "sees_choice", "own-view", "codes", "belief"):
            assert word not in body


def test_arrivals_draw_apart_and_replay(catalogue: Catalogue, chat_body: Body) -> None:
    def run(order: list[int]) -> dict[int, list[bytes]]:
        service = Service(catalogue, seed=7, faults=Faults())
        found: dict[int, list[bytes]] = {}
        for number in order:
            reply = post(service, chat_body(number=number))
            found.setdefault(number, []).append(reply.body)
        return found

    forward = run([0, 0, 0, 1, 1, 1])
    assert run([1, 0, 1, 0, 0, 1]) == forward
    assert len(set(forward[0])) == 3


def test_a_seed_in_the_request_fixes_the_draw(
    service: Service, chat_body: Body
) -> None:
    first, second = (value(post(service, chat_body(seed=3))) for _ in range(2))
    assert first["choices"] == second["choices"]
    assert first["id"] != second["id"]
    others = {
        json.dumps(value(post(service, chat_body(seed=n)))["choices"])
        for n in range(10)
    }
    assert len(others) > 3


def test_refused_attempts_do_not_use_up_draws(
    catalogue: Catalogue, chat_body: Body
) -> None:
    def texts(faults: Faults) -> list[Any]:
        service = Service(catalogue, seed=7, faults=faults)
        found = [post(service, chat_body()) for _ in range(60)]
        return [value(reply)["choices"] for reply in found if reply.status == 200]

    plain, rough = texts(Faults()), texts(Faults(rate_limit=0.4, server_error=0.2))
    assert 10 < len(rough) < 40
    assert rough == plain[: len(rough)]


def test_an_unknown_picture_is_named_as_such(service: Service, chat_body: Body) -> None:
    reply = post(service, chat_body(number=99))
    assert reply.status == 400
    assert "does not know this picture" in value(reply)["error"]["message"]
    assert value(reply)["error"]["code"] == "unknown_picture"


@pytest.mark.parametrize("model", ["gpt-6", "practice-reader+418", "", "\ud800"])
def test_an_unknown_model_is_named_as_such(
    service: Service, chat_body: Body, model: str
) -> None:
    reply = post(service, chat_body(model=model))
    assert reply.status == 404
    assert value(reply)["error"]["code"] == "model_not_found"


@pytest.mark.parametrize(
    ("suffix", "status", "code"),
    [
        ("429=1", 429, "rate_limit_exceeded"),
        ("quota", 429, "insufficient_quota"),
        ("500=1", 500, None),
    ],
)
def test_faults_have_openais_form(
    service: Service, chat_body: Body, suffix: str, status: int, code: str | None
) -> None:
    reply = post(service, chat_body(model=f"practice-reader+{suffix}"))
    assert reply.status == status
    assert value(reply)["error"]["code"] == code
    assert ("retry-after" in reply.headers) == (suffix == "429=1")
    assert reply.headers["x-request-id"]


def test_nonsense_is_a_page(service: Service, chat_body: Body) -> None:
    reply = post(service, chat_body(model="practice-reader+nonsense=1"))
    assert (reply.status, reply.content_type) == (200, "text/html")
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(reply.body)


def test_retry_after_is_the_one_that_was_set(
    catalogue: Catalogue, chat_body: Body
) -> None:
    faults = Faults(rate_limit=1.0, retry_after_s=2.5)
    reply = post(Service(catalogue, seed=7, faults=faults), chat_body())
    assert reply.headers["retry-after"] == "2.5"


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/models", 200),
        ("GET", "/v1/models/", 200),
        ("GET", "/v1/models?limit=3", 200),
        ("POST", "/v1/models", 405),
        ("GET", CHAT, 405),
        ("DELETE", RESPONSES, 405),
        ("POST", "/v1/embeddings", 404),
        ("GET", "", 404),
        ("GET", "/../../etc/passwd", 404),
    ],
)
def test_addresses(service: Service, method: str, path: str, status: int) -> None:
    assert service.handle(method, path, b"{}").status == status


def test_models_are_listed(service: Service) -> None:
    rows = value(service.handle("GET", "/v1/models", b""))["data"]
    assert {row["id"] for row in rows} == set(presets())


def test_every_shape_and_fault_occurs(service: Service, chat_body: Body) -> None:
    choices = [
        value(post(service, chat_body(number=i % 8)))["choices"][0] for i in range(1200)
    ]
    reasons = {choice["finish_reason"] for choice in choices}
    assert reasons == {"stop", "length", "content_filter"}
    texts = [choice["message"]["content"] for choice in choices]
    assert any(text.startswith("```") for text in texts)
    assert any(text.startswith("{") for text in texts)
    assert any(text and "{" not in text for text in texts)
    absent = sum("reasoning_content" not in c["message"] for c in choices)
    assert absent / 1200 == pytest.approx(0.1, abs=0.035)

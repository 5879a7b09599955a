import asyncio
import gzip
import logging
from collections.abc import Callable
from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.ids import canonical_json, sha256_hex
from director_gui.runner import openai_client
from director_gui.runner.attempting import Place, attempt
from director_gui.runner.client import TransportError
from director_gui.runner.keys import Keys
from director_gui.runner.openai_client import OpenAIClient
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, CallInput, Outcome
from director_gui.runner.wire import body_hash, request_body
from tests.fault_server import FaultServer, Request, Served, chat, error

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 100
INPUT = CallInput(("how many? ü",), PNG)
CANARY = "sk-canary-0123456789"
PLACE = Place("call", 1, 1, 1, last_try=False)
Decide = Callable[[Request], Served]


def always(**served: object) -> Decide:
    return lambda _: Served(**served)


def ask(
    decide: Decide, *, wire: str = "chat", keys: Keys | None = None, timeout: float = 5
) -> tuple[Attempt, FaultServer]:
    async def go(base_url: str) -> Attempt:
        profile = Profile(
            name="p",
            base_url=base_url,
            model="m",
            wire=wire,
            key_source="memory" if keys else "none",
            timeout=timeout,
            input_price=2.0,
            cached_price=1.0,
            output_price=10.0,
        )
        client = OpenAIClient(keys or Keys())
        try:
            body = request_body(profile, INPUT)
            return (await attempt(client, profile, body, PLACE))[0]
        finally:
            await client.close()

    with FaultServer(decide) as server:
        return asyncio.run(go(server.base_url)), server


@pytest.mark.parametrize(
    ("wire", "path"), [("chat", "/v1/chat/completions"), ("responses", "/v1/responses")]
)
def test_what_is_sent_is_what_was_built(wire: str, path: str) -> None:
    made, server = ask(always(body=chat()), wire=wire)
    (request,) = server.requests
    assert request.path == path
    assert request.image_sha256 == sha256_hex(PNG)
    assert request.text == "how many? ü"
    assert made.request_hash == body_hash(request.body)
    assert request.headers["content-type"] == "application/json"
    # Canonical: the hash is of the very bytes, whose number the header gives.
    assert int(request.headers["content-length"]) == len(canonical_json(request.body))
    assert made.body == chat()


def test_a_reply_is_recorded_whole() -> None:
    headers = {"x-request-id": "req_9"}
    made, _ = ask(always(body=chat(reasoning="R"), headers=headers))
    assert made.outcome is Outcome.REPLY
    assert (made.text, made.reasoning) == ('{"choice": 5}', "R")
    assert (made.http_status, made.request_id) == (200, "req_9")
    assert made.model_returned == "served-model"  # not the one asked for, and kept
    assert made.cost == pytest.approx((900 * 2 + 100 * 1 + 200 * 10) / 1e6)
    assert made.sdk.startswith("openai ")
    assert made.error_kind == ""


@pytest.mark.parametrize(
    ("served", "kind", "status"),
    [
        ({"status": 429, "body": error("slow")}, "rate_limit", 429),
        ({"status": 429, "body": error("pay", "insufficient_quota")}, "quota", 429),
        ({"status": 401, "body": error("who")}, "auth", 401),
        ({"status": 404, "body": b"<html>"}, "rejected", 404),
        ({"status": 500, "body": error("oops")}, "server", 500),
        ({"status": 503}, "server", 503),
        ({"body": b"{}"}, "malformed", 200),
        ({"body": b"<html>no api here</html>"}, "malformed", 200),
        ({"body": chat()[:40]}, "malformed", 200),
        ({"body": chat(), "fault": "half"}, "connection", None),
        ({"fault": "reset"}, "connection", None),
        ({"fault": "hang"}, "timeout", None),
        ({"body": chat(), "fault": "trickle"}, "timeout", None),
    ],
)
def test_every_fault_is_known_by_name(
    served: dict[str, object], kind: str, status: int | None
) -> None:
    slow = served.get("fault") in {"hang", "trickle"}
    made, server = ask(always(**served), timeout=0.4 if slow else 5)
    assert (made.error_kind, made.http_status) == (kind, status)
    assert made.error_message
    assert made.outcome is not Outcome.REPLY
    assert len(server.requests) == 1  # the library repeats nothing by itself
    if status is not None:
        assert made.body == served.get("body", b"")


def test_a_long_reply_arrives_whole() -> None:
    body = chat("x" * 5_000_000)
    made, _ = ask(always(body=body))
    assert made.body == body
    assert len(made.text) == 5_000_000


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("status", [200, 400, 503])
def test_a_reply_without_end_does_not_fill_the_memory(
    *, packed: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_client, "MOST_BYTES", 2**20)
    body = b" " * 2**24
    headers = {"content-encoding": "gzip"} if packed else {}
    data = gzip.compress(body) if packed else body
    made, _ = ask(always(body=data, headers=headers, status=status))
    assert made.outcome is Outcome.RETRY
    assert made.error_kind == "connection"
    assert "more than 1 MiB" in made.error_message
    assert made.body is None


def test_a_packed_reply_is_kept_unpacked() -> None:
    packed = {"content-encoding": "gzip"}
    made, _ = ask(always(body=gzip.compress(chat("five")), headers=packed))
    assert (made.text, made.body) == ("five", chat("five"))


def test_a_server_that_sends_elsewhere_for_ever_is_told() -> None:
    keys = Keys()
    keys.remember("p", CANARY)
    made, server = ask(
        always(status=307, headers={"location": "/v1/chat/completions"}), keys=keys
    )
    assert made.outcome is not Outcome.REPLY
    assert len(server.requests) < 50
    assert CANARY not in made.error_message


def test_the_key_does_not_follow_to_another_server() -> None:
    keys = Keys()
    keys.remember("p", CANARY)
    with FaultServer(always(body=chat())) as other:
        elsewhere = f"{other.base_url}/chat/completions"
        made, _ = ask(always(status=307, headers={"location": elsewhere}), keys=keys)
    assert made.text == '{"choice": 5}'
    (request,) = other.requests
    assert CANARY not in str(request.headers)


def test_a_server_that_is_not_there_is_told() -> None:
    async def go() -> None:
        client = OpenAIClient(Keys())
        profile = Profile(name="p", base_url="http://127.0.0.1:9/v1", model="m")
        with pytest.raises(TransportError, match="Connect") as caught:
            await client.send(profile, request_body(profile, INPUT))
        assert caught.value.kind == "connection"
        await client.close()

    asyncio.run(go())


def test_the_key_is_sent_and_appears_nowhere(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def echo(request: Request) -> Served:
        said = request.headers["authorization"]
        return Served(401, error(f"wrong: {said}"), {"x-request-id": said})

    keys = Keys()
    keys.remember("p", CANARY)
    with caplog.at_level(logging.DEBUG):
        made, server = ask(echo, keys=keys)
    assert server.requests[0].headers["authorization"] == f"Bearer {CANARY}"
    assert made.error_kind == "auth"
    assert "wrong" in made.error_message
    assert CANARY not in repr(made) + repr(made.body) + caplog.text


def test_a_keyless_server_gets_no_key_of_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", CANARY)
    _, server = ask(always(body=chat()))
    assert CANARY not in str(server.requests[0].headers)


def test_a_proxy_never_sees_calls_to_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    made, _ = ask(always(body=chat()))
    assert made.outcome is Outcome.REPLY


def test_a_missing_key_sends_nothing() -> None:
    async def go() -> None:
        client = OpenAIClient(Keys())
        profile = Profile(name="p", base_url="http://127.0.0.1:9/v1", model="m")
        with pytest.raises(UserError, match="MISSING_KEY"):
            await client.send(replace(profile, key_source="env:MISSING_KEY"), {})
        await client.close()

    asyncio.run(go())


def test_a_connection_serves_one_request_after_another() -> None:
    def decide(_: Request) -> Served:
        return Served(body=chat(), delay=0.02)

    async def go(base_url: str) -> tuple[int, int]:
        profile = Profile(name="p", base_url=base_url, model="m")
        client = OpenAIClient(Keys())
        body = request_body(profile, INPUT)
        for _ in range(3):
            await client.send(profile, body)
        alone = len(client._clients)
        await asyncio.gather(*(client.send(profile, body) for _ in range(5)))
        together = len(client._clients)
        await client.close()
        return alone, together

    with FaultServer(decide) as server:
        # A library client for each request in flight, and no more.
        assert asyncio.run(go(server.base_url)) == (1, 5)
        assert server.connections == 5
    assert len(server.requests) == 8


def test_a_request_that_was_dropped_leaves_its_connection_usable() -> None:
    def decide(request: Request) -> Served:
        return Served(fault="hang") if request.number == 0 else Served(body=chat())

    async def go(base_url: str) -> bytes:
        hasty = Profile(name="p", base_url=base_url, model="m", timeout=0.2)
        client = OpenAIClient(Keys())
        try:
            with pytest.raises(TransportError, match="no whole reply"):
                await client.send(hasty, request_body(hasty, INPUT))
            return (await client.send(hasty, request_body(hasty, INPUT))).body
        finally:
            await client.close()

    with FaultServer(decide) as server:
        assert asyncio.run(go(server.base_url)) == chat()


def test_keys_do_not_share_connections() -> None:
    async def go(base_url: str) -> None:
        keys = Keys()
        client = OpenAIClient(keys)
        for name in ("one", "two", "one"):
            profile = Profile(
                name=name, base_url=base_url, model="m", key_source="memory"
            )
            keys.remember(name, f"key-of-{name}")
            await client.send(profile, request_body(profile, INPUT))
        await client.close()

    with FaultServer(always(body=chat())) as server:
        asyncio.run(go(server.base_url))
    sent = [request.headers["authorization"] for request in server.requests]
    assert sent == [f"Bearer key-of-{name}" for name in ("one", "two", "one")]

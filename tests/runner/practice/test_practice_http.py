"""HTTP on raw sockets: what well-behaved clients never send."""

import json
import socket
from collections.abc import Callable, Iterator

import pytest

from director_gui.runner.practice import http
from director_gui.runner.practice.server import Server

Body = Callable[..., bytes]


@pytest.fixture
def line(running: Server) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as open_line:
        yield open_line


def post(body: bytes, *fields: str) -> bytes:
    head = [
        "POST /v1/chat/completions HTTP/1.1",
        "Host: here",
        f"Content-Length: {len(body)}",
        *fields,
    ]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def receive(line: socket.socket) -> tuple[int, dict[str, str], bytes]:
    """Read exactly one reply."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += line.recv(1) or pytest.fail(f"the connection ended after {data!r}")
    first, *lines = data.decode().rstrip().split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines)
    body = b""
    length = int(fields.get("content-length", "0"))
    while len(body) < length:
        body += line.recv(length - len(body)) or pytest.fail("the body ended early")
    return int(first.split()[1]), fields, body


def ended(line: socket.socket) -> bool:
    try:
        return line.recv(1) == b""
    except ConnectionResetError:
        return True


def test_one_connection_serves_many_requests(
    line: socket.socket, chat_body: Body
) -> None:
    for _ in range(3):
        line.sendall(post(chat_body()))
        status, fields, _ = receive(line)
        assert (status, fields["connection"]) == (200, "keep-alive")


def test_requests_sent_ahead_are_answered_in_order(
    line: socket.socket, chat_body: Body
) -> None:
    line.sendall(post(chat_body()) + b"GET /v1/models HTTP/1.1\r\n\r\n" + post(b"{"))
    kinds = [json.loads(receive(line)[2]) for _ in range(3)]
    assert [kind.get("object") for kind in kinds] == ["chat.completion", "list", None]
    assert "not JSON" in kinds[2]["error"]["message"]


def test_a_connection_closes_when_it_is_asked_to(
    line: socket.socket, chat_body: Body
) -> None:
    line.sendall(post(chat_body(), "Connection: close"))
    status, fields, _ = receive(line)
    assert (status, fields["connection"]) == (200, "close")
    assert ended(line)


def test_http_1_0_closes_unless_asked_to_stay(line: socket.socket) -> None:
    line.sendall(b"GET /v1/models HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
    assert receive(line)[1]["connection"] == "keep-alive"
    line.sendall(b"GET /v1/models HTTP/1.0\r\n\r\n")
    assert receive(line)[1]["connection"] == "close"
    assert ended(line)


def test_a_client_that_waits_is_told_to_go_on(
    line: socket.socket, chat_body: Body
) -> None:
    whole = post(chat_body(), "Expect: 100-continue")
    head, body = whole.split(b"\r\n\r\n", 1)
    line.sendall(head + b"\r\n\r\n")
    assert receive(line)[0] == 100
    line.sendall(body)
    assert receive(line)[0] == 200


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"hello\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", 400),
        (b"GET / HTTP/9\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: \xb2\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", 413),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        (b"GET /" + b"a" * 70_000, 431),
    ],
)
def test_broken_requests_are_answered_and_ended(
    line: socket.socket, data: bytes, status: int
) -> None:
    line.sendall(data)
    found, fields, body = receive(line)
    assert found == status
    assert fields["connection"] == "close"
    assert json.loads(body)["error"]["type"] == "invalid_request_error"
    assert ended(line)


def test_a_body_over_the_bound_is_never_read(
    line: socket.socket, running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http, "MAX_BODY_BYTES", 100)
    line.sendall(post(b"x" * 101))
    assert receive(line)[0] == 413
    assert running.alive


@pytest.mark.parametrize("wait", ["IDLE_S", "BODY_S"])
def test_a_client_that_dawdles_is_let_go(
    running: Server, monkeypatch: pytest.MonkeyPatch, wait: str
) -> None:
    monkeypatch.setattr(http, wait, 0.05)
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        line.sendall(b"POST / HTTP/1.1\r\n" if wait == "IDLE_S" else post(b"xx")[:-1])
        assert ended(line)


def test_clients_that_vanish_do_no_harm(
    running: Server, chat_body: Body, capfd: pytest.CaptureFixture[str]
) -> None:
    for cut in (0, 10, 200, 5_000):
        with socket.create_connection(("127.0.0.1", running.port)) as gone:
            gone.sendall(post(chat_body())[:cut])
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        line.sendall(post(chat_body()))
        assert receive(line)[0] == 200
    running.close()
    assert capfd.readouterr() == ("", "")


def test_a_reset_is_a_reset(line: socket.socket, chat_body: Body) -> None:
    line.sendall(post(chat_body(model="practice-reader+reset=1")))
    with pytest.raises(ConnectionResetError):
        line.recv(1)


def test_a_bug_in_one_request_does_not_end_the_server(
    running: Server, chat_body: Body, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(running.catalogue, "get", broken)
    with socket.create_connection(("127.0.0.1", running.port), timeout=10) as line:
        for _ in range(2):
            line.sendall(post(chat_body()))
            status, _, body = receive(line)
            assert status == 500
            assert "ZeroDivisionError" in json.loads(body)["error"]["message"]

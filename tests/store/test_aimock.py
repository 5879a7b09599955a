"""Runs against `@copilotkit/aimock`, a server of the JavaScript world with chaos.

It is installed from the npm registry into a folder of the test's own; without npm, or
where the registry is not reached, the tests are skipped and say so. Between it and us
stands a relay that keeps every body it hands on.
"""

import base64
import http.client
import json
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from director_gui.ids import sha256_hex
from director_gui.runner.profiles import Wire
from director_gui.store.attempts import replies_of
from director_gui.store.database import Study
from director_gui.store.sendings import lost_of
from tests.made_runs import PNG, fill, finish, profile_at

PACKAGE = "@copilotkit/aimock@1.43.0"
SAID = '{"visible": [5, 8], "choice": 5}'
WHY = "5 is in sight, größer than 8 – “seen”"
FIXTURES = {
    "fixtures": [
        {
            "match": {"userMessage": "text"},
            "response": {"content": SAID, "reasoning": WHY},
        }
    ]
}
COUNT = 120
SMALL = PNG[:20_000]  # its journal leaves out requests above 64 KiB

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that starts the server."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("npm and node are not installed: aimock is not tried")
    folder = tmp_path_factory.mktemp("npm")
    plain = ["--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        subprocess.run(
            [npm, "install", *plain, "--prefix", str(folder), PACKAGE],
            check=True,
            capture_output=True,
            timeout=120,
        )
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        pytest.skip(f"npm cannot install {PACKAGE}: {error}")
    home = folder / "node_modules" / "@copilotkit" / "aimock"
    return [node, str(home / "dist" / "cli.js")]


class Relay(ThreadingHTTPServer):
    """Hands requests on to a port, and keeps the bodies that come back whole."""

    daemon_threads = True

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.port = port
        self.served: list[bytes] = []
        self.asked = 0

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def journal(self) -> list[dict[str, Any]]:
        """What the server itself says it was asked."""
        url = f"http://127.0.0.1:{self.port}/__aimock/journal"
        with urllib.request.urlopen(url, timeout=30) as reply:
            return json.load(reply)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Relay

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"]))
        self.server.asked += 1
        onward = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        kept = {"content-type": "application/json"}
        try:
            onward.request("POST", self.path, sent, kept)
            reply = onward.getresponse()
            body = reply.read()
        except (OSError, http.client.HTTPException):
            self.close_connection = True  # as the server did, so do we
            return
        finally:
            onward.close()
        self.server.served.append(body)
        self.send_response(reply.status)
        for name, value in reply.getheaders():
            if name.lower() in ("retry-after", "x-request-id", "content-type"):
                self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing: what happens is asserted."""


@contextmanager
def aimock(program: list[str], folder: Path, *options: str) -> Iterator[Relay]:
    fixtures = folder / "fixtures.json"
    fixtures.write_text(json.dumps(FIXTURES), encoding="utf-8")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    plain = ["--log-level", "silent", "-f", str(fixtures), "-p", str(port)]
    process = subprocess.Popen(
        [*program, *plain, *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port, process)
        with Relay(port) as relay:
            threading.Thread(target=relay.serve_forever, daemon=True).start()
            yield relay
            relay.shutdown()
    finally:
        process.terminate()
        process.wait(20)


def _wait(port: int, process: "subprocess.Popen[bytes]") -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.skip("aimock does not serve here")


def _pictures(entry: dict[str, Any]) -> list[str]:
    """The hashes of the pictures in a request, as the server kept it."""
    content = entry["body"]["messages"][0]["content"]
    urls = [part["image_url"]["url"] for part in content if "image_url" in part]
    return [sha256_hex(base64.b64decode(url.split(",", 1)[1])) for url in urls]


def _check_ends(study: Study, planned: int, relay: Relay) -> list[dict[str, Any]]:
    """Check what holds whatever was served; return the attempts."""
    rows = study.query("SELECT call, outcome, terminal, error_kind, body FROM attempts")
    ended = Counter(row["call"] for row in rows if row["terminal"])
    assert len(ended) == planned
    assert set(ended.values()) == {1}
    stored = Counter(row["body"] for row in rows if row["body"] is not None)
    assert stored == Counter(relay.served)
    assert len(rows) == relay.asked
    assert lost_of(study, "r").in_flight == 0
    return rows


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_replies_are_kept_as_they_were_served(
    study: Study, program: list[str], tmp_path: Path, wire: Wire
) -> None:
    with aimock(program, tmp_path) as relay:
        profile = profile_at(relay.base_url, concurrency=8, wire=wire)
        fill(study, profile, 20, png=SMALL)
        assert finish(study, profile).replied == 20
        rows = _check_ends(study, 20, relay)
        journal = relay.journal()
    assert {row["outcome"] for row in rows} == {"reply"}
    for reply in replies_of(study, "r"):
        assert (reply.text, reply.reasoning) == (SAID, WHY)
        assert reply.last is not None
        assert reply.last.request_id in {e["headers"]["x-request-id"] for e in journal}
    if wire == "chat":
        assert {name for e in journal for name in _pictures(e)} == {sha256_hex(SMALL)}


def test_every_call_ends_once_in_chaos(
    study: Study, program: list[str], tmp_path: Path
) -> None:
    chaos = {"drop": 0.1, "malformed": 0.1, "disconnect": 0.05, "ratelimit": 0.02}
    options = [part for name, rate in chaos.items() for part in _option(name, rate)]
    with aimock(program, tmp_path, *options) as relay:
        profile = profile_at(relay.base_url, concurrency=8)
        fill(study, profile, COUNT)
        end = finish(study, profile, patience=240)
        rows = _check_ends(study, COUNT, relay)
    assert (end.open, end.error) == (0, "")
    kinds = {row["error_kind"] for row in rows}
    assert kinds >= {"", "server", "malformed", "connection"}
    assert kinds <= {"", "server", "malformed", "connection", "rate_limit"}
    assert len(rows) > COUNT


def test_its_rate_limits_are_waited_for_and_cost_no_call(
    study: Study, program: list[str], tmp_path: Path
) -> None:
    with aimock(program, tmp_path, *_option("ratelimit", 0.15)) as relay:
        profile = profile_at(relay.base_url, concurrency=4)
        fill(study, profile, 20)
        begin = time.monotonic()
        assert finish(study, profile, patience=240).replied == 20
        rows = _check_ends(study, 20, relay)
        took = time.monotonic() - begin
    refused = sum(row["error_kind"] == "rate_limit" for row in rows)
    # It asks for a second each time; those refused together wait together.
    assert took >= 1.0 or not refused
    assert {row["error_kind"] for row in rows} <= {"", "rate_limit"}


def _option(name: str, rate: float) -> list[str]:
    return [f"--chaos-{name}", str(rate)]

"""Runs against `llmock`, a server that others wrote; skipped where it is missing."""

import importlib.util
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from director_gui.runner.batch_sender import BatchLimits
from director_gui.runner.engine_values import Policy, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.store.attempts import replies_of
from director_gui.store.database import Study
from director_gui.store.session import start_batches
from tests.made_runs import fill, finish, profile_at

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("llmock") is None, reason="llmock is not installed"
)


@contextmanager
def llmock(*options: str) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    arguments = ["serve", "--port", str(port), "--log-level", "error", *options]
    code = "from llmock.cli import app; app()"
    server = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "COLUMNS": "200"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield _answering(port, server)
    finally:
        server.terminate()
        server.wait(20)


def _answering(port: int, server: subprocess.Popen[bytes]) -> str:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and server.poll() is None:
        for path in ("/openai/v1", "/v1"):
            url = f"http://127.0.0.1:{port}{path}"
            try:
                request = urllib.request.Request(f"{url}/models")  # noqa: S310 - loopback
                request.add_header("Authorization", "Bearer x")
                with urllib.request.urlopen(request, timeout=5) as reply:  # noqa: S310
                    json.load(reply)
            except urllib.error.HTTPError:
                continue
            except OSError:
                break
            return url
        time.sleep(0.1)
    pytest.skip("llmock does not serve here")


def test_every_call_ends_whatever_it_answers(study: Study) -> None:
    with llmock("--error-rate", "500=0.1") as url:
        profile = profile_at(url, model="gpt-4o", concurrency=16)
        planned = fill(study, profile, 100)
        assert finish(study, profile).open == 0
    rows = study.query("SELECT call, terminal, error_kind FROM attempts")
    ended = Counter(row["call"] for row in rows if row["terminal"])
    assert ended == {item.call.id: 1 for item in planned}
    assert "server" in {row["error_kind"] for row in rows}
    assert len(rows) > 100


def test_a_batch_is_sent_and_collected(study: Study) -> None:
    with llmock() as url:
        profile = profile_at(url, model="gpt-4o")
        fill(study, profile, 5)
        with RunService() as service:
            handle = start_batches(
                service, study, "r", {"p": profile}, Keys(),
                policy=Policy(tries=3, first_wait=0.05),
                limits=BatchLimits(poll=0.1),
            )  # fmt: skip
            assert handle.wait(60)
            assert handle.poll(10**6)[-1] == RunEnded(5, 0, 0)
    assert {reply.status for reply in replies_of(study, "r")} == {"reply"}

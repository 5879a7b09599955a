"""The scan for keys finds what is planted, and finds nothing where runs have been."""

import base64
import gzip
import io
import json
import logging
import zipfile
import zlib
from pathlib import Path

import pytest

from director_gui.runner.keys import Keys
from director_gui.runner.profiles import save_profiles
from director_gui.runner.service import RunService
from director_gui.store.database import Study
from director_gui.store.session import start_run
from tests.canary import files_with, found_in
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.made_runs import FAST, fill, profile_at

KEY = "sk-canary-0123456789"
TEXT = f"before {KEY} after".encode()


def zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", data)
    return target.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        TEXT,
        TEXT.decode().encode("utf-16"),
        base64.b64encode(b"x" + TEXT),
        gzip.compress(TEXT),
        b"PNG" + zlib.compress(TEXT) + b"end",
        zipped(TEXT),
        zipped(gzip.compress(TEXT)),
    ],
)
def test_a_planted_key_is_found(data: bytes) -> None:
    assert found_in(data, KEY)
    assert not found_in(data, "sk-canary-9876543210")


def leak(request: Request) -> Served:
    """A server that repeats the key wherever it can."""
    key = request.headers["authorization"]
    headers = {"x-request-id": key, "x-echo": key}
    kind = request.number % 5
    if kind == 0:
        return Served(500, error(key), headers)
    if kind == 1:
        return Served(200, key.encode(), headers)
    if kind == 2:
        return Served(429, error(key), {**headers, "retry-after-ms": "1"})
    if kind == 3:
        return Served(400, json.dumps({"error": key}).encode(), headers)
    return Served(200, chat(f"you sent {key}", reasoning=key), headers)


def test_no_file_and_no_line_holds_a_key_that_a_server_repeats(
    study: Study, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keys = Keys()
    keys.remember("p", KEY)
    told: list[object] = []
    with caplog.at_level(logging.DEBUG), FaultServer(leak) as server:
        profile = profile_at(server.base_url, key_source="memory")
        save_profiles((profile,))
        fill(study, profile, 50)
        with RunService() as service:
            handle = start_run(service, study, "r", {"p": profile}, keys, policy=FAST)
            assert handle.wait(60)
            told += handle.poll(10**6)
    assert all(KEY in request.headers["authorization"] for request in server.requests)
    assert study.query("SELECT count(*) AS n FROM attempts")[0]["n"] > 50
    assert files_with(tmp_path, KEY) == []
    study.close()
    assert files_with(tmp_path, KEY) == []
    for text in (repr(told), repr(keys), caplog.text):
        assert not found_in(text.encode(), KEY)

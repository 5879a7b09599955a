"""A disk without room, for real: a process that may write no larger files."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from director_gui.store.attempts import replies_of
from director_gui.store.database import create_study, open_study
from tests.fault_server import FaultServer, Served, chat
from tests.made_runs import fill, profile_at

ROOT = Path(__file__).parents[2]
COUNT = 60


@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is Linux's")
def test_a_run_pauses_without_room_and_goes_on_by_itself(path: Path) -> None:
    import resource  # exists on POSIX alone

    with FaultServer(lambda _: Served(body=chat("x" * 20_000))) as server:
        profile = profile_at(server.base_url)
        with create_study(path, "x") as study:
            fill(study, profile, COUNT)
        child = subprocess.Popen(
            [sys.executable, "-m", "tests.limited_run", str(path), server.base_url],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert child.stdout is not None
        assert child.stdout.readline().startswith("paused: ")
        sent = len(server.requests)
        time.sleep(0.3)
        # Nobody pays for replies that cannot be kept.
        assert len(server.requests) <= sent + profile.concurrency
        assert sent < COUNT
        endless = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(child.pid, resource.RLIMIT_FSIZE, endless)
        out, err = child.communicate(timeout=60)
    assert out.splitlines()[-1] == f"ended: {COUNT} replied, 0 open", err
    assert "resumed" in out
    with open_study(path) as study:
        found = replies_of(study, "r")
        assert [reply.status for reply in found] == ["reply"] * COUNT
        assert {len(reply.text) for reply in found} == {20_000}
    assert len(server.requests) == COUNT

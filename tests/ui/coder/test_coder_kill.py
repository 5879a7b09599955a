"""kill -9 while a coder codes by key events: no code lost, none doubled."""

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from coding.log import parse_log
from coding.packet import read_packet
from coding.results import CodingSession, results_name

CHILD = Path(__file__).with_name("coding_child.py")
ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.gui


def code_until_killed(packet_file: Path, seed: int) -> list[str]:
    """Return the heads of the log that the child had shown before it was killed."""
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(packet_file), str(seed)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    with child:
        assert child.stdout is not None
        first = child.stdout.readline()
        assert first, "the child did not start"
        wait = random.Random(seed).uniform(0.0, 0.25)
        threading.Timer(wait, child.send_signal, [signal.SIGKILL]).start()
        rest = child.stdout.read()
    assert child.returncode == -signal.SIGKILL
    # The last line may be cut short by the kill; what was told whole counts.
    whole = [line for line in (first + rest).split("\n")[:-1] if line.endswith("}")]
    return [next(iter(json.loads(line).values())) for line in whole]


def kill_and_check(packet_file: Path, times: int) -> None:
    packet = read_packet(packet_file)
    results = packet_file.with_name(results_name(packet.id, "ann"))
    events = 0
    for seed in range(times):
        told = code_until_killed(packet_file, seed)
        log = parse_log(results.read_bytes(), packet)
        # Told heads are the log's own lines, in order: nothing shown was lost …
        places = [log.hashes.index(head) for head in told]
        assert places == sorted(places)
        assert places[0] == events  # … the child began where the last one ended …
        steps = [b - a for a, b in itertools.pairwise(places)]
        assert set(steps) <= {0, 1}  # … one key, at most one event …
        # … and at most the one that was under way is there without being shown.
        assert len(log.hashes) - 1 - places[-1] in (0, 1)
        with CodingSession(packet, results, "ann") as session:
            assert session.head == log.head
        events = len(log.hashes) - 1
    assert events > times


def test_three_kills_lose_and_double_nothing(packet_file: Path) -> None:
    kill_and_check(packet_file, 3)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_hundred_kills_lose_and_double_nothing(packet_file: Path) -> None:
    kill_and_check(packet_file, 100)

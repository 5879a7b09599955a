"""Killed at any moment, a coder loses nothing that was acknowledged."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coding.packet import Packet, Sealed
from coding.results import CodingSession

ROOT = Path(__file__).parents[2]
CODER = """
import sys
from pathlib import Path
from coding.packet import read_packet
from coding.results import CodingSession
packet = read_packet(Path(sys.argv[1]))
with CodingSession(packet, Path(sys.argv[2]), "ann") as session:
    print("ready", flush=True)
    for n in range(1_000_000):
        item = packet.items[n % len(packet.items)].id
        session.set_note(item, f"{n} " + "long " * 500)
        print(session.head, flush=True)
"""


def killed_after(seconds: float, packet: Path, log: Path) -> list[str]:
    """Run a coder, kill it without warning, return the acknowledged heads."""
    command = [sys.executable, "-c", CODER, str(packet), str(log)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.kill()
        lines = process.stdout.read().split("\n")
    return lines[:-1]  # a line without its end was not acknowledged


def check(sealed: Sealed, tmp_path: Path, seconds: float) -> None:
    packet, log = tmp_path / sealed.file_name, tmp_path / "log.jsonl"
    packet.write_bytes(sealed.data)
    log.unlink(missing_ok=True)
    acknowledged = killed_after(seconds, packet, log)
    assert acknowledged
    with CodingSession(sealed.packet, log, "ann") as session:
        notes = _events(log, sealed.packet)
        # The last decision may have reached the disk without its acknowledgement.
        assert len(notes) - len(acknowledged) in (0, 1)
        assert notes[: len(acknowledged)] == acknowledged
        session.set_flag(sealed.packet.items[0].id)


def _events(log: Path, packet: Packet) -> list[str]:
    from coding.log import parse_log

    return list(parse_log(log.read_bytes(), packet).hashes[1:])


@pytest.mark.parametrize("seconds", [0.02, 0.1])
def test_a_kill_loses_nothing(sealed: Sealed, tmp_path: Path, seconds: float) -> None:
    check(sealed, tmp_path, seconds)


@pytest.mark.slow
def test_many_kills_lose_nothing(sealed: Sealed, tmp_path: Path) -> None:
    rng = random.Random(5)
    for _ in range(50):
        check(sealed, tmp_path, rng.uniform(0.005, 0.3))


def test_a_killed_coder_gives_up_the_lock(sealed: Sealed, tmp_path: Path) -> None:
    packet, log = tmp_path / sealed.file_name, tmp_path / "log.jsonl"
    packet.write_bytes(sealed.data)
    killed_after(0, packet, log)
    CodingSession(sealed.packet, log, "ann").close()

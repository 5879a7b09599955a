"""What the preflight's child does, here in our own process."""

import json
import subprocess
import sys

import pytest

from director_gui.render import backend, probe

pytestmark = pytest.mark.render


def test_probe_draws_and_says_what_drew() -> None:
    backend.prepare()
    found = probe.probe()
    assert found["window"].startswith("vtk")
    assert "OpenGL renderer string" in found["report"]


def test_child_prints_one_json_line_last() -> None:
    backend.prepare()
    done = subprocess.run(
        [sys.executable, "-m", "director_gui.render.probe"],
        capture_output=True,
        check=True,
    )
    last = json.loads(done.stdout.splitlines()[-1])
    assert set(last) == {"window", "report", "vtk"}
    assert backend._drew(done.stdout)

"""The blind side in a process of its own: what it loads, and that it works alone."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted(p.stem for p in (ROOT / "coding").glob("*.py") if p.stem != "__init__")
# Any of these could tell a coder something, or tell somebody about the coder.
FORBIDDEN = (
    "director_gui",
    "PySide6",
    "shiboken6",
    "vtkmodules",
    "sqlite3",
    "sqlite_utils",
    "socket",
    "_socket",
    "ssl",
    "http.client",
    "urllib.request",
    "httpx",
    "requests",
    "openai",
    "keyring",
    "pandas",
    "statsmodels",
)
LOADED = """
import importlib, json, sys
for name in sys.argv[1:]:
    importlib.import_module(f"coding.{name}")
print(json.dumps(sorted(sys.modules)))
"""
WORK = """
import sys, tempfile
from pathlib import Path
from coding import codebook, packet, results, merging, report
from coding.agreement import Coder, agreement

def refuse(event, args):
    if event.startswith(("socket.", "sqlite3.", "urllib.")):
        raise AssertionError(event)

sys.addaudithook(refuse)
book = codebook.read_file(Path("resources/codebooks/reading.toml"))
made = packet.seal([packet.Entry(str(i), f"text {i}") for i in range(4)], book)
coders = []
with tempfile.TemporaryDirectory() as folder:
    for alias in ("ann", "bob"):
        path = Path(folder) / results.results_name(made.packet.id, alias)
        with results.CodingSession(made.packet, path, alias) as session:
            for n, item in enumerate(made.packet.items):
                reading = ("own-view", "no-rule")[n % 2]
                session.record_code(item.id, "reading", reading)
        merged = merging.merge(path.read_bytes(), {made.packet.id: made.packet})
        codes = {i: s.values["reading"] for i, s in merged.states.items()}
        coders.append(Coder(alias, codes))
print(report.json_value(agreement(coders))["pairs"][0]["kappa"])
"""


def run(code: str, *args: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *args],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    return set(json.loads(run(LOADED, *MODULES)))


def test_all_of_coding_was_loaded(loaded: set[str]) -> None:
    assert len(MODULES) > 15
    assert {f"coding.{name}" for name in MODULES} <= loaded


@pytest.mark.parametrize("name", FORBIDDEN)
def test_the_blind_side_loads_nothing_that_could_tell(
    loaded: set[str], name: str
) -> None:
    assert not [m for m in loaded if m == name or m.startswith(f"{name}.")]


def test_a_whole_round_works_alone() -> None:
    assert run(WORK) == "1.0\n"

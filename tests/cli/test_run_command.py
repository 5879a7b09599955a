"""The command `run`: what it prints, its exit codes, interruption and resumption."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from director_gui.cli import dispatch
from director_gui.ids import sha256_hex
from director_gui.store.attempts import replies_of
from director_gui.store.database import open_study
from director_gui.store.runs import runs
from director_gui.store.scenes import stimuli
from tests.batch_server import Provider
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.plan_studies import plan_text, study_with_set

ROOT = Path(__file__).parents[2]
POSIX = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX")
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def study(tmp_path: Path) -> Path:
    path = tmp_path / "a.study"
    study_with_set(path).close()
    return path


def plan(study: Path, text: str) -> Path:
    path = study.with_name("plan.toml")
    path.write_text(text, encoding="utf-8")
    return path


def run(study: Path, text: str, *more: str) -> int:
    return dispatch.run(["run", str(study), "--plan", str(plan(study, text)), *more])


def reply(request: Request) -> Served:
    return Served(body=chat(f'{{"visible": [1], "choice": {request.number}}}'))


def test_a_plan_is_run_and_its_result_printed(study: Path, capsys: Capture) -> None:
    with FaultServer(reply) as server:
        assert run(study, plan_text(server.base_url), "--json") == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert {"plan", "counts", "attempts", "tokens", "cost", "price_known"} <= set(
        result
    )
    assert result["plan"] == "small"
    assert result["counts"]["answered"] == 8 == result["attempts"]
    assert set(result["tokens"]) == {"input", "output", "reasoning", "cached"}
    assert result["tokens"]["input"] == 8000
    assert result["cost"] == pytest.approx(8 * (1000 * 1 + 200 * 10) / 1e6)
    assert result["price_known"] is True
    for said in ("8 of 8 calls", "tokens: about", "price: ", "could be paid twice"):
        assert said in err
    with open_study(study, read_only=True) as opened:
        shown = {item.image for item in stimuli(opened)}
    assert {request.image_sha256 for request in server.requests} == shown


def test_running_it_again_sends_nothing_twice(study: Path, capsys: Capture) -> None:
    with FaultServer(reply) as server:
        for _ in range(2):
            assert run(study, plan_text(server.base_url), "--json") == 0
        assert len(server.requests) == 8
    results = capsys.readouterr().out.splitlines()
    assert results[0] == results[1]


def test_resume_only_begins_nothing(study: Path, capsys: Capture) -> None:
    assert run(study, plan_text(), "--resume-only") == 1
    assert "not begun" in capsys.readouterr().err
    with open_study(study, read_only=True) as opened:
        assert runs(opened) == []


def test_a_dry_run_says_all_and_sends_nothing(study: Path, capsys: Capture) -> None:
    with FaultServer(reply) as server:
        assert run(study, plan_text(server.base_url), "--dry-run", "--json") == 0
        assert server.requests == []
    out, err = capsys.readouterr()
    assert json.loads(out)["counts"]["open"] == 8
    assert "8 of 8 calls" in err


def test_an_unknown_price_wants_a_yes(study: Path, capsys: Capture) -> None:
    with FaultServer(reply) as server:
        text = plan_text(server.base_url, cost_ceiling=1).replace(
            "input_price = 1.0\n", ""
        )
        assert run(study, text) == 1
        assert "price of a call is unknown" in capsys.readouterr().err
        assert server.requests == []
        assert run(study, text, "--yes", "--json") == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert (result["cost"], result["price_known"]) == (None, False)
    assert "unknown price" in err


def test_a_ceiling_ends_the_run_and_a_higher_one_goes_on(
    study: Path, capsys: Capture
) -> None:
    with FaultServer(reply) as server:
        worst = (3000 + 1000 * 10) / 1e6
        assert run(study, plan_text(server.base_url, cost_ceiling=worst), "--json") == 1
        out, err = capsys.readouterr()
        assert "cost ceiling of $0.01" in err
        assert "still open" in err
        done = json.loads(out)
        assert 0 < done["counts"]["answered"] < 8
        assert done["cost_at_most"] <= worst
        assert run(study, plan_text(server.base_url, cost_ceiling=5.0)) == 0
        assert len(server.requests) == 8


def test_a_refused_key_is_told_and_the_rest_stays_open(
    study: Path, capsys: Capture
) -> None:
    with FaultServer(lambda _: Served(401, error("wrong key"))) as server:
        assert run(study, plan_text(server.base_url), "--json") == 1
    out, err = capsys.readouterr()
    assert json.loads(out)["counts"]["open"] == 8
    assert "local is stopped" in err
    assert "wrong key" in err


def test_a_missing_key_is_told_before_anything_is_sent(
    study: Path, capsys: Capture
) -> None:
    with FaultServer(reply) as server:
        text = plan_text(server.base_url) + 'key_source = "env:NO_SUCH_KEY_HERE"\n'
        assert run(study, text) == 1
        assert server.requests == []
    assert "NO_SUCH_KEY_HERE" in capsys.readouterr().err


def test_wrong_input_is_one_line_without_a_traceback(
    study: Path, capsys: Capture
) -> None:
    assert run(study, "batch = 5") == 1
    assert run(study, plan_text(scenes={"sets": ["gone"]})) == 1
    assert run(study.with_name("gone.study"), plan_text()) == 1
    lines = [x for x in capsys.readouterr().err.splitlines() if "preparing" not in x]
    assert len(lines) == 3
    assert all(line.startswith("director-gui: ") for line in lines)


def test_a_plan_goes_by_batches_when_it_says_so(study: Path, capsys: Capture) -> None:
    said = {"status_code": 200, "body": json.loads(chat())}
    with Provider(lambda _: said) as provider:
        text = plan_text(provider.base_url, transport="batch", batch_price_factor=0.5)
        assert run(study, text, "--json") == 0
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert result["counts"]["open"] == 0
    assert result["cost"] == pytest.approx(0.5 * 8 * (1000 + 200 * 10) / 1e6)
    assert "batch-0" in err


def child(study: Path, text: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "director_gui", "run", str(study), "--plan",
         str(plan(study, text)), "--json"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )  # fmt: skip


def until(server: FaultServer, requests: int) -> None:
    deadline = time.monotonic() + 60
    while len(server.requests) < requests and time.monotonic() < deadline:
        time.sleep(0.005)
    assert len(server.requests) >= requests


@POSIX
def test_an_interrupt_finishes_the_calls_in_hand(study: Path) -> None:
    with FaultServer(lambda _: Served(body=chat(), delay=0.5)) as server:
        going = child(study, plan_text(server.base_url))
        until(server, 4)
        going.send_signal(signal.SIGINT)
        out, err = going.communicate(timeout=60)
        assert going.returncode == 130, err
        assert "Traceback" not in err
        counts = json.loads(out)["counts"]
        assert counts["unparsed"] + counts["answered"] == len(server.requests) == 4
        assert json.loads(out)["could_be_paid_twice"] == 0
        assert run(study, plan_text(server.base_url)) == 0
        assert len(server.requests) == 8


@POSIX
def test_a_second_interrupt_drops_them_and_says_what_may_be_paid_twice(
    study: Path, capsys: Capture
) -> None:
    hanging = [True]

    def hang(request: Request) -> Served:
        return Served(fault="hang") if hanging[0] else reply(request)

    with FaultServer(hang) as server:
        going = child(study, plan_text(server.base_url))
        until(server, 4)
        going.send_signal(signal.SIGINT)
        time.sleep(0.5)
        going.send_signal(signal.SIGINT)
        out, err = going.communicate(timeout=60)
        assert going.returncode == 130, err
        assert json.loads(out)["could_be_paid_twice"] == 4
        hanging[0] = False
        assert run(study, plan_text(server.base_url), "--json") == 0
    assert "could be paid twice: 4 calls" in capsys.readouterr().err
    assert len(server.requests) == 12


@POSIX
def test_a_kill_loses_nothing_and_the_next_run_knows_what_was_in_flight(
    study: Path, capsys: Capture
) -> None:
    def three_then_hang(request: Request) -> Served:
        return reply(request) if request.number < 3 else Served(fault="hang")

    with FaultServer(three_then_hang) as server:
        going = child(study, plan_text(server.base_url))
        until(server, 7)
        time.sleep(0.3)
        going.kill()
        going.communicate(timeout=60)
    with FaultServer(reply) as server:
        # Another port is another server: the plan says so, and is refused.
        assert run(study, plan_text(server.base_url)) == 1
    with open_study(study, read_only=True) as opened:
        (found,) = runs(opened)
        statuses = [item.status for item in replies_of(opened, found.id)]
    assert statuses.count("reply") == 3
    capsys.readouterr()
    assert (
        run(study, plan_text(found.settings["profiles"][0]["base_url"]), "--dry-run")
        == 0
    )
    assert "could be paid twice: 4 calls" in capsys.readouterr().err


def test_what_is_printed_names_no_key(
    study: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-canary-0123456789"
    monkeypatch.setenv("A_KEY", key)

    def echo(request: Request) -> Served:
        return Served(401, error(request.headers["authorization"]))

    with FaultServer(echo) as server:
        text = plan_text(server.base_url) + 'key_source = "env:A_KEY"\n'
        assert run(study, text, "--json") == 1
    out, err = capsys.readouterr()
    assert key not in out + err
    assert "[key removed]" in err
    assert sha256_hex(key.encode()) not in out + err


def test_a_plan_goes_to_inspect_and_comes_back(study: Path, capsys: Capture) -> None:
    text = plan_text("http://127.0.0.1:1/v1")
    folder = study.with_name("tasks")
    assert run(study, text, "--to-inspect", str(folder), "--json") == 0
    assert json.loads(capsys.readouterr().out)["counts"]["open"] == 8
    lines = (folder / "local" / "dataset.jsonl").read_text("utf-8").splitlines()
    samples = [inspected(folder / "local", json.loads(line)) for line in lines]
    log = folder / "log.json"
    log.write_text(json.dumps({"eval": {"model": "x/m"}, "samples": samples}))
    assert run(study, text, "--from-inspect", str(log), "--json") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["counts"]["open"] == 0
    assert "8 calls have their reply" in err
    assert run(study, text, "--from-inspect", str(log)) == 1  # all were kept already


def inspected(folder: Path, asked: dict[str, Any]) -> dict[str, Any]:
    picture = (folder / asked["input"][0]["content"][0]["image"]).read_bytes()
    data = "data:image/png;base64," + base64.b64encode(picture).decode()
    asked["input"][0]["content"][0]["image"] = data
    output = {"choices": [{"message": {"content": "hello"}, "stop_reason": "stop"}]}
    events = [{"event": "model", "output": output}]
    return {"id": asked["id"], "input": asked["input"], "messages": asked["input"],
            "events": events}  # fmt: skip

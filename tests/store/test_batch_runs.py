"""A stored run through the batch API, against a provider of our own."""

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from director_gui.ids import canonical_json, sha256_hex
from director_gui.runner.batch_sender import BatchLimits
from director_gui.runner.engine_values import (
    AttemptStored,
    BatchMoved,
    Event,
    ProfileStopped,
    RunEnded,
)
from director_gui.runner.keys import Keys
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome
from director_gui.runner.service import RunService
from director_gui.store.attempts import add_attempts, attempts_of, replies_of
from director_gui.store.batches import BatchJobs
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.sendings import spent_of
from director_gui.store.session import start_batches
from tests.batch_server import Provider
from tests.fault_server import chat
from tests.made_runs import FAST, PNG, fill, profile_at

ROOT = Path(__file__).parents[2]
QUICK = BatchLimits(poll=0.01)


def body(text: str = '{"choice": 5}') -> dict[str, Any]:
    value: dict[str, Any] = json.loads(chat(text))
    return value


def reply(asked: dict[str, Any]) -> dict[str, Any]:
    return {"status_code": 200, "body": body(asked["custom_id"])}


def sent(
    study: Study,
    profile: Profile,
    ceiling: float | None = None,
    limits: BatchLimits = QUICK,
) -> list[Event]:
    with RunService() as service:
        handle = start_batches(
            service, study, "r", {"p": profile}, Keys(),
            policy=FAST, ceiling=ceiling, limits=limits,
        )  # fmt: skip
        assert handle.wait(60)
        return handle.poll(1_000_000)


def told(events: list[Event], kind: type) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def test_a_run_is_submitted_collected_and_matched_by_its_own_ids(study: Study) -> None:
    with Provider(reply) as provider:
        profile = profile_at(provider.base_url)
        planned = fill(study, profile, 7)
        events = sent(study, profile)
    assert events[-1] == RunEnded(7, 0, 0)
    assert len(told(events, AttemptStored)) == 7
    assert [e.status for e in told(events, BatchMoved)] == ["begun", "completed"]
    for found in replies_of(study, "r"):
        assert found.text == f"{found.call.id}-1-1"
    assert len(planned) == len(provider.asked)


def test_a_line_carries_the_very_body_that_was_hashed(study: Study) -> None:
    with Provider(reply) as provider:
        profile = profile_at(provider.base_url)
        (planned,) = fill(study, profile, 1, turns=("größer",))
        sent(study, profile)
    (asked,) = provider.asked
    assert (asked["method"], asked["url"]) == ("POST", "/v1/chat/completions")
    (made,) = attempts_of(study, planned.call.id)
    line = provider.files["file-0"]
    assert canonical_json(asked["body"]) in line
    assert made.request_hash == sha256_hex(canonical_json(asked["body"]))
    url = asked["body"]["messages"][0]["content"][0]["image_url"]["url"]
    sent_image = base64.b64decode(url.split(",")[1], validate=True)
    assert sha256_hex(sent_image) == planned.call.image
    assert made.body == json.dumps(body(asked["custom_id"])).encode()


def test_two_turns_take_two_rounds_and_thinking_is_not_sent_back(study: Study) -> None:
    said = {"status_code": 200, "body": body("<think>x</think>said")}
    with Provider(lambda _: said) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 3, turns=("one", "two"))
        assert sent(study, profile)[-1] == RunEnded(3, 0, 0)
    second = provider.asked[-1]["body"]["messages"]
    assert [m["role"] for m in second] == ["user", "assistant", "user"]
    assert second[1]["content"] == "said"
    assert len(provider.batches) == 2


def test_an_expired_batch_is_collected_and_only_the_rest_sent_again(
    study: Study,
) -> None:
    seen: Counter[str] = Counter()

    def answer(asked: dict[str, Any]) -> dict[str, Any] | None:
        name = asked["custom_id"]
        seen[name] += 1
        late = int(name[:8], 16) % 2 == 0 and seen[name] == 1
        return None if late else reply(asked)

    with Provider(answer, status="expired") as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 20)
        assert sent(study, profile)[-1] == RunEnded(20, 0, 0)
    again = [name for name, times in seen.items() if times == 2]
    assert 0 < len(again) < 20
    assert max(seen.values()) == 2
    assert len(provider.batches) == 2


def test_failed_lines_are_tried_again_or_end_their_call(study: Study) -> None:
    seen: Counter[str] = Counter()

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        call = asked["custom_id"][:64]
        seen[call] += 1
        at = sorted(seen).index(call) if len(seen) == 6 else -1
        if seen[call] == 1 and at < 0:
            return {"status_code": 500, "body": {"error": {"message": "oops"}}}
        if int(call[:4], 16) % 2:
            return {"status_code": 400, "body": {"error": {"message": "no"}}}
        return reply(asked)

    with Provider(answer) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 6)
        end = sent(study, profile)[-1]
    assert isinstance(end, RunEnded)
    assert end.open == 0
    statuses = Counter(r.status for r in replies_of(study, "r"))
    assert (statuses["reply"], statuses["failed"]) == (end.replied, end.failed)
    assert {a.error_kind for r in replies_of(study, "r")
            for a in attempts_of(study, r.call.id)} >= {"server"}  # fmt: skip


def test_a_batch_without_results_stops_after_some_rounds(study: Study) -> None:
    with Provider(lambda _: None, status="expired") as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 2)
        events = sent(study, profile)
    assert "no result" in told(events, ProfileStopped)[0].reason
    assert events[-1] == RunEnded(0, 0, 2)
    assert len(provider.batches) == QUICK.empty_rounds


def test_a_refused_batch_says_why(study: Study) -> None:
    with Provider(reply, status="failed", failure="no such model") as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 2)
        events = sent(study, profile)
    assert told(events, ProfileStopped)[0].reason == "no such model"
    assert BatchJobs(study, "r").open() == []


def test_a_batch_whose_id_never_arrived_is_found_not_sent_twice(study: Study) -> None:
    with Provider(reply, lose=1) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 4)
        assert sent(study, profile)[-1] == RunEnded(4, 0, 0)
    assert len(provider.batches) == 1
    assert "GET /v1/batches" in provider.requests


def test_large_runs_are_cut_into_batches_that_a_provider_takes(study: Study) -> None:
    with Provider(reply) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 10)
        size = 2 * (len(PNG) * 4 // 3 + 600)
        limits = BatchLimits(poll=0.01, size=size)
        assert sent(study, profile, limits=limits)[-1] == RunEnded(10, 0, 0)
    assert len(provider.batches) == 5
    assert all(len(provider.files[b.file]) <= size for b in provider.batches.values())


def test_a_batch_never_holds_more_than_the_ceiling_allows(study: Study) -> None:
    with Provider(reply) as provider:
        profile = profile_at(
            provider.base_url, input_price=1.0, output_price=10.0, max_tokens=1000
        )
        fill(study, profile, 50)
        ceiling = 0.1
        events = sent(study, profile, ceiling)
    assert "cost ceiling" in told(events, ProfileStopped)[0].reason
    end = events[-1]
    assert isinstance(end, RunEnded)
    assert 0 < end.replied < 50
    assert spent_of(study, "r") <= ceiling
    worst = (2000 + 4) / 1e6 + 1000 * 10 / 1e6
    for batch in provider.batches.values():
        assert len(provider.files[batch.file].splitlines()) * worst <= ceiling


@pytest.mark.parametrize(
    "step",
    ["POST /v1/files", "POST /v1/batches", "GET /v1/batches/batch-0",
     "GET /v1/files/file-1/content"],
)  # fmt: skip
def test_a_passing_fault_of_any_step_is_asked_again(study: Study, step: str) -> None:
    with Provider(reply, refuse={step: [500, 429]}) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 3)
        assert sent(study, profile)[-1] == RunEnded(3, 0, 0)
    assert len(provider.batches) == 1
    assert len(provider.asked) == 3


@pytest.mark.parametrize("step", ["POST /v1/files", "POST /v1/batches"])
def test_a_refused_key_stops_and_is_not_repeated(study: Study, step: str) -> None:
    key = "sk-canary-0123456789"
    keys = Keys()
    keys.remember("p", key)
    with Provider(reply, refuse={step: [401]}) as provider, RunService() as service:
        profile = profile_at(provider.base_url, key_source="memory")
        fill(study, profile, 3)
        handle = start_batches(
            service, study, "r", {"p": profile}, keys, policy=FAST, limits=QUICK
        )
        assert handle.wait(60)
        events = handle.poll()
    (stopped,) = told(events, ProfileStopped)
    assert "HTTP 401" in stopped.reason
    assert key not in repr(events)
    assert events[-1] == RunEnded(0, 0, 3)
    assert [job for job in BatchJobs(study, "r").open() if job.file] == []


def test_nobody_at_the_address_is_told(study: Study) -> None:
    profile = profile_at("http://127.0.0.1:9/v1")
    fill(study, profile, 1)
    events = sent(study, profile)
    assert told(events, ProfileStopped)[0].reason
    assert events[-1] == RunEnded(0, 0, 1)


def interrupted(study: Study, profile: Profile, when: Callable[[Event], bool]) -> None:
    """Send, and leave as soon as something is told."""
    with RunService() as service:
        handle = start_batches(
            service, study, "r", {"p": profile}, Keys(), policy=FAST, limits=QUICK
        )
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if any(when(event) for event in handle.poll()):
                break
            time.sleep(0.005)
        handle.drain()
        assert handle.wait(30)


def test_leaving_while_a_batch_runs_loses_nothing(study: Study) -> None:
    with Provider(reply, looks=10**9) as provider:
        profile = profile_at(provider.base_url)
        fill(study, profile, 5)
        interrupted(study, profile, lambda e: isinstance(e, BatchMoved))
        assert len(BatchJobs(study, "r").open()) == 1
        provider.looks = 1
        assert sent(study, profile)[-1] == RunEnded(5, 0, 0)
        assert len(provider.batches) == 1
        assert len(provider.asked) == 5


def test_what_was_answered_otherwise_meanwhile_is_not_kept_twice(study: Study) -> None:
    with Provider(reply, looks=10**9) as provider:
        profile = profile_at(provider.base_url)
        planned = fill(study, profile, 3)
        interrupted(study, profile, lambda e: isinstance(e, BatchMoved))
        add_attempts(
            study,
            [Attempt(planned[0].call.id, 1, 1, 1, Outcome.REPLY, "t", 0.0, "h")],
        )
        provider.looks = 1
        assert sent(study, profile)[-1] == RunEnded(2, 0, 0)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is POSIX")
def test_a_kill_between_any_two_steps_loses_and_repeats_nothing(path: Path) -> None:
    with Provider(reply, looks=3) as provider:
        profile = profile_at(provider.base_url)
        with create_study(path, "x") as study:
            fill(study, profile, 12)
        for requests in (1, 2, 3, 4):
            kill_after(path, provider, requests)
        with open_study(path) as study:
            end = sent(study, profile)[-1]
            assert isinstance(end, RunEnded)
            assert end.open == 0
            assert [r.status for r in replies_of(study, "r")] == ["reply"] * 12
    # A call was run twice only if nothing had been begun when we were killed.
    assert len(provider.asked) == 12


def kill_after(path: Path, provider: Provider, requests: int) -> None:
    before = len(provider.requests)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.batch_child", str(path), provider.base_url],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(provider.requests) < before + requests and time.monotonic() < deadline:
        if child.poll() is not None:
            return
        time.sleep(0.001)
    child.send_signal(signal.SIGKILL)
    child.wait()

"""Automatic passes against kills, broken servers, ceilings, and what must not leak."""

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.runner.engine_values import RunEnded, RunPaused
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunHandle, RunService
from director_gui.runner.wire import body_hash
from director_gui.store.attempts import attempts_of, open_tasks, replies_of
from director_gui.store.auto_passes import passes_in
from director_gui.store.database import Study, open_study
from director_gui.store.ledger import PASSES
from director_gui.store.sendings import lost_of
from director_gui.study.blind.auto_forecast import forecast, workload
from director_gui.study.blind.auto_sending import send_pass
from director_gui.study.blind.auto_standing import standing
from director_gui.study.blind.auto_work import ask_again, begin, verdicts
from director_gui.study.blind.keys import Opened
from tests.auto_studies import (
    CODER,
    FAST,
    answering,
    begun,
    known_items,
    right_answer,
    run_pass,
    sealed,
)
from tests.blind_studies import CONDITIONS, OPEN, Desk, add_replies
from tests.canary import forms
from tests.fault_server import FaultServer, Served, chat, error

ROOT = Path(__file__).parents[3]


@pytest.fixture
def found(desk: Desk) -> Opened:
    return sealed(desk, 2)


@pytest.mark.skipif(os.name == "nt", reason="kill -9 is POSIX")
@pytest.mark.parametrize("kills", [2, pytest.param(40, marks=pytest.mark.slow)])
def test_a_killed_pass_goes_on_and_pays_for_no_answer_twice(
    desk: Desk, kills: int
) -> None:
    add_replies(desk.study, 4, 6, run="run-2")
    found = sealed(desk, 4)
    packet, path = found.stored.id, desk.study.path
    odd = {item.text for item in found.packet.items[::3]}

    def say(text: str, asked: int) -> str:
        return "Hm." if text in odd and asked == 1 else right_answer(text)

    decide = answering(say)
    rng, at_risk = random.Random(3), 0
    slow = replace(Served(), delay=0.02)
    with FaultServer(lambda r: replace(decide(r), delay=slow.delay)) as server:
        profile = replace(CODER, base_url=server.base_url)
        begin(desk.study, packet, profile, "me")
        desk.study.close()
        for _ in range(kills):
            kill_after(path, packet, server, rng.randrange(3, 14))
            with open_study(path) as study:
                (one,) = passes_in(study, packet)
                lost = lost_of(study, one.id, PASSES).in_flight
                assert lost <= profile.concurrency
                at_risk += lost
                before = answers(study, one.id)
        with open_study(path) as study:
            (one,) = passes_in(study, packet)
            assert run_pass(study, one, profile).open == 0
            after = answers(study, one.id)
            # What had come in before a kill is there to the byte, and sent no more.
            assert before.items() <= after.items()
            now = standing(study, one)
            assert now.coded + len(now.uncodable) == now.items
            assert {v.asks for v in verdicts(study, one, found)} <= {1, 2}
            calls = len(replies_of(study, one.id, PASSES))
    assert len(server.requests) <= calls + at_risk


def kill_after(path: Path, packet: str, server: FaultServer, requests: int) -> None:
    before = len(server.requests)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.auto_studies", str(path), packet],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while len(server.requests) < before + requests and time.monotonic() < deadline:
        if child.poll() is not None:
            break
        time.sleep(0.002)
    child.send_signal(signal.SIGKILL)
    child.wait()


def answers(study: Study, pass_id: str) -> dict[str, str]:
    replies = replies_of(study, pass_id, PASSES)
    return {r.call.id: r.text for r in replies if r.status == "reply"}


def test_a_kill_between_the_rounds_asks_again_once(desk: Desk, found: Opened) -> None:
    with FaultServer(lambda _: Served(body=chat("Hm."))) as server:
        one, profile = begun(desk, found, server.base_url)
        with RunService() as service:
            handle = send_pass(service, desk.study, one, profile, Keys(), policy=FAST)
            assert handle.wait(60)
        count = len(found.packet.items)
        assert len(server.requests) == 2 * count
    assert ask_again(desk.study, one) == 0
    assert open_tasks(desk.study, one.id, PASSES) == []


def test_second_calls_are_stored_once_however_often_it_is_resumed(
    desk: Desk, found: Opened
) -> None:
    decide = answering(lambda text, n: right_answer(text) if n > 1 else "Hm.")
    with FaultServer(decide) as server:
        one, profile = begun(desk, found, server.base_url)
        with RunService() as service:
            handle = send_pass(service, desk.study, one, profile, Keys(), policy=FAST)
            wait_until(lambda: len(server.requests) > 3)
            handle.drain()
            assert handle.wait(60)
            drained = handle.poll(10**6)[-1]
        assert isinstance(drained, RunEnded)
        assert drained.open > 0
        assert run_pass(desk.study, one, profile).open == 0
        count = len(found.packet.items)
        assert len(server.requests) == 2 * count
    assert standing(desk.study, one).coded == count


def wait_until(true: "object", patience: float = 30) -> None:
    deadline = time.monotonic() + patience
    while not true():  # type: ignore[operator]
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_pause_holds_over_the_rounds_and_cancel_ends_it(
    desk: Desk, found: Opened
) -> None:
    with FaultServer(lambda _: Served(body=chat("Hm."), delay=0.05)) as server:
        one, profile = begun(desk, found, server.base_url)
        with RunService() as service:
            handle = send_pass(service, desk.study, one, profile, Keys(), policy=FAST)
            wait_until(lambda: len(server.requests) >= 4)
            handle.pause()
            events = settled(handle)
            sent = len(server.requests)
            time.sleep(0.3)
            assert len(server.requests) == sent < 2 * len(found.packet.items)
            assert any(isinstance(event, RunPaused) for event in events)
            handle.resume()
            wait_until(lambda: len(server.requests) > sent)
            handle.cancel()
            assert handle.wait(30)
            end = handle.poll(10**6)[-1]
        assert isinstance(end, RunEnded)
        assert end.open > 0
    assert standing(desk.study, one).left > 0


def settled(handle: RunHandle) -> list[object]:
    """What has happened until nothing more has for a while."""
    events: list[object] = []
    while True:
        time.sleep(0.15)
        more = handle.poll(10**6)
        if not more:
            return events
        events += more


def test_the_ceiling_stops_the_pass_and_a_higher_one_goes_on(
    desk: Desk, found: Opened
) -> None:
    with FaultServer(answering()) as server:
        one, profile = begun(desk, found, server.base_url)
        profile = replace(profile, max_tokens=500)
        one = begin(desk.study, found.stored.id, profile, "me")
        # A reply costs 0.0014 dollars; the worst case of a request is dearer.
        end = run_pass(desk.study, one, profile, ceiling=0.02)
        assert end.open > 0
        now = standing(desk.study, one)
        assert 0 < now.spent <= 0.02
        assert now.calibration is None
        assert run_pass(desk.study, one, profile, ceiling=1.0).open == 0
    count = len(found.packet.items)
    assert len(server.requests) == count
    assert standing(desk.study, one).spent == pytest.approx(0.0014 * count)


def test_a_call_that_fails_is_tried_again_and_then_uncodable(
    desk: Desk, found: Opened
) -> None:
    lost = found.packet.items[0].text
    decide = answering()

    def refuse(request: object) -> Served:
        if lost in request.text:  # type: ignore[attr-defined]
            return Served(400, error("no"))
        return decide(request)  # type: ignore[arg-type]

    with FaultServer(refuse) as server:
        one, profile = begun(desk, found, server.base_url)
        end = run_pass(desk.study, one, profile)
    assert (end.failed, end.open) == (2, 0)
    assert list(standing(desk.study, one).uncodable.values()) == ["no reply came"]
    # Nothing was wrong with an answer, so the same is asked again.
    asked = [r.text for r in server.requests if lost in r.text]
    assert len(asked) == 2
    assert asked[0] == asked[1]


def test_a_server_in_trouble_costs_no_answer(desk: Desk, found: Opened) -> None:
    decide = answering()
    rng = random.Random(5)
    faults = [
        Served(429, error("slow"), {"retry-after-ms": "10"}),
        Served(500, error("oops")),
        Served(fault="reset"),
        Served(body=b"{}"),
        Served(body=b"<html>no</html>"),
    ]

    def rough(request: object) -> Served:
        if rng.random() < 0.3:
            return rng.choice(faults)
        return decide(request)  # type: ignore[arg-type]

    with FaultServer(rough) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    now = standing(desk.study, one)
    assert now.left == 0
    assert set(now.uncodable.values()) <= {"no reply came"}


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_a_request_holds_the_codebook_and_the_text_and_nothing_of_where_it_is_from(
    desk: Desk, found: Opened, wire: str
) -> None:
    with FaultServer(lambda _: Served(body=chat("Hm."))) as server:
        profile = replace(CODER, base_url=server.base_url, wire=wire)
        one = begin(desk.study, found.stored.id, profile, "me")
        run_pass(desk.study, one, profile)
    rows = desk.study.query("SELECT * FROM calls")
    hidden = {found.stored.id, one.id, one.alias, *CONDITIONS, OPEN.name, OPEN.model}
    hidden |= {r[k] for r in rows for k in ("id", "scene", "image")}
    hidden |= {item.id for item in found.packet.items}
    hidden |= {"known:1", "known:2", found.stored.commitment, found.stored.salt.hex()}
    for request in server.requests:
        data = repr(sorted(request.headers.items())).encode() + raw(request)
        for canary in hidden:
            assert not any(form in data for form in forms(canary)), canary
        # Too short to be looked for in base64.
        assert rows[0]["run"].encode() not in data
        assert b"image_url" not in data
        assert b"input_image" not in data
        assert set(request.body) <= {
            "model", "messages", "reasoning_effort", "input", "store", "reasoning",
        }  # fmt: skip
        said = request.body.get("messages") or request.body["input"]
        assert [len(m["content"]) for m in said] == [1]
        assert any(item.text in request.text for item in found.packet.items)


def raw(request: object) -> bytes:
    # As text, not as JSON escapes, which would hide a name from the search.
    return repr(request.body).encode()  # type: ignore[attr-defined]


def test_known_items_cannot_be_told_from_others_by_the_request(desk: Desk) -> None:
    found = sealed(desk, 3)
    asked: list[str] = []

    def note(text: str, _n: int) -> str:
        asked.append(text)
        return right_answer(text)

    with FaultServer(answering(note)) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, replace(profile, concurrency=1))
        heads = {
            r.text.split(text)[0]
            for r, text in zip(server.requests, asked, strict=True)
        }
    # The frame around each text is the same, and they come in the packet's order.
    assert len(heads) == 1
    assert asked == [item.text for item in found.packet.items]
    assert len(known_items(desk.study, 3)) == 3


def test_the_hash_that_is_kept_is_of_what_was_sent(desk: Desk, found: Opened) -> None:
    with FaultServer(answering()) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    hashes = {body_hash(request.body) for request in server.requests}
    kept = {
        attempt.request_hash
        for reply in replies_of(desk.study, one.id, PASSES)
        for attempt in attempts_of(desk.study, reply.call.id, PASSES)
    }
    assert kept == hashes


def test_the_forecast_counts_what_is_left(desk: Desk, found: Opened) -> None:
    count = len(found.packet.items)
    new = forecast(workload(found), CODER)
    work = new.work
    assert (work.items, work.known, work.calls) == (count, 2, (count, 2 * count))
    text = sum(len(item.text) for item in found.packet.items)
    assert new.input_tokens[0] > text // 4
    assert new.price is not None
    assert 0 < new.price[0] < new.price[1]
    assert new.seconds == (5 * 2.0, 9 * 40.0)  # 18 and 36 calls, four at a time
    assert len(new.lines()) == 5
    assert new.value()["calls"] == [count, 2 * count]
    with FaultServer(answering()) as server:
        one, profile = begun(desk, found, server.base_url)
        assert workload(found, desk.study, one) == work
        run_pass(desk.study, one, profile)
        # The worst case that was told is one: it was cheaper.
        assert standing(desk.study, one).spent < new.price[1]
    left = forecast(workload(found, desk.study, one), CODER)
    assert left.work.calls == (0, 0)
    assert left.price == (0, 0)


def test_half_a_pass_is_forecast_by_what_each_item_still_needs(
    desk: Desk, found: Opened
) -> None:
    with FaultServer(lambda _: Served(body=chat("Hm."))) as server:
        one, profile = begun(desk, found, server.base_url)
        profile = replace(profile, max_tokens=500)
        one = begin(desk.study, found.stored.id, profile, "me")
        end = run_pass(desk.study, one, profile, ceiling=0.015)
    count = len(found.packet.items)
    left = workload(found, desk.study, one)
    # What was asked has one more call each, what was not has one or two.
    assert end.open > 0
    assert left.calls == (count, count + end.open)


def test_an_unknown_price_is_never_free(found: Opened) -> None:
    unknown, work = replace(CODER, input_price=None), workload(found)
    assert forecast(work, unknown).price is None
    assert "unknown price" in " ".join(forecast(work, unknown).lines())
    assert forecast(work, OPEN).price == (0, 0)

"""Thousands of calls against a server with every fault that we know of."""

import random
from collections import Counter

import pytest

from director_gui.ids import sha256_hex
from director_gui.runner.records import Outcome
from director_gui.store.database import Study
from director_gui.store.sendings import lost_of
from tests.fault_server import FaultServer, Request, Served, chat, error
from tests.made_runs import PNG, fill, finish, profile_at

SECOND = {
    "retry-after": "Thu, 01 Jan 2026 00:00:01 GMT",
    "date": "Thu, 01 Jan 2026 00:00:00 GMT",
}
# Weights: what takes long is rare, so that thousands of calls take seconds.
FAULTS: list[tuple[float, Served]] = [
    (3, Served(429, error("slow"), {"retry-after-ms": "20"})),
    (1, Served(429, error("slow"), {"retry-after": "0.05"})),
    (0.001, Served(429, error("slow"), SECOND)),
    (1, Served(429, error("slow"))),
    (4, Served(500, error("oops"))),
    (2, Served(503, b"<html>busy</html>")),
    (1, Served(503, error("overloaded"), {"retry-after-ms": "20"})),
    (2, Served(fault="reset")),
    (2, Served(body=chat(), fault="half")),
    (0.1, Served(fault="hang")),
    (0.1, Served(body=chat(), fault="trickle")),
    (2, Served(body=b"{}")),
    (2, Served(body=b"")),
    (2, Served(body=b"<html>no</html>")),
    (2, Served(body=chat()[:30])),
    (2, Served(body=b"[" * 5000)),
    (2, Served(400, error("picture refused"))),
    (2, Served(body=chat("another").replace(b"served-model", b"wrong-model"))),
]
KINDS = {"rate_limit", "server", "connection", "malformed", "rejected", "timeout"}
HUGE = 20 * 2**20
# Each at least once, however the dice fall.
SURE = {
    5: Served(body=chat("x" * HUGE)),
    7: Served(fault="hang"),
    950: FAULTS[2][1],
}


def storm(request: Request, images: set[str]) -> Served:
    """About every third request meets a fault; a few replies are huge."""
    images.add(request.image_sha256)
    chance = random.Random(request.number)
    if request.number % 1000 in SURE:
        return SURE[request.number % 1000]
    if chance.random() < 0.33:
        weights = [weight for weight, _ in FAULTS]
        return chance.choices([served for _, served in FAULTS], weights)[0]
    return Served(body=chat(f"reply {request.number}"))


@pytest.mark.parametrize(
    "count",
    [1000, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.timeout(1800)])],
)
def test_every_call_ends_in_exactly_one_state_and_bodies_are_as_served(
    study: Study, count: int
) -> None:
    images: set[str] = set()
    with FaultServer(lambda asked: storm(asked, images), forgetful=True) as server:
        profile = profile_at(server.base_url, concurrency=32, timeout=1.0)
        planned = fill(study, profile, count)
        end = finish(study, profile, patience=1500)
    assert (end.open, end.error) == (0, "")
    rows = study.query(
        "SELECT call, outcome, terminal, error_kind, model_returned, body FROM attempts"
    )
    terminal = Counter(row["call"] for row in rows if row["terminal"])
    assert terminal == {item.call.id: 1 for item in planned}
    outcomes = Counter(row["outcome"] for row in rows if row["terminal"])
    assert outcomes == {Outcome.REPLY: end.replied, Outcome.FAILED: end.failed}
    # An attempt that timed out or lost its connection early never got there.
    cut = sum(row["error_kind"] in ("timeout", "connection") for row in rows)
    assert 0 <= len(rows) - len(server.requests) <= cut
    # A body that arrived too late was served all the same.
    stored = Counter(sha256_hex(r["body"]) for r in rows if r["body"] is not None)
    served = Counter(map(sha256_hex, server.served))
    late = sum(row["error_kind"] == "timeout" for row in rows)
    assert stored <= served
    assert served.total() - stored.total() <= late
    assert {row["error_kind"] for row in rows} >= KINDS
    assert {"served-model", "wrong-model"} <= {row["model_returned"] for row in rows}
    assert max(len(row["body"] or b"") for row in rows) > HUGE
    assert images == {sha256_hex(PNG)}
    assert {item.call.image for item in planned} == {sha256_hex(PNG)}
    assert lost_of(study, "r").in_flight == 0

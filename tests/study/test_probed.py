"""Stored probes: their lists, their replies while they arrive, their details."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.runner.profiles import Profile
from director_gui.runner.records import Attempt, Outcome
from director_gui.scene.example import example_scene
from director_gui.store.attempts import attempts_of
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.runs import calls_of
from director_gui.store.scenes import add_image, add_stimulus
from director_gui.study.practice import Practice
from director_gui.study.probed import (
    BODY_SHOWN,
    body_text,
    compare_arms,
    copied,
    picture_of,
    probes_of,
    replies_in,
    rescored,
    shown_text,
)
from director_gui.study.running import profiles_of
from tests.fault_server import FaultServer, Served
from tests.probe_runs import PRACTICE, FlatRenderer, answered, send, stored

ROOT = Path(__file__).parents[2]
SCENE = example_scene()
OTHER = replace(SCENE, name="other", blocks=SCENE.blocks[:2])


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        yield made


@pytest.fixture
def practice() -> Iterator[Practice]:
    with Practice(7) as made:
        yield made


def test_probes_are_listed_newest_first(study: Study, practice: Practice) -> None:
    assert probes_of(study) == ()
    first = stored(study, practice)
    second = stored(study, practice, scene=OTHER, conditions=("mean.count",), samples=3)
    newest, oldest = probes_of(study)
    assert (newest.run, oldest.run) == (second, first)
    assert (newest.scene, oldest.scene) == (OTHER, SCENE)
    assert newest.conditions == ("mean.count", "mean.ask")
    assert newest.models == ("Practice reader",)
    assert (newest.samples, newest.calls) == (3, 6)
    assert newest.calls == len(calls_of(study, second.id))


def test_plans_are_no_probes(study: Study, practice: Practice) -> None:
    stored(study, practice)
    with study.write() as db:
        db.execute("UPDATE runs SET kind = 'plan'")
    assert probes_of(study) == ()


def test_replies_come_in_the_tables_order(study: Study, practice: Practice) -> None:
    conditions = ("move.count", "mean.plain")
    run = answered(study, practice, conditions=conditions, samples=2)
    calls = [item.reply.call for item in replies_in(study, run.id).scored]
    order = ("mean.ask", "mean.plain", "move.ask", "move.count")
    expected = [(name, sample) for name in order for sample in (1, 2)]
    assert [(call.condition, call.sample) for call in calls] == expected


def test_a_live_score_is_the_stored_one(study: Study, practice: Practice) -> None:
    run = stored(study, practice, conditions=("move.ask", "move.first_turn"))
    before = replies_in(study, run.id)
    assert all(item.score is None for item in before.scored)
    send(study, run, practice)
    after = {item.reply.call.id: item for item in replies_in(study, run.id).scored}
    for item in before.scored:
        call = item.reply.call
        light = [replace(a, body=None) for a in attempts_of(study, call.id)]
        assert rescored(before, call, light) == after[call.id]


def test_tries_of_open_calls_are_remembered(study: Study, practice: Practice) -> None:
    def decide(request: object) -> Served:
        del request
        return Served(401, b'{"error": {"message": "bad key"}}')

    with FaultServer(decide) as server:
        profile = Profile(name="p", base_url=server.base_url, model="m")
        run = stored(study, practice, profiles=(profile,), samples=1)
        send(study, run, practice)
    found = replies_in(study, run.id)
    assert all(item.reply.status == "open" for item in found.scored)
    tried = {call: len(made) for call, made in found.attempts.items()}
    assert tried
    assert set(tried.values()) == {1}


def test_arms_are_held_side_by_side(study: Study, practice: Practice) -> None:
    one = answered(study, practice, conditions=("move.ask", "move.plain"))
    two = answered(study, practice, conditions=("move.ask", "move.count"), scene=OTHER)
    first, second = replies_in(study, one.id), replies_in(study, two.id)
    rows = {row.condition: row for row in compare_arms(first, second)}
    assert list(rows) == ["move.ask", "move.plain", "move.count"]
    assert rows["move.plain"].second is None
    assert rows["move.count"].first is None
    for name, row in rows.items():
        if row.first is not None:
            arm = [i for i in first.scored if i.reply.call.condition == name]
            chosen = [i.score.hidden_choice for i in arm if i.score]
            assert row.first.k == sum(bool(hidden) for hidden in chosen)
            assert row.first.n == sum(hidden is not None for hidden in chosen)


def test_the_picture_is_the_one_that_was_sent(study: Study, practice: Practice) -> None:
    replies = replies_in(study, stored(study, practice).id)
    png = FlatRenderer().draw(SCENE, "model").png
    assert picture_of(study, replies) == png
    other = add_image(
        study,
        b"drawn anew",
        pixels_sha256="",
        renderer="other",
        view="model",
        width=32,
        height=24,
    )
    add_stimulus(study, replies.probe.scene_hash, "model", other)
    assert picture_of(study, replies) == png


@pytest.mark.parametrize("form", ["curl", "python"])
def test_a_copied_call_holds_what_was_sent_but_no_key(
    study: Study, practice: Practice, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "sk-canary")
    profile = replace(PRACTICE, key_source="env:SOME_KEY")
    run = answered(
        study, practice, profiles=(profile,), conditions=("move.first_turn",)
    )
    item = next(
        i
        for i in replies_in(study, run.id).scored
        if i.reply.call.condition == "move.first_turn"
    )
    ready = profiles_of(run, practice)["Practice reader"]
    text = copied(study, item, ready, "curl" if form == "curl" else "python")
    assert "sk-canary" not in text
    assert "SOME_KEY" in text
    assert ready.base_url in text
    assert "The director says to you" in text
    assert json.dumps(item.reply.texts[0])[1:40] in text or form == "python"


def test_bodies_as_they_are_shown() -> None:
    assert body_text(None) == ("", "No body arrived")
    assert body_text(b'{"a":[1]}') == ('{\n  "a": [\n    1\n  ]\n}', "")
    assert body_text(b"<html>")[0] == "<html>"
    assert "Not JSON" in body_text(b"<html>")[1]
    assert body_text("é".encode())[0] == "é"
    assert body_text(b"\xff")[0] == "\N{REPLACEMENT CHARACTER}"
    assert body_text(b"[" * 100_000)[1]


@pytest.mark.parametrize("body", [b'"%b"' % (b"x" * 400_000), b"y" * 400_000])
def test_a_long_body_is_capped_and_its_lines_are_broken(body: bytes) -> None:
    text, note = body_text(body)
    assert note == "The first 200 kB of 400 kB, as served"
    assert len(text.replace("\n", "")) == BODY_SHOWN
    assert max(map(len, text.split("\n"))) <= 2000


def test_a_body_too_long_to_set_out_is_shown_as_served() -> None:
    body = json.dumps([[1, 2, 3]] * 12_000).encode()
    assert len(body) < BODY_SHOWN
    text, note = body_text(body)
    assert note == "Too long to be set out; shown as served"
    assert text.replace("\n", "").encode() == body


@given(st.text(max_size=300))
def test_what_could_be_a_reply_is_shown_as_it_is(text: str) -> None:
    assert shown_text(text) == text


def test_breaking_lines_loses_nothing() -> None:
    text, _ = body_text(b'{"a": "%b"}' % (b"z" * 5000))
    assert json.loads(text.replace("\n", "")) == {"a": "z" * 5000}


def test_an_unknown_probe_is_refused(study: Study) -> None:
    with pytest.raises(UserError, match="no such run"):
        replies_in(study, "nothing")


@pytest.mark.parametrize("seconds", [0.1, 0.4])
def test_a_kill_while_probing_loses_no_reply(tmp_path: Path, seconds: float) -> None:
    path = tmp_path / "a.study"
    create_study(path, "a").close()
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.probe_runs", str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "sending\n"
    _wait_for_replies(path)
    time.sleep(seconds)
    child.kill()
    child.wait()
    child.stdout.close()
    with open_study(path) as study:
        probe = probes_of(study)[0]
        found = replies_in(study, probe.run.id)
        kept = [item for item in found.scored if item.score is not None]
        assert 0 < len(kept) < probe.calls
        assert all(item.reply.last and item.reply.last.latency > 0 for item in kept)
        assert {item.score.status for item in kept if item.score} >= {"answered"}


def _wait_for_replies(path: Path) -> None:
    """Wait until some reply is on disk, read as any other program would."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with open_study(path, read_only=True) as study:
            if study.query("SELECT count(*) AS n FROM attempts")[0]["n"] > 2:
                return
        time.sleep(0.05)
    raise AssertionError("no reply came")


def test_an_attempt_without_a_reply_leaves_a_call_open(
    study: Study, practice: Practice
) -> None:
    run = stored(study, practice)
    replies = replies_in(study, run.id)
    call = replies.scored[0].reply.call
    tried = Attempt(
        call=call.id,
        turn=1,
        turns=1,
        number=1,
        outcome=Outcome.RETRY,
        started="2026-01-01T00:00:00.000000+00:00",
        latency=1.0,
        request_hash="h",
        error_kind="connection",
    )
    made = rescored(replies, call, [tried])
    assert (made.score, made.reply.status, made.reply.attempts) == (None, "open", 1)

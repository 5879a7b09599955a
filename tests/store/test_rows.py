import sqlite3
from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.ids import sha256_hex
from director_gui.runner.records import Attempt, Outcome, PlannedCall, Usage, now_utc
from director_gui.store import attempts, conditions, corrections, log, packets, runs
from director_gui.store import scenes as kept
from director_gui.store.database import Study
from director_gui.store.frames import COLUMNS, replies_frame
from tests.made_runs import PNG, fill, profile_at

PROFILE = profile_at("http://x/v1")


def attempt(planned: PlannedCall, **more: object) -> Attempt:
    values = {
        "turn": 1,
        "turns": len(planned.turns),
        "number": 1,
        "outcome": Outcome.REPLY,
        "latency": 0.5,
        "request_hash": "h",
        "body": b"\x00raw\xff",
        "text": "said",
        "usage": Usage(10, 5, 3, None),
        "cost": 0.25,
    }
    return Attempt(call=planned.call.id, started=now_utc(), **(values | more))


def test_a_scene_and_its_picture_are_kept_once(study: Study) -> None:
    for _ in range(2):
        scene = kept.add_scene(study, "a", b'{"a":1}')
        image = kept.add_image(
            study, PNG, pixels_sha256="x", renderer="r", view="model", width=1, height=2
        )
        kept.add_stimulus(study, scene, "model", image)
    assert scene == sha256_hex(b'{"a":1}')
    assert kept.scene(study, scene).json == b'{"a":1}'
    assert len(kept.scenes(study)) == 1
    found = kept.image(study, image)
    assert (found.png, found.width, found.height) == (PNG, 1, 2)
    assert kept.stimuli(study) == [kept.Stimulus(scene, "model", image)]
    assert kept.stimulus(study, scene) == kept.Stimulus(scene, "model", image)
    assert kept.stimulus(study, scene, "director") is None
    assert kept.scene_of_image(study, image) == scene
    assert kept.scene_of_image(study, "other") is None


def test_the_newest_picture_of_a_scene_counts(study: Study) -> None:
    scene = kept.add_scene(study, "a", b"{}")
    for png in (b"one", b"two"):
        image = kept.add_image(
            study, png, pixels_sha256="x", renderer="r", view="model", width=1, height=1
        )
        kept.add_stimulus(study, scene, "model", image)
    newest = kept.stimulus(study, scene)
    assert newest is not None
    assert newest.image == sha256_hex(b"two")
    assert kept.stimuli(study) == [newest]


def test_a_picture_that_changed_on_disk_is_not_sent(study: Study) -> None:
    planned = fill(study, PROFILE, 1)
    with study.write() as db:
        db.execute("UPDATE images SET png = ?", (PNG[:-1],))
    with pytest.raises(UserError, match="damaged"):
        runs.call_input(study, planned[0].call)


@pytest.mark.parametrize(
    "look",
    [
        lambda s: kept.scene(s, "nope"),
        lambda s: kept.image(s, "nope"),
        lambda s: conditions.condition(s, "nope"),
        lambda s: runs.run(s, "nope"),
        lambda s: runs.planned_call(s, "nope"),
        lambda s: packets.packet(s, "nope"),
    ],
)
def test_what_is_not_there_is_named(study: Study, look: object) -> None:
    with pytest.raises(UserError, match="nope"):
        look(study)  # type: ignore[operator]


def test_a_version_of_a_condition_is_frozen(study: Study) -> None:
    for _ in range(2):
        conditions.add_condition(study, "v1", "move.ask", [["setting", "ü"]])
    with pytest.raises(UserError, match="frozen"):
        conditions.add_condition(study, "v1", "move.ask", [["setting", "other"]])
    conditions.add_condition(study, "v2", "move.ask", [["setting", "other"]])
    assert [c.hash for c in conditions.conditions(study)] == ["v1", "v2"]
    assert conditions.condition(study, "v1").pieces == [["setting", "ü"]]


def test_a_run_keeps_its_calls_in_order_with_their_texts(study: Study) -> None:
    planned = fill(study, PROFILE, 7, turns=("eins ü\n", "zwei"))
    assert runs.calls_of(study, "r") == [item.call for item in planned]
    assert runs.planned_call(study, planned[3].call.id) == planned[3]
    sent = runs.call_input(study, planned[0].call)
    assert (sent.turns, sent.image) == (("eins ü\n", "zwei"), PNG)
    assert study.query("SELECT count(*) AS n FROM prompts")[0]["n"] == 2
    found = runs.run(study, "r")
    assert (found.kind, found.practice, found.settings) == ("plan", True, {})
    assert runs.runs(study) == runs.runs(study, "plan") == [found]
    assert runs.runs(study, "probe") == []


def test_a_run_is_kept_whole_or_not_at_all(study: Study) -> None:
    planned = fill(study, PROFILE, 1)
    with pytest.raises(UserError, match="already"):
        runs.add_run(study, "r", "plan", "", practice=True, settings={}, calls=planned)
    bad = replace(planned[0].call, run="r2", scene="unknown")
    with pytest.raises(sqlite3.IntegrityError):
        runs.add_run(
            study,
            "r2",
            "plan",
            "",
            practice=True,
            settings={},
            calls=[PlannedCall(bad, ("x",))],
        )
    assert [run.id for run in runs.runs(study)] == ["r"]


def test_attempts_come_back_as_they_were(study: Study) -> None:
    (planned,) = fill(study, PROFILE, 1)
    first = attempt(planned, outcome=Outcome.RETRY, error_kind="server", body=None)
    second = attempt(planned, number=2, reasoning="R", http_status=200)
    attempts.add_attempts(study, [first, second])
    assert attempts.attempts_of(study, planned.call.id) == [first, second]


def test_a_call_ends_once_and_its_attempts_never_change(study: Study) -> None:
    (planned,) = fill(study, PROFILE, 1)
    attempts.add_attempts(study, [attempt(planned)])
    for again in (attempt(planned), attempt(planned, number=2)):
        with pytest.raises(sqlite3.IntegrityError):
            attempts.add_attempts(study, [again])
    for sql in ("UPDATE attempts SET text = 'x'", "DELETE FROM attempts"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            study.db().execute(sql)
    assert len(attempts.attempts_of(study, planned.call.id)) == 1


def test_what_a_calls_attempts_add_up_to(study: Study) -> None:
    planned = fill(study, PROFILE, 4, turns=("one", "two"))
    attempts.add_attempts(
        study,
        [
            attempt(planned[0], outcome=Outcome.RETRY, cost=None, error_kind="server"),
            attempt(planned[0], number=2, text="t1", reasoning="r1"),
            attempt(planned[0], turn=2, text="t2"),
            attempt(planned[1], text="only one turn"),
            attempt(planned[1], turn=2, outcome=Outcome.RETRY, number=3),
            attempt(planned[2], outcome=Outcome.FAILED, cost=None),
        ],
    )
    done, half, failed, fresh = attempts.replies_of(study, "r")
    assert (done.status, done.text, done.turn1_text) == ("reply", "t2", "t1")
    assert (done.reasonings, done.reasoning) == (("r1", None), None)
    assert (done.attempts, done.cost) == (3, 0.5)
    assert done.usage == Usage(30, 15, 9, None)
    assert (half.status, half.text, half.turn1_text) == ("open", "", "only one turn")
    assert (failed.status, failed.cost) == ("failed", None)
    assert (fresh.status, fresh.last, fresh.attempts) == ("open", None, 0)
    tasks = attempts.open_tasks(study, "r")
    assert [(t.call, t.replies, t.attempts) for t in tasks] == [
        (planned[1].call, ("only one turn",), 3),
        (planned[3].call, (), 0),
    ]


def test_replies_as_a_table(study: Study) -> None:
    planned = fill(study, PROFILE, 2)
    attempts.add_attempts(study, [attempt(planned[1], finish_reason="stop")])
    frame = replies_frame(study, "r")
    assert tuple(frame.columns) == COLUMNS
    assert list(frame["status"]) == ["open", "reply"]
    assert list(frame["call"]) == [item.call.id for item in planned]
    row = frame.iloc[1]
    assert (row["text"], row["finish_reason"], row["cost"]) == ("said", "stop", 0.25)
    assert row["input_tokens"] == 10
    assert list(frame["practice"]) == [True, True]


def test_a_correction_needs_a_reason_and_the_last_counts(study: Study) -> None:
    (planned,) = fill(study, PROFILE, 1)
    call = planned.call.id
    with pytest.raises(UserError, match="reason"):
        corrections.add_correction(study, call, {"choice": 3}, actor="me", reason=" ")
    for choice in (3, 5):
        corrections.add_correction(
            study, call, {"choice": choice}, actor="me", reason="typo"
        )
    assert [c.score["choice"] for c in corrections.corrections_of(study, call)] == [
        3,
        5,
    ]
    assert corrections.current_corrections(study, "r")[call].score == {"choice": 5}


def test_packets_and_results(study: Study) -> None:
    made = packets.add_packet(
        study,
        "p1",
        form="without_report",
        commitment="c",
        salt=b"\x00" * 32,
        key={"item": "reply"},
    )
    assert packets.packet(study, "p1") == made
    assert packets.packets(study) == [made]
    assert "reply" not in repr(made)
    with pytest.raises(UserError, match="already"):
        packets.add_packet(study, "p1", form="", commitment="", salt=b"", key={})
    packets.put_results(study, "p1", "ben", b"1\n")
    packets.put_results(study, "p1", "ann", b"1\n")
    packets.put_results(study, "p1", "ben", b"1\n2\n")
    assert [(r.alias, r.data) for r in packets.results_of(study, "p1")] == [
        ("ann", b"1\n"),
        ("ben", b"1\n2\n"),
    ]
    with pytest.raises(sqlite3.IntegrityError):
        packets.put_results(study, "unknown", "ann", b"")


def test_the_log_only_grows(study: Study) -> None:
    log.add_entry(study, "me", "seal", {"packet": "p"})
    log.add_entry(study, "me", "unblind", {"reason": "ü"})
    assert [entry.action for entry in log.entries(study)] == ["seal", "unblind"]
    (entry,) = log.entries(study, "unblind")
    assert (entry.actor, entry.detail) == ("me", {"reason": "ü"})
    for sql in ("UPDATE log SET actor = 'x'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="never"):
            study.db().execute(sql)


def test_words_that_utf_8_cannot_carry_cost_no_entry(study: Study) -> None:
    """A terminal that is not UTF-8 hands over lone surrogates."""
    log.add_entry(study, "J\udcfcrg", "unblind", {"a": ["\ud800", 1, {"b": "\udcff"}]})
    (entry,) = log.entries(study)
    assert entry.actor == r"J\udcfcrg"
    assert entry.detail == {"a": [r"\ud800", 1, {"b": r"\udcff"}]}


def test_a_call_whose_text_is_lost_is_never_sent_short(study: Study) -> None:
    (planned,) = fill(study, profile_at("http://x/v1"), 1, turns=("one", "two"))
    assert runs.turns_of(study, planned.call.id) == ("one", "two")
    with study.write() as db:
        db.execute("DELETE FROM prompts WHERE text = 'two'")
    with pytest.raises(UserError, match="a text of this call is missing"):
        runs.turns_of(study, planned.call.id)

"""Automatic passes in a study file: kept apart from runs, and never changed."""

import asyncio
import sqlite3
from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.runner.records import Attempt, Call, Outcome, PlannedCall, Usage
from director_gui.store.attempts import (
    add_attempts,
    attempts_of,
    open_tasks,
    replies_of,
)
from director_gui.store.auto_passes import (
    AutoPass,
    add_calls,
    add_pass,
    auto_pass,
    passes_in,
    text_of_call,
)
from director_gui.store.database import Study
from director_gui.store.ledger import PASSES, RUNS
from director_gui.store.packets import add_packet
from director_gui.store.recorder import Recorder
from director_gui.store.sendings import (
    add_sending,
    end_sending,
    lost_of,
    spent_of,
)
from tests.made_runs import fill, profile_at

PACKET = "0" * 32


def planned(item: str, *, of: str = "p", ask: int = 1) -> PlannedCall:
    call = Call(
        run=of,
        batch="first",
        condition="coding",
        condition_hash="book",
        scene=item,
        image="",
        profile="coder",
        model="m",
        settings="s",
        sample=ask,
    )
    return PlannedCall(call, ("the codebook\n", f"the text of {item}\n"))


def made(study: Study, count: int = 3, alias: str = "auto-m") -> AutoPass:
    if not study.query("SELECT id FROM packets WHERE id = ?", (PACKET,)):
        add_packet(
            study, PACKET, form="f", commitment="c", salt=b"s", key={"items": {}}
        )
    pass_id = "p" if alias == "auto-m" else alias
    return add_pass(
        study,
        pass_id,
        PACKET,
        alias,
        practice=False,
        settings={"profile": {"name": "coder"}, "ceiling": 2.5},
        calls=[planned(str(at), of=pass_id) for at in range(count)],
    )


def reply(call: Call, **more: object) -> Attempt:
    attempt = Attempt(
        call.id, 1, 1, 1, Outcome.REPLY, "t", 0.5, "h", body=b"{}", text="said",
        usage=Usage(10, 5, 2, 1), cost=0.25,
    )  # fmt: skip
    return replace(attempt, **more)


def test_a_pass_comes_back_as_it_was_kept(study: Study) -> None:
    one = made(study)
    assert auto_pass(study, "p") == one
    assert passes_in(study, PACKET) == [one]
    assert one.settings["ceiling"] == 2.5
    assert passes_in(study, "1" * 32) == []


def test_a_pass_that_is_not_there_is_told(study: Study) -> None:
    with pytest.raises(UserError, match="no such automatic pass"):
        auto_pass(study, "nobody")
    with pytest.raises(UserError, match="no such call"):
        text_of_call(study, planned("9").call)


def test_two_passes_of_a_packet_have_two_names(study: Study) -> None:
    made(study)
    with pytest.raises(UserError, match="pass of this name"):
        made(study)
    second = made(study, alias="auto-m-2")
    assert [one.alias for one in passes_in(study, PACKET)] == ["auto-m", "auto-m-2"]
    assert len(open_tasks(study, second.id, PASSES)) == 3


def test_a_call_sends_its_parts_joined_and_shared_parts_are_kept_once(
    study: Study,
) -> None:
    made(study)
    texts = [text_of_call(study, planned(str(at)).call) for at in range(3)]
    assert texts == [f"the codebook\nthe text of {at}\n" for at in range(3)]
    (row,) = study.query("SELECT count(*) AS n FROM auto_texts")
    assert row["n"] == 4  # three texts and one codebook
    # Those of runs go into a supplement as they are; these must not.
    assert study.query("SELECT * FROM prompts") == []


def test_calls_that_are_added_come_last(study: Study) -> None:
    made(study)
    add_calls(study, "p", [planned("1", ask=2)])
    add_calls(study, "p", [])
    tasks = open_tasks(study, "p", PASSES)
    assert [(t.call.scene, t.call.sample) for t in tasks] == [
        ("0", 1), ("1", 1), ("2", 1), ("1", 2),
    ]  # fmt: skip
    with pytest.raises(sqlite3.IntegrityError):
        add_calls(study, "p", [planned("1", ask=2)])
    assert len(open_tasks(study, "p", PASSES)) == 4


def test_attempts_come_back_with_their_bodies(study: Study) -> None:
    made(study)
    call = planned("1").call
    add_attempts(study, [reply(call)], PASSES)
    assert attempts_of(study, call.id, PASSES) == [reply(call)]
    first, second, third = replies_of(study, "p", PASSES)
    assert (first.status, second.status, third.status) == ("open", "reply", "open")
    assert (second.text, second.cost) == ("said", 0.25)
    assert len(open_tasks(study, "p", PASSES)) == 2


def test_passes_and_runs_never_see_each_other(study: Study) -> None:
    fill(study, profile_at("http://x/v1"), 2)
    made(study)
    add_attempts(study, [reply(planned("0").call)], PASSES)
    assert len(open_tasks(study, "r")) == 2
    assert open_tasks(study, "r", PASSES) == []
    assert open_tasks(study, "p") == []
    assert replies_of(study, "p", RUNS) == []
    assert attempts_of(study, planned("0").call.id) == []
    assert spent_of(study, "p") == 0
    assert spent_of(study, "p", PASSES) == 0.25
    # A pass's call is none of the study's calls, which attempts must belong to.
    with pytest.raises(sqlite3.IntegrityError):
        add_attempts(study, [reply(planned("1").call)])


@pytest.mark.parametrize(
    "sql", ["UPDATE auto_attempts SET text = 'other'", "DELETE FROM auto_attempts"]
)
def test_an_attempt_is_never_changed(study: Study, sql: str) -> None:
    made(study)
    add_attempts(study, [reply(planned("0").call)], PASSES)
    with pytest.raises(sqlite3.IntegrityError, match="never"), study.write() as db:
        db.execute(sql)


def test_a_call_ends_once(study: Study) -> None:
    made(study)
    call = planned("0").call
    add_attempts(study, [reply(call)], PASSES)
    with pytest.raises(sqlite3.IntegrityError):
        add_attempts(study, [reply(call, number=2)], PASSES)


def test_what_is_in_flight_is_marked_and_counted(study: Study) -> None:
    made(study)
    first, second = planned("0").call, planned("1").call
    row = add_sending(study, first.id, 0.5, PASSES)
    add_sending(study, second.id, 0.75, PASSES)
    assert (lost_of(study, "p", PASSES).in_flight, lost_of(study, "p").in_flight) == (
        2, 0,
    )  # fmt: skip
    assert spent_of(study, "p", PASSES) == 1.25
    attempt = reply(first)
    add_attempts(study, [attempt], PASSES)
    end_sending(study, row, attempt, PASSES)
    assert lost_of(study, "p", PASSES).in_flight == 1
    assert spent_of(study, "p", PASSES) == 0.25 + 0.75


def test_the_recorder_writes_to_the_tables_it_was_given(study: Study) -> None:
    fill(study, profile_at("http://x/v1"), 1)
    made(study)
    call = planned("2").call

    async def act() -> None:
        recorder = Recorder(study, PASSES)
        await recorder.mark(call.id, 0.5)
        assert lost_of(study, "p", PASSES).in_flight == 1
        await recorder.record(reply(call))
        recorder.unmark(call.id)
        await recorder.close()

    asyncio.run(act())
    assert attempts_of(study, call.id, PASSES) == [reply(call)]
    assert lost_of(study, "p", PASSES).in_flight == 0
    assert study.query("SELECT id FROM attempts") == []
    assert study.query("SELECT id FROM sendings") == []

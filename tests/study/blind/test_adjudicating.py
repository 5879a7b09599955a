"""Disagreements settled in a pass of their own, which no figure counts as a coder."""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from coding.log import parse_log
from coding.results import ADJUDICATED, CodingSession, results_name
from director_gui.errors import UserError
from director_gui.store.database import open_study
from director_gui.store.log import entries
from director_gui.store.packets import results_of
from director_gui.study.blind.adjudicating import (
    ELSEWHERE,
    Adjudication,
    begin,
    disagreements,
    keep,
    lock,
)
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.known import KnownItem
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.overview import overview
from director_gui.study.blind.passes import LOCKED, passes_of
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.settled import SETTLED, settled_codes
from director_gui.study.blind.unblinding import unblind
from tests.blind_studies import Desk

ROOT = Path(__file__).parents[3]
OTHER = {"own-view": "no-rule"}


def by_hand(desk: Desk, found: Opened, alias: str, *, odd: tuple[int, ...]) -> Path:
    """Code everything alike, except the readings of the items at `odd`."""
    desk.folder.mkdir(exist_ok=True)
    path = desk.folder / results_name(found.packet.id, alias)
    # By text: a second packet has the same items in another order.
    ordered = sorted(found.packet.items, key=lambda item: (item.text[-40:], item.text))
    with CodingSession(found.packet, path, alias) as session:
        for at, item in enumerate(ordered):
            code = "no-rule" if at in odd else "own-view"
            session.record_code(item.id, "reading", code)
            session.record_quote(item.id, at, at + 9)
            session.record_code(item.id, "sees_choice", "no")
            session.record_code(item.id, "works_out", "yes")
    return path


@pytest.fixture
def differing(desk: Desk) -> Opened:
    """A packet whose two coders differ on three items."""
    found = desk.seal()
    paths = [
        by_hand(desk, found, "ann", odd=()),
        by_hand(desk, found, "ben", odd=(1, 4, 7)),
    ]
    merge_results(desk.study, paths, "me")
    return found


def settle(todo: Adjudication, code: str, count: int) -> None:
    with CodingSession(todo.packet, todo.path, ADJUDICATED) as session:
        for item in list(todo.items)[:count]:
            session.record_code(item, "reading", code)


def test_only_what_differs_is_put_before_a_third_reader(
    desk: Desk, differing: Opened
) -> None:
    todo = disagreements(desk.study, differing.stored.id)
    assert len(todo.items) == 3
    assert (todo.settled, todo.coders) == (0, ("ann", "ben"))
    assert [i.id for i in todo.packet.items] == list(todo.items)
    for one in todo.items.values():
        assert one.fields == ("reading",)
        codes = [said.state.values["reading"] for said in one.said]
        assert codes == ["no-rule", "own-view"]  # by the code, whoever gave it
        assert {said.coder for said in one.said} == {"ann", "ben"}
        text = todo.packet.item(one.item).text
        for said in one.said:
            quote = said.state.quotes["quote"]
            assert text[quote.start : quote.end] == quote.text


def test_nothing_is_shown_before_two_coders_are_done(desk: Desk) -> None:
    found = desk.seal()
    merge_results(desk.study, [by_hand(desk, found, "ann", odd=())], "me")
    with pytest.raises(UserError, match="two coders who are done"):
        disagreements(desk.study, found.stored.id)


def test_coders_who_agree_leave_nothing_to_settle(desk: Desk) -> None:
    found = desk.seal()
    paths = [by_hand(desk, found, alias, odd=()) for alias in ("ann", "ben")]
    merge_results(desk.study, paths, "me")
    assert disagreements(desk.study, found.stored.id).items == {}
    with pytest.raises(UserError, match="agree on every item"):
        begin(desk.study, found.stored.id, "me")
    assert entries(desk.study, LOCKED) == []


def test_a_skipped_item_is_no_opinion(desk: Desk) -> None:
    found = desk.seal()
    paths = [by_hand(desk, found, "ann", odd=()), by_hand(desk, found, "ben", odd=(2,))]
    with CodingSession(found.packet, paths[1], "ben") as session:
        odd = next(
            i.id
            for i in found.packet.items
            if session.state(i.id).values["reading"] == "no-rule"
        )
        session.set_skip(odd)
    merge_results(desk.study, paths, "me")
    assert disagreements(desk.study, found.stored.id).items == {}


def test_known_code_items_are_not_settled_by_hand(desk: Desk) -> None:
    meant = {"reading": "own-view"}
    known = (KnownItem("1", "I go by what I see, it is 3 there.", 3, meant),)
    found = desk.seal(Request(seed=1, known=known))
    everything = tuple(range(len(found.packet.items)))
    paths = [
        by_hand(desk, found, "ann", odd=()),
        by_hand(desk, found, "ben", odd=everything),
    ]
    merge_results(desk.study, paths, "me")
    todo = disagreements(desk.study, found.stored.id)
    assert set(todo.items) == set(found.calls)


def test_packets_of_one_family_meet_by_reply(desk: Desk) -> None:
    """One packet per coder: other ids, another order, and here another form."""
    first = desk.seal()
    again = desk.seal(Request(again=first.stored.id, form="with_reply"), seed=2)
    paths = [
        by_hand(desk, first, "ann", odd=()),
        by_hand(desk, again, "ben", odd=tuple(range(99))),
    ]
    merge_results(desk.study, paths, "me")
    for packet in (first, again):
        todo = disagreements(desk.study, packet.stored.id)
        assert todo.packet.id == first.packet.id
        assert set(todo.items) == {i.id for i in first.packet.items}
        for one in todo.items.values():
            text = first.packet.item(one.item).text
            for quote in (s.state.quotes["quote"] for s in one.said):
                # A passage of the other form is lit where the shown text has it.
                assert quote == ELSEWHERE or text[quote.start : quote.end] == quote.text


def test_words_of_a_reply_do_not_reach_whoever_sees_no_reply(desk: Desk) -> None:
    """A quoted report would tell whether the visibility question was asked."""
    first = desk.seal()
    again = desk.seal(Request(again=first.stored.id, form="with_reply"), seed=2)
    paths = [
        by_hand(desk, first, "ann", odd=()),
        by_hand(desk, again, "ben", odd=tuple(range(99))),
    ]
    with CodingSession(again.packet, paths[1], "ben") as session:
        for item in again.packet.items:
            at = item.text.index("Reply: ")
            session.record_quote(item.id, at, at + 20)
    merge_results(desk.study, paths, "me")
    todo = disagreements(desk.study, first.stored.id)
    for one in todo.items.values():
        told = {said.coder: said.state.quotes["quote"] for said in one.said}
        (ben,) = (quote for coder, quote in told.items() if coder.startswith("ben"))
        assert ben == ELSEWHERE
        assert told["ann"] != ELSEWHERE


def test_locking_is_logged_once_and_later_codes_are_late(
    desk: Desk, differing: Opened
) -> None:
    packet = differing.stored.id
    begin(desk.study, packet, "eve")
    begin(desk.study, packet, "eve")
    (entry,) = entries(desk.study, LOCKED)
    assert entry.actor == "eve"
    heads = {p.alias: p.head for p in passes_of(desk.study, differing)}
    assert {r["alias"]: r["head"] for r in entry.detail["results"]} == heads
    path = desk.folder / results_name(packet, "ann")
    item = differing.packet.items[0].id
    with CodingSession(differing.packet, path, "ann") as session:
        session.record_code(item, "reading", "largest-digit")
    (file,) = merge_results(desk.study, [path], "me").files
    assert file.late
    ann = passes_of(desk.study, differing)[0]
    assert (ann.late, ann.states[item].values["reading"]) != (0, "largest-digit")
    unblind(desk.study, packet, "me", "done")
    # The first lock counts: what came between it and the unblinding stays out.
    assert passes_of(desk.study, differing)[0].late == 1


def test_a_coder_who_is_not_done_can_go_on(desk: Desk, differing: Opened) -> None:
    slow = desk.folder / results_name(differing.packet.id, "cat")
    with CodingSession(differing.packet, slow, "cat") as session:
        session.set_skip(differing.packet.items[0].id)
        merge_results(desk.study, [slow], "me")
        lock(desk.study, differing, "me")
        session.set_skip(differing.packet.items[1].id)
    (file,) = merge_results(desk.study, [slow], "me").files
    assert not file.late
    assert {p.alias: p.late for p in passes_of(desk.study, differing)}["cat"] == 0


def test_the_originals_stay_and_agreement_counts_no_third_coder(
    desk: Desk, differing: Opened
) -> None:
    packet = differing.stored.id
    before = agreement_of(desk.study, packet).value()
    files = {r.alias: r.data for r in results_of(desk.study, packet)}
    todo = begin(desk.study, packet, "me")
    settle(todo, "largest-digit", 3)
    merged = keep(desk.study, packet, "me")
    assert merged is not None
    assert (merged.alias, merged.change) == (ADJUDICATED, "new")
    assert keep(desk.study, packet, "me") is None
    assert agreement_of(desk.study, packet).value() == before
    kept = {r.alias: r.data for r in results_of(desk.study, packet)}
    assert {a: kept[a] for a in files} == files
    assert disagreements(desk.study, packet).settled == 3
    (row,) = overview(desk.study)
    assert [coder.alias for coder in row.coders] == ["ann", "ben"]
    assert row.family == 2


def test_undo_is_an_event_of_the_third_pass(desk: Desk, differing: Opened) -> None:
    todo = begin(desk.study, differing.stored.id, "me")
    item = next(iter(todo.items))
    with CodingSession(todo.packet, todo.path, ADJUDICATED) as session:
        session.record_code(item, "reading", "own-view")
        session.undo()
    log = parse_log(todo.path.read_bytes(), differing.packet)
    assert len(log.hashes) == 3
    assert disagreements(desk.study, differing.stored.id).settled == 0


def test_joined_codes_say_which_pass_they_come_from(
    desk: Desk, differing: Opened
) -> None:
    packet = differing.stored.id
    todo = begin(desk.study, packet, "me")
    settle(todo, "largest-digit", 2)
    # Not kept by hand: the unblinding takes in what is on disk.
    entry = unblind(desk.study, packet, "me", "done")
    aliases = {one["alias"] for one in entry.detail["results"]}
    assert aliases == {"ann", "ben", ADJUDICATED}
    joined = joined_codes(desk.study, packet)
    assert [one.name for one in joined.passes] == ["ann", "ben", SETTLED]
    final = joined.passes[-1]
    total = len(differing.packet.items)
    assert final.sources == {"agreed": total - 3, "adjudicated": 2, "open": 1}
    assert sum(arm.n for arm in final.arms) == total - 1
    counted = sum(arm.shares["largest-digit"].k for arm in final.arms)
    assert counted == 2
    value = json.loads(json.dumps(joined.value(), allow_nan=False))
    assert value["passes"][-1]["sources"]["adjudicated"] == 2
    assert value["passes"][0]["sources"] == {}


def test_where_coders_agree_their_code_stands(desk: Desk, differing: Opened) -> None:
    todo = begin(desk.study, differing.stored.id, "me")
    with CodingSession(todo.packet, todo.path, ADJUDICATED) as session:
        for item in todo.items:
            session.record_code(item, "sees_choice", "yes")
    keep(desk.study, differing.stored.id, "me")
    every = passes_of(desk.study, differing, adjudicated=True)
    third = next(one for one in every if one.adjudicated)
    settled = settled_codes(desk.study, differing, third, "sees_choice")
    assert {(s.code, s.source) for s in settled.values()} == {("no", "agreed")}


def test_nothing_is_adjudicated_after_unblinding(desk: Desk, differing: Opened) -> None:
    unblind(desk.study, differing.stored.id, "me", "too early")
    with pytest.raises(UserError, match="unblinded"):
        begin(desk.study, differing.stored.id, "me")


def test_no_coder_passes_for_the_adjudicator(desk: Desk, differing: Opened) -> None:
    path = by_hand(desk, differing, ADJUDICATED, odd=())
    with pytest.raises(UserError, match="kept for the adjudicated pass"):
        merge_results(desk.study, [path], "me")


def test_a_forged_third_pass_is_refused(desk: Desk, differing: Opened) -> None:
    todo = begin(desk.study, differing.stored.id, "me")
    settle(todo, "own-view", 2)
    data = todo.path.read_bytes()
    todo.path.write_bytes(data.replace(b"own-view", b"no-rule", 1))
    with pytest.raises(UserError, match="chain is broken"):
        keep(desk.study, differing.stored.id, "me")
    assert {r.alias for r in results_of(desk.study, differing.stored.id)} == {
        "ann",
        "ben",
    }


def test_a_study_that_moved_alone_goes_on(desk: Desk, differing: Opened) -> None:
    todo = begin(desk.study, differing.stored.id, "me")
    settle(todo, "own-view", 2)
    keep(desk.study, differing.stored.id, "me")
    todo.path.unlink()
    todo.path.parent.rmdir()
    assert disagreements(desk.study, differing.stored.id).settled == 2
    again = begin(desk.study, differing.stored.id, "me")
    with CodingSession(again.packet, again.path, ADJUDICATED) as session:
        session.record_code(list(again.items)[2], "reading", "own-view")
    merged = keep(desk.study, differing.stored.id, "me")
    assert merged is not None
    assert merged.change == "update"


CHILD = """
import sys
from pathlib import Path
from coding.results import CodingSession
from director_gui.store.database import open_study
from director_gui.study.blind.adjudicating import begin
study = open_study(Path(sys.argv[1]))
todo = begin(study, sys.argv[2], "me")
with CodingSession(todo.packet, todo.path, "adjudicated") as session:
    print("ready", flush=True)
    for n in range(100_000):
        item = list(todo.items)[n % len(todo.items)]
        session.set_note(item, f"{n} " + "long " * 300)
        print(session.head, flush=True)
"""


def killed(study: Path, packet: str, seconds: float) -> list[str]:
    """Adjudicate in another process, kill it, return the acknowledged heads."""
    command = [sys.executable, "-c", CHILD, str(study), packet]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        process.kill()
        return process.stdout.read().split("\n")[:-1]


@pytest.fixture
def log(desk: Desk, differing: Opened) -> Path:
    """The third pass's log, of a study that another process may write now."""
    path = disagreements(desk.study, differing.stored.id).path
    desk.study.close()
    return path


def survives(desk: Desk, differing: Opened, log: Path, seconds: float) -> None:
    acknowledged = killed(desk.study.path, differing.stored.id, seconds)
    assert acknowledged
    hashes = parse_log(log.read_bytes(), differing.packet).hashes[1:]
    # The last decision may be on disk without its acknowledgement.
    assert len(hashes) - len(acknowledged) in (0, 1)
    assert list(hashes[: len(acknowledged)]) == acknowledged


def test_a_kill_loses_nothing_that_was_settled(
    desk: Desk, differing: Opened, log: Path
) -> None:
    survives(desk, differing, log, 0.05)
    with open_study(desk.study.path) as study:
        assert keep(study, differing.stored.id, "me") is not None


@pytest.mark.slow
def test_many_kills_lose_nothing(desk: Desk, differing: Opened, log: Path) -> None:
    draw = random.Random(3)
    for _ in range(15):
        log.unlink(missing_ok=True)
        survives(desk, differing, log, draw.uniform(0.03, 0.2))

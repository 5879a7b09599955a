"""An automatic pass from its first call to the agreement table."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from coding.log import parse_log
from director_gui.errors import UserError
from director_gui.runner.engine_values import RunEnded
from director_gui.store.attempts import attempts_of, replies_of
from director_gui.store.auto_passes import AutoPass, auto_pass, passes_in
from director_gui.store.ledger import PASSES
from director_gui.store.log import entries
from director_gui.store.packets import results_of
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.auto_accepting import accept, pass_named
from director_gui.study.blind.auto_calibration import THRESHOLD
from director_gui.study.blind.auto_practice import CoderService, PracticeCoding
from director_gui.study.blind.auto_results import UNCODABLE, results_log
from director_gui.study.blind.auto_standing import (
    ACCEPTED,
    acceptance_of,
    standing,
    standings,
)
from director_gui.study.blind.auto_work import (
    BEGUN,
    begin,
    unfinished,
    verdicts,
)
from director_gui.study.blind.joining import joined_codes
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.passes import passes_of
from director_gui.study.blind.unblinding import unblind
from tests.auto_studies import (
    CODER,
    answering,
    begun,
    right_answer,
    run_pass,
    sealed,
)
from tests.blind_studies import OPEN, Desk
from tests.fault_server import FaultServer

KNOWN = 6


@pytest.fixture
def found(desk: Desk) -> Opened:
    return sealed(desk, KNOWN)


@pytest.fixture
def practice() -> Iterator[PracticeCoding]:
    with PracticeCoding(CoderService(seed=2, error_rate=0.1, broken=0.2)) as running:
        yield running


def practised(desk: Desk, found: Opened, practice: PracticeCoding) -> AutoPass:
    one = begin(desk.study, found.stored.id, OPEN, "me")
    assert run_pass(desk.study, one, practice.ready(OPEN)).open == 0
    return one


def coded(desk: Desk, found: Opened) -> AutoPass:
    """A finished pass of a coder that is right about everything."""
    with FaultServer(answering()) as server:
        one, profile = begun(desk, found, server.base_url)
        assert run_pass(desk.study, one, profile).open == 0
    return one


def test_a_finished_pass_is_coded_and_calibrated_but_not_used(
    desk: Desk, found: Opened
) -> None:
    one = coded(desk, found)
    now = standing(desk.study, one)
    assert (now.coded, now.left, now.uncodable, now.again) == (now.items, 0, {}, 0)
    assert now.calibration is not None
    assert now.calibration.items == KNOWN
    totals = {f.total.name: (f.total.right, f.total.of) for f in now.calibration.fields}
    # The known-code items say nothing of works_out, so it is not calibrated.
    assert totals == {"reading": (KNOWN, KNOWN), "sees_choice": (KNOWN, KNOWN)}
    assert now.accepted is None
    assert results_of(desk.study, found.stored.id) == []
    assert passes_of(desk.study, found) == ()


def test_acceptance_makes_it_a_coder_like_any_other(desk: Desk, found: Opened) -> None:
    one = coded(desk, found)
    merged = accept(desk.study, one, "ada")
    assert (merged.alias, merged.change) == ("auto-coder-9", "new")
    (made,) = passes_of(desk.study, found)
    assert made.automatic
    assert made.done
    assert made.known_right("reading") == (KNOWN, KNOWN)
    truths = {i.id: json.loads(right_answer(i.text)) for i in found.packet.items}
    for item, state in made.states.items():
        assert state.values["reading"] == truths[item]["reading"]
        assert state.quotes["quote"].text == truths[item]["quote"]
    (entry,) = entries(desk.study, ACCEPTED)
    assert (entry.actor, entry.detail["pass"]) == ("ada", one.id)
    assert entry.detail["calibration"]["threshold"] == THRESHOLD
    assert acceptance_of(desk.study, one) == entry


def test_the_results_are_a_log_whose_chain_holds(desk: Desk, found: Opened) -> None:
    one = coded(desk, found)
    said = verdicts(desk.study, one, found)
    data = results_log(found.packet, one.alias, said)
    assert data == results_log(found.packet, one.alias, said)
    log = parse_log(data, found.packet)
    assert log.torn == b""
    assert log.header.alias == one.alias
    accept(desk.study, one, "me")
    (kept,) = results_of(desk.study, found.stored.id)
    assert kept.data == data


def test_people_and_automatic_passes_stand_in_one_table(
    desk: Desk, found: Opened, practice: PracticeCoding
) -> None:
    merge_results(desk.study, [desk.code(found)], "me")
    for _ in range(2):
        accept(desk.study, practised(desk, found, practice), "me", "a rehearsal")
    table = agreement_of(desk.study, found.stored.id)
    pairs = {(p.a, p.b): p for p in table.fields["reading"].pairs}
    both = ("practice-auto-coder", "practice-auto-coder-2")
    assert set(pairs) == {
        both, (both[0], "practice-coder-1"), (both[1], "practice-coder-1"),
    }  # fmt: skip
    # Asked twice it draws anew, so its two passes agree as coders do: not always.
    kappa = pairs[both].kappa
    assert kappa.n >= 10
    assert kappa.value is not None
    assert 0 < kappa.value < 1
    assert table.practice
    assert table.value()["automatic"] == list(both)


def test_codes_reach_no_table_before_the_calibration_is_accepted(
    desk: Desk, found: Opened
) -> None:
    merge_results(desk.study, [desk.code(found)], "me")
    one = coded(desk, found)
    with pytest.raises(UserError, match="two coders who are done"):
        agreement_of(desk.study, found.stored.id)
    unblind(desk.study, found.stored.id, "me", "the end")
    joined = joined_codes(desk.study, found.stored.id)
    assert [p.name for p in joined.passes] == ["practice-coder-1"]
    # Accepted after the unblinding, it counts as late and is left out as well.
    assert accept(desk.study, one, "me").late
    joined = joined_codes(desk.study, found.stored.id)
    late = {p.name: (len(p.arms), p.late > 0) for p in joined.passes}
    assert late["auto-coder-9"] == (0, True)


def test_a_pass_below_the_threshold_needs_a_reason(desk: Desk, found: Opened) -> None:
    def wrong(text: str, _asked: int) -> str:
        value = json.loads(right_answer(text))
        return json.dumps({**value, "reading": "prior-knowledge"})

    with FaultServer(answering(wrong)) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    now = standing(desk.study, one)
    assert now.calibration is not None
    (doubt,) = now.calibration.doubts
    assert doubt.startswith("Reading of the request: 0 of 6")
    with pytest.raises(UserError, match="speaks against"):
        accept(desk.study, one, "me", "  ")
    assert results_of(desk.study, found.stored.id) == []
    accept(desk.study, one, "me", "a test of the others' codes")
    (entry,) = entries(desk.study, ACCEPTED)
    assert entry.detail["reason"] == "a test of the others' codes"


def test_without_known_items_it_says_that_nothing_is_calibrated(desk: Desk) -> None:
    found = sealed(desk)
    one = coded(desk, found)
    now = standing(desk.study, one)
    assert now.calibration is not None
    assert now.calibration.items == 0
    assert "no known-code items" in now.calibration.doubts[0]
    with pytest.raises(UserError, match="speaks against"):
        accept(desk.study, one, "me")


def test_an_unfinished_pass_shows_no_calibration_and_is_not_accepted(
    desk: Desk, found: Opened
) -> None:
    one = begin(desk.study, found.stored.id, CODER, "me")
    now = standing(desk.study, one)
    assert (now.left, now.calibration) == (now.items, None)
    with pytest.raises(UserError, match="not finished"):
        accept(desk.study, one, "me", "at once")
    assert unfinished(desk.study, found.stored.id, CODER) == one
    other = replace(CODER, name="Another")
    assert unfinished(desk.study, found.stored.id, other) is None


def test_it_is_accepted_once(desk: Desk, found: Opened) -> None:
    one = coded(desk, found)
    accept(desk.study, one, "me")
    with pytest.raises(UserError, match="accepted already"):
        accept(desk.study, one, "me", "again")
    assert len(entries(desk.study, ACCEPTED)) == 1


def test_a_bad_answer_is_asked_once_more_with_the_reason(
    desk: Desk, found: Opened
) -> None:
    def say(text: str, asked: int) -> str:
        return "Hm." if asked == 1 else right_answer(text)

    with FaultServer(answering(say)) as server:
        one, profile = begun(desk, found, server.base_url)
        end = run_pass(desk.study, one, profile)
    count = len(found.packet.items)
    assert end == RunEnded(2 * count, 0, 0)
    now = standing(desk.study, one)
    assert (now.coded, now.again, now.calls) == (count, count, 2 * count)
    firsts, seconds = server.requests[:count], server.requests[count:]
    assert not any("could not be used" in r.text for r in firsts)
    assert all("no JSON object" in r.text for r in seconds)


def test_what_is_bad_twice_is_uncodable_with_its_reason(
    desk: Desk, found: Opened
) -> None:
    bad = found.packet.items[3]

    def say(text: str, _asked: int) -> str:
        value = json.loads(right_answer(text))
        return json.dumps({**value, "reading": "both"} if text == bad.text else value)

    with FaultServer(answering(say)) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
        assert len(server.requests) == len(found.packet.items) + 1
        # Nothing is left: another sitting sends nothing.
        assert run_pass(desk.study, one, profile) == RunEnded(0, 0, 0)
        assert len(server.requests) == len(found.packet.items) + 1
    now = standing(desk.study, one)
    assert now.uncodable == {bad.id: '"reading" is not a code of the codebook'}
    accept(desk.study, one, "me", "one of many")
    (made,) = passes_of(desk.study, found)
    assert (made.skipped, made.missing) == (1, 0)
    assert made.states[bad.id].note.startswith(UNCODABLE)
    assert made.codes("reading").keys() <= set(found.calls.values())


def test_an_uncodable_known_item_did_not_come_back_as_meant(
    desk: Desk, found: Opened
) -> None:
    known = next(i for i in found.packet.items if i.id not in found.calls)

    def say(text: str, _asked: int) -> str:
        return "?" if text == known.text else right_answer(text)

    with FaultServer(answering(say)) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    now = standing(desk.study, one)
    assert now.calibration is not None
    total = now.calibration.fields[0].total
    assert (total.right, total.of, dict(total.instead)) == (KNOWN - 1, KNOWN, {"": 1})


def test_every_pass_has_a_name_of_its_own_that_says_what_it_is(
    desk: Desk, found: Opened
) -> None:
    packet = found.stored.id
    odd = replace(CODER, model="org/" + "Über model:27b " * 4)
    made = [begin(desk.study, packet, p, "me") for p in (CODER, CODER, odd, odd)]
    aliases = [one.alias for one in made]
    assert aliases[:2] == ["auto-coder-9", "auto-coder-9-2"]
    assert len(set(aliases)) == 4
    assert all(len(a) <= 32 and a.startswith("auto-") for a in aliases)
    assert aliases[3].endswith("-2")
    assert pass_named(desk.study, packet, aliases[1]) == made[1]
    with pytest.raises(UserError, match="no such automatic pass") as error:
        pass_named(desk.study, packet, "auto-nobody")
    assert "auto-coder-9" in error.value.todo
    assert [s.made for s in standings(desk.study, packet)] == made
    assert len(entries(desk.study, BEGUN)) == 4


def test_practice_and_real_replies_are_not_mixed(desk: Desk, found: Opened) -> None:
    one = begin(desk.study, found.stored.id, OPEN, "me")
    assert one.practice
    assert one.alias == "practice-auto-coder"
    assert auto_pass(desk.study, one.id) == one
    assert passes_in(desk.study, found.stored.id) == [one]


def test_an_unblinded_packet_is_not_coded(desk: Desk, found: Opened) -> None:
    unblind(desk.study, found.stored.id, "me", "the end")
    with pytest.raises(UserError, match="unblinded"):
        begin(desk.study, found.stored.id, CODER, "me")
    assert passes_in(desk.study, found.stored.id) == []


def test_no_person_can_pass_for_an_automatic_coder(desk: Desk, found: Opened) -> None:
    one = coded(desk, found)
    data = results_log(found.packet, one.alias, verdicts(desk.study, one, found))
    forged = desk.folder / f"{found.stored.id}-{one.alias}.jsonl"
    desk.folder.mkdir(exist_ok=True)
    forged.write_bytes(data)
    with pytest.raises(UserError, match="automatic coder"):
        merge_results(desk.study, [forged], "me")
    assert results_of(desk.study, found.stored.id) == []


def test_every_reply_is_kept_raw_with_its_cost(desk: Desk, found: Opened) -> None:
    one = coded(desk, found)
    replies = replies_of(desk.study, one.id, PASSES)
    assert len(replies) == len(found.packet.items)
    for reply in replies:
        (attempt,) = attempts_of(desk.study, reply.call.id, PASSES)
        assert attempt.body is not None
        assert json.loads(attempt.body)["model"] == "served-model"
        # 1000 tokens in at 1 dollar a million, 200 out at 2.
        assert attempt.cost == pytest.approx(0.0014)
    now = standing(desk.study, one)
    assert now.spent == pytest.approx(0.0014 * len(replies))
    assert now.usage.input == 1000 * len(replies)
    # Runs, results and tallies never see them.
    assert desk.study.query("SELECT id FROM calls WHERE run = ?", (one.id,)) == []
    json.dumps(now.value())


def test_the_practice_coder_says_so_and_codes_practice_alone(
    desk: Desk, found: Opened, practice: PracticeCoding
) -> None:
    one = practised(desk, found, practice)
    now = standing(desk.study, one)
    assert now.done
    assert now.coded > now.items / 2
    assert now.spent == 0
    strange = replace(CODER, name="real", base_url="http://x/v1")
    assert practice.ready(strange) == strange


def test_the_practice_coder_leaves_other_texts_alone() -> None:
    service = CoderService()
    part = {"type": "text", "text": "no item at all"}
    body = {"model": "m", "messages": [{"role": "user", "content": [part]}]}
    for sent in (json.dumps(body).encode(), b"no json", b"[]", b'{"messages": []}'):
        assert service.handle("POST", "/v1/chat/completions", sent).status == 400
    assert service.handle("GET", "/v1/models", b"").status == 200


def test_starting_twice_takes_one_port(practice: PracticeCoding) -> None:
    first = practice.ready(OPEN).base_url
    assert practice.ready(OPEN).base_url == first
    practice.close()
    assert practice.ready(OPEN).base_url.startswith("http://127.0.0.1:")

"""What may be known of a pass before its codes: the same whatever the codes are."""

import json
from dataclasses import replace

import pytest

from director_gui.runner.records import Usage
from director_gui.store.ledger import PASSES
from director_gui.store.sendings import add_sending
from director_gui.study.blind.auto_answer import Answer, Refusal
from director_gui.study.blind.auto_standing import Standing, standing, standings
from director_gui.study.blind.auto_work import Verdict, begin, profile_of, verdicts
from director_gui.study.blind.keys import Opened
from director_gui.study.blind.passes import is_automatic
from tests.auto_studies import (
    CODER,
    answering,
    begun,
    right_answer,
    run_pass,
    sealed,
)
from tests.blind_studies import Desk
from tests.fault_server import FaultServer, Request, Served, chat


@pytest.fixture
def found(desk: Desk) -> Opened:
    return sealed(desk, 4)


def test_the_codes_of_the_replies_move_nothing_that_is_shown(
    desk: Desk, found: Opened
) -> None:
    """Non-interference: only known-code items may make a difference."""
    known = {i.text for i in found.packet.items if i.id not in found.calls}

    def other(text: str, _asked: int) -> str:
        value = json.loads(right_answer(text))
        if text not in known:
            value |= {"reading": "prior-knowledge", "sees_choice": "not-said"}
        return json.dumps(value)

    shown = []
    for say in (lambda text, _: right_answer(text), other):
        with FaultServer(answering(say)) as server:
            one, profile = begun(desk, found, server.base_url)
            run_pass(desk.study, one, profile)
        value = standing(desk.study, one).value()
        shown.append({k: v for k, v in value.items() if k not in ("pass", "alias")})
    assert shown[0] == shown[1]


def test_a_known_item_moves_the_calibration_alone(desk: Desk, found: Opened) -> None:
    known = next(i.text for i in found.packet.items if i.id not in found.calls)

    def other(text: str, _asked: int) -> str:
        value = json.loads(right_answer(text))
        return json.dumps(value | ({"reading": "no-rule"} if text == known else {}))

    values = []
    for say in (lambda text, _: right_answer(text), other):
        with FaultServer(answering(say)) as server:
            one, profile = begun(desk, found, server.base_url)
            run_pass(desk.study, one, profile)
        values.append(standing(desk.study, one).value())
    assert values[0]["counts"] == values[1]["counts"]
    assert values[0]["calibration"] != values[1]["calibration"]


def test_cost_is_unknown_as_soon_as_one_reply_is(desk: Desk, found: Opened) -> None:
    decide = answering()

    def decided(request: Request) -> Served:
        served = decide(request)
        # The server does not count the tokens of one reply.
        if request.number == 3:
            value = json.loads(served.body)
            del value["usage"]
            return replace(served, body=json.dumps(value).encode())
        return served

    with FaultServer(decided) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    now = standing(desk.study, one)
    count = len(found.packet.items)
    assert now.cost is None
    assert now.value()["cost"] is None
    assert now.usage == Usage(
        1000 * (count - 1), 200 * (count - 1), 150 * (count - 1), 100 * (count - 1)
    )
    # What could have been paid stays in what the ceiling counts.
    assert now.spent > 0.0014 * (count - 1)


def test_a_price_that_the_server_states_counts(desk: Desk, found: Opened) -> None:
    def stated(request: Request) -> Served:
        value = json.loads(chat(right_answer_of(request)))
        value["usage"]["cost"] = 0.5
        return Served(body=json.dumps(value).encode())

    with FaultServer(stated) as server:
        one, profile = begun(desk, found, server.base_url)
        unpriced = replace(profile, input_price=None, output_price=None)
        run_pass(desk.study, one, unpriced)
    assert standing(desk.study, one).cost == pytest.approx(
        0.5 * len(found.packet.items)
    )


def right_answer_of(request: Request) -> str:
    from director_gui.study.blind.auto_prompt import item_text_in

    text = item_text_in(request.text)
    assert text is not None
    return right_answer(text)


def test_a_new_pass_has_cost_nothing_and_everything_left(
    desk: Desk, found: Opened
) -> None:
    one = begin(desk.study, found.stored.id, CODER, "me", ceiling=3.0)
    now = standing(desk.study, one)
    assert (now.left, now.done, now.cost, now.spent) == (now.items, False, 0, 0)
    assert now.usage == Usage(None, None, None, None)
    assert one.settings["ceiling"] == 3.0
    assert profile_of(one) == CODER
    assert "key" not in json.dumps(one.settings).replace("key_source", "")


def test_what_was_in_flight_at_a_kill_is_told(desk: Desk, found: Opened) -> None:
    one = begin(desk.study, found.stored.id, CODER, "me")
    (row, *_) = desk.study.query("SELECT id FROM auto_calls ORDER BY position")
    add_sending(desk.study, row["id"], 0.01, PASSES)
    now = standing(desk.study, one)
    assert now.lost.in_flight == 1
    assert now.spent == pytest.approx(0.01)


def test_all_passes_of_a_packet_are_told_oldest_first(
    desk: Desk, found: Opened
) -> None:
    other = desk.seal(seed=9)
    made = [begin(desk.study, found.stored.id, CODER, "me") for _ in range(3)]
    elsewhere = begin(desk.study, other.stored.id, CODER, "me")
    assert [n.made for n in standings(desk.study, found.stored.id)] == made
    (alone,) = standings(desk.study, other.stored.id)
    assert alone.made == elsewhere
    assert isinstance(alone, Standing)


@pytest.mark.parametrize(
    ("verdict", "ended", "uncodable"),
    [
        (Verdict("a"), False, False),
        (Verdict("a", answer=Answer(), asks=1), True, False),
        (Verdict("a", answer=Answer(), asks=2), True, False),
        (Verdict("a", refusal=Refusal("empty"), asks=1), False, False),
        (Verdict("a", refusal=Refusal("empty"), asks=2), True, True),
    ],
)
def test_when_an_item_has_ended(
    verdict: Verdict, *, ended: bool, uncodable: bool
) -> None:
    assert (verdict.ended, verdict.uncodable) == (ended, uncodable)


def test_an_item_keeps_its_last_refusal(desk: Desk, found: Opened) -> None:
    def say(_text: str, asked: int) -> str:
        return "Hm." if asked == 1 else '{"reading": "both"}'

    with FaultServer(answering(say)) as server:
        one, profile = begun(desk, found, server.base_url)
        run_pass(desk.study, one, profile)
    said = verdicts(desk.study, one, found)
    assert [v.item for v in said] == [i.id for i in found.packet.items]
    assert {v.refusal for v in said} == {Refusal("no_code", "reading")}
    assert {v.asks for v in said} == {2}


@pytest.mark.parametrize(
    ("alias", "automatic"),
    [
        ("auto-gpt-6", True),
        ("practice-auto-coder-2", True),
        ("Auto-x", True),
        ("PRACTICE-auto-x", True),
        ("anna", False),
        ("practice-coder-1", False),
        ("automatic", False),
        ("semi-auto-x", False),
    ],
)
def test_which_names_are_automatic(alias: str, *, automatic: bool) -> None:
    assert is_automatic(alias) == automatic

"""The practice coder as a server: both wires, planted mistakes, planted nonsense."""

import json
from collections import Counter

import pytest

from director_gui.runner.client import RawReply
from director_gui.runner.practice.mixture import presets
from director_gui.runner.practice.reader import PracticeReader
from director_gui.runner.practice.traces import true_codes
from director_gui.runner.reading import read
from director_gui.scene.example import example_scene
from director_gui.study.blind.auto_answer import Answer, Refusal, read_answer
from director_gui.study.blind.auto_practice import CoderService
from director_gui.study.blind.auto_prompt import codebook_part, item_part
from director_gui.study.blind.sealing import default_codebook
from director_gui.study.catalogue import known_scene

BOOK = default_codebook()
PATHS = {"chat": "/v1/chat/completions", "responses": "/v1/responses"}


def traces(count: int) -> list[str]:
    """Items of practice traces, as a packet holds them."""
    reader = PracticeReader(presets()["practice-reader-open"], seed=3)
    shown = known_scene(example_scene())
    turn = "Which block does the director mean? Answer in JSON with the key `choice`."
    found = []
    for at in range(count):
        reply = reader.reply(shown, (turn,), str(at), 0)
        if reply.reasoning and true_codes(reply.reasoning):
            found.append(f"{reply.reasoning}\n\nChoice: {reply.thought.choice}")
    assert found
    return found


def body(text: str, wire: str = "chat") -> bytes:
    asked = codebook_part(BOOK) + item_part(text)
    kind, key = ("text", "messages") if wire == "chat" else ("input_text", "input")
    content = [{"type": kind, "text": asked}]
    value = {"model": "practice-reader", key: [{"role": "user", "content": content}]}
    return json.dumps(value).encode()


def said(service: CoderService, text: str, wire: str = "chat") -> str:
    reply = service.handle("POST", PATHS[wire], body(text, wire))
    assert reply.status == 200
    reading = read(RawReply(200, {}, reply.body, "test"))
    assert reading.content is not None
    assert reading.content.finish_reason == "stop"
    assert reading.content.usage.input
    assert reading.content.usage.output
    return reading.content.text


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_without_mistakes_it_codes_what_the_trace_states(wire: str) -> None:
    service = CoderService(error_rate=0.0, broken=0.0)
    for text in traces(12):
        truth = true_codes(text)
        found = read_answer(BOOK, text, said(service, text, wire))
        assert isinstance(found, Answer)
        assert truth is not None
        assert found.values["reading"] == truth.reading
        start, end = found.quotes["quote"]
        assert text[start:end] == truth.quote


def test_mistakes_come_at_the_stated_rate() -> None:
    service = CoderService(error_rate=0.3, broken=0.0)
    texts = traces(8)
    wrong = total = 0
    for _ in range(40):
        for text in texts:
            found = read_answer(BOOK, text, said(service, text))
            truth = true_codes(text)
            assert isinstance(found, Answer)
            assert truth is not None
            wrong += found.values["reading"] != truth.reading
            total += 1
    # Three standard errors of a share of 0.3.
    assert abs(wrong / total - 0.3) < 3 * (0.3 * 0.7 / total) ** 0.5


def test_every_planted_nonsense_is_refused_and_every_kind_occurs() -> None:
    service = CoderService(broken=1.0)
    kinds: Counter[str] = Counter()
    for text in traces(10):
        for _ in range(8):
            found = read_answer(BOOK, text, said(service, text))
            assert isinstance(found, Refusal)
            kinds[found.kind] += 1
    assert set(kinds) == {"no_code", "no_quote", "missing", "no_json"}


def test_the_same_seed_answers_alike_and_another_time_anew() -> None:
    text = traces(4)[0]
    first = [said(CoderService(seed=1, error_rate=0.5), text) for _ in range(2)]
    assert first[0] == first[1]
    one = CoderService(seed=1, error_rate=0.5)
    assert len({said(one, text) for _ in range(20)}) > 1


def test_a_text_that_is_no_practice_trace_is_not_guessed_at() -> None:
    text = "The largest cube is 3.\n\nChoice: 3"
    reply = said(CoderService(broken=0.0), text)
    assert read_answer(BOOK, text, reply) == Refusal("no_json")
    assert "no practice trace" in reply


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/chat/completions"), ("POST", "/v1/elsewhere")],
)
def test_other_addresses_are_refused_as_the_reader_refuses_them(
    method: str, path: str
) -> None:
    reply = CoderService().handle(method, path, body(traces(2)[0]))
    assert reply.status in (404, 405)

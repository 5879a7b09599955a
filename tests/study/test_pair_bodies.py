"""Proof of every declared pair on the very bytes that are sent, for both wires.

The pieces' own proof runs on text; here the request bodies are held against each other,
picture, settings and all, over scenes that differ in blocks and digits.
"""

import base64
import json
from collections.abc import Iterator
from functools import cache

import pytest

from director_gui.families.sampler import sample
from director_gui.geometry.truth import truth_of
from director_gui.prompts.compose import Prompt
from director_gui.prompts.library import library
from director_gui.prompts.pairing import Span, compare
from director_gui.runner.profiles import Profile
from director_gui.runner.records import CallInput
from director_gui.runner.wire import Body, request_body
from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_scene
from director_gui.study.asking import prompts_for
from director_gui.study.sets import recipe_of
from tests import made_sets
from tests.probe_runs import FlatRenderer

CHAT = Profile(name="p", base_url="http://x/v1", model="m", max_tokens=99)
RESPONSES = Profile(
    name="p", base_url="http://x/v1", model="m", wire="responses", summary="auto"
)
PAIRS = library().pairs
NAMES = {name for pair in PAIRS for name in pair}
SINGLE = [p for p in PAIRS if not any("first_turn" in name for name in p)]
TWO_TURN = [p for p in PAIRS if p not in SINGLE]
WIRES = pytest.mark.parametrize("profile", [CHAT, RESPONSES], ids=["chat", "responses"])
REPLY = '<think>"hm"</think>{"visible": [1]}'


@cache
def scenes() -> tuple[Scene, ...]:
    family = recipe_of("main", count=2, seed=3).family
    made = [made_sets._made(family, index).canonical for index in range(2)]
    return (example_scene(), *map(read_scene, made))


@cache
def main_set() -> tuple[Scene, ...]:
    return tuple(sample(recipe_of("main", count=None, seed=None).family))


@cache
def prompts(scene: Scene) -> dict[str, Prompt]:
    return prompts_for(scene, truth_of(scene), NAMES)


@cache
def png(scene: Scene) -> bytes:
    return FlatRenderer().draw(scene, "model").png


def body(profile: Profile, scene: Scene, *turns: str, replies: int = 0) -> Body:
    return request_body(profile, CallInput(turns, png(scene)), (REPLY,) * replies)


def escaped(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False)[1:-1].encode()


def frame(profile: Profile, scene: Scene) -> tuple[bytes, bytes]:
    """All bytes of a body before and after the text of its only turn."""
    mark = "the text goes here"
    head, tail = body(profile, scene, mark).data.split(mark.encode())
    return head, tail


def stretches(span: Span) -> dict[str, bytes]:
    return {name: escaped(text) for name, text in span.texts().items()}


@WIRES
@pytest.mark.parametrize("pair", SINGLE, ids="/".join)
def test_all_bytes_are_equal_but_those_of_one_piece(
    pair: tuple[str, str], profile: Profile
) -> None:
    for scene in scenes():
        holds_on_all_bytes(pair, profile, scene)


def holds_on_all_bytes(pair: tuple[str, str], profile: Profile, scene: Scene) -> None:
    a, b = (prompts(scene)[name] for name in pair)
    head, tail = frame(profile, scene)
    cut = stretches(compare(a, b))
    for side, prompt in (("a", a), ("b", b)):
        whole = body(profile, scene, *prompt.texts).data
        text = cut["same_prefix"] + cut[side] + cut["same_suffix"]
        assert whole == head + text + tail
    assert cut["a"] != cut["b"]
    assert base64.b64encode(png(scene)) in head  # the picture, untouched


def messages(sent: Body) -> list[dict[str, object]]:
    found: list[dict[str, object]] = sent.get("messages") or sent["input"]
    return found


def asked(sent: Body) -> str:
    """The user messages' text, joined in order."""

    def texts() -> Iterator[str]:
        for message in messages(sent):
            if message["role"] == "user":
                content = message["content"]
                assert isinstance(content, list)
                yield from (part["text"] for part in content if "text" in part)

    return "".join(texts())


def apart_from_turns(sent: Body) -> dict[str, object]:
    return {k: v for k, v in sent.items() if k not in ("messages", "input")}


@WIRES
@pytest.mark.parametrize("pair", TWO_TURN, ids="/".join)
def test_two_turns_differ_in_one_run_of_their_user_messages(
    pair: tuple[str, str], profile: Profile
) -> None:
    assert TWO_TURN
    for scene in scenes():
        holds_over_two_turns(pair, profile, scene)


def holds_over_two_turns(pair: tuple[str, str], profile: Profile, scene: Scene) -> None:
    a, b = (prompts(scene)[name] for name in pair)
    cut = compare(a, b).texts()
    sent = [
        body(profile, scene, *prompt.texts, replies=len(prompt.turns) - 1)
        for prompt in (a, b)
    ]
    for side, one in zip("ab", sent, strict=True):
        assert asked(one) == cut["same_prefix"] + cut[side] + cut["same_suffix"]
    # The picture stands first, in the first message, and nothing else differs.
    first, second = (messages(one)[0]["content"] for one in sent)
    assert isinstance(first, list)
    assert isinstance(second, list)
    assert first[0] == second[0]
    assert apart_from_turns(sent[0]) == apart_from_turns(sent[1])


@pytest.mark.slow
@WIRES
def test_every_pair_holds_on_every_scene_of_the_main_set(profile: Profile) -> None:
    made = main_set()
    assert len(made) == len({scene.name for scene in made}) == 160
    for scene in made:
        for pair in SINGLE:
            holds_on_all_bytes(pair, profile, scene)
        for pair in TWO_TURN:
            holds_over_two_turns(pair, profile, scene)


@WIRES
def test_what_is_asked_later_is_in_no_earlier_body(profile: Profile) -> None:
    for scene in scenes():
        for name in ("move.first_turn", "move.first_turn_count"):
            prompt = prompts(scene)[name]
            first = body(profile, scene, *prompt.texts).data
            later = prompt.texts[1].split("\n")[0]
            assert escaped(later) not in first
            second = body(profile, scene, *prompt.texts, replies=1).data
            assert escaped(later) in second
            assert b"hm" not in second  # thinking is never sent back


def test_every_declared_pair_is_among_these() -> None:
    assert len(SINGLE) + len(TWO_TURN) == len(PAIRS) >= 28

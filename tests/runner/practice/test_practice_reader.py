"""What is planted comes out: readings, reports, traces, alike within a scene."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from statistics import fmean

import pytest

from director_gui.prompts.library import library
from director_gui.runner.practice.catalogue import KnownScene
from director_gui.runner.practice.mixture import (
    HIDDEN_READINGS,
    Mixture,
    expected_rates,
    presets,
)
from director_gui.runner.practice.reader import PracticeReader, PracticeReply

READER = presets()["practice-reader"]
Prompt = Callable[[str], tuple[str, ...]]
N = 1500


def replies(
    mixture: Mixture, scene: KnownScene, turns: tuple[str, ...], count: int = N
) -> list[PracticeReply]:
    """One reply each to `count` scenes, so that the replies are independent."""
    reader = PracticeReader(mixture, seed=5)
    return [
        reader.reply(replace(scene, name=f"s{i}"), turns, f"body {i}", 0)
        for i in range(count)
    ]


def near(share: float, expected: float, n: int) -> bool:
    """Within four standard errors: one in 16,000 by chance, and the seed is fixed."""
    return abs(share - expected) <= 4 * (expected * (1 - expected) / n) ** 0.5 + 1e-9


@pytest.mark.parametrize("mixture", presets().values(), ids=lambda m: m.name)
@pytest.mark.parametrize("condition", ["move.ask", "move.plain", "mean.ask"])
def test_planted_rates_come_out(
    mixture: Mixture, condition: str, scene: KnownScene, prompt: Prompt
) -> None:
    thoughts = [r.thought for r in replies(mixture, scene, prompt(condition))]
    expected = expected_rates(mixture, condition)
    hidden = [t.choice == scene.hidden for t in thoughts]
    right = [set(t.belief) == set(scene.sees) for t in thoughts]
    both = [h and r for h, r in zip(hidden, right, strict=True)]
    assert near(fmean(hidden), expected.hidden_choice, N)
    assert near(fmean(right), expected.right_report, N)
    assert near(fmean(both), expected.joint, N)


@pytest.mark.parametrize("name", [c.name for c in library().conditions])
def test_every_condition_draws_its_own_readings(
    name: str, scene: KnownScene, prompt: Prompt
) -> None:
    count = 400
    found = Counter(
        r.thought.reading for r in replies(READER, scene, prompt(name), count)
    )
    for reading, share in READER.group(name).shares():
        assert near(found[reading] / count, share, count), reading


def test_a_planted_effect_can_be_planted_at_will(
    scene: KnownScene, prompt: Prompt
) -> None:
    group = replace(READER.groups["move.ask"], own_view=0.9, prior_knowledge=0.0)
    planted = replace(READER, groups={**READER.groups, "move.ask": group})
    found = replies(planted, scene, prompt("move.ask"), 400)
    assert near(fmean(r.thought.choice == 3 for r in found), 0.9, 400)


def test_choices_follow_the_reading(scene: KnownScene, prompt: Prompt) -> None:
    picks = {"director-view": {5}, "own-view": {3}, "prior-knowledge": {3}}
    picks |= {"largest-digit": {8}, "no-rule": set(scene.sees)}
    for reply in replies(READER, scene, prompt("move.ask")):
        assert reply.thought.reading is not None
        assert reply.thought.choice in picks[reply.thought.reading]


def test_beliefs_never_contradict_the_reading(
    scene: KnownScene, prompt: Prompt
) -> None:
    wrong = Counter[str]()
    for reply in replies(READER, scene, prompt("move.ask")):
        thought = reply.thought
        if set(thought.belief) != set(scene.sees):
            wrong["added" if 3 in thought.belief else "dropped"] += 1
        if thought.reading not in HIDDEN_READINGS:
            assert thought.choice in thought.belief
            assert 3 not in thought.belief
    assert min(wrong["added"], wrong["dropped"]) > 5


def test_the_stated_codes_are_the_thought(scene: KnownScene, prompt: Prompt) -> None:
    found = replies(READER, scene, prompt("move.plain"))
    coded = [r for r in found if r.codes is not None]
    for reply in coded:
        assert reply.codes is not None
        assert reply.codes.reading == reply.thought.reading
        assert reply.codes.sees_choice == reply.thought.sees_choice
        assert reply.codes.quote in (reply.reasoning or "")
    assert near(len(coded) / N, READER.traces, N)
    others = [r.thought for r in found if r.thought.reading != "director-view"]
    works_out = fmean(thought.works_out for thought in others)
    assert near(works_out, READER.group("move.plain").works_out, len(others))
    directors = [r.thought for r in found if r.thought.reading == "director-view"]
    assert all(thought.works_out for thought in directors)


def test_the_open_reader_always_gives_its_reasoning(
    scene: KnownScene, prompt: Prompt
) -> None:
    open_reader = presets()["practice-reader-open"]
    found = replies(open_reader, scene, prompt("move.ask"), 200)
    assert all(reply.reasoning for reply in found)


def test_replies_of_one_scene_are_alike(scene: KnownScene, prompt: Prompt) -> None:
    reader, turns, samples = PracticeReader(READER, seed=5), prompt("move.ask"), 10
    rates = []
    for i in range(150):
        own = replace(scene, name=f"s{i}")
        found = [reader.reply(own, turns, f"b{i}", k) for k in range(samples)]
        rates.append(fmean(reply.thought.choice == 3 for reply in found))
    p = fmean(rates)
    spread = fmean((rate - p) ** 2 for rate in rates)
    # Independent replies would spread by p(1-p)/10; a correlation multiplies it.
    assert spread > 2 * p * (1 - p) / samples
    assert near(p, expected_rates(READER, "move.ask").hidden_choice, 150)


def test_the_same_draw_is_the_same_reply(scene: KnownScene, prompt: Prompt) -> None:
    turns = prompt("move.ask")
    one, two = PracticeReader(READER, 1), PracticeReader(READER, 1)
    assert one.reply(scene, turns, "b", 3) == two.reply(scene, turns, "b", 3)
    others = [one.reply(scene, turns, "b", n) for n in range(20)]
    assert len({reply.text for reply in others}) > 3
    seeded = PracticeReader(READER, 2)
    assert [seeded.reply(scene, turns, "b", n) for n in range(20)] != others


@pytest.mark.parametrize(
    ("name", "key"),
    [("move.first_turn", "visible"), ("move.first_turn_count", "count")],
)
def test_a_first_turn_answers_its_own_question_only(
    name: str, key: str, scene: KnownScene, prompt: Prompt
) -> None:
    plain = replace(READER, faults={})
    for reply in replies(plain, scene, prompt(name)[:1], 60):
        assert reply.thought.choice is None
        assert reply.codes is None
        assert '"choice"' not in reply.text
        assert f'"{key}"' in reply.text


def test_the_count_is_right(
    scene: KnownScene, prompt: Prompt, last_object: Callable[[str], dict[str, int]]
) -> None:
    plain = replace(READER, faults={})
    for reply in replies(plain, scene, prompt("move.count"), 50):
        assert int(last_object(reply.text)["count"]) == 4


def test_prior_knowledge_knows_every_block(
    scene: KnownScene,
    prompt: Prompt,
    last_object: Callable[[str], dict[str, list[int]]],
) -> None:
    plain = replace(READER, faults={})
    for reply in replies(plain, scene, prompt("move.knows"), 200):
        known = {int(digit) for digit in last_object(reply.text)["known"]}
        everything = reply.thought.reading == "prior-knowledge"
        assert known == set(scene.digits if everything else reply.thought.belief)


@pytest.mark.parametrize(
    "strange",
    [
        {"sees": (), "director_view": None},
        {"hidden": None, "sees": (3, 5, 8, 2), "director_view": 3},
        {"sees": (5,)},
        {"digits": (3,), "sees": (), "director_view": None, "sizes": {3: 0.2}},
        {"model_view": None},
        {"extreme": "smallest", "director_view": 2, "model_view": 2},
    ],
)
def test_strange_scenes_get_an_answer_all_the_same(
    strange: dict[str, object], scene: KnownScene, prompt: Prompt
) -> None:
    odd = replace(scene, **strange)  # type: ignore[arg-type]
    for condition in ("move.ask", "move.after", "mean.plain"):
        for reply in replies(READER, odd, prompt(condition), 40):
            assert reply.thought.choice in odd.digits
            assert set(reply.thought.belief) <= set(odd.digits)

"""Messages are the bytes of their pieces, joined."""

import pytest

from director_gui.prompts.compose import compose, join
from director_gui.prompts.conditions import Condition
from director_gui.prompts.library import library

EVERY = pytest.mark.parametrize(
    "condition", library().conditions, ids=lambda condition: condition.name
)


@EVERY
def test_turns_are_their_parts_joined(condition: Condition) -> None:
    prompt = compose(condition, (5, 8))
    assert prompt.turns == tuple(join(parts) for parts in prompt.parts)
    assert len(prompt.turns) == len(prompt.keys) == condition.turns
    assert prompt.condition == condition.name
    assert prompt.version == condition.version


@EVERY
def test_every_message_names_the_keys_it_asks_for_and_no_other(
    condition: Condition,
) -> None:
    for text, keys in zip(*_texts_and_keys(condition), strict=True):
        for key in ("visible", "count", "known", "choice"):
            assert text.count(f'"{key}"') == (key in keys)


@EVERY
def test_messages_end_with_the_reply_format(condition: Condition) -> None:
    last = compose(condition, (5,)).parts
    assert {parts[-1].name for parts in last} == {"reply_format"}


@EVERY
def test_only_state_depends_on_what_the_director_sees(condition: Condition) -> None:
    same = compose(condition, (5, 8)).turns == compose(condition, (2, 3)).turns
    assert same == (not condition.name.endswith(".state"))


def _texts_and_keys(
    condition: Condition,
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    prompt = compose(condition, (5, 8))
    return prompt.texts, prompt.keys


def test_state_states_and_asks_for_the_choice_alone() -> None:
    prompt = compose(library().condition("move.state"), (8, 5))
    assert "The director can see these blocks: 5, 8.\n" in prompt.texts[0]
    assert prompt.keys == (("choice",),)


def test_the_request_names_the_scenes_extreme() -> None:
    condition = library().condition("move.ask")
    small = compose(condition, (5,), "smallest")
    assert "the smallest block" in small.texts[0]
    assert "largest" not in small.texts[0]
    large = compose(condition, (5,))
    assert large.texts[0].replace("largest", "smallest") == small.texts[0]
    assert large.version == small.version


def test_two_turns_hold_what_one_turn_holds() -> None:
    one = compose(library().condition("move.ask"), (5,)).all_parts
    two = compose(library().condition("move.first_turn"), (5,)).all_parts
    assert [p.name for p in two if p.slot != "reply_format"] == [
        p.name for p in one if p.slot != "reply_format"
    ]
    assert [p.slot for p in two].count("reply_format") == 2


def test_order_of_digits_does_not_reach_the_prompt() -> None:
    condition = library().condition("mean.state")
    assert compose(condition, {8, 5, 10}) == compose(condition, [10, 5, 8, 5])

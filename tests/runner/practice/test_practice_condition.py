"""The condition is read off the text, whoever wrote it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.prompts.compose import compose
from director_gui.prompts.conditions import Condition
from director_gui.prompts.library import library
from director_gui.runner.practice.condition import KEYS, read_condition
from director_gui.runner.practice.mixture import FALLBACK_GROUP, FIRST_TURN_GROUP

CONDITIONS = library().conditions


@pytest.mark.parametrize("extreme", ["largest", "smallest"])
@pytest.mark.parametrize("sees", [(), (5,), (2, 5, 8)])
@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda c: c.name)
def test_every_condition_of_the_program_is_recognised(
    condition: Condition, sees: tuple[int, ...], extreme: str
) -> None:
    found = compose(condition, sees, extreme)
    asked = read_condition(found.texts)
    assert asked.group == found.condition
    assert asked.keys == found.keys[-1]


@pytest.mark.parametrize("name", ["move.first_turn", "move.first_turn_count"])
def test_a_first_turn_is_answered_for_itself(
    prompt: Callable[[str], tuple[str, ...]], name: str
) -> None:
    asked = read_condition(prompt(name)[:1])
    assert asked.group == FIRST_TURN_GROUP
    assert asked.keys in {("visible",), ("count",)}


@pytest.mark.parametrize(
    ("text", "group", "keys"),
    [
        ('Choose one: key "choice"', "move.plain", ("choice",)),
        ('Who is meant? "choice"', "mean.plain", ("choice",)),
        ("Seen: `visible`\nYou move: `choice`", "move.ask", ("visible", "choice")),
        ("You move: “choice”\nSeen: “visible”", "move.after", ("choice", "visible")),
        ("The director sees 3.\nMove: 'choice'", "move.state", ("choice",)),
        (
            'The director knows all.\nMove: "choice"',
            "move.knowledge.plain",
            ("choice",),
        ),
        ('Words refer.\nMove: "choice"', "move.reference.plain", ("choice",)),
        ('"count" "known"', FIRST_TURN_GROUP, ("count", "known")),
        ("Tell me about the picture.", FALLBACK_GROUP, ()),
        ("", FALLBACK_GROUP, ()),
    ],
)
def test_wordings_of_the_users_own(
    text: str, group: str, keys: tuple[str, ...]
) -> None:
    asked = read_condition([text])
    assert (asked.group, asked.keys) == (group, keys)


def test_no_message_at_all_asks_nothing() -> None:
    assert read_condition([]).keys == ()


@given(st.lists(st.text() | st.sampled_from([f'"{key}" move' for key in KEYS])))
def test_no_text_is_too_strange(turns: list[str]) -> None:
    asked = read_condition(turns)
    assert set(asked.keys) <= set(KEYS)
    assert len(set(asked.keys)) == len(asked.keys)

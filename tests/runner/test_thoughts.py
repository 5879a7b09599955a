import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.runner.thoughts import CLOSING, OPENING, split_thoughts

PARTS = st.lists(st.sampled_from([*CLOSING, *OPENING, "a", "{", "\n", " "]))


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("plain", "plain"),
        ("<think>hm</think>{}", "{}"),
        ("no opening</think>{}", "{}"),
        ("<think>a</think>b<think>c</think>d", "d"),
        ("{}<think>never closed", "{}"),
        ("<think>never closed", ""),
        ("◁think▷hm◁/think▷{}", "{}"),
        ("</think>a<think>b", "a"),
        ("", ""),
    ],
)
def test_the_reply_is_what_follows_the_thinking(text: str, reply: str) -> None:
    assert split_thoughts(text)[1] == reply


@given(PARTS)
def test_no_marker_is_left_in_a_reply_and_nothing_is_lost(parts: list[str]) -> None:
    text = "".join(parts)
    thinking, reply = split_thoughts(text)
    assert not any(marker in reply for marker in (*CLOSING, *OPENING))
    assert sorted(thinking + reply) == sorted(text)
    assert reply in text

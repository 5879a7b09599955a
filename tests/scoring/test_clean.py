"""Reasoning and fences are cut as METHOD's rules 2 and 3 say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.scoring.clean import is_blank, without_fences, without_reasoning

OPEN, CLOSE, OPEN2, CLOSE2 = "<think>", "</think>", "◁think▷", "◁/think▷"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain", "plain"),
        (f"{OPEN}a{CLOSE}b", "b"),
        (f"a{CLOSE}b", "b"),
        (f"a{CLOSE}b{CLOSE}c", "c"),
        (f"{OPEN2}a{CLOSE2}b", "b"),
        (f"a{CLOSE}b{CLOSE2}c", "c"),
        (f"a{CLOSE2}b{CLOSE}c", "c"),
        (f"a{OPEN}b", "a"),
        (f"a{OPEN2}b{OPEN}c", "a"),
        (f"a{CLOSE}b{OPEN}c", "b"),
        (f"{OPEN}a{OPEN}b{CLOSE}c", "c"),
        (f"{OPEN}a", ""),
        (f"{OPEN}a{CLOSE}", ""),
        # One kind of marker closes the other: what stands before any closing marker
        # is reasoning.
        (f"{OPEN}a{CLOSE2}b", "b"),
        ("<Think>a", "<Think>a"),
        ("a < think > b", "a < think > b"),
    ],
)
def test_reasoning_is_not_reply(text: str, said: str) -> None:
    assert without_reasoning(text) == said


MARKED = st.lists(st.sampled_from([OPEN, CLOSE, OPEN2, CLOSE2, "a", "\n"])).map("".join)


@given(MARKED)
def test_no_marker_is_left_and_the_cut_is_final(text: str) -> None:
    said = without_reasoning(text)
    assert not any(mark in said for mark in (OPEN, CLOSE, OPEN2, CLOSE2))
    assert without_reasoning(said) == said
    assert said in text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("```json\n{}\n```", "\n{}\n"),
        ("~~~\n{}\n~~~\n", "\n{}\n\n"),
        ("```\r\n{}\r\n```\r\n", "\r\n{}\r\n\r\n"),
        ("  ``` json  \n{}", "\n{}"),
        ("````\n{}\n````", "\n{}\n"),
        ("```c++\nx", "\nx"),
        ("a ```\nb", "a ```\nb"),
        ("```{}\nb", "```{}\nb"),
        ('```json {"a":1}\n', '```json {"a":1}\n'),
        ("``` two words\n", "``` two words\n"),
        ("``\nb", "``\nb"),
        ("```~~~\nb", "```~~~\nb"),
        ('"a\u2028```\u2028b"', '"a\u2028```\u2028b"'),
        ('"a\x85```\x85b"', '"a\x85```\x85b"'),
        ('"a\\n```\\nb"', '"a\\n```\\nb"'),
    ],
)
def test_only_lines_that_are_a_fence_go(text: str, left: str) -> None:
    assert without_fences(text) == left


@pytest.mark.parametrize("text", ["", " \n\t\r", "\ufeff", "\ufeff \n\u00a0"])
def test_blank_texts(text: str) -> None:
    assert is_blank(text)


@pytest.mark.parametrize("text", [".", "\x00", "{}", "\ud800"])
def test_texts_that_are_not_blank(text: str) -> None:
    assert not is_blank(text)

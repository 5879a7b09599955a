"""Scorable shapes end in the answer; spoiled ones hold none."""

from collections.abc import Callable
from typing import Any

import pytest

from director_gui.runner.practice.draws import generator
from director_gui.runner.practice.shapes import Answer, shape_reply

ANSWER: Answer = {"visible": [2, 5], "choice": 5}
DRAFT: Answer = {"visible": [2, 5, 3], "choice": 3}
LastObject = Callable[[str], dict[str, Any] | None]


def texts(shape: str, answer: Answer = ANSWER) -> list[str]:
    return [
        shape_reply(
            generator(shape, i), answer, DRAFT, shapes={shape: 1.0}, faults={}
        ).text
        for i in range(40)
    ]


def as_numbers(found: dict[str, Any] | None) -> object:
    assert found is not None
    return {"visible": [*map(int, found["visible"])], "choice": int(found["choice"])}


@pytest.mark.parametrize("shape", ["bare", "fenced", "prose", "strings", "draft"])
def test_the_last_object_is_the_answer(shape: str, last_object: LastObject) -> None:
    assert all(as_numbers(last_object(text)) == ANSWER for text in texts(shape))


@pytest.mark.parametrize("shape", ["bare", "fenced", "prose", "strings", "draft"])
def test_a_shape_copes_with_no_answer(shape: str) -> None:
    assert all("{}" in text for text in texts(shape, {}))


def test_shapes_are_what_they_say() -> None:
    assert all(text.startswith("{") and text.endswith("}") for text in texts("bare"))
    assert all(text.startswith("```") for text in texts("fenced"))
    assert all("5" in text.split("{")[0] for text in texts("prose"))
    assert all('"5"' in text for text in texts("strings"))
    assert all(text.count("{") == 2 and "3" in text for text in texts("draft"))


@pytest.mark.parametrize(
    ("fault", "finish"),
    [
        ("unparsed", "stop"),
        ("truncated", "length"),
        ("empty", "stop"),
        ("filtered", "content_filter"),
    ],
)
def test_a_spoiled_reply_holds_no_answer(
    fault: str, finish: str, last_object: LastObject
) -> None:
    for i in range(40):
        shaped = shape_reply(
            generator(i), ANSWER, DRAFT, shapes={"bare": 1.0}, faults={fault: 1.0}
        )
        assert last_object(shaped.text) is None
        assert shaped.finish_reason == finish
        assert bool(shaped.text) == (fault in {"unparsed", "truncated"})


def test_shares_of_faults_come_out() -> None:
    faults = {"empty": 0.2, "filtered": 0.1}
    found = [
        shape_reply(generator(i), ANSWER, DRAFT, shapes={"bare": 1.0}, faults=faults)
        for i in range(2000)
    ]
    filtered = sum(shaped.finish_reason == "content_filter" for shaped in found)
    empty = sum(shaped.text == "" for shaped in found) - filtered
    assert abs(empty / 2000 - 0.2) < 4 * (0.2 * 0.8 / 2000) ** 0.5
    assert abs(filtered / 2000 - 0.1) < 4 * (0.1 * 0.9 / 2000) ** 0.5

"""Replies of an automatic coder: what is read, what is refused, nothing guessed."""

import json
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from coding.codebook import CHOICES, Codebook, from_toml
from coding.events import MAX_VALUE
from director_gui.study.blind.auto_answer import Answer, Refusal, read_answer
from director_gui.study.blind.sealing import default_codebook
from tests.strategies import QUICK, codebooks

TEXT = "The director sees 5 and 8.\nThe largest cube is 3, so 3.\n\nChoice: 3"
GOOD = {
    "reading": "own-view",
    "quote": "The largest cube is 3",
    "sees_choice": "no",
    "works_out": "yes",
}
BOOK = default_codebook()
ANSWER = Answer(
    {"reading": "own-view", "sees_choice": "no", "works_out": "yes"},
    {"quote": (27, 48)},
)


def read(reply: str, finish: str | None = "stop") -> Answer | Refusal:
    return read_answer(BOOK, TEXT, reply, finish)


def dumped(**changes: object) -> str:
    return json.dumps({**GOOD, **changes})


def test_the_span_is_that_of_the_quote() -> None:
    start, end = ANSWER.quotes["quote"]
    assert TEXT[start:end] == GOOD["quote"]


@pytest.mark.parametrize(
    "reply",
    [
        dumped(),
        f"Here you are:\n```json\n{json.dumps(GOOD, indent=2)}\n```\nThat is all.",
        f"<think>{{'reading': 1}} or {dumped(reading='no-rule')}</think>{dumped()}",
        f"I looked at {{5, 8}} first. {dumped()}",
        f"{dumped()}\n\nAgain: {dumped()}",  # the same twice is one answer
        json.dumps({"answer": GOOD}),
        json.dumps([GOOD]),
        dumped(confidence=0.9, why=["it says so"], more={"reading": "no-rule"}),
        dumped(reading=" own-view "),
        dumped(reading="OWN-VIEW"),
        "\ufeff" + dumped(),
    ],
    ids=[
        "bare",
        "fenced",
        "thinking",
        "braces",
        "twice",
        "wrapped",
        "listed",
        "more",
        "blanks",
        "capitals",
        "mark",
    ],
)
def test_an_answer_is_found_whatever_stands_around_it(reply: str) -> None:
    assert read(reply) == ANSWER


@pytest.mark.parametrize(
    ("reply", "refusal"),
    [
        ("", Refusal("empty")),
        ("  \n", Refusal("empty")),
        ("<think>no end", Refusal("empty")),
        ("I would say own view.", Refusal("no_json")),
        (dumped()[:-1] + ",}", Refusal("no_json")),  # a trailing comma is no JSON
        (dumped().replace('"', "'"), Refusal("no_json")),
        (dumped()[:-2], Refusal("no_json")),
        ('{"code": "own-view"}', Refusal("no_json")),
        (f"{dumped()} or {dumped(reading='no-rule')}", Refusal("several")),
        (f"{dumped(works_out='no')}{dumped()}", Refusal("several")),
        (f'{{"reading": "no-rule"}} {dumped()}', Refusal("several")),
        (f'{dumped()[:-1]}, "reading": "no-rule"}}', Refusal("several")),
        ('{"reading": "own-view"} {"quote": "5 and 8"}', Refusal("several")),
        ('{"reading": "own-view"}', Refusal("missing", "quote")),
        (dumped(quote=""), Refusal("missing", "quote")),
        (dumped(sees_choice=None), Refusal("missing", "sees_choice")),
        (dumped(reading="both"), Refusal("no_code", "reading")),
        (dumped(reading=["own-view"]), Refusal("no_code", "reading")),
        (dumped(works_out=True), Refusal("no_code", "works_out")),
        (dumped(sees_choice="not said"), Refusal("no_code", "sees_choice")),
        (dumped(quote="The largest cube is 4"), Refusal("no_quote", "quote")),
        (dumped(quote="the largest cube is 3"), Refusal("no_quote", "quote")),
        (dumped(quote="The largest … is 3"), Refusal("no_quote", "quote")),
        (dumped(quote=3), Refusal("no_quote", "quote")),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_refused_with_the_reason(
    reply: str, refusal: Refusal
) -> None:
    assert read(reply) == refusal


def test_the_finish_reason_explains_a_reply_without_an_answer() -> None:
    assert read("It was cu", "length") == Refusal("cut")
    assert read(dumped(), "length") == ANSWER  # the whole answer came before the limit
    assert read(dumped(), "content_filter") == Refusal("filtered")


def test_a_quote_may_be_wrapped_anew_and_nothing_else() -> None:
    found = read(dumped(quote="and 8. The  largest\ncube"))
    assert isinstance(found, Answer)
    start, end = found.quotes["quote"]
    assert TEXT[start:end] == "and 8.\nThe largest cube"
    assert read(dumped(quote="and8.")) == Refusal("no_quote", "quote")


def test_no_reason_tells_what_was_coded() -> None:
    canary = "prior-knowledge-of-a-canary"
    replies = [
        dumped(reading=canary), dumped(quote=canary), dumped(works_out=canary),
        f"{dumped()}{dumped(reading='no-rule')}", canary,
    ]  # fmt: skip
    for reply in replies:
        found = read(reply)
        assert isinstance(found, Refusal)
        assert canary not in found.words
        assert all(code not in found.words for code in ("own-view", "no-rule"))


def test_optional_fields_and_texts() -> None:
    toml = b"""
format = "director-codebook/1"
name = "b"
version = 1
[[fields]]
name = "tone"
kind = "one_of"
required = false
codes = [{name = "None"}, {name = "NA"}]
[[fields]]
name = "remark"
kind = "text"
"""
    book = from_toml(toml)
    assert read_answer(book, "t", '{"tone": null, "remark": "so"}') == Answer(
        {"remark": "so"}, {}
    )
    assert read_answer(book, "t", '{"tone": "None", "remark": "so"}') == Answer(
        {"tone": "None", "remark": "so"}, {}
    )
    lone = '{"remark": "\\ud800"}'
    assert read_answer(book, "t", lone) == Refusal("no_text", "remark")
    long = json.dumps({"remark": "x" * (MAX_VALUE + 1)})
    assert read_answer(book, "t", long) == Refusal("no_text", "remark")


def test_a_flood_of_braces_or_digits_is_no_answer() -> None:
    assert read("{" * 100_000) == Refusal("no_json")
    assert read('{"a":' * 50_000) == Refusal("no_json")
    assert read('{"reading": ' + "9" * 10_000 + "}") == Refusal("no_code", "reading")


@QUICK
@given(st.text(max_size=200))
@example('{"reading":')
def test_any_text_gives_an_answer_or_a_reason(reply: str) -> None:
    found = read(reply)
    assert isinstance(found, Refusal)
    assert found.words


@st.composite
def answers(draw: st.DrawFn) -> tuple[Codebook, str, dict[str, Any]]:
    """A codebook, a text, and an answer that fits both."""
    book = draw(codebooks())
    text = draw(st.text(st.characters(exclude_categories=("Cs",)), min_size=1))
    assume(text.strip())
    value: dict[str, Any] = {}
    for field in book.fields:
        if not field.required and draw(st.booleans()):
            value[field.name] = None
        elif field.kind in CHOICES:
            value[field.name] = draw(st.sampled_from(field.code_names()))
        elif field.kind == "quote":
            start = draw(st.integers(0, len(text) - 1))
            quote = text[start : draw(st.integers(start + 1, len(text)))]
            value[field.name] = quote if quote.strip() else text
        else:
            value[field.name] = draw(st.sampled_from(["a", "ä\n", "x" * 30]))
    return book, text, value


@QUICK
@given(
    made=answers(),
    escaped=st.booleans(),
    before=st.sampled_from(["", "Well: ", "```\n", "{}{ "]),
)
def test_every_answer_that_fits_comes_back(
    *, made: tuple[Codebook, str, dict[str, Any]], escaped: bool, before: str
) -> None:
    book, text, value = made
    found = read_answer(book, text, before + json.dumps(value, ensure_ascii=escaped))
    given_values = {k: v for k, v in value.items() if v is not None}
    if not given_values and not book.required:
        return  # an answer of nothing but null
    assert isinstance(found, Answer)
    for field in book.fields:
        if field.name not in given_values:
            assert field.name not in found.values.keys() | found.quotes.keys()
        elif field.kind == "quote":
            start, end = found.quotes[field.name]
            assert text[start:end] == given_values[field.name]
        else:
            assert found.values[field.name] == given_values[field.name]


@QUICK
@given(answers(), st.data())
def test_two_answers_that_differ_are_never_chosen_between(
    made: tuple[Codebook, str, dict[str, Any]], data: st.DataObject
) -> None:
    book, text, value = made
    name = data.draw(st.sampled_from(sorted(value)))
    other = {**value, name: "something else that is no code of any field"}
    pair = [json.dumps(value), json.dumps(other)]
    if data.draw(st.booleans()):
        pair.reverse()
    assert read_answer(book, text, " ".join(pair)) == Refusal("several")

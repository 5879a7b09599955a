"""The object that counts, against examples and a plain second reading."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from director_gui.ids import Json
from director_gui.prompts.pieces import KEYS
from director_gui.scoring.extract import LIST_KEYS, NUMBER_KEYS, last_answer
from tests.scoring import oracle

ASK = ("visible", "choice")


def values(text: str, keys: tuple[str, ...] = ("choice",)) -> Json:
    answer = last_answer(text, keys)
    return None if answer is None else dict(answer.values)


def test_every_key_of_a_prompt_has_a_type() -> None:
    assert set(KEYS) == {*NUMBER_KEYS, *LIST_KEYS}


@pytest.mark.parametrize(
    ("raw", "number"),
    [
        ("5", 5),
        ("-5", -5),
        ("0", 0),
        ("-0", 0),
        ("5.0", 5),
        ("5e0", 5),
        ("50E-1", 5),
        ("-0.0", 0),
        ("1e300", int(1e300)),
        ('"5"', 5),
        ('"+5"', 5),
        ('"-5"', -5),
        ('"05"', 5),
        ('" 5\\t"', 5),
        ('"\\u0035"', 5),
        ("123456789012345678901234567890", 123456789012345678901234567890),
        ("1" * 4300, int("1" * 4300)),
    ],
)
def test_numbers(raw: str, number: int) -> None:
    assert values(f'{{"choice":{raw}}}') == {"choice": number}
    text = f'{{"visible":[{raw}],"choice":{raw}}}'
    assert values(text, ASK) == {"visible": {number}, "choice": number}


@pytest.mark.parametrize(
    "raw",
    [
        "5.5",
        "1e400",
        "-1e400",
        "5e-1",
        "true",
        "false",
        "null",
        "[5]",
        '{"choice":"five"}',
        '""',
        '" "',
        '"+"',
        '"- 5"',
        '"5 5"',
        '"5.0"',
        '"5e0"',
        '"\uff15"',
        '"\u0665"',
        '"\u00b2"',
        '"\u00a05"',
        '"5\\u0000"',
        '"five"',
        '"\\ud800"',
        "1" * 4301,
        '"' + "1" * 4301 + '"',
    ],
)
def test_what_is_no_number(raw: str) -> None:
    assert values(f'{{"choice":{raw}}}') is None
    assert values(f'{{"visible":[{raw}],"choice":5}}', ASK) is None


@pytest.mark.parametrize("raw", ['"2, 5"', "2", "null", '{"2":5}', "[[2]]", "[2,null]"])
def test_what_is_no_list(raw: str) -> None:
    assert values(f'{{"known":{raw}}}', ("known",)) is None


def test_lists_are_sets_and_may_be_empty() -> None:
    assert values('{"known":[]}', ("known",)) == {"known": frozenset()}
    assert values('{"known":[5,"5",5.0,2]}', ("known",)) == {"known": {2, 5}}


def test_a_number_that_cannot_be_read_spoils_only_its_own_key() -> None:
    text = f'{{"x":{"9" * 10_000},"choice":5}}'
    assert values(text) == {"choice": 5}


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ('{"answer":{"choice":5}}', 5),
        ('[[{"choice":5}]]', 5),
        ('{"steps":[{"choice":4},{"choice":5}]}', 5),
        ('{"choice":5,"draft":{"choice":4}}', 5),
        ('{"draft":{"choice":4},"choice":5}', 5),
        ('{"choice":true,"draft":{"choice":4}}', 4),
        ('{"choice":5} {"choice":"none"}', 5),
        ('{"choice":5} {"choice":4', 5),
        ('{"choice":5}```{"choice":4}', 4),
        ('```json\n{"choice":5,\n```\n"x":1}', 5),
        ('{"note":"{\\"choice\\":4}","choice":5}', 5),
        ('\ufeff{"choice":5}\x00', 5),
        ('{"choice":5}\ud800', 5),
        ('{\r\n"choice"\r\n:\r\n5\r\n}', 5),
        ("{'choice':4} {\"choice\":5}", 5),
        ('{"Choice":4} {"choice ":4} {"choice":5}', 5),
        ('{"\\u0063hoice":5}', 5),
    ],
)
def test_the_last_matching_object_counts(text: str, choice: int) -> None:
    assert values(text) == {"choice": choice}


@pytest.mark.parametrize(
    ("text", "conflicting"),
    [
        ('{"choice":5} {"choice":5}', False),
        ('{"choice":5} {"choice":"5"}', False),
        ('{"choice":4} {"choice":5}', True),
        ('{"choice":4} {"choice":5} {"choice":5}', True),
        ('{"choice":5,"why":"a"} {"choice":5,"why":"b"}', False),
        ('{"choice":5,"visible":[1]} {"choice":5,"visible":[2]}', False),
        ('{"choice":5,"draft":{"choice":4}}', False),
        ('{"a":{"choice":4},"b":{"choice":5}}', True),
        ('{"choice":"x"} {"choice":5}', False),
    ],
)
def test_conflicts_are_about_asked_values(text: str, *, conflicting: bool) -> None:
    answer = last_answer(text, ("choice",))
    assert answer
    assert answer.conflicting == conflicting


def test_lists_conflict_as_sets() -> None:
    same = '{"visible":[2,5],"choice":5}{"visible":[5,2,2],"choice":5}'
    other = '{"visible":[2],"choice":5}{"visible":[5,2,2],"choice":5}'
    answers = [last_answer(text, ASK) for text in (same, other)]
    assert [answer and answer.conflicting for answer in answers] == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"choice":4,"choice":5}', (5, True)),
        ('{"choice":"x","choice":5}', (5, True)),
        ('{"choice":5,"choice":5}', (5, True)),
        ('{"choice":5,"x":1,"x":2}', (5, True)),
        ('{"choice":5,"x":{"y":1,"y":2}}', (5, False)),
        ('{"choice":4,"choice":4} {"choice":5}', (5, False)),
    ],
)
def test_a_repeated_key_takes_its_last_value(
    text: str, expected: tuple[int, bool]
) -> None:
    answer = last_answer(text, ("choice",))
    assert answer
    assert (answer.values["choice"], answer.repeated) == expected


def test_a_last_value_of_the_wrong_type_does_not_match() -> None:
    assert last_answer('{"choice":5,"choice":"x"}', ("choice",)) is None
    assert last_answer('{"choice":5,"choice":{"x":1}}', ("choice",)) is None


@pytest.mark.parametrize(
    ("text", "keys", "unasked"),
    [
        ('{"visible":[2],"choice":5}', ("choice",), True),
        ('{"visible":"?","choice":5}', ("choice",), True),
        ('{"visible":[2],"choice":5}', ASK, False),
        ('{"visible":[2],"choice":4}{"choice":5}', ("choice",), False),
        ('{"x":{"visible":[2]},"choice":5}', ("choice",), False),
        ('{"known":[2],"choice":5}', ("choice",), False),
    ],
)
def test_unasked_reports(text: str, keys: tuple[str, ...], *, unasked: bool) -> None:
    answer = last_answer(text, keys)
    assert answer
    assert answer.unasked_report == unasked


# Fragments that together make objects, half objects, and strings read both ways round.
FRAGMENTS = st.sampled_from(
    [
        *'{}[]",:\\ \n5-e.',
        '{"choice":5}',
        '{"choice":"4"}',
        '{"choice":',
        '"choice":5',
        '"visible":[2,5]',
        '{"visible":[2],"choice":7}',
        '{"a":',
        '{"',
        '"{"',
        '":"',
        '","',
        '"}":',
        "\\\\",
        '\\"',
        "\\u0061",
        "true",
        "NaN",
        "é",
        "\ud800",
    ]
)
TEXTS = st.lists(FRAGMENTS, max_size=25).map("".join)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from(["5", " 5 ", "{", "}", '"', '{"choice":5}', "\\"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["a", "visible", "choice"]), inner, max_size=3
        )
    ),
    max_leaves=12,
)


def agree(text: str) -> None:
    for keys in (("choice",), ASK):
        answer = last_answer(text, keys)
        found = answer and (
            dict(answer.values),
            answer.conflicting,
            answer.repeated,
            answer.unasked_report,
        )
        assert found == oracle.last_answer(text, keys)


@settings(deadline=None, max_examples=1500)
@given(TEXTS)
@example('{"a":"{"}":1,"choice":5}')
@example('{"a{":{"b":"{"}":1,"choice":5}}')
@example('{"a":{"choice":5},"b{"}":1,"choice":4}')
def test_agrees_with_a_decoder_at_every_brace(text: str) -> None:
    agree(text)


@settings(deadline=None, max_examples=300)
@given(st.lists(VALUES, max_size=3), st.lists(FRAGMENTS, max_size=3))
def test_agrees_on_valid_json_amid_noise(found: list[Json], noise: list[str]) -> None:
    agree("".join(noise).join(json.dumps(value) for value in [*found, 1]))


@settings(deadline=None, max_examples=300)
@given(VALUES, st.data())
def test_agrees_on_damaged_json(value: Json, data: st.DataObject) -> None:
    text = json.dumps({"choice": value, "visible": [2], "x": {"choice": value}})
    at = data.draw(st.integers(0, len(text) - 1))
    agree(text[:at] + data.draw(FRAGMENTS) + text[at + 1 :])

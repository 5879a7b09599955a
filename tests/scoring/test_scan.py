"""The linear scan finds what a decoder tried at every brace finds."""

import re
import sys

import pytest

from director_gui.scoring.scan import JsonObject, scan
from tests.scoring import oracle


def spans(text: str) -> list[str]:
    return [text[found.start : found.end] for found in scan(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", []),
        ("no object", []),
        ("{}", []),
        ('{"a":1}', ['{"a":1}']),
        (' x {"a" : 1 } y', ['{"a" : 1 }']),
        ('{"a":1}{"b":2}', ['{"a":1}', '{"b":2}']),
        ('{"a":{"b":2},"c":[{"d":4}]}', ["…", '{"b":2}', '{"d":4}']),
        ('{"a":{"b":2},', ['{"b":2}']),
        ('{"a":{"b":2}]', ['{"b":2}']),
        ('[{"b":2}', ['{"b":2}']),
        ('{"a":[{"b":2},}', ['{"b":2}']),
        ('{{{"a":1}', ['{"a":1}']),
        ('{"x" {"a":1}', ['{"a":1}']),
        ('{"x {"a":1}', ['{"a":1}']),
        ('{"x\n{"a":1}', ['{"a":1}']),
        ('{"a":"{","b":2}', ["…"]),
        ('{"a":"}","b":"\\"}"}', ["…"]),
        ('{"a":{},"b":[],"c":[ ],"d":{ }}', ["…"]),
        ('{"a":[[],[1,[2]],{}]}', ["…"]),
    ],
)
def test_objects_are_found(text: str, found: list[str]) -> None:
    assert spans(text) == [text if span == "…" else span for span in found]


@pytest.mark.parametrize(
    "value",
    [
        "NaN",
        "-Infinity",
        "Infinity",
        "True",
        "None",
        "05",
        "+5",
        ".5",
        "5.",
        "5.e1",
        "1e",
        "0x5",
        "-",
        "'a'",
        '"\\x41"',
        '"\\u12G4"',
        '"\\u12"',
        '"a',
        "tru",
        "truex",
        "[1,]",
        "[,1]",
        "[1 2]",
        "[1:2]",
        '["b":1]',
        '{"b":1,}',
        "{1:2}",
        '{"b"}',
        '{"b":}',
        "{,}",
        "1 2",
        '"a" "b"',
        "",
        "1,",
        "1,2",
        "1]",
    ],
)
def test_what_is_no_json(value: str) -> None:
    text = f'{{"a":{value}}}'
    with pytest.raises(ValueError):  # noqa: PT011 - whatever the decoder says
        oracle.DECODER.decode(text)
    assert text not in spans(text)


@pytest.mark.parametrize(
    "blank", ["\u00a0", "\ufeff", "\x0b", "\x0c", "\u2028", "\x00"]
)
def test_only_four_blanks_are_json(blank: str) -> None:
    assert spans(f'{{{blank}"a":1}}') == []
    assert spans(f'{{"a":{blank}1}}') == []


@pytest.mark.parametrize("char", ["\n", "\t", "\r", "\x00", "\x1f"])
def test_control_characters_end_no_string(char: str) -> None:
    assert spans(f'{{"a":"{char}"}}') == []


@pytest.mark.parametrize(
    "char", ["\x7f", "\u2028", "\x85", "\ud800", "\U0001f600", "`"]
)
def test_other_characters_may_stand_in_strings(char: str) -> None:
    assert len(spans(f'{{"a{char}":"{char}"}}')) == 1


def test_members_hold_scalars_as_text_and_flat_lists() -> None:
    (outer, inner) = scan('{"n":-1.5e3,"l":[1,"b",[2],{}],"o":{"k":null},"s":"x\\n"}')
    assert outer.members == {
        "n": "-1.5e3",
        "l": ["1", '"b"', None, None],
        "o": None,
        "s": '"x\\n"',
    }
    assert inner.members == {"k": "null"}


def test_keys_are_decoded_and_repeats_noticed() -> None:
    (found,) = scan('{"\\u0061":1,"a":2}')
    assert found.members == {"a": "2"}
    assert found.repeated
    (plain, nested) = scan('{"a":{"a":1}}')
    assert (plain.repeated, nested.repeated) == (False, False)


def test_a_repeated_key_forgets_its_first_value() -> None:
    (found, _, _) = scan('{"a":[1],"a":{"b":{"c":1}}}')
    assert found.members == {"a": None}


def test_an_object_that_begins_in_a_string_of_another_is_none() -> None:
    # Read from its second brace, the text is `{"}":1,"choice":5}`; a decoder that
    # goes from left to right has used that brace up.
    text = '{"a":"{"}":1,"choice":5}'
    assert spans(text) == ['{"a":"{"}']


DEPTH = 50_000


@pytest.mark.parametrize(
    ("opening", "closing"),
    [('{"a":', "}"), ("[", "]"), ('[{"a":', "}]"), ('{"a":[1,', "]}")],
)
def test_depth_has_no_limit(opening: str, closing: str) -> None:
    assert sys.getrecursionlimit() < DEPTH
    text = '{"x":' + opening * DEPTH + '{"in":1}' + closing * DEPTH + "}"
    found = scan(text)
    assert len(found) == 2 + (DEPTH if "{" in opening else 0)
    assert text[found[-1].start : found[-1].end] == '{"in":1}'
    assert found[0].end == len(text)


@pytest.mark.parametrize(
    ("opening", "closing"), [('{"a":', "]"), ('{"a":[', "}"), ('{"a":1,', "}")]
)
def test_brackets_must_fit(opening: str, closing: str) -> None:
    assert spans(opening + '{"in":1}' + closing) == ['{"in":1}']


def steps(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Count the characters that the scan's own patterns read: no clock needed."""
    from director_gui.scoring import scan as module

    read = 0

    class Counted:
        def __init__(self, pattern: re.Pattern[str]) -> None:
            self.pattern = pattern

        def match(self, text: str, at: int) -> re.Match[str] | None:
            nonlocal read
            found = self.pattern.match(text, at)
            read += 1 + (found.end() - at if found else 0)
            return found

    with monkeypatch.context() as patch:
        for name in ("_VALUE", "_AFTER"):
            patch.setattr(module, name, Counted(getattr(module, name)))
        module.scan(text)
    return read


FLOODS = [
    "{",
    '{"a":',
    '{"a":[',
    '{"a":"{",',
    '{"',
    '":{"',
    '"\\',
    '{"\\"',
    '{"a":"{\\"',
    '{"a{":',
    '{"a":1}',
    '{"a":{}',
    '"{":{"',
    '{"{":"{":',
]


@pytest.mark.parametrize("flood", FLOODS)
def test_no_character_is_read_more_than_a_few_times(
    flood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = flood * 3000 + '"}{"in":1}'
    assert steps(text, monkeypatch) <= 4 * len(text)


@pytest.mark.parametrize("flood", FLOODS)
def test_an_answer_behind_a_flood_is_found(flood: str) -> None:
    assert spans(flood * 3000 + '\n{"in":1}')[-1] == '{"in":1}'


def test_an_object_tells_where_it_stands() -> None:
    (found,) = scan('ab{"k":1}')
    assert found == JsonObject(2, 9, {"k": "1"}, repeated=False, key="k")

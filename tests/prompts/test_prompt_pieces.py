"""Pieces are clean lines that name exactly the key that they ask for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.prompts.pieces import (
    FixedText,
    Given,
    Piece,
    SeesText,
    request_variants,
)

NOBODY = Given((), "largest")
STATE = SeesText(b"Seen: ", b", ", b"none", b".\n")


def fixed(text: str | bytes, key: str | None = None, slot: str = "report") -> Piece:
    data = text if isinstance(text, bytes) else text.encode()
    return Piece("mine", slot, FixedText(data), key)


def test_a_fixed_piece_is_its_bytes_for_every_scene() -> None:
    piece = fixed("Wörter.\nMore words.\n")
    for facts in (NOBODY, Given((3, 4), "smallest")):
        part = piece.part(facts)
        assert (part.name, part.slot) == ("mine", "report")
        assert part.data == b"W\xc3\xb6rter.\nMore words.\n"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "does not end"),
        (b"no end", "does not end"),
        (b"two \n", "line 1"),
        (b"one\n two\n", "line 2"),
        (b"one\n\n", "line 2"),
        (b"\none\n", "line 1"),
        (b"one\r\n", "control character"),
        (b"one\ttwo\n", "control character"),
        (b"one\x00\n", "control character"),
        (b"\xef\xbb\xbfone\n", "byte order mark"),
        (b"one\xff\n", "not UTF-8 text at byte 3"),
        ("one\u00a0\n".encode(), "line 1"),
        ("one\u2028two \n".encode(), "line 1"),
    ],
)
def test_unclean_lines_are_refused(text: bytes, why: str) -> None:
    with pytest.raises(UserError, match=why) as caught:
        fixed(text)
    assert caught.value.where == "mine"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Which?\n", "visible"),
        ('Which? "visible"\n', None),
        ('Which? "count"\n', "visible"),
        ('Which? "visible" and "choice"\n', "visible"),
        ("Which? visible\n", "visible"),
    ],
)
def test_a_question_names_its_own_key_and_no_other(text: str, key: str | None) -> None:
    with pytest.raises(UserError, match="names the keys"):
        fixed(text, key)


def test_key_and_slot_must_be_known() -> None:
    with pytest.raises(UserError, match="no key"):
        fixed('Say "colour".\n', "colour")
    with pytest.raises(UserError, match="no slot"):
        fixed("Hello.\n", slot="greeting")


def test_state_lists_digits_ascending() -> None:
    piece = Piece("state", "report", STATE)
    for sees, said in (
        ((9, 2, 5), b"Seen: 2, 5, 9.\n"),
        ((10, 9), b"Seen: 9, 10.\n"),
        ((4,), b"Seen: 4.\n"),
        ((), b"Seen: none.\n"),
    ):
        assert piece.part(Given.of(sees, "largest")).data == said
        assert piece.part(Given(sees, "largest")).data == said


@given(st.lists(st.integers(0, 99), max_size=12))
def test_state_does_not_depend_on_order_or_repeats(sees: list[int]) -> None:
    piece = Piece("state", "report", STATE)
    said = piece.part(Given.of(sees, "largest"))
    assert piece.part(Given.of([*reversed(sees), *sees], "largest")) == said
    assert said.data.count(b",") == max(len(set(sees)) - 1, 0)


def test_state_text_is_checked_for_every_number_of_digits() -> None:
    with pytest.raises(UserError, match="line 1"):
        Piece("state", "report", SeesText(b"Seen: ", b", ", b"", b"\n"))


def test_request_follows_the_extreme() -> None:
    text = request_variants(
        {
            "smallest": ("r.small", b"Take the smallest.\n"),
            "largest": ("r.large", b"Take the largest.\n"),
        }
    )
    piece = Piece("request", "request", text)
    assert piece.part(Given((), "largest")).name == "r.large"
    assert piece.part(Given((), "smallest")).data == b"Take the smallest.\n"
    with pytest.raises(UserError, match="no text for “the reddest block”"):
        piece.part(Given((), "reddest"))


def test_every_variant_is_checked() -> None:
    text = request_variants({"largest": ("a", b"Fine.\n"), "smallest": ("b", b"Bad")})
    with pytest.raises(UserError, match="does not end"):
        Piece("request", "request", text)


def test_values_tell_texts_apart() -> None:
    values = [
        fixed("One.\n").value(),
        fixed("Two.\n").value(),
        fixed('One. "count"\n', "count").value(),
        Piece("mine", "report", STATE).value(),
        Piece("mine", "request", FixedText(b"One.\n")).value(),
        Piece("mine", "request", request_variants({"largest": ("a", b"x\n")})).value(),
    ]
    assert all(values.count(value) == 1 for value in values)

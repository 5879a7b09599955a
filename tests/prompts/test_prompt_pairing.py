"""The proof of a pair, on declared pairs, on refusals, and on random pieces."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import CheckFailedError
from director_gui.prompts.compose import Prompt, compose, join
from director_gui.prompts.library import library
from director_gui.prompts.pairing import PairRefusedError, compare, prove
from director_gui.prompts.pieces import SLOTS, Part

SCENES = [((5, 8), "largest"), ((), "largest"), ((0, 2, 10, 99), "smallest")]


def prompt(
    name: str, sees: tuple[int, ...] = (5, 8), extreme: str = "largest"
) -> Prompt:
    return compose(library().condition(name), sees, extreme)


def made(*parts: Part) -> Prompt:
    return Prompt("made", "0", (join(parts),), ((),), (parts,))


def part(name: str, slot: str = "report", data: str = "") -> Part:
    return Part(name, slot, (data or f"{name}.\n").encode())


@pytest.mark.parametrize("pair", library().pairs, ids="/".join)
@pytest.mark.parametrize(("sees", "extreme"), SCENES)
def test_every_declared_pair_holds(
    pair: tuple[str, str], sees: tuple[int, ...], extreme: str
) -> None:
    a, b = (prompt(name, sees, extreme) for name in pair)
    span = prove(a, b)
    texts = span.texts()
    assert texts["same_prefix"] + texts["a"] + texts["same_suffix"] == "".join(a.texts)
    assert texts["same_prefix"] + texts["b"] + texts["same_suffix"] == "".join(b.texts)
    assert texts["a"] != texts["b"]


@pytest.mark.parametrize(
    ("a", "b", "slot", "only_a", "only_b"),
    [
        ("move.ask", "move.plain", "report", ["see"], []),
        ("move.plain", "move.ask", "report", [], ["see"]),
        ("move.state", "move.ask", "report", ["state"], ["see"]),
        ("move.after", "move.plain", "report_after", ["see_after"], []),
        ("move.both.ask", "move.ask", "constraint", ["both"], []),
        ("move.both.ask", "move.plain", "constraint", ["both", "see"], []),
        ("move.first_turn", "move.plain", "report", ["see", "reply_format"], []),
        ("move.first_turn", "move.first_turn_count", "report", ["see"], ["count"]),
        ("youwill.ask", "move.ask", "action", ["youwill"], ["move"]),
        ("move.knows", "move.count", "report", ["know"], ["count"]),
    ],
)
def test_where_pairs_differ(
    a: str, b: str, slot: str, only_a: list[str], only_b: list[str]
) -> None:
    span = prove(prompt(a), prompt(b))
    assert span.slot == slot
    assert [p.name for p in span.a] == only_a
    assert [p.name for p in span.b] == only_b


@pytest.mark.parametrize(
    ("a", "b", "why"),
    [
        ("move.ask", "move.ask", "the same"),
        ("move.ask", "mean.plain", "more than one piece"),
        ("move.ask", "move.after", "more than one piece"),
        ("move.both.ask", "mean.ask", "more than one piece"),
        ("move.first_turn", "move.count", "more than one piece"),
    ],
)
def test_refusals_say_why(a: str, b: str, why: str) -> None:
    with pytest.raises(PairRefusedError, match=why) as caught:
        prove(prompt(a), prompt(b))
    assert isinstance(caught.value, CheckFailedError)
    assert caught.value.where == f"{a} / {b}"


def test_a_pair_need_not_be_declared() -> None:
    pair = ("move.knowledge.ask", "move.reference.ask")
    assert pair not in library().pairs
    assert prove(*map(prompt, pair)).slot == "constraint"


def test_scenes_that_differ_make_no_pair() -> None:
    a, b = prompt("move.ask"), prompt("move.plain", extreme="smallest")
    with pytest.raises(PairRefusedError, match="more than one piece"):
        prove(a, b)


def test_a_name_alone_is_no_difference() -> None:
    a, b = made(part("x", data="Same.\n")), made(part("y", data="Same.\n"))
    with pytest.raises(PairRefusedError, match="a name alone"):
        prove(a, b)


def test_pieces_of_two_slots_do_not_replace_each_other() -> None:
    a, b = made(part("x", "report")), made(part("y", "report_after"))
    with pytest.raises(PairRefusedError, match="two slots"):
        prove(a, b)


@pytest.mark.parametrize("side", [0, 1])
def test_messages_that_are_not_their_pieces_are_refused(side: int) -> None:
    pair = [prompt("move.ask"), prompt("move.plain")]
    planted = pair[side].turns[0].replace(b"table", b"tabel", 1)
    pair[side] = replace(pair[side], turns=(planted,))
    with pytest.raises(PairRefusedError, match="not the bytes of their pieces"):
        prove(*pair)


def test_a_refused_comparison_still_covers_both_texts() -> None:
    a, b = prompt("move.ask"), prompt("move.after")
    span = compare(a, b)
    assert span.refusal
    assert join((*span.same_prefix, *span.a, *span.same_suffix)) == a.turns[0]
    assert join((*span.same_prefix, *span.b, *span.same_suffix)) == b.turns[0]


def test_spans_end_at_pieces_never_inside_a_character() -> None:
    # "é" and "è" share their first byte; the pieces share a beginning and an end.
    a = made(part("s", "setting"), part("x", data="Où est é?\n"), part("t", "action"))
    b = made(part("s", "setting"), part("y", data="Où est è?\n"), part("t", "action"))
    texts = prove(a, b).texts()
    assert (texts["a"], texts["b"]) == ("Où est é?\n", "Où est è?\n")
    assert texts["same_prefix"] == "s.\n"


PARTS = st.builds(part, st.sampled_from("abcd"), st.sampled_from(SLOTS[:2]))
LISTS = st.lists(PARTS, max_size=6)


@given(LISTS, LISTS.filter(bool), LISTS)
def test_an_inserted_run_is_always_found(
    head: list[Part], run: list[Part], tail: list[Part]
) -> None:
    span = prove(made(*head, *run, *tail), made(*head, *tail))
    assert not span.b
    assert len(span.a) == len(run)


@given(LISTS, PARTS, PARTS, LISTS)
def test_a_replaced_piece_is_always_found(
    head: list[Part], one: Part, other: Part, tail: list[Part]
) -> None:
    span = compare(made(*head, one, *tail), made(*head, other, *tail))
    if one == other:
        assert span.refusal == "the two prompts are the same"
    elif one.slot != other.slot:
        assert span.refusal
    else:
        assert not span.refusal
        assert (span.a, span.b) == ((one,), (other,))


@given(LISTS, LISTS)
def test_the_cut_is_symmetric_and_whole(a: list[Part], b: list[Part]) -> None:
    there, back = compare(made(*a), made(*b)), compare(made(*b), made(*a))
    assert (there.a, there.b) == (back.b, back.a)
    assert bool(there.refusal) == bool(back.refusal)
    assert (*there.same_prefix, *there.a, *there.same_suffix) == tuple(a)
    assert (*there.same_prefix, *there.b, *there.same_suffix) == tuple(b)

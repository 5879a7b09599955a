"""Every condition for one scene, and every pair's proof, against the parts alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.prompts.compose import compose
from director_gui.prompts.library import library
from director_gui.prompts.pieces import Piece, own_variants
from director_gui.store.prompts import OwnPrompts
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    merged,
    put_condition,
    put_piece,
)
from director_gui.study.prompt_overview import Overview, overview
from tests.study.test_prompt_library import changed, full

SEES = st.lists(st.integers(0, 99), max_size=6, unique=True)


def made(own: OwnPrompts, extreme: str = "largest") -> Overview:
    return overview(merged(own), own, (5, 8), extreme)


def only_smallest() -> OwnPrompts:
    text = own_variants("r", {"smallest": "Move the tiny one.\n"})
    own = put_piece(OwnPrompts(), Piece("r", "request", text))
    own = put_condition(own, condition_row("tiny", changed(request="r")))
    return declare(own, "tiny", "move.ask")


@given(SEES, st.sampled_from(["largest", "smallest"]))
def test_every_pair_of_the_program_holds_for_every_scene(
    sees: list[int], extreme: str
) -> None:
    found = overview(library(), OwnPrompts(), sees, extreme)
    assert not found.failed
    assert len(found.pairs) == len(library().pairs)
    for pair in found.pairs:
        assert pair.refusal == ""
        assert not pair.own
        assert pair.span is not None
        # Read back: what the span leaves out of each side gives its very bytes.
        texts = pair.span.texts()
        for name, side in ((pair.first, "a"), (pair.second, "b")):
            whole = texts["same_prefix"] + texts[side] + texts["same_suffix"]
            assert whole.encode() == b"".join(found.prompts[name].turns)


def test_prompts_are_what_is_composed() -> None:
    found = made(full())
    for condition in merged(full()).conditions:
        assert found.prompts[condition.name] == compose(condition, (5, 8), "largest")


def test_own_pairs_are_marked_with_their_family() -> None:
    own = {(p.first, p.second): p.family for p in made(full()).pairs if p.own}
    assert own == {
        ("move.ask.2", "move.plain"): "wording",
        ("move.ask.2", "move.ask"): "",
    }


def test_a_broken_pair_says_why_and_hides_no_other() -> None:
    found = made(declare(full(), "big", "move.plain"))
    broken = [pair for pair in found.pairs if pair.refusal]
    assert [(pair.first, pair.second) for pair in broken] == [("big", "move.plain")]
    assert "more than one piece" in broken[0].refusal


@pytest.mark.parametrize(("extreme", "fails"), [("largest", True), ("smallest", False)])
def test_a_condition_without_words_for_the_request_fails_alone(
    extreme: str, *, fails: bool
) -> None:
    found = made(only_smallest(), extreme)
    assert ("tiny" in found.failed) == fails
    assert ("tiny" in found.prompts) != fails
    assert len(found.prompts) == len(library().conditions) + (not fails)
    (pair,) = found.pairs_of("tiny")
    assert bool(pair.refusal) == fails
    assert (pair.span is None) == fails


def test_pairs_are_found_from_either_side() -> None:
    found = made(full())
    assert found.between("move.plain", "move.ask.2") == found.between(
        "move.ask.2", "move.plain"
    )
    assert found.between("big", "mean.ask") is None
    assert {pair.other("move.ask.2") for pair in found.pairs_of("move.ask.2")} == {
        "move.plain",
        "move.ask",
    }

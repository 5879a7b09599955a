"""A condition is its pieces in the order of the slots, in one or two turns."""

from dataclasses import replace

import pytest

from director_gui.errors import UserError
from director_gui.prompts.conditions import Condition
from director_gui.prompts.library import library
from director_gui.prompts.pieces import SLOTS, FixedText, Piece

SETTING = Piece("setting", "setting", FixedText(b"A table.\n"))
SEE = Piece("see", "report", FixedText(b'Which? "visible"\n'), "visible")
AGAIN = Piece("again", "report_after", FixedText(b'Which? "visible"\n'), "visible")
MOVE = Piece("move", "action", FixedText(b'Move? "choice"\n'), "choice")


def test_slots_name_every_slot() -> None:
    slots = Condition("mine", "move", (SETTING, MOVE)).slots
    assert tuple(slots) == SLOTS
    assert slots["setting"] is SETTING
    assert slots["report"] is None


def test_keys_follow_the_questions() -> None:
    assert Condition("m", "move", (SETTING, SEE, MOVE)).keys == (("visible", "choice"),)
    assert Condition("m", "move", (MOVE, AGAIN)).keys == (("choice", "visible"),)
    two = Condition("m", "move", (SETTING, SEE, MOVE), turns=2)
    assert two.keys == (("visible",), ("choice",))


@pytest.mark.parametrize(
    ("pieces", "turns", "why"),
    [
        ((MOVE, SEE), 1, "do not follow the slots"),
        ((SEE, SEE, MOVE), 1, "do not follow the slots"),
        ((SEE, MOVE, AGAIN), 1, "one key twice"),
        ((SETTING,), 1, "asks for nothing"),
        ((SETTING, MOVE), 2, "asks for nothing"),
        ((SEE, MOVE), 3, "1 or 2"),
        ((SEE, MOVE), 0, "1 or 2"),
    ],
)
def test_refused_conditions(pieces: tuple[Piece, ...], turns: int, why: str) -> None:
    with pytest.raises(UserError, match=why) as caught:
        Condition("mine", "move", pieces, turns)
    assert caught.value.where == "mine"


def test_two_turns_share_the_reply_format() -> None:
    first, second = library().condition("move.first_turn").turn_pieces
    assert [p.slot for p in first] == ["setting", "report", "reply_format"]
    assert [p.slot for p in second] == ["request", "action", "reply_format"]


def test_base_of_a_batch() -> None:
    bases = {c.name: c.base for c in library().conditions}
    assert bases["mean.count"] == "mean.ask"
    assert {bases[n] for n in ("move.plain", "want.ask", "youwill.plain")} == {
        "move.ask"
    }


def test_version_changes_with_any_byte_and_with_nothing_else() -> None:
    one = Condition("one", "move", (SETTING, SEE, MOVE))
    assert Condition("two", "mean", one.pieces).version == one.version
    assert replace(one, turns=2).version != one.version
    assert replace(one, pieces=(SETTING, MOVE)).version != one.version
    longer = replace(SEE, text=FixedText(b'Which?? "visible"\n'))
    assert replace(one, pieces=(SETTING, longer, MOVE)).version != one.version


def test_versions_of_the_library_are_all_different() -> None:
    versions = [c.version for c in library().conditions]
    assert len(set(versions)) == len(versions) == 21

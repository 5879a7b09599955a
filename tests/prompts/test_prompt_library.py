"""The library holds the method's table, and takes a user's additions."""

import pytest

from director_gui.errors import UserError
from director_gui.prompts.library import Library, library, read_library
from director_gui.prompts.pieces import FixedText, Given, Piece

MOVES = (
    "ask plain count state after first_turn first_turn_count knows both.ask both.plain"
    " knowledge.ask reference.ask padding.ask"
)
TABLE = {
    *(f"mean.{form}" for form in ("ask", "plain", "count", "state")),
    *(f"move.{form}" for form in MOVES.split()),
    *(f"{a}.{form}" for a in ("want", "youwill") for form in ("ask", "plain")),
}


def declared() -> set[tuple[str, str]]:
    """METHOD's sentence on declared pairs, written out a second time."""
    same = ("ask/plain", "count/plain", "state/plain", "state/ask")
    move = (
        "after/plain",
        "first_turn/plain",
        "first_turn/first_turn_count",
        "knows/plain",
        "knows/ask",
        "both.ask/both.plain",
        "both.ask/ask",
        "both.plain/plain",
        "knowledge.ask/ask",
        "reference.ask/ask",
        "padding.ask/ask",
        "both.ask/padding.ask",
    )
    found = [(f"{a}.", f"{a}.", pair) for a in ("mean", "move") for pair in same]
    found += [("move.", "move.", pair) for pair in move]
    for word in ("want.", "youwill."):
        found.append((word, word, "ask/plain"))
        found += [(word, "move.", pair) for pair in ("ask/ask", "plain/plain")]
    found += [("move.", "mean.", pair) for pair in ("ask/ask", "plain/plain")]
    return {(a + pair.split("/")[0], b + pair.split("/")[1]) for a, b, pair in found}


def text(piece: str) -> str:
    found = library().piece(piece).text
    assert isinstance(found, FixedText)
    return found.data.decode()


def test_all_conditions_of_the_method_are_there() -> None:
    names = [c.name for c in library().conditions]
    assert set(names) == TABLE
    assert len(names) == len(TABLE) == 21


def test_all_pairs_of_the_method_are_declared() -> None:
    assert set(library().pairs) == declared()
    assert len(library().pairs) == len(declared()) == 28


def test_only_the_first_turn_conditions_have_two_turns() -> None:
    two = {c.name for c in library().conditions if c.turns == 2}
    assert two == {"move.first_turn", "move.first_turn_count"}


@pytest.mark.parametrize("slot", ["setting", "request", "reply_format"])
def test_setting_request_and_reply_format_are_the_same_everywhere(slot: str) -> None:
    assert len({c.slots[slot] for c in library().conditions}) == 1


def test_wording_that_the_paper_fixes() -> None:
    assert "Which number does the director want you to move?" in text("want")
    assert "the block that you will move" in text("youwill")
    assert "the block that you will move" not in text("move")
    request = {
        extreme: library().piece("request").part(Given((), extreme)).data.decode()
        for extreme in ("largest", "smallest")
    }
    assert "the largest block" in request["largest"]
    assert request["largest"].replace("largest", "smallest") == request["smallest"]


def test_combined_clause_is_both_clauses_and_padding_is_as_long() -> None:
    assert text("both") == text("knowledge") + text("reference")
    assert len(text("padding").encode()) == len(text("both").encode())
    for word in ("director", "see", "sight", "know", "view", "hid"):
        assert word not in text("padding")


def test_question_after_the_request_is_the_same_question() -> None:
    assert text("see_after") == text("see")


def test_reply_format_names_no_key() -> None:
    assert '"' not in text("reply_format")
    assert "one JSON object" in text("reply_format")


def test_questions_stand_on_one_line() -> None:
    for piece in library().pieces:
        if piece.key and isinstance(piece.text, FixedText):
            assert piece.text.data.count(b"\n") == 1


def test_unknown_names_say_what_to_do() -> None:
    with pytest.raises(UserError, match="prompts list"):
        library().condition("move.nothing")
    with pytest.raises(UserError, match="no piece"):
        library().piece("nothing")


MINE = b"""
[pieces.taste]
slot = "constraint"

[defaults]
setting = "setting"
request = "request"
reply_format = "reply_format"

[conditions]
"mine.ask" = { action = "move", report = "see", constraint = "taste" }

[pairs]
declared = [["mine.ask", "move.ask"]]
"""


def test_a_user_adds_to_the_library() -> None:
    added = read_library(MINE, {"taste": b"Blocks have no taste.\n"}, library())
    assert added.condition("mine.ask").keys == (("visible", "choice"),)
    assert added.pairs[-1] == ("mine.ask", "move.ask")
    assert len(library().conditions) == 21, "the program's own library is untouched"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ((b"[pieces.taste]", b"[pieces.see]"), "taken"),
        ((b'"mine.ask" =', b'"move.ask" ='), "taken"),
        ((b'"move.ask"]]', b'"move.ask"], ["mine.ask", "move.ask"]]'), "taken"),
        ((b'"move.ask"]]', b'"move.nothing"]]'), "no condition"),
        ((b'"move.ask"]]', b"]]"), "names two"),
        ((b'constraint = "taste"', b'constraint = "smell"'), "no piece"),
        ((b'constraint = "taste"', b'constrain = "taste"'), "unknown"),
        ((b'constraint = "taste"', b"turns = 4"), "1 or 2"),
        ((b'constraint = "taste"', b"turns = true"), "1 or 2"),
        ((b'slot = "constraint"', b'slot = "report"'), "fills the slot"),
        ((b'slot = "constraint"', b'slot = "constraint"\nsize = 3'), "unknown"),
        ((b'slot = "constraint"', b'slot = "constraint"\nfile = "gone"'), "missing"),
        ((b'slot = "constraint"', b'slot = "report"\nsees = {head = "x"}'), "missing"),
        ((b'slot = "constraint"', b'slot = "request"\nextremes = 3'), "a table"),
        ((b"[pairs]", b"[pears]"), "unknown"),
        ((b"[pairs]", b"[pairs"), "TOML"),
        ((b"[pairs]", b"\xff"), "TOML"),
        ((b"[pairs]", b"a = " + b"9" * 5000 + b"\n[pairs]"), "TOML"),
        ((b"[pairs]", b"a = " + b"[" * 5000), "TOML"),
    ],
)
def test_refused_additions(change: tuple[bytes, bytes], why: str) -> None:
    assert change[0] in MINE
    data = MINE.replace(*change, 1)
    with pytest.raises(UserError, match=why):
        read_library(data, dict.fromkeys(("taste", "see"), b"No taste.\n"), library())


def test_tables_must_be_tables() -> None:
    with pytest.raises(UserError, match="a table"):
        read_library(b"pieces = 3\n", {})
    with pytest.raises(UserError, match="a table"):
        read_library(b"[conditions]\nx = 3\n", {})


def test_an_empty_file_is_an_empty_library() -> None:
    assert read_library(b"", {}) == Library()


def test_additions_are_refused_when_the_name_is_taken() -> None:
    piece = Piece("see", "report", FixedText(b"Else.\n"))
    with pytest.raises(UserError, match="taken"):
        library().with_piece(piece)
    with pytest.raises(UserError, match="taken"):
        library().with_condition(library().condition("move.ask"))

"""A study's own prompts: merged, edited, frozen when used, out to TOML and back."""

import json
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.prompts.library import Library, library
from director_gui.prompts.pairing import PairRefusedError
from director_gui.prompts.pieces import (
    ExtremeText,
    FixedText,
    Given,
    Piece,
    SeesText,
    own_variants,
)
from director_gui.scene.example import example_scene
from director_gui.store.database import Study, create_study
from director_gui.store.prompts import OwnPair, OwnPrompts, own_prompts
from director_gui.study import prompt_library as own_library
from director_gui.study.asking import keep_conditions, prompts_for, prove_pairs
from director_gui.study.practice import Practice
from director_gui.study.prompt_files import UnseenError, export_toml, import_toml
from director_gui.study.prompt_library import (
    Frozen,
    condition_row,
    declare,
    families,
    frozen,
    keep,
    merged,
    next_name,
    put_condition,
    put_in_family,
    put_piece,
    slots_of,
    study_library,
    withdraw,
    without_condition,
    without_piece,
)
from director_gui.study.scored import scored_replies
from tests.probe_runs import answered, stored

NONE = OwnPrompts()
SEE = Piece(
    "see.2", "report", FixedText(b'What is seen? Say it under "visible".\n'), "visible"
)
BIG = Piece(
    "request.big",
    "request",
    own_variants(
        "request.big",
        {"largest": "Move the big one.\n", "smallest": "Move the tiny.\n"},
    ),
)


def changed(**slots: str | None) -> dict[str, str | None]:
    return {**slots_of(library().condition("move.ask")), **slots}


def full() -> OwnPrompts:
    """Two pieces, two conditions, and two pairs in a family and out of one."""
    own = put_piece(put_piece(NONE, SEE, "see"), BIG, "request")
    own = put_condition(
        own, condition_row("move.ask.2", changed(report="see.2"), 1, "move.ask")
    )
    own = put_condition(own, condition_row("big", changed(request="request.big"), 2))
    own = declare(own, "move.ask.2", "move.plain", "wording")
    return declare(own, "move.ask.2", "move.ask")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Study]:
    with create_study(tmp_path / "a.study", "a") as made:
        yield made


class TestMerging:
    def test_without_a_study_it_is_the_programs(self) -> None:
        assert study_library(None) == library()
        assert merged(NONE) == library()

    def test_a_studys_own_come_after_the_programs(self, study: Study) -> None:
        keep(study, full())
        known = study_library(study)
        assert known.pieces == (*library().pieces, SEE, BIG)
        assert [c.name for c in known.conditions][-2:] == ["move.ask.2", "big"]
        assert known.pairs[-2:] == (
            ("move.ask.2", "move.plain"),
            ("move.ask.2", "move.ask"),
        )

    def test_a_change_shows_at_once_and_the_same_is_made_once(
        self, study: Study
    ) -> None:
        before = study_library(study)
        assert study_library(study) is before
        keep(study, put_piece(NONE, SEE))
        assert study_library(study).piece("see.2") == SEE

    def test_an_own_condition_can_be_asked_and_proved(self) -> None:
        known = merged(full())
        scene = example_scene()
        names = ("move.ask.2", "move.plain", "big")
        prompts = prompts_for(scene, truth_of(scene), names, known)
        (pair,) = prove_pairs(prompts, known)
        assert pair.span.slot == "report"
        assert pair.span.texts()["a"].startswith("What is seen?")
        assert "Move the big one." in prompts["big"].texts[1]

    def test_a_pair_that_breaks_cannot_run(self) -> None:
        own = declare(full(), "big", "move.plain")
        scene = example_scene()
        known = merged(own)
        prompts = prompts_for(scene, truth_of(scene), ("big", "move.plain"), known)
        with pytest.raises(PairRefusedError, match="more than one piece"):
            prove_pairs(prompts, known)

    def test_the_base_joins_own_conditions(self) -> None:
        own = put_condition(NONE, condition_row("m", changed(action="mean")))
        assert merged(own).condition("m").base == "mean.ask"
        assert merged(full()).condition("big").base == "move.ask"


class TestEdits:
    def test_an_own_piece_is_replaced_in_its_place(self) -> None:
        other = replace(SEE, text=FixedText(b'Seen? "visible".\n'))
        own = put_piece(full(), other, "see")
        assert [row.name for row in own.pieces] == ["see.2", "request.big"]
        assert merged(own).condition("move.ask.2").slots["report"] == other

    def test_a_change_of_a_piece_makes_another_version(self) -> None:
        other = replace(SEE, text=FixedText(b'Seen? "visible".\n'))
        versions = {
            merged(own).condition("move.ask.2").version
            for own in (full(), put_piece(full(), other, "see"))
        }
        assert len(versions) == 2

    @pytest.mark.parametrize("name", ["see", "both", "reply_format"])
    def test_a_built_in_piece_is_not_replaced(self, name: str) -> None:
        with pytest.raises(UserError, match="taken"):
            put_piece(NONE, replace(SEE, name=name))

    def test_a_built_in_condition_is_not_replaced(self) -> None:
        with pytest.raises(UserError, match="taken"):
            put_condition(NONE, condition_row("move.ask", changed()))

    @pytest.mark.parametrize(
        "name", ["", " a", "a b", "ä", "a\n", ".a", "a/b", "a" * 61]
    )
    def test_odd_names_are_refused(self, name: str) -> None:
        with pytest.raises(UserError, match="name"):
            put_piece(NONE, replace(SEE, name=name))

    def test_a_piece_that_its_conditions_cannot_use_is_refused(self) -> None:
        elsewhere = Piece("see.2", "constraint", FixedText(b"Look.\n"))
        with pytest.raises(UserError, match=r"move\.ask\.2 uses it in another"):
            put_piece(full(), elsewhere)

    def test_a_used_piece_is_not_deleted(self) -> None:
        with pytest.raises(UserError, match=r"used by move\.ask\.2"):
            without_piece(full(), "see.2")
        own = without_condition(full(), "move.ask.2")
        assert "see.2" not in [p.name for p in without_piece(own, "see.2").pieces]

    def test_a_condition_takes_its_pairs_along(self) -> None:
        own = without_condition(full(), "move.ask.2")
        assert own.pairs == ()
        assert [row.name for row in own.conditions] == ["big"]

    def test_what_is_built_in_stays(self) -> None:
        for act in (
            lambda: without_piece(NONE, "see"),
            lambda: without_condition(NONE, "move.ask"),
            lambda: withdraw(NONE, "move.ask", "move.plain"),
        ):
            with pytest.raises(UserError, match="stays"):
                act()

    def test_pairs_are_declared_once_and_withdrawn(self) -> None:
        own = full()
        with pytest.raises(UserError, match="taken"):
            declare(own, "move.ask.2", "move.plain")
        with pytest.raises(UserError, match="taken"):
            declare(own, "move.ask", "move.plain")
        with pytest.raises(UserError, match="two conditions"):
            declare(own, "big", "big")
        with pytest.raises(UserError, match="no condition"):
            declare(own, "big", "nothing")
        assert len(withdraw(own, "move.ask.2", "move.plain").pairs) == 1

    def test_families_hold_their_pairs(self) -> None:
        own = declare(full(), "big", "move.ask", " wording ")
        assert families(own) == {
            "wording": (("move.ask.2", "move.plain"), ("big", "move.ask"))
        }

    def test_a_pair_moves_to_another_family_in_its_place(self) -> None:
        own = put_in_family(full(), "move.ask.2", "move.plain", " remedy ")
        assert own.pairs == (
            OwnPair("move.ask.2", "move.plain", "remedy"),
            OwnPair("move.ask.2", "move.ask"),
        )
        with pytest.raises(UserError, match="stays"):
            put_in_family(own, "move.ask", "move.plain", "x")

    def test_suggested_names_are_free(self) -> None:
        assert next_name("see", ["see"]) == "see.2"
        assert next_name("see.2", ["see", "see.2", "see.3"]) == "see.4"
        assert next_name("move.ask", ["move.ask.2"]) == "move.ask.3"


class TestFreezing:
    def test_nothing_is_frozen_before_a_run(self, study: Study) -> None:
        keep(study, full())
        keep_conditions(study, ["move.ask.2"], study_library(study))
        assert frozen(study) == Frozen()
        assert frozen(None) == Frozen()

    @pytest.fixture
    def ran(self, study: Study) -> Study:
        """A study in which `move.ask.2` was run."""
        keep(study, full())
        with Practice() as practice:
            stored(study, practice, conditions=("move.ask.2", "move.plain"))
        return study

    def test_what_a_run_used_is_frozen(self, ran: Study) -> None:
        used = frozen(ran)
        assert {"move.ask.2", "move.plain", "move.ask"} == used.conditions
        assert {"see.2", "see", "setting"} <= used.pieces
        assert "request.big" not in used.pieces

    def test_a_used_piece_keeps_its_text(self, ran: Study) -> None:
        other = replace(SEE, text=FixedText(b'Seen? "visible".\n'))
        with pytest.raises(UserError, match="piece was used in a run and is frozen"):
            keep(ran, put_piece(own_prompts(ran), other, "see"))
        assert study_library(ran).piece("see.2") == SEE

    def test_a_used_condition_stays_as_it_is(self, ran: Study) -> None:
        own = own_prompts(ran)
        for change in (
            without_condition(own, "move.ask.2"),
            put_condition(own, condition_row("move.ask.2", changed(report="count"))),
        ):
            with pytest.raises(UserError, match="condition was used"):
                keep(ran, change)

    def test_an_edit_under_a_new_name_and_the_unused_may_change(
        self, ran: Study
    ) -> None:
        own = put_piece(own_prompts(ran), replace(SEE, name="see.3"), "see.2")
        own = without_piece(without_condition(own, "big"), "request.big")
        own = withdraw(own, "move.ask.2", "move.plain")
        keep(ran, own)
        assert own_prompts(ran) == own

    def test_a_copy_with_the_same_pieces_is_frozen_under_its_own_name(
        self, study: Study
    ) -> None:
        own = put_condition(NONE, condition_row("copy", changed(), 1, "move.ask"))
        keep(study, own)
        with Practice() as practice:
            stored(study, practice, conditions=("move.ask",))
            stored(study, practice, conditions=("copy",))
        assert "copy" in frozen(study).conditions
        with pytest.raises(UserError, match="condition was used"):
            keep(study, without_condition(own, "copy"))

    def test_an_own_condition_is_answered_and_scored(self, study: Study) -> None:
        sees = 'Which blocks does the director see? List them under "visible".\n'
        own = put_piece(full(), replace(SEE, text=FixedText(sees.encode())), "see")
        keep(study, own)
        with Practice() as practice:
            run = answered(study, practice, conditions=("move.ask.2", "move.plain"))
        replies = [
            one
            for one in scored_replies(study, run.id)
            if one.reply.call.condition == "move.ask.2"
        ]
        assert len(replies) == 2
        for one in replies:
            assert one.score is not None
            assert one.score.status == "answered"
            assert one.score.visible is not None

    def test_a_refused_value_is_not_kept(self, study: Study) -> None:
        bad = replace(full(), pieces=())
        with pytest.raises(UserError, match="no piece"):
            keep(study, bad)
        assert own_prompts(study) == NONE


TEXTS = st.lists(
    st.text(
        st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Z"]), min_size=1
    ),
    min_size=1,
    max_size=3,
).map(lambda lines: "\n".join(lines) + "\n")


class TestFiles:
    def test_out_and_back_is_the_same(self) -> None:
        back = import_toml(export_toml(full()), NONE)
        assert back.own == full()
        assert back.added == (2, 2, 2)
        assert str(back) == "Added 2 pieces, 2 conditions, 2 pairs"

    def test_an_empty_study_writes_a_file_that_adds_nothing(self) -> None:
        assert import_toml(export_toml(NONE), full()).own == full()

    def test_the_same_file_twice_adds_nothing(self) -> None:
        assert import_toml(export_toml(full()), full()).added == (0, 0, 0)

    def test_texts_stand_in_the_file_as_lines(self) -> None:
        text = export_toml(full()).decode()
        assert '\nWhat is seen? Say it under "visible".\n' in text
        tables = tomllib.loads(text)
        assert (
            tables["pieces"]["request.big"]["texts"]["smallest"] == "Move the tiny.\n"
        )

    @given(TEXTS, st.text(max_size=5))
    def test_any_text_comes_back(self, text: str, family: str) -> None:
        try:
            own = put_piece(NONE, Piece("p", "setting", FixedText(text.encode())))
        except UserError:
            return  # no clean lines: a test of pieces
        own = put_condition(own, condition_row("c", changed(setting="p")))
        own = declare(own, "c", "move.ask", family)
        assert import_toml(export_toml(own), NONE).own == own

    def test_awkward_signs_come_back(self) -> None:
        text = 'a "\\ """b""" \\u0041 #\'\'\'\n{x} %s "'.replace(" \n", "\n") + "\n"
        for data in (text, 'x""""\n', '"""""""\n', "\\n\\\n"):
            own = put_piece(NONE, Piece("p", "setting", FixedText(data.encode())))
            assert import_toml(export_toml(own), NONE).own == own

    def test_what_was_meant_comes_back_and_is_not_mended(self) -> None:
        # Another lab must be able to send the very bytes that a run has used.
        text = "Say “largest” — l\u0430rgest, no\u00a0break, zero\u200bwidth.\n"
        own = put_piece(NONE, Piece("p", "setting", FixedText(text.encode())))
        data = export_toml(own)
        assert b"\\u201Clargest\\u201D \\u2014 l\\u0430rgest" in data
        assert import_toml(data, NONE).own == own
        # The same sign as itself can be an editor's: then all of them are told.
        with pytest.raises(UnseenError, match="curly quote") as caught:
            import_toml(data.replace(b"\\u201C", "“".encode()), NONE)
        assert len(caught.value.found) == 1

    def test_letters_at_home_stand_as_they_are(self) -> None:
        text = "Какой блок самый большой?\n"
        own = put_piece(NONE, Piece("p", "setting", FixedText(text.encode())))
        data = export_toml(own)
        assert text in data.decode()
        assert import_toml(data, NONE).own == own

    def test_a_statement_comes_back(self) -> None:
        sees = SeesText(b"Seen: ", b" and ", b"nothing", b".\n")
        own = put_piece(NONE, Piece("said", "report", sees))
        back = import_toml(export_toml(own), NONE).own
        made = merged(back).piece("said").part(Given((2, 5), "largest"))
        assert made.data == b"Seen: 2 and 5.\n"
        assert back == own

    def test_windows_ends_and_a_mark_of_the_file_are_told(self) -> None:
        data = b"\xef\xbb\xbf" + export_toml(full()).replace(b"\n", b"\r\n")
        with pytest.raises(UnseenError, match="byte order mark") as caught:
            import_toml(data, NONE)
        assert any("CRLF" in word for word in caught.value.found)
        back = import_toml(data, NONE, mend=True)
        assert back.own == full()
        assert len(back.mended) == 2

    def test_slipped_in_characters_are_told_with_their_place_and_mended(self) -> None:
        data = export_toml(full()).replace(b'"visible".', "“visible”.\u00a0".encode())
        with pytest.raises(UnseenError) as caught:
            import_toml(data, NONE)
        assert "see.2, line 1, column 28: curly quote" in caught.value.found[0]
        assert import_toml(data, NONE, mend=True).own == full()

    def test_a_text_may_leave_out_its_last_line_end(self) -> None:
        data = b'[pieces.p]\nslot = "constraint"\ntext = "Look."\n'
        found = merged(import_toml(data, NONE).own).piece("p").text
        assert found == FixedText(b"Look.\n")

    def test_a_name_that_stands_for_something_else_is_refused(self) -> None:
        for data in (
            b'[pieces.see]\nslot="report"\nkey="visible"\ntext = "Look \\"visible\\""',
            b'[conditions."move.ask"]\naction = "move"\n',
        ):
            with pytest.raises(UserError, match="something else here"):
                import_toml(data, NONE)

    @pytest.mark.parametrize(
        ("data", "what"),
        [
            (b"\xff", "not a TOML"),
            (b"= 1", "not a TOML"),
            (b"a = " + b"9" * 5000, "not a TOML"),
            (b"a = " + b"[" * 5000, "not a TOML"),
            (b"x = 1", "unknown"),
            (b"pieces = 1", "expected a table"),
            (b"pairs = 1", "pairs"),
            (b"pairs = [1]", "expected a table"),
            (b"[pieces]\np = 1", "expected a table"),
            (b"[pieces.p]\nx = 1", "unknown"),
            (b"[pieces.p]\nslot = 'setting'", "one of text"),
            (b"[pieces.p]\nslot = 'setting'\ntext = 1", "must be a text"),
            (b"[pieces.p]\nslot = 'setting'\ntexts = 1", "expected a table"),
            (b"[pieces.p]\nslot = 'nowhere'\ntext = 'a'", "no slot"),
            (b"[pieces.p]\nslot = 'setting'\nsees = {head = 'a'}", "cannot be read"),
            (b"[pieces.p]\nslot = 'setting'\nkey = 1\ntext = 'a'", "key"),
            (b"[pieces.p]\nslot = 'report'\nkey = 'x'\ntext = 'a'", "no key"),
            (b"[conditions.c]\naction = 'nothing'", "no piece"),
            (b"[conditions.c]\naction = 'see'", "another slot"),
            (b"[conditions.c]\naction = 'move'\nturns = 3", "turns"),
            (b"[conditions.c]\naction = 'move'\nturns = true", "turns"),
            (b"[conditions.c]\nsetting = 'setting'", "asks for nothing"),
            (b"[[pairs]]\nfirst = 'move.ask'", "no condition"),
        ],
    )
    def test_a_bad_file_says_why_and_adds_nothing(self, data: bytes, what: str) -> None:
        with pytest.raises(UserError, match=what):
            import_toml(data, NONE)


def test_every_kind_of_text_can_be_read_back_from_a_row() -> None:
    kinds = {FixedText: False, SeesText: False, ExtremeText: False}
    for piece in library().pieces:
        own = put_piece(NONE, replace(piece, name=f"{piece.name}.2"), piece.name)
        assert json.loads(own.pieces[0].text)
        back = own_library.piece_of(own.pieces[0])
        for given_ in (Given((), "largest"), Given((3, 7), "smallest")):
            assert back.part(given_).data == piece.part(given_).data
        kinds[type(piece.text)] = True
    assert all(kinds.values())


def test_the_programs_library_is_never_changed() -> None:
    before = library()
    merged(full())
    assert library() is before
    assert isinstance(before, Library)

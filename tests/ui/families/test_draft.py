"""A family's text as the one truth: replaced spans, one history, units of Qt."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.families import library
from director_gui.study.family_text import finder
from director_gui.ui.families.draft import Draft, _shared, _units

pytestmark = pytest.mark.gui
MAIN = library.built_in("main").text
# What QTextDocument keeps as it is: no other line ends, no zero, no lone surrogates.
texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]))
lines = st.lists(texts, max_size=5).map("\n".join)


@pytest.fixture
def draft(qtbot: QtBot) -> Iterator[Draft]:
    del qtbot
    made = Draft(finder(None))
    yield made
    made.deleteLater()


class TestReplacing:
    @pytest.mark.usefixtures("qapp")
    @settings(max_examples=60, deadline=None)
    @given(lines, lines)
    def test_any_text_becomes_any_other_and_back_again(
        self, old: str, new: str
    ) -> None:
        draft = Draft(finder(None))
        draft.open("x", old, editable=True)
        draft.replace(new)
        assert draft.text == new
        if new != old:
            draft.document.undo()
        assert draft.text == old
        draft.deleteLater()

    def test_only_what_differs_is_touched(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        touched: list[tuple[int, int, int]] = []
        draft.document.contentsChange.connect(lambda *how: touched.append(how))
        draft.replace(MAIN.replace("gap = 0.03 ", "gap = 0.05 "))
        ((at, removed, added),) = touched
        assert (removed, added) == (1, 1)
        assert MAIN[at] == "3"

    def test_a_space_that_does_not_break_stays_one(self, draft: Draft) -> None:
        text = MAIN.replace('about = "', 'about = "18\u00a0cm: ')
        draft.open("main", text, editable=True)
        assert draft.text == text
        assert draft.family is not None
        assert draft.family.about.startswith("18\u00a0cm")

    def test_the_same_text_is_no_step(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        draft.replace(MAIN)
        assert not draft.document.isUndoAvailable()

    @given(st.text(), st.text())
    def test_what_two_texts_share_is_all_they_share(self, a: str, b: str) -> None:
        n = _shared(a, b)
        assert a[:n] == b[:n]
        assert n == min(len(a), len(b)) or a[n] != b[n]

    def test_qt_counts_what_is_beyond_the_first_plane_twice(self) -> None:
        assert [_units(text) for text in ("", "a", "é", "🧊", "a🧊b")] == [
            0,
            1,
            1,
            2,
            4,
        ]


class TestReading:
    def test_a_text_is_read_when_it_is_opened(self, draft: Draft) -> None:
        told: list[int] = []
        draft.changed.connect(lambda: told.append(1))
        draft.open("main", MAIN, editable=False)
        assert draft.family == library.family("main")
        assert draft.error is None
        assert told == [1]

    def test_typing_is_read_after_a_rest_and_once(
        self, qtbot: QtBot, draft: Draft
    ) -> None:
        draft.open("main", MAIN, editable=True)
        told: list[int] = []
        draft.changed.connect(lambda: told.append(1))
        for gap in ("0.04", "0.05", "0.06"):
            draft.replace(MAIN.replace("0.03", gap, 1))
        assert told == []
        qtbot.waitUntil(lambda: told == [1])
        assert draft.family is not None
        assert draft.family.blocks.gap == 0.06

    def test_a_broken_text_has_an_error_and_no_family(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        draft.replace(MAIN.replace("count = 160", "count = 0"))
        draft.read()
        assert draft.family is None
        assert draft.error is not None
        assert draft.error.where == "count"

    def test_opening_another_forgets_the_history(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        draft.replace(MAIN + "# more")
        assert draft.document.isUndoAvailable()
        draft.open("rotated", library.built_in("rotated").text, editable=True)
        assert not draft.document.isUndoAvailable()

    def test_what_it_rearranges_is_found(self, draft: Draft) -> None:
        draft.open("r", library.built_in("rearranged").text, editable=False)
        assert draft.family is not None
        assert draft.family.rearranges == "main"


class TestPutting:
    def test_a_value_is_put_and_read_at_once(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        assert draft.put("blocks.gap", 0.05) is None
        assert draft.family is not None
        assert draft.family.blocks.gap == 0.05
        assert "# room between any two things" in draft.text

    @pytest.mark.parametrize(
        ("path", "value", "where"),
        [
            ("blocks.gap", 7, "blocks.gap"),
            ("count", 0, "count"),
            ("partitions[0].width", [3, 1], "partitions[0].width"),
            ("partitions[7].width", 1, "partitions[7].width"),
        ],
    )
    def test_what_is_refused_leaves_the_text(
        self, draft: Draft, path: str, value: object, where: str
    ) -> None:
        draft.open("main", MAIN, editable=True)
        error = draft.put(path, value)
        assert error is not None
        assert error.where == where
        assert draft.text == MAIN
        assert not draft.document.isUndoAvailable()

    def test_a_change_that_fails_is_handed_back(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        wrong = UserError("not now")

        def change(_text: str) -> str:
            raise wrong

        assert draft.edit(change) is wrong
        assert draft.text == MAIN

    def test_a_change_into_no_family_is_refused(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        error = draft.edit(lambda text: text.replace("[camera]", "[eye]"))
        assert error is not None
        assert draft.family == library.family("main")

    def test_several_are_undone_one_by_one(self, draft: Draft) -> None:
        draft.open("main", MAIN, editable=True)
        seen = [draft.text]
        for value in (0.04, 0.05, 0.06):
            assert draft.put("blocks.gap", value) is None
            seen.append(draft.text)
        for before in reversed(seen[:-1]):
            draft.document.undo()
            assert draft.text == before

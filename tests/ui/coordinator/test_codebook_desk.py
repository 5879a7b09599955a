"""The owner of the draft: steps of undo, when it is kept, what it forgets."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import shiboken6
from pytestqt.qtbot import QtBot

from coding.book_edits import fresh_book, minus_field
from director_gui.errors import UserError
from director_gui.store.codebooks import stored_codebooks
from director_gui.store.database import create_study
from director_gui.study.blind.codebooks import keep_codebook
from director_gui.study.blind.sealing import default_codebook
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session

WAIT = 10_000
pytestmark = pytest.mark.gui


class Bench:
    """A desk on a study of its own."""

    def __init__(self, qtbot: QtBot, path: Path) -> None:
        self._qtbot = qtbot
        self.session, self.jobs = Session(), Jobs()
        self.session.open(path)
        self.refused: list[UserError] = []
        self.desk = BookDesk(self.session, self.jobs, self.refused.append)
        self.desk.load()
        self.settle()

    def settle(self) -> None:
        self._qtbot.waitUntil(lambda: not self.jobs.busy, timeout=WAIT)

    def title(self, text: str, place: str = "title") -> None:
        """Type a title."""
        self.desk.apply(replace(self.desk.draft, title=text), "Edit codebook", place)

    def stored(self) -> list[int]:
        return [one.version for one in stored_codebooks(self.session.study)]


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    create_study(tmp_path / "a.study", "books").close()
    made = Bench(qtbot, tmp_path / "a.study")
    yield made
    made.jobs.close()
    made.session.close()
    # Here and now: garbage may be collected in a worker's thread, where Qt crashes.
    shiboken6.delete(made.desk)


def test_it_begins_with_the_programs_codebook(bench: Bench) -> None:
    assert bench.desk.draft == default_codebook()
    assert bench.desk.base is not None
    assert bench.desk.base.shipped
    assert not bench.desk.unsaved
    assert bench.desk.usable
    assert bench.desk.writable


def test_typing_on_in_one_place_is_one_step(bench: Bench) -> None:
    for text in ("A", "Ab", "Abc"):
        bench.title(text)
    assert bench.desk.undo_stack.count() == 1
    bench.title("Other", place="")  # a choice, not typing
    bench.title("Another", place="")
    assert bench.desk.undo_stack.count() == 3
    for wanted in ("Other", "Abc", default_codebook().title):
        bench.desk.undo_stack.undo()
        assert bench.desk.draft.title == wanted
    bench.desk.undo_stack.redo()
    assert bench.desk.draft.title == "Abc"


def test_typing_elsewhere_in_between_is_a_step_of_its_own(bench: Bench) -> None:
    bench.title("A")
    bench.desk.apply(replace(bench.desk.draft, intro="i"), "Edit codebook", "intro")
    bench.title("AB")
    assert bench.desk.undo_stack.count() == 3


def test_an_edit_that_changes_nothing_is_no_step(bench: Bench) -> None:
    told: list[str] = []
    bench.desk.changed.connect(lambda: told.append("changed"))
    bench.title(default_codebook().title)
    assert bench.desk.undo_stack.count() == 0
    assert told == []


def test_it_is_kept_once_it_rests(bench: Bench, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bench.desk.saved, timeout=WAIT):
        for text in ("A", "Ab", "Abc"):
            bench.title(text)
            assert bench.stored() == []  # not at every letter
    bench.settle()
    assert bench.stored() == [2]
    assert bench.desk.base is not None
    assert bench.desk.base.book.title == "Abc"
    assert not bench.desk.unsaved
    assert [one.book.version for one in bench.desk.known] == [2, 1]


def test_undo_after_it_was_kept_is_kept_as_well(bench: Bench) -> None:
    bench.title("A")
    bench.desk.save()
    bench.settle()
    assert bench.stored() == [2]
    bench.desk.undo_stack.undo()
    bench.desk.save()
    bench.settle()
    assert bench.stored() == []
    bench.desk.undo_stack.redo()
    bench.desk.save()
    bench.settle()
    assert bench.stored() == [2]


def test_what_cannot_be_used_waits_and_comes_in_mended(bench: Bench) -> None:
    whole = bench.desk.draft
    bench.desk.apply(replace(whole, fields=()), "Remove all")
    assert not bench.desk.usable
    bench.desk.save()
    assert bench.stored() == []
    assert bench.desk.unsaved
    assert bench.refused == []  # said on the page; nobody asked for more
    bench.desk.apply(minus_field(whole, 3), "Mend")
    bench.desk.save()
    bench.settle()
    assert bench.stored() == [2]


def test_versions_are_read_again_and_the_draft_stays(bench: Bench) -> None:
    bench.title("Mine")
    keep_codebook(bench.session.study, fresh_book("theirs"), None)  # by another hand
    bench.desk.load()
    bench.settle()
    assert "theirs" in [one.book.name for one in bench.desk.known]
    assert bench.desk.draft.title == "Mine"
    assert bench.desk.undo_stack.canUndo()


def test_opening_another_keeps_the_one_before(bench: Bench) -> None:
    other = keep_codebook(bench.session.study, fresh_book("other"), None)
    bench.title("Almost lost")
    bench.desk.open(other)
    bench.settle()
    assert bench.desk.draft == other.book
    titles = [one.book.title for one in bench.desk.known]
    assert "Almost lost" in titles


def test_a_discarded_version_gives_way_to_one_that_is_left(bench: Bench) -> None:
    bench.title("A")
    bench.desk.save()
    bench.settle()
    bench.desk.discard()
    bench.settle()
    bench.settle()
    assert bench.desk.draft == default_codebook()
    assert bench.stored() == []
    bench.desk.discard()  # the built-in one stays
    bench.settle()
    assert "this version stays" in bench.refused[0].what
    assert bench.desk.draft == default_codebook()


def test_a_study_that_cannot_be_written_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise UserError("the disk is full")

    monkeypatch.setattr("director_gui.ui.coordinator.codebook_desk.keep_codebook", full)
    bench.title("A")
    bench.desk.save()
    assert bench.refused[0].what == "the disk is full"
    assert bench.desk.draft.title == "A"  # still there to be kept later
    monkeypatch.undo()
    bench.desk.save()
    bench.settle()
    assert bench.stored() == [2]


def test_without_a_study_nothing_is_asked_and_nothing_breaks(qtbot: QtBot) -> None:
    session, jobs = Session(), Jobs()
    desk = BookDesk(session, jobs, lambda error: pytest.fail(str(error)))
    desk.load()
    desk.start_new("x")
    desk.save()
    desk.discard()
    desk.apply(replace(desk.draft, title="x"), "Edit")
    qtbot.waitUntil(lambda: not jobs.busy, timeout=WAIT)
    assert not desk.writable
    assert desk.known == ()
    assert desk.undo_stack.count() == 0
    jobs.close()
    session.close()


def test_news_of_a_study_that_was_left_is_not_shown(
    bench: Bench, tmp_path: Path
) -> None:
    keep_codebook(bench.session.study, fresh_book("first"), None)
    bench.desk.load()
    bench.desk.forget()
    bench.session.create(tmp_path / "b.study")  # while the job is under way
    bench.settle()
    assert "first" not in [one.book.name for one in bench.desk.known]
    bench.desk.load()
    bench.settle()
    assert [one.book.name for one in bench.desk.known] == ["reading"]

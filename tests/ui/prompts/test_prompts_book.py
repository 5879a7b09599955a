"""The book against the file: whatever is done and undone, both hold the same."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.prompts.pieces import FixedText, Piece
from director_gui.store.prompts import OwnPrompts, own_prompts
from director_gui.study.prompt_library import (
    condition_row,
    declare,
    merged,
    put_condition,
    put_piece,
    withdraw,
    without_condition,
    without_piece,
)
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.session import Session
from tests.study.test_prompt_library import changed

pytestmark = pytest.mark.gui
Edit = Callable[[OwnPrompts], OwnPrompts]


def piece(name: str, text: str) -> Edit:
    made = Piece(name, "constraint", FixedText(f"{text}\n".encode()))
    return lambda own: put_piece(own, made)


def condition(name: str, constraint: str) -> Edit:
    row = condition_row(name, changed(constraint=constraint))
    return lambda own: put_condition(own, row)


EDITS: dict[str, Edit] = {
    "write p": piece("p", "Look."),
    "rewrite p": piece("p", "Look again."),
    "write q": piece("q", "Wait."),
    "drop p": lambda own: without_piece(own, "p"),
    "use p": condition("c", "p"),
    "use q": condition("c", "q"),
    "use both": condition("d", "both"),
    "drop c": lambda own: without_condition(own, "c"),
    "pair": lambda own: declare(own, "c", "move.ask", "f"),
    "other pair": lambda own: declare(own, "d", "c"),
    "unpair": lambda own: withdraw(own, "c", "move.ask"),
}
STEPS = st.lists(st.sampled_from([*EDITS, "undo", "redo"]), max_size=25)


@pytest.mark.usefixtures("qtbot")
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(steps=STEPS)
def test_book_and_file_agree_through_any_walk(steps: list[str]) -> None:
    session = Session()
    with TemporaryDirectory() as folder:
        session.create(Path(folder) / "a.study")
        book = PromptBook(session)
        book.load()
        # The plain model of undo: a list of values and a place in it.
        values, at = [OwnPrompts()], 0
        for step in steps:
            if step == "undo":
                book.undo_stack.undo()
                at = max(0, at - 1)
            elif step == "redo":
                book.undo_stack.redo()
                at = min(len(values) - 1, at + 1)
            else:
                try:
                    new = EDITS[step](values[at])
                except UserError:
                    continue
                assert book.apply(new, step)
                if new != values[at]:
                    values, at = [*values[: at + 1], new], at + 1
            assert book.own == values[at]
            assert own_prompts(session.study) == values[at]
            assert book.library == merged(values[at])
        session.close()


def test_one_step_of_undo_a_change_with_its_name(qtbot: QtBot, tmp_path: Path) -> None:
    del qtbot
    session = Session()
    session.create(tmp_path / "a.study")
    book = PromptBook(session)
    book.load()
    heard: list[int] = []
    book.changed.connect(lambda: heard.append(1))
    book.apply(EDITS["write p"](book.own), "Write p")
    assert book.undo_stack.undoText() == "Write p"
    assert book.apply(book.own, "Nothing")
    assert book.undo_stack.count() == 1
    assert len(heard) == 1
    assert book.is_own_piece("p")
    assert book.can_change_piece("p")
    assert not book.can_change_piece("see")
    assert book.users("see_after") == ("move.after",)
    session.close()


def test_a_closed_study_is_told_and_nothing_is_lost(
    qtbot: QtBot, tmp_path: Path
) -> None:
    del qtbot
    session = Session()
    session.create(tmp_path / "a.study")
    book = PromptBook(session)
    book.load()
    refused: list[UserError] = []
    book.refused.connect(refused.append)
    session.study.close()
    assert not book.apply(EDITS["write p"](book.own), "Write p")
    assert "closed" in str(refused[0])
    assert book.own == OwnPrompts()
    assert book.undo_stack.count() == 0
    session.close()

"""What shows once a packet is open: guesses by condition, and where codes come from."""

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from coding.agreement import Coder, compare
from coding.bang import bang
from director_gui.study.blind.guessing import Guessed
from director_gui.study.blind.joining import Joined, JoinedPass
from director_gui.ui.coordinator import words
from director_gui.ui.coordinator.guess_view import GuessView
from director_gui.ui.coordinator.joined_view import JoinedView

pytestmark = pytest.mark.gui
ASK = Guessed("ann", "move.ask", asked=True, index=bang(6, 2, 2))
PLAIN = Guessed("ann", "move.plain", asked=False, index=bang(0, 5, 0))


@pytest.fixture
def view(qtbot: QtBot) -> GuessView:
    made = GuessView()
    qtbot.addWidget(made)
    return made


def test_each_condition_has_its_row_and_interval(view: GuessView) -> None:
    view.show_guesses([ASK, PLAIN])
    _, first, second = view.table.texts()
    assert first == ["move.ask\nann", "6", "2", "2", "0.40", "−0.10 to 0.90"]
    assert second[4:] == ["−1.00", "–"]
    assert view.notes.text() == "move.plain, ann: no interval: 5 answers, all wrong"


def test_without_guesses_there_is_nothing_to_see(view: GuessView) -> None:
    view.show_guesses([ASK])
    view.show_guesses([])
    assert view.isHidden()
    assert view.table.rowCount() == 0


def test_no_note_is_no_empty_line(view: GuessView) -> None:
    view.show_guesses([ASK])
    assert view.notes.isHidden()


def test_joined_codes_name_their_sources(qtbot: QtBot) -> None:
    made = JoinedView()
    qtbot.addWidget(made)
    sources = {"agreed": 30, "adjudicated": 5, "open": 1}
    passes = (
        JoinedPass("ann", practice=False, late=2, known_right=None, arms=()),
        JoinedPass(
            "agreed or adjudicated",
            practice=False,
            late=0,
            known_right=None,
            arms=(),
            sources=sources,
        ),
    )
    made.show_joined(Joined("f", "Field", (), {}, passes, practice=False))
    titles = [label.text() for label in made.findChildren(QLabel)]
    assert "ann · 2 later events left out" in titles
    assert "agreed or adjudicated · 30 agreed · 5 adjudicated · 1 open" in titles


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({"1": "a", "2": "b"}, {"1": "a", "2": "b"}, "2 of 2 items that came twice"),
        ({"1": "a", "2": "a"}, {"1": "a", "2": "a"}, "with the same code"),
    ],
)
def test_how_steady_a_coder_is_in_words(
    first: dict[str, str], second: dict[str, str], said: str
) -> None:
    pair = compare(Coder("ann", first), Coder("ann, second time", second), ("a", "b"))
    text = words.within(pair)
    assert text.startswith("ann: ")
    assert said in text
    # One and the same code throughout has no kappa, so none is told.
    assert ("κ" in text) == (pair.kappa.value is not None)

"""Guesses at the end, by keyboard alone; no code moves, nothing has to be guessed."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from coding.log import parse_log
from coding.packet import Packet
from coding.results import CodingSession, results_name
from director_gui.ui.coder.guess_page import GuessPage
from director_gui.ui.coder.window import CoderWindow

K = Qt.Key
Press = Callable[..., None]
pytestmark = [pytest.mark.gui, pytest.mark.qt_log_ignore("propagateSizeHints")]


@pytest.fixture
def file(packet: Packet, tmp_path: Path) -> Path:
    """A packet that is coded to the end."""
    path = tmp_path / results_name(packet.id, "ann")
    with CodingSession(packet, path, "ann") as session:
        for item in packet.items:
            session.record_code(item.id, "reading", "own-view")
            session.record_quote(item.id, 0, 5)
            session.record_code(item.id, "sees_choice", "no")
            session.record_code(item.id, "works_out", "yes")
    return path


@pytest.fixture
def window(
    packet: Packet, file: Path, show: Callable[[QWidget], None]
) -> Iterator[CoderWindow]:
    made = CoderWindow(packet, file.parent)
    show(made)
    made.begin("ann", file)
    yield made
    assert made.pane is not None
    made.pane.desk.session.close()


@pytest.fixture
def page(window: CoderWindow, press: Press) -> GuessPage:
    """The guesses, reached from the last page by keyboard."""
    window.finish.guess.setFocus()
    press(K.Key_Return)
    assert window.guesses is not None
    assert window.guesses.isVisible()
    return window.guesses


def guesses(file: Path, packet: Packet) -> list[str]:
    fold = parse_log(file.read_bytes(), packet).fold
    return [fold.state(item.id).guess for item in packet.items]


def test_guesses_are_offered_only_when_all_is_decided(
    window: CoderWindow, packet: Packet, press: Press
) -> None:
    assert window.finish.guess.isVisible()
    press(K.Key_Tab)
    assert window.pane is not None
    desk = window.pane.desk
    desk.choose("reading", "own-view")  # the same code again takes it away
    window.finish.show_session(desk.session)
    assert not window.finish.guess.isVisible()
    assert packet.id in str(desk.session.path)


def test_one_key_a_trace_and_back_at_the_end(
    window: CoderWindow, page: GuessPage, file: Path, packet: Packet, press: Press
) -> None:
    before = file.read_bytes()
    for key in (K.Key_1, K.Key_2, K.Key_3, K.Key_1):
        press(key)
    assert page.isVisible()
    assert page.progress._counts.text() == "4 guessed"
    press(K.Key_2)
    assert window.finish.isVisible()
    said = ["asked", "not-asked", "unknown", "asked", "not-asked"]
    assert guesses(file, packet) == said
    assert file.read_bytes().startswith(before)
    assert b'"code"' not in file.read_bytes()[len(before) :]


def test_each_guess_is_on_disk_at_once(
    page: GuessPage, file: Path, packet: Packet, press: Press
) -> None:
    press(K.Key_1)
    assert guesses(file, packet)[0] == "asked"
    assert page.desk.index == 1


def test_leaving_half_way_goes_on_there(
    window: CoderWindow, page: GuessPage, press: Press
) -> None:
    press(K.Key_1, K.Key_1, K.Key_Escape)
    assert window.finish.isVisible()
    window.finish.guess.setFocus()
    press(K.Key_Return)
    assert page.isVisible()
    assert page.desk.index == 2


def test_a_guess_can_be_seen_again_and_taken_away(
    page: GuessPage, file: Path, packet: Packet, press: Press
) -> None:
    press(K.Key_1, K.Key_Left)
    assert page.desk.index == 0
    assert page.answers["asked"].isChecked()
    press(K.Key_1)
    assert not page.answers["asked"].isChecked()
    assert guesses(file, packet)[0] == ""


def test_a_trace_can_be_passed_without_a_guess(
    window: CoderWindow, page: GuessPage, file: Path, packet: Packet, press: Press
) -> None:
    press(K.Key_Return, K.Key_1)
    assert page.desk.index == 2
    assert guesses(file, packet)[:2] == ["", "asked"]
    press(*[K.Key_Right] * 3)
    assert window.finish.isVisible()


def test_nothing_is_filled_in_before(page: GuessPage) -> None:
    assert not any(button.isChecked() for button in page.answers.values())
    for button in page.answers.values():
        assert button.accessibleName()
        assert button.accessibleDescription().startswith("Key ")

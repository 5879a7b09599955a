"""Closing while calls are in flight: asked first, and nothing that was paid is lost."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from director_gui.runner.keys import Keys
from director_gui.runner.service import RunService
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.store.attempts import replies_of
from director_gui.store.database import open_study
from director_gui.store.sendings import lost_of
from director_gui.store.session import start_run
from director_gui.ui.leaving import STAY, STOP, TITLE, WAIT
from director_gui.ui.window import MainWindow
from tests.fault_server import FaultServer, Request, Served, chat
from tests.made_runs import FAST, fill, profile_at

pytestmark = [pytest.mark.gui, pytest.mark.render]
COUNT, AT_ONCE = 8, 2


class InFlight:
    """A window whose run waits for a server that answers when it is let."""

    def __init__(self, qtbot: QtBot, window: MainWindow) -> None:
        self.qtbot, self.window = qtbot, window
        self.answer = threading.Event()
        self.server = FaultServer(self._decide)
        self.service = RunService()

    def _decide(self, _request: Request) -> Served:
        # Held up in the server's own loop: nobody is answered until it is let.
        self.answer.wait(20)
        return Served(body=chat())

    def begin(self) -> None:
        profile = profile_at(self.server.base_url, concurrency=AT_ONCE, timeout=30.0)
        study = self.window.session.study
        self.path = study.path
        fill(study, profile, COUNT)
        handle = start_run(
            self.service, study, "r", {profile.name: profile}, Keys(), policy=FAST
        )
        self.window.session.follow("r", handle)
        self.qtbot.waitUntil(lambda: bool(self.server.requests), timeout=20_000)

    def box(self) -> QMessageBox:
        boxes = [b for b in self.window.findChildren(QMessageBox) if b.isVisible()]
        assert len(boxes) == 1
        return boxes[0]

    def press(self, within: QMessageBox | MainWindow, name: str) -> None:
        found = [
            button
            for button in within.findChildren(QPushButton)
            if button.text().replace("&", "") == name and button.isVisible()
        ]
        assert len(found) == 1, name
        self.qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)

    def closed(self) -> bool:
        return not self.window.isVisible()

    def statuses(self) -> list[str]:
        with open_study(self.path) as study:
            return sorted(reply.status for reply in replies_of(study, "r"))


@pytest.fixture
def flight(qtbot: QtBot, window: MainWindow) -> Iterator[InFlight]:
    made = InFlight(qtbot, window)
    with made.server:
        made.begin()
        yield made
        made.answer.set()
        window.session.close()
    made.service.close()


def test_the_window_says_that_calls_are_in_flight_and_stays(flight: InFlight) -> None:
    flight.window.close()
    assert not flight.closed()
    box = flight.box()
    assert box.text() == TITLE
    assert "paid for twice" in box.informativeText()
    flight.window.close()  # asked once, however often the cross is pressed
    flight.press(flight.box(), STAY)
    assert not flight.closed()
    assert flight.window.session.busy
    # Asked again the next time, and Escape is to stay.
    flight.window.close()
    flight.qtbot.keyClick(flight.box(), Qt.Key.Key_Escape)
    assert not flight.closed()


def test_waiting_keeps_the_replies_of_the_calls_in_hand(flight: InFlight) -> None:
    flight.window.close()
    flight.press(flight.box(), WAIT)
    assert "closes when the calls in hand" in flight.window.banner.text
    assert not flight.closed()
    flight.answer.set()
    flight.qtbot.waitUntil(flight.closed, timeout=20_000)
    statuses = flight.statuses()
    # What was in hand is kept; nothing else was begun.
    assert statuses == ["open"] * (COUNT - AT_ONCE) + ["reply"] * AT_ONCE
    assert len(flight.server.requests) == AT_ONCE
    with open_study(flight.path) as study:
        assert lost_of(study, "r").in_flight == 0


def test_waiting_can_be_given_up(flight: InFlight) -> None:
    flight.window.close()
    flight.press(flight.box(), WAIT)
    flight.press(flight.window, STAY)
    flight.answer.set()
    flight.qtbot.waitUntil(lambda: not flight.window.session.busy, timeout=20_000)
    assert not flight.closed()
    flight.window.close()  # nothing is in flight: nobody is asked
    assert flight.closed()


def test_stopping_drops_what_is_in_hand_and_says_so_when_resumed(
    flight: InFlight,
) -> None:
    flight.window.close()
    flight.press(flight.box(), WAIT)
    flight.press(flight.window, STOP)
    assert flight.closed()
    flight.service.close()
    assert flight.statuses() == ["open"] * COUNT
    with open_study(flight.path) as study:
        assert lost_of(study, "r").in_flight == AT_ONCE


def test_an_unsaved_scene_is_still_asked_about(
    flight: InFlight, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = flight.window
    moved = edits.move_to(window.document.scene, Item("block", 5), 0.1, 0.0)
    window.document.apply(moved, "Move")
    cancel = QMessageBox.StandardButton.Cancel
    monkeypatch.setattr(QMessageBox, "question", lambda *_a: cancel)
    window.close()
    flight.press(flight.box(), STOP)
    assert not flight.closed()
    assert window.session.busy  # staying for the scene stops no call

"""What is fresh, what is stale, and what a failing child does to the window."""

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool

import pytest
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Scene
from director_gui.study.preview import Glance, Preview, Studied, glance_at
from director_gui.ui.document import Document
from director_gui.ui.scenes.studio import Studio

pytestmark = pytest.mark.gui


class HandPreview(Preview):
    """Answers when the test says so."""

    def __init__(self) -> None:
        self.studies: list[tuple[Scene, Future[Studied]]] = []
        self.glances: list[tuple[Scene, Future[Glance]]] = []

    def study(self, scene: Scene, sizes: object) -> "Future[Studied]":
        del sizes
        future: Future[Studied] = Future()
        self.studies.append((scene, future))
        return future

    def glance(self, scene: Scene) -> "Future[Glance]":
        future: Future[Glance] = Future()
        self.glances.append((scene, future))
        return future

    def close(self) -> None:
        pass


@pytest.fixture
def hand() -> HandPreview:
    return HandPreview()


@pytest.fixture
def studio(document: Document, hand: HandPreview, qtbot: QtBot) -> Studio:
    del qtbot
    return Studio(document, dict, hand)


def move(document: Document, x: float) -> None:
    scene = edits.move_to(document.scene, Item("block", 5), x, 0.0)
    document.apply(scene, "Move")


def answer(scene: Scene) -> Studied:
    return Studied(scene, None, {}, None, {})  # type: ignore[arg-type] # only the scene is looked at


def test_a_change_is_glanced_at_then_studied(
    studio: Studio, document: Document, hand: HandPreview, qtbot: QtBot
) -> None:
    move(document, 0.1)
    qtbot.waitUntil(lambda: bool(hand.glances))
    scene, future = hand.glances[0]
    with qtbot.waitSignal(studio.glanced):
        future.set_result(glance_at(scene))
    qtbot.waitUntil(lambda: bool(hand.studies))
    with qtbot.waitSignal(studio.studied) as told:
        hand.studies[0][1].set_result(answer(document.scene))
    assert told.args[0].scene == document.scene
    qtbot.waitUntil(lambda: studio.settled)


def test_an_answer_to_an_older_scene_is_not_shown(
    studio: Studio, document: Document, hand: HandPreview, qtbot: QtBot
) -> None:
    move(document, 0.1)
    qtbot.waitUntil(lambda: bool(hand.studies))
    old = document.scene
    move(document, 0.2)
    with qtbot.assertNotEmitted(studio.studied, wait=50):
        hand.studies[0][1].set_result(answer(old))
    qtbot.waitUntil(lambda: len(hand.studies) == 2)
    assert hand.studies[1][0] == document.scene


def test_only_the_newest_of_many_changes_is_studied_next(
    studio: Studio, document: Document, hand: HandPreview, qtbot: QtBot
) -> None:
    studio.refresh()
    qtbot.waitUntil(lambda: bool(hand.studies))
    for x in (0.1, 0.15, 0.2):
        move(document, x)
        qtbot.wait(180)
    assert len(hand.studies) == 1
    hand.studies[0][1].set_result(answer(document.scene))
    qtbot.waitUntil(lambda: len(hand.studies) == 2)
    assert hand.studies[1][0] == document.scene


@pytest.mark.parametrize(
    "fault", [UserError("OpenGL cannot draw"), BrokenProcessPool("gone")]
)
def test_a_failing_child_is_told(
    studio: Studio, hand: HandPreview, qtbot: QtBot, fault: Exception
) -> None:
    studio.refresh()
    qtbot.waitUntil(lambda: bool(hand.studies))
    with qtbot.waitSignal(studio.failed) as told:
        hand.studies[0][1].set_exception(fault)
    assert isinstance(told.args[0], UserError)


def test_nothing_starts_after_close(
    studio: Studio, document: Document, hand: HandPreview, qtbot: QtBot
) -> None:
    move(document, 0.1)
    studio.close()
    qtbot.wait(300)
    assert not hand.studies
    assert not hand.glances

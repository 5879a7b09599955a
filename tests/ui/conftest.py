"""A real window with a preview that never answers, so that no child is started."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future

import pytest
from PySide6.QtCore import QPoint
from pytestqt.qtbot import QtBot

from director_gui.scene.example import example_scene
from director_gui.scene.model import Scene
from director_gui.study.preview import Glance, Preview, Studied, glance_at
from director_gui.ui.document import Document
from director_gui.ui.scenes.overlay import Projector
from director_gui.ui.settings import Settings
from director_gui.ui.window import MainWindow


class SilentPreview(Preview):
    """Takes every scene and never says anything about it."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def study(self, scene: object, sizes: object) -> "Future[Studied]":
        del sizes
        self.asked.append(scene)
        return Future()

    def glance(self, scene: Scene) -> "Future[Glance]":
        future: Future[Glance] = Future()
        future.set_result(glance_at(scene))
        return future

    def close(self) -> None:
        pass


@pytest.fixture
def document() -> Document:
    return Document(example_scene())


@pytest.fixture
def preview() -> SilentPreview:
    return SilentPreview()


@pytest.fixture
def window(qtbot: QtBot, preview: SilentPreview) -> Iterator[MainWindow]:
    made = MainWindow(Settings(), preview)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    yield made
    made.document.undo_stack.setClean()  # else closing would ask
    made.close()
    made.deleteLater()


@pytest.fixture
def spot(window: MainWindow) -> Callable[[tuple[float, float, float]], QPoint]:
    """Where a point in space is in the editing view, in its own coordinates."""

    def find(point: tuple[float, float, float]) -> QPoint:
        view = window.scenes.edit_view
        at = Projector(view.viewpoint, view.frame()).spot(point)
        assert at is not None
        return at.toPoint()

    return find

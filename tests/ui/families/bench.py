"""A sets workspace with a real session and jobs, and what a user does with it."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from director_gui.scene.example import example_scene
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.sets import Recipe, recipe_of
from director_gui.ui.document import Document
from director_gui.ui.families.gallery import Gallery
from director_gui.ui.families.listing import Entry
from director_gui.ui.families.workspace import SetsWorkspace
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from tests.made_sets import add_set

if TYPE_CHECKING:
    from director_gui.errors import UserError
    from director_gui.scene.model import Scene


class Bench:
    """The workspace, what it refused, and the scenes it wants in the editor."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.refused: list[UserError] = []
        self.shown: list[Scene] = []
        self.session, self.jobs = Session(), Jobs()
        self.session.create(folder / "a.study")
        self.document = Document(example_scene())
        self.space = SetsWorkspace(
            self.document, self.session, self.jobs, self.refused.append
        )
        self.space.show_scene.connect(self.shown.append)
        qtbot.addWidget(self.space)
        self.space.resize(1224, 732)

    @property
    def study(self) -> Study:
        return self.session.study

    @property
    def gallery(self) -> Gallery:
        return self.space.set.gallery

    def show(self) -> None:
        self.space.show()
        self.qtbot.waitExposed(self.space)

    def close(self) -> None:
        self.space.close_views()
        self.jobs.close()
        self.session.close()

    def make(self, name: str = "main", count: int = 3, kept: int | None = None) -> str:
        """Keep a set before the workspace is shown; return its id."""
        recipe: Recipe = recipe_of(name, count=count, seed=None)
        return add_set(self.study, recipe, kept).id

    def open(
        self, name: str, count: int = 3, kept: int | None = None
    ) -> rows.StoredSet:
        """Keep a set and show it."""
        set_id = self.make(name, count, kept)
        self.show()
        self.space.refresh()
        self.space.show_entry(Entry("set", set_id))
        wanted = count if kept is None else kept
        self.until(lambda: len(self.gallery.cards) == wanted)
        item = rows.find_set(self.study, set_id)
        assert item is not None
        return item

    def own(self, name: str = "main") -> str:
        """Show a copy of a built-in family that can be edited; return its name."""
        self.show()
        self.space.list.choose(Entry("built_in", name))
        self.click(self.space.family.copy)
        assert self.space.current is not None
        return self.space.current.key

    def until(self, holds: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(holds, timeout=10_000)

    def idle(self) -> None:
        """Wait until no job is left."""
        self.until(lambda: not self.jobs._running)

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

    def type(self, box: QWidget, text: str) -> None:
        box.setFocus()
        if isinstance(box, QLineEdit):
            box.selectAll()
        QTest.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)

    def spot(self, row: int) -> QPoint:
        """The middle of a card in the list."""
        index = self.gallery.model.index(row)
        self.gallery.list.scrollTo(index)
        return self.gallery.list.visualRect(index).center()

    def pick(self, *marked: int) -> None:
        """Click cards, the later ones with Ctrl."""
        view = self.gallery.list.viewport()
        for at, row in enumerate(marked):
            keys = Qt.KeyboardModifier.ControlModifier
            key = keys if at else Qt.KeyboardModifier.NoModifier
            QTest.mouseClick(view, Qt.MouseButton.LeftButton, key, self.spot(row))


def slowly(seconds: float = 0.02) -> None:
    """Take a moment, as making a scene does."""
    time.sleep(seconds)

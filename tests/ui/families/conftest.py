"""A sets workspace on a study of its own; only the making of scenes is a stand-in."""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QTabBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from director_gui.families.example import Example, example_of
from director_gui.families.model import Family
from director_gui.render.live import Wish
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.sets import Progress, Recipe
from director_gui.ui import theme
from director_gui.ui.image_view import Pixels
from tests.made_sets import add_set
from tests.ui.families.bench import Bench, slowly


def make_without_windows(
    study: Study,
    recipe: Recipe,
    *,
    progress: Progress,
    stop: Callable[[], bool] = lambda: False,
) -> rows.StoredSet:
    """What `make_set` does, in this thread and without OpenGL."""
    del stop
    first, total = rows.scene_count(study, recipe.set_id), recipe.family.count
    item = add_set(study, recipe, first)
    refused: Counter[str] = Counter()
    for done in range(first + 1, total + 1):
        add_set(study, recipe, done)
        refused["overlap"] += 2
        slowly()
        progress(done, total, refused)
    return item


@cache
def example_at(family: Family, index: int) -> Example:
    candidates = iter(range(200))  # and no clock, so that it is the same each time
    return example_of(family, index, lambda: next(candidates, None) is None)


class FlatStage:
    """Draws every view in one colour: OpenGL has tests of its own."""

    def __init__(self) -> None:
        self.wish: Callable[[], Wish] | None = None
        self.drawn = 0
        self.closed = False

    def add(self, name: str, wish: Callable[[], Wish], *, figure: bool) -> None:
        assert (name, figure) == ("family", True)
        self.wish = wish

    def mark(self, name: str) -> None:
        assert name == "family"

    def take(self, name: str) -> Pixels:
        assert name == "family"
        assert self.wish is not None
        self.drawn += 1
        width, height = self.wish().size
        return np.full((height, width, 3), 220, np.uint8)

    def close(self) -> None:
        self.closed = True


@pytest.fixture(scope="session")
def frozen() -> None:
    """Let the collector pass by all that was imported, which never is garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def collected_here(frozen: None) -> Iterator[None]:
    """Free Qt's objects in this thread and not by chance in a worker's."""
    del frozen
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def flat_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    """No window for OpenGL, and each example is looked for once in all tests."""
    monkeypatch.setattr("director_gui.ui.families.space_view.LiveStage", FlatStage)
    monkeypatch.setattr(
        "director_gui.ui.families.examples.example_of",
        lambda family, index, _late: example_at(family, index),
    )


@pytest.fixture
def bench(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    monkeypatch.setattr(
        "director_gui.ui.families.sampling.make_set", make_without_windows
    )
    made = Bench(qtbot, tmp_path)
    yield made
    made.close()


@pytest.fixture
def themed(monkeypatch: pytest.MonkeyPatch) -> Callable[[theme.Mode, float], None]:
    """Give the program a theme's tokens and a text size, for one test."""

    def give(mode: theme.Mode, scale: float) -> None:
        # Without the stylesheet, which takes seconds for all the widgets of a test.
        tokens = theme.DARK if mode == "dark" else theme.LIGHT
        monkeypatch.setattr(theme._State, "tokens", tokens)
        monkeypatch.setattr(theme._State, "scale", scale)

    return give


@pytest.fixture
def accessible() -> Callable[[QWidget], list[str]]:
    """What can be pressed or typed into, is in sight, and has no name to be read."""

    def nameless(page: QWidget) -> list[str]:
        found: list[str] = []
        for kind in (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox):
            for widget in page.findChildren(kind):
                inner = isinstance(
                    widget.parentWidget(), QComboBox | QAbstractSpinBox | QTabBar
                )
                own = widget.objectName().startswith("qt_")  # a part of Qt's own
                text = widget.text() if isinstance(widget, QAbstractButton) else ""
                named = widget.accessibleName() or text
                if widget.isVisible() and not (inner or own or named):
                    found.append(f"{type(widget).__name__} {widget.toolTip()}")
        return found

    return nameless

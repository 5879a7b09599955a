"""A sets workspace on a study of its own; only the making of scenes is a stand-in."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.sets import Progress, Recipe
from director_gui.ui import theme
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

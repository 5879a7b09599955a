"""A real workspace on a real study, shown."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.ui.prompts import scene_facts
from tests.ui.prompts.bench import Bench

# Nearly every test shows the same scene: it is worked out once.
_sees = cache(scene_facts._director_sees)


@pytest.fixture
def bench(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    monkeypatch.setattr(scene_facts, "_director_sees", _sees)
    made = Bench(qtbot, tmp_path)
    yield made
    made.close()

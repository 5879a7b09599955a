"""A run workspace over a copy of one study with a drawn set."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from director_gui.runner.engine_values import Policy
from tests.plan_studies import study_with_set
from tests.ui.run.runs_desk import RunDesk


@pytest.fixture(scope="session")
def drawn_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("drawn") / "a.study"
    study_with_set(path).close()
    return path


@pytest.fixture
def desk(
    qtbot: QtBot, drawn_study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunDesk]:
    quick = Policy(tries=3, first_wait=0.01, longest_wait=0.02)
    monkeypatch.setattr("director_gui.runner.engine.Policy", lambda: quick)
    made = RunDesk(qtbot, drawn_study, tmp_path)
    yield made
    made.close()

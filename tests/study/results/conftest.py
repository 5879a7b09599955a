"""Studies with practice replies, made once; tests that write take a copy."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.store.database import Study, open_study
from tests import blind_studies

CONDITIONS = ("move.ask", "move.plain", "move.count", "mean.ask", "mean.plain")


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("results") / "a.study"
    second = replace(blind_studies.OPEN, name="=second")
    blind_studies.make(
        path, count=6, profiles=(blind_studies.OPEN, second), conditions=CONDITIONS
    ).close()
    return path


@pytest.fixture
def study(made: Path, tmp_path: Path) -> Iterator[Study]:
    with open_study(Path(shutil.copy(made, tmp_path / "a.study"))) as opened:
        yield opened

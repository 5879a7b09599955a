"""A study with practice replies, and packets of it that two coders have coded."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from director_gui.store.database import open_study
from tests import blind_studies
from tests.blind_studies import Desk


@pytest.fixture(scope="session")
def made_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.study"
    blind_studies.make(path).close()
    return path


@pytest.fixture
def desk(made_study: Path, tmp_path: Path) -> Iterator[Desk]:
    path = tmp_path / "a.study"
    shutil.copy(made_study, path)
    with open_study(path) as study:
        yield Desk(study, tmp_path / "packets")

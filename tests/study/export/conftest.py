"""A study with practice replies, hostile names and an unblinded packet, made once."""

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from director_gui.store.database import Study, open_study
from director_gui.study.blind.unblinding import unblind
from tests import blind_studies

HOSTILE = '=HYPERLINK("x")|<script>&\\'
CONDITIONS = ("move.ask", "move.plain", "mean.ask")


@pytest.fixture(scope="session")
def made_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("export")
    hostile = replace(
        blind_studies.OPEN, name=HOSTILE, base_url="http://secret@127.0.0.1:1/v1"
    )
    with blind_studies.make(
        folder / "a.study", count=4, profiles=(blind_studies.OPEN, hostile),
        conditions=CONDITIONS,
    ) as study:  # fmt: skip
        desk = blind_studies.Desk(study, folder / "packets")
        first = desk.coded()
        unblind(study, first.stored.id, "me", "done")
        desk.seal(seed=2)
    return folder / "a.study"


@pytest.fixture
def study(made_export: Path, tmp_path: Path) -> Iterator[Study]:
    with open_study(Path(shutil.copy(made_export, tmp_path / "a.study"))) as opened:
        yield opened

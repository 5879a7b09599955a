"""The results workspace on a study with practice replies."""

import gc
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.ui.jobs import Jobs
from director_gui.ui.results.sheet_view import SheetView
from director_gui.ui.results.workspace import ResultsWorkspace
from director_gui.ui.session import Session
from tests import blind_studies

HOSTILE = "<b>=cmd()</b>\t&amp; two"
CONDITIONS = ("move.ask", "move.plain", "move.count", "mean.ask", "mean.plain")


@dataclass
class Bench:
    """A shown workspace, and what it refused."""

    workspace: ResultsWorkspace
    session: Session
    jobs: Jobs
    qtbot: QtBot
    refused: list[UserError] = field(default_factory=list)

    def settle(self) -> None:
        self.qtbot.waitUntil(lambda: not self.jobs.busy, timeout=20_000)
        self.qtbot.wait(20)

    def says(self, words: str) -> bool:
        kinds = (QLabel, QAbstractButton)
        widgets = self.workspace.findChildren(QWidget)
        shown = [w for w in widgets if isinstance(w, kinds) and w.isVisible()]
        return any(words in widget.text() for widget in shown)

    def texts(self, table: SheetView) -> list[list[str]]:
        return table.sheets.texts()


@pytest.fixture(scope="session")
def made_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.study"
    hostile = replace(blind_studies.OPEN, name=HOSTILE)
    blind_studies.make(
        path, count=5, profiles=(blind_studies.OPEN, hostile), conditions=CONDITIONS
    ).close()
    return path


@pytest.fixture
def study_path(made_study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_study, tmp_path / "a.study"))


@pytest.fixture
def bench(qtbot: QtBot, study_path: Path) -> Iterator[Bench]:
    session, jobs = Session(), Jobs()
    session.open(study_path)
    refused: list[UserError] = []
    workspace = ResultsWorkspace(session, jobs, refused.append)
    workspace.resize(1224, 732)
    workspace.show()
    qtbot.waitExposed(workspace)
    made = Bench(workspace, session, jobs, qtbot, refused)
    made.settle()
    yield made
    workspace.close()
    jobs.close()
    session.close()
    workspace.deleteLater()
    qtbot.wait(1)
    # Here and not by chance in a job's thread, where Qt's objects must not be freed.
    gc.collect()

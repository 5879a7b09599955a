"""The coding workspace on a study with practice replies."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QLabel,
    QTableWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.ui.coordinator.workspace import CodingWorkspace
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from tests import blind_studies


@dataclass
class Bench:
    """A shown workspace, and what it refused."""

    workspace: CodingWorkspace
    session: Session
    folder: Path
    refused: list[UserError] = field(default_factory=list)

    def texts(self) -> list[str]:
        """Every text that is on the screen now."""
        found: list[str] = []
        for widget in self.workspace.findChildren(QWidget):
            if not widget.isVisible():
                continue
            if isinstance(widget, QLabel | QAbstractButton):
                found.append(widget.text())
            if isinstance(widget, QTableWidget):
                for row in range(widget.rowCount()):
                    cells = (widget.item(row, c) for c in range(widget.columnCount()))
                    found += [cell.text() for cell in cells if cell]
        return found

    def says(self, words: str) -> bool:
        return any(words in text for text in self.texts())


@pytest.fixture(scope="session")
def made_study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("made") / "a.study"
    blind_studies.make(path).close()
    return path


@pytest.fixture
def study_path(made_study: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(made_study, tmp_path / "a.study"))


@pytest.fixture
def bench(
    qtbot: QtBot,
    study_path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Bench]:
    folder = tmp_path / "packets"
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", staticmethod(lambda *_: str(folder))
    )
    session, jobs = Session(), Jobs()
    session.open(study_path)
    refused: list[UserError] = []
    workspace = CodingWorkspace(session, jobs, refused.append)
    workspace.resize(1224, 732)
    workspace.show()
    qtbot.waitExposed(workspace)
    yield Bench(workspace, session, folder, refused)
    workspace.close()
    jobs.close()
    session.close()
    workspace.deleteLater()


@pytest.fixture
def ready(bench: Bench, qtbot: QtBot) -> Callable[[], None]:
    """Open the page that makes a packet and wait until the texts were looked at."""

    def open_page() -> None:
        make = bench.workspace.make
        bench.workspace.show_make()
        qtbot.waitUntil(lambda: make.prepared is not None, timeout=10_000)

    return open_page


@pytest.fixture
def packet(bench: Bench, qtbot: QtBot, ready: Callable[[], None]) -> Path:
    """Seal all traces and wait for the packet's page."""
    ready()
    bench.workspace.make.seal.click()
    page = bench.workspace.page
    qtbot.waitUntil(page.isVisible, timeout=10_000)
    (path,) = bench.folder.glob("*.codepack")
    return path

"""Where file dialogs begin, and what is made of the answer."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from director_gui import home
from director_gui.store.database import create_study
from director_gui.ui import places
from director_gui.ui.session import Session

pytestmark = pytest.mark.gui
KINDS = "CSV (*.csv);;LaTeX, booktabs (*.tex);;All files (*)"


class Dialog:
    """Stands in for the system's dialogs: keeps what it was asked, gives an answer."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.answer = ""
        self.kind = ""

    def file(
        self, _parent: object, _title: str, start: str, _kinds: str
    ) -> tuple[str, str]:
        self.begun.append(start)
        return self.answer, self.kind

    def folder(self, _parent: object, _title: str, start: str) -> str:
        self.begun.append(start)
        return self.answer


@pytest.fixture
def dialog(monkeypatch: pytest.MonkeyPatch) -> Dialog:
    made = Dialog()
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, made.file)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", made.folder)
    return made


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    del qtbot
    made = Session()
    yield made
    made.close()


@pytest.fixture
def widget(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def studied(session: Session, folder: Path) -> Path:
    folder.mkdir()
    create_study(folder / "a.study", "a").close()
    session.open(folder / "a.study")
    return folder


def test_a_dialog_begins_beside_the_study(
    session: Session, widget: QWidget, dialog: Dialog, tmp_path: Path
) -> None:
    folder = studied(session, tmp_path / "work")
    assert places.ask_open(widget, "Open", KINDS, session) is None
    assert places.ask_save(widget, "Save", "x.csv", KINDS, session) is None
    assert places.ask_folder(widget, "Choose", session) is None
    assert dialog.begun == [str(folder), str(folder / "x.csv"), str(folder)]


@pytest.mark.parametrize("ask", ["open", "save", "folder"])
def test_the_next_dialog_begins_where_the_last_ended(
    session: Session, widget: QWidget, dialog: Dialog, tmp_path: Path, ask: str
) -> None:
    studied(session, tmp_path / "work")
    other = tmp_path / "other"
    other.mkdir()
    dialog.answer = str(other if ask == "folder" else other / "y.csv")
    if ask == "open":
        assert places.ask_open(widget, "Open", KINDS, session) == other / "y.csv"
    elif ask == "save":
        found = places.ask_save(widget, "Save", "x.csv", KINDS, session)
        assert found == other / "y.csv"
    else:
        assert places.ask_folder(widget, "Choose", session) == other
    assert session.folder == other


def test_another_study_begins_beside_itself(session: Session, tmp_path: Path) -> None:
    studied(session, tmp_path / "work")
    session.folder = tmp_path
    assert studied(session, tmp_path / "next") == session.folder


def test_a_folder_that_is_gone_is_not_begun_in(
    session: Session, tmp_path: Path
) -> None:
    folder = studied(session, tmp_path / "work")
    session.folder = tmp_path / "taken away"
    assert session.folder == folder


def test_the_scratch_study_sends_nobody_among_program_files(session: Session) -> None:
    assert session.folder == home.documents()
    assert session.study.path.parent == home.data_folder()
    assert session.folder == home.documents()


def test_without_documents_home_is_the_beginning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("platformdirs.user_documents_path", lambda: tmp_path / "no")
    assert home.documents() == Path.home()
    (tmp_path / "no").mkdir()
    assert home.documents() == tmp_path / "no"


@pytest.mark.parametrize(
    ("typed", "kind", "kept"),
    [
        ("t", "CSV (*.csv)", "t.csv"),
        ("t", "LaTeX, booktabs (*.tex)", "t.tex"),
        ("t", "All files (*)", "t.csv"),  # as suggested
        ("t", "", "t.csv"),  # a dialog that does not tell the kind
        ("t.txt", "CSV (*.csv)", "t.txt"),  # what was typed stands
    ],
)
def test_a_name_without_an_ending_gets_one(
    session: Session, dialog: Dialog, typed: str, kind: str, kept: str
) -> None:
    dialog.answer, dialog.kind = str(home.data_folder() / typed), kind
    found = places.ask_save(QWidget(), "Save", "x.csv", KINDS, session)
    assert found == home.data_folder() / kept


def test_a_whole_path_is_begun_at(
    session: Session, widget: QWidget, dialog: Dialog, tmp_path: Path
) -> None:
    studied(session, tmp_path / "work")
    mine = tmp_path / "scenes" / "mine.json"
    places.ask_save(widget, "Save", str(mine), KINDS, session)
    places.ask_open(widget, "Open", KINDS, session, str(mine.parent))
    assert dialog.begun == [str(mine), str(mine.parent)]

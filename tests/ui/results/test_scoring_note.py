"""While replies are scored: what stands there, how it stops and how it goes on."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.store.counts import Counts, forget_counts
from director_gui.store.database import Study, open_study
from director_gui.store.outcomes import EndRow
from director_gui.study.results import counting
from director_gui.ui.results.scoring_note import ScoringNote
from tests import blind_studies
from tests.ui.results.conftest import Bench

pytestmark = pytest.mark.gui


@dataclass
class Gate:
    """Lets scoring on chunk by chunk."""

    open: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))

    def let(self, chunks: int = 1000) -> None:
        self.open.release(chunks)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made, plain = Gate(), counting.ends_between

    def gated(study: Study, run: str, after: int, until: int) -> list[EndRow]:
        assert made.open.acquire(timeout=30)
        return plain(study, run, after, until)

    monkeypatch.setattr(counting, "ends_between", gated)
    monkeypatch.setattr(counting, "CHUNK", 10)
    yield made
    made.let()


@pytest.fixture
def waiting(bench: Bench, gate: Gate, tmp_path: Path, study_path: Path) -> Bench:
    """The workspace on a study of which nothing is counted yet."""
    fresh = tmp_path / "fresh.study"
    with open_study(study_path, read_only=True) as study:
        study.db().execute("VACUUM INTO ?", [str(fresh)])
    with open_study(fresh) as study:
        forget_counts(study)
    assert gate
    bench.session.open(fresh)
    bench.workspace.refresh()
    return bench


def until_shown(bench: Bench) -> ScoringNote:
    note = bench.workspace.scoring
    bench.qtbot.waitUntil(note.title.isVisible, timeout=20_000)
    return note


def counted(bench: Bench) -> int:
    counts = Counts(bench.session.study)
    found = counts.of_run("run-1")
    return sum(cell.n for cell in counts.cells(found)) if found else 0


def click(button: object) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_page_is_there_before_a_reply_is_scored(waiting: Bench) -> None:
    note, page = until_shown(waiting), waiting.workspace
    assert page.chooser.isVisible()
    assert "100 calls" in page.state.text()
    assert note.title.text() == "Scoring the replies"
    assert note.stop.isVisible()
    assert not note.go_on.isVisible()
    assert not page.main.isVisible()
    assert waiting.says("stays in the study")


def test_progress_is_told_and_the_tables_take_its_place(
    waiting: Bench, gate: Gate
) -> None:
    note, page = until_shown(waiting), waiting.workspace
    gate.let(3)
    waiting.qtbot.waitUntil(lambda: note.bar.value() == 300, timeout=20_000)
    assert note.words.text().startswith("30 replies scored · 30 %")
    gate.let()
    waiting.settle()
    assert page.main.isVisible()
    assert not note.isVisible()
    assert page.main.table.sheets.rowCount() == 10
    assert counted(waiting) == 100


def test_stopping_keeps_what_was_scored_and_goes_on_from_there(
    waiting: Bench, gate: Gate
) -> None:
    note, page = until_shown(waiting), waiting.workspace
    gate.let(2)
    waiting.qtbot.waitUntil(lambda: note.bar.value() == 200, timeout=20_000)
    click(note.stop)
    gate.let(1)
    waiting.settle()
    assert note.title.text() == "Scoring was stopped"
    assert not note.stop.isVisible()
    assert counted(waiting) == 30
    assert page.found is None
    click(note.go_on)
    assert note.title.text() == "Scoring the replies"
    gate.let()
    waiting.settle()
    assert page.main.isVisible()
    assert counted(waiting) == 100


def test_another_question_does_not_wait_for_the_first(
    waiting: Bench, gate: Gate
) -> None:
    until_shown(waiting)
    for _ in range(4):
        waiting.workspace.refresh()
    gate.let()
    waiting.settle()
    assert waiting.workspace.main.isVisible()
    assert counted(waiting) == 100


def test_the_tables_of_another_run_are_not_shown_meanwhile(
    bench: Bench, gate: Gate
) -> None:
    page = bench.workspace
    assert page.main.isVisible()
    blind_studies.add_replies(bench.session.study, 3, 2, run="run-2")
    page.refresh()
    bench.settle()  # nothing of run-1 is left to score
    page.chooser.runs.setCurrentIndex(page.chooser.runs.findData("run-2"))
    note = until_shown(bench)
    assert not page.main.isVisible()
    assert "12 calls" in page.state.text()
    gate.let()
    bench.settle()
    assert page.main.isVisible()
    assert not note.isVisible()


def test_what_ends_at_once_says_nothing(qtbot: QtBot) -> None:
    note = ScoringNote()
    qtbot.addWidget(note)
    note.show()
    note.begin()
    assert not note.title.isVisible()
    note.end(stopped=False)
    qtbot.wait(400)
    assert not note.title.isVisible()


def test_a_fault_leaves_a_way_to_try_again(
    waiting: Bench, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = until_shown(waiting)

    def damaged(*_: object) -> list[EndRow]:
        raise UserError("this study file is damaged")

    monkeypatch.setattr(counting, "ends_between", damaged)
    gate.let()
    waiting.settle()
    assert note.go_on.isVisible()
    assert waiting.workspace.banner.isVisibleTo(waiting.workspace)

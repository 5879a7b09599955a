from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from director_gui.stats.planning import Design, detectable_difference, scenes_needed
from tests.ui.results.conftest import Bench

pytestmark = pytest.mark.gui
REPLIES = "item,prompt,score\n" + "".join(
    f"{scene:02d},{name},{int((scene + at) % 5 < rate)}\n"
    for scene in range(12)
    for name, rate in (("=base", 1), ("question", 3))
    for at in range(3)
)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "theirs.csv"
    path.write_text(REPLIES)
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(path), ""))
    )
    return path


def press(widget: QWidget, words: str) -> None:
    found = [b for b in widget.findChildren(QPushButton) if words in b.text()]
    QTest.mouseClick(next(b for b in found if b.isVisible()), Qt.MouseButton.LeftButton)


@pytest.fixture
def opened(bench: Bench, file: Path) -> Bench:
    assert file.exists()
    work = bench.workspace
    work.views.setCurrentWidget(work.foreign)
    press(work.foreign, "Choose a file")
    bench.settle()
    return bench


def test_columns_are_guessed_and_previewed(opened: Bench) -> None:
    page = opened.workspace.foreign
    chosen = {part: combo.currentData() for part, combo in page.combos.items()}
    assert chosen["scene"] == "item"
    assert chosen["condition"] == "prompt"
    assert chosen["y"] == "score"
    assert chosen["batch"] == ""
    assert page.rows.isVisible()
    assert opened.texts(page.rows.table)[1][0] == "00"


def test_conditions_are_compared(opened: Bench) -> None:
    page = opened.workspace.foreign
    press(page, "Analyse")
    opened.settle()
    (row,) = opened.texts(page.main.table)[1:]
    assert row[1] == "question − =base"
    assert float(row[2]) > 20
    assert row[5] == "increase"
    assert "theirs.csv: 12 scenes, 72 of 72 rows" in page.main.note.text()
    page.reference.setCurrentIndex(1)
    opened.settle()
    assert opened.texts(page.main.table)[1][1] == "=base − question"


def test_a_mapping_that_cannot_work_is_told(opened: Bench) -> None:
    page = opened.workspace.foreign
    page.combos["y"].setCurrentIndex(0)
    press(page, "Analyse")
    assert "choose the column of 0 and 1" in opened.workspace.banner.text
    page.combos["y"].setCurrentIndex(page.combos["y"].findData("item"))
    press(page, "Analyse")
    opened.settle()
    assert "line 2: the outcome must be 0, 1" in opened.workspace.banner.text


def test_a_mapping_is_remembered(opened: Bench, file: Path) -> None:
    page = opened.workspace.foreign
    page.combos["batch"].setCurrentIndex(page.combos["batch"].findData("score"))
    press(page, "Analyse")
    opened.settle()
    page.open(file)
    opened.settle()
    assert page.combos["batch"].currentData() == "score"


def test_a_file_of_no_kind_is_told(opened: Bench, tmp_path: Path) -> None:
    (tmp_path / "x.doc").write_text("x")
    opened.workspace.foreign.open(tmp_path / "x.doc")
    opened.settle()
    assert "this kind of file is not read" in opened.workspace.banner.text


def test_the_planner_answers_while_typing(bench: Bench) -> None:
    work = bench.workspace
    work.views.setCurrentWidget(work.planner)
    page = work.planner
    design = Design(0.2)
    assert f"need {scenes_needed(design, 0.1):,} scenes" in page.answer.text()
    page.difference.setFocus()
    page.difference.selectAll()
    QTest.keyClicks(page.difference, "20")
    assert f"need {scenes_needed(design, 0.2):,} scenes" in page.answer.text()
    least = detectable_difference(design, 160)
    assert least is not None
    assert f"can show: {100 * least:.1f} points" in page.answer.text()
    assert page.curve.accessibleDescription() == page.answer.text()


def test_the_planner_says_what_cannot_be(bench: Bench) -> None:
    page = bench.workspace.planner
    page.difference.setValue(-50.0)
    assert "No number of scenes serves" in page.answer.text()
    page.difference.setValue(0.0)
    assert "too small" in page.answer.text()


def test_the_chosen_comparison_is_a_pilot(bench: Bench) -> None:
    work = bench.workspace
    assert work.found is not None
    at = next(
        place
        for place, one in enumerate(work.found.comparisons)
        if one.found is not None and one.found.se
    )
    work.main.table.choose(at)
    work.views.setCurrentWidget(work.planner)
    assert work.found.comparisons[at].name in work.planner.pilot.text()
    assert "standard error over 5 scenes" in work.planner.pilot.text()
    assert not work.planner.curve.grab().isNull()

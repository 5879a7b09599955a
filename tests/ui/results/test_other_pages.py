import os
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


def test_a_scene_of_the_file_shows_its_rows(opened: Bench) -> None:
    page = opened.workspace.foreign
    press(page, "Analyse")
    opened.settle()
    page.tabs.setCurrentWidget(page.scenes)
    table = page.scenes.table
    at = table.visualRect(table.sheets.index(3, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)
    opened.settle()
    label = table.sheets.row_at(3).key
    look = page.scenes.look
    assert look.title.text() == label
    rows = opened.texts(look.replies.table)[1:]
    assert len(rows) == 6
    assert {row[0] for row in rows} == {"=base", "question"}
    assert opened.says("holds no scene of this name")
    assert not look.edit.isVisible()


def test_a_scene_of_the_file_that_the_study_holds_can_be_edited(
    opened: Bench, file: Path
) -> None:
    wanted: list[object] = []
    opened.workspace.show_scene.connect(wanted.append)
    file.write_text(REPLIES.replace("\n00,", "\nscene 0,"))
    page = opened.workspace.foreign
    page.open(file)
    opened.settle()
    press(page, "Analyse")
    opened.settle()
    page.tabs.setCurrentWidget(page.scenes)
    rows = range(page.scenes.table.sheets.rowCount())
    keys = [page.scenes.table.sheets.row_at(row).key for row in rows]
    at = page.scenes.table.sheets.index(keys.index("scene 0"), 0)
    page.scenes.table.scrollTo(at)
    where = page.scenes.table.visualRect(at).center()
    viewport = page.scenes.table.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.LeftButton, pos=where)
    opened.settle()
    QTest.mouseClick(page.scenes.look.edit, Qt.MouseButton.LeftButton)
    assert [getattr(scene, "name", "") for scene in wanted] == ["scene 0"]


def test_a_batch_column_refuses_comparisons_across(opened: Bench, file: Path) -> None:
    lines = REPLIES.splitlines()
    batched = [f"{lines[0]},batch"] + [
        f"{line},{2 if 'question' in line else 1}" for line in lines[1:]
    ]
    file.write_text("\n".join(batched) + "\n")
    page = opened.workspace.foreign
    page.open(file)
    opened.settle()
    assert page.combos["batch"].currentData() == "batch"
    press(page, "Analyse")
    opened.settle()
    (row,) = opened.texts(page.main.table)[1:]
    assert "not compared" in row
    hint = page.main.table.sheets.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert "drifts between batches" in hint


def test_semicolons_and_a_byte_order_mark_are_read(opened: Bench, file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + REPLIES.replace(",", ";").encode())
    page = opened.workspace.foreign
    page.open(file)
    opened.settle()
    assert page.combos["scene"].currentData() == "item"
    press(page, "Analyse")
    opened.settle()
    assert "12 scenes, 72 of 72 rows" in page.main.note.text()


def test_thousands_of_columns_can_be_chosen_from(opened: Bench, file: Path) -> None:
    extra = ",".join(f"c{at}" for at in range(5000))
    lines = REPLIES.splitlines()
    gaps = "," * 5000
    wide = [f"{lines[0]},{extra}", *(f"{line}{gaps}" for line in lines[1:])]
    file.write_text("\n".join(wide) + "\n")
    page = opened.workspace.foreign
    page.open(file)
    opened.settle()
    assert page.combos["scene"].count() == 5004
    assert "5,003 columns" in page.rows.note.text()
    press(page, "Analyse")
    opened.settle()
    assert "72 of 72 rows" in page.main.note.text()


def test_a_file_above_two_gigabytes_is_refused(opened: Bench, tmp_path: Path) -> None:
    path = tmp_path / "huge.csv"
    path.write_text(REPLIES)
    # A hole: it is that large, and takes no room on the disk.
    os.truncate(path, 2 * 1024**3 + 1)
    opened.workspace.foreign.open(path)
    opened.settle()
    assert "larger than 2 GB" in opened.workspace.banner.text
    assert "Split the file" in opened.workspace.banner.text

import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtWidgets import QFileDialog

from director_gui.store.database import Study
from director_gui.store.runs import calls_of, runs
from director_gui.store.scenes import add_image, add_stimulus
from tests.ui.results.conftest import Bench

pytestmark = pytest.mark.gui
Save = Callable[[str], Path]


@pytest.fixture
def save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Save:
    """Choose a name in whatever dialog comes next."""

    def choose(name: str) -> Path:
        path = tmp_path / name
        answer = (str(path), "CSV (*.csv)")
        monkeypatch.setattr(
            QFileDialog, "getSaveFileName", staticmethod(lambda *_: answer)
        )
        return path

    return choose


def pick(bench: Bench, words: str) -> None:
    button = bench.workspace.export
    button.fill()
    entry = next(a for a in button.menu().actions() if words in a.text())
    entry.trigger()
    bench.settle()


@pytest.mark.parametrize(
    ("name", "starts"),
    [("t.csv", b"Model,"), ("t.md", b"**"), ("t.tex", b"% needs"), ("t.xlsx", b"PK")],
)
def test_the_table_on_show_is_written(
    bench: Bench, save: Save, name: str, starts: bytes
) -> None:
    path = save(name)
    pick(bench, "hidden-block choices: table")
    assert path.read_bytes().startswith(starts)
    assert "Exported the table" in bench.workspace.banner.text


def test_a_bare_name_gets_the_kind_that_was_chosen(bench: Bench, save: Save) -> None:
    path = save("bare")
    pick(bench, "table…")
    assert path.with_suffix(".csv").exists()


def test_the_tab_below_is_offered_with_its_figure(bench: Bench, save: Save) -> None:
    work = bench.workspace
    work.tabs.setCurrentWidget(work.pages["choices"])
    path = save("choices.svg")
    pick(bench, "Choices: figure")
    assert "Exported the figure" in work.banner.text
    assert path.read_text().startswith("<?xml")


def test_all_tables_fill_one_workbook(bench: Bench, save: Save) -> None:
    from openpyxl import load_workbook

    path = save("all.xlsx")
    pick(bench, "workbook")
    names = load_workbook(path).sheetnames
    assert names[:2] == ["comparisons", "rates"]


def test_the_supplement_is_written(bench: Bench, save: Save) -> None:
    path = save("s.zip")
    pick(bench, "Supplement")
    assert path.read_bytes().startswith(b"PK")


def completed(study: Study) -> None:
    """Give a run what a real one has: both pictures of its scenes, its settings."""
    conditions = ["move.ask", "move.plain", "move.count", "mean.ask", "mean.plain"]
    (run,) = runs(study)
    scenes = sorted({call.scene for call in calls_of(study, run.id)})
    for view in ("model", "director"):
        made = io.BytesIO()
        Image.new("RGB", (4, 3), "white" if view == "model" else "black").save(
            made, "PNG"
        )
        sha = add_image(
            study, made.getvalue(), pixels_sha256=view, renderer="test 1", view=view,
            width=4, height=3,
        )  # fmt: skip
        for scene in scenes:
            add_stimulus(study, scene, view, sha)
    settings = {
        **run.settings, "scenes": scenes, "conditions": conditions, "samples": 2,
        "order_seed": 1,
    }  # fmt: skip
    with study.write() as db:
        db.execute(
            "UPDATE runs SET settings = ? WHERE id = ?", [json.dumps(settings), run.id]
        )


def test_a_report_is_written_that_needs_no_network(bench: Bench, save: Save) -> None:
    completed(bench.session.study)
    bench.workspace.refresh()
    bench.settle()
    path = save("r.html")
    pick(bench, "HTML report")
    assert "Exported the report" in bench.workspace.banner.text
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>")
    addresses = re.findall(r'(?:src|href|action)="([^"]*)"', text)
    assert addresses
    assert all(a.startswith(("#", "data:image/")) for a in addresses)
    assert not re.search(r"https?://|@import|<script|<link", text)
    found = bench.workspace.found
    assert found is not None
    for row in found.sheets["comparisons"].rows:
        assert row.cells[2].text in text
        assert row.cells[3].text in text


def test_what_cannot_be_written_is_told_in_a_banner(bench: Bench, save: Save) -> None:
    save("no/such/folder.csv")
    pick(bench, "table…")
    assert "cannot be written" in bench.workspace.banner.text


def test_a_run_without_report_facts_says_so(bench: Bench, save: Save) -> None:
    path = save("r.html")
    pick(bench, "HTML report")
    assert "without the facts" in bench.workspace.banner.text
    assert not path.exists()

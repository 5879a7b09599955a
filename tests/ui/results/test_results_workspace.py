import io
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.store.attempts import add_attempts
from director_gui.store.corrections import add_correction
from director_gui.store.scenes import add_image, add_stimulus
from director_gui.study.blind.unblinding import unblind
from director_gui.study.scored import scored_replies
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.results.chooser import NEW_FILTER
from director_gui.ui.results.marks import axis_of
from director_gui.ui.results.sheet_view import SheetView
from director_gui.ui.results.workspace import ResultsWorkspace
from director_gui.ui.session import Session
from tests import blind_studies
from tests.ui.results.conftest import HOSTILE, Bench

pytestmark = pytest.mark.gui


def click(table: SheetView, row: int, column: int = 0) -> None:
    at = table.visualRect(table.sheets.index(row, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_the_family_is_on_top_and_its_plot_shares_the_rows(bench: Bench) -> None:
    main = bench.workspace.main
    assert main.table.sheets.rowCount() == 10
    assert main.plot.isVisible()
    for row in (0, 4):
        at = main.table.sheets.index(row, 0)
        beside = main.plot.sheets.index(row, len(main.table.sheets.sheet.columns) - 1)
        assert main.table.visualRect(at).y() == main.plot.visualRect(beside).y()
    bar = main.table.verticalScrollBar()
    bar.setValue(bar.maximum())
    assert main.plot.verticalScrollBar().value() == bar.maximum() > 0
    click(main.table, 4)
    assert main.plot.selectionModel().isRowSelected(4)


def test_a_click_explains_the_comparison(bench: Bench) -> None:
    click(bench.workspace.main.table, 1)
    found = bench.workspace.found
    assert found is not None
    one = found.comparisons[1]
    assert one.found is not None
    assert one.name in bench.workspace.details.title.text()
    said = bench.workspace.details.text.text()
    assert f"{one.found.k[1]:,} of {one.found.n[1]:,} answered replies" in said
    assert bench.texts(bench.workspace.pages["scenes"].table)[1]


def test_arrows_move_and_details_follow(bench: Bench) -> None:
    table = bench.workspace.main.table
    table.setFocus()
    before = bench.workspace.details.title.text()
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert table.chosen_row() == 1
    assert bench.workspace.details.title.text() != before


def test_a_click_on_a_scene_shows_it_with_its_replies(bench: Bench) -> None:
    page = bench.workspace.scenes
    bench.workspace.main.table.choose(1)
    bench.workspace.tabs.setCurrentWidget(page)
    click(page.table, 2)
    bench.settle()
    look, row = page.look, page.table.sheets.row_at(2)
    assert look.title.text() == row.cells[0].text
    assert bench.workspace.found is not None
    one = bench.workspace.found.comparisons[1]
    shown = bench.texts(look.replies.table)[1:]
    # Two samples of each of the two conditions that are compared, the test first.
    assert [r[0] for r in shown] == [one.test] * 2 + [one.reference] * 2
    assert one.model in look.replies.note.text()
    assert look.unknown.isVisible()  # this study holds no picture of its scenes


def test_enter_and_a_button_open_the_scene_in_the_editor(bench: Bench) -> None:
    opened: list[object] = []
    bench.workspace.show_scene.connect(opened.append)
    page = bench.workspace.scenes
    bench.workspace.tabs.setCurrentWidget(page)
    click(page.table, 2)
    bench.settle()
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    QTest.mouseClick(page.look.edit, Qt.MouseButton.LeftButton)
    assert [getattr(s, "name", "") for s in opened] == [
        page.table.sheets.row_at(2).cells[0].text
    ] * 2


def test_another_comparison_lets_go_of_the_scene(bench: Bench) -> None:
    page = bench.workspace.scenes
    bench.workspace.tabs.setCurrentWidget(page)
    click(page.table, 1)
    bench.settle()
    assert page.look.replies.isVisible()
    click(bench.workspace.main.table, 4)
    found = bench.workspace.found
    assert found is not None
    bench.settle()
    shown = bench.texts(page.look.replies.table)[1:]
    assert {row[0] for row in shown} == {
        found.comparisons[4].test,
        found.comparisons[4].reference,
    }


def test_a_stored_picture_is_shown(bench: Bench, qtbot: QtBot) -> None:
    study = bench.session.study
    found = bench.workspace.found
    assert found is not None
    scene = found.columns.scenes[0]
    for view, size in (("model", (40, 30)), ("director", (30, 40))):
        made = io.BytesIO()
        Image.new("RGB", size, "#d55e00").save(made, "PNG")
        sha = add_image(
            study, made.getvalue(), pixels_sha256=view, renderer="test 1", view=view,
            width=size[0], height=size[1],
        )  # fmt: skip
        add_stimulus(study, scene, view, sha)
    page = bench.workspace.scenes
    bench.workspace.tabs.setCurrentWidget(page)
    rows = range(page.table.sheets.rowCount())
    click(page.table, next(r for r in rows if page.table.sheets.row_at(r).key == scene))
    bench.settle()
    qtbot.wait(10)
    for picture in page.look.pictures.values():
        middle = picture.grab().toImage().pixelColor(picture.rect().center())
        assert middle.name() == "#d55e00"
    assert not page.look.unknown.isVisible()


def test_numbers_explain_themselves_on_hover(bench: Bench) -> None:
    sheets = bench.workspace.main.table.sheets
    hint = sheets.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert hint.startswith("<qt>")
    assert "answered replies" in hint
    assert sheets.index(0, 3).data(Qt.ItemDataRole.AccessibleTextRole).startswith("95")


def test_titles_sort_and_gaps_go_last(bench: Bench) -> None:
    table = bench.workspace.main.table
    header = table.horizontalHeader()
    at = header.sectionViewportPosition(2) + 5
    for order in (1, -1):
        QTest.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(at, 10)
        )
        rows = [table.sheets.row_at(r) for r in range(table.sheets.rowCount())]
        values = [row.cells[2].value for row in rows]
        assert values == sorted(values, reverse=order < 0)


def test_typing_filters_the_rows(bench: Bench) -> None:
    QTest.keyClicks(bench.workspace.chooser.typing, "count move")
    rows = bench.texts(bench.workspace.main.table)[1:]
    assert {row[1] for row in rows} == {"move.count − move.plain"}
    assert len(rows) == 2


def test_copy_gives_tsv(bench: Bench) -> None:
    table = bench.workspace.main.table
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().split("\n")
    assert len(lines) == 11
    assert len({line.count("\t") for line in lines}) == 1
    assert lines[0].startswith("Model\tComparison\tPoints")


def test_practice_is_said_and_hostile_names_stay_text(bench: Bench) -> None:
    assert bench.says("practice: no figure is about any model")
    rows = bench.texts(bench.workspace.main.table)[1:]
    assert HOSTILE in {row[0] for row in rows}
    click(bench.workspace.main.table, 1)
    labels = [w for w in bench.workspace.findChildren(QLabel) if "<b>" in w.text()]
    assert labels
    assert all(w.textFormat() == Qt.TextFormat.PlainText for w in labels)


def test_another_outcome_is_asked_and_answered(bench: Bench) -> None:
    chooser = bench.workspace.chooser
    chooser.outcomes.setFocus()
    QTest.keyClick(chooser.outcomes, Qt.Key.Key_Down)
    bench.settle()
    assert bench.workspace.found is not None
    assert bench.workspace.found.outcome == "report_correct"
    assert "visibility reports" in bench.workspace.main.note.text()


def test_a_new_filter_is_made_kept_and_used(bench: Bench) -> None:
    work = bench.workspace
    combo = work.chooser.scenes
    combo.setCurrentIndex(combo.findData(NEW_FILTER))
    form = work.filter_form
    assert form.isVisible()
    QTest.keyClicks(form.name, "only three blocks")
    form.choices["blocks"].setCurrentIndex(3)
    QTest.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    bench.settle()
    assert not form.isVisible()
    assert bench.says("only three blocks: 5 of 5 scenes")


def test_a_refused_filter_tells_why_in_a_banner(bench: Bench) -> None:
    form = bench.workspace.filter_form
    form.begin()
    QTest.keyClicks(form.name, "nothing")
    QTest.mouseClick(form.keep, Qt.MouseButton.LeftButton)
    assert "a filter needs a property" in bench.workspace.banner.text
    assert form.isVisible()


def test_interim_results_are_marked_and_read_on(bench: Bench) -> None:
    study = bench.session.study
    planned = blind_studies.add_replies(study, 2, 1, run="run-2", answered=False)
    bench.workspace.refresh()
    bench.settle()
    runs = bench.workspace.chooser.runs
    runs.setCurrentIndex(runs.findData("run-2"))
    bench.settle()
    assert bench.says("interim: 0.0 % of 4 calls")
    add_attempts(study, [blind_studies.attempt(p, "no", None) for p in planned])
    bench.workspace.refresh()
    bench.settle()
    assert not bench.says("interim")
    assert bench.says("4 unparsed")


def test_the_sensitivity_is_fitted_on_demand(bench: Bench) -> None:
    work = bench.workspace
    assert work.found is not None
    at = next(
        place
        for place, one in enumerate(work.found.comparisons)
        if one.found is not None and one.found.method == "gee_t"
    )
    work.main.table.choose(at)
    QTest.mouseClick(work.details.check, Qt.MouseButton.LeftButton)
    bench.settle()
    told = work.details.result.text() + work.banner.text
    assert "exchangeable" in told.casefold()


def test_widths_are_remembered(bench: Bench) -> None:
    page = bench.workspace.main
    page.table.setColumnWidth(0, 333)
    page.hide()
    page.show()
    page.show_sheet(page.table.sheets.sheet)
    assert page.table.columnWidth(0) == 333


def test_both_themes_draw_every_page(bench: Bench) -> None:
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for mode in ("dark", "light"):
        theme.apply(app, mode)
        bench.workspace.retheme()
        for at in range(bench.workspace.tabs.count()):
            bench.workspace.tabs.setCurrentIndex(at)
            assert not bench.workspace.grab().isNull()


def test_every_control_has_a_name(bench: Bench) -> None:
    chooser = bench.workspace.chooser
    combos = (chooser.runs, chooser.families, chooser.scenes, chooser.outcomes)
    tables = [page.table for page in bench.workspace.pages.values()]
    named: list[QWidget] = [*combos, *tables, chooser.typing, bench.workspace.main.plot]
    assert all(widget.accessibleName() for widget in named)


def test_an_empty_study_offers_one_next_step(qtbot: QtBot, tmp_path: Path) -> None:
    session, jobs = Session(), Jobs()
    session.create(tmp_path / "empty.study")
    workspace = ResultsWorkspace(session, jobs, lambda _: None)
    qtbot.addWidget(workspace)
    workspace.show()
    assert workspace.empty.isVisible()
    with qtbot.waitSignal(workspace.probe_wanted):
        QTest.mouseClick(_button(workspace, "Probe a scene"), Qt.MouseButton.LeftButton)
    jobs.close()
    session.close()


def _button(widget: QWidget, text: str) -> QWidget:
    return next(b for b in widget.findChildren(QPushButton) if b.text() == text)


def test_a_long_name_ends_in_dots_and_is_told_on_hover(bench: Bench) -> None:
    combo = bench.workspace.chooser.runs
    combo.setFixedWidth(120)
    text = combo.currentText()
    assert combo.fontMetrics().horizontalAdvance(text) > combo.width()
    assert combo.toolTip() == text
    narrow = combo.grab().toImage()
    combo.setFixedWidth(900)
    assert combo.grab().toImage() != narrow


def test_the_field_of_the_codebook_can_be_chosen(bench: Bench, tmp_path: Path) -> None:
    desk = blind_studies.Desk(bench.session.study, tmp_path / "packets")
    unblind(bench.session.study, desk.coded().stored.id, "me", "done")
    work = bench.workspace
    work.refresh()
    bench.settle()
    work.tabs.setCurrentWidget(work.traces)
    assert work.traces.plot.isVisible()
    fields = work.traces.fields
    assert fields.count() > 1
    first = bench.texts(work.traces.table)[0]
    fields.setFocus()
    QTest.keyClick(fields, Qt.Key.Key_Down)
    assert bench.texts(work.traces.table)[0] != first
    every = bench.texts(work.traces.table)
    tick = work.traces.hidden
    QTest.mouseClick(tick, Qt.MouseButton.LeftButton, pos=QPoint(8, tick.height() // 2))
    assert work.traces.note.text().startswith("Traces of replies that chose the hidden")
    counts = [
        sum(int(row[3]) for row in t[1:])
        for t in (bench.texts(work.traces.table), every)
    ]
    assert 0 < counts[0] < counts[1]
    chosen = fields.currentText()
    work.refresh()
    bench.settle()
    assert fields.currentText() == chosen
    assert tick.isChecked()
    assert work.traces.note.text().startswith("Traces of replies that chose the hidden")
    work.export.fill()
    offered = [action.text() for action in work.export.menu().actions()]
    assert any("Traces" in text and "figure" in text for text in offered)


def test_the_automatic_scores_alone_are_one_tick_away(bench: Bench) -> None:
    tick = bench.workspace.chooser.automatic
    assert not tick.isVisible()
    before = bench.texts(bench.workspace.main.table)
    study = bench.session.study
    one = next(
        item
        for item in scored_replies(study, "run-1")
        if item.score is not None and item.score.hidden_choice is False
    )
    add_correction(
        study, one.reply.call.id, {"choice": None}, actor="me", reason="it refuses"
    )
    bench.workspace.refresh()
    bench.settle()
    assert tick.isVisible()
    assert bench.says("1 score was corrected by hand, and the correction counts.")
    by_hand = bench.texts(bench.workspace.main.table)
    QTest.mouseClick(tick, Qt.MouseButton.LeftButton, pos=QPoint(8, tick.height() // 2))
    bench.settle()
    assert bench.says("corrected by hand, and the automatic score counts.")
    assert bench.texts(bench.workspace.main.table) == before != by_hand


def test_the_margin_stands_in_the_accuracy_plot(bench: Bench) -> None:
    work = bench.workspace
    work.tabs.setCurrentWidget(work.pages["accuracy"])
    plot = work.pages["accuracy"].plot
    at = next(at for at, one in enumerate(plot.sheets.sheet.columns) if one.drawing)
    axis = axis_of(plot.sheets.sheet.rows, at, plot.sheets.sheet.columns[at].rules)
    assert axis.rules == (-0.1, 0.1)
    assert axis.high >= 0.1
    cell = QRectF(plot.visualRect(plot.sheets.index(0, at)))
    picture = plot.viewport().grab().toImage()
    scale = picture.devicePixelRatio()
    for rule in axis.rules:
        x = round((round(axis.x(rule, cell)) + 0.5) * scale)
        line = {
            picture.pixelColor(x, y).name()
            for y in range(int(cell.top()), int(cell.bottom()))
        }
        # Dashed: the line's colour and the ground between.
        assert theme.tokens().muted in line
        assert len(line) > 1

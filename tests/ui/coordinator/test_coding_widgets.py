"""The workspace's parts on their own: tables, hits, form, unblinding, watching."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from director_gui.store.runs import Run
from director_gui.study.blind.itemtext import ItemText
from director_gui.study.blind.names import names_of
from director_gui.study.blind.overview import CoderRow, PacketRow
from director_gui.study.blind.scanner import Finding, Scanner
from director_gui.study.blind.traces import Traces
from director_gui.ui import theme
from director_gui.ui.coordinator.hits import Hits
from director_gui.ui.coordinator.make_form import MakeForm
from director_gui.ui.coordinator.unblind_box import UnblindBox
from director_gui.ui.coordinator.watching import FolderWatch
from director_gui.ui.tables import Table, side

pytestmark = pytest.mark.gui
WAIT = 5000  # ms
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def larger(qapp: QApplication) -> Iterator[None]:
    theme.apply(qapp, "light", 2.0)
    yield
    theme.apply(qapp, "light")


# Tables ---------------------------------------------------------------------------


@pytest.fixture
def table(qtbot: QtBot) -> Table:
    made = Table("Figures")
    qtbot.addWidget(made)
    made.show_rows(["Name", "n"], [["a rather long name", "1"], ["b", "22"]])
    return made


def test_a_table_reads_back_what_it_shows(table: Table) -> None:
    assert table.texts() == [["Name", "n"], ["a rather long name", "1"], ["b", "22"]]
    assert table.accessibleName() == "Figures"


def test_the_first_column_is_never_cut(table: Table, qtbot: QtBot) -> None:
    table.resize(60, 100)
    table.show()
    qtbot.waitExposed(table)
    # Its words wrap, and the longest of them decides.
    longest = table.fontMetrics().horizontalAdvance("rather")
    assert table.columnWidth(0) >= longest
    assert table.rowHeight(0) >= table.sizeHintForRow(0) > table.rowHeight(1)
    table.resize(600, 100)
    assert table.columnWidth(0) + table.columnWidth(1) == table.viewport().width()


def test_figures_stand_at_the_right_and_names_at_the_left(table: Table) -> None:
    name, figure = table.item(0, 0), table.item(0, 1)
    assert name is not None
    assert figure is not None
    assert name.textAlignment() & Qt.AlignmentFlag.AlignLeft
    assert figure.textAlignment() & Qt.AlignmentFlag.AlignRight


def test_fewer_rows_replace_more(table: Table) -> None:
    before = table.sizeHint().height()
    table.show_rows(["Name"], [["c"]])
    assert table.texts() == [["Name"], ["c"]]
    assert table.sizeHint().height() < before


def test_copying_joins_the_lines_of_a_cell(table: Table, qtbot: QtBot) -> None:
    table.show_rows(["Name", "n"], [["two\nlines", "3"]])
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == "Name\tn\ntwo lines\t3"


def test_side_panels_grow_half_as_fast_as_text(larger: None) -> None:
    del larger
    assert theme.px(200) == 400
    assert side(200) == 300


# Hits -----------------------------------------------------------------------------


def findings(*texts: str) -> tuple[Finding, ...]:
    scanner = Scanner.of(names_of(()), ["Which blocks can the director see?"])
    return scanner.findings([ItemText(text) for text in texts])


ASKED, NAMED = "asks which blocks can the director see", "so Claudelike"


@pytest.fixture
def hits(qtbot: QtBot) -> Hits:
    made = Hits()
    qtbot.addWidget(made)
    made.show_findings(findings(ASKED, NAMED))
    return made


def test_nothing_is_decided_for_a_person(hits: Hits) -> None:
    assert hits.open == 2
    assert hits.decisions == {}


def test_a_decision_outlives_another_draw(hits: Hits) -> None:
    name = next(n for n in hits.choices if n.startswith("name"))
    hits.choices[name].setCurrentText("Cut it")
    hits.show_findings(findings(ASKED))
    assert hits.open == 1
    hits.show_findings(findings(ASKED, NAMED))
    assert hits.decisions == {name: "cut"}


def test_a_decision_can_be_taken_back(hits: Hits, qtbot: QtBot) -> None:
    hits.decide_all("keep")
    assert hits.open == 0
    box = next(iter(hits.choices.values()))
    with qtbot.waitSignal(hits.decided):
        box.setCurrentIndex(0)
    assert hits.open == 1


def test_without_findings_there_is_nothing_to_see(hits: Hits) -> None:
    hits.show_findings(())
    assert hits.isHidden()
    assert hits.open == 0


# The form ---------------------------------------------------------------------------


def run(name: str) -> Run:
    return Run(name, "plan", name.upper(), "2026-01-01", practice=False, settings={})


@pytest.fixture
def form(qtbot: QtBot) -> MakeForm:
    made = MakeForm()
    qtbot.addWidget(made)
    made.show_runs([run("old"), run("new")], ())
    return made


def test_the_newest_run_is_offered_first(form: MakeForm) -> None:
    assert form.chosen_runs() == ("new",)
    request = form.request()
    assert (request.wanted.runs, request.size) == (("new",), 36)
    assert (request.form, request.stratified) == ("without_report", False)
    assert request.seed is None  # drawn when it is prepared, and shown nowhere


def test_what_is_ticked_stays_ticked_when_a_run_ends(form: MakeForm) -> None:
    form.runs.item(1).setCheckState(Qt.CheckState.Checked)
    form.runs.item(0).setCheckState(Qt.CheckState.Unchecked)
    form.show_runs([run("old"), run("new"), run("newest")], ())
    assert form.chosen_runs() == ("old",)


def test_filters_come_from_the_calls_and_stay_set(form: MakeForm) -> None:
    calls = (("m1", "move.ask", "trace"), ("m2", "move.plain", "no_reasoning"))
    found = Traces((), calls, ())
    form.show_labels(found)
    form.model.setCurrentText("m2")
    form.show_labels(found)
    assert form.request().wanted.models == ("m2",)
    assert form.request().wanted.conditions == ()


def test_zero_means_all(form: MakeForm) -> None:
    form.count.setValue(0)
    assert form.count.text() == "all"
    assert form.request().size is None


def test_edits_are_told_once_after_a_rest(form: MakeForm, qtbot: QtBot) -> None:
    told: list[int] = []
    form.edited.connect(lambda: told.append(1))
    for count in (5, 6, 7):
        form.count.setValue(count)
    qtbot.waitUntil(lambda: bool(told), timeout=WAIT)
    qtbot.wait(300)
    assert told == [1]


def test_each_form_says_what_it_gives_away(form: MakeForm) -> None:
    before = form._form_note.text()
    form.form.setCurrentIndex(1)
    assert form.request().form == "with_reply"
    assert form._form_note.text() != before
    assert "visibility question" in form._form_note.text()


# Unblinding -----------------------------------------------------------------------


def row(*, left: int = 0, unblinded: str = "") -> PacketRow:
    coder = CoderRow("ann", 9 - left, 0, left, practice=False, late=0)
    return PacketRow(
        "0" * 32, "2026-01-01", "", 9, practice=False, again="", coders=(coder,),
        family=1, unblinded=unblinded, folder=None,
    )  # fmt: skip


@pytest.fixture
def box(qtbot: QtBot) -> UnblindBox:
    made = UnblindBox()
    qtbot.addWidget(made)
    made.show_packet(row(), writable=True)
    made.show()
    return made


def test_return_unblinds_with_the_reason_without_its_blanks(
    box: UnblindBox, qtbot: QtBot
) -> None:
    qtbot.keyClicks(box.reason, "  all done ")
    with qtbot.waitSignal(box.asked) as told:
        qtbot.keyClick(box.reason, Qt.Key.Key_Return)
    assert told.args == ["all done"]
    assert box.reason.text() == ""


def test_return_without_a_reason_does_nothing(box: UnblindBox, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(box.asked):
        qtbot.keyClick(box.reason, Qt.Key.Key_Return)
        qtbot.mouseClick(box.open, LEFT)


def test_unfinished_coders_are_pointed_out(box: UnblindBox) -> None:
    assert "Not all coders are done" not in box._words.text()
    box.show_packet(row(left=2), writable=True)
    assert "Not all coders are done" in box._words.text()


@pytest.mark.parametrize(
    ("others", "words"),
    [(1, "Opens the other packet of"), (3, "Opens 3 other packets of")],
)
def test_what_is_opened_with_it_is_told_before(
    box: UnblindBox, others: int, words: str
) -> None:
    assert "Opens" not in box._words.text()
    box.show_packet(replace(row(), together=others), writable=True)
    assert words in box._words.text()


def test_what_is_open_or_read_only_cannot_be_opened(box: UnblindBox) -> None:
    box.show_packet(row(unblinded="today: done"), writable=True)
    assert not box.reason.isVisible()
    assert "Unblinded today: done" in box._words.text()
    box.show_packet(row(), writable=False)
    assert not box.open.isVisible()


# Watching -------------------------------------------------------------------------


def test_a_new_and_a_growing_file_are_noticed(qtbot: QtBot, tmp_path: Path) -> None:
    watch = FolderWatch()
    watch.watch(tmp_path, "a-*.jsonl")
    file = tmp_path / "a-ann.jsonl"
    with qtbot.waitSignal(watch.changed, timeout=WAIT):
        file.write_text("1")
    watch.watch(tmp_path, "a-*.jsonl")
    with qtbot.waitSignal(watch.changed, timeout=WAIT):
        file.write_text("12")
    watch.stop()


def test_nothing_is_told_after_stopping(qtbot: QtBot, tmp_path: Path) -> None:
    watch = FolderWatch()
    watch.watch(tmp_path, "*")
    watch.stop()
    with qtbot.assertNotEmitted(watch.changed, wait=700):
        (tmp_path / "x").write_text("1")


@pytest.mark.usefixtures("qapp")
def test_a_folder_that_is_gone_is_not_watched(tmp_path: Path) -> None:
    watch = FolderWatch()
    watch.watch(tmp_path / "gone", "*")
    watch.watch(None, "")
    assert watch._watcher.directories() == []

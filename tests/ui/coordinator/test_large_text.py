"""The coding workspace at 200 % text in a window of 1280 pixels: nothing is cut."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QScrollArea,
    QWidget,
)
from pytestqt.qtbot import QtBot

from coding.packet import read_packet
from coding.results import CodingSession, results_name
from director_gui.study.blind.auto_practice import CoderService, PracticeCoding
from director_gui.study.blind.itemtext import ItemText
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.names import names_of
from director_gui.study.blind.preparing import Request
from director_gui.study.blind.scanner import Scanner
from director_gui.ui import theme
from director_gui.ui.tables import Table
from tests.auto_studies import known_items
from tests.blind_studies import Desk
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
ROOM = 1224  # px beside the rail
WAIT = 20_000


@pytest.fixture
def large(bench: Bench, qapp: QApplication) -> Iterator[Bench]:
    theme.apply(qapp, "light", 2.0)
    bench.workspace.retheme()
    bench.workspace.resize(ROOM, 732)
    yield bench
    theme.apply(qapp, "light")


def sideways(inside: QWidget) -> list[int]:
    """How far each shown area's content reaches beyond it."""
    areas = [a for a in inside.findChildren(QScrollArea) if a.isVisible()]
    return [area.horizontalScrollBar().maximum() for area in areas]


def test_the_page_that_makes_a_packet_fits_with_hits(
    large: Bench, ready: Callable[[], None]
) -> None:
    ready()
    make = large.workspace.make
    scanner = Scanner.of(names_of(()), ["Which blocks can the director see?"])
    texts = ("which blocks can the director see, it asks", "so Claudelike")
    make.hits.show_findings(scanner.findings([ItemText(text) for text in texts]))
    make._enable()
    QTest.qWait(50)
    assert make.accept_all.isVisible()
    assert large.workspace.minimumSizeHint().width() <= ROOM
    assert large.workspace.width() == ROOM
    for one in (make.accept_all, make.cut_all, make.seal):
        assert one.width() >= one.sizeHint().width()


def test_the_list_of_runs_is_as_high_as_its_runs(
    bench: Bench, ready: Callable[[], None]
) -> None:
    ready()
    runs = bench.workspace.make.form.runs
    assert runs.count() == 1
    one = runs.height()
    for at in range(9):
        runs.addItem(f"run {at}")
    bench.workspace.make.form._fit_runs()
    assert 4 * one < runs.height() < 6 * one


def test_figures_and_coders_stand_above_each_other(
    large: Bench, qtbot: QtBot, packet: Path
) -> None:
    del packet
    page = large.workspace.page
    large.workspace.desk.practise()
    qtbot.waitUntil(page.agreement.isVisible, timeout=WAIT)
    QTest.qWait(50)
    assert set(sideways(page)) == {0}
    for told in page.findChildren(QLabel):
        if told.isVisible() and told.wordWrap():
            assert told.height() >= told.heightForWidth(told.width()), told.text()


def test_an_automatic_pass_needs_no_scrolling_sideways(
    large: Bench, qtbot: QtBot
) -> None:
    work, study = large.workspace, large.session.study
    found = Desk(study, large.folder).seal(Request(seed=5, known=known_items(study, 8)))
    work.show_packet(found.stored.id)
    qtbot.waitUntil(work.page.isVisible, timeout=WAIT)
    work.page.auto.click()
    # Before it is read there is nothing to resume, to accept, or to start.
    assert work.auto.isVisible()
    assert not work.list.isVisible()
    assert not work.auto.view.isVisible()
    assert not work.auto.form.isVisible()
    qtbot.waitUntil(work.auto.form.isVisible, timeout=WAIT)
    work.auto.desk._practice = PracticeCoding(CoderService(error_rate=0.5, broken=0.0))
    large.session.at_close(work.auto.desk._practice.close)
    work.auto.form.start.click()
    known = work.auto.view.known
    qtbot.waitUntil(known.isVisible, timeout=60_000)
    QTest.qWait(50)
    assert set(sideways(work.auto)) == {0}
    assert known.horizontalScrollBar().maximum() == 0
    work.auto.back.click()
    assert work.list.isVisible()


def test_what_is_to_be_settled_is_in_sight(
    large: Bench, qtbot: QtBot, packet: Path
) -> None:
    """Of several fields the last one differs, which large text has below the edge."""
    found = read_packet(packet)
    for alias, code in (("ann", "yes"), ("ben", "no")):
        path = packet.parent / results_name(found.id, alias)
        with CodingSession(found, path, alias) as session:
            for item in found.items:
                session.record_code(item.id, "reading", "own-view")
                session.record_quote(item.id, 0, 9)
                session.record_code(item.id, "sees_choice", "no")
                session.record_code(item.id, "works_out", code)
        merge_results(large.session.study, [path], "me")
    work = large.workspace
    work.refresh()
    qtbot.waitUntil(work.page.adjudicate.begin.isVisible, timeout=WAIT)
    work.page.adjudicate.begin.click()
    qtbot.waitUntil(lambda: work.adjudicate.pane is not None, timeout=WAIT)
    pane = work.adjudicate.pane
    assert pane is not None
    box, area = pane.column._choices["works_out"], pane.column._area
    for at in range(2):
        qtbot.waitUntil(
            lambda: box.visibleRegion().boundingRect().height() == box.height(),
            timeout=WAIT,
        )
        assert area.verticalScrollBar().value() > 0
        assert pane.desk.index == at
        area.verticalScrollBar().setValue(0)
        for name in ("Yes", "Next"):
            place = box if name == "Yes" else pane.column
            buttons = place.findChildren(QAbstractButton)
            next(one for one in buttons if one.text() == name).click()
    assert pane.desk.index == 2


def test_the_list_stays_where_there_is_room(bench: Bench, qtbot: QtBot) -> None:
    work = bench.workspace
    found = Desk(bench.session.study, bench.folder).seal(Request(seed=5))
    work.show_packet(found.stored.id)
    qtbot.waitUntil(work.page.isVisible, timeout=WAIT)
    work.page.auto.click()
    assert work.list.isVisible()
    work.resize(860, 732)
    assert not work.list.isVisible()


def test_a_first_column_wraps_before_a_table_scrolls(qtbot: QtBot) -> None:
    table = Table("Figures")
    qtbot.addWidget(table)
    table.show_rows(["Name", "n"], [["one two three four five six", "1"], ["x", "2"]])
    table.resize(600, 200)
    table.show()
    single = table.rowHeight(0)
    assert single == theme.px(24)
    assert single == table.rowHeight(1)
    table.resize(150, 200)
    QTest.qWait(20)
    assert table.horizontalScrollBar().maximum() == 0
    assert table.rowHeight(0) > single == table.rowHeight(1)
    table.resize(600, 200)
    assert table.rowHeight(0) == single

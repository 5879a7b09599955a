"""The coordinator's steps through real events, and what is hidden until when."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QProcess, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QFileDialog,
    QLineEdit,
    QListWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot

from coding.packet import read_packet
from coding.results import CodingSession, results_name
from director_gui.runner.practice.coders import two_coders
from director_gui.store.attempts import add_attempts
from director_gui.store.log import entries
from director_gui.store.packets import packets, results_of
from director_gui.study.blind.agreement import agreement_of
from director_gui.study.blind.practice import practice_coding
from director_gui.ui import theme
from director_gui.ui.session import Session
from tests import blind_studies
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
HIT = "I was asked which blocks can the director see, so 3."
WAIT = 10_000  # ms, far more than any step takes


def press(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, LEFT)


def code(path: Path, at: int, error: float = 0.1) -> Path:
    one = two_coders(4, error)[at]
    return practice_coding(read_packet(path), one.alias, one, path.parent)


def merged(bench: Bench, qtbot: QtBot, *paths: Path) -> None:
    study = bench.session.study
    bench.workspace.merge(paths)
    packet_id = packets(study)[-1].id
    qtbot.waitUntil(
        lambda: len(results_of(study, packet_id)) >= len(paths), timeout=WAIT
    )
    qtbot.waitUntil(lambda: bench.workspace.page.coders.rowCount() > 0, timeout=WAIT)


def test_an_empty_study_says_what_goes_here_and_leads_on(
    bench: Bench, qtbot: QtBot
) -> None:
    workspace = bench.workspace
    assert workspace.empty.isVisible()
    assert bench.says("random ids")
    (step,) = workspace.empty.findChildren(QAbstractButton)
    press(qtbot, step)
    assert workspace.make.isVisible()
    qtbot.waitUntil(lambda: bench.says("16 of 16 replies have a trace"), timeout=WAIT)
    assert bench.says("(practice)")
    assert bench.says("What the text itself gives away")


def test_sealing_by_keyboard_saves_one_file(
    bench: Bench, qtbot: QtBot, ready: Callable[[], None]
) -> None:
    ready()
    make = bench.workspace.make
    make.form.count.setFocus()
    make.form.count.selectAll()
    qtbot.keyClicks(make.form.count, "5")
    qtbot.waitUntil(
        lambda: make.prepared is not None and len(make.prepared.items) == 5,
        timeout=WAIT,
    )
    make.seal.setFocus()
    qtbot.keyClick(make.seal, Qt.Key.Key_Space)
    qtbot.waitUntil(bench.workspace.page.isVisible, timeout=WAIT)
    (path,) = bench.folder.iterdir()
    assert len(read_packet(path).items) == 5
    assert bench.workspace.list.count() == 1
    assert bench.says(f"Packet {path.stem[:8]}")
    assert bench.says("practice")


def test_nothing_is_sealed_when_no_folder_is_chosen(
    bench: Bench,
    qtbot: QtBot,
    ready: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready()
    monkeypatch.setattr(
        QFileDialog, "getExistingDirectory", staticmethod(lambda *_: "")
    )
    press(qtbot, bench.workspace.make.seal)
    assert packets(bench.session.study) == []
    assert bench.workspace.make.seal.isEnabled()


def test_each_hit_must_be_decided_before_sealing(
    bench: Bench, qtbot: QtBot, ready: Callable[[], None]
) -> None:
    study = bench.session.study
    for one in blind_studies.add_replies(study, 1, 1, run="run-2", answered=False):
        answer = '{"choice": 3, "visible": [5]}'
        add_attempts(study, [blind_studies.attempt(one, answer, HIT)])
    ready()  # the newest run is ticked
    make = bench.workspace.make
    (box,) = make.hits.choices.values()
    assert not make.seal.isEnabled()
    assert bench.says("1 undecided")
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentText() == "Cut it"
    press(qtbot, make.seal)
    qtbot.waitUntil(bench.workspace.page.isVisible, timeout=WAIT)
    (path,) = bench.folder.glob("*.codepack")
    texts = {item.text for item in read_packet(path).items}
    assert texts == {"I was asked , so 3.\n\nChoice: 3"}


def test_the_pane_is_a_process_that_knows_the_packet_alone(
    bench: Bench, qtbot: QtBot, packet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[str, list[str], str]] = []

    def start(*args: object) -> tuple[bool, int]:
        started.append(args)
        return True, 1

    monkeypatch.setattr(QProcess, "startDetached", staticmethod(start))
    press(qtbot, bench.workspace.page.pane)
    ((_program, arguments, folder),) = started
    assert arguments == ["-m", "director_gui", "code", str(packet)]
    assert folder == str(packet.parent)
    packet.unlink()
    press(qtbot, bench.workspace.page.pane)
    assert len(started) == 1
    assert bench.refused[-1].todo == "Save the packet again"
    press(qtbot, bench.workspace.page.save)
    qtbot.waitUntil(packet.exists, timeout=WAIT)


def test_results_beside_the_packet_are_offered_and_merged(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    page = bench.workspace.page
    code(packet, 0)
    qtbot.waitUntil(page.news.isVisible, timeout=WAIT)
    assert "practice-coder-1" in page.news.text
    merge = next(
        b for b in page.news.findChildren(QAbstractButton) if b.text() == "Merge"
    )
    press(qtbot, merge)
    qtbot.waitUntil(lambda: page.coders.rowCount() == 1, timeout=WAIT)
    assert page.coders.texts()[1][0].startswith("practice-coder-1\n16 coded")
    qtbot.waitUntil(lambda: not page.news.isVisible(), timeout=WAIT)


def test_no_code_and_no_figure_before_two_are_done(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    found = read_packet(packet)
    half = packet.parent / results_name(found.id, "ann")
    with CodingSession(found, half, "ann") as session:
        session.record_code(found.items[0].id, "reading", "own-view")
    merged(bench, qtbot, code(packet, 0), half)
    qtbot.waitUntil(lambda: bench.says("ann has 16 left"), timeout=WAIT)
    assert not bench.workspace.page.agreement.isVisible()
    for word in ("own-view", "director-view", "Own view", "κ"):
        assert not bench.says(word)


def test_agreement_shows_what_was_computed(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    view = bench.workspace.page.agreement
    qtbot.waitUntil(view.isVisible, timeout=WAIT)
    found = agreement_of(bench.session.study, packet.stem)
    (pair,) = found.fields["reading"].pairs
    row = view.pairs.texts()[1]
    assert row[0] == "practice-coder-1\npractice-coder-2"
    assert row[1] == "16"
    assert row[4] == f"{pair.kappa.value:.2f}"
    cross = [line[1:] for line in view.cross.texts()[1:]]
    shown = [[int(n) if n != "·" else 0 for n in line] for line in cross]
    assert [line[:-1] for line in shown[:-1]] == pair.table.tolist()
    assert shown[-1][-1] == 16
    assert bench.says("fewer than 100")
    view.tabs.setFocus()
    qtbot.keyClick(view.tabs, Qt.Key.Key_Right)
    (pair,) = found.fields["sees_choice"].pairs
    assert view.pairs.texts()[1][4] == f"{pair.kappa.value:.2f}"


def test_a_table_is_copied_as_tsv(bench: Bench, qtbot: QtBot, packet: Path) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    view = bench.workspace.page.agreement
    qtbot.waitUntil(view.isVisible, timeout=WAIT)
    view.cross.setFocus()
    qtbot.keyClick(view.cross, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = QApplication.clipboard().text().split("\n")
    assert len(lines) == 7
    assert all(line.count("\t") == 6 for line in lines)
    assert lines[0].startswith("\tdirector- view\town- view")


def test_undefined_kappa_is_said_in_words(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    found = read_packet(packet)
    paths = [packet.parent / results_name(found.id, alias) for alias in ("ann", "ben")]
    for path, alias in zip(paths, ("ann", "ben"), strict=True):
        with CodingSession(found, path, alias) as session:
            for item in found.items:
                session.record_quote(item.id, 0, 3)
                session.record_code(item.id, "reading", "own-view")
                session.record_code(item.id, "sees_choice", "no")
                session.record_code(item.id, "works_out", "yes")
    merged(bench, qtbot, *paths)
    view = bench.workspace.page.agreement
    qtbot.waitUntil(view.isVisible, timeout=WAIT)
    assert view.pairs.texts()[1][4] == "not defined"
    assert "both coders used only *own-view* on 16 items" in view.remarks.text()


def test_unblinding_needs_a_reason_then_shows_conditions(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    page, study = bench.workspace.page, bench.session.study
    qtbot.waitUntil(page.agreement.isVisible, timeout=WAIT)
    assert not bench.says("move.ask")
    assert not bench.says(blind_studies.OPEN.name)
    assert not page.unblind.open.isEnabled()
    qtbot.keyClicks(page.unblind.reason, "   ")
    assert not page.unblind.open.isEnabled()
    qtbot.keyClicks(page.unblind.reason, "both are done")
    press(qtbot, page.unblind.open)
    qtbot.waitUntil(page.joined.isVisible, timeout=WAIT)
    assert [e.detail["reason"] for e in entries(study, "packet unblinded")] == [
        "both are done"
    ]
    assert bench.says("Unblinded")
    assert not page.unblind.reason.isVisible()
    first, second = page.joined.tables
    arms = [row[0].split("\n")[0] for row in first.texts()[1:]]
    assert arms == ["move.ask", "move.plain"]
    assert sum(int(row[1]) for row in second.texts()[1:]) == 16


def test_results_that_are_refused_are_told_and_not_kept(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    path = code(packet, 0)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("practice", "Practice", 1), encoding="utf-8")
    bench.workspace.merge([path])
    qtbot.waitUntil(lambda: bool(bench.refused), timeout=WAIT)
    assert "chain is broken" in bench.refused[0].what
    assert results_of(bench.session.study, packet.stem) == []


def test_practice_coders_code_a_practice_packet(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    press(qtbot, bench.workspace.page.practise)
    page = bench.workspace.page
    qtbot.waitUntil(page.agreement.isVisible, timeout=WAIT)
    assert bench.says("Agreement · practice")
    assert len(results_of(bench.session.study, packet.stem)) == 2


def test_a_second_pass_holds_the_same_items_under_new_ids(
    bench: Bench, qtbot: QtBot, packet: Path, ready: Callable[[], None]
) -> None:
    ready()
    form = bench.workspace.make.form
    qtbot.waitUntil(lambda: form.source.count() > 1, timeout=WAIT)
    form.source.setFocus()
    qtbot.keyClick(form.source, Qt.Key.Key_Down)
    assert form.request().again == packet.stem
    assert not form.count.isEnabled()
    make = bench.workspace.make
    qtbot.waitUntil(
        lambda: make.prepared is not None and bool(make.prepared.request.again),
        timeout=WAIT,
    )
    press(qtbot, make.seal)
    qtbot.waitUntil(lambda: bench.says("a second pass of packet"), timeout=WAIT)
    first, second = packets(bench.session.study)
    keys = [{s["ref"] for s in p.key["items"].values()} for p in (first, second)]
    assert keys[0] == keys[1]


def test_a_read_only_study_can_be_looked_at(
    qtbot: QtBot, bench: Bench, packet: Path, study_path: Path
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    other = Session()
    other.open(study_path)  # the first session holds the lock
    assert other.study.read_only
    bench.workspace._session = other
    try:
        bench.workspace.refresh()
        page = bench.workspace.page
        qtbot.waitUntil(lambda: not page.merge.isEnabled(), timeout=WAIT)
        assert page.agreement.isVisible()
        assert not page.unblind.reason.isVisible()
    finally:
        bench.workspace._session = bench.session
        other.close()


def test_a_study_without_reasoning_says_so(
    bench: Bench, qtbot: QtBot, tmp_path: Path
) -> None:
    study = bench.session
    study.create(tmp_path / "plain.study")
    for one in blind_studies.add_replies(study.study, 1, 1, answered=False):
        add_attempts(study.study, [blind_studies.attempt(one, '{"choice": 3}', None)])
    bench.workspace.show_make()
    qtbot.waitUntil(lambda: bench.says("There is no trace to code"), timeout=WAIT)
    assert bench.says("without reasoning, not coded")
    assert not bench.workspace.make.seal.isEnabled()


def test_everything_that_takes_the_focus_has_a_name(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    qtbot.waitUntil(bench.workspace.page.agreement.isVisible, timeout=WAIT)
    seen = 0
    for widget in bench.workspace.findChildren(QWidget):
        inner = isinstance(widget.parent(), QAbstractItemView) or (
            isinstance(widget, QLineEdit) and not widget.accessibleName()
            and not isinstance(widget.parent(), QWidget)
        )  # fmt: skip
        strong = widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not strong or inner or widget.objectName().startswith("qt_"):
            continue
        named = widget.accessibleName() or (
            isinstance(widget, QAbstractButton) and widget.text()
        )
        if type(widget).__name__ in ("QScrollArea", "QListView"):
            continue  # holds what has names
        assert named, (type(widget).__name__, widget.objectName())
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_theme_reaches_the_cross_table(
    bench: Bench, qtbot: QtBot, packet: Path, mode: theme.Mode, qapp: QApplication
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    page = bench.workspace.page
    qtbot.waitUntil(page.agreement.isVisible, timeout=WAIT)
    theme.apply(qapp, mode)
    try:
        bench.workspace.retheme()
        cell = page.agreement.cross.item(0, 1)
        assert cell.background().color().name() == theme.tokens().accent_soft
    finally:
        theme.apply(qapp, "light")


def test_nothing_hidden_gets_into_settings_or_titles(
    bench: Bench, qtbot: QtBot, packet: Path, tmp_path: Path
) -> None:
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    qtbot.waitUntil(bench.workspace.page.agreement.isVisible, timeout=WAIT)
    study = bench.session.study
    hidden = {"move.ask", "move.plain", blind_studies.OPEN.model}
    said = [w.windowTitle() for w in QApplication.topLevelWidgets()]
    said += [w.toolTip() for w in bench.workspace.findChildren(QWidget)]
    said += [QApplication.clipboard().text()]
    said += [p.read_text("utf-8", "replace") for p in tmp_path.rglob("*.ini")]
    said += [json.dumps([e.action, e.detail]) for e in entries(study)]
    said += bench.texts()
    for word in hidden:
        assert not [text for text in said if word in text]


def test_a_packet_that_is_still_being_read_does_not_push_in(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    assert packet.exists()
    bench.workspace.refresh()
    press(qtbot, bench.workspace.list.new)
    make = bench.workspace.make
    qtbot.waitUntil(lambda: make.prepared is not None, timeout=WAIT)
    qtbot.wait(100)
    assert make.isVisible()
    assert not bench.workspace.page.isVisible()


@pytest.mark.usefixtures("packet")
def test_the_list_switches_by_mouse_but_not_by_focus(
    bench: Bench, qtbot: QtBot, ready: Callable[[], None]
) -> None:
    ready()
    workspace = bench.workspace
    (listed,) = workspace.list.findChildren(QListWidget)
    listed.setFocus()
    qtbot.wait(50)
    assert workspace.make.isVisible()
    spot = listed.visualItemRect(listed.item(0)).center()
    qtbot.mouseClick(listed.viewport(), LEFT, pos=spot)
    qtbot.waitUntil(workspace.page.isVisible, timeout=WAIT)


def test_larger_text_is_not_cut(
    bench: Bench, qtbot: QtBot, packet: Path, qapp: QApplication
) -> None:
    assert packet.exists()
    merged(bench, qtbot, code(packet, 0), code(packet, 1))
    view = bench.workspace.page.agreement
    qtbot.waitUntil(view.isVisible, timeout=WAIT)
    theme.apply(qapp, "light", 2.0)
    try:
        bench.workspace.retheme()
        qtbot.waitUntil(lambda: view.pairs.rowHeight(0) == 80, timeout=WAIT)
        assert view.pairs.columnWidth(0) >= view.pairs.sizeHintForColumn(0)
        assert view.pairs.height() >= view.pairs.rowHeight(0)
    finally:
        theme.apply(qapp, "light")


def test_a_hidden_workspace_starts_nothing(
    bench: Bench, qtbot: QtBot, packet: Path
) -> None:
    workspace = bench.workspace
    workspace.list.new.click()
    workspace.make.form.count.setValue(3)  # looked at only after a rest
    workspace.hide()
    asked = workspace.make._asked
    code(packet, 0)
    workspace.refresh()
    qtbot.wait(800)
    assert workspace.make._asked == asked
    workspace.show()
    qtbot.waitUntil(
        lambda: (
            workspace.make.prepared is not None
            and len(workspace.make.prepared.items) == 3
        ),
        timeout=WAIT,
    )


def test_a_sealed_packet_whose_file_fails_can_be_saved_again(
    bench: Bench, qtbot: QtBot, ready: Callable[[], None]
) -> None:
    ready()
    bench.folder.write_text("a file where a folder should be")
    press(qtbot, bench.workspace.make.seal)
    qtbot.waitUntil(lambda: bool(bench.refused), timeout=WAIT)
    assert "kept in the study" in bench.refused[0].todo
    qtbot.waitUntil(lambda: bench.workspace.list.count() == 1, timeout=WAIT)
    bench.folder.unlink()
    bench.workspace.list.choose(0)
    page = bench.workspace.page
    qtbot.waitUntil(page.isVisible, timeout=WAIT)
    press(qtbot, page.save)
    qtbot.waitUntil(lambda: bool(list(bench.folder.glob("*.codepack"))), timeout=WAIT)

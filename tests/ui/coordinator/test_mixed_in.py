"""Repeats and known-code items in the window: chosen, sealed unmarked, reported."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from director_gui.runner.practice.coders import two_coders
from director_gui.study.blind.keys import all_opened
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.practice import practice_coding
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
WAIT = 10_000  # ms
KNOWN = {
    "reasoning": "I go by what I see myself, and that is 3.",
    "choice": 3,
    "codes": {"reading": "own-view"},
}


@pytest.fixture
def known_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "known.jsonl"
    path.write_text(json.dumps(KNOWN) + "\n")
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(path), ""))
    )
    return path


def settled(bench: Bench, qtbot: QtBot, words: str) -> None:
    qtbot.waitUntil(lambda: bench.says(words), timeout=WAIT)


def test_both_are_mixed_in_and_reported_by_coder(
    bench: Bench, ready: Callable[[], None], known_file: Path, qtbot: QtBot
) -> None:
    ready()
    form = bench.workspace.make.form
    form.repeats.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClicks(form.repeats, "4")
    QTest.mouseClick(form.known.choose, Qt.MouseButton.LeftButton)
    assert form.known.choose.text() == known_file.name
    settled(
        bench, qtbot, "21 items (practice), 4 of them a second time, 1 with a known"
    )
    bench.workspace.make.seal.click()
    qtbot.waitUntil(bench.workspace.page.isVisible, timeout=WAIT)
    (found,) = all_opened(bench.session.study)
    assert (len(found.repeats), len(found.packet.items)) == (4, 21)
    for coder in two_coders(4, 0.0):
        path = practice_coding(found.packet, coder.alias, coder, bench.folder)
        merge_results(bench.session.study, [path], "me")
    bench.workspace.refresh()
    settled(bench, qtbot, "4 of 4 items that came twice")
    assert bench.says("practice-coder-1: 0 of 1 known-code items as intended")


def test_a_faulty_file_is_told_and_nothing_can_be_sealed(
    bench: Bench, ready: Callable[[], None], known_file: Path, qtbot: QtBot
) -> None:
    ready()
    known_file.write_text('{"reasoning": "x"}\n')
    make = bench.workspace.make
    make.form.known.use(known_file)
    settled(bench, qtbot, "known.jsonl, line 1")
    assert not make.seal.isEnabled()
    make.form.known.leave_out.click()
    qtbot.waitUntil(make.seal.isEnabled, timeout=WAIT)
    assert make.form.known.path is None


def test_too_many_repeats_are_told(
    bench: Bench, ready: Callable[[], None], qtbot: QtBot
) -> None:
    ready()
    bench.workspace.make.form.repeats.setValue(99)
    settled(bench, qtbot, "99 of 16 traces cannot be repeated")
    assert not bench.workspace.make.seal.isEnabled()


def test_a_second_pass_offers_no_repeats(bench: Bench, packet: Path) -> None:
    del packet
    form = bench.workspace.make.form
    form.repeats.setValue(3)
    form.show_runs((), ())
    form.source.addItem("once more", "x" * 32)
    form.source.setCurrentIndex(form.source.count() - 1)
    assert not form.repeats.isEnabled()
    assert form.request().repeats == 0

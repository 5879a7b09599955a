"""Other tools in the window: written blind, taken back as a coder's results."""

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QInputDialog
from pytestqt.qtbot import QtBot

from coding.packet import read_packet
from director_gui.store.packets import results_of
from tests.ui.coordinator.conftest import Bench

pytestmark = pytest.mark.gui
WAIT = 10_000  # ms


def choose(bench: Bench, words: str) -> None:
    """Choose an entry of the tools' menu."""
    menu = bench.workspace.page.tools.menu()
    next(act for act in menu.actions() if words in act.text()).trigger()


def test_every_tool_is_in_the_menu(bench: Bench, packet: Path) -> None:
    del packet
    texts = [act.text() for act in bench.workspace.page.tools.menu().actions()]
    for words in ("CSV", "Excel", "Label Studio", "doccano", "Take codes in"):
        assert any(words in text for text in texts)


def test_label_studio_there_and_back(
    bench: Bench,
    packet: Path,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose(bench, "Label Studio")
    qtbot.waitUntil(lambda: bench.says("ids and texts, nothing else"), timeout=WAIT)
    (tasks,) = packet.parent.glob("*-label-studio.json")
    assert list(packet.parent.glob("*-label-studio.xml"))
    result = [
        {"from_name": "reading", "type": "choices", "value": {"choices": ["no-rule"]}}
    ]
    told = [
        {**one, "annotations": [{"result": result}]}
        for one in json.loads(tasks.read_bytes())
    ]
    back = tmp_path / "export.json"
    back.write_text(json.dumps(told))
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(back), ""))
    )
    monkeypatch.setattr(
        QInputDialog, "getText", staticmethod(lambda *_: (" lab ", True))
    )
    choose(bench, "Take codes in")
    coders = bench.workspace.page.coders
    qtbot.waitUntil(lambda: coders.rowCount() == 1, timeout=WAIT)
    assert bench.says("lab")
    (kept,) = results_of(bench.session.study, read_packet(packet).id)
    assert kept.alias == "lab"
    assert kept.data.count(b'"no-rule"') == len(told)


@pytest.mark.parametrize("said", [("lab", False), ("  ", True)])
def test_without_an_alias_nothing_is_taken_in(
    bench: Bench,
    packet: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    said: tuple[str, bool],
) -> None:
    back = tmp_path / "export.json"
    back.write_text("[]")
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(back), ""))
    )
    monkeypatch.setattr(QInputDialog, "getText", staticmethod(lambda *_: said))
    choose(bench, "Take codes in")
    assert list(packet.parent.glob("*.jsonl")) == []


def test_what_is_refused_says_why_and_leaves_nothing(
    bench: Bench,
    packet: Path,
    qtbot: QtBot,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    back = tmp_path / "export.json"
    back.write_text('[{"data": {"item": "nope"}}]')
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", staticmethod(lambda *_: (str(back), ""))
    )
    monkeypatch.setattr(QInputDialog, "getText", staticmethod(lambda *_: ("lab", True)))
    choose(bench, "Take codes in")
    qtbot.waitUntil(lambda: bool(bench.refused), timeout=WAIT)
    assert "no item of this packet" in str(bench.refused[0])
    assert list(packet.parent.glob("*.jsonl")) == []

"""What the workspace does when it is first shown, and with the study it finds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from director_gui import home
from director_gui.prompts.library import library
from director_gui.scene import edits
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.store.database import create_study
from director_gui.study.prompt_library import condition_row, keep
from director_gui.ui.document import Document
from director_gui.ui.prompts.condition_form import MadeCondition
from director_gui.ui.prompts.piece_form import WrittenPiece
from director_gui.ui.prompts.workspace import PromptsWorkspace
from director_gui.ui.session import Session
from tests.study.test_prompt_library import SEE, changed, full
from tests.ui.prompts.bench import Bench

if TYPE_CHECKING:
    from director_gui.errors import UserError

pytestmark = pytest.mark.gui


class Start:
    """A workspace that was not shown yet."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.session = Session()
        self.refused: list[UserError] = []
        self.document = Document(example_scene())
        self.space = PromptsWorkspace(self.document, self.session, self.refused.append)
        qtbot.addWidget(self.space)

    def show(self) -> None:
        self.space.resize(1224, 732)
        self.space.show()
        self.qtbot.waitUntil(lambda: self.space.body.currentIndex() == 1)
        self.qtbot.waitUntil(lambda: self.session.opened is not None or bool(self.told))

    @property
    def told(self) -> str:
        return self.space.banner.text if self.space.banner.isVisible() else ""

    def close(self) -> None:
        self.space.close_views()
        self.session.close()


@pytest.fixture
def start(qtbot: QtBot) -> Iterator[Start]:
    made = Start(qtbot)
    yield made
    made.close()


def test_nothing_is_opened_or_worked_out_before_it_is_shown(start: Start) -> None:
    QTest.qWait(50)
    assert start.session.opened is None
    assert not home.data_folder().exists() or not any(home.data_folder().iterdir())
    start.document.apply(edits.delete(start.document.scene, Item("block", 3)), "x")
    assert start.space.model.rowCount() == 0


def test_without_a_study_the_scratch_study_is_used(start: Start) -> None:
    folder = home.data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with create_study(folder / "scratch.study", "scratch") as scratch:
        keep(scratch, full())
    start.show()
    names = [row.name for row in start.space.model.rows]
    assert names[-2:] == ["move.ask.2", "big"]


def test_a_study_that_cannot_be_opened_leaves_the_programs_prompts(
    start: Start,
) -> None:
    folder = home.data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scratch.study").write_bytes(b"no study")
    start.show()
    assert "not a study" in start.told
    assert len(start.space.model.rows) == len(library().conditions)
    assert start.space.bar.locked.isVisible()


def test_layout_and_columns_come_back(qtbot: QtBot) -> None:
    first = Start(qtbot)
    first.show()
    first.space.table.setColumnWidth(2, 143)
    first.close()
    second = Start(qtbot)
    second.show()
    assert second.space.table.columnWidth(2) == 143
    second.close()


def test_a_run_that_ends_freezes_what_is_shown(bench: Bench) -> None:
    bench.give(full())
    bench.space.show_condition("move.ask.2")
    assert bench.space.details.delete_button.isVisible()
    bench.run("move.ask.2")
    bench.session.run_ended.emit("r", None)
    assert not bench.space.details.delete_button.isVisible()
    assert "frozen" in str(bench.space.model.rows[-2].state)


def test_a_scene_that_is_dragged_is_worked_out_once_it_rests(bench: Bench) -> None:
    asked: list[object] = []
    bench.space.facts.found.connect(lambda scene, _sees: asked.append(scene))
    scene = bench.document.scene
    for at in range(5):
        scene = edits.move_to(scene, Item("block", 5), at / 100, 0.0)
        bench.document.apply(scene, "Drag")
    bench.qtbot.waitUntil(lambda: bool(asked))
    QTest.qWait(300)
    assert asked == [scene]


def test_a_filter_does_not_hide_what_was_just_made(bench: Bench) -> None:
    QTest.keyClicks(bench.space.filter, "mean")
    bench.space.show_condition("mean.ask")
    bench.press("Edit a copy")
    bench.type(bench.space.condition_form.name, "other")
    bench.space.condition_form.slots["action"].setCurrentText("move")
    bench.press("Save condition")
    assert bench.space.filter.text() == ""
    assert bench.space.pair.title.text() == "other"


def test_a_guard_keeps_a_typed_name_from_replacing_another(bench: Bench) -> None:
    bench.give(full())
    row = condition_row("big", changed())
    assert bench.space.changes.keep_condition(MadeCondition(row, "", "", "")) is None
    assert bench.space.changes.keep_piece(WrittenPiece(SEE, "", "", "")) is None
    assert "taken" in bench.space.banner.text
    assert bench.own == full()

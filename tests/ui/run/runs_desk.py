"""A real run workspace over a study with a drawn set, with a person's gestures."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.runner.plan import Batch
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice
from director_gui.ui.jobs import Jobs
from director_gui.ui.run.workspace import RunWorkspace
from director_gui.ui.session import Session
from tests.probe_runs import PRACTICE

if TYPE_CHECKING:
    from director_gui.errors import UserError

LONG_MS = 20_000


def plan(**more: object) -> Plan:
    """A plan of two scenes, three arms and two samples: 12 practice calls."""
    values: dict[str, object] = {
        "name": "small",
        "batches": (Batch("1", ("move.plain", "move.count")),),
        "profiles": (PRACTICE,),
        "scenes": SceneChoice(sets=("main",)),
        "samples": 2,
        "order_seed": 1,
        "families": (DeclaredFamily("effect", (("move.ask", "move.plain"),)),),
    }
    return Plan(**(values | more))  # type: ignore[arg-type] # values of every type


class RunDesk:
    """The workspace and what it stands on."""

    def __init__(self, qtbot: QtBot, study: Path, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.path = folder / "a.study"
        shutil.copy(study, self.path)
        self.begin()

    def begin(self) -> None:
        """Open the study in a program of its own."""
        self.session = Session()
        self.session.open(self.path)
        self.jobs = Jobs()
        self.refused: list[UserError] = []
        self.workspace = RunWorkspace(self.session, self.jobs, self.refused.append)
        self.qtbot.addWidget(self.workspace)
        self.workspace.resize(1224, 732)
        self.workspace.show()
        self.qtbot.waitExposed(self.workspace)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=LONG_MS)

    def click(self, widget: QWidget) -> None:
        QApplication.processEvents()  # what was shown just now gets its place
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def press(self, within: QWidget, name: str) -> None:
        """Click the visible button of this name."""
        found = [
            b
            for b in within.findChildren(QPushButton)
            if b.text() == name and b.isVisible()
        ]
        assert len(found) == 1, (name, len(found))
        self.click(found[0])

    def tick(self, boxes: QListWidget, *names: str) -> None:
        """Tick exactly these lines."""
        for row in range(boxes.count()):
            item = boxes.item(row)
            on = item.text().split(" · ")[0] in names
            states = Qt.CheckState
            item.setCheckState(states.Checked if on else states.Unchecked)

    def prepare(self, wanted: Plan | None = None) -> str:
        """Compose a plan, prepare it, and return the run's id."""
        work = self.workspace
        work.compose.show_plan(wanted or plan())
        self.click(work.compose.prepare)
        self.wait(lambda: bool(work.sending.run_id) and not work.sending.doing)
        return work.sending.run_id

    def run(self, wanted: Plan | None = None) -> str:
        """Prepare a plan, send it, and wait for its end."""
        found = self.prepare(wanted)
        self.click(self.workspace.card.send)
        self.finish()
        return found

    def finish(self) -> None:
        work = self.workspace
        self.wait(
            lambda: (
                not self.session.busy
                and not self.jobs.busy
                and not work.sending.doing
                and work.board.state.text() == "finished"
            )
        )

    def choose_arm(self, row: int) -> None:
        """Choose an arm and wait for its replies."""
        work = self.workspace
        arm = work.board.arms.arms.arm(row)
        assert arm is not None
        work.board.arms.selectRow(row)

        def shown() -> bool:
            live = work.pane.replies
            return (
                live is not None
                and live.key == arm.key
                # Replies of the last moment are told a little later.
                and live.open == arm.statuses["open"]
            )

        self.wait(shown)

    def close(self) -> None:
        self.workspace.hide()
        self.jobs.close()
        self.session.close()

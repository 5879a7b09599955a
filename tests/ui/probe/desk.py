"""A real drawer and what it stands on, with a person's gestures."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.runner.profiles import Profile, load_profiles, save_profiles
from director_gui.scene.example import example_scene
from director_gui.ui.document import Document
from director_gui.ui.jobs import Jobs
from director_gui.ui.probe.drawer import ProbeDrawer
from director_gui.ui.session import Session

if TYPE_CHECKING:
    from director_gui.errors import UserError

LONG_MS = 20_000
MakeProfile = Callable[..., Profile]


class Desk:
    """The drawer and what it stands on, with a person's gestures."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.document = Document(example_scene())
        self.session = Session()
        self.jobs = Jobs()
        self.refused: list[UserError] = []
        self.drawer = ProbeDrawer(
            self.document, self.session, self.jobs, self.refused.append
        )
        qtbot.addWidget(self.drawer)
        self.drawer.resize(400, 700)
        self.drawer.show()

    def click(self, widget: QWidget) -> None:
        QApplication.processEvents()  # what was shown just now gets its place
        self.qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)

    def press(self, within: QWidget, name: str) -> None:
        """Click the visible button of this name."""
        found = [
            b
            for b in within.findChildren(QPushButton)
            if b.text() == name and b.isVisibleTo(within)
        ]
        assert len(found) == 1, (name, len(found))
        self.click(found[0])

    def open(self) -> None:
        self.click(self.drawer.toggle)

    def choose(self, *conditions: str, samples: int = 1) -> None:
        self.drawer.compose.grid.choose(conditions)
        self.drawer.compose.samples.setValue(samples)

    def ask(self, profile: Profile) -> None:
        """Make a profile of one's own and choose it alone."""
        save_profiles((*load_profiles(), profile))
        self.drawer.compose.load_profiles()
        self.choose_models(profile.name)

    def choose_models(self, *names: str) -> None:
        models: QListWidget = self.drawer.compose.models
        for row in range(models.count()):
            item = models.item(row)
            name = item.data(Qt.ItemDataRole.UserRole).name
            states = Qt.CheckState
            item.setCheckState(states.Checked if name in names else states.Unchecked)

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=LONG_MS)

    def send(self) -> None:
        """Click the primary button and wait until calls are on their way."""
        before = self.drawer.sending.live
        self.click(self.drawer.compose.send)
        self.wait(lambda: self.drawer.sending.live is not before)

    def probe(self) -> None:
        """Send what is composed and wait for its end."""
        self.send()
        self.wait(lambda: not self.drawer.sending.busy and not self.session.busy)

    def close(self) -> None:
        self.drawer.hide()
        self.jobs.close()
        self.session.close()

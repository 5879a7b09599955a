"""The workspace and what it stands on, with a person's gestures."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from director_gui.prompts.pieces import SLOTS
from director_gui.scene.example import example_scene
from director_gui.store.database import Study
from director_gui.store.prompts import OwnPrompts, own_prompts
from director_gui.study.practice import Practice
from director_gui.study.prompt_library import keep
from director_gui.ui.document import Document
from director_gui.ui.prompts.condition_model import COLUMNS
from director_gui.ui.prompts.text_box import TextBox
from director_gui.ui.prompts.workspace import PromptsWorkspace
from director_gui.ui.session import Session
from tests.probe_runs import stored

if TYPE_CHECKING:
    from director_gui.errors import UserError

WAIT_MS = 10_000


class Bench:
    """The workspace, shown, with a study of its own."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.document = Document(example_scene())
        self.session = Session()
        self.session.create(folder / "a.study")
        self.refused: list[UserError] = []
        self.space = PromptsWorkspace(self.document, self.session, self.refused.append)
        qtbot.addWidget(self.space)
        self.space.resize(1224, 732)
        self.space.show()
        self.wait()

    @property
    def study(self) -> Study:
        return self.session.study

    @property
    def own(self) -> OwnPrompts:
        """What the study file holds."""
        return own_prompts(self.study)

    def wait(self) -> None:
        self.qtbot.waitUntil(lambda: self.space.body.currentIndex() == 1)

    def give(self, own: OwnPrompts) -> None:
        """Put prompts into the study as if they had been there before."""
        keep(self.study, own)
        self.space.book.load()

    def run(self, condition: str) -> None:
        """Make a run that uses a condition; nothing is sent."""
        with Practice() as practice:
            stored(self.study, practice, conditions=(condition,), samples=1)
        self.space.book.look_again()

    # Gestures -----------------------------------------------------------------

    def click_cell(self, condition: str, slot: str) -> None:
        table = self.space.table
        row = self.row(condition)
        index = table.filtered.index(row, SLOTS.index(slot))
        table.scrollTo(index)
        at = table.visualRect(index).center()
        self.qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=at)

    def row(self, condition: str) -> int:
        return self.names().index(condition)

    def names(self) -> list[str]:
        """The conditions that the table shows, top to bottom."""
        filtered = self.space.table.filtered
        return [filtered.shown(at).name for at in range(filtered.rowCount())]

    def cell(self, condition: str, column: str, role: int = 0) -> object:
        index = self.space.table.filtered.index(
            self.row(condition), COLUMNS.index(column)
        )
        return index.data(role)

    def press(self, name: str, within: QWidget | None = None) -> None:
        """Click the one visible button of this name."""
        space = within or self.space
        found = [
            made
            for made in space.findChildren(QPushButton)
            if made.text() == name and made.isVisibleTo(space)
        ]
        assert len(found) == 1, (name, len(found))
        assert found[0].isEnabled(), name
        self.qtbot.mouseClick(found[0], Qt.MouseButton.LeftButton)

    def key(self, widget: QWidget, key: Qt.Key) -> None:
        widget.setFocus()
        QTest.keyClick(widget, key)

    def type(self, widget: QWidget, text: str) -> None:
        """Replace what a field holds by typing."""
        widget.setFocus()
        widget.selectAll()
        QTest.keyClick(widget, Qt.Key.Key_Delete)
        QTest.keyClicks(widget, text)

    def paste(self, text: str, field: str = "text") -> None:
        """Paste over what a text box holds."""
        box = self.box(field)
        box.selectAll()
        mime = QMimeData()
        mime.setText(text)
        box.insertFromMimeData(mime)

    def box(self, field: str = "text") -> TextBox:
        return self.space.piece_form.texts.boxes[field]

    def click_list(self, widget: QWidget, at: int) -> None:
        center = widget.visualItemRect(widget.item(at)).center()
        self.qtbot.mouseClick(
            widget.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(center)
        )

    def choose_partner(self, name: str) -> None:
        self.space.pair.partner.setCurrentText(name)

    def close(self) -> None:
        self.space.close_views()
        self.session.close()

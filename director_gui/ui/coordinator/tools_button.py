"""Other tools to code in: write a packet for one, take its file back."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QPushButton, QWidget

from coding.exchange import TOOL_WORDS, TOOLS

_TITLE = "Take codes in"


class ToolsButton(QPushButton):
    """A menu of the tools that a lab may know; all of them stay blind."""

    handed_out = Signal(str)  # the tool
    taken_in = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("Other tools", parent)
        self.setToolTip("Code in a spreadsheet, Label Studio or doccano instead")
        menu = QMenu(self)
        for tool in TOOLS:
            act = menu.addAction(f"Write for {TOOL_WORDS[tool]}…")
            act.triggered.connect(partial(self.handed_out.emit, tool))
        menu.addSeparator()
        self._take_in = menu.addAction(f"{_TITLE} from a tool's file…")
        self._take_in.triggered.connect(self.taken_in)
        self.setMenu(menu)

    def show_writable(self, *, writable: bool) -> None:
        """Offer taking in only where something can be kept."""
        self._take_in.setEnabled(writable)


def ask_alias(parent: QWidget, file: str) -> str:
    """Let the user say whose codes a file holds; '' when it was cancelled."""
    said, done = QInputDialog.getText(parent, _TITLE, f"Alias of the coder of {file}:")
    return said.strip() if done else ""

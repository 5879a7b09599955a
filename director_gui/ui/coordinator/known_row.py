"""Which file of known-code items is mixed into a packet: chosen, named, left out."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QWidget

from director_gui import home
from director_gui.ui import theme
from director_gui.ui.widgets import button

KINDS = "Known-code items (*.jsonl);;All files (*)"
_NONE = "Choose a file…"


class KnownRow(QWidget):
    """A button that names the file, and one that leaves it out again."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        self.choose = button(_NONE, self._ask)
        self.choose.setAccessibleName("File of known-code items")
        self.leave_out = button("Leave out", lambda: self.use(None))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.S2)
        row.addWidget(self.choose, 1)
        row.addWidget(self.leave_out)
        self.use(None)

    def use(self, path: Path | None) -> None:
        """Mix in the items of a file; None for no items."""
        self.path = path
        self.choose.setText(path.name.replace("&", "&&") if path else _NONE)
        self.choose.setToolTip(
            str(path)
            if path
            else "Traces that were written to a known code, one JSON object a line"
        )
        self.leave_out.setVisible(path is not None)
        self.changed.emit()

    def _ask(self) -> None:
        start = str(self.path.parent if self.path else home.data_folder())
        name, _ = QFileDialog.getOpenFileName(self, "Known-code items", start, KINDS)
        if name:
            self.use(Path(name))

"""Text size and colours: the two settings a coder needs."""

from typing import cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QWidget

from director_gui.ui import theme
from director_gui.ui.theme import Mode

_MODES: tuple[tuple[Mode, str], ...] = (
    ("system", "As the system"),
    ("light", "Light"),
    ("dark", "Dark"),
    ("contrast", "High contrast"),
)


class LooksRow(QWidget):
    """A smaller, a larger, and light or dark."""

    sized = Signal(int)  # steps: -1 smaller, 1 larger
    colored = Signal(str)  # light, dark, system

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        smaller, larger = QPushButton("A-"), QPushButton("A+")
        smaller.setAccessibleName("Smaller text")
        smaller.setToolTip("Smaller text: Ctrl+-")
        larger.setAccessibleName("Larger text")
        larger.setToolTip("Larger text: Ctrl++")
        smaller.clicked.connect(lambda: self.sized.emit(-1))
        larger.clicked.connect(lambda: self.sized.emit(1))
        self._modes = QComboBox()
        self._modes.setAccessibleName("Colours")
        for mode, label in _MODES:
            self._modes.addItem(label, mode)
        self._modes.activated.connect(self._choose)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.S2)
        row.addWidget(QLabel("Text and colours"))
        row.addStretch(1)
        for widget in (smaller, larger, self._modes):
            row.addWidget(widget)

    def show_mode(self, mode: Mode) -> None:
        """Show which colours are on."""
        self._modes.setCurrentIndex(self._modes.findData(mode))

    def _choose(self, index: int) -> None:
        self.colored.emit(cast("str", self._modes.itemData(index)))

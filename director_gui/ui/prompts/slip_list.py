"""What an editor slipped into a text: where it is, and one click that mends it."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from director_gui.ui import theme
from director_gui.ui.widgets import button, label

_MOST_ROWS = 4


class SlipList(QWidget):
    """Lists slips; hidden while there is none."""

    mend = Signal()
    chosen = Signal(int)  # its place in the list

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "strong", wrap=True)
        self.list = QListWidget()
        self.list.setAccessibleName("What an editor slipped in")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.mend_all = button("Mend all", self.mend.emit)
        row = QHBoxLayout()
        row.addWidget(self.title, 1)
        row.addWidget(self.mend_all)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S1)
        column.addLayout(row)
        column.addWidget(self.list)
        self.list.itemActivated.connect(self._chosen)
        self.list.itemClicked.connect(self._chosen)
        self.hide()

    def show_slips(self, words: Sequence[str]) -> None:
        """List these slips."""
        shown = [self.list.item(at).text() for at in range(self.list.count())]
        # Typing elsewhere must not take the chosen line away.
        if list(words) != shown:
            self.list.clear()
            self.list.addItems(list(words))
        many = "unseen or look-alike characters"
        one = "unseen or look-alike character"
        self.title.setText(f"{len(words)} {one if len(words) == 1 else many}")
        rows = min(_MOST_ROWS, len(words))
        line = self.fontMetrics().lineSpacing() + theme.S2
        self.list.setFixedHeight(
            line * rows * 2 if rows < 2 else line * rows + theme.S4
        )
        self.setVisible(bool(words))

    def _chosen(self) -> None:
        self.chosen.emit(self.list.currentRow())

"""Choose conditions, batch by batch; the bases join by themselves."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from director_gui.prompts.library import Library
from director_gui.runner.plan import Batch, with_bases
from director_gui.study.asking import arms
from director_gui.ui import theme
from director_gui.ui.run.words import and_text
from director_gui.ui.widgets import button, label

_LINES = 7  # in sight; the rest is scrolled to
# The paper's effect with its control (METHOD §3), to begin from.
_FIRST = ("move.ask", "move.plain", "move.count")


class Batches(QWidget):
    """The batches of a plan; one of them is shown."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.which = QComboBox()
        self.add = button("Add", self._add)
        self.remove = button("Remove", self._remove)
        self.list = QListWidget()
        self.joined = label("", "caption", wrap=True)
        self._known = Library()
        self._batches: list[Batch] = [Batch("1", _FIRST)]
        self._lay_out()
        self.which.currentIndexChanged.connect(lambda _at: self._show())
        self.list.itemChanged.connect(lambda _item: self._take())

    @property
    def batches(self) -> tuple[Batch, ...]:
        """The batches that hold a condition, without the bases that join."""
        # An empty batch is one that is still being filled, and no fault.
        return tuple(batch for batch in self._batches if batch.conditions)

    def show_library(self, known: Library) -> None:
        """Offer the conditions of a study."""
        self._known = known
        names = {condition.name for condition in known.conditions}
        # Another study may lack a condition that was written for the last one.
        self._batches = [
            Batch(b.name, tuple(name for name in b.conditions if name in names))
            for b in self._batches
        ]
        self._list()

    def show_batches(self, batches: Sequence[Batch]) -> None:
        """Show the batches of a plan."""
        self._batches = list(batches) or [Batch("1", ())]
        self._list()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        line = max(self.list.sizeHintForRow(0), theme.px(20))
        self.list.setFixedHeight(line * _LINES)

    def _add(self) -> None:
        taken = {batch.name for batch in self._batches}
        number = len(taken) + 1
        # Names are stored with every call: two batches of one name would be one.
        while str(number) in taken:
            number += 1
        self._batches.append(Batch(str(number), ()))
        self._list(len(self._batches) - 1)

    def _remove(self) -> None:
        # A plan has one batch at least.
        if len(self._batches) > 1:
            del self._batches[self.which.currentIndex()]
            self._list()

    def _list(self, at: int = 0) -> None:
        self.which.blockSignals(True)
        self.which.clear()
        self.which.addItems([f"Batch {batch.name}" for batch in self._batches])
        self.which.setCurrentIndex(at)
        self.which.blockSignals(False)
        self.remove.setEnabled(len(self._batches) > 1)
        self._show()

    def _show(self) -> None:
        chosen = set(self._batches[self.which.currentIndex()].conditions)
        # Every new line would else be counted as a change of mind.
        self.list.blockSignals(True)
        self.list.clear()
        for condition in self._known.conditions:
            item = QListWidgetItem(condition.name)
            states = Qt.CheckState
            ticked = condition.name in chosen
            item.setCheckState(states.Checked if ticked else states.Unchecked)
            self.list.addItem(item)
        self.list.blockSignals(False)
        self.retheme()
        self._told()

    def _take(self) -> None:
        at = self.which.currentIndex()
        items = [self.list.item(row) for row in range(self.list.count())]
        ticked = Qt.CheckState.Checked
        names = tuple(i.text() for i in items if i.checkState() == ticked)
        self._batches[at] = Batch(self._batches[at].name, names)
        self._told()

    def _told(self) -> None:
        batch = self._batches[self.which.currentIndex()]
        planned = arms(self._known)
        # The list may still be that of the last study.
        known = tuple(name for name in batch.conditions if name in planned)
        # Bases are put behind what was asked for.
        joined = with_bases(known, planned)[len(known) :]
        verb = "joins by itself as the base" if len(joined) == 1 else "join as bases"
        self.joined.setText(
            f"{and_text(joined)} {verb} of this batch."
            if joined
            else "Every base is in this batch already."
            if known
            else "Tick the conditions that are sampled together."
        )
        self.changed.emit()

    def _lay_out(self) -> None:
        self.which.setAccessibleName("Batch")
        self.list.setAccessibleName("Conditions of the batch")
        self.add.setAccessibleName("Add a batch")
        self.remove.setAccessibleName("Remove this batch")
        self.add.setToolTip("Conditions of one batch are compared; no others are")
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        row.addWidget(self.which, 1)
        row.addWidget(self.add)
        row.addWidget(self.remove)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        column.addLayout(row)
        column.addWidget(self.list)
        column.addWidget(self.joined)

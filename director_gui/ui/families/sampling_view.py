"""How a set in the making is doing: progress, time left, and why candidates fail."""

from collections import Counter

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from director_gui.families.forecast import HardFamilyError
from director_gui.ui import theme
from director_gui.ui.families.sampling import (
    Outlook,
    Sampling,
    Told,
    reason_rows,
    refusals_in,
)
from director_gui.ui.tables import Table
from director_gui.ui.widgets import button, label

_COLUMNS = ("Reason", "Refused", "Share")
# Fine enough to move smoothly; a bar of whole scenes would jump.
_STEPS = 1000


class SamplingView(QWidget):
    """Follows the sampling of one set by name."""

    def __init__(self, sampling: Sampling, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sampling = sampling
        self._name = ""
        self.words = label("", wrap=True)
        self.words.setAccessibleName("How far the set is")
        self.bar = QProgressBar()
        self.bar.setRange(0, _STEPS)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Progress of the set")
        self.cancel = button("Cancel", self._cancel)
        self.verdict = label("", wrap=True)
        self.verdict.setAccessibleName("Early verdict")
        self.verdict.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self._title = label("Why candidates are refused", "section")
        self.table = Table("Why candidates are refused")
        self._lay_out()
        sampling.started.connect(self._started)
        sampling.told.connect(self._told)
        sampling.ended.connect(self._ended)
        self._show_state(busy=False)

    def follow(self, name: str, rejected: Counter[str] | None = None) -> None:
        """Show the set called `name`; of one that rests, what was refused for it."""
        self._name = name
        # By name: a family's page follows a set that is not begun yet.
        mine = self._sampling.name == name
        self.words.setText("")
        self.verdict.hide()
        self.show_refused(rejected or Counter())
        self._show_state(busy=mine and self._sampling.busy)
        if mine and self._sampling.busy and self._sampling.last is not None:
            self._told(self._sampling.last)

    @property
    def follows_sampling(self) -> bool:
        """Whether the set that is, or was last, in the making is the one shown."""
        return bool(self._name) and self._sampling.name == self._name

    def show_outlook(self, found: Outlook) -> None:
        """Show what a forecast says."""
        self._say(found.words, bad=found.hard)
        self.show_refused(found.rejected)

    def show_refused(self, rejected: Counter[str]) -> None:
        """Fill the table of reasons; a row's tooltip says what to look at."""
        rows = reason_rows(rejected)
        self._title.setVisible(bool(rows))
        self.table.setVisible(bool(rows))
        texts = [row[:3] for row in rows]
        # Told several times a second: refilling would take selection and tooltip away.
        if self.table.texts()[1:] == texts:
            return
        self.table.show_rows(_COLUMNS, texts)
        for at, row in enumerate(rows):
            for column in range(len(_COLUMNS)):
                cell = self.table.item(at, column)
                if cell is not None and row[3]:
                    cell.setToolTip(f"Look at {row[3]}")

    def _started(self) -> None:
        if self._sampling.name == self._name:
            self.verdict.hide()
            self._show_state(busy=True)
            # Busy without a share: nobody knows how long the forecast takes.
            self.bar.setRange(0, 0)
            self.words.setText("Asking whether the family can be satisfied")

    def _told(self, told: Told) -> None:
        # Word may still come in after the end, from the queue.
        if self._sampling.name != self._name or not self._sampling.busy:
            return
        self.bar.setRange(0, _STEPS)
        self.bar.setValue(round(_STEPS * told.done / max(1, told.total)))
        self.words.setText(told.words)
        self.show_refused(told.rejected)

    def _ended(self) -> None:
        if self._sampling.name != self._name:
            return
        self._show_state(busy=False)
        error, last = self._sampling.error, self._sampling.last
        done = "" if last is None else f"{last.done} of {last.total} scenes are kept"
        if error is not None:
            self.words.setText(done)
            self._say(f"{error.what}. {error.todo}".rstrip(" ."), bad=True)
            # Only this failure knows why: its forecast counted the refusals.
            if isinstance(error, HardFamilyError):
                self.show_refused(refusals_in(error))
        elif last is not None and last.done < last.total:
            self.words.setText(f"Stopped: {done}. It can be resumed.")
        else:
            self.words.setText("Stopped" if self._sampling.cancelled else done)

    def _cancel(self) -> None:
        self.words.setText("Stopping")
        self._sampling.cancel()

    def _say(self, words: str, *, bad: bool) -> None:
        color = theme.tokens().error if bad else theme.tokens().text
        self.verdict.setStyleSheet(f"color: {color}")
        self.verdict.setText(words)
        self.verdict.show()

    def _show_state(self, *, busy: bool) -> None:
        self.bar.setVisible(busy)
        self.cancel.setVisible(busy)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(theme.S2)
        line.addWidget(self.bar, 1)
        line.addWidget(self.cancel)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        column.addWidget(self.words)
        column.addLayout(line)
        column.addWidget(self.verdict)
        column.addWidget(self._title)
        column.addWidget(self.table)
        column.addStretch()

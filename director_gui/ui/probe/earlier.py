"""Earlier probes of the study, and two of them side by side."""

from collections.abc import Callable, Sequence
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QSplitter,
    QStackedWidget,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from director_gui.errors import UserError
from director_gui.study.probed import Probe, probes_of, replies_in
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.margins import NarrowEmpty, inset
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.probe.side_by_side import Side, SideBySide, side_of
from director_gui.ui.session import Session
from director_gui.ui.tables import LEFT, RIGHT, read_only
from director_gui.ui.widgets import Banner, button, label

COLUMNS = ("Time", "Scene", "Conditions", "Ended", "")
_SCENE, _NUMBERS = 1, (2, 3)


class EarlierPage(QWidget):
    """The list of probes; choose one or two to compare them."""

    replies_wanted = Signal(object)  # LiveProbe
    scene_wanted = Signal(object)  # Scene
    compose_wanted = Signal()
    resume_wanted = Signal(object)  # LiveProbe, of which calls are open

    def __init__(
        self, session: Session, jobs: Jobs, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._asked = 0  # number of the last comparison that was asked for
        self.probes: tuple[Probe, ...] = ()
        self.table = QTableWidget(0, len(COLUMNS))
        self.compared = SideBySide()
        self.banner = Banner()
        self._held = ""
        self.left = label("", "caption")
        self.resume = button("Resume", self._resume)
        self._stack = QStackedWidget()
        self._lay_out()
        self.table.itemSelectionChanged.connect(self._compare)
        self.table.itemActivated.connect(lambda cell: self._open(cell.row()))
        self.compared.scene_wanted.connect(self.scene_wanted)
        self.compared.replies_wanted.connect(self._load_replies)

    def load(self) -> None:
        """Read the list of probes anew."""
        try:
            study = self._session.study
        except UserError as error:
            self.banner.tell_error(error)
            return
        self._jobs.start(
            "Reading earlier probes",
            lambda _progress: probes_of(study),
            self._show,
            self.banner.tell_error,
        )

    def forget(self) -> None:
        """Show nothing, as another study is open now."""
        self._asked += 1
        self._show(())

    def hold(self, reason: str) -> None:
        """Forbid resuming and say why; an empty reason allows it again."""
        self._held = reason
        self._tell_left()

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.table.verticalHeader().setDefaultSectionSize(theme.px(24))
        self.compared.retheme()
        self._empty.retheme()

    def _show(self, probes: tuple[Probe, ...]) -> None:
        self.banner.close_remark()  # they can be read again
        # The selection is left alone when nothing is new.
        if probes == self.probes:
            return
        before = {self.probes[row].run.id for row in self._chosen()}
        self.probes = probes
        self._stack.setCurrentIndex(1 if probes else 0)
        # Filling is no choice: it would start a comparison a row.
        self.table.blockSignals(True)
        self.table.clearSelection()
        self.table.setRowCount(len(probes))
        for row, probe in enumerate(probes):
            for column, text in enumerate(probe_cells(probe)):
                cell = QTableWidgetItem(text)
                cell.setTextAlignment(RIGHT if column in _NUMBERS else LEFT)
                cell.setToolTip(_hint(probe))
                self.table.setItem(row, column, cell)
        self.table.blockSignals(False)
        kept = [at for at, probe in enumerate(probes) if probe.run.id in before]
        if probes:
            # Counts that moved must not turn the reader to another probe.
            self.table.selectRow(kept[0] if len(kept) == 1 else 0)
        else:
            self.compared.clear()
        self._tell_left()

    def _chosen(self) -> list[int]:
        rows = {index.row() for index in self.table.selectedIndexes()}
        # More than two cannot stand side by side.
        return sorted(rows, reverse=True)[-2:]  # oldest first

    def _tell_left(self) -> None:
        """Say of the chosen probe how many calls are left, and offer them."""
        rows = self._chosen()
        probe = self.probes[rows[-1]] if len(rows) == 1 else None
        left = probe.open if probe is not None else 0
        self.resume.setVisible(left > 0)
        self.resume.setEnabled(not self._held)
        self.resume.setToolTip(self._held or "Send the calls that have no end yet")
        self.left.setText(_left(probe) if probe is not None else "")

    def _resume(self) -> None:
        rows = self._chosen()
        if len(rows) == 1:
            self._read(self.probes[rows[0]], self.resume_wanted.emit)

    def _compare(self) -> None:
        self._tell_left()
        rows = self._chosen()
        study = self._session.opened
        if not rows or study is None:
            return
        if len(rows) == 1 and rows[0] != 0:
            rows.append(0)  # one alone is held against the newest
        chosen = [self.probes[row] for row in rows]
        self._asked += 1
        asked = self._asked

        # A slower answer to an earlier question must not cover the newer one.
        def done(sides: Sequence[Side]) -> None:
            if asked == self._asked:
                self.compared.show_sides(sides)

        self._jobs.start(
            "Comparing probes",
            lambda _progress: [side_of(study, probe) for probe in chosen],
            done,
            self.banner.tell_error,
        )

    def _open(self, row: int) -> None:
        if 0 <= row < len(self.probes):
            self._load_replies(self.probes[row])

    def _load_replies(self, probe: Probe) -> None:
        self._read(probe, self.replies_wanted.emit)

    def _read(self, probe: Probe, done: Callable[[LiveProbe], None]) -> None:
        study = self._session.opened
        if study is None:
            return
        self._jobs.start(
            "Reading replies",
            lambda _progress: LiveProbe(replies_in(study, probe.run.id)),
            done,
            self.banner.tell_error,
        )

    def _lay_out(self) -> None:
        table = self.table
        table.setHorizontalHeaderLabels(COLUMNS)
        for at in range(len(COLUMNS)):
            head = table.horizontalHeaderItem(at)
            if head is not None:
                head.setTextAlignment(RIGHT if at in _NUMBERS else LEFT)
        read_only(table, "Earlier probes")
        table.setWordWrap(False)
        table.verticalHeader().setDefaultSectionSize(theme.px(24))
        header = table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(_SCENE, QHeaderView.ResizeMode.Stretch)
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self._list())
        split.addWidget(self.compared)
        split.setSizes([140, 300])
        split.setStretchFactor(1, 1)
        text = "Every probe is kept here with the exact scene it was made on."
        step = ("Compose a probe", self.compose_wanted.emit)
        self._empty = NarrowEmpty(text, step)
        self._empty.retheme()
        self._stack.addWidget(self._empty)
        self._stack.addWidget(split)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._stack, 1)
        column.addWidget(self.banner)

    def _list(self) -> QWidget:
        """Return the table above what is left of the chosen probe."""
        # Its room is kept, so that choosing another probe moves nothing.
        policy = self.resume.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.resume.setSizePolicy(policy)
        self.resume.setAccessibleName("Resume the chosen probe")
        foot = QHBoxLayout()
        foot.setContentsMargins(theme.S3, 0, theme.S3, theme.S1)
        foot.addWidget(self.left, 1)
        foot.addWidget(self.resume)
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S1)
        column.addWidget(inset(self.table), 1)
        column.addLayout(foot)
        return made


def probe_cells(probe: Probe) -> tuple[str, ...]:
    """Return a probe's row as texts, in the order of `COLUMNS`."""
    return (
        time_text(probe),
        probe.run.label,
        str(len(probe.conditions)),
        f"{probe.calls - probe.open}/{probe.calls}",
        " · ".join(word for word in _words(probe) if word),
    )


def _words(probe: Probe) -> tuple[str, str]:
    practice = "practice" if probe.run.practice else ""
    return ("unfinished" if probe.open else "", practice)


def _left(probe: Probe) -> str:
    calls = f"{probe.open} of {probe.calls} calls have no end yet"
    return calls if probe.open else f"All {probe.calls} calls have ended"


def time_text(probe: Probe) -> str:
    """Return when a probe was made, month, day and local time."""
    # Stored in UTC; people remember when they did it by their own clock.
    made = datetime.fromisoformat(probe.run.created).astimezone()
    return made.strftime("%m-%d %H:%M")


def _hint(probe: Probe) -> str:
    models = ", ".join(probe.models)
    return f"{models} · {probe.samples} of each · {', '.join(probe.conditions)}"

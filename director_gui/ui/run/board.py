"""The middle of the run workspace: how the run goes, arm by arm."""

import time
from collections.abc import Iterator

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QProgressBar,
    QScrollArea,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from director_gui.stats.display import counted
from director_gui.study.run_arms import Pace
from director_gui.study.run_view import RunView
from director_gui.ui import theme
from director_gui.ui.probe.pair_table import PairTable, reasons
from director_gui.ui.run.arm_table import ArmTable
from director_gui.ui.run.lines import Lines
from director_gui.ui.run.sending import RunSending
from director_gui.ui.run.words import drift_text, error_text, figures_text
from director_gui.ui.widgets import Banner, button, label

_PAIR_ROWS = 6
_LOWER = 120  # px: what is below the arms is scrolled to
_TURN_MS = 16  # from one part of the board to the next
_NO_DRIFT = "This run holds no base."
_NO_ERROR = "No attempt failed."
_HIDDEN = (
    "Differences and rates are hidden while calls are open: whoever watches them is"
    " tempted to stop at a welcome one."
)


class Board(QWidget):
    """Shows one `RunView`; it is told when the view moved."""

    arm_chosen = Signal(object)  # Key

    def __init__(self, sending: RunSending, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sending = sending
        self._pace = Pace()
        self._told = ""  # the trouble that is on screen, lest it is told anew
        self._run = ""
        self._parts = (self._show_figures, self._show_arms, self._show_lower)
        self._next = 0  # of the parts, while they are shown one by one
        self._turns = QTimer(self, interval=_TURN_MS)
        self._turns.timeout.connect(self._turn)
        self.title = label("", "title", wrap=True)
        self.state = label("", "caption")
        self.practice = label("practice")
        self.figures = label("", wrap=True)
        self.bar = QProgressBar()
        self.banner = Banner()
        self.pause = button("Pause", sending.pause)
        self.resume = button("Go on", sending.resume)
        self.drain = button("Drain", sending.drain)
        self.cancel = button("Cancel", sending.cancel)
        self.arms = ArmTable()
        self.drifts = Lines("Base rate in each batch")
        self.errors = Lines("Errors by kind")
        self.pairs = PairTable()
        self.interim = QCheckBox("Show interim differences and rates")
        self.reason = label("", "caption", wrap=True)
        self.tabs = QTabWidget()
        self._lay_out()
        self.interim.toggled.connect(lambda _on: self.show_now())
        self.tabs.currentChanged.connect(lambda _at: self.show_now())
        self.arms.chosen.connect(self.arm_chosen)
        sending.moved.connect(lambda _moved: self._show_in_turns())
        sending.state_changed.connect(self.show_state)

    def show_run(self) -> None:
        """Show the run that is followed now, from its beginning."""
        view = self._sending.view
        if view is None:
            return
        # Read anew after each session, which must not hide what was opened.
        if view.run.id != self._run:
            self._run = view.run.id
            self._pace = Pace()
            self._told = ""
            self.banner.close_remark()
            self.interim.setChecked(False)
        self.title.setText(view.run.label)
        self.practice.setVisible(view.run.practice)
        self.show_now()
        self.show_state()

    def show_now(self) -> None:
        """Show the run as it stands; nothing is done while nobody looks."""
        self._turns.stop()
        view = self._sending.view
        if view is None or not self.isVisible():
            return
        for show in self._parts:
            show(view)

    def _show_in_turns(self) -> None:
        """Show what moved, each part in a turn of the window of its own.

        Together they take longer than there is between two frames.
        """
        self._next = 0
        self._turns.start()

    def _turn(self) -> None:
        view = self._sending.view
        if view is None or not self.isVisible() or self._next >= len(self._parts):
            self._turns.stop()
            return
        self._parts[self._next](view)
        self._next += 1

    def _show_figures(self, view: RunView) -> None:
        ended = view.calls - view.open
        self._pace.tell(time.monotonic(), ended)
        going = self._sending.running and not self._sending.paused
        # A pause would drag the pace down to nothing, and the time left up.
        rate = self._pace.rate if going else None
        left = self._pace.seconds_left(view.open) if going else None
        self.figures.setText(figures_text(view, rate, left))
        self.bar.setRange(0, view.calls)
        self.bar.setValue(ended)
        self._tell_trouble(view)

    def _show_arms(self, view: RunView) -> None:
        self.arms.show_arms(view.arms())
        self.arms.show_rates(shown=self._open_to_see(view))

    def _open_to_see(self, view: RunView) -> bool:
        """Return whether rates and differences are shown."""
        return self.interim.isChecked() or not view.open

    def show_state(self) -> None:
        """Show what can be done with the run now."""
        sending, view = self._sending, self._sending.view
        if view is None:
            return
        running, paused = sending.running, sending.paused
        toggled = self.pause.hasFocus() or self.resume.hasFocus()
        for widget, shown in (
            (self.pause, running and not paused and not sending.draining),
            (self.resume, paused),
            (self.drain, running and not sending.draining),
            (self.cancel, running),
        ):
            widget.setVisible(shown)
        if toggled and running:
            # Else the key that paused would drain when it is pressed once more.
            (self.resume if paused else self.pause).setFocus()
        if not running:
            self._pace = Pace()  # what was sent earlier says nothing about now
        self.state.setText(self._state(view))
        self._tell_trouble(view)

    def retheme(self) -> None:
        """Take the colours and sizes of the theme that is shown now."""
        self.arms.retheme()
        self.pairs.retheme()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.show_now()

    # What is shown ------------------------------------------------------------

    def _state(self, view: RunView) -> str:
        sending = self._sending
        if sending.doing:
            return sending.doing.lower()
        if not sending.running:
            begun = "stopped" if view.open < view.calls else "not started"
            return begun if view.open else "finished"
        if sending.draining:
            return "finishing the calls in hand"
        return "paused" if sending.paused else "running"

    def _show_lower(self, view: RunView) -> None:
        """Fill the tab that is looked at; the others cost nothing meanwhile."""
        many = len(view.profiles) > 1
        wanted = self.tabs.currentWidget()
        errors = view.errors()
        total = sum(error.count for error in errors)
        self.tabs.setTabText(1, f"Errors {total:,}" if total else "Errors")
        name = "Interim differences" if view.open else "Differences"
        self.tabs.setTabText(2, name)
        if wanted is self.drifts:
            # A base alone gives no difference away, so it is shown from the start.
            told = [drift_text(drift, named=many) for drift in view.drifts()]
            self.drifts.show_lines(told or [_NO_DRIFT])
        elif wanted is self.errors:
            told = [error_text(error, named=many) for error in errors]
            self.errors.show_lines(told or [_NO_ERROR])
        else:
            self._show_pairs(view, shown=self._open_to_see(view))

    def _show_pairs(self, view: RunView, *, shown: bool) -> None:
        self.interim.setVisible(view.open > 0)
        pairs = view.interim() if shown else ()
        self.pairs.setVisible(bool(pairs))
        self.pairs.show_pairs(pairs)
        if not shown:
            words = _HIDDEN
        elif not pairs:
            words = "This run holds no declared pair."
        else:
            words = " ".join(_remarks(view, reasons(pairs)))
        self.reason.setText(words)

    def _tell_trouble(self, view: RunView) -> None:
        if view.paused:
            text = f"Paused: {view.paused}. It goes on by itself when that is mended."
            # Told once: a remark that comes back after a click would be a trap.
            if text != self._told:
                self.banner.tell(text, ("Try now", self._sending.resume))
            self._told = text
            return
        # The last trouble stands for all; the tab of errors counts every kind.
        error = next(reversed(view.trouble.values()), None)
        if error is None:
            if self._told:
                self.banner.close_remark()
        elif str(error) != self._told:
            self.banner.tell_error(error)
        self._told = str(error) if error else ""

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        self.practice.setObjectName("practiceBadge")
        self.practice.setToolTip("Shown replies come from the practice reader")
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Calls ended so far")
        self.figures.setAccessibleName("Figures of the run")
        self.state.setAccessibleName("State of the run")
        self.pause.setToolTip("Send nothing new; calls in hand are finished")
        self.drain.setToolTip("Finish the calls in hand, then end; resume later")
        self.cancel.setToolTip("End now; calls in flight may be paid for twice")
        split = QSplitter(Qt.Orientation.Vertical)
        split.setChildrenCollapsible(False)
        split.addWidget(self.arms)
        split.addWidget(self._lower())
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self._head())
        column.addWidget(split, 1)
        column.addWidget(self.banner)

    def _head(self) -> QVBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(theme.S2)
        row.addWidget(self.title, 1)
        for widget in (self.practice, self.state):
            row.addWidget(widget)
        # Below, not beside the title: large text leaves no room there.
        controls = QHBoxLayout()
        controls.setSpacing(theme.S2)
        for control in (self.pause, self.resume, self.drain, self.cancel):
            controls.addWidget(control)
        controls.addStretch()
        column = QVBoxLayout()
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S2)
        column.addLayout(row)
        column.addWidget(self.bar)
        column.addWidget(self.figures)
        column.addLayout(controls)
        return column

    def _lower(self) -> QWidget:
        differences = QWidget()
        column = QVBoxLayout(differences)
        column.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        column.setSpacing(theme.S2)
        self.pairs.limit(_PAIR_ROWS)
        for widget in (self.interim, self.pairs, self.reason):
            column.addWidget(widget)
        column.addStretch()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.tabs.addTab(self.drifts, "Base rates")
        self.tabs.addTab(self.errors, "Errors")
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(differences)
        differences.setProperty("role", "panel")
        self.tabs.addTab(area, "Differences")
        self.tabs.setMinimumHeight(_LOWER)
        return self.tabs


def _remarks(view: RunView, reason: str) -> Iterator[str]:
    """Yield what a reader of the differences should know."""
    if view.open:
        yield "Interim, without a correction."
    if reason:
        yield f"No interval: {reason}"
    if view.corrected:
        was = "was" if view.corrected == 1 else "were"
        told = f"{counted(view.corrected, 'score')} {was} corrected by hand"
        yield f"{told}, and the correction counts."

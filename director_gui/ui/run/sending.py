"""Prepares plans, sends them and follows one run; all waiting is done in jobs."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from director_gui.errors import UserError
from director_gui.runner.engine_values import Event, RunEnded
from director_gui.runner.service import RunHandle
from director_gui.stats.student import quantile
from director_gui.store.database import Study
from director_gui.store.log import add_entry
from director_gui.store.runs import Run, run
from director_gui.store.spill import take_in
from director_gui.study.plan_draft import (
    KEPT,
    expected_seconds,
    kept_value,
    latencies_in,
    plan_of_run,
)
from director_gui.study.plan_file import Plan
from director_gui.study.plan_forecast import Forecast, forecast
from director_gui.study.plan_runs import find_plan_run, make_plan_run
from director_gui.study.plan_sending import ready
from director_gui.study.run_process import RunProcess
from director_gui.study.run_view import RunView, read_run
from director_gui.ui.jobs import JobCancelledError, Jobs, Progress
from director_gui.ui.session import Session

if TYPE_CHECKING:
    from director_gui.study.scored import Scored

ACTOR = "run"
TELL_MS = 400  # how often views hear of replies, however many arrive
_SETTLE_MS = 100  # after its last event a session lets go of a run


@dataclass(frozen=True, slots=True)
class Opened:
    """A stored run as it was read.

    Attributes:
        view: Its arms.
        plan: As it is sent next.
        left: What is still to be sent.
        seconds: How long that takes, least and most, about.
    """

    view: RunView
    plan: Plan
    left: Forecast
    seconds: tuple[float, float]


class RunSending(QObject):
    """Follows one run; the study may hold any number."""

    prepared = Signal(str)  # run id
    opened = Signal(object)  # Opened
    moved = Signal(object)  # list[Scored], every `TELL_MS` at most
    state_changed = Signal()
    refused = Signal(object)  # UserError

    def __init__(
        self, session: Session, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs = session, jobs
        self.view: RunView | None = None
        self.plan: Plan | None = None
        self.doing = ""  # what is going on beside sending, in words
        self.draining = False
        self._asked = 0
        self._moved: list[Scored] = []
        self._later = QTimer(self, interval=TELL_MS, singleShot=True)
        self._later.timeout.connect(self._tell)
        session.events.connect(self._events)
        session.run_ended.connect(self._ended)

    @property
    def run_id(self) -> str:
        """The run that is followed; empty when none is."""
        return self.view.run.id if self.view else ""

    @property
    def running(self) -> bool:
        """Whether the run that is followed is in flight."""
        return self._session.sends(self.run_id)

    @property
    def paused(self) -> bool:
        """Whether it is in flight and sends nothing."""
        return self.running and self.view is not None and self.view.paused is not None

    def prepare(self, plan: Plan) -> None:
        """Draw, prove and store a plan's run; nothing is sent."""
        study, session = self._session.study, self._session

        def work(progress: Progress) -> Run | None:
            try:
                return _prepared(study, plan, session, progress)
            except JobCancelledError:  # a cancelled job tells nobody that it ended
                return None

        self._do("Preparing the run")
        self._jobs.start("Preparing the run", work, self._prepared, self._failed)

    def open(self, run_id: str) -> None:
        """Read a stored run and follow it."""
        self._asked += 1
        asked, study = self._asked, self._session.study
        # A session in flight still writes to what would be taken in.
        mending = not (self._session.busy or study.read_only)

        def work(_progress: Progress) -> Opened:
            if mending:
                with suppress(UserError):  # told when the run is sent
                    take_in(study)
            return _opened(study, run_id)

        self._do("Reading the run")
        self._jobs.start(
            "Reading the run", work, lambda o: self._show(asked, o), self._failed
        )

    def forget(self) -> None:
        """Follow no run."""
        self._asked += 1  # one that is still being read must not come back
        self.view = self.plan = None
        self._moved.clear()
        self._do("")

    def start(self, plan: Plan) -> None:
        """Send what is open of the run, by its plan and the plan's ceiling."""
        view, study = self.view, self._session.study
        if view is None or self.running or self.doing:
            return
        practice, session, stored = self._session.practice, self._session, view.run

        def work(_progress: Progress) -> RunHandle | RunProcess:
            return session.start_plan(study, ready(study, plan, stored, practice))

        # What went wrong last time was, one hopes, mended.
        view.trouble.clear()
        self.plan = plan
        self._do("Starting the run")
        self._jobs.start("Starting the run", work, self._started, self._failed)

    def pause(self) -> None:
        """Send nothing new; calls in hand are finished and kept."""
        self._session.pause(self.run_id)

    def resume(self) -> None:
        """Go on with a paused run."""
        self._session.resume(self.run_id)

    def drain(self) -> None:
        """Finish the calls in hand, then end."""
        self.draining = True
        self._session.drain(self.run_id)
        self.state_changed.emit()

    def cancel(self) -> None:
        """End now; calls in flight stay open."""
        self._session.cancel(self.run_id)

    # What comes back ------------------------------------------------------------

    def _prepared(self, made: Run | None) -> None:
        self._do("")
        if made is not None:
            self.prepared.emit(made.id)

    def _show(self, asked: int, found: Opened) -> None:
        if asked != self._asked:
            return
        # The run in flight is known better here than on disk.
        if not (self.running and found.view.run.id == self.run_id):
            # The study knows what was answered, not why a session stopped.
            if self.view is not None and found.view.run.id == self.run_id:
                found.view.trouble.update(self.view.trouble)
            self.view, self.plan = found.view, found.plan
        self._do("")
        self.opened.emit(found)

    def _started(self, handle: RunHandle | RunProcess) -> None:
        if self.view is not None:
            self.draining = False
            self._session.follow(self.view.run.id, handle)
        self._do("")

    def _failed(self, error: UserError) -> None:
        self._do("")
        self.refused.emit(error)

    def _events(self, run_id: str, events: list[Event]) -> None:
        view = self.view
        # Runs of the other workspaces pass by here too.
        if view is None or run_id != view.run.id:
            return
        was = view.paused
        self._moved += view.fold(events)
        if not self._later.isActive():
            self._later.start()
        if was != view.paused:
            self.state_changed.emit()

    def _ended(self, run_id: str, end: RunEnded) -> None:
        del end
        if run_id == self.run_id:
            self.draining = False
            # The handle is let go with the next look, so this is told a little later.
            QTimer.singleShot(_SETTLE_MS, self, self._settle)

    def _settle(self) -> None:
        if self._session.opened is None:
            return  # the window was closed meanwhile
        if self.running:
            QTimer.singleShot(_SETTLE_MS, self, self._settle)
            return
        self._tell()
        self.state_changed.emit()
        if self.view is not None:
            self.open(self.run_id)  # what is left is counted anew

    def _tell(self) -> None:
        moved, self._moved = self._moved, []
        self.moved.emit(moved)

    def _do(self, what: str) -> None:
        self.doing = what
        self.state_changed.emit()


def _prepared(study: Study, plan: Plan, session: Session, progress: Progress) -> Run:
    # Pressed twice, or loaded again: the same plan is the same run.
    found = find_plan_run(study, plan)
    if found is not None:
        return found

    def told(done: int, total: int) -> None:
        progress.report(done / max(1, total), "Drawing and proving")

    practice, draws = session.practice, session.draws
    made = make_plan_run(study, plan, practice, renderer=draws, progress=told)
    add_entry(study, ACTOR, KEPT, kept_value(made, plan))
    return made


def _opened(study: Study, run_id: str) -> Opened:
    plan = plan_of_run(study, run(study, run_id))
    view = read_run(study, run_id)
    profiles = {profile.name: profile for profile in plan.profiles}
    left = forecast(study, view.run, profiles)
    # Models of a plan have equal shares of its calls; what is left mostly still has.
    each = left.requests // max(1, len(plan.profiles))
    time = expected_seconds(plan.profiles, each, latencies_in(study))
    # Loads what differences are computed with here, and not between two frames.
    quantile(0.975, 1)
    return Opened(view, plan, left, time)


def with_ceiling(plan: Plan, ceiling: float | None) -> Plan:
    """Return a plan with another cost ceiling; 0 stands for none."""
    return replace(plan, ceiling=ceiling or None)

"""Sends probes: prepares them off the GUI thread and follows those in flight."""

from contextlib import AbstractContextManager, nullcontext

from PySide6.QtCore import QObject, Signal

from director_gui.errors import UserError
from director_gui.render.still import StillRenderer
from director_gui.runner.engine_values import Event
from director_gui.store.runs import Run
from director_gui.study.probed import Replies, replies_in
from director_gui.study.running import Draft, make_run
from director_gui.study.stimuli import Draws
from director_gui.ui.jobs import JobCancelledError, Jobs, Progress
from director_gui.ui.probe.live import LiveProbe
from director_gui.ui.session import Session


class Sending(QObject):
    """One probe at a time is prepared and sent; its replies are folded in here."""

    begun = Signal(object)  # LiveProbe
    moved = Signal(object, object)  # LiveProbe, set of changed rows
    state_changed = Signal()
    refused = Signal(object)  # UserError

    def __init__(
        self, session: Session, jobs: Jobs, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._jobs = jobs
        self._preparing = False
        self.live: LiveProbe | None = None
        session.events.connect(self._events)

    @property
    def busy(self) -> str:
        """What is going on, in words; empty when nothing is."""
        if self._preparing:
            return "The probe is being prepared"
        if self.live is not None and self.live.running:
            return "A probe is being sent"
        return ""

    def send(self, draft: Draft) -> None:
        """Draw, prove and store a probe, then send it."""
        try:
            study = self._session.study
        except UserError as error:
            self.refused.emit(error)
            return
        keys, practice = self._session.keys, self._session.practice

        def prepare(progress: Progress) -> Replies | None:
            try:
                # The last moment to stop before anything is stored.
                progress.report(0.0, "Preparing the probe")
                for profile in draft.profiles:
                    keys.resolve(profile)  # before anything is stored
                # OpenGL belongs to the thread that made it, so it is made here.
                with self._renderer() as renderer:
                    progress.report(0.1, "Drawing the pictures")
                    made = make_run(study, draft, renderer, practice)
                return replies_in(study, made.id)
            # Taken here, for a cancelled job tells nobody that it ended.
            except JobCancelledError:
                return None

        self._preparing = True
        self.state_changed.emit()
        self._jobs.start("Preparing the probe", prepare, self._prepared, self._failed)

    def _renderer(self) -> AbstractContextManager[Draws]:
        own = self._session.draws
        return nullcontext(own) if own is not None else StillRenderer()

    def resend(self, live: LiveProbe) -> None:
        """Send the calls of a probe that are still open."""
        self.live = live
        # What went wrong last time was, one hopes, mended.
        live.trouble.clear()
        # The reader of this session has not seen what another session drew.
        if live.probe.run.practice:
            for picture in live.pictures():
                self._session.practice.know(picture, live.probe.scene)
        self._start(live.probe.run)

    def cancel(self) -> None:
        """Stop; what was answered is kept, what is open can be sent later."""
        if self.live is not None:
            self._session.cancel(self.live.probe.run.id)

    def forget(self) -> None:
        """Let go of the last probe, as another study is open now."""
        self.live = None
        self.state_changed.emit()

    def _prepared(self, replies: Replies | None) -> None:
        self._preparing = False
        if replies is None:
            self.state_changed.emit()
            return
        # Made before sending, so that no event can come too early.
        self.live = LiveProbe(replies)
        self.begun.emit(self.live)
        self._start(replies.probe.run)

    def _failed(self, error: UserError) -> None:
        self._preparing = False
        self.state_changed.emit()
        self.refused.emit(error)

    def _start(self, run: Run) -> None:
        try:
            self._session.send(run)
        except UserError as error:
            self.refused.emit(error)
        else:
            if self.live is not None:
                self.live.running = True
        self.state_changed.emit()

    def _events(self, run_id: str, events: list[Event]) -> None:
        live = self.live
        # Runs of the other workspaces pass by here too.
        if live is None or live.probe.run.id != run_id:
            return
        was = live.running
        self.moved.emit(live, live.fold(events))
        if was != live.running:
            self.state_changed.emit()

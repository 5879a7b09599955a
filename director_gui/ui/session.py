"""The open study and what sends calls for it; views observe it, none owns it."""

import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from director_gui import home
from director_gui.errors import UserError
from director_gui.runner.engine_values import Event, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunHandle, RunService
from director_gui.store.database import Study, create_study, open_study
from director_gui.store.lock import NotWritableError
from director_gui.store.runs import Run
from director_gui.store.session import start_run
from director_gui.store.spill import take_in
from director_gui.study.plan_sending import Sending
from director_gui.study.plan_sending import send as send_plan
from director_gui.study.practice import Practice
from director_gui.study.results.counting import Counting
from director_gui.study.run_process import RunProcess, send_apart
from director_gui.study.running import profiles_of

if TYPE_CHECKING:
    from director_gui.study.stimuli import Draws

SUFFIX = ".study"
READ_ONLY = (
    "This study is open read-only: another program writes it, or its folder cannot be"
    " written"
)
SCRATCH = "scratch"
_LAST = 10.0  # seconds that a cancelled run may take to end
_POLL_MS = 15
_SLICE = 0.003  # seconds of a turn that replies may take from what else is drawn
_FEW = 4  # events that are told together; more when many wait
_BACKLOG = 16  # of what waits, at least this share is told together
# Seconds after which a thread at work lets the window's go on. Python's own 5 ms are a
# third of the time between two frames, several times over in a turn.
_SWITCH = 0.0005


class Session(QObject):
    """One study at a time, its practice reader, and the runs in flight.

    Args:
        parent: Its owner.
        apart: Whether plans are sent by a process of their own.
    """

    study_changed = Signal()
    events = Signal(str, object)  # run id, list[Event]
    run_ended = Signal(str, object)  # run id, RunEnded
    rested = Signal()  # nothing is in flight any more

    def __init__(self, parent: QObject | None = None, *, apart: bool = False) -> None:
        super().__init__(parent)
        self._apart = apart
        self.keys = Keys()
        self.practice = Practice()
        # Draws in a process of its own; without one whoever needs pictures draws.
        self.draws: Draws | None = None
        self._service = RunService()
        self._study: Study | None = None
        self._folder: Path | None = None  # that a file dialog was last used in
        self._closed = False
        self._handles: dict[str, RunHandle | RunProcess] = {}
        self._switch = sys.getswitchinterval()
        self._at_close: list[Callable[[], object]] = []
        self._timer = QTimer(self, interval=_POLL_MS)
        self._timer.timeout.connect(self._poll)

    @property
    def study(self) -> Study:
        """The open study; the scratch study when none was opened.

        Raises:
            UserError: The scratch study cannot be opened, or the program ends.
        """
        if self._closed:
            raise UserError("the program is closing")
        if self._study is None:
            self._study = _scratch()
            self.study_changed.emit()
        return self._study

    @property
    def opened(self) -> Study | None:
        """The open study, None while nothing has been opened or kept yet."""
        return self._study

    @property
    def folder(self) -> Path:
        """Where file dialogs begin: where the last one ended, or beside the study."""
        if self._folder is not None and self._folder.is_dir():
            return self._folder
        study = self._study
        # The scratch study lies among the program's own files, where nobody looks.
        if study is None or study.path == _scratch_path():
            return home.documents()
        return study.path.parent

    @folder.setter
    def folder(self, folder: Path) -> None:
        self._folder = folder

    @property
    def busy(self) -> bool:
        """Whether a run is in flight."""
        return bool(self._handles)

    def open(self, path: Path) -> None:
        """Open the study at `path` in place of the one that is open.

        When another program writes it, it is opened for reading.

        Raises:
            UserError: It is no study, or calls are still in flight.
        """
        self._replace(lambda: _open(path))

    def create(self, path: Path) -> None:
        """Make an empty study at `path` and open it.

        Raises:
            UserError: It cannot be made, or calls are still in flight.
        """
        path = path if path.suffix else path.with_suffix(SUFFIX)
        self._replace(lambda: create_study(path, path.stem))

    def send(self, run: Run) -> None:
        """Send what is open of a stored run; events follow.

        Raises:
            UserError: A key is missing, or the run is not in the study.
        """
        if run.practice:
            self.practice.know_run(self.study, run.id)
        profiles = profiles_of(run, self.practice)
        for profile in profiles.values():
            self.keys.resolve(profile)  # told now, not by the first failing call
        handle = start_run(
            self._service,
            self.study,
            run.id,
            profiles,
            self.keys,
            beside=Counting(self.study).keeping_up(run.id),
        )
        self.follow(run.id, handle)

    def cancel(self, run_id: str) -> None:
        """Stop a run; its open calls can be sent later."""
        if run_id in self._handles:
            self._handles[run_id].cancel()

    def start_plan(self, study: Study, sending: Sending) -> RunHandle | RunProcess:
        """Begin sending what is open of a plan's run; `follow` the handle then.

        May be called from a job's thread: a long run takes seconds to begin.

        Raises:
            UserError: A key is missing, or the study cannot be written.
        """
        if self._apart:
            return send_apart(study, sending, self.keys)
        return send_plan(self._service, study, sending, self.keys)

    def start(self, begin: Callable[[RunService, Keys], RunHandle]) -> RunHandle:
        """Begin sending something else than a run; `follow` the handle then.

        May be called from a job's thread.

        Raises:
            UserError: What `begin` raises, such as for a missing key.
        """
        return begin(self._service, self.keys)

    def at_close(self, act: Callable[[], object]) -> None:
        """Do something when the program ends, after everything was stopped."""
        self._at_close.append(act)

    def follow(self, run_id: str, handle: RunHandle | RunProcess) -> None:
        """Tell what happens to a run that was begun."""
        self._handles[run_id] = handle
        sys.setswitchinterval(_SWITCH)
        self._timer.start()

    def sends(self, run_id: str) -> bool:
        """Return whether a run is in flight."""
        return run_id in self._handles

    def pause(self, run_id: str) -> None:
        """Send nothing new of a run until it is resumed."""
        if run_id in self._handles:
            self._handles[run_id].pause()

    def resume(self, run_id: str) -> None:
        """Go on with a paused run."""
        if run_id in self._handles:
            self._handles[run_id].resume()

    def drain(self, run_id: str) -> None:
        """Finish a run's calls in hand, then end it."""
        if run_id in self._handles:
            self._handles[run_id].drain()

    def drain_all(self) -> None:
        """Finish the calls in hand of every run, then end them."""
        for handle in self._handles.values():
            handle.drain()

    def close(self) -> None:
        """Stop everything; what was stored stays stored."""
        self._closed = True
        self._rest()
        for handle in self._handles.values():
            handle.cancel()
        self._service.close()
        for handle in self._handles.values():
            handle.wait(_LAST)
        self.practice.close()
        for act in self._at_close:
            act()
        if self._study is not None:
            self._study.close()
            self._study = None

    def _replace(self, make: Callable[[], Study]) -> None:
        if self.busy:
            raise UserError(
                "calls are still in flight",
                todo="Wait for them or cancel them before another study is opened",
            )
        new = make()
        if self._study is not None:
            self._study.close()
        self._study = new
        self._folder = None  # files of this study are looked for beside it
        self.study_changed.emit()

    def _poll(self) -> None:
        until = time.perf_counter() + _SLICE
        # What is left over waits for the next turn: a frame may come before it.
        while self._tell_some() and time.perf_counter() < until:
            pass
        if not self._handles:
            self._rest()
            self.rested.emit()

    def _tell_some(self) -> bool:
        """Tell a few events of each run; return whether there were any."""
        told = False
        for run_id, handle in list(self._handles.items()):
            done = handle.done  # asked first: no event can then follow the last poll
            found: list[Event] = handle.poll(max(_FEW, handle.waiting // _BACKLOG))
            if found:
                self.events.emit(run_id, found)
            elif done:
                self._handles.pop(run_id, None)
            for event in found:
                if isinstance(event, RunEnded):
                    self.run_ended.emit(run_id, event)
            told = told or bool(found)
        return told

    def _rest(self) -> None:
        self._timer.stop()
        sys.setswitchinterval(self._switch)


def _scratch_path() -> Path:
    return home.data_folder() / f"{SCRATCH}{SUFFIX}"


def _scratch() -> Study:
    path = _scratch_path()
    return _open(path) if path.exists() else create_study(path, SCRATCH)


def _open(path: Path) -> Study:
    try:
        study = open_study(path)
    except NotWritableError:
        return open_study(path, read_only=True)
    # Tried again when a run is sent, which says what is in the way.
    with suppress(UserError):
        take_in(study)
    return study

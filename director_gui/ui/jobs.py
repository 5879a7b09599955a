"""Long work off the GUI thread, with progress, time left and cancel."""

import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal

from director_gui.errors import UserError

Work = Callable[["Progress"], Any]  # any result; the caller's `done` knows its type


class JobCancelledError(Exception):
    """Raised inside a job at its next report after the user cancelled it."""


class Progress:
    """What a running job tells, and asks whether it should stop."""

    def __init__(self, tell: Callable[[float, str], None]) -> None:
        self._tell = tell
        self._cancelled = False

    def report(self, share: float, text: str = "") -> None:
        """Say that `share` (0-1) is done.

        Raises:
            JobCancelledError: The user asked to stop.
        """
        self.check()
        self._tell(share, text)

    def check(self) -> None:
        """Tell nothing, and end here if the user asked to stop.

        Raises:
            JobCancelledError: The user asked to stop.
        """
        if self._cancelled:
            raise JobCancelledError

    def cancel(self) -> None:
        """Ask the job to stop at its next report or check."""
        self._cancelled = True


class Job(QObject):
    """One piece of work; its signals arrive in the GUI thread."""

    progressed = Signal(float, str)
    finished = Signal(object)
    failed = Signal(object)  # UserError
    ended = Signal()  # after finished, failed or cancelled

    def __init__(self, title: str, work: Work, parent: QObject) -> None:
        super().__init__(parent)
        self.title = title
        self.started = time.monotonic()
        self.progress = Progress(self.progressed.emit)
        self.future: Future[None] | None = None
        self._work = work

    def run(self) -> None:
        """Do the work in the calling thread and tell how it ended."""
        try:
            result = self._work(self.progress)
        except JobCancelledError:
            pass
        except UserError as error:
            self.failed.emit(error)
        except Exception as error:  # noqa: BLE001 - a worker's top handler
            detail = "".join(traceback.format_exception(error))
            todo = "The detail can be copied for a report"
            self.failed.emit(UserError(f"{self.title} failed", where=detail, todo=todo))
        else:
            self.finished.emit(result)
        self.ended.emit()

    def seconds_left(self, share: float) -> float | None:
        """Return the time left in s at `share` done; None while it is a guess."""
        elapsed = time.monotonic() - self.started
        return elapsed * (1 - share) / share if share > 0.02 and elapsed > 0.5 else None


class Jobs(QObject):
    """Runs jobs in threads and tells the footer about them."""

    job_started = Signal(object)  # Job

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(2, thread_name_prefix="job")
        self._running: list[Job] = []
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a job runs or its result is on its way."""
        return bool(self._running)

    def start(
        self,
        title: str,
        work: Work,
        done: Callable[[Any], None] | None = None,
        failed: Callable[[UserError], None] | None = None,
    ) -> Job:
        """Run `work` in a thread; `done` and `failed` are called in this one."""
        job = Job(title, work, self)
        queued = Qt.ConnectionType.QueuedConnection
        if done:
            job.finished.connect(lambda result: self._hand(done, result), queued)
        if failed:
            job.failed.connect(lambda error: self._hand(failed, error), queued)
        job.ended.connect(lambda: self._ended(job), queued)
        self._running.append(job)
        self.job_started.emit(job)
        job.future = self._pool.submit(job.run)
        return job

    def close(self) -> None:
        """Ask every job to stop and wait for the threads."""
        self._closed = True
        for job in self._running:
            job.progress.cancel()
        self._pool.shutdown(wait=True, cancel_futures=True)

    def _hand(self, to: Callable[[Any], None], what: object) -> None:
        # What arrives after `close` would reach a window that is being taken down.
        if not self._closed:
            to(what)

    def _ended(self, job: Job) -> None:
        self._running.remove(job)
        if job.future is not None:
            # Its thread may still be telling others of the end, and a sender that is
            # deleted meanwhile tells nobody more. It is done within microseconds.
            wait([job.future])
        job.deleteLater()

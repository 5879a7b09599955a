"""Starts a job and is told of its end, however soon that is."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt

from director_gui.errors import UserError
from director_gui.ui.jobs import Job, Jobs, Work


def start_job(
    jobs: Jobs,
    title: str,
    work: Work,
    *,
    done: Callable[[Any], None] | None,
    failed: Callable[[UserError], None],
    ended: Callable[[], None] | None = None,
) -> Job:
    """Run `work` in a thread; `ended` is called last, after a cancel too."""

    def prepare(job: Job) -> None:
        if ended is not None:
            job.ended.connect(ended, Qt.ConnectionType.QueuedConnection)

    # Connected before the thread begins: a quick job could end before `start` returns.
    jobs.job_started.connect(prepare)
    try:
        return jobs.start(title, work, done, failed)
    finally:
        jobs.job_started.disconnect(prepare)

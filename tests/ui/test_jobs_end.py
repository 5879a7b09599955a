"""Everyone who asked is told that a job ended, however soon that is."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from director_gui.ui.jobs import Job, Jobs

pytestmark = pytest.mark.gui
_QUEUED = Qt.ConnectionType.QueuedConnection


def test_all_are_told_of_the_end_of_a_quick_job(qtbot: QtBot) -> None:
    jobs = Jobs()
    told: list[int] = []

    def listen(job: Job) -> None:
        for number in range(200):
            job.ended.connect(lambda number=number: told.append(number), _QUEUED)

    jobs.job_started.connect(listen)
    for _ in range(20):
        told.clear()
        jobs.start("quick", lambda _progress: None)
        qtbot.waitUntil(lambda: not jobs.busy)
        qtbot.wait(1)
        assert sorted(told) == list(range(200))
    jobs.close()

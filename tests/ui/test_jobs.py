"""Long work: results, refusals, bugs, progress, cancel, and the footer's words."""

import threading

import pytest
from pytestqt.qtbot import QtBot

from director_gui.errors import UserError
from director_gui.ui.footer import Footer, left_in_words
from director_gui.ui.jobs import Jobs, Progress

pytestmark = pytest.mark.gui


@pytest.fixture
def jobs(qtbot: QtBot) -> Jobs:
    del qtbot
    return Jobs()


def test_a_result_arrives_in_the_gui_thread(jobs: Jobs, qtbot: QtBot) -> None:
    found: list[tuple[object, bool]] = []
    main = threading.current_thread()

    def done(result: object) -> None:
        found.append((result, threading.current_thread() is main))

    jobs.start("Work", lambda _: 42, done)
    qtbot.waitUntil(lambda: bool(found))
    assert found == [(42, True)]
    qtbot.waitUntil(lambda: not jobs.busy)
    jobs.close()


def test_a_refusal_and_a_bug_are_told_apart(jobs: Jobs, qtbot: QtBot) -> None:
    errors: list[UserError] = []

    def refuse(_: Progress) -> None:
        raise UserError("no room", where="disk")

    def fail(_: Progress) -> None:
        raise ZeroDivisionError

    jobs.start("Save", refuse, failed=errors.append)
    jobs.start("Count", fail, failed=errors.append)
    qtbot.waitUntil(lambda: len(errors) == 2)
    told = {error.what: error for error in errors}
    assert str(told["no room"]) == "disk: no room"
    assert "ZeroDivisionError" in told["Count failed"].where
    jobs.close()


def test_a_cancelled_job_stops_at_its_next_report(jobs: Jobs, qtbot: QtBot) -> None:
    reached = threading.Event()
    go_on = threading.Event()
    ends: list[str] = []

    def work(progress: Progress) -> None:
        progress.report(0.1)
        reached.set()
        go_on.wait(5)
        progress.report(0.2)
        ends.append("too far")

    job = jobs.start("Long", work, lambda _: ends.append("done"))
    assert reached.wait(5)
    job.progress.cancel()
    go_on.set()
    qtbot.waitUntil(lambda: not jobs.busy)
    assert ends == []
    jobs.close()


def test_nothing_is_handed_to_a_closing_window(jobs: Jobs, qtbot: QtBot) -> None:
    handed: list[object] = []
    jobs.start("Late", lambda _: 1, handed.append)
    jobs.close()
    qtbot.wait(50)
    assert handed == []


def test_the_footer_shows_a_job_that_lasts(jobs: Jobs, qtbot: QtBot) -> None:
    footer = Footer()
    qtbot.addWidget(footer)
    footer.show()
    go_on = threading.Event()

    def work(progress: Progress) -> None:
        progress.report(0.5, "Half way")
        go_on.wait(10)

    jobs.job_started.connect(footer.show_job)
    jobs.start("Long", work)
    assert not footer._bar.isVisible()
    qtbot.waitUntil(footer._bar.isVisible, timeout=3000)
    assert "Half way · 50 %" in footer._job_text.text()
    go_on.set()
    qtbot.waitUntil(lambda: not footer._bar.isVisible())
    jobs.close()


def test_a_short_job_does_not_flash(jobs: Jobs, qtbot: QtBot) -> None:
    footer = Footer()
    qtbot.addWidget(footer)
    footer.show()
    jobs.job_started.connect(footer.show_job)
    jobs.start("Short", lambda _: None)
    qtbot.waitUntil(lambda: not jobs.busy)
    qtbot.wait(400)
    assert not footer._bar.isVisible()
    jobs.close()


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, ""),
        (0.2, "1 s left"),
        (59.4, "59 s left"),
        (120, "2 min left"),
        (7200, "2.0 h left"),
    ],
)
def test_time_left_in_words(seconds: float | None, words: str) -> None:
    assert left_in_words(seconds) == words

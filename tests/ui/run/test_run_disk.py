"""A disk that fills while the window sends a run, and a folder that cannot be written.

As root the study lies on a small disk of its own (tmpfs), which is really full; others
forbid the process to write larger files, which SQLite calls a failed write.
"""

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from director_gui.runner.engine_values import Policy
from director_gui.runner.profiles import Profile
from director_gui.store.attempts import replies_of
from director_gui.store.runs import runs
from director_gui.store.sendings import lost_of
from director_gui.ui.run.workspace import RunWorkspace
from tests.fault_server import FaultServer, Request, Served, chat
from tests.ui.run.runs_desk import RunDesk, plan

pytestmark = [
    pytest.mark.gui,
    pytest.mark.skipif(sys.platform != "linux", reason="tmpfs and limits of Linux"),
]
SIZE = 64 * 2**20  # bytes of the disk: a study, its log, and room kept for replies
CALLS = 12
LONG = "x" * 600_000  # a reply that finds no room between two others


class SmallDisk:
    """A folder whose room can be taken away and given back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.full = False
        self._filler = folder / "filler"
        self.mounted = os.geteuid() == 0 and self._mount()

    @property
    def words(self) -> tuple[str, str]:
        """What the window says when there is no room, and what to do."""
        if self.mounted:
            return "the disk is full", "Make room"
        return "reading or writing this study failed", "Check the disk"

    def _mount(self) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs"]
        try:
            done = subprocess.run(
                [*command, str(self.folder)], check=False, capture_output=True
            )
        except FileNotFoundError:
            return False
        return done.returncode == 0

    def fill(self) -> None:
        """Leave no room at all."""
        import resource  # exists on POSIX alone

        if self.full:
            return
        self.full = True
        if self.mounted:
            with suppress(OSError), self._filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(4096))
            return
        self._limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        most = max(path.stat().st_size for path in self.folder.iterdir())
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, self._limits[1]))

    def make_room(self) -> None:
        """Give the room back."""
        import resource  # exists on POSIX alone

        if self.mounted:
            self._filler.unlink(missing_ok=True)
        elif self.full:
            resource.setrlimit(resource.RLIMIT_FSIZE, self._limits)

    def close(self) -> None:
        self.make_room()
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.folder)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    made = SmallDisk(folder)
    yield made
    made.close()


@pytest.fixture
def small(
    qtbot: QtBot, drawn_study: Path, disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RunDesk]:
    quick = Policy(tries=3, first_wait=0.01, longest_wait=0.02, look_again=60.0)
    monkeypatch.setattr("director_gui.runner.engine.Policy", lambda: quick)
    made = RunDesk(qtbot, drawn_study, disk.folder)
    yield made
    disk.make_room()
    made.close()


def real_model(server: FaultServer) -> Profile:
    return Profile(
        name="real",
        base_url=server.base_url,
        model="m",
        concurrency=2,
        timeout=30.0,
        input_price=0.0,
        output_price=0.0,
    )


def test_a_full_disk_pauses_the_run_and_nothing_is_lost(
    small: RunDesk, disk: SmallDisk
) -> None:
    def decide(request: Request) -> Served:
        if request.number == 2:  # some replies are kept before
            disk.fill()
        return Served(body=chat(f"{request.number} {LONG}"))

    with FaultServer(decide) as server:
        work = small.workspace
        small.prepare(plan(profiles=(real_model(server),)))
        small.click(work.card.send)
        what, todo = disk.words
        small.wait(lambda: what in work.board.banner.text)
        assert work.board.banner.text.startswith("Paused: ")
        assert work.board.state.text() == "paused"
        assert todo in work.board.banner.text
        sent = len(server.requests)
        small.qtbot.wait(300)
        # Nobody pays for replies that cannot be kept.
        assert len(server.requests) == sent < CALLS
        # Going on without room pauses again, and holds on to what came.
        small.press(work.board.banner, "Try now")
        small.wait(lambda: work.board.state.text() == "paused")
        assert len(server.requests) == sent
        disk.make_room()
        small.click(work.board.resume)
        small.finish()
        assert len(server.requests) == CALLS  # each was paid for once
        served = server.served
    run_id = work.sending.run_id
    study = small.session.study
    replies = replies_of(study, run_id)
    assert [reply.status for reply in replies] == ["reply"] * CALLS
    rows = study.query("SELECT body FROM attempts")
    assert sorted(row["body"] for row in rows) == sorted(served)
    assert lost_of(study, run_id).in_flight == 0
    assert not work.board.banner.isVisible()


@pytest.mark.parametrize("apart", [False, True])
def test_a_run_ended_without_room_keeps_what_was_paid_for(
    small: RunDesk, disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, *, apart: bool
) -> None:
    # The program's own folder is on the same disk, as it mostly is.
    monkeypatch.setenv("DIRECTOR_GUI_HOME", str(disk.folder / "home"))
    if apart and not disk.mounted:
        pytest.skip("a limit of this process does not bind another")
    small.session._apart = apart

    def decide(request: Request) -> Served:
        if request.number == 2:
            disk.fill()
        return Served(body=chat(f"{request.number} {LONG}"))

    with FaultServer(decide) as server:
        work = small.workspace
        small.prepare(plan(profiles=(real_model(server),)))
        small.click(work.card.send)
        small.wait(lambda: work.board.state.text() == "paused")
        small.qtbot.wait(300)
        small.click(work.board.cancel)
        small.wait(lambda: not small.session.busy and not small.jobs.busy)
        assert len(server.requests) < CALLS
        disk.make_room()
        small.close()
        small.begin()
        work = small.workspace
        (stored,) = runs(small.session.study)
        work.show_run(stored.id)
        small.wait(lambda: bool(work.card.twice.text()))
        assert "Nothing could be paid twice" in work.card.twice.text()
        small.click(work.card.send)
        small.finish()
        assert len(server.requests) == CALLS  # each was paid for once
        served = server.served
    rows = small.session.study.query("SELECT body FROM attempts")
    assert sorted(row["body"] for row in rows) == sorted(served)


def test_a_folder_that_cannot_be_written_is_told_in_one_line(
    qtbot: QtBot, drawn_study: Path, tmp_path: Path
) -> None:
    desk = RunDesk(qtbot, drawn_study, tmp_path)
    run_id = desk.run()
    desk.close()
    folder = tmp_path / "fixed"
    folder.mkdir()
    shutil.copy(desk.path, folder / "a.study")
    for path in (folder / "a.study", folder):
        path.chmod(path.stat().st_mode & ~0o222)
    mounted = os.geteuid() == 0 and _read_only(folder)
    if os.access(folder, os.W_OK):
        pytest.skip("this user may write anywhere")
    try:
        _look_at(desk, folder / "a.study", run_id)
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.chmod(stat.S_IRWXU)


def _read_only(folder: Path) -> bool:
    """Rights do not bind root; a mount that is read-only does."""
    for options in (["--bind"], ["-o", "remount,bind,ro"]):
        command = ["mount", *options, str(folder)]
        if options == ["--bind"]:
            command.append(str(folder))
        try:
            if subprocess.run(command, check=False, capture_output=True).returncode:
                return False
        except FileNotFoundError:
            return False
    return True


def _look_at(desk: RunDesk, path: Path, run_id: str) -> None:
    desk.path = path
    desk.begin()
    work = desk.workspace
    assert desk.session.study.read_only
    work.refresh()
    work.sending.open(run_id)
    desk.wait(lambda: work.board.state.text() == "finished")
    assert not work.card.send.isEnabled()
    # What can be read is read.
    assert work.sending.view is not None
    assert work.sending.view.open == 0
    work.show_compose()
    work.compose.show_plan(plan(name="another"))
    assert not work.compose.prepare.isEnabled()
    (told,) = {text for text in _lines(work) if "read-only" in text}
    assert "\n" not in told
    desk.close()


def _lines(work: RunWorkspace) -> list[str]:
    """What the workspace says in words that can be seen."""
    return [found.text() for found in work.findChildren(QLabel) if found.isVisible()]

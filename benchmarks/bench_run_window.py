"""Frame gaps of the run workspace while 300 replies a second arrive.

Run by hand: ``python -m benchmarks.bench_run_window``. A server in a process of its own
answers 30 connections after 0.1 s each; the window shows the arms, the differences and
the replies of one arm. A timer that is due every 16 ms says how long the window was
deaf. The same window with no run in flight is the peer: its gaps are printed beside,
and the processor time that the window's own thread takes between two ticks, which does
not depend on what else the machine is doing.
"""

import multiprocessing
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("DIRECTOR_GUI_HOME", tempfile.mkdtemp())

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from director_gui.runner.plan import Batch
from director_gui.runner.profiles import Profile
from director_gui.store.database import create_study
from director_gui.study.plan_file import DeclaredFamily, Plan, SceneChoice
from director_gui.study.sets import recipe_of
from director_gui.ui import theme
from director_gui.ui.jobs import Jobs
from director_gui.ui.run.workspace import RunWorkspace
from director_gui.ui.session import Session
from tests.fault_server import FaultServer, Request, Served, chat
from tests.made_sets import add_set

SCENES, SAMPLES, CONNECTIONS, DELAY = 40, 30, 30, 0.1
DUE, GOAL, SECONDS = 16, 20.0, 12.0  # ms, ms, s
CONDITIONS = ("move.ask", "move.plain", "move.count", "move.state")


def serve(pipe: Connection) -> None:
    """Answer every request after a tenth of a second until told to stop."""
    rng = random.Random(1)

    def decide(_: Request) -> Served:
        server.requests.clear()
        server.served.clear()
        text = f'{{"visible": [1, 2], "choice": {rng.randint(1, 9)}, "count": 3}}'
        return Served(body=chat(text), delay=DELAY)

    with FaultServer(decide) as server:
        pipe.send(server.base_url)
        pipe.recv()


class Gaps:
    """Times between two turns of the event loop that were due every 16 ms."""

    def __init__(self) -> None:
        self.found: list[float] = []
        self.work: list[float] = []  # processor time of the window's own thread
        self._last, self._worked = time.perf_counter(), time.thread_time()
        self._timer = QTimer(interval=DUE, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self._timer.start()

    def _tick(self) -> None:
        now, worked = time.perf_counter(), time.thread_time()
        self.found.append(1000 * (now - self._last))
        self.work.append(1000 * (worked - self._worked))
        self._last, self._worked = now, worked

    def told(self) -> str:
        """Stop and return the figures."""
        self._timer.stop()
        gaps = sorted(self.found)
        late = sum(gap > GOAL for gap in gaps) / len(gaps)
        p99 = gaps[int(0.99 * len(gaps))]
        work = sorted(self.work)[int(0.99 * len(gaps))]
        return (
            f"median {statistics.median(gaps):.1f} ms, p99 {p99:.1f} ms, "
            f"most {gaps[-1]:.1f} ms, {late:.1%} above {GOAL:.0f} ms; "
            f"own work of a turn p99 {work:.1f} ms"
        )


def until(app: QApplication, condition: Callable[[], bool], limit: float = 120) -> None:
    """Let the window live until something holds."""
    end = time.monotonic() + limit
    while not condition() and time.monotonic() < end:
        app.processEvents()
        time.sleep(0.001)


def measure(seconds: float) -> str:
    """Return the gaps of some seconds of the event loop."""
    gaps = Gaps()
    # A loop of its own: quitting the program would close the window.
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()
    return gaps.told()


def ended(work: RunWorkspace) -> int:
    """Return how many calls have an end."""
    view = work.sending.view
    return view.calls - view.open if view is not None else 0


def main() -> None:
    """Print the gaps without and with replies."""
    context = multiprocessing.get_context("spawn")
    mine, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,))
    server.start()
    app = QApplication([])
    theme.apply(app, "light")
    path = Path(tempfile.mkdtemp()) / "bench.study"
    with create_study(path, "bench") as study:
        add_set(study, recipe_of("main", count=SCENES, seed=1))
    session, jobs = Session(apart=True), Jobs()
    session.open(path)
    work = RunWorkspace(session, jobs, print)
    work.resize(1224, 732)
    work.show()
    local = Profile(
        name="local",
        base_url=mine.recv(),
        model="m",
        input_price=0.0,
        output_price=0.0,
        concurrency=CONNECTIONS,
    )
    work.compose.show_plan(
        Plan(
            name="bench",
            batches=(Batch("1", CONDITIONS),),
            profiles=(local,),
            scenes=SceneChoice(sets=("main",)),
            samples=SAMPLES,
            families=(DeclaredFamily("main", (("move.ask", "move.plain"),)),),
        )
    )
    work.compose.prepare.click()
    until(app, lambda: bool(work.sending.run_id) and not work.sending.doing)
    work.board.tabs.setCurrentIndex(2)
    work.board.interim.setChecked(True)
    work.board.arms.selectRow(0)
    until(app, lambda: work.pane.replies is not None)
    print(f"no replies:    {measure(SECONDS / 2)}")
    work.card.send.click()
    until(app, lambda: work.sending.running)
    until(app, lambda: ended(work) > 300)  # past the first spacing
    before, start = ended(work), time.monotonic()
    told = measure(SECONDS)
    rate = (ended(work) - before) / (time.monotonic() - start)
    print(f"{rate:.0f} replies/s: {told}")
    work.sending.cancel()
    until(app, lambda: not session.busy and not jobs.busy)
    work.hide()
    jobs.close()
    session.close()
    mine.send("stop")
    server.join(5)


if __name__ == "__main__":
    main()

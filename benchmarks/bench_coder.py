"""The blind pane's next trace and key presses, beside a bare text box of Qt.

Run by hand: ``python benchmarks/bench_coder.py``. A packet of 10,000 traces of 50 kB
each; every step is timed from the key press until the window is painted. Also: how
long the pane takes from the shell to a usable window, beside a bare Qt window.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("DIRECTOR_GUI_HOME", tempfile.mkdtemp())

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget

from coding import codebook
from coding.packet import Entry, Item, Packet, seal
from coding.results import CodingSession
from director_gui import assets
from director_gui.ui.coder import start
from director_gui.ui.coder.pane import CoderPane

ITEMS, CHARACTERS, STEPS, FRAME = 10_000, 50_000, 300, 16.0
WORDS = [
    "director",
    "sees",
    "the",
    "block",
    "which",
    "is",
    "largest",
    "behind",
    "partition",
    "so",
    "3",
    "5",
    "8",
]
SHAPES = {"paragraphs of 90 words": 90, "lines of 12 words": 12, "one line": 10**6}

BARE = """
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QPlainTextEdit
app = QApplication([])
view = QPlainTextEdit("text")
view.show()
QTimer.singleShot(0, app.quit)
app.exec()
"""
ALONE = """
import sys
from PySide6.QtCore import QTimer
from director_gui import __main__
from director_gui.ui.coder import start
made = start.application
def application():
    app = made()
    QTimer.singleShot(0, app.quit)
    return app
start.application = application
__main__.main(["code", sys.argv[1], "--alias", "ann"])
"""


def texts(words_a_line: int) -> list[str]:
    """A hundred texts of one shape; 10,000 items share them to spare memory."""
    draw = random.Random(1)
    made = []
    for _ in range(100):
        words = draw.choices(WORDS, k=CHARACTERS // 5)
        lines = [
            " ".join(words[i : i + words_a_line])
            for i in range(0, len(words), words_a_line)
        ]
        made.append("\n".join(lines)[:CHARACTERS])
    return made


def packet_of(shared: list[str]) -> Packet:
    """A packet value, without the file that would hold 500 MB."""
    book = codebook.read_file(assets.path("codebooks/reading.toml"))
    items = tuple(Item(f"{i:032x}", shared[i % 100]) for i in range(ITEMS))
    return Packet("0" * 32, items, book, "0" * 64, "0" * 64)


def milliseconds(work: Callable[[], object]) -> list[float]:
    """The times of `STEPS` runs, each until nothing is left to paint, sorted."""
    times = []
    for _ in range(STEPS):
        begin = time.perf_counter()
        work()
        QApplication.processEvents()
        times.append((time.perf_counter() - begin) * 1e3)
    return sorted(times)


def told(what: str, times: list[float]) -> None:
    """Print the median and the 95th percentile."""
    p50, p95 = times[len(times) // 2], times[len(times) * 95 // 100]
    verdict = "" if p95 <= FRAME else f"  above one frame ({FRAME} ms)"
    print(f"  {what:<34} p50 {p50:6.2f} ms   p95 {p95:6.2f} ms{verdict}")


def shown(widget: QWidget) -> None:
    """Show a widget with the keyboard in it."""
    widget.resize(1280, 800)
    widget.show()
    widget.activateWindow()
    QTest.qWaitForWindowActive(widget)


def bench_steps(shape: str, shared: list[str]) -> None:
    """Next trace, a code on disk, a quote on disk; then the bare text box."""
    packet = packet_of(shared)
    print(f"{ITEMS} traces of {CHARACTERS} characters, {shape}")
    with (
        tempfile.TemporaryDirectory() as folder,
        CodingSession(packet, Path(folder) / "r.jsonl", "ann") as session,
    ):
        for item in packet.items[: STEPS + 1]:
            session.set_skip(item.id)
        pane = CoderPane(packet, session)
        pane.desk.previous()
        shown(pane)
        pane.trace.setFocus()
        while pane.desk.index:
            pane.desk.previous()
        QApplication.processEvents()
        key = QTest.keyClick
        told("next trace", milliseconds(lambda: key(pane.trace, Qt.Key.Key_Return)))
        if pane.desk.index != STEPS:
            raise SystemExit(f"went {pane.desk.index} traces instead of {STEPS}")
        told("a code, on disk", milliseconds(lambda: key(pane.trace, Qt.Key.Key_O)))

        def quote() -> None:
            ctrl, shift = Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier
            key(pane.trace, ctrl, shift | Qt.KeyboardModifier.ControlModifier)
            key(pane.trace, Qt.Key.Key_Q)

        told("a quote, on disk", milliseconds(quote))
        pane.close()
    bench_bare(shared)


def bench_bare(shared: list[str]) -> None:
    """The peer: Qt's own text box with the same texts."""
    view = QPlainTextEdit()
    shown(view)
    numbers = iter(range(10**9))
    told(
        "Qt's text box alone, next text",
        milliseconds(lambda: view.setPlainText(shared[next(numbers) % 100])),
    )
    view.close()


def bench_start() -> None:
    """From the shell to a window with the keyboard, beside a bare one."""
    book = codebook.read_file(assets.path("codebooks/reading.toml"))
    entries = [Entry(str(i), f"The largest is {i}.") for i in range(200)]
    sealed = seal(entries, book)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / sealed.file_name
        path.write_bytes(sealed.data)
        ours = min(seconds(ALONE, str(path)) for _ in range(5))
        bare = min(seconds(BARE) for _ in range(5))
    print(f"start to a usable window: {ours:.2f} s; a bare Qt window: {bare:.2f} s")


def seconds(code: str, *args: str) -> float:
    """How long a fresh Python takes to run `code`."""
    root = str(Path(__file__).parents[1])
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code, *args],
        check=True,
        env={**os.environ, "PYTHONPATH": root},
    )
    return time.perf_counter() - begin


def main() -> None:
    """Run all of it."""
    start.application()
    for shape, words in SHAPES.items():
        bench_steps(shape, texts(words))
    bench_start()


if __name__ == "__main__":
    main()

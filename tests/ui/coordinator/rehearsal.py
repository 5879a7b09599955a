"""Blind coding from first to last as new people would do it, by keyboard alone.

Run with a folder: it makes a study there, seals two packets of the same traces, codes
one as each of two coders, merges, settles disagreements, guesses, unblinds. A picture
of each step is saved; what came of it is printed as JSON. Nothing is clicked, and all
that is used is reached with the Tab key.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QFileDialog, QWidget

from coding.packet import read_packet
from director_gui.store.log import entries
from director_gui.ui.coder.start import window_for
from director_gui.ui.coder.window import CoderWindow
from director_gui.ui.coordinator.workspace import CodingWorkspace
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from tests import blind_studies

K = Qt.Key
CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
Key = K | tuple[K, Qt.KeyboardModifier]
TABS = 80  # presses after which a widget counts as out of reach
PATIENCE = 20  # s
# Which traces the second coder reads otherwise; by the text, as the order differs.
ODD = 3
SIZE = (1280, 800)


class Stage:
    """The window that is played in, its keyboard, and its pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.taken, self.tabs = folder, 0, dict[str, int]()

    def enter(self, window: QWidget) -> None:
        """Show a window and give it the keyboard."""
        window.resize(*SIZE)
        window.show()
        window.activateWindow()
        self.wait(window.isActiveWindow)

    def press(self, *keys: Key) -> None:
        """Press keys where the keyboard is."""
        for key in keys:
            target = QApplication.focusWidget() or QApplication.activeWindow()
            if target is None:
                raise AssertionError("no widget has the keyboard")
            QTest.keyClick(target, *(key if isinstance(key, tuple) else (key,)))
            QApplication.processEvents()

    def write(self, text: str) -> None:
        """Type words where the keyboard is."""
        QTest.keyClicks(QApplication.focusWidget(), text)

    def tab_to(self, widget: QWidget, name: str) -> None:
        """Reach a widget with the Tab key, and count the presses."""
        for pressed in range(TABS):
            if widget.hasFocus():
                self.tabs[name] = pressed
                return
            self.press(K.Key_Tab)
        raise AssertionError(f"{name} cannot be reached by keyboard")

    def wait(self, done: Callable[[], object]) -> None:
        """Let the windows run until `done`."""
        end = time.monotonic() + PATIENCE
        while not done():
            if time.monotonic() > end:
                raise AssertionError("it did not come")
            QTest.qWait(20)

    def picture(self, window: QWidget, name: str) -> None:
        """Save what a window shows."""
        QTest.qWait(250)
        self.taken += 1
        window.grab().save(str(self.folder / f"{self.taken:02d}-{name}.png"))


def seal(stage: Stage, work: CodingWorkspace, *, again: bool) -> Path:
    """Make and seal a packet; the second holds the first one's items once more."""
    before = set((stage.folder / "packets").glob("*.codepack"))
    stage.press((K.Key_N, CTRL | SHIFT))
    make = work.make
    stage.wait(lambda: make.isVisible() and make.prepared)
    if again:
        stage.tab_to(make.form.source, "which items")
        stage.press(K.Key_Down)
        stage.wait(lambda: make.prepared and make.prepared.request.again)
    if make.accept_all.isVisible():
        stage.tab_to(make.accept_all, "keep all hits")
        stage.press(K.Key_Space)
    stage.tab_to(make.seal, "seal")
    stage.picture(work, "make-again" if again else "make")
    stage.press(K.Key_Space)
    stage.wait(work.page.isVisible)
    (path,) = set((stage.folder / "packets").glob("*.codepack")) - before
    return path


def code(stage: Stage, packet: Path, alias: str, *, odd: int) -> None:
    """Code a packet to the end, then guess."""
    window, _ = window_for(packet, None, None)
    if not isinstance(window, CoderWindow):
        raise TypeError(packet)
    stage.enter(window)
    stage.picture(window, f"{alias}-welcome")
    stage.write(alias)
    stage.press(K.Key_Return)
    if window.training.isVisible():
        stage.picture(window, f"{alias}-training")
        stage.press(K.Key_Return)
    pane = window.pane
    if pane is None:
        raise AssertionError("coding did not begin")
    texts = sorted(item.text for item in read_packet(packet).items)
    for at in range(len(texts)):
        reading = K.Key_O if texts.index(pane.desk.item.text) < odd else K.Key_D
        stage.press(*[(K.Key_Right, CTRL | SHIFT)] * 5, K.Key_Q)
        stage.press(reading, K.Key_2, K.Key_8)
        if at == 1:
            stage.picture(window, f"{alias}-coding")
        stage.press(K.Key_Return)
    stage.wait(window.finish.isVisible)
    stage.picture(window, f"{alias}-finish")
    guess(stage, window, len(texts), alias)
    window.close()


def guess(stage: Stage, window: CoderWindow, count: int, alias: str) -> None:
    """Guess what was asked before each trace."""
    stage.tab_to(window.finish.guess, "guess")
    stage.press(K.Key_Return)
    for at in range(count):
        if at == 1 and window.guesses:
            stage.picture(window, f"{alias}-guess")
        stage.press((K.Key_1, K.Key_2, K.Key_3)[at % 3])
    stage.wait(window.finish.isVisible)


def merge(stage: Stage, work: CodingWorkspace, place: int) -> None:
    """Choose a packet in the list and merge what waits beside it."""
    stage.tab_to(work.list._list, "list of packets")
    stage.press(K.Key_Home, *[K.Key_Down] * place)
    page = work.page
    stage.wait(page.news.isVisible)
    button = next(
        b for b in page.news.findChildren(QAbstractButton) if b.text() == "Merge"
    )
    stage.tab_to(button, "merge")
    stage.picture(work, "merge")
    stage.press(K.Key_Space)
    stage.wait(lambda: page.coders.rowCount() == 1)


def settle(stage: Stage, work: CodingWorkspace) -> None:
    """Settle the disagreements with the key that the page names."""
    stage.wait(work.page.adjudicate.begin.isVisible)
    stage.picture(work, "agreement")
    stage.press((K.Key_J, CTRL))
    stage.wait(lambda: work.adjudicate.pane and work.adjudicate.pane.trace.hasFocus())
    stage.picture(work, "adjudicate")
    stage.press(K.Key_O, K.Key_Return, K.Key_D)
    stage.picture(work, "adjudicated")
    stage.press((K.Key_Return, CTRL))
    stage.wait(lambda: "settled so far" in work.page.adjudicate.words.text())
    stage.picture(work, "settled")


def unblind(stage: Stage, work: CodingWorkspace) -> None:
    """Open the key with a reason."""
    stage.tab_to(work.page.unblind.reason, "reason")
    stage.write("both coders are done")
    stage.press(K.Key_Return)
    stage.wait(work.page.joined.isVisible)
    stage.picture(work, "unblinded")
    stage.tab_to(work.page.guesses.table, "guesses")
    stage.picture(work, "guesses")


def play(folder: Path) -> dict[str, object]:
    """Play all of it; return what came of it."""
    stage = Stage(folder)
    packets = folder / "packets"
    blind_studies.make(folder / "a.study").close()
    # The system's own dialog is not ours to rehearse.
    QFileDialog.getExistingDirectory = staticmethod(lambda *_: str(packets))
    session, jobs, refused = Session(), Jobs(), list[str]()
    session.open(folder / "a.study")
    work = CodingWorkspace(session, jobs, lambda error: refused.append(str(error)))
    stage.enter(work)
    stage.picture(work, "empty")
    first = seal(stage, work, again=False)
    second = seal(stage, work, again=True)
    work.hide()
    code(stage, first, "ann", odd=0)
    code(stage, second, "ben", odd=ODD)
    stage.enter(work)
    merge(stage, work, 0)  # the newest stands first
    merge(stage, work, 1)
    settle(stage, work)
    unblind(stage, work)
    found = {
        "refused": refused,
        "tabs": stage.tabs,
        "log": [[e.action, e.detail] for e in entries(session.study)],
        "pairs": work.page.agreement.pairs.texts(),
        "joined": [table.texts() for table in work.page.joined.tables],
        "guesses": work.page.guesses.table.texts(),
        "pictures": stage.taken,
    }
    work.close()
    jobs.close()
    session.close()
    return found


if __name__ == "__main__":
    app = make_app(Settings())
    sys.stdout.write(json.dumps(play(Path(sys.argv[1]))))

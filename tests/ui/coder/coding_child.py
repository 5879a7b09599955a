"""A coder of another process: codes by key events and tells each decision it saw.

Run with a packet and a seed; killed from outside. It prints one line for each key
whose effect was shown: item, what the pane then showed for it.
"""

import json
import random
import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from director_gui.ui.coder import start
from director_gui.ui.coder.window import CoderWindow

K = Qt.Key
CODES = (K.Key_D, K.Key_O, K.Key_P, K.Key_G, K.Key_N, K.Key_1, K.Key_2, K.Key_8)
ALL = (*CODES, K.Key_Q, K.Key_F, K.Key_S, K.Key_Z, K.Key_Return, K.Key_Left)


def main(path: Path, seed: int) -> None:
    start.application()
    window, _ = start.window_for(path, "ann", None)
    assert isinstance(window, CoderWindow)
    window.show()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    window.begin("ann", window.welcome.results)
    pane = window.pane
    assert pane is not None
    draw = random.Random(seed)
    tell({"start": pane.desk.session.head})
    while True:
        press(pane.trace, draw.choice(ALL))
        tell({"head": pane.desk.session.head})
        if not pane.isVisible():
            window.pages.setCurrentWidget(pane)
            pane.trace.setFocus()


def press(trace: object, key: Qt.Key) -> None:
    ctrl, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
    if key == K.Key_Q:
        QTest.keyClick(trace, K.Key_Right, ctrl | shift)
    QTest.keyClick(trace, key, ctrl if key == K.Key_Z else Qt.KeyboardModifier(0))


def tell(what: dict[str, str]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

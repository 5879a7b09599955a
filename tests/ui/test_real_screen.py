"""The program on a real X screen, driven by the real mouse and keyboard."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

import pytest
from PIL import Image, ImageChops

pytestmark = [
    pytest.mark.gui,
    pytest.mark.render,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")),
        reason="needs Xvfb and xdotool",
    ),
]

# The real window; beside it only what tells the test where things are.
PROGRAM = """
import json, sys
from PySide6.QtCore import QTimer
from director_gui.ui.scenes.overlay import Projector
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from director_gui.ui.window import MainWindow
from director_gui.study.preview import Preview

def say(**what):
    print(json.dumps(what), flush=True)

def main():
    settings = Settings()
    app = make_app(settings)
    window = MainWindow(settings, Preview())
    window.setGeometry(0, 0, 1280, 800)
    window.show()
    window.activateWindow()
    view, document = window.scenes.edit_view, window.document
    def ready(_studied):
        window.scenes.studio.studied.disconnect(ready)
        block = document.scene.block(5)
        at = Projector(view.viewpoint, view.frame()).spot((block.x, block.y, 0.08))
        on = view.mapToGlobal(at.toPoint())
        app.primaryScreen().grabWindow(0).save(sys.argv[1])
        say(ready=[on.x(), on.y()])
    window.scenes.studio.studied.connect(ready)
    def listen():
        app.primaryScreen().grabWindow(0).save(sys.argv[2])
        block = document.scene.block(5)
        say(words=window.scenes.verdict.words.text(), x=block.x, y=block.y,
            steps=document.undo_stack.count())
    # Told once nothing has moved for a while: the drag is over.
    rest = QTimer(singleShot=True, interval=700)
    rest.timeout.connect(listen)
    document.scene_changed.connect(lambda _: rest.start())
    app.exec()

if __name__ == "__main__":
    main()
"""


class Driver:
    """Starts the program, hears what it says, moves the mouse, presses keys."""

    def __init__(self, display: str, script: Path, *pictures: Path) -> None:
        self._env = dict(os.environ, DISPLAY=display, QT_QPA_PLATFORM="xcb")
        self._env["PYTHONPATH"] = str(Path(__file__).parents[2])
        self._said: Queue[dict[str, Any]] = Queue()
        self.program = subprocess.Popen(
            [sys.executable, str(script), *map(str, pictures)],
            stdout=subprocess.PIPE,
            env=self._env,
            text=True,
        )
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.program.stdout is not None
        for line in self.program.stdout:
            self._said.put(json.loads(line))

    def heard(self, key: str) -> dict[str, Any]:
        """Wait for the next thing said that has `key`."""
        while True:
            found = self._said.get(timeout=90)
            if key in found:
                return found

    def do(self, *words: object) -> None:
        """Hand a command to xdotool."""
        subprocess.run(["xdotool", *map(str, words)], env=self._env, check=True)

    def drag(self, start: tuple[int, int], by: tuple[int, int]) -> None:
        """Drag with the left button in eight steps."""
        x, y = start
        self.do("mousemove", x, y, "mousedown", 1)
        for step in range(1, 9):
            self.do("mousemove", x + by[0] * step // 8, y + by[1] * step // 8)
        self.do("mouseup", 1)

    def close(self) -> None:
        """End the program."""
        self.program.kill()
        self.program.wait()
        if self.program.stdout is not None:
            self.program.stdout.close()


@pytest.fixture
def display() -> Iterator[str]:
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"]
    with subprocess.Popen(
        command, pass_fds=[write], stderr=subprocess.DEVNULL
    ) as server:
        os.close(write)
        with os.fdopen(read) as told:
            number = told.readline().strip()
        yield f":{number}"
        server.terminate()


def test_the_real_mouse_drags_a_block(display: str, tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    before, after = tmp_path / "before.png", tmp_path / "after.png"
    driver = Driver(display, script, before, after)
    try:
        driver.drag(driver.heard("ready")["ready"], (64, 24))
        told = driver.heard("words")
        assert "The director does not see 3." in told["words"]
        assert told["steps"] == 1
        assert (told["x"], told["y"]) != (0.05, -0.06)
        pictures = (Image.open(path).convert("RGB") for path in (before, after))
        assert ImageChops.difference(*pictures).getbbox() is not None
        driver.do("key", "ctrl+z")
        undone = driver.heard("words")
        assert (undone["x"], undone["y"]) == (0.05, -0.06)
    finally:
        driver.close()

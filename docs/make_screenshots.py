"""Draw docs/contact-sheet.png and docs/window.png: the real program, as it runs.

Each is shown at 1280x800 and 1920x1080, light and dark, on the example study that
`director-gui demo` makes; below stand the two printed pictures of the example scene.
The first picture of all is kept on its own, for the README.
Run: make screenshots
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

HOME = Path(tempfile.mkdtemp(prefix="director-gui-shots-"))
os.environ["DIRECTOR_GUI_HOME"] = str(HOME)
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image, ImageDraw
from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from director_gui.render.still import StillRenderer
from director_gui.runner.practice.coders import two_coders
from director_gui.scene.example import example_scene
from director_gui.scene.items import Item
from director_gui.scene.model import VIEWS
from director_gui.store.packets import packets
from director_gui.study.blind.auto_known import practice_known
from director_gui.study.blind.known import read_known
from director_gui.study.blind.merging import merge_results
from director_gui.study.blind.practice import practice_coding
from director_gui.study.blind.preparing import Request, prepare
from director_gui.study.blind.sealing import default_codebook, release, seal_packet
from director_gui.study.preview import Preview
from director_gui.ui import theme
from director_gui.ui.coder.start import window_for
from director_gui.ui.coordinator.workspace import CodingWorkspace
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from director_gui.ui.theme import Mode
from director_gui.ui.window import MainWindow

OUT = Path(__file__).parent / "contact-sheet.png"
FIRST = Path(__file__).parent / "window.png"
SIZES = ((1280, 800), (1920, 1080))
THEMES: tuple[Mode, Mode] = ("light", "dark")
COLUMN, GAP, LINE = 620, 24, 26  # px on the sheet
Shot = tuple[str, Image.Image]


def main() -> None:
    """Make the study, take every picture, write the sheet."""
    demo = HOME / "demo"
    command = [sys.executable, "-m", "director_gui", "demo", "--no-window"]
    subprocess.run([*command, "--out", str(demo)], check=True)
    app = make_app(Settings())
    rows: dict[str, list[Shot]] = {}
    for mode in THEMES:
        for size in SIZES:
            theme.apply(app, mode)
            Settings().theme = mode
            where = f"{size[0]} x {size[1]}, {mode}"
            for name, widget in workspaces(demo, size):
                picture = grabbed(widget)
                rows.setdefault(name, []).append((where, picture))
    _, first = rows["Scenes"][0]
    first.save(FIRST, optimize=True)
    # 256 colours: the repository keeps every version of this large picture.
    whole = sheet(rows, printed()).quantize(256, dither=Image.Dither.NONE)
    whole.save(OUT, optimize=True)
    print(f"wrote {FIRST} and {OUT}")


def workspaces(demo: Path, size: tuple[int, int]) -> Iterator[tuple[str, QWidget]]:
    """Yield name and window of each workspace, ready to be looked at."""
    window = MainWindow(Settings(), Preview())
    window.resize(*size)
    window.show()
    window.open_study(demo / "demo.study")
    wait(500)
    window.document.select(Item("block", window.document.scene.digits[1]))
    wait(500)
    settle(lambda: window.scenes.studio.settled)
    yield "Scenes", window
    window.probe.open()
    send = next(
        found
        for found in window.probe.compose.findChildren(QPushButton)
        if found.text().startswith("Send")
    )
    settle(send.isEnabled)
    QTest.mouseClick(send, Qt.MouseButton.LeftButton)
    settle(lambda: window.session.busy, 20)
    settle(lambda: not window.session.busy)
    settle(lambda: window.scenes.studio.settled)
    yield "Probe: replies", window
    window.probe.tabs.setCurrentWidget(window.probe.messages)
    yield "Probe: messages", window
    for at, name in enumerate(window.workspace_names()):
        if name != "Scenes":
            window.show_workspace(at)
            wait(2500)  # some look at the scene or decode pictures first
            settle(lambda: not window.jobs.busy)
            if name == "Coding":
                # The example's own packet; later ones are made for pictures below.
                oldest = packets(window.session.study)[0].id
                window.workspace("Coding").show_packet(oldest)
                wait(300)
                settle(lambda: not window.jobs.busy)
            yield name, window
            if name == "Coding":
                window.workspace("Coding").show_books()
                wait(300)
                settle(lambda: not window.jobs.busy)
                yield "Coding: codebooks", window
                yield from automatic(window)
                yield from adjudication(window, HOME / "adjudication")
    window.document.undo_stack.setClean()
    window.close()
    yield from blind_pane(demo, size)


def blind_pane(demo: Path, size: tuple[int, int]) -> Iterator[tuple[str, QWidget]]:
    """Yield the coders' window as a coder meets it."""
    packet = next((demo / "coding").glob("*.codepack"))
    folder = HOME / f"coder-{size[0]}-{theme.tokens().window[1:]}"
    folder.mkdir(exist_ok=True)
    pane, _ = window_for(packet, "screenshots", folder)
    pane.resize(*size)
    pane.show()
    wait(600)
    yield "Blind pane: before coding", pane
    start = next(
        found
        for found in pane.findChildren(QPushButton)
        if found.text().startswith("Start")
    )
    QTest.mouseClick(start, Qt.MouseButton.LeftButton)
    wait(300)
    yield "Blind pane: training", pane
    for key in (Qt.Key.Key_Return, Qt.Key.Key_D):
        QTest.keyClick(pane.focusWidget() or pane, key)
        wait(300)
    wait(600)
    yield "Blind pane: coding", pane
    pane.close()


def adjudication(window: MainWindow, folder: Path) -> Iterator[tuple[str, QWidget]]:
    """Yield a packet that is still blind: its agreement, then what is to be settled."""
    coding = window.workspace("Coding")
    if not isinstance(coding, CodingWorkspace):
        raise TypeError(coding)
    study = window.session.study
    if not folder.exists():  # made once, and shown in every size and theme
        prepared = prepare(study, Request(size=24, seed=7))
        found = seal_packet(
            study,
            prepared,
            default_codebook(),
            "screenshots",
            decisions={one.name: "keep" for one in prepared.findings},
        )
        release(study, found.stored.id, folder, "screenshots")
        coders = two_coders(1)
        files = [practice_coding(found.packet, c.alias, c, folder) for c in coders]
        merge_results(study, files, "screenshots")
        (folder / "id.txt").write_text(found.stored.id)
    coding.show_packet((folder / "id.txt").read_text())
    wait(300)
    settle(lambda: not window.jobs.busy)
    yield "Coding: agreement while blind", window
    coding.page.adjudicate.begin.click()
    settle(lambda: coding.adjudicate.pane is not None)
    yield "Coding: adjudication", window
    coding.adjudicate.leave()
    settle(lambda: not window.jobs.busy)


def automatic(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Yield a packet that the practice reader has coded, with its calibration."""
    coding = window.workspace("Coding")
    if not isinstance(coding, CodingWorkspace):
        raise TypeError(coding)
    study, known = window.session.study, HOME / "known.jsonl"
    mark, new = HOME / "automatic.txt", not (HOME / "automatic.txt").exists()
    if new:  # made once, and shown in every size and theme
        known.write_bytes(practice_known(study, 20))
        book = default_codebook()
        request = Request(size=24, seed=8, known=read_known(known, book))
        prepared = prepare(study, request)
        decisions = {one.name: "keep" for one in prepared.findings}
        found = seal_packet(study, prepared, book, "screenshots", decisions=decisions)
        mark.write_text(found.stored.id)
    coding.show_packet(mark.read_text())
    settle(coding.page.isVisible)
    settle(lambda: not window.jobs.busy)
    QTest.mouseClick(coding.page.auto, Qt.MouseButton.LeftButton)
    settle(coding.auto.form.start.isEnabled)
    if new:
        QTest.mouseClick(coding.auto.form.start, Qt.MouseButton.LeftButton)
    settle(coding.auto.view.accept.isVisible)
    settle(lambda: not window.jobs.busy)
    yield "Coding: automatic coder", window
    QTest.mouseClick(coding.auto.back, Qt.MouseButton.LeftButton)
    settle(lambda: not window.jobs.busy)


def wait(milliseconds: int) -> None:
    """Let the window run; unlike QTest's wait this lets other threads run too."""
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()


def settle(done: Callable[[], bool], seconds: float = 60) -> None:
    """Let the window run until `done`, at most so long."""
    for _ in range(round(seconds * 20)):
        if done():
            break
        wait(50)
    wait(400)


def grabbed(widget: QWidget) -> Image.Image:
    """Return what a window shows."""
    QApplication.processEvents()
    shown = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGBX8888)
    size = (shown.width(), shown.height())
    return Image.frombytes("RGBX", size, bytes(shown.constBits())).convert("RGB")


def printed() -> list[Shot]:
    """Return the two printed pictures of the example scene."""
    titles = {"model": "Printed: the picture", "director": "Printed: director's view"}
    with StillRenderer() as renderer:
        return [
            (titles[view], Image.fromarray(renderer.draw(example_scene(), view).pixels))
            for view in VIEWS
        ]


def sheet(rows: dict[str, list[Shot]], below: list[Shot]) -> Image.Image:
    """Return all pictures on one sheet, a row per workspace."""
    lines = list(rows.items())
    lines.append(("The example scene as it is printed", below))
    columns = max(len(shots) for _, shots in lines)
    heights = [LINE + max(height_of(image) for _, image in shots) for _, shots in lines]
    width = columns * (COLUMN + GAP) + GAP
    made = Image.new("RGB", (width, sum(heights) + GAP * (len(lines) + 1)), "#e8eaee")
    draw, top = ImageDraw.Draw(made), GAP
    for (name, shots), height in zip(lines, heights, strict=True):
        for at, (where, image) in enumerate(shots):
            left = GAP + at * (COLUMN + GAP)
            title = f"{name} - {where}" if len(shots) > 2 else where
            draw.text((left, top), title, fill="#1c2026", font_size=16)
            small = image.resize((COLUMN, height_of(image)), Image.Resampling.LANCZOS)
            made.paste(small, (left, top + LINE))
        top += height + GAP
    return made


def height_of(image: Image.Image) -> int:
    """Return a picture's height on the sheet."""
    return round(image.height * COLUMN / image.width)


if __name__ == "__main__":
    main()

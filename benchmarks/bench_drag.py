"""Dragging a block at 1280x800 with three live views, beside a bare VTK loop.

Each step of the program goes from a mouse event to three painted views. Each step of
the peer moves the same block in the same scene and renders the same three views at
the same sizes, nothing else. The two take turns, so that a busy machine slows both.
Run: python benchmarks/bench_drag.py
"""

import math
import os
import statistics
import tempfile
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["DIRECTOR_GUI_HOME"] = tempfile.mkdtemp()

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.render import backend
from director_gui.render.build import SceneActors, aim
from director_gui.scene import edits
from director_gui.scene.items import Item
from director_gui.scene.model import Scene, Viewpoint
from director_gui.study.preview import Preview
from director_gui.ui.scenes.overlay import Projector
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from director_gui.ui.window import MainWindow

STEPS = 300
GOAL_MS, GOAL_RATIO = 16.7, 1.4


class Bare:
    """One VTK window that renders a scene, and does nothing else."""

    def __init__(self, size: tuple[int, int], *, figure: bool) -> None:
        self.window = backend.open_window(*size)
        self.renderer = vtkRenderer()
        self.window.AddRenderer(self.renderer)
        self.actors = SceneActors(self.renderer, figure=figure)

    def render(self, scene: Scene, view: Viewpoint) -> None:
        """Draw one frame, to its end: OpenGL else returns before pixels are there."""
        self.actors.sync(scene)
        aim(self.renderer, view)
        self.window.Render()
        self.window.WaitForCompletion()


def main() -> None:
    """Run both and print p50, p95 and the ratio."""
    app = make_app(Settings())
    window = MainWindow(Settings(), Preview())
    window.resize(1280, 800)
    window.show()
    deadline = time.monotonic() + 30
    while not window.scenes.studio.settled and time.monotonic() < deadline:
        QTest.qWait(50)
    view, document = window.scenes.edit_view, window.document
    pictures = window.scenes.pictures
    bare = {
        "edit": Bare(view.pixel_size(), figure=True),
        "model": Bare(pictures["model"].pixel_size(), figure=True),
        "director": Bare(pictures["director"].pixel_size(), figure=False),
    }
    block = document.scene.block(5)
    at = Projector(view.viewpoint, view.frame()).spot((block.x, block.y, 0.08))
    start = at.toPoint() if at else QPoint()
    QTest.mousePress(view, Qt.MouseButton.LeftButton, pos=start)
    ours, peers = [], []
    for step in range(STEPS):
        dx, dy = round(70 * math.sin(step / 9)), round(35 * math.sin(step / 7))
        began = time.perf_counter()
        QTest.mouseMove(view, start + QPoint(dx, dy))
        app.processEvents()
        ours.append(1000 * (time.perf_counter() - began))
        scene = edits.move_to(document.scene, Item("block", 5), dx / 500, dy / 500)
        began = time.perf_counter()
        bare["edit"].render(scene, view.viewpoint)
        bare["model"].render(scene, scene.camera)
        bare["director"].render(scene, scene.director)
        peers.append(1000 * (time.perf_counter() - began))
    QTest.mouseRelease(view, Qt.MouseButton.LeftButton, pos=start)
    report(ours, peers)
    document.undo_stack.setClean()
    window.close()
    QApplication.processEvents()


def report(ours: list[float], peers: list[float]) -> None:
    """Print the figures beside their goals."""
    for name, values in (("director-gui", ours), ("bare VTK", peers)):
        p50, p95 = quantile(values, 50), quantile(values, 95)
        print(f"{name:<13} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   n {len(values)}")
    ratio = statistics.median(ours) / statistics.median(peers)
    print(f"ratio of medians {ratio:.2f} (goal {GOAL_RATIO} or less)")
    print(f"p95 {quantile(ours, 95):.1f} ms (goal {GOAL_MS} ms or less)")


def quantile(values: list[float], percent: int) -> float:
    """Return a percentile of `values`."""
    return statistics.quantiles(values, n=100)[percent - 1]


if __name__ == "__main__":
    main()

"""From start to a usable window, beside a bare PySide6 + VTK window.

Usable: the window is painted with the scene in all three views and takes input. The
peer imports PySide6 and the same VTK modules and paints one offscreen view in a plain
window. Each is a process of its own, in turns. `--help` is timed too.
Run: python benchmarks/bench_start.py
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 7
OURS = """
import sys
from PySide6.QtWidgets import QApplication
from director_gui.render import backend
from director_gui.study.preview import Preview
from director_gui.ui.settings import Settings
from director_gui.ui.start import make_app
from director_gui.ui.window import MainWindow

def main():
    backend.prepare()
    settings = Settings()
    app = make_app(settings)
    window = MainWindow(settings, Preview())
    window.show()
    while window.scenes.edit_view.is_stale:
        app.processEvents()
    print("ready", flush=True)
    window.close()

if __name__ == "__main__":
    main()
"""
BARE = """
import vtkmodules.vtkRenderingOpenGL2
from vtkmodules.vtkFiltersSources import vtkCubeSource
from vtkmodules.vtkRenderingCore import (
    vtkActor, vtkPolyDataMapper, vtkRenderer, vtkRenderWindow)
from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
from vtkmodules.util.numpy_support import vtk_to_numpy
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

class View(QWidget):
    painted = False
    def paintEvent(self, event):
        mapper = vtkPolyDataMapper()
        mapper.SetInputConnection(vtkCubeSource().GetOutputPort())
        actor = vtkActor()
        actor.SetMapper(mapper)
        renderer = vtkRenderer()
        renderer.AddActor(actor)
        window = vtkRenderWindow()
        window.SetOffScreenRendering(1)
        window.SetSize(self.width(), self.height())
        window.AddRenderer(renderer)
        window.Render()
        data = vtkUnsignedCharArray()
        window.GetPixelData(0, 0, self.width() - 1, self.height() - 1, 0, data)
        pixels = vtk_to_numpy(data)
        image = QImage(pixels.data, self.width(), self.height(), 3 * self.width(),
                       QImage.Format.Format_RGB888)
        QPainter(self).drawImage(0, 0, image)
        self.painted = True

app = QApplication([])
window = QMainWindow()
view = View()
window.setCentralWidget(view)
window.resize(1280, 800)
window.show()
while not view.painted:
    app.processEvents()
print("ready", flush=True)
import os; os._exit(0)
"""


def seconds(argv: list[str], home: str) -> float:
    """Return the time from start to the word "ready" (or to the end) in s."""
    env = dict(os.environ, QT_QPA_PLATFORM="offscreen", DIRECTOR_GUI_HOME=home)
    env["VTK_DEFAULT_OPENGL_WINDOW"] = "vtkEGLRenderWindow"
    began = time.perf_counter()
    with subprocess.Popen(argv, stdout=subprocess.PIPE, env=env) as process:
        if process.stdout is not None:
            process.stdout.readline()
        return time.perf_counter() - began


def main() -> None:
    """Run all three in turns and print medians and ratios."""
    home = tempfile.mkdtemp()
    scripts = {}
    for name, text in (("ours", OURS), ("bare", BARE)):
        scripts[name] = f"{home}/{name}.py"
        with open(scripts[name], "w", encoding="utf-8") as file:  # noqa: PTH123 - a scratch script
            file.write(text)
    env_path = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120 - as PYTHONPATH wants it
    os.environ["PYTHONPATH"] = env_path
    times: dict[str, list[float]] = {"ours": [], "bare": [], "help": []}
    for _ in range(ROUNDS):
        for name, script in scripts.items():
            times[name].append(seconds([sys.executable, script], home))
        helped = [sys.executable, "-m", "director_gui", "--help"]
        times["help"].append(seconds(helped, home))
    middle = {name: statistics.median(found) for name, found in times.items()}
    print(f"usable window   {middle['ours']:.2f} s")
    print(f"bare window     {middle['bare']:.2f} s")
    print(f"ratio           {middle['ours'] / middle['bare']:.2f}")
    print(f"--help          {middle['help']:.3f} s (goal 0.3 s or less)")


if __name__ == "__main__":
    main()

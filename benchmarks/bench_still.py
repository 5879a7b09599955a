"""How long stills take, beside a bare VTK loop that draws and encodes the same.

    python benchmarks/bench_still.py [SCENES]

Scenes are the example with every block moved and turned a little. The bare loop has
the same actors standing ready in plain light, and only renders one frame a picture,
reads it and encodes it. Both run in this process, one after the other, scene by
scene, so that what else the machine does touches both alike; medians are printed.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace

from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.render import backend, bake, vtk_arrays
from director_gui.render.build import SceneActors, aim
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import StillRenderer, encode
from director_gui.scene.example import example_scene
from director_gui.scene.model import VIEWS, Scene
from director_gui.scene.serialize import canonical_bytes

GOAL = 90 / 160 * 2  # s a scene and core: 160 scenes on 2 cores in 90 s


def scenes(count: int) -> list[Scene]:
    """Return `count` variations of the example scene."""
    draw = random.Random(5)
    base = example_scene()

    def shaken() -> Scene:
        blocks = tuple(
            replace(
                block,
                x=round(block.x + draw.uniform(-0.05, 0.05), 4),
                y=round(block.y + draw.uniform(-0.05, 0.05), 4),
                yaw=round(draw.uniform(-40, 40), 2),
            )
            for block in base.blocks
        )
        return replace(base, blocks=blocks)

    return [shaken() for _ in range(count)]


class Bare:
    """A bare VTK loop: the same actors stand ready; it renders, reads and encodes."""

    def __init__(self) -> None:
        self._window = backend.open_window(1024, 768)
        self._stages = {view: vtkRenderer() for view in VIEWS}
        self._actors = {
            view: SceneActors(stage, figure=view == "model", mipmap=False)
            for view, stage in self._stages.items()
        }

    def make_ready(self, scene: Scene) -> None:
        """Build what is drawn; not timed."""
        for view, stage in self._stages.items():
            self._actors[view].sync(scene)
            aim(stage, scene.viewpoint(view))

    def close(self) -> None:
        """Free the window."""
        backend.close_window(self._window)

    def draw(self) -> None:
        """Draw and encode one frame of both views."""
        for stage in self._stages.values():
            self._window.AddRenderer(stage)
            self._window.Render()
            encode(vtk_arrays.grab(self._window)[::-1])
            self._window.RemoveRenderer(stage)


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 16
    bare, depth = Bare(), DepthWindow()
    wall: dict[str, list[float]] = {}
    core: dict[str, list[float]] = {}

    def timed(name: str, work: Callable[[], object]) -> None:
        start, cpu = time.perf_counter(), time.process_time()
        work()
        wall.setdefault(name, []).append(time.perf_counter() - start)
        core.setdefault(name, []).append(time.process_time() - cpu)

    with StillRenderer() as renderer:
        for scene in scenes(count + 1):
            timed("bake", lambda: bake.bake(scene))  # noqa: B023 - called at once
            timed("draw, print", lambda: both(renderer, scene, "print"))  # noqa: B023
            timed("draw, plain", lambda: both(renderer, scene, "plain"))  # noqa: B023
            bare.make_ready(scene)
            timed("bare VTK loop", bare.draw)
            timed(
                "depth witness",
                lambda: depth_fractions(canonical_bytes(scene), depth),  # noqa: B023
            )
        print(renderer.name)
    depth.close()
    bare.close()
    report(wall, core, count)


def both(renderer: StillRenderer, scene: Scene, quality: str) -> None:
    """Draw and encode both views."""
    for view in VIEWS:
        _ = renderer.draw(
            scene, view, quality="print" if quality == "print" else "plain"
        ).png


def report(
    wall: dict[str, list[float]], core: dict[str, list[float]], count: int
) -> None:
    """Print medians; the first scene pays for windows, wood and shaders."""
    print(f"{count} scenes, both views at 1024x768, with PNG; median ms a scene")
    median = {name: statistics.median(all_[1:]) for name, all_ in core.items()}
    for name, times in wall.items():
        mid = statistics.median(times[1:]) * 1000
        print(f"  {name:14} {mid:7.1f} wall {median[name] * 1000:7.1f} cpu")
    whole = median["bake"] + median["draw, print"]
    print(f"  print quality: {whole:.2f} s cpu a scene; goal {GOAL:.2f} s")
    ratio = median["draw, plain"] / median["bare VTK loop"]
    print(f"  plain quality / bare loop: {ratio:.2f}; goal 1.5")


if __name__ == "__main__":
    main()

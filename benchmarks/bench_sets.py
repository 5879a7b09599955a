"""How long a set takes: sampled, drawn, checked by both witnesses and stored.

    python benchmarks/bench_sets.py [SCENES] [FAMILY]

Beside it a bare VTK loop that only renders one plain frame of each of the same
pictures, reads it and encodes it, with everything standing ready. Times are of the
processor, summed over all processes, so that what else the machine does matters less;
the wall-clock time of the whole is printed too. Where the variable BLENDER_PYTHON
names a Python 3.11 that has bpy 5.0.1, Blender draws the first scene in the same run;
else the seconds that it was measured to take on two cores are quoted.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from vtkmodules.vtkRenderingCore import vtkRenderer

from director_gui.families.sampler import sample
from director_gui.render import backend, vtk_arrays
from director_gui.render.build import SceneActors, aim
from director_gui.render.still import encode
from director_gui.scene.model import VIEWS, Scene
from director_gui.scene.serialize import canonical_bytes
from director_gui.store.database import create_study
from director_gui.study.set_tallies import every_scene
from director_gui.study.sets import make_set, recipe_of
from director_gui.study.stimuli import scene_in
from director_gui.study.verifying import verify_study

GOAL_WALL = 90.0  # s for 160 scenes on two cores
QUOTED = {"workbench": 0.7, "cycles-1": 8.5, "cycles-64": 46.0}  # s a view


def main() -> None:
    """Measure and print."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 160
    name = sys.argv[2] if len(sys.argv) > 2 else "main"
    recipe = recipe_of(name, count=count, seed=None)
    print(f"{count} scenes of {name}, both views at 1024x768")
    cpu = time.process_time()
    scenes = list(sample(recipe.family))
    show("sample", (time.process_time() - cpu) / count)
    with tempfile.TemporaryDirectory() as folder:
        with create_study(Path(folder) / "bench.study", "bench") as study:
            wall, spent = time.perf_counter(), children()
            item = make_set(study, recipe)
            wall, spent = time.perf_counter() - wall, children() - spent
            show("make: sample, draw, check, store", spent / count)
            print(
                f"  wall {wall:.1f} s; goal {GOAL_WALL * count / 160:.1f} s on 2 cores"
            )
            stored = [scene_in(study, r.scene) for r in every_scene(study, item.id)]
            print(f"  stored scenes are the sampled ones: {stored == scenes}")
            again = time.perf_counter()
            found = verify_study(study)
            again = time.perf_counter() - again
            print(f"  verify: wall {again:.1f} s, both proofs hold: {found.holds}")
        size = (Path(folder) / "bench.study").stat().st_size
    bare = bare_loop(scenes)
    show("bare VTK loop, one plain frame", bare)
    print(f"  print quality, all told / bare loop: {spent / count / bare:.1f}")
    print(f"  study: {size / count / 1e3:.0f} kB a scene")
    own, most = (
        resource.getrusage(who).ru_maxrss / 1e3
        for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    )
    print(f"  peak memory: {own:.0f} MB here, {most:.0f} MB in the largest worker")
    beside_blender(scenes[0], wall / count / len(VIEWS))


def bare_loop(scenes: list[Scene]) -> float:
    """Return the seconds a scene that rendering and encoding alone take."""
    window = backend.open_window(1024, 768)
    stages = {view: vtkRenderer() for view in VIEWS}
    actors = {
        view: SceneActors(stage, figure=view == "model", mipmap=False)
        for view, stage in stages.items()
    }
    spent = 0.0
    for scene in scenes:
        for view, stage in stages.items():
            actors[view].sync(scene)
            aim(stage, scene.viewpoint(view))
            window.AddRenderer(stage)
            window.Render()  # uploads are not what is compared
            start = time.process_time()
            window.Render()
            encode(vtk_arrays.grab(window)[::-1])
            spent += time.process_time() - start
            window.RemoveRenderer(stage)
    backend.close_window(window)
    return spent / len(scenes)


def beside_blender(scene: Scene, ours: float) -> None:
    """Print how many times longer a view takes with Blender, by its engines.

    Args:
        scene: What Blender draws.
        ours: Our wall-clock seconds a view, checks and storing among them.
    """
    python = os.environ.get("BLENDER_PYTHON")
    seconds = drawn_by(python, scene) if python else QUOTED
    said = "in this run" if python else "as once measured on two cores"
    for engine, each in seconds.items():
        ratio = each / ours
        print(f"  Blender {engine}: {each:.2f} s a view {said}, {ratio:.0f} x ours")


def drawn_by(python: str, scene: Scene) -> dict[str, float]:
    """Return the seconds a view of each engine, drawn by another Python."""
    peer = Path(__file__).with_name("blender_peer.py")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scene.json"
        path.write_bytes(canonical_bytes(scene))
        command = [python, str(peer), str(path)]
        done = subprocess.run(command, capture_output=True, check=True)
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def children() -> float:
    """Return the processor time of all workers that have ended, in s."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(what: str, seconds: float) -> None:
    """Print one figure."""
    print(f"  {what:34} {seconds * 1000:7.1f} ms of processor time a scene")


if __name__ == "__main__":
    main()

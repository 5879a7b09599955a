"""Draw one scene with Blender as a Python module, and say how long each view takes.

    python benchmarks/blender_peer.py SCENE.json [PICTURE]

It needs Python 3.11 with the package ``bpy`` 5.0.1 and nothing of this project, so
it runs in an environment of its own; `bench_sets` starts it where the variable
BLENDER_PYTHON names that environment's Python. The first view of an engine is left
out: it holds what Blender sets up once.
"""

import json
import math
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

SIZE = (1024, 768)
VIEWS = ("camera", "director")
ROUNDS = {"workbench": 4, "cycles-1": 2, "cycles-64": 1}


def main() -> None:
    """Print one JSON line: seconds a view for each engine."""
    scene = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    build(scene)
    kept = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    engines = {
        "workbench": workbench,
        "cycles-1": lambda: cycles(1),
        "cycles-64": lambda: cycles(64),
    }
    found = {}
    for name, choose in engines.items():
        choose()
        draw(scene["camera"], kept)
        times = [draw(scene[view]) for _ in range(ROUNDS[name]) for view in VIEWS]
        found[name] = round(statistics.median(times), 3)
    print(json.dumps(found))


def build(scene: dict[str, Any]) -> None:
    """Put table, blocks, partitions, light and a camera into Blender's scene."""
    table = scene["table"]
    box((table["width"], table["depth"], 0.02), (0.0, 0.0, -0.01), 0.0, "#d8d4cc")
    for block in scene["blocks"]:
        edge = block["edge"]
        place = (block["x"], block["y"], edge / 2)
        box((edge, edge, edge), place, block["yaw"], block["color"])
    for board in scene["partitions"]:
        size = (board["width"], board["thickness"], board["height"])
        place = (board["x"], board["y"], board["height"] / 2)
        box(size, place, board["yaw"], "#5b4a3a")
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.rotation_euler = (0.6, 0.3, 0.0)
    eye = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    for thing in (sun, eye):
        bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = eye


def box(
    size: tuple[float, float, float],
    place: tuple[float, float, float],
    yaw: float,
    color: str,
) -> None:
    """Add one coloured box; sizes and places in m, yaw in degrees."""
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=place)
    made = bpy.context.object
    made.scale = size
    made.rotation_euler = (0.0, 0.0, math.radians(yaw))
    paint = bpy.data.materials.new("paint")
    paint.diffuse_color = (*rgb(color), 1.0)  # what Workbench shows
    paint.use_nodes = True
    surface = paint.node_tree.nodes["Principled BSDF"]
    surface.inputs["Base Color"].default_value = (*rgb(color), 1.0)
    made.data.materials.append(paint)


def rgb(color: str) -> tuple[float, float, float]:
    """Return the channels of ``#rrggbb``, 0 to 1."""
    red, green, blue = bytes.fromhex(color[1:])
    return red / 255, green / 255, blue / 255


def workbench() -> None:
    """Draw plainly, without a light's bounces."""
    bpy.context.scene.render.engine = "BLENDER_WORKBENCH"
    bpy.context.scene.display.shading.color_type = "MATERIAL"


def cycles(samples: int) -> None:
    """Trace paths on the processor."""
    bpy.context.scene.render.engine = "CYCLES"
    bpy.context.scene.cycles.device = "CPU"
    bpy.context.scene.cycles.samples = samples
    bpy.context.scene.cycles.use_denoising = False


def draw(view: dict[str, Any], kept: Path | None = None) -> float:
    """Render and encode one view; return the wall-clock seconds it took."""
    camera = bpy.context.scene.camera
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle_y = math.radians(view["fov"])
    look = Vector(view["look_at"]) - Vector(view["eye"])
    turn = look.to_track_quat("-Z", "Y").to_matrix().to_4x4()
    camera.matrix_world = Matrix.Translation(view["eye"]) @ turn
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y = SIZE
    render.resolution_percentage = 100
    with tempfile.TemporaryDirectory() as folder:
        render.filepath = str(kept or Path(folder) / "view.png")
        start = time.perf_counter()
        bpy.ops.render.render(write_still=True)
        return time.perf_counter() - start


if __name__ == "__main__":
    main()

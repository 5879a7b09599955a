"""A scene as a glTF 2.0 file, for other programs: one file, the same each time.

Blocks carry their digits as textures; the model's and the director's eye are cameras.
glTF's y points up, so one node turns the whole scene, which stays in our own axes.
"""

import base64
import json
import math
from typing import Any

import numpy as np

from director_gui.geometry.camera import basis_of
from director_gui.ids import Json
from director_gui.render.build import PARTITION_COLOR, quarter_turns
from director_gui.render.digits import face_pixels
from director_gui.render.mesh import Floats, turned_uv, unit_box
from director_gui.render.still import encode
from director_gui.scene.model import Block, Partition, Scene, ViewName, Viewpoint

_TABLE_COLOR = np.array([0.80, 0.66, 0.48], np.float32)
_TABLE_THICK = 0.03  # m
_FLOAT, _INDEX = 5126, 5125  # glTF's names for float32 and uint32
_VERTICES, _INDICES = 34962, 34963


def gltf_bytes(scene: Scene) -> bytes:
    """Return a glTF 2.0 file with everything in it."""
    made = _Gltf()
    nodes = [_block_node(made, block) for block in scene.blocks]
    nodes += [
        _partition_node(made, f"partition {i + 1}", item)
        for i, item in enumerate(scene.partitions)
    ]
    nodes.append(_table_node(made, scene))
    nodes += [_camera_node(made, scene, view) for view in ("model", "director")]
    root = {
        "name": scene.name or "scene",
        "rotation": [-math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)],
        "children": list(range(1, len(nodes) + 1)),
    }
    value = made.value([root, *nodes])
    # Sorted keys: the same scene gives the same bytes.
    return (json.dumps(value, sort_keys=True, allow_nan=False) + "\n").encode()


class _Gltf:
    """Collects what nodes refer to by number."""

    def __init__(self) -> None:
        self._data = bytearray()
        self._views: list[Json] = []
        self._accessors: list[Json] = []
        self._materials: list[Json] = []
        self._images: list[Json] = []
        self._meshes: list[Json] = []
        self._cameras: list[Json] = []
        # One box for all: nodes stretch it, so the file stays small.
        box = unit_box()
        self._points = self._array(box.points, _VERTICES)
        self._normals = self._array(box.normals, _VERTICES)
        self._triangles = self._array(box.triangles.reshape(-1), _INDICES)
        self._uv: dict[int, int] = {}

    def box(self, material: Json, quarters: int = 0) -> int:
        """Return the number of a mesh: the unit box in a material of its own."""
        # Digits on top are turned by quarters, as in our own pictures.
        if quarters not in self._uv:
            down = turned_uv(quarters) * (1, -1) + (0, 1)  # glTF counts from the top
            self._uv[quarters] = self._array(down, _VERTICES)
        self._materials.append(material)
        corner = {
            "POSITION": self._points,
            "NORMAL": self._normals,
            "TEXCOORD_0": self._uv[quarters],
        }
        part = {
            "attributes": corner,
            "indices": self._triangles,
            "material": len(self._materials) - 1,
        }
        self._meshes.append({"primitives": [part]})
        return len(self._meshes) - 1

    def image(self, png: bytes) -> int:
        """Return the number of a texture."""
        self._images.append({"uri": _uri("image/png", png)})
        return len(self._images) - 1

    def camera(self, perspective: Json) -> int:
        """Return the number of a camera."""
        self._cameras.append({"type": "perspective", "perspective": perspective})
        return len(self._cameras) - 1

    def value(self, nodes: list[Json]) -> Json:
        """Return the whole file as a JSON value."""
        textures = [{"source": i} for i in range(len(self._images))]
        lists: dict[str, Any] = {
            "accessors": self._accessors,
            "bufferViews": self._views,
            "cameras": self._cameras,
            "images": self._images,
            "materials": self._materials,
            "meshes": self._meshes,
            "textures": textures,
        }
        data = bytes(self._data)
        return {
            "asset": {"version": "2.0", "generator": "director-gui"},
            "scene": 0,
            "scenes": [{"nodes": [0]}],
            "nodes": nodes,
            "buffers": [
                {
                    "byteLength": len(data),
                    "uri": _uri("application/octet-stream", data),
                }
            ],
            **lists,
        }

    def _array(self, values: Any, target: int) -> int:  # noqa: ANN401 - any array
        kind = np.uint32 if target == _INDICES else np.float32
        array = np.ascontiguousarray(values, kind)
        data = array.tobytes()
        view = {"buffer": 0, "byteOffset": len(self._data), "byteLength": len(data)}
        self._data += data
        self._views.append({**view, "target": target})
        width = array.shape[1] if array.ndim > 1 else 1
        accessor = {
            "bufferView": len(self._views) - 1,
            "componentType": _INDEX if target == _INDICES else _FLOAT,
            "count": len(array),
            "type": {1: "SCALAR", 2: "VEC2", 3: "VEC3"}[width],
        }
        if width == 3:
            flat = array.reshape(-1, 3)
            accessor |= {"min": flat.min(0).tolist(), "max": flat.max(0).tolist()}
        self._accessors.append(accessor)
        return len(self._accessors) - 1


def _block_node(made: _Gltf, block: Block) -> Json:
    texture = made.image(encode(face_pixels(block.digit, block.color)))
    surface = {
        "baseColorTexture": {"index": texture},
        "metallicFactor": 0.0,
        "roughnessFactor": 0.9,
    }
    # A material of its own each: only so can a program repaint one block.
    mesh = made.box({"pbrMetallicRoughness": surface}, quarter_turns(block.yaw))
    size = (block.edge, block.edge, block.edge)
    node = _node(f"block {block.digit}", mesh, size, (block.x, block.y, block.yaw))
    return {**node, "extras": {"digit": block.digit, "color": block.color}}


def _partition_node(made: _Gltf, name: str, item: Partition) -> Json:
    size = (item.width, item.thickness, item.height)
    mesh = made.box(_plain(PARTITION_COLOR))
    return _node(name, mesh, size, (item.x, item.y, item.yaw))


def _table_node(made: _Gltf, scene: Scene) -> Json:
    size = (scene.table.width, scene.table.depth, _TABLE_THICK)
    node = _node("table", made.box(_plain(_TABLE_COLOR)), size, (0.0, 0.0, 0.0))
    return {**node, "translation": [0.0, 0.0, -_TABLE_THICK / 2]}


def _plain(color: Floats) -> Json:
    # glTF's factors are linear light, textures are not.
    linear = np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)
    rgba = [*(round(float(c), 6) for c in linear), 1.0]
    surface = {"baseColorFactor": rgba, "metallicFactor": 0.0, "roughnessFactor": 0.9}
    return {"pbrMetallicRoughness": surface}


def _node(
    name: str,
    mesh: int,
    size: tuple[float, float, float],
    place: tuple[float, float, float],
) -> Json:
    """Return a box on the table; `place` is x and y in m and yaw in degrees."""
    x, y, yaw = place
    half = math.radians(yaw) / 2
    return {
        "name": name,
        "mesh": mesh,
        "translation": [x, y, size[2] / 2],
        "rotation": [0.0, 0.0, math.sin(half), math.cos(half)],
        "scale": list(size),
    }


def _camera_node(made: _Gltf, scene: Scene, view: ViewName) -> Json:
    eye: Viewpoint = scene.viewpoint(view)
    number = made.camera(
        {
            "yfov": math.radians(eye.fov),
            "aspectRatio": scene.picture.aspect,
            "znear": 0.01,
        }
    )
    basis = basis_of(eye)
    # A glTF camera looks along its own -z.
    back = [-c for c in basis.forward]
    columns = (basis.right, basis.up, back, eye.eye)
    matrix = [
        value
        for column, last in zip(columns, (0.0, 0.0, 0.0, 1.0), strict=True)
        for value in (*column, last)
    ]
    return {"name": f"{view} view", "camera": number, "matrix": matrix}


def _uri(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"

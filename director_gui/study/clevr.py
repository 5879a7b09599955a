"""Scenes in the manner of CLEVR's scene files, for tools that read those.

Johnson et al. 2017. Objects, their places in the picture and who stands to whose left,
right, front and behind as seen by the model; digits, edges and what the director sees
are keys of our own.
"""

from math import hypot
from typing import Any

import numpy as np

from director_gui.geometry.camera import basis_of, picture_point
from director_gui.ids import Json
from director_gui.scene.model import Block, Scene

Vector = tuple[float, float]
SPLIT = "director"


def clevr_scene(scene: Scene, index: int, image: str, facts: Json) -> dict[str, Any]:
    """Return one scene as CLEVR writes it.

    Args:
        scene: The scene.
        index: Its number in the set, from 0.
        image: The file name of the model's picture.
        facts: Its stored facts, for what each viewer sees.
    """
    ways = _ways(scene)
    return {
        "image_index": index,
        "image_filename": image,
        "split": SPLIT,
        "directions": {name: [x, y, 0.0] for name, (x, y) in ways.items()}
        | {"above": [0.0, 0.0, 1.0], "below": [0.0, 0.0, -1.0]},
        "objects": [_object(scene, block, facts) for block in scene.blocks],
        "relationships": {name: _beyond(scene, way) for name, way in ways.items()},
    }


def clevr_file(scenes: list[dict[str, Any]], program: str) -> dict[str, Any]:
    """Return a CLEVR scene file."""
    # No date: it would make two exports differ.
    info = {"split": SPLIT, "version": program, "license": "", "date": ""}
    return {"info": info, "scenes": scenes}


def _ways(scene: Scene) -> dict[str, Vector]:
    # On the table's plane, as CLEVR does: up and down are not left and right.
    x, y, _ = basis_of(scene.camera).forward
    length = hypot(x, y)
    ahead = (x / length, y / length)
    right = (ahead[1], -ahead[0])
    return {
        "right": right,
        "left": (-right[0], -right[1]),
        "front": (-ahead[0], -ahead[1]),
        "behind": ahead,
    }


def _object(scene: Scene, block: Block, facts: Json) -> dict[str, Any]:
    center = (block.x, block.y, block.edge / 2)
    depth = float(basis_of(scene.camera).to_eye(np.array([center]))[0, 2])
    spot = picture_point(scene.camera, scene.picture.aspect, center)
    width, height = scene.picture.width, scene.picture.height
    pixels = [spot[0] * width, spot[1] * height, depth] if spot else None
    return {
        "shape": "cube",
        "size": block.edge,
        "color": block.color,
        # CLEVR wants one; rubber is its word for a dull surface.
        "material": "rubber",
        "rotation": block.yaw,
        "3d_coords": list(center),
        "pixel_coords": pixels,
        "digit": block.digit,
        "seen_by_director": block.digit in facts["sees"]["director"],
        "seen_by_model": block.digit in facts["sees"]["model"],
        "hidden": block.digit == facts["key"]["hidden"],
    }


def _beyond(scene: Scene, way: Vector) -> list[list[int]]:
    """Return, for each block, the numbers of those further along a direction."""
    along = [block.x * way[0] + block.y * way[1] for block in scene.blocks]
    return [
        [j for j, other in enumerate(along) if other > own and j != i]
        for i, own in enumerate(along)
    ]

"""The example scene: the fresh editor's content and INTERFACES' worked example."""

from director_gui import assets
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_scene


def example_scene() -> Scene:
    """Return the scene whose director sees 5 and 8 and nothing of 3."""
    return read_scene(assets.read_bytes("scenes/example.json"))

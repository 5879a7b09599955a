"""The director: a friendly mannequin that stands where the director's eye is."""

from director_gui.render.mesh import Mesh, box
from director_gui.scene.model import Table, Viewpoint


def mannequin(eye: Viewpoint, table: Table) -> Mesh:
    """Return the figure whose eyes are at `eye` and look where it looks."""
    x, y, z = eye.eye
    return box((0.18, 0.18, 0.24), (x, y + 0.1, z))

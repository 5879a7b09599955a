"""A scene's pictures in a study: drawn once, kept under their hash, sent untouched."""

from typing import TYPE_CHECKING, Protocol

from director_gui.geometry.truth import Truth
from director_gui.runner.plan import Shown
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import canonical_bytes, read_scene
from director_gui.store import scenes as stored
from director_gui.store.database import Study
from director_gui.study.kept_truths import truths_of

if TYPE_CHECKING:  # scores and packets need scenes and truths, and no VTK
    from director_gui.render.still import Still


class Draws(Protocol):
    """Draws pictures, such as a `StillRenderer`."""

    def draw(self, scene: Scene, view: ViewName) -> "Still":
        """Draw one view of a scene."""


def keep_stimulus(study: Study, scene: Scene, renderer: Draws) -> Shown:
    """Keep a scene and its two pictures; return what is sent of it.

    A picture that the study holds already is not drawn again, so that a scene is
    always shown by the same bytes.

    Raises:
        UserError: The study cannot be written.
    """
    scene_hash = stored.add_scene(study, scene.name, canonical_bytes(scene))
    images = {view: _kept(study, scene_hash, scene, view, renderer) for view in VIEWS}
    # The director's view is for people; no model gets it.
    return Shown(scene_hash, images["model"])


def scene_in(study: Study, scene_hash: str) -> Scene:
    """Return a scene that the study holds.

    Raises:
        UserError: It does not hold it.
    """
    return read_scene(stored.scene(study, scene_hash).json)


def truths_in(study: Study, scene_hashes: set[str]) -> dict[str, tuple[Scene, Truth]]:
    """Return the scenes of some hashes, each with its truth.

    Raises:
        UserError: The study does not hold one.
    """
    scenes = {found: scene_in(study, found) for found in sorted(scene_hashes)}
    truths = truths_of(study, scenes)
    return {found: (scene, truths[found]) for found, scene in scenes.items()}


def _kept(
    study: Study,
    scene_hash: str,
    scene: Scene,
    view: ViewName,
    renderer: Draws,
) -> str:
    # Whatever drew it: another renderer's pixels would be another stimulus.
    known = stored.stimulus(study, scene_hash, view)
    if known is not None:
        return known.image
    image = _keep_image(study, view, renderer.draw(scene, view))
    stored.add_stimulus(study, scene_hash, view, image)
    return image


def _keep_image(study: Study, view: ViewName, still: "Still") -> str:
    width, height = still.size
    return stored.add_image(
        study,
        still.png,
        pixels_sha256=still.pixels_sha256,
        renderer=still.renderer,
        view=view,
        width=width,
        height=height,
    )

"""The pictures of a study, as the practice reader has to know them."""

from director_gui.errors import UserError
from director_gui.geometry.truth import truth_of
from director_gui.runner.practice.catalogue import Catalogue, KnownScene
from director_gui.scene.model import Scene
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store.database import Study


def known_scene(scene: Scene) -> KnownScene:
    """Return what the practice reader has to know about a scene's picture."""
    # By geometry: the reader answers from a key, it never looks at the picture.
    truth = truth_of(scene)
    return KnownScene(
        name=scene.name,
        digits=scene.digits,
        sizes={block.digit: block.edge for block in scene.blocks},
        sees=truth.sees["director"],
        hidden=truth.key.hidden,
        director_view=truth.key.director_view,
        model_view=truth.key.model_view,
        extreme=scene.request.extreme,
    )


def catalogue_of(study: Study) -> Catalogue:
    """Return the newest picture of every scene in a study, with its truth.

    Raises:
        UserError: The study has no scenes, or none of them has been drawn.
    """
    drawn = stored.stimuli(study)
    if not drawn:
        raise _nothing_to_show(study)
    return Catalogue(
        (
            stimulus.image,
            known_scene(read_scene(stored.scene(study, stimulus.scene).json)),
        )
        for stimulus in drawn
    )


def _nothing_to_show(study: Study) -> UserError:
    where = str(study.path)
    # Two faults with two remedies: there is nothing, or nothing is drawn.
    if stored.scenes(study):
        return UserError(
            "none of this study's scenes has a picture yet",
            where=where,
            todo="Probe or run one, which draws it",
        )
    return UserError(
        "this study has no scenes", where=where, todo="Add scenes to it first"
    )

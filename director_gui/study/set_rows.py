"""One scene of a set as it goes into the study."""

from director_gui.ids import sha256_hex
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.stimulus_work import Made


def keep_scene(study: Study, set_id: str, made: Made) -> None:
    """Keep a scene, its pictures and its row in a set: all of it or nothing."""
    # One transaction: a kill leaves a whole scene or none of it.
    with study.write():
        scene = stored.add_scene(study, made.name, made.canonical)
        for view, picture in made.pictures.items():
            image = stored.add_image(
                study,
                picture.png,
                pixels_sha256=picture.pixels_sha256,
                renderer=picture.renderer,
                view=view,
                width=picture.width,
                height=picture.height,
            )
            stored.add_stimulus(study, scene, view, image)
        # Last: its row is what counts as "this scene is done".
        rows.add_set_scene(
            study,
            rows.SetScene(
                set=set_id,
                position=made.index,
                scene=scene,
                original=sha256_hex(made.original) if made.original else None,
                candidate=made.candidate,
                rejected=made.rejected,
                facts=made.facts,
            ),
        )

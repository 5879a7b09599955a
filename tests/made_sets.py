"""Sets for tests: real scenes and keys, with a second witness and pictures for free."""

from functools import cache

from director_gui.families.model import Family
from director_gui.families.plan import plan_of
from director_gui.geometry.truth import truth_of
from director_gui.render.depth_witness import DepthSight
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import read_scene
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.checking import DepthSights
from director_gui.study.set_rows import keep_scene
from director_gui.study.sets import Recipe
from director_gui.study.stimulus_work import Made, Picture, make_scene
from tests.probe_runs import FlatRenderer


def agreeing(canonical: bytes) -> DepthSights:
    """A second witness that says what geometry says."""
    truth = truth_of(read_scene(canonical))
    return {
        view: {
            digit: DepthSight(sight.visible_px, sight.alone_px)
            for digit, sight in truth.sights[view].items()
        }
        for view in VIEWS
    }


def flat(scene: Scene, view: ViewName) -> Picture:
    """A small plain picture that no other scene has."""
    still = FlatRenderer().draw(scene, view)
    return Picture(still.png, still.pixels_sha256, still.renderer, *still.size)


@cache
def _made(family: Family, index: int) -> Made:
    return make_scene(family, (index, plan_of(family)[index]), agreeing, flat)


def add_set(study: Study, recipe: Recipe, kept: int | None = None) -> rows.StoredSet:
    """Keep a set in a study, or only its first `kept` scenes."""
    family = recipe.family
    original = add_set(study, recipe.source, kept).id if recipe.source else None
    item = rows.add_set(
        study,
        recipe.set_id,
        name=family.name,
        family=recipe.text,
        count=family.count,
        seed=family.seed,
        original=original,
    )
    first = rows.scene_count(study, item.id)
    for index in range(first, family.count if kept is None else kept):
        keep_scene(study, item.id, _made(family, index))
    return item

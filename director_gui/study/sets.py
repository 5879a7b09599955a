"""Sets of scenes in a study: made by several processes, resumed, counted.

Scenes are stored in order, each in one transaction, so that a set that was cut short
is the beginning of the whole one, and going on yields the same set byte for byte.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass

from director_gui.families import library
from director_gui.families.forecast import require_feasible
from director_gui.families.model import Family
from director_gui.families.plan import plan_of
from director_gui.families.writing import changed
from director_gui.ids import hash_of
from director_gui.render import backend
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.crew import PATIENCE, Crew
from director_gui.study.set_rows import keep_scene
from director_gui.study.set_tallies import refusals
from director_gui.study.stimulus_work import Job, Made, MakeScenes

Progress = Callable[[int, int, Counter[str]], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A family and the text of its file.

    Attributes:
        family: The family, with the set's count and seed.
        text: The family file, comments and all; kept in the study.
        source: What it rearranges, None for none.
    """

    family: Family
    text: str
    source: "Recipe | None" = None

    @property
    def set_id(self) -> str:
        """Hash of all that decides the set."""
        # Of the values, not of the file: a comment does not make another set.
        return hash_of(asdict(self.family))


@dataclass(frozen=True, slots=True)
class Makers:
    """Who makes scenes, and who is told; see `make_set`."""

    progress: Progress
    stop: Callable[[], bool]
    workers: int | None
    patience: float

    def crew(self, family: Family) -> Crew[Job, Made]:
        """Return workers for a family; none is started before there is a job."""
        return Crew(MakeScenes(family), workers=self.workers, patience=self.patience)


def recipe_of(text: str, *, count: int | None, seed: int | None) -> Recipe:
    """Return the recipe of a built-in family or a family file.

    Args:
        text: The family's name or the path of its file.
        count: How many scenes, instead of the family's own number.
        seed: Where the draws begin, instead of the family's own.

    Raises:
        UserError: There is no such family, or its file is refused.
    """
    found = library.source_named(text)
    chosen = found.family.with_(count, seed)
    if not chosen.rearranges:
        return _recipe(found, count, seed)
    base = found.beside(chosen.rearranges)
    return Recipe(chosen, found.text, _recipe(base, count, seed))


def _recipe(found: library.Source, count: int | None, seed: int | None) -> Recipe:
    text = found.text
    # The study's copy of the file says what was made, so it makes it again.
    for name, value in (("count", count), ("seed", seed)):
        text = text if value is None else changed(text, name, value)
    return Recipe(found.family.with_(count, seed), text)


def make_set(
    study: Study,
    recipe: Recipe,
    *,
    progress: Progress = lambda _done, _total, _rejected: None,
    stop: Callable[[], bool] = lambda: False,
    workers: int | None = None,
    patience: float = PATIENCE,
) -> rows.StoredSet:
    """Make a set, or what a set that was begun still lacks.

    A rearranged set's originals are made in the same study first.

    Args:
        study: Open for writing.
        recipe: The family.
        progress: Called after each scene with scenes kept, scenes in all, and the
            refused candidates by reason.
        stop: Asked many times a second; True ends early, what is kept stays. It may
            raise instead, which ends it as well.
        workers: How many processes; as many as processors without it.
        patience: Seconds for one scene before its worker is replaced.

    Raises:
        HardFamilyError: Hardly any candidate satisfies the family's demands.
        UserError: OpenGL cannot draw here, or the study cannot be written.
    """
    makers = Makers(progress, stop, workers, patience)
    original = None
    if recipe.source is not None:
        original = _make(study, recipe.source, None, makers).id
    return _make(study, recipe, original, makers)


def _make(
    study: Study, recipe: Recipe, original: str | None, makers: Makers
) -> rows.StoredSet:
    family = recipe.family
    jobs: list[Job] = list(enumerate(plan_of(family)))
    jobs = jobs[rows.scene_count(study, recipe.set_id) :]
    # A complete set needs neither a forecast nor OpenGL.
    if jobs:
        require_feasible(family, stop=makers.stop)
        backend.prepare()  # its advice is better read once than from each worker
    new = rows.add_set(
        study,
        recipe.set_id,
        name=family.name,
        family=recipe.text,
        count=family.count,
        seed=family.seed,
        original=original,
    )
    # With those of the scenes before an interruption, which count as well.
    rejected = refusals(study, new.id)
    with makers.crew(family) as crew:
        # The originals come first, and may be cut short before this begins.
        for made in crew.run(jobs, makers.stop):
            keep_scene(study, new.id, made)
            rejected.update(made.rejected)
            makers.progress(made.index + 1, family.count, rejected)
    return new

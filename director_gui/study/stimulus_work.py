"""What a worker does for one scene of a set: sample, ask witness 2, draw.

A worker keeps one window for drawing and one for the depth witness, and reuses them
for every scene.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from director_gui.errors import CheckFailedError
from director_gui.families.model import Family
from director_gui.families.plan import Cell
from director_gui.families.sampler import Accepted, accepted
from director_gui.geometry.problems import problems_of
from director_gui.ids import Json
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import canonical_bytes
from director_gui.study.checking import Check, DepthWitness, disagree, to_json

Job = tuple[int, Cell]
MOST_QUARRELS = 10  # by chance one scene in thousands has a single one


@dataclass(frozen=True, slots=True)
class Picture:
    """One view of a scene as it is stored."""

    png: bytes = field(repr=False)
    pixels_sha256: str
    renderer: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Made:
    """A scene of a set with all that is stored of it.

    Attributes:
        index: Its number in the set, from 0.
        name: The scene's name.
        canonical: Its canonical JSON.
        original: Canonical JSON before its digits were permuted, None for none.
        candidate: The number of the candidate.
        rejected: Why the candidates before it were refused, how often.
        facts: What `scene check --json` says.
        pictures: Both views.
    """

    index: int
    name: str
    canonical: bytes = field(repr=False)
    original: bytes | None = field(repr=False)
    candidate: int
    rejected: dict[str, int]
    facts: Json = field(repr=False)
    pictures: dict[ViewName, Picture] = field(repr=False)


class MakeScenes:
    """Makes scenes of one family; picklable, as `Crew` wants it."""

    def __init__(self, family: Family) -> None:
        self._family = family

    def __call__(self) -> Callable[[Job], Made]:
        """Open the windows and return what makes a scene."""
        # One of each for all scenes: opening a window costs more than a picture.
        renderer, window = StillRenderer(), DepthWindow()

        def work(job: Job) -> Made:
            return make_scene(
                self._family,
                job,
                lambda data: depth_fractions(data, window),
                lambda scene, view: picture_of(renderer, scene, view),
            )

        return work


def make_scene(
    family: Family,
    job: Job,
    depth: DepthWitness,
    draw: Callable[[Scene, ViewName], Picture],
) -> Made:
    """Return one scene on which both witnesses agree, with its pictures."""
    index, cell = job
    rejected: Counter[str] = Counter()
    quarrels: list[Json] = []
    start = 0
    while True:
        found = accepted(family, index, cell, start=start)
        rejected.update(found.rejected)
        check, quarrel = second_opinion(found, depth)
        if not quarrel:
            break
        quarrels += quarrel
        rejected["witnesses_disagree"] += 1
        _refuse_endless(rejected["witnesses_disagree"], quarrel)
        # On to the next candidate: the one before stays refused for everybody.
        start = found.candidate + 1
    scene = found.scene
    return Made(
        index=index,
        name=scene.name,
        canonical=canonical_bytes(scene),
        original=None if found.original is None else canonical_bytes(found.original),
        candidate=found.candidate,
        rejected=dict(sorted(rejected.items())),
        # Kept with the scene that took the place, where a reader will look.
        facts={**to_json(check), "disagreements": quarrels},
        pictures={view: draw(scene, view) for view in VIEWS},
    )


def second_opinion(found: Accepted, depth: DepthWitness) -> tuple[Check, list[Json]]:
    """Return the check of an accepted scene, and where the witnesses disagree.

    "Hidden" is exactly 0 for both, so there the tolerance does not help.
    """
    scene, truth = found.scene, found.truth
    # From the bytes that are stored, not from the values they came from.
    second = depth(canonical_bytes(scene))
    quarrel = [
        {
            "scene": scene.name,
            "block": digit,
            "view": view,
            "analytic": sight.fraction,
            "depth": second[view][digit].fraction,
        }
        for view in VIEWS
        for digit, sight in truth.sights[view].items()
        if disagree(sight, second[view][digit])
        or (truth.states[view][digit] == "hidden" and second[view][digit].fraction)
    ]
    # The eye's moves were tried by the sampler; they need no second try.
    problems = problems_of(scene, truth, robust=False)
    return Check(scene, truth, second, problems), quarrel


def _refuse_endless(times: int, quarrel: list[Json]) -> None:
    """Give up where the witnesses never agree: then one of them is broken.

    Raises:
        CheckFailedError: They disagreed about too many candidates for one scene.
    """
    if times < MOST_QUARRELS:
        return
    # One is enough to find the fault; all of them would fill the screen.
    first = quarrel[0]
    raise CheckFailedError(
        f"the two witnesses of visibility disagree about {times} candidates in a row; "
        f"the last: block {first['block']} in the {first['view']} view, "
        f"{first['analytic']} by geometry, {first['depth']} by the depth buffer",
        where=str(first["scene"]),
        todo="Report this: one of the two is wrong",
    )


def picture_of(renderer: StillRenderer, scene: Scene, view: ViewName) -> Picture:
    """Return one view at print quality and the picture's own size."""
    still = renderer.draw(scene, view)
    width, height = still.size
    return Picture(still.png, still.pixels_sha256, still.renderer, width, height)

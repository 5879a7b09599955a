"""What a worker does for one scene of a set: sample, ask witness 2, draw.

A worker keeps one window for drawing and one for the depth witness, and reuses them
for every scene.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

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
    rejected: dict[str, int] = {}
    start = 0
    while True:
        found = accepted(family, index, cell, start=start)
        for reason, count in found.rejected.items():
            rejected[reason] = rejected.get(reason, 0) + count
        check = second_opinion(found, depth)
        if check is not None:
            break
        rejected["witnesses_disagree"] = rejected.get("witnesses_disagree", 0) + 1
        start = found.candidate + 1
    scene = found.scene
    return Made(
        index=index,
        name=scene.name,
        canonical=canonical_bytes(scene),
        original=None if found.original is None else canonical_bytes(found.original),
        candidate=found.candidate,
        rejected=dict(sorted(rejected.items())),
        facts=to_json(check),
        pictures={view: draw(scene, view) for view in VIEWS},
    )


def second_opinion(found: Accepted, depth: DepthWitness) -> Check | None:
    """Return the check of an accepted scene, None where the witnesses disagree."""
    scene, truth = found.scene, found.truth
    second = depth(canonical_bytes(scene))
    if any(
        disagree(sight, second[view][digit])
        for view in VIEWS
        for digit, sight in truth.sights[view].items()
    ):
        return None
    # "Hidden" is exactly 0 for both; within the tolerance it need not be.
    if any(
        second["director"][digit].fraction != 0
        for digit in truth.in_state("director", "hidden")
    ):
        return None
    # The eye's moves were tried by the sampler; they need no second try.
    return Check(scene, truth, second, problems_of(scene, truth, robust=False))


def picture_of(renderer: StillRenderer, scene: Scene, view: ViewName) -> Picture:
    """Return one view at print quality and the picture's own size."""
    still = renderer.draw(scene, view)
    width, height = still.size
    return Picture(still.png, still.pixels_sha256, still.renderer, width, height)

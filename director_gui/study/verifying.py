"""A whole set checked again, from what is stored of it alone.

The second witness looks at each stored scene anew and is held against the fractions
and the key that were stored; both pictures are redrawn and held against the stored
ones, pixel for pixel. A rearranged scene is also redrawn with its original digits and
held against the original's pictures.
"""

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from director_gui.families.rearrange import with_digits
from director_gui.geometry.visibility import Sight
from director_gui.ids import Json
from director_gui.render import backend
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import Still, StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.checking import DepthWitness, disagree
from director_gui.study.crew import Crew
from director_gui.study.set_tallies import every_scene, require_sets

Draw = Callable[[Scene, ViewName], Still]


@dataclass(frozen=True, slots=True)
class Stored:
    """All that is stored of one scene of a set.

    Attributes:
        set: The set's name.
        canonical: The scene's canonical JSON.
        facts: What was found of it when it was made.
        pictures: PNG and renderer of each view.
        original: Canonical JSON of the scene whose digits it rearranges.
        originals: That scene's pictures.
    """

    set: str
    canonical: bytes = field(repr=False)
    facts: Json = field(repr=False)
    pictures: dict[ViewName, tuple[bytes, str]] = field(repr=False)
    original: bytes | None = field(default=None, repr=False)
    originals: dict[ViewName, tuple[bytes, str]] = field(
        default_factory=dict, repr=False
    )


@dataclass(frozen=True, slots=True)
class Verified:
    """What a second look at one scene found.

    Attributes:
        scene: Its name.
        mismatches: ``{"set", "scene", "block", "view", "analytic", "depth"}`` each.
        identical: Whether both pictures came out the same, pixel for pixel; of a
            rearranged scene also the original's.
        same_renderer: Whether what drew them is what drew the stored ones.
    """

    scene: str
    mismatches: list[Json]
    identical: bool
    same_renderer: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """What a second look at a study's sets found."""

    scenes: int
    mismatches: list[Json]
    pixels_identical: int
    other_renderer: int

    @property
    def holds(self) -> bool:
        """Whether both proofs hold; another renderer may draw other pixels."""
        drawn = self.pixels_identical + self.other_renderer
        return not self.mismatches and drawn >= self.scenes

    def to_json(self) -> dict[str, Any]:
        """Return it as `scenes verify --json` prints it (INTERFACES)."""
        return {
            "scenes": self.scenes,
            "mismatches": self.mismatches,
            "pixels_identical": self.pixels_identical,
            "other_renderer": self.other_renderer,
        }


def verify_study(
    study: Study,
    *,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    workers: int | None = None,
) -> Verification:
    """Return what a second look at every set of a study finds.

    Raises:
        UserError: The study holds no set or cannot be read, or OpenGL cannot draw.
    """
    backend.prepare()
    # Counted first, so that progress can say of how many.
    total = sum(rows.scene_count(study, item.id) for item in require_sets(study))
    found: list[Json] = []
    identical = other = done = 0
    with Crew(verify_work, workers=workers) as crew:
        for verified in crew.run(stored_scenes(study)):
            done += 1
            found += verified.mismatches
            identical += verified.identical
            # Same pixels by another renderer are the same pixels.
            other += not verified.identical and not verified.same_renderer
            progress(done, total)
    return Verification(done, found, identical, other)


def stored_scenes(study: Study) -> Iterator[Stored]:
    """Yield every scene of every set with its facts and pictures."""
    for item in rows.sets(study):
        for row in every_scene(study, item.id):
            original = row.original
            yield Stored(
                set=item.name,
                canonical=stored.scene(study, row.scene).json,
                facts=row.facts,
                pictures=_pictures(study, row.scene),
                original=stored.scene(study, original).json if original else None,
                originals=_pictures(study, original) if original else {},
            )


def _pictures(study: Study, scene: str) -> dict[ViewName, tuple[bytes, str]]:
    found: dict[ViewName, tuple[bytes, str]] = {}
    for view in VIEWS:
        # The newest one, which is what a run sends.
        shown = stored.stimulus(study, scene, view)
        if shown is not None:
            image = stored.image(study, shown.image)
            found[view] = (image.png, image.renderer)
    return found


def verify_work() -> Callable[[Stored], Verified]:
    """Open a worker's windows and return what verifies a scene."""
    renderer, window = StillRenderer(), DepthWindow()

    def work(job: Stored) -> Verified:
        return verify_scene(
            job, lambda data: depth_fractions(data, window), renderer.draw
        )

    return work


def verify_scene(job: Stored, depth: DepthWitness, draw: Draw) -> Verified:
    """Return what a second look at one stored scene finds."""
    scene = read_scene(job.canonical)
    redrawn = [_redrawn(scene, job.pictures, draw)]
    if job.original is not None:
        digits = read_scene(job.original).digits
        # From the rearranged scene, not the original: that is what is proved.
        back = with_digits(scene, digits)
        redrawn.append(_redrawn(back, job.originals, draw))
    return Verified(
        scene=scene.name,
        mismatches=list(_mismatches(scene, job, depth)),
        identical=all(same for same, _ in redrawn),
        same_renderer=all(same for _, same in redrawn),
    )


def _redrawn(
    scene: Scene, pictures: dict[ViewName, tuple[bytes, str]], draw: Draw
) -> tuple[bool, bool]:
    """Return whether pixels, and whether the renderer, are those that are stored."""
    stills = {view: draw(scene, view) for view in VIEWS}
    # Pixels and not files: another PNG encoder is no other picture.
    pixels = all(
        view in pictures and np.array_equal(_decoded(pictures[view][0]), still.pixels)
        for view, still in stills.items()
    )
    # Another renderer may differ by some pixels without any fault.
    renderers = {renderer for _, renderer in pictures.values()}
    return pixels, renderers <= {still.renderer for still in stills.values()}


def _decoded(png: bytes) -> "np.typing.NDArray[np.uint8]":
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def _mismatches(scene: Scene, job: Stored, depth: DepthWitness) -> Iterator[Json]:
    second = depth(job.canonical)
    analytic = job.facts["witnesses"]["analytic"]
    hidden = job.facts["key"]["hidden"]
    for view in VIEWS:
        for digit in scene.digits:
            other = second[view][digit]
            fraction = analytic[view].get(str(digit))
            # Only the fraction is stored; how small a block is the witness knows.
            first = Sight(0, other.alone_px, fraction, 0.0, 0.0, 0.0)
            state = job.facts["states"][view].get(str(digit))
            # A key that its own fractions do not bear out is a mismatch as well.
            unlike = (
                disagree(first, other)
                or (state == "hidden" and other.fraction != 0)
                or (view == "director" and (digit == hidden) != (state == "hidden"))
            )
            if unlike:
                yield {
                    "set": job.set,
                    "scene": scene.name,
                    "block": digit,
                    "view": view,
                    "analytic": fraction,
                    "depth": other.fraction,
                }

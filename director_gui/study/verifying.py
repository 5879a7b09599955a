"""A whole set checked again, from what is stored of it alone.

The second witness looks at each stored scene anew and is held against the fractions
and the key that were stored; both pictures are redrawn and held against the stored
ones, pixel for pixel. A rearranged scene is also redrawn with its original digits and
held against the original's pictures. Everything else that was stored of a scene – its
bytes' hash, key, verdicts, areas – is held against what both witnesses say now, so that
whatever was changed afterwards is named with its scene.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import isclose
from typing import Any, NamedTuple

from PIL import Image

from director_gui.errors import UserError
from director_gui.families.rearrange import with_digits
from director_gui.geometry.truth import truth_of
from director_gui.geometry.visibility import Sight
from director_gui.ids import Json, sha256_hex
from director_gui.render import backend
from director_gui.render.depth_witness import DepthWindow, depth_fractions
from director_gui.render.still import Still, StillRenderer
from director_gui.scene.model import VIEWS, Scene, ViewName
from director_gui.scene.serialize import read_scene
from director_gui.store import scenes as stored
from director_gui.store import sets as rows
from director_gui.store.database import Study
from director_gui.study.checking import (
    Check,
    DepthSights,
    DepthWitness,
    disagree,
    to_json,
)
from director_gui.study.crew import Crew
from director_gui.study.set_tallies import every_scene, require_sets

MISSING, DAMAGED = "missing", "damaged"
Draw = Callable[[Scene, ViewName], Still]
_AREA = 1e-4  # relative; a block that moves by a millimetre changes its area by more


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
        hash: What the study calls the scene; empty where nothing is to be held to it.
    """

    set: str
    canonical: bytes = field(repr=False)
    facts: Json = field(repr=False)
    pictures: dict[ViewName, tuple[bytes, str]] = field(repr=False)
    original: bytes | None = field(default=None, repr=False)
    originals: dict[ViewName, tuple[bytes, str]] = field(
        default_factory=dict, repr=False
    )
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a second look at one scene found.

    Attributes:
        scene: Its name.
        mismatches: ``{"set", "scene", "block", "view", "analytic", "depth"}`` each.
        changes: ``{"set", "scene", "what", "stored", "found"}`` each: what else is not
            what was stored, such as ``key.hidden`` or ``picture.model``;
            ``missing`` for a scene that is not there.
        identical: Whether both pictures came out the same, pixel for pixel; of a
            rearranged scene also the original's.
        same_renderer: Whether what drew them is what drew the stored ones.
    """

    scene: str
    mismatches: list[Json]
    changes: list[Json]
    identical: bool
    same_renderer: bool


@dataclass(frozen=True, slots=True)
class Verification:
    """What a second look at a study's sets found."""

    scenes: int
    mismatches: list[Json]
    changes: list[Json]
    pixels_identical: int
    other_renderer: int

    @property
    def holds(self) -> bool:
        """Whether both proofs hold; another renderer may draw other pixels."""
        drawn = self.pixels_identical + self.other_renderer
        return not (self.mismatches or self.changes) and drawn >= self.scenes

    def to_json(self) -> dict[str, Any]:
        """Return it as `scenes verify --json` prints it (INTERFACES)."""
        return {
            "scenes": self.scenes,
            "mismatches": self.mismatches,
            "changes": self.changes,
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
    changes = list(_gaps(study))
    identical = other = done = 0
    with Crew(verify_work, workers=workers) as crew:
        for verified in crew.run(stored_scenes(study)):
            done += 1
            found += verified.mismatches
            changes += verified.changes
            identical += verified.identical
            # Same pixels by another renderer are the same pixels.
            other += not verified.identical and not verified.same_renderer
            progress(done, total)
    return Verification(done, found, changes, identical, other)


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
                hash=row.scene,
            )


def _pictures(study: Study, scene: str) -> dict[ViewName, tuple[bytes, str]]:
    found: dict[ViewName, tuple[bytes, str]] = {}
    for view in VIEWS:
        # The newest one, which is what a run sends.
        shown = stored.stimulus(study, scene, view)
        if shown is not None:
            found[view] = _picture(study, shown.image)
    return found


def _picture(study: Study, image: str) -> tuple[bytes, str]:
    try:
        found = stored.image(study, image)
    except UserError:
        # Damaged: the others can still be looked at, and this one is named.
        return b"", ""
    return found.png, found.renderer


def _gaps(study: Study) -> Iterator[Json]:
    """Yield the places that a set lacks between others; its end may be missing."""
    for item in rows.sets(study):
        after = -1
        for row in every_scene(study, item.id):
            for place in range(after + 1, row.position):
                yield _change(item.name, f"scene {place + 1}", MISSING, None, None)
            after = row.position


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
    try:
        scene = read_scene(job.canonical)
    except UserError as error:
        return _unreadable(job, error)
    second = depth(job.canonical)
    redrawn = list(_redrawn(scene, job.pictures, draw, "picture"))
    if job.original is not None:
        digits = read_scene(job.original).digits
        # From the rearranged scene, not the original: that is what is proved.
        back = with_digits(scene, digits)
        redrawn += _redrawn(back, job.originals, draw, "original picture")
    unlike = [item for item in redrawn if item.stored != item.found]
    changes = list(_changes(scene, job, second))
    # Another renderer may differ by some pixels without any fault.
    changes += [
        _change(job.set, scene.name, item.what, item.stored, item.found)
        for item in unlike
        if item.comparable
    ]
    return Verified(
        scene=scene.name,
        mismatches=list(_mismatches(scene, job, second)),
        changes=changes,
        identical=not unlike,
        same_renderer=all(item.comparable for item in redrawn),
    )


def _unreadable(job: Stored, error: UserError) -> Verified:
    # Its facts may still tell what it was called.
    name = str(_at(job.facts, ("name",)) or job.hash)
    change = _change(job.set, name, "scene", job.hash, str(error))
    return Verified(name, [], [change], identical=False, same_renderer=True)


class _Redrawn(NamedTuple):
    """A picture as it is stored and as it is drawn now, by its pixels' hashes."""

    what: str
    stored: str | None  # None when it is missing
    found: str
    comparable: bool  # whether the same renderer drew both


def _redrawn(
    scene: Scene,
    pictures: dict[ViewName, tuple[bytes, str]],
    draw: Draw,
    what: str,
) -> Iterator[_Redrawn]:
    for view in VIEWS:
        still = draw(scene, view)
        png, renderer = pictures.get(view, (b"", ""))
        pixels = _pixels_sha256(png) if view in pictures else None
        comparable = pixels in {None, DAMAGED} or renderer == still.renderer
        yield _Redrawn(f"{what}.{view}", pixels, still.pixels_sha256, comparable)


def _pixels_sha256(png: bytes) -> str:
    # Pixels and not files: another PNG encoder is no other picture.
    try:
        with Image.open(io.BytesIO(png)) as image:
            return sha256_hex(image.convert("RGB").tobytes())
    except (OSError, ValueError, SyntaxError):  # Pillow's three for broken files
        return DAMAGED


def _changes(scene: Scene, job: Stored, second: DepthSights) -> Iterator[Json]:
    """Yield what was stored of a scene and is not so."""
    digest = sha256_hex(job.canonical)
    if job.hash and digest != job.hash:
        yield _change(job.set, scene.name, "scene", job.hash, digest)
    now = _facts(scene, second)
    for what, found in now.items():
        said = _at(job.facts, what.split("."))
        if not _same(said, found):
            yield _change(job.set, scene.name, what, said, found)


def _facts(scene: Scene, second: DepthSights) -> dict[str, Json]:
    """Return what both witnesses say of a scene now, by its path in the facts."""
    fractions = {
        view: {digit: sight.fraction for digit, sight in second[view].items()}
        for view in VIEWS
    }
    facts = to_json(Check(scene, truth_of(scene, depth=fractions), second, ()))
    found: dict[str, Json] = {}
    for name in ("key", "sees", "states", "apparent_size"):
        for path, value in facts[name].items():
            parts = value.items() if isinstance(value, dict) else [(None, value)]
            for part, held in parts:
                found[".".join(filter(None, (name, path, part)))] = held
    return found


def _same(stored: object, found: object) -> bool:
    if isinstance(found, float) and isinstance(stored, float | int):
        return isclose(stored, found, rel_tol=_AREA, abs_tol=1e-9)
    return bool(stored == found)


def _at(facts: object, path: Sequence[str]) -> object:
    """Return what stands at a path; None when nothing does."""
    for name in path:
        facts = facts.get(name) if isinstance(facts, dict) else None
    return facts


def _change(of: str, scene: str, what: str, stored: object, found: object) -> Json:
    return {"set": of, "scene": scene, "what": what, "stored": stored, "found": found}


def _mismatches(scene: Scene, job: Stored, second: DepthSights) -> Iterator[Json]:
    hidden = _at(job.facts, ("key", "hidden"))
    for view in VIEWS:
        for digit in scene.digits:
            other = second[view][digit]
            said = _at(job.facts, ("witnesses", "analytic", view, str(digit)))
            fraction = float(said) if isinstance(said, float | int) else None
            # Only the fraction is stored; how small a block is the witness knows.
            first = Sight(0, other.alone_px, fraction, 0.0, 0.0, 0.0)
            state = _at(job.facts, ("states", view, str(digit)))
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

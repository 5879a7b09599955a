"""Scenes of a family that satisfy every demand, the same on every machine.

Scene i is the first candidate k = 0, 1, 2 … whose draws, which depend on the seed, i
and k alone, satisfy every demand: an accepted scene is uniform over all that the
family's ranges hold and its demands allow. A scene depends on no other scene, so any
worker can make it, in any order.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from director_gui.errors import UserError
from director_gui.families.draw import Candidate, candidate
from director_gui.families.draws import Draws
from director_gui.families.judge import Reason, judge
from director_gui.families.model import Family
from director_gui.families.plan import Cell, plan_of
from director_gui.families.rearrange import rearrangements
from director_gui.geometry.problems import problems_of
from director_gui.geometry.truth import Truth, truth_of
from director_gui.scene.model import Scene

MOST_CANDIDATES = 1_000_000  # for one scene: below one in 10,000 by far


@dataclass(frozen=True, slots=True)
class Accepted:
    """A scene that satisfies every demand of its family.

    Attributes:
        scene: The scene.
        truth: What witness 1 says of it.
        candidate: The number of the candidate it was.
        rejected: Why the candidates before it were refused, since `accepted` began.
        original: The scene before its digits were permuted; None where none were.
    """

    scene: Scene
    truth: Truth
    candidate: int
    rejected: Counter[Reason] = field(default_factory=Counter)
    original: Scene | None = None


def sample(
    family: Family, *, count: int | None = None, seed: int | None = None
) -> Iterator[Scene]:
    """Yield the scenes of a family's set, in order.

    Args:
        family: The family.
        count: How many; the family's own number without it.
        seed: Where the draws begin; the family's own seed without it.

    Raises:
        UserError: No candidate of a million fits; it names the constraint to blame.
    """
    chosen = family.with_(count, seed)
    for index, cell in enumerate(plan_of(chosen)):
        yield accepted(chosen, index, cell).scene


def accepted(
    family: Family,
    index: int,
    cell: Cell,
    *,
    start: int = 0,
) -> Accepted:
    """Return scene number `index` of a family's set.

    Args:
        family: The family, with the set's count and seed.
        index: From 0.
        cell: Its cell of the plan.
        start: The first candidate to look at, for going on after one.

    Raises:
        UserError: No candidate of a million fits.
    """
    rejected: Counter[Reason] = Counter()
    # Bounded, so that a broken family ends in a message and not in a spin.
    for k in range(start, start + MOST_CANDIDATES):
        drawn = nth_candidate(family, index, cell, k)
        reason, truth = judge(family, drawn)
        if reason is None and truth is not None:
            found = Accepted(drawn.scene, truth, k, rejected)
            if family.rearranges:
                return _with_other_digits(family, index, found)
            return found
        if reason is not None:
            rejected[reason] += 1
    raise UserError(
        f"none of {rejected.total()} candidates for scene {index + 1} fits",
        where=family.name,
        todo="Widen the family's ranges or lower its demands",
    )


def nth_candidate(family: Family, index: int, cell: Cell, k: int) -> Candidate:
    """Return candidate `k` for scene number `index`."""
    # The original's name, so that its bytes are those of the original set.
    name = scene_name(family.rearranges or family.name, index)
    return candidate(family, name, cell, Draws(family.seed, index, k))


def scene_name(family: str, index: int) -> str:
    """Return the name of a family's scene, such as ``main-0001`` for index 0."""
    # Four digits whatever the count: 12 scenes are the beginning of 160.
    return f"{family}-{index + 1:04}"


def _with_other_digits(family: Family, index: int, found: Accepted) -> Accepted:
    original = found.scene
    # Renamed before it is looked at: the truth goes with the scene it is of.
    named = replace(original, name=scene_name(family.name, index))
    for scene in rearrangements(
        named, found.truth, Draws(family.seed, index, "digits")
    ):
        truth = truth_of(scene)
        # A digit of two figures is smaller: it may not be legible on every block.
        if not any(p.blocks_stimulus for p in problems_of(scene, truth, robust=False)):
            return replace(found, scene=scene, truth=truth, original=original)
    raise UserError(
        f"no permutation of the digits of scene {index + 1} is legible",
        where=family.name,
        todo="Let the family draw from digits below 10",
    )

"""One scene of a family, soon: what a person looks at while changing its ranges."""

from collections.abc import Callable
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.families.judge import Reason, judge
from director_gui.families.model import Family
from director_gui.families.plan import plan_of
from director_gui.families.sampler import accepted, nth_candidate
from director_gui.scene.model import Block, Scene


@dataclass(frozen=True, slots=True)
class Example:
    """A scene of a family's set, or what comes near to it.

    Attributes:
        index: Its number in the set, from 0.
        scene: The scene.
        hidden: The digit of the block that is meant to be hidden.
        reason: Why it is no scene of the set; None when it is that very scene.
    """

    index: int
    scene: Scene
    hidden: int
    reason: Reason | None = None

    @property
    def block(self) -> Block:
        """The block that is meant to be hidden."""
        return self.scene.block(self.hidden)


def example_of(family: Family, index: int, late: Callable[[], bool]) -> Example:
    """Return scene number `index` of a family's set as sampling would make it.

    Args:
        family: The family.
        index: From 0; what is beyond the set begins again.
        late: Asked after each candidate; once it is True the first candidate is
            returned, with the reason that refuses it.
    """
    index %= family.count
    cell = plan_of(family)[index]
    first = nth_candidate(family, index, cell, 0)
    reason = refused = judge(family, first).reason
    k = 0
    while reason is not None and not late():
        k += 1
        reason = judge(family, nth_candidate(family, index, cell, k)).reason
    if reason is not None:
        return Example(index, first.scene, first.hidden, refused)
    hidden = nth_candidate(family, index, cell, k).hidden
    try:
        found = accepted(family, index, cell, start=k)
    except UserError:  # no permutation of its digits is legible
        return Example(index, first.scene, first.hidden, "not_legible")
    if found.original is not None:
        # Permuted: the same block under its new digit.
        hidden = _again(found.original.block(hidden), found.scene)
    return Example(index, found.scene, hidden)


def _again(block: Block, scene: Scene) -> int:
    place = (block.x, block.y)
    return next(b.digit for b in scene.blocks if (b.x, b.y) == place)

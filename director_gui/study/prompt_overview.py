"""All conditions of a library made out for one scene, and each pair's proof."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from director_gui.errors import UserError
from director_gui.prompts.compose import Prompt, compose
from director_gui.prompts.library import Library
from director_gui.prompts.pairing import Span, compare
from director_gui.store.prompts import OwnPrompts


@dataclass(frozen=True, slots=True)
class Declared:
    """A declared pair and what its proof found.

    Attributes:
        first: The test condition.
        second: The reference.
        own: Whether the study declares it, not the program.
        family: Its comparison family, empty for none.
        span: Where the two differ; None when one of them cannot be made out.
        refusal: Why it is no pair for this scene; empty when the proof holds.
    """

    first: str
    second: str
    own: bool
    family: str
    span: Span | None = field(repr=False)
    refusal: str

    def other(self, name: str) -> str:
        """Return the partner of one of its two conditions."""
        return self.second if name == self.first else self.first


@dataclass(frozen=True, slots=True)
class Overview:
    """Every condition for one scene.

    Attributes:
        prompts: The messages, by condition.
        failed: Why a condition has none, by condition.
        pairs: The declared pairs, in order.
    """

    prompts: Mapping[str, Prompt]
    failed: Mapping[str, str]
    pairs: tuple[Declared, ...]

    def pairs_of(self, name: str) -> tuple[Declared, ...]:
        """Return the declared pairs that name a condition."""
        return tuple(pair for pair in self.pairs if name in (pair.first, pair.second))

    def between(self, a: str, b: str) -> Declared | None:
        """Return the declared pair of two conditions, in either order."""
        found = (pair for pair in self.pairs if {a, b} == {pair.first, pair.second})
        return next(found, None)


def overview(
    known: Library, own: OwnPrompts, sees: Collection[int], extreme: str
) -> Overview:
    """Return every condition for a scene, and the proof of every pair.

    Args:
        known: The conditions and pairs.
        own: Those of them that the study adds.
        sees: The digits of the blocks that the director sees.
        extreme: What the scene's request asks for.
    """
    prompts: dict[str, Prompt] = {}
    failed: dict[str, str] = {}
    for condition in known.conditions:
        # One condition without words for this scene must not hide the others.
        try:
            prompts[condition.name] = compose(condition, sees, extreme)
        except UserError as error:
            failed[condition.name] = str(error)
    # The library holds pairs alone; whose they are and what for, the study knows.
    family = {(row.first, row.second): row.family for row in own.pairs}
    pairs = []
    for first, second in known.pairs:
        span, refusal = _proof(prompts, failed, first, second)
        mine = (first, second) in family
        name = family.get((first, second), "")
        pairs.append(Declared(first, second, mine, name, span, refusal))
    return Overview(prompts, failed, tuple(pairs))


def _proof(
    prompts: Mapping[str, Prompt], failed: Mapping[str, str], first: str, second: str
) -> tuple[Span | None, str]:
    for name in (first, second):
        if name in failed:
            return None, failed[name]
    span = compare(prompts[first], prompts[second])
    return span, span.refusal

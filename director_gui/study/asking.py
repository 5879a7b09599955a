"""What is asked about a scene: composed prompts, their proofs, their versions kept."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from director_gui.geometry.truth import Truth
from director_gui.prompts.compose import Prompt, compose
from director_gui.prompts.library import Library, library
from director_gui.prompts.pairing import Span, compare, prove
from director_gui.runner.plan import Arm
from director_gui.scene.model import Scene
from director_gui.store.conditions import add_condition
from director_gui.store.database import Study

# What the probe and the demo offer first: the effect and its control (METHOD §3).
BASICS = (
    "mean.ask", "mean.plain", "mean.count", "move.ask", "move.plain", "move.count",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProvedPair:
    """A declared pair of conditions with the span that its proof found."""

    first: str
    second: str
    span: Span


def prompts_for(
    scene: Scene, truth: Truth, conditions: Iterable[str], known: Library | None = None
) -> dict[str, Prompt]:
    """Return the messages of each condition about a scene.

    Raises:
        UserError: A condition is unknown.
    """
    lib = known or library()
    return {
        name: compose(
            lib.condition(name), truth.sees["director"], scene.request.extreme
        )
        for name in conditions
    }


def prove_pairs(
    prompts: Mapping[str, Prompt], known: Library | None = None
) -> tuple[ProvedPair, ...]:
    """Return the declared pairs among `prompts`, each proved.

    Raises:
        PairRefusedError: A declared pair differs in more than one span.
    """
    declared = (known or library()).pairs
    return tuple(
        ProvedPair(first, second, prove(prompts[first], prompts[second]))
        for first, second in declared
        if first in prompts and second in prompts
    )


def without_refused(prompts: Mapping[str, Prompt], known: Library) -> Library:
    """Return `known` without the declared pairs that fail their proof.

    A pair can be declared after a run was made, when nothing refuses it any more: its
    difference must not be reported as if one question made it.
    """

    def refused(pair: tuple[str, str]) -> bool:
        return set(pair) <= set(prompts) and bool(
            compare(*(prompts[name] for name in pair)).refusal
        )

    return replace(known, pairs=tuple(p for p in known.pairs if not refused(p)))


def arms(known: Library | None = None) -> dict[str, Arm]:
    """Return every condition as a plan needs it, by name."""
    return {
        condition.name: Arm(condition.name, condition.version, condition.base)
        for condition in (known or library()).conditions
    }


def keep_conditions(
    study: Study, names: Iterable[str], known: Library | None = None
) -> None:
    """Keep the present version of each condition in the study."""
    lib = known or library()
    for name in names:
        condition = lib.condition(name)
        # The pieces and not the joined text: a pair's proof can be shown from them
        # later.
        pieces = [piece.value() for piece in condition.pieces]
        value = {"turns": condition.turns, "pieces": pieces}
        add_condition(study, condition.version, name, value)

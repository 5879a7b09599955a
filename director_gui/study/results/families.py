"""Which comparisons are corrected together."""

from collections.abc import Iterable
from dataclasses import dataclass

from director_gui.prompts.library import Library
from director_gui.store.database import Study
from director_gui.store.runs import Run
from director_gui.study.prompt_library import study_library

Pair = tuple[str, str]  # test, reference
EVERY = "All declared pairs"
# The library's pairs of visibility accuracy; their margin stands outside every family.
ACCURACY_PAIRS: tuple[Pair, ...] = (
    ("move.ask", "mean.ask"),
    ("move.plain", "mean.plain"),
)
# The split of the paper's 72, 42 and 39, told by the names of METHOD §3.
_REWORDINGS = ("want.", "youwill.", "move.knows")
_CONSTRAINTS = (
    "move.both.",
    "move.knowledge.",
    "move.reference.",
    "move.padding.",
)


@dataclass(frozen=True, slots=True)
class Family:
    """Comparisons that are corrected together.

    Attributes:
        name: What the user chooses.
        pairs: Test and reference of each, for every model.
        declared: Whether it was declared before the run.
    """

    name: str
    pairs: tuple[Pair, ...]
    declared: bool


def families_of(
    study: Study, run: Run, conditions: Iterable[str]
) -> tuple[Family, ...]:
    """Return what a run declared, then the usual families that have a pair in it.

    Args:
        study: The study.
        run: The run.
        conditions: The conditions that the run holds.
    """
    known = study_library(study)
    held = set(conditions)
    declared = [
        Family(value["name"], tuple((a, b) for a, b in value["pairs"]), declared=True)
        for value in run.settings.get("families", [])
    ]
    usual = [
        Family(name, pairs, declared=False)
        for name, every in _usual(known).items()
        # A pair that cannot be made would only add a refusal to every table.
        if (pairs := tuple(pair for pair in every if set(pair) <= held))
    ]
    taken = {family.name for family in declared}
    # What was declared before the run goes first and cannot be hidden by a namesake.
    return (*declared, *(one for one in usual if one.name not in taken))


def _usual(known: Library) -> dict[str, tuple[Pair, ...]]:
    # Accuracy pairs outside: the margin is tested without correction.
    effects = tuple(pair for pair in known.pairs if pair not in ACCURACY_PAIRS)
    rewordings = tuple(p for p in effects if _starts(p, _REWORDINGS))
    constraints = tuple(p for p in effects if _starts(p, _CONSTRAINTS))
    others = set(rewordings) | set(constraints)
    return {
        EVERY: known.pairs,
        "Question and controls": tuple(p for p in effects if p not in others),
        "Rewordings": rewordings,
        "Constraints": constraints,
    }


def _starts(pair: Pair, names: tuple[str, ...]) -> bool:
    # By the test alone: the references are the shared bases.
    return pair[0].startswith(names)

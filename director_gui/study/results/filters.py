"""Re-analyses: which scenes a table rests on, named and kept in the study."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field

from director_gui.errors import UserError
from director_gui.families.model import RANKS
from director_gui.ids import canonical_json
from director_gui.store.database import Study
from director_gui.study.results.columns import SceneFact

_KEPT = "result filters"  # the study's fact that holds them
PROPERTIES: Mapping[str, str] = {
    "blocks": "number of blocks",
    "hidden_rank": "hidden block by size",
    "hidden_has_largest": "hidden block has the largest digit",
    "smaller_outranks": "a smaller visible block has a larger digit",
    "confound": "apparent-size confound",
}
VALUES: Mapping[str, tuple[str, ...]] = {
    # Text, as a filter is kept as JSON words and shown in a list.
    "blocks": tuple(map(str, range(1, 13))),
    "hidden_rank": RANKS,
    "hidden_has_largest": ("yes", "no"),
    "smaller_outranks": ("yes", "no"),
    "confound": ("yes", "no"),
}


@dataclass(frozen=True, slots=True)
class Filter:
    """Scenes that have every one of some properties.

    Attributes:
        name: What the user calls it.
        rules: Property to the value it must have, both of `PROPERTIES`, `VALUES`.
    """

    name: str
    rules: Mapping[str, str] = field(default_factory=dict)

    def keeps(self, fact: SceneFact) -> bool:
        """Tell whether a scene stays."""
        return all(_value(fact, name) == wanted for name, wanted in self.rules.items())

    def scenes(self, facts: Iterable[SceneFact]) -> tuple[str, ...]:
        """Return the hashes of the scenes that stay."""
        return tuple(fact.hash for fact in facts if self.keeps(fact))


ALL_SCENES = Filter("All scenes")
BUILT_IN = (
    ALL_SCENES,
    Filter("Without apparent-size confounds", {"confound": "no"}),
    Filter(
        "Without scenes whose hidden block has the largest digit",
        {"hidden_has_largest": "no"},
    ),
)


def filters_of(study: Study) -> tuple[Filter, ...]:
    """Return the paper's re-analyses and the study's own filters."""
    # The paper's own stand first and their names cannot be taken.
    return (*BUILT_IN, *_own(study))


def keep_filter(study: Study, added: Filter) -> None:
    """Keep a filter in the study.

    Raises:
        UserError: It has no name, a name that is taken, no rule or an unknown one,
            or the study cannot be written.
    """
    if not added.name.strip():
        raise UserError("a filter needs a name")
    if added.name in {one.name for one in filters_of(study)}:
        raise UserError("this name is taken", where=added.name)
    if not added.rules:
        raise UserError("a filter needs a property", where=added.name)
    for name, value in added.rules.items():
        if value not in VALUES.get(name, ()):
            raise UserError(f"no scene can have {name} = {value}", where=added.name)
    kept = [asdict(one) for one in (*_own(study), added)]
    study.set_meta(_KEPT, canonical_json(kept).decode())


def _own(study: Study) -> tuple[Filter, ...]:
    kept = json.loads(study.meta(_KEPT) or "[]")
    return tuple(Filter(one["name"], one["rules"]) for one in kept)


def _value(fact: SceneFact, name: str) -> str:
    found: object = getattr(fact.features, name)
    # Before str(): it would say True, which no rule asks for.
    if isinstance(found, bool):
        return "yes" if found else "no"
    return str(found)

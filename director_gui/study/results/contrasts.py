"""Contrasts of more than two conditions: named, kept in the study, made per model."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import reduce

from director_gui.errors import UserError
from director_gui.ids import canonical_json
from director_gui.stats.contrast import check_weights, contrast
from director_gui.stats.correction import adjust
from director_gui.stats.display import MINUS
from director_gui.stats.result import Comparison, Share
from director_gui.stats.shares import share
from director_gui.stats.verdicts import call_in_words
from director_gui.store.database import Study
from director_gui.study.results.columns import Columns, Outcome
from director_gui.study.results.comparing import batches_of

_KEPT = "result contrasts"  # the study's fact that holds them
Term = tuple[str, float]


@dataclass(frozen=True, slots=True)
class Contrast:
    """A weighted sum of shares.

    Attributes:
        name: What the user calls it.
        weights: Condition to its weight, none of them 0; they sum to 0.
    """

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def formula(self) -> str:
        """The sum as it is written, such as ``a − b − c + d``."""
        signs = {True: MINUS, False: "+"}
        terms = [(signs[w < 0], _scaled(abs(w), c)) for c, w in self.weights.items()]
        written = " ".join(f"{sign} {term}" for sign, term in terms)
        return written.removeprefix("+ ")


@dataclass(frozen=True, slots=True)
class Contrasted:
    """One contrast of one model, or why it cannot be made.

    Attributes:
        model: The profile's name.
        contrast: What was asked for.
        batch: The batch that holds every condition; empty when none does.
        found: The estimate; None when it is refused.
        shares: Of each condition, in the order of the weights.
        adjusted: p after correction over all kept contrasts and models.
        call: What can be said, in words.
    """

    model: str
    contrast: Contrast
    batch: str
    found: Comparison | None
    shares: tuple[Share, ...]
    adjusted: float | None
    call: str


def collected(name: str, terms: Iterable[Term]) -> Contrast:
    """Return a contrast of terms; a condition that is named twice is summed up.

    Two effects over one base are thus what they are: the base cancels, and the
    statement less the question is left (STATISTICS §8).

    Raises:
        UserError: The weights are no contrast.
    """
    added: dict[str, float] = {}
    for condition, weight in terms:
        added[condition] = added.get(condition, 0.0) + weight
    # A base that cancels must go, or its rows would take a degree of freedom.
    left = {condition: weight for condition, weight in added.items() if weight}
    check_weights(left)
    return Contrast(name, left)


def contrasts_of(study: Study) -> tuple[Contrast, ...]:
    """Return the study's contrasts in the order they were made."""
    kept = json.loads(study.meta(_KEPT) or "[]")
    return tuple(Contrast(one["name"], dict(one["weights"])) for one in kept)


def keep_contrast(study: Study, added: Contrast) -> None:
    """Keep a contrast in the study.

    Raises:
        UserError: It has no name, a name that is taken, or weights that are no
            contrast, or the study cannot be written.
    """
    if not added.name.strip():
        raise UserError("a contrast needs a name")
    own = contrasts_of(study)
    if added.name in {one.name for one in own}:
        raise UserError("this name is taken", where=added.name)
    check_weights(added.weights)
    _write(study, (*own, added))


def drop_contrast(study: Study, name: str) -> None:
    """Forget a contrast; one that is not kept is no error."""
    _write(study, (one for one in contrasts_of(study) if one.name != name))


def _write(study: Study, kept: Iterable[Contrast]) -> None:
    # Pairs and not an object: the order of the terms is how the user wrote them.
    rows = [{**asdict(one), "weights": list(one.weights.items())} for one in kept]
    study.set_meta(_KEPT, canonical_json(rows).decode())


def contrasted(
    columns: Columns, asked: Iterable[Contrast], outcome: Outcome = "hidden_choice"
) -> tuple[Contrasted, ...]:
    """Return every contrast for every model that has its conditions.

    All of them are corrected together. A contrast that several batches hold is made in
    each of them; one that none holds is refused.
    """
    found = [
        one
        for wanted in asked
        for place, model in enumerate(columns.models)
        for one in _of_model(columns, place, model, wanted, outcome)
    ]
    # Apart from the families: those were declared before the run, these were not.
    adjusted = adjust([one.found.p if one.found else None for one in found])
    return tuple(
        replace(one, adjusted=p, call=_call(one.found, p))
        for one, p in zip(found, adjusted, strict=True)
    )


def _of_model(
    columns: Columns, place: int, model: str, wanted: Contrast, outcome: Outcome
) -> list[Contrasted]:
    where = batches_of(columns, place)
    # Not a refusal: this model was never asked one of the conditions.
    if not wanted.weights.keys() <= where.keys():
        return []
    shared = reduce(set.intersection, (where[name] for name in wanted.weights))
    if not shared:
        return [Contrasted(model, wanted, "", None, (), None, "")]
    made = []
    for batch in sorted(shared):
        replies = columns.replies(outcome, place, columns.batches.index(batch))
        shares = tuple(share(replies, name) for name in wanted.weights)
        found = contrast(replies, wanted.weights)
        made.append(Contrasted(model, wanted, batch, found, shares, None, ""))
    return made


def _call(found: Comparison | None, adjusted: float | None) -> str:
    if found is None:
        return "not compared"
    return call_in_words(found.ci_low, found.ci_high, adjusted)


def _scaled(weight: float, condition: str) -> str:
    return condition if weight == 1 else f"{weight:g} × {condition}"

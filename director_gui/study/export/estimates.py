"""Comparisons and contrasts of a run at full precision, as JSON."""

from director_gui.ids import Json
from director_gui.stats.report import comparison_json, share_json
from director_gui.study.results.columns import Columns
from director_gui.study.results.comparing import Compared, compared
from director_gui.study.results.contrasts import Contrast, Contrasted, contrasted
from director_gui.study.results.view import Found

_REFUSED = "the conditions share no batch"


def estimates(found: Found, columns: Columns, scores: str) -> Json:
    """Return every family's comparisons and the contrasts.

    Args:
        found: What was found of the run: families, contrasts, how complete it is.
        columns: The calls that the estimates are made of.
        scores: Which scores count, in words.
    """
    families = {
        family.name: {
            "declared": family.declared,
            # Every family and not the shown one alone: a reader must see what else was
            # tried.
            "comparisons": [_pair(one) for one in compared(columns, family.pairs)],
        }
        for family in found.families
    }
    # One entry a name; `found` has one for each model and batch.
    asked: dict[str, Contrast] = {c.contrast.name: c.contrast for c in found.contrasts}
    return {
        "state": found.state,
        "interim": found.interim,
        "scores": scores,
        "families": families,
        "contrasts": [_sum(one) for one in contrasted(columns, asked.values())],
    }


def _pair(one: Compared) -> Json:
    named = {
        "model": one.model, "test": one.test, "reference": one.reference,
        "batch": one.batch, "adjusted": one.adjusted, "call": one.call,
    }  # fmt: skip
    if one.found is None or one.shares is None:
        return {**named, "refused": _REFUSED}
    return {
        **comparison_json(one.found, one.shares),
        **named,
        "rates": [share_json(found) for found in one.shares],
    }


def _sum(one: Contrasted) -> Json:
    named = {
        "model": one.model, "name": one.contrast.name, "sum": one.contrast.formula,
        "batch": one.batch, "adjusted": one.adjusted, "call": one.call,
    }  # fmt: skip
    if one.found is None:
        return {**named, "refused": _REFUSED}
    # A margin is for two rates of one question; a sum of several has none.
    value = {**comparison_json(one.found, one.shares), **named}
    return {key: item for key, item in value.items() if key != "margin"}

"""The report's numbers as the JSON document of ``demo``."""

from director_gui.ids import Json
from director_gui.stats.report import comparison_json
from director_gui.study.analysis import PairResult
from director_gui.study.report.facts import Facts


def report_value(facts: Facts) -> Json:
    """Return comparisons and agreement, each as its own command prints it."""
    return {
        "practice": facts.practice,
        "seed": facts.run.settings["order_seed"],
        "scenes": len(facts.scenes),
        "replies": len(facts.scored),
        "comparisons": [_comparison(facts, result) for result in facts.results],
        "agreement": _agreement(facts),
    }


def _comparison(facts: Facts, result: PairResult) -> Json:
    # The shares of the same arms as in the tables, each over its own replies.
    shares = {
        arm.condition: arm.hidden
        for arm in facts.arms
        if (arm.model, arm.batch) == (result.model, result.batch)
    }
    both = [shares[name] for name in (result.reference, result.test)]
    return {
        "model": result.model,
        "reference": result.reference,
        "test": result.test,
        **comparison_json(result.comparison, both),
        "adjusted": result.adjusted,
        "call": result.call,
        "practice": facts.practice,
    }


def _agreement(facts: Facts) -> list[Json]:
    if facts.coded is None:
        return []
    return [
        {"field": name, **pair, "practice": facts.coded.practice}
        for name, found in facts.coded.fields().items()
        for pair in found["pairs"]
    ]

"""The declared pairs: differences with intervals, a forest plot, and calls in words."""

from director_gui.stats.display import counted, interval_text, p_text, points_text
from director_gui.stats.verdicts import (
    METHOD_WORDS,
    flag_text,
    margin_verdict,
    reason_text,
)
from director_gui.study.analysis import PairResult
from director_gui.study.report.charts import Scale, axis, difference_scale, interval
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, col, join, num, table, tag, td, th


def section(facts: Facts) -> Markup:
    """Return the section on the comparisons."""
    results = facts.results
    scale = difference_scale(
        end for r in results for end in (r.comparison.ci_low, r.comparison.ci_high)
    )
    # m of the correction: those without a p-value take no part in it.
    tested = sum(r.comparison.p is not None for r in results)
    head = (
        col("comparison"),
        col("difference, points", num=True),
        col("95 % interval", num=True),
        col(axis(scale)),
        col("p", num=True),
        col("adjusted p", num=True),
        col("what can be said"),
    )
    caption = (
        "Differences in the hidden-block choice rate, first condition minus second, "
        "in percentage points. Replies of one scene are one cluster. The adjusted p "
        "is Benjamini and Hochberg’s over the "
        f"{counted(len(results), 'comparison')} declared here, of which {tested} have "
        f"a p-value.{_corrected(facts)}"
    )
    return join(
        table(caption, head, [_row(facts, scale, one) for one in results]),
        _notes(facts),
        [_margin(facts, one) for one in facts.accuracy],
        _contrasts(facts) if facts.contrasts else None,
    )


def _contrasts(facts: Facts) -> Markup:
    # A refused contrast has nothing to draw; the window says why it is refused.
    made = [(one, one.found) for one in facts.contrasts if one.found is not None]
    scale = difference_scale(end for _, f in made for end in (f.ci_low, f.ci_high))
    head = (
        col("contrast"),
        col("sum"),
        col("points", num=True),
        col("95 % interval", num=True),
        col(axis(scale)),
        col("p", num=True),
        col("adjusted p", num=True),
        col("what can be said"),
    )
    rows = [
        [
            th(facts.named(one.model, one.contrast.name)),
            td(one.contrast.formula, class_="mono"),
            num(points_text(found.estimate, signed=True)),
            num(interval_text(found.ci_low, found.ci_high, signed=True)),
            td(interval(scale, found.estimate, found.ci_low, found.ci_high)),
            num(p_text(found.p)),
            num(p_text(one.adjusted)),
            td(one.call),
        ]
        for one, found in made
    ]
    caption = (
        "Contrasts of hidden-block choice rates, in percentage points: weighted sums "
        "inside one batch, corrected together and apart from the comparisons above."
    )
    return table(caption, head, rows)


def _corrected(facts: Facts) -> str:
    if not facts.corrected:
        return ""
    was = "was" if facts.corrected == 1 else "were"
    told = counted(facts.corrected, "score")
    return f" {told} {was} corrected by hand, and the correction counts."


def _row(facts: Facts, scale: Scale, result: PairResult) -> list[Markup]:
    found = result.comparison
    # Colour only repeats the call in words: it may be lost in print.
    kind = {"increase": "up", "decrease": "down"}.get(result.call, "")
    marks = _marks(facts, result)
    return [
        th(facts.pair_name(result), class_="mono"),
        num(points_text(found.estimate, signed=True)),
        num(interval_text(found.ci_low, found.ci_high, signed=True)),
        td(interval(scale, found.estimate, found.ci_low, found.ci_high, kind)),
        num(p_text(found.p)),
        num(p_text(result.adjusted)),
        td(result.call, tag("sup", marks) if marks else None),
    ]


def _remarks(result: PairResult) -> list[str]:
    found = result.comparison
    reason = reason_text(found)
    own = [reason] if reason else []
    # The usual method is named once under the table, any other where it was used.
    if found.method not in ("gee_t", "none"):
        own.append(f"Method: {METHOD_WORDS[found.method]}.")
    return own + [flag_text(flag, found) for flag in found.flags]


def _all_remarks(facts: Facts) -> list[str]:
    # In order of appearance and without repeats, so that a remark has one number.
    return list(dict.fromkeys(r for one in facts.results for r in _remarks(one)))


def _marks(facts: Facts, result: PairResult) -> str:
    every = _all_remarks(facts)
    return ",".join(str(every.index(remark) + 1) for remark in _remarks(result))


def _notes(facts: Facts) -> Markup:
    used = {one.comparison.method for one in facts.results}
    main = (
        "Method unless noted: " + METHOD_WORDS["gee_t"] + "." if "gee_t" in used else ""
    )
    remarks = [tag("li", remark) for remark in _all_remarks(facts)]
    return join(
        tag("p", main, class_="note") if main else None,
        tag("ol", remarks, class_="note") if remarks else None,
    )


def _margin(facts: Facts, result: PairResult) -> Markup:
    found = result.comparison
    verdict = margin_verdict(found.ci_low, found.ci_high)
    return tag(
        "p",
        "Visibility accuracy, ",
        tag("span", facts.pair_name(result), class_="mono"),
        f": {points_text(found.estimate, signed=True)} points "
        f"{interval_text(found.ci_low, found.ci_high, signed=True)}, against a margin "
        f"of ±10 points: {verdict}. This stands outside the family above and is not "
        "corrected.",
    )

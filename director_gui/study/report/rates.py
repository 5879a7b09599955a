"""What came back: statuses, rates and kinds of choices, condition by condition."""

from director_gui.scoring.score import STATUSES, Kind
from director_gui.stats.display import interval_text, points_text
from director_gui.stats.result import Share
from director_gui.study.analysis import ArmCount
from director_gui.study.report.charts import SHARES, axis, interval, stack
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, col, join, num, table, tag, td, th

KIND_WORDS: dict[Kind, str] = {
    "hidden": "hidden block",
    "director_view": "director-view block",
    "largest_digit": "largest-digit visible block",
    "other_visible": "other visible block",
    "unseen": "another unseen block",
    "not_a_block": "not a block",
}


def section(facts: Facts) -> Markup:
    """Return the section on replies and rates."""
    return join(_rates(facts), _choices(facts))


def _rates(facts: Facts) -> Markup:
    # Every status that occurred is shown; columns of zeros would hide them.
    lost = [s for s in (*STATUSES, "open") if s != "answered" and _any(facts, s)]
    head = (
        col("condition"),
        col("answered", num=True),
        *[col(status, num=True) for status in lost],
        col("hidden-block choices, %", num=True),
        col(axis(SHARES)),
        col("visibility accuracy, %", num=True),
        col("joint rate, %", num=True),
    )
    caption = (
        "Rates are shares of answered replies, with the 95 % percentile interval over "
        "resampled scenes. Visibility accuracy: the report is exactly the set the "
        "director sees. Joint rate: a correct report and a hidden-block choice in one "
        "reply."
    )
    rows = [_rate(facts, arm, lost) for arm in facts.arms]
    return table(caption, head, rows)


def _any(facts: Facts, status: str) -> bool:
    return any(arm.statuses[status] for arm in facts.arms)


def _rate(facts: Facts, arm: ArmCount, lost: list[str]) -> list[Markup]:
    hidden = arm.hidden
    calls = sum(arm.statuses.values())
    return [
        th(facts.arm_name(arm), class_="mono"),
        num(f"{arm.answered} of {calls}"),
        *[num(str(arm.statuses[status])) for status in lost],
        num(_share(hidden)),
        td(interval(SHARES, hidden.share, hidden.ci_low, hidden.ci_high)),
        num(_share(arm.accuracy)),
        num(_share(arm.joint)),
    ]


def _share(share: Share | None) -> Markup:
    if share is None:
        # Words and no 0 %: a condition without a report has no accuracy.
        return tag("span", "not asked", class_="ci")
    ci = interval_text(share.ci_low, share.ci_high)
    return join(points_text(share.share), " ", tag("span", ci, class_="ci"))


def _choices(facts: Facts) -> Markup:
    used = [
        kind for kind in KIND_WORDS if any(arm.kinds.get(kind) for arm in facts.arms)
    ]
    head = (
        col("condition"),
        col(axis(SHARES)),
        *[
            col(tag("span", class_=f"key k-{kind}"), KIND_WORDS[kind], num=True)
            for kind in used
        ],
    )
    caption = "What was chosen: counts of answered replies by kind of block."
    rows = [_choice(facts, arm, used) for arm in facts.arms]
    return table(caption, head, rows)


def _choice(facts: Facts, arm: ArmCount, used: list[Kind]) -> list[Markup]:
    counts = {kind: arm.kinds.get(kind, 0) for kind in used}
    every = sum(counts.values()) or 1  # an arm without answers has an empty bar
    bar = stack([(kind, counts[kind] / every) for kind in used])
    return [
        th(facts.arm_name(arm), class_="mono"),
        td(bar),
        *[num(str(counts[kind])) for kind in used],
    ]

"""The report as one HTML page that loads nothing from anywhere."""

from collections.abc import Callable, Iterator

from director_gui import assets
from director_gui.stats.display import interval_text, points_text
from director_gui.study.analysis import PairResult
from director_gui.study.report import (
    coding,
    comparisons,
    method,
    prompts,
    rates,
    scenes,
    traces,
)
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, tag

# A second wall behind the escaping: even markup that slipped in could load nothing.
_POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
PRACTICE = (
    "Everything here is practice. The practice reader is not a model: it recognises "
    "each picture and answers from shares that are written down beforehand; the "
    "practice coders err at a stated rate. No figure says anything about any model "
    "or any person."
)
_LEAD = (
    "How a question changes the share of replies that choose the hidden block, against "
    "the same message without it:"
)
# For strangers to the names; other conditions go by theirs.
_WORDS = {
    "move.ask": "MOVE: asking first what the director sees",
    "move.count": "MOVE: asking for a count instead",
    "mean.ask": "MEAN: asking first what the director sees",
    "mean.count": "MEAN: asking for a count instead",
}
SECTIONS: tuple[tuple[str, str, Callable[[Facts], Markup]], ...] = (
    ("comparisons", "Differences", comparisons.section),
    ("rates", "Replies and rates", rates.section),
    ("prompts", "Prompts", prompts.section),
    ("coding", "Blind coding", coding.section),
    ("traces", "Replies in full", traces.section),
    ("scenes", "Scenes", scenes.section),
    ("method", "Method and provenance", method.section),
)


def page(facts: Facts) -> str:
    """Return the whole page."""
    # Also in the tab's title: a page that is passed on must not lose the word.
    title = facts.name + (" (practice)" if facts.practice else "")
    # Our own file, so it may enter as markup; a link would load something.
    style = Markup(assets.read_text("report/report.css"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("title", title),
        tag("style", style),
    )
    body = tag(
        "body", _header(facts), tag("main", list(_sections(facts))), _footer(facts)
    )
    # Without it browsers fall back to the box sizes of old pages.
    return "<!DOCTYPE html>\n" + tag("html", head, body, lang="en") + "\n"


def _header(facts: Facts) -> Markup:
    badge = tag("span", "practice", class_="badge") if facts.practice else None
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title, _ in SECTIONS]
    return tag(
        "header",
        tag("h1", facts.name, badge),
        tag("p", _counts(facts), class_="sub"),
        tag("p", PRACTICE, class_="banner") if facts.practice else None,
        tag("nav", tag("ul", links), aria_label="Sections"),
    )


def _counts(facts: Facts) -> str:
    models = len({arm.model for arm in facts.arms})
    return (
        f"{len(facts.scenes)} scenes × {len(facts.asked)} conditions × {models} "
        f"{'reader' if facts.practice else 'model'}{'s' if models > 1 else ''} × "
        f"{facts.run.settings['samples']} samples: {len(facts.scored):,} calls"
    )


def _sections(facts: Facts) -> Iterator[Markup]:
    yield tag("p", _LEAD, class_="lead")
    yield tag("div", list(_cards(facts)), class_="cards")
    for name, title, section in SECTIONS:
        head = tag("h2", title, id=f"{name}-title")
        yield tag(
            "section", head, section(facts), id=name, aria_labelledby=f"{name}-title"
        )


def _cards(facts: Facts) -> Iterator[Markup]:
    # Against `plain` alone: these say what a question does, the others compare actions.
    effects = [r for r in facts.results if r.reference == f"{_action(r.test)}.plain"]
    # MOVE first: it is where the question matters.
    for result in sorted(effects, key=lambda one: _action(one.test) != "move"):
        yield _card(result)


def _card(result: PairResult) -> Markup:
    found = result.comparison
    interval = interval_text(found.ci_low, found.ci_high, signed=True)
    return tag(
        "div",
        tag("span", _WORDS.get(result.test, result.test), class_="what"),
        tag("span", f"{points_text(found.estimate, signed=True)} points", class_="big"),
        tag("span", interval, class_="ci"),
        tag("span", result.call, class_="said"),
        class_="card",
    )


def _action(condition: str) -> str:
    return condition.partition(".")[0]


def _footer(facts: Facts) -> Markup:
    said = "Practice; made" if facts.practice else "Made"
    return tag(
        "footer",
        f"{said} by director-gui from the stored study alone; every figure can be "
        "computed again from it. The pictures as they were sent and the figures as "
        "SVG and PNG lie beside this page.",
    )

"""The exact messages, with the pieces lit in which a declared pair differs."""

from director_gui.prompts.pieces import Part
from director_gui.study.asking import ProvedPair
from director_gui.study.report.facts import Asked, Facts
from director_gui.study.report.markup import Markup, join, tag


def section(facts: Facts) -> Markup:
    """Return the section on the prompts."""
    # One scene stands for all: see `facts_of`.
    first = facts.scenes[0].scene.name
    legend = tag(
        "p",
        tag("span", "differs within an action", class_="lit"),
        " ",
        tag("span", "differs between actions", class_="lit2"),
        class_="legend note",
    )
    return join(
        tag(
            "p",
            "Each message as it was sent about the scene ",
            tag("strong", first),
            ", byte for byte. A comparison is made between two conditions whose "
            "messages differ in one piece alone; this was proved for every scene "
            "before the run. The picture and the rest of the request are the same.",
        ),
        legend,
        tag("div", [_prompt(facts, asked) for asked in facts.asked], class_="prompts"),
        tag("p", _proofs(facts), class_="note") if facts.pairs else None,
    )


def _prompt(facts: Facts, asked: Asked) -> Markup:
    body = (
        [_lit(facts, asked)] if asked.prompt else [tag("pre", t) for t in asked.turns]
    )
    remark = None if asked.prompt else _REWORDED
    return tag(
        "div",
        tag("h3", asked.condition.name, class_="mono"),
        tag("p", remark, class_="note") if remark else None,
        body,
        class_="prompt",
    )


_REWORDED = "This program words the condition differently today; nothing is lit."


def _lit(facts: Facts, asked: Asked) -> Markup:
    name = asked.condition.name
    # By place and not by name: two turns hold the same reply format.
    marks: dict[int, str] = {}
    gaps: set[int] = set()
    for pair in facts.pairs:
        if name in (pair.first, pair.second):
            # Two tints, or a condition in several pairs would claim too wide a span.
            kind = "lit" if _action(pair.first) == _action(pair.second) else "lit2"
            own = pair.span.a if name == pair.first else pair.span.b
            start = len(pair.span.same_prefix)
            marks |= dict.fromkeys(range(start, start + len(own)), kind)
            # Nothing of ours is in the span: it shows as a place, not as words.
            if not own:
                gaps.add(start)
    turns, at = [], 0
    for parts in asked.prompt.parts if asked.prompt else ():
        turns.append(_turn(parts, at, marks, gaps))
        at += len(parts)
    return join(turns)


def _turn(
    parts: tuple[Part, ...], start: int, marks: dict[int, str], gaps: set[int]
) -> Markup:
    spans: list[Markup] = []
    for at, part in enumerate(parts, start):
        if at in gaps:
            spans.append(tag("span", "(no question here)", class_="gap"))
            spans.append(join("\n"))  # pieces are whole lines
        # Cut at pieces, never inside a character, so each decodes by itself.
        spans.append(tag("span", part.data.decode(), class_=marks.get(at)))
    return tag("pre", spans)


def _proofs(facts: Facts) -> str:
    told = "; ".join(_told(pair) for pair in facts.pairs)
    return f"Declared pairs in this run, each with the slot it differs in: {told}."


def _told(pair: ProvedPair) -> str:
    slot = (pair.span.slot or "").replace("_", " ")
    return f"{pair.first} against {pair.second} ({slot})"


def _action(condition: str) -> str:
    return condition.partition(".")[0]

"""Some replies in full: what the model wrote, how it was scored and coded."""

from collections.abc import Iterator

from director_gui.study.report.coded import CodedTrace
from director_gui.study.report.facts import Facts
from director_gui.study.report.markup import Markup, join, tag
from director_gui.study.scored import Scored

_SHOWN = 1_600  # characters of a text


def section(facts: Facts) -> Markup:
    """Return a section with the first coded reply of each kind of choice."""
    replies = {item.reply.call.id: item for item in facts.scored}
    chosen = list(_chosen(facts, replies))
    if not chosen:
        return tag("p", "No packet is unblinded, so no reply is shown with its codes.")
    about = (
        "The first coded reply of each kind of choice, with the coders’ quotes marked "
        "where both quoted the same words. A returned trace need not be the process "
        "behind the reply."
    )
    return join(
        tag("p", about),
        [_trace(facts, replies[trace.call], trace) for trace in chosen],
    )


def _chosen(facts: Facts, replies: dict[str, Scored]) -> Iterator[CodedTrace]:
    seen: set[str] = set()
    traces = facts.coded.traces if facts.coded else ()
    # By the text, because a packet's order is random and a report's should not be.
    for trace in sorted(traces, key=lambda one: one.text):
        kind = replies[trace.call].kind if trace.call in replies else None
        if kind is not None and kind not in seen:
            seen.add(kind)
            yield trace


def _trace(facts: Facts, item: Scored, trace: CodedTrace) -> Markup:
    call = item.reply.call
    scene = next(s.scene.name for s in facts.scenes if s.hash == call.scene)
    kind = (item.kind or "").replace("_", " ")
    codes = [
        tag("li", f"{coder}: ", tag("span", ", ".join(_codes(given)), class_="mono"))
        for coder, given in trace.codes.items()
    ]
    reply = tag(
        "div",
        tag("p", "The reply as it came, and its codes", class_="note"),
        tag("pre", _short(item.reply.text), dir="auto"),
        tag("ul", codes, class_="note"),
    )
    return tag(
        "div",
        tag("h3", tag("span", call.condition, class_="mono"), f", {scene}: {kind}"),
        tag("div", tag("pre", _marked(trace), dir="auto"), reply, class_="halves"),
        class_="trace",
    )


def _codes(given: dict[str, str]) -> list[str]:
    return [f"{field} {code}" for field, code in sorted(given.items())]


def _marked(trace: CodedTrace) -> Markup:
    quotes = set(trace.quotes.values())
    text = _short(trace.text)
    # Two different marks would overlap and say less than none.
    quote = quotes.pop() if len(quotes) == 1 else ""
    before, found, after = text.partition(quote) if quote else (text, "", "")
    return join(before, tag("mark", found) if found else None, after)


def _short(text: str) -> str:
    # A trace may run to tens of thousands of characters; the supplement has it whole.
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"

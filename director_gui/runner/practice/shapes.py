"""The outer shapes of a reply: how models wrap, spoil or lose a JSON answer."""

import json
import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Answer = Mapping[str, int | list[int]]
FinishReason = Literal["stop", "length", "content_filter"]


@dataclass(frozen=True, slots=True)
class Shaped:
    """A reply's text and why it ended."""

    text: str
    finish_reason: FinishReason = "stop"


def shape_reply(
    rng: random.Random,
    answer: Answer,
    draft: Answer,
    *,
    shapes: Mapping[str, float],
    faults: Mapping[str, float],
) -> Shaped:
    """Wrap `answer` as a model might, or lose it.

    Args:
        rng: The reply's own generator.
        answer: What is asked for, by JSON key; it may be empty.
        draft: An earlier thought that the shape ``draft`` shows and takes back.
        shapes: Relative weights of the shapes that can be scored.
        faults: Shares in 0-1 of the replies that cannot.
    """
    # Drawn apart from the answer: losing a reply must not depend on what it says.
    u = rng.random()
    for fault, share in faults.items():
        if u < share:
            return _spoiled(rng, fault, answer)
        u -= share
    name = rng.choices(list(shapes), weights=list(shapes.values()))[0]
    return Shaped(_scorable(rng, name, answer, draft))


def _scorable(rng: random.Random, name: str, answer: Answer, draft: Answer) -> str:
    if name == "fenced":
        return _fenced(rng, answer)
    if name == "prose":
        body = rng.choice((_fenced, _bare))(rng, answer)
        return f"{_prose(rng, answer)}\n\n{body}"
    if name == "strings":
        return _bare(rng, {key: _as_strings(value) for key, value in answer.items()})
    if name == "draft":
        turn = rng.choice(("On reflection:", "Let me correct that.", "Final answer:"))
        return f"{_bare(rng, draft)}\n\n{turn}\n\n{_bare(rng, answer)}"
    return _bare(rng, answer)


def _spoiled(rng: random.Random, fault: str, answer: Answer) -> Shaped:
    if fault == "unparsed":
        return Shaped(_prose(rng, answer))
    if fault == "truncated":
        body = f"{_prose(rng, answer)}\n\n{_bare(rng, answer)}"
        # At least the closing brace is lost, so nothing in it can be scored.
        return Shaped(body.rstrip()[: -rng.randint(1, 6)], "length")
    return Shaped("", "content_filter" if fault == "filtered" else "stop")


def _bare(rng: random.Random, answer: Mapping[str, object]) -> str:
    indent = rng.choice((None, None, None, 2))
    separators = rng.choice(((", ", ": "), (",", ":"))) if indent is None else None
    return json.dumps(answer, indent=indent, separators=separators)


def _fenced(rng: random.Random, answer: Answer) -> str:
    language = rng.choice(("json", "json", "json", ""))
    return f"```{language}\n{_bare(rng, answer)}\n```"


def _prose(rng: random.Random, answer: Answer) -> str:
    choice = answer.get("choice")
    if choice is None:
        return rng.choice(
            ("I went through the blocks one by one.", "Here is what I found.")
        )
    return rng.choice(
        (
            f"I looked at all the blocks and settled on block {choice}.",
            f"The request fits block {choice}.",
            f"Block **{choice}** is my choice, for the reasons above.",
        )
    )


def _as_strings(value: int | list[int]) -> str | list[str]:
    return list(map(str, value)) if isinstance(value, list) else str(value)

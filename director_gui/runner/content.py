"""What a reply holds, read from a parsed body of either wire.

Text and reasoning are kept apart as the server sent them: thinking that a model
writes into its text stays in the text (`thoughts`, `scoring`).
"""

from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.runner.records import Usage

_MOST_TOKENS = 2**53  # what is beyond is nonsense, and some of it fits no column
_MOST_DOLLARS = 1e6
_FINISH = {"max_output_tokens": "length", "content_filter": "content_filter"}


class MalformedError(Exception):
    """A body with a good status that holds no reply."""


@dataclass(frozen=True, slots=True)
class Content:
    """The parts of a reply; None where the server does not say."""

    text: str
    reasoning: str | None
    finish_reason: str | None
    model: str | None
    id: str | None
    fingerprint: str | None
    usage: Usage
    cost: float | None  # US dollars, as some servers state it


def content_of(body: Json) -> Content:
    """Return what a Chat Completions or Responses body holds.

    Raises:
        MalformedError: There is no reply in it.
    """
    # The body's own shape decides: a server may answer in the other wire.
    text, reasoning, finish = _responses(body) if "output" in body else _chat(body)
    usage = _dict(body.get("usage"))
    return Content(
        text=text,
        reasoning=reasoning or None,
        finish_reason=finish,
        model=_text_or_none(body.get("model")),
        id=_text_or_none(body.get("id")),
        fingerprint=_text_or_none(body.get("system_fingerprint")),
        usage=_usage(usage),
        cost=_cost(usage),
    )


def _chat(body: Json) -> tuple[str, str, str | None]:
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise MalformedError("the body holds no choices")
    choice = _dict(choices[0])
    message = choice.get("message")
    if not isinstance(message, dict):
        raise MalformedError("the choice holds no message")
    parts = _list(message.get("content"))
    text = _text(message.get("content")) or _join(parts, ("text",))
    return (
        # A refusal is what the model said, so it is scored like any text.
        text or _text(message.get("refusal")),
        _chat_reasoning(message, parts),
        _text_or_none(choice.get("finish_reason")),
    )


def _chat_reasoning(message: Json, parts: list[Json]) -> str:
    # OpenRouter repeats the same reasoning in two of these: the first that is there.
    for key in ("reasoning_content", "reasoning"):
        if isinstance(message.get(key), str) and message[key]:
            return _text(message[key])
    details = _join(_list(message.get("reasoning_details")), ("text", "summary"))
    thinking = [_list(p.get("thinking")) for p in parts if _kind(p) == "thinking"]
    return details or "\n".join(_join(items, ("text",)) for items in thinking)


def _responses(body: Json) -> tuple[str, str, str | None]:
    output = body.get("output")
    if not isinstance(output, list):
        raise MalformedError("the body holds no output")
    messages = [item for item in output if _kind(item) == "message"]
    # Cut before it said a word is a reply (empty, with its reason), not a fault.
    if not messages and body.get("status") == "completed":
        raise MalformedError("the output holds no message")
    parts = [part for item in messages for part in _list(item.get("content"))]
    thoughts = [item for item in output if _kind(item) == "reasoning"]
    found = [_responses_reasoning(item) for item in thoughts]
    return (
        _join(parts, ("text", "refusal"), between=""),
        "\n\n".join(text for text in found if text),
        _responses_finish(body),
    )


def _responses_reasoning(item: Json) -> str:
    # Open models send the reasoning itself, which goes before its summary.
    whole = _join(_list(item.get("content")), ("text",))
    return whole or _join(_list(item.get("summary")), ("text",), between="\n\n")


def _responses_finish(body: Json) -> str | None:
    reason = _dict(body.get("incomplete_details")).get("reason")
    if isinstance(reason, str):
        return _FINISH.get(reason, whole_text(reason))
    status = body.get("status")
    return "stop" if status == "completed" else _text_or_none(status)


def _usage(usage: Json) -> Usage:
    def first(chat: str, responses: str, detail: str = "") -> int | None:
        for name in (chat, responses):
            found = usage.get(f"{name}_tokens")
            if detail:
                found = _dict(usage.get(f"{name}_tokens_details")).get(detail)
            if _count(found) is not None:
                return _count(found)
        return None

    return Usage(
        input=first("prompt", "input"),
        output=first("completion", "output"),
        reasoning=first("completion", "output", "reasoning_tokens"),
        cached=first("prompt", "input", "cached_tokens"),
    )


def _cost(usage: Json) -> float | None:
    cost = usage.get("cost")
    if isinstance(cost, int | float) and not isinstance(cost, bool):
        return float(cost) if 0 <= cost < _MOST_DOLLARS else None
    return None


def _join(parts: list[Json], keys: tuple[str, ...], between: str = "\n") -> str:
    found = [_text(part.get(key)) for part in parts for key in keys]
    return between.join(text for text in found if text)


def _kind(item: Json) -> str:
    return _text(_dict(item).get("type"))


def _count(value: Json) -> int | None:
    if isinstance(value, int) and not isinstance(value, bool):
        return value if 0 <= value < _MOST_TOKENS else None
    return None


def _dict(value: Json) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    """Return the dictionaries in a list, none when it is no list."""
    found = value if isinstance(value, list) else []
    return [item for item in found if isinstance(item, dict)]


def _text(value: Json) -> str:
    return _text_or_none(value) or ""


def _text_or_none(value: Json) -> str | None:
    return whole_text(value) if isinstance(value, str) else None


def whole_text(text: str) -> str:
    """Return `text` with U+FFFD for half surrogate pairs, which no UTF-8 can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")

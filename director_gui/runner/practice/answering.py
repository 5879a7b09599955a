"""Replies and errors in OpenAI's two wire formats."""

from dataclasses import dataclass

from director_gui.ids import Json
from director_gui.runner.practice.asking import Ask, RefusedError
from director_gui.runner.practice.reader import PracticeReply, count_tokens

FINGERPRINT = "fp_practice_1"
CREATED = 1_767_225_600  # a fixed time (2026-01-01 UTC) keeps replies reproducible
_TILE_PX, _TILE_TOKENS, _BASE_TOKENS = 512, 170, 85  # OpenAI's rule for pictures
_PNG_HEAD = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True, slots=True)
class Usage:
    """Token counts of one reply."""

    prompt: int
    reasoning: int
    text: int

    @property
    def completion(self) -> int:
        """All tokens that came out."""
        return self.reasoning + self.text


@dataclass(frozen=True, slots=True)
class Sent:
    """A reply after the request's token limit was applied."""

    text: str
    reasoning: str | None
    finish_reason: str
    usage: Usage


def within_limit(ask: Ask, reply: PracticeReply) -> Sent:
    """Count a reply's tokens and cut it where the request's limit ends it."""
    # The image is counted by size and not by bytes, as OpenAI bills it.
    prompt = _picture_tokens(ask.picture) + sum(map(count_tokens, ask.turns))
    text, finish, spent = reply.text, reply.finish_reason, reply.reasoning_tokens
    # Reasoning comes first and uses up the limit first: the text may be empty then.
    if ask.max_tokens is not None and ask.max_tokens < spent + count_tokens(text):
        spent = min(spent, ask.max_tokens)
        text, finish = text[: 4 * (ask.max_tokens - spent)], "length"
    usage = Usage(prompt, spent, count_tokens(text))
    return Sent(text, reply.reasoning, finish, usage)


def chat_json(ask: Ask, sent: Sent, token: str) -> Json:
    """Return a Chat Completions reply.

    Args:
        ask: The request.
        sent: The reply.
        token: What makes the reply's id its own.
    """
    message = {"role": "assistant", "content": sent.text, "refusal": None}
    if sent.reasoning is not None:
        message["reasoning_content"] = sent.reasoning
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": sent.finish_reason,
        "logprobs": None,
    }
    return {
        "id": f"chatcmpl-{token}",
        "object": "chat.completion",
        "created": CREATED,
        "model": ask.model,
        "system_fingerprint": FINGERPRINT,
        "choices": [choice],
        "usage": {
            "prompt_tokens": sent.usage.prompt,
            "completion_tokens": sent.usage.completion,
            "total_tokens": sent.usage.prompt + sent.usage.completion,
            "prompt_tokens_details": {"cached_tokens": 0},
            "completion_tokens_details": {"reasoning_tokens": sent.usage.reasoning},
        },
    }


def responses_json(ask: Ask, sent: Sent, token: str) -> Json:
    """Return a Responses reply; its arguments are those of `chat_json`."""
    # This wire has no finish reason: a status and its details say the same.
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    reason = reasons.get(sent.finish_reason)
    return {
        "id": f"resp_{token}",
        "object": "response",
        "created_at": CREATED,
        "model": ask.model,
        "status": "incomplete" if reason else "completed",
        "incomplete_details": {"reason": reason} if reason else None,
        "error": None,
        "instructions": None,
        "metadata": {},
        "output": [*_reasoning_item(sent, token), _message_item(sent, token)],
        "parallel_tool_calls": False,
        "tool_choice": "none",
        "tools": [],
        "usage": {
            "input_tokens": sent.usage.prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": sent.usage.completion,
            "output_tokens_details": {"reasoning_tokens": sent.usage.reasoning},
            "total_tokens": sent.usage.prompt + sent.usage.completion,
        },
    }


def _reasoning_item(sent: Sent, token: str) -> list[Json]:
    if sent.reasoning is None:
        return []
    # Given unasked, unlike OpenAI's: a rehearsal needs traces on either wire.
    summary = [{"type": "summary_text", "text": sent.reasoning}]
    return [{"type": "reasoning", "id": f"rs_{token}", "summary": summary}]


def _message_item(sent: Sent, token: str) -> Json:
    text = {"type": "output_text", "text": sent.text, "annotations": []}
    return {
        "type": "message",
        "id": f"msg_{token}",
        "role": "assistant",
        "status": "incomplete" if sent.finish_reason != "stop" else "completed",
        "content": [text],
    }


def models_json(names: list[str]) -> Json:
    """Return the list of models."""
    rows = [
        {"id": name, "object": "model", "created": CREATED, "owned_by": "practice"}
        for name in names
    ]
    return {"object": "list", "data": rows}


def error_json(error: RefusedError) -> Json:
    """Return an error in OpenAI's form."""
    return {
        "error": {
            "message": error.message,
            "type": error.kind,
            "param": None,
            "code": error.code,
        }
    }


def _picture_tokens(picture: bytes) -> int:
    width, height = 1024, 768  # a guess for pictures that are not PNG
    if picture.startswith(_PNG_HEAD) and len(picture) >= 24:
        width = int.from_bytes(picture[16:20], "big")
        height = int.from_bytes(picture[20:24], "big")
    tiles = -(-width // _TILE_PX) * -(-height // _TILE_PX)
    return _BASE_TOKENS + _TILE_TOKENS * tiles

"""Requests in OpenAI's two wire formats, read into one plain value."""

import base64
import binascii
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from director_gui.ids import sha256_hex

Wire = Literal["chat", "responses"]
_TEXT_PARTS = ("text", "input_text", "output_text")
_PICTURE_PARTS = ("image_url", "input_image")


class RefusedError(Exception):
    """A request that gets an error reply in OpenAI's form.

    Args:
        message: What is wrong, for a person.
        status: HTTP status.
        code: OpenAI's error code, when there is one.
        kind: OpenAI's error type.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str | None = None,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.code = code
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Ask:
    """What a request asks, whichever wire it came on."""

    wire: Wire
    model: str
    turns: tuple[str, ...]  # what was said before each answer; the last is open
    picture: bytes
    picture_sha256: str
    seed: int | None
    max_tokens: int | None  # output tokens, reasoning included


def read_request(wire: Wire, body: bytes) -> Ask:
    """Read a request body.

    Raises:
        RefusedError: It is not a request that the practice reader can answer.
    """
    table = _object(_json(body), "the body")
    if table.get("stream"):
        raise RefusedError("streaming is not supported here; leave `stream` out")
    if table.get("n") not in (None, 1):
        raise RefusedError("only one choice per request (`n` = 1) is supported")
    model = table.get("model")
    if not isinstance(model, str):
        raise RefusedError("`model` must be a string")
    turns, pictures = _conversation(_messages(wire, table))
    picture = _one_picture(pictures)
    return Ask(
        wire=wire,
        model=model,
        turns=turns,
        picture=picture,
        picture_sha256=sha256_hex(picture),
        seed=_whole(table, "seed"),
        max_tokens=_limit(wire, table),
    )


def _json(body: bytes) -> object:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError) as error:  # deep nesting is no crash
        raise RefusedError("the body is not JSON that can be read") from error
    return value


def _object(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise RefusedError(f"{where} must be a JSON object")
    return value


def _whole(table: dict[str, object], key: str) -> int | None:
    value = table.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise RefusedError(f"`{key}` must be a whole number")


def _limit(wire: Wire, table: dict[str, object]) -> int | None:
    keys = {
        "chat": ("max_completion_tokens", "max_tokens"),
        "responses": ("max_output_tokens",),
    }
    for key in keys[wire]:
        value = _whole(table, key)
        if value is not None:
            if value < 1:
                raise RefusedError(f"`{key}` must be at least 1")
            return value
    return None


def _messages(wire: Wire, table: dict[str, object]) -> list[dict[str, object]]:
    key = "messages" if wire == "chat" else "input"
    value = table.get(key)
    if wire == "responses" and isinstance(value, str):
        value = [{"role": "user", "content": value}]
    if not isinstance(value, list) or not value:
        raise RefusedError(f"`{key}` must be a list of messages")
    messages = [_object(item, f"{key}[{i}]") for i, item in enumerate(value)]
    # Instructions may hold a part of the prompt, such as a constraint.
    instructions = table.get("instructions") if wire == "responses" else None
    if isinstance(instructions, str):
        messages.insert(0, {"role": "system", "content": instructions})
    return messages


def _conversation(
    messages: list[dict[str, object]],
) -> tuple[tuple[str, ...], list[bytes]]:
    turns: list[list[str]] = [[]]
    pictures: list[bytes] = []
    for message in messages:
        # What the model said itself only marks where a turn ends: its words decide
        # nothing here, so a changed report cannot change how the reader answers.
        if message.get("role") == "assistant":
            turns.append([])
            continue
        for part in _parts(message):
            if isinstance(part, bytes):
                pictures.append(part)
            else:
                turns[-1].append(part)
    return tuple("\n".join(turn) for turn in turns if turn), pictures


def _parts(message: dict[str, object]) -> Iterator[str | bytes]:
    content = message.get("content")
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for item in content:
            part = _part(_object(item, "a part of `content`"))
            if part is not None:
                yield part
    elif content is not None:
        raise RefusedError("`content` must be text or a list of parts")


def _part(part: dict[str, object]) -> str | bytes | None:
    kind = part.get("type")
    if kind in _TEXT_PARTS:
        text = part.get("text")
        if not isinstance(text, str):
            raise RefusedError("a text part must have a `text`")
        return text
    if kind in _PICTURE_PARTS:
        return _picture(part.get("image_url"))
    return None


def _picture(value: object) -> bytes:
    url = value.get("url") if isinstance(value, dict) else value
    if not isinstance(url, str) or not url.startswith("data:image/"):
        raise RefusedError("a picture must be a data URL (data:image/png;base64,...)")
    _, mark, data = url.partition(";base64,")
    try:
        # Strict, because lenient decoding would drop bytes and change the hash.
        picture = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise RefusedError("the picture is not valid base64") from error
    if not mark or not picture:
        raise RefusedError("the picture is empty or not base64")
    return picture


def _one_picture(pictures: list[bytes]) -> bytes:
    if not pictures:
        raise RefusedError("there is no picture in the request")
    # A second turn may repeat the picture of the first.
    if len(set(pictures)) > 1:
        raise RefusedError("there are several different pictures in the request")
    return pictures[0]

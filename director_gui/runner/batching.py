"""The files of a provider's batch API: requests as JSON Lines, results the same way.

Calls are matched by `custom_id` alone, never by their place in a file.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from director_gui.ids import Json
from director_gui.runner.client import RawReply
from director_gui.runner.content import whole_text
from director_gui.runner.profiles import Wire
from director_gui.runner.wire import Body

MOST_CALLS = 50_000  # of one batch (platform.openai.com/docs/guides/batch)
MOST_BYTES = 90 * 2**20  # below the 200 MB that are allowed: it is held in memory
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class BatchCall:
    """One request of a batch.

    Attributes:
        call: The call's id.
        turn: The turn that is sent, from 1.
        turns: How many turns the call has.
        number: Number of the attempt at this turn, from 1.
        request_hash: SHA-256 of the request body's canonical JSON.
        worst: The most that it costs, US dollars; None: unknown.
    """

    call: str
    turn: int
    turns: int
    number: int
    request_hash: str
    worst: float | None

    @property
    def custom_id(self) -> str:
        """What the provider gives back with the result."""
        return f"{self.call}-{self.turn}-{self.number}"


@dataclass(frozen=True, slots=True)
class Job:
    """One batch, from before it is sent until its results are stored.

    Attributes:
        id: Ours; sent as metadata, so that a batch is found whose id was lost.
        profile: Name of the profile.
        created: UTC.
        file: The provider's id of the uploaded requests, None before.
        batch: The provider's id of the batch, None before.
        calls: What is asked.
    """

    id: str
    profile: str
    created: str
    file: str | None
    batch: str | None
    calls: tuple[BatchCall, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Result:
    """One line of a result file; `raw` is None where there was no response."""

    custom_id: str
    raw: RawReply | None
    error: str


def request_line(item: BatchCall, wire: Wire, body: Body) -> bytes:
    """Return the line that asks for one call."""
    head = json.dumps(
        {"custom_id": item.custom_id, "method": "POST", "url": endpoint(wire)}
    )
    # The body's bytes go in as they are: they are what its hash is of.
    return head[:-1].encode() + b', "body": ' + body.data + b"}\n"


def endpoint(wire: Wire) -> Literal["/v1/chat/completions", "/v1/responses"]:
    """Return the path that a batch names for a wire."""
    return "/v1/chat/completions" if wire == "chat" else "/v1/responses"


def results(data: bytes, sdk: str) -> Iterator[Result]:
    """Return what a result or error file says; lines that say nothing are left out."""
    # Bytes are split, for text has other line ends that JSON does not escape.
    for part in data.split(b"\n"):
        line = part.decode("utf-8", "surrogateescape")  # so that any byte comes back
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("custom_id"), str):
            yield _result(line, value, sdk)


def _result(line: str, value: Json, sdk: str) -> Result:
    response, error = value.get("response"), value.get("error")
    name = value["custom_id"]
    if isinstance(response, dict) and isinstance(response.get("status_code"), int):
        body = member(line, "response", "body")
        headers = {"x-request-id": str(response.get("request_id") or "")}
        raw = RawReply(response["status_code"], headers, _as_served(body), sdk)
        return Result(name, raw, "")
    words = error.get("message") or error.get("code") if isinstance(error, dict) else ""
    return Result(name, None, whole_text(str(words or "no response")))


def _as_served(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def member(text: str, *path: str) -> str:
    """Return a member of a JSON object as it was written, not as it is read.

    Args:
        text: A valid JSON object.
        path: The keys that lead to the member; ``null`` when there is none.
    """
    for key in path:
        text = _members(text).get(key, "null")
    return text


def _members(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    at = _next(text, 0)
    if text[at : at + 1] != "{":
        return found
    decoder = json.JSONDecoder()
    at = _next(text, at + 1)
    while text[at] != "}":
        key, at = decoder.raw_decode(text, at)
        start = _next(text, _next(text, at) + 1)  # behind the colon
        _, end = decoder.raw_decode(text, start)
        found[key] = text[start:end]
        at = _next(text, end)
        if text[at] == ",":
            at = _next(text, at + 1)
    return found


def _next(text: str, at: int) -> int:
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at

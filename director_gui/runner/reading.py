"""Judge a served response: a reply, or which kind of refusal.

Only the raw bytes and headers are read, never a client library's idea of them, so
that every wire shape is seen as it came.
"""

import json
import math
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from director_gui.ids import Json
from director_gui.runner.client import RawReply
from director_gui.runner.content import (
    Content,
    MalformedError,
    content_of,
    whole_text,
)

Verdict = Literal[
    "reply", "rate_limit", "quota", "auth", "rejected", "server", "malformed"
]
_LONGEST_MESSAGE = 500  # characters of a server's own words that are kept


@dataclass(frozen=True, slots=True)
class Reading:
    """What a response means.

    Attributes:
        verdict: `reply`; `rate_limit`, `server` and `malformed` are worth another
            try; `quota` and `auth` stop the profile; `rejected` ends the call.
        message: The server's words, or ours, for anything but a reply.
        content: What a reply holds.
        retry_after: Seconds the server asks to wait, None when it does not say.
        request_id: The server's id of the request.
    """

    verdict: Verdict
    message: str
    content: Content | None
    retry_after: float | None
    request_id: str | None


def read(raw: RawReply) -> Reading:
    """Judge a response of either wire."""
    verdict, message, content = _judge(raw)
    return Reading(
        verdict=verdict,
        message=whole_text(message[:_LONGEST_MESSAGE]),
        content=content,
        retry_after=retry_after(raw.headers),
        request_id=raw.headers.get("x-request-id") or (content.id if content else None),
    )


def _parsed(body: bytes) -> Json:
    """Return a body's JSON value; None when it is none."""
    try:
        try:
            return json.loads(body)
        except UnicodeDecodeError:
            # One bad byte must not make a paid reply be asked for again.
            return json.loads(body.decode("utf-8", "replace"))
    except (ValueError, RecursionError):  # brackets alone exhaust the stack
        return None


def _judge(raw: RawReply) -> tuple[Verdict, str, Content | None]:
    value = _parsed(raw.body)
    if not 200 <= raw.status < 300:
        error = value.get("error") if isinstance(value, dict) else None
        return (*_refusal(raw.status, error, raw.body), None)
    if not isinstance(value, dict):
        return "malformed", _nonsense(raw), None
    # Gateways wrap an upstream's failure in a 200.
    error = value.get("error") or _choice_error(value)
    if error:
        return (*_refusal(_status_in(error), error, raw.body), None)
    try:
        return "reply", "", content_of(value)
    except MalformedError as fault:
        return "malformed", str(fault), None


def _refusal(status: int, error: Json, body: bytes) -> tuple[Verdict, str]:
    words = _words(error) or body[:_LONGEST_MESSAGE].decode("utf-8", "replace")
    message = f"HTTP {status}: {words}"
    codes = (error.get("code"), error.get("type")) if isinstance(error, dict) else ()
    # 402 is OpenRouter's word for used-up credit.
    if "insufficient_quota" in codes or status == 402:
        return "quota", message
    # A 403 may be about this picture alone (moderation); a 401 is about the key.
    if status == 401:
        return "auth", message
    if status == 429:
        return "rate_limit", message
    return ("server" if status >= 500 else "rejected"), message


def _words(error: Json) -> str:
    if isinstance(error, dict):
        return str(error.get("message") or error.get("code") or "")
    return str(error) if error else ""


def _choice_error(value: Json) -> Json:
    """Return the error that OpenRouter puts into a choice of a 200."""
    choices = value.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return first.get("error") if isinstance(first, dict) else None


def _status_in(error: Json) -> int:
    """Return the HTTP status that an error inside a 200 stands for."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        return code
    return 429 if code == "rate_limit_exceeded" else 500


def _nonsense(raw: RawReply) -> str:
    if raw.body.lstrip()[:1] == b"<":
        return "the server answered with a web page; is the base URL right?"
    return "the body is not a JSON object"


def retry_after(headers: dict[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds that response headers ask to wait, of any length.

    `retry-after-ms` goes before `retry-after`, which holds seconds or an HTTP date.
    A date counts from the server's own `date` header, or else from `now`.
    """
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    until = _date(headers.get("retry-after", ""))
    if until is None:
        return None
    start = _date(headers.get("date", "")) or now or datetime.now(UTC)
    return max(0.0, (until - start).total_seconds())


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except ValueError:
        return None
    # The form `-0000` yields a naive time, which means UTC (RFC 5322).
    return found if found.tzinfo else found.replace(tzinfo=UTC)

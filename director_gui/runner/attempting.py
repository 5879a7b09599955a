"""One attempt: send a turn, judge what came, write the record.

`judge` decides the outcome; it is the only place that says what is tried again.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

from director_gui.ids import Json
from director_gui.runner.client import Client, RawReply, TransportError
from director_gui.runner.content import Content
from director_gui.runner.profiles import Profile
from director_gui.runner.reading import read
from director_gui.runner.records import Attempt, Outcome, now_utc
from director_gui.runner.wire import body_hash

ErrorKind = Literal[
    "",
    "rate_limit",
    "quota",
    "auth",
    "rejected",
    "server",
    "malformed",
    "connection",
    "timeout",
]
STOPPING = ("quota", "auth")  # the same for every call of the profile


@dataclass(frozen=True, slots=True)
class Place:
    """Where an attempt stands in its call.

    Attributes:
        call: Id of the call.
        turn: The turn that is sent, from 1.
        turns: How many turns the call has.
        number: Number of the attempt at this turn, from 1.
        last_try: Whether a fault that is worth another try ends the call now.
    """

    call: str
    turn: int
    turns: int
    number: int
    last_try: bool


async def attempt(
    client: Client, profile: Profile, body: Json, place: Place
) -> tuple[Attempt, float | None]:
    """Send `body` once; return the record, and the seconds that the server asks for.

    Raises:
        UserError: The key is missing; nothing was sent.
    """
    clock = asyncio.get_running_loop().time
    # The monotonic clock measures; the wall clock only says when.
    sent, begin = _sent(place, body), clock()
    try:
        raw = await client.send(profile, body)
    except TransportError as error:
        broken = replace(
            sent,
            outcome=judge(error.kind, last_try=place.last_try),
            latency=clock() - begin,
            error_kind=error.kind,
            error_message=error.message,
        )
        return broken, None
    sent = replace(sent, latency=clock() - begin)
    return answered(sent, profile, raw, last_try=place.last_try)


def answered(
    sent: Attempt, profile: Profile, raw: RawReply, *, last_try: bool
) -> tuple[Attempt, float | None]:
    """Return a sent attempt with what came back, and the seconds asked for.

    Args:
        sent: The attempt without its end.
        profile: Its prices.
        raw: The whole response.
        last_try: Whether a fault that is worth another try ends the call now.
    """
    reading = read(raw)
    kind: ErrorKind = "" if reading.verdict == "reply" else reading.verdict
    made = replace(
        sent,
        body=raw.body,
        sdk=raw.sdk,
        outcome=judge(kind, last_try=last_try),
        http_status=raw.status,
        request_id=reading.request_id,
        error_kind=kind,
        error_message=reading.message,
    )
    return _with_content(made, profile, reading.content), reading.retry_after


def judge(kind: ErrorKind, *, last_try: bool) -> Outcome:
    """Return what an attempt of this kind of error means for its call.

    Rate limits never use up a call's tries; nor do faults that stop the profile,
    whose open calls a later session sends.
    """
    if not kind:
        return Outcome.REPLY
    if kind == "rejected":
        return Outcome.FAILED
    if kind in ("rate_limit", *STOPPING) or not last_try:
        return Outcome.RETRY
    return Outcome.FAILED


def cost_of(profile: Profile, content: Content) -> float | None:
    """Return a reply's cost in US dollars: as the server states it, or computed.

    Cached input tokens cost the cached price, or the input price when none is known.
    """
    usage = content.usage
    if content.cost is not None:
        return content.cost
    if profile.input_price is None or profile.output_price is None:
        return None
    # Unknown is not free: a guess would hide what a run costs.
    if usage.input is None or usage.output is None:
        return None
    cached = usage.cached or 0
    cached_price = profile.cached_price
    if cached_price is None:
        cached_price = profile.input_price
    millions = (
        (usage.input - cached) * profile.input_price
        + cached * cached_price
        + usage.output * profile.output_price
    )
    return millions / 1e6


def _sent(place: Place, body: Json) -> Attempt:
    return Attempt(
        call=place.call,
        turn=place.turn,
        turns=place.turns,
        number=place.number,
        outcome=Outcome.RETRY,
        started=now_utc(),
        latency=0.0,
        request_hash=body_hash(body),
    )


def _with_content(
    attempt: Attempt, profile: Profile, content: Content | None
) -> Attempt:
    if content is None:
        return attempt
    return replace(
        attempt,
        text=content.text,
        reasoning=content.reasoning,
        finish_reason=content.finish_reason,
        model_returned=content.model,
        fingerprint=content.fingerprint,
        usage=content.usage,
        cost=cost_of(profile, content),
    )

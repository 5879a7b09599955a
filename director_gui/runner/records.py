"""The values of a run: a call, what it sends, and every attempt at it.

They are frozen and know nothing of files: identity is computed here from content,
never from a position; keeping them is `store`'s business.
"""

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import cached_property

from director_gui.ids import hash_of


class Outcome(StrEnum):
    """What became of one attempt."""

    REPLY = "reply"  # a reply to this turn was received
    RETRY = "retry"  # no reply; the call stays open and is sent again
    FAILED = "failed"  # no reply, and there will be none: the call ends here


# Without slots: the cached id needs a place.
@dataclass(frozen=True)
class Call:
    """One request for one reply, named by everything that makes it what it is.

    Attributes:
        run: Id of the run (a probe or a plan).
        batch: Name of the batch inside the run.
        condition: Name of the condition, such as ``move.ask``.
        condition_hash: Hash of the condition's version.
        scene: Hash of the scene's canonical JSON.
        image: SHA-256 of the PNG bytes sent.
        profile: Name of the model profile.
        model: The model asked for.
        settings: `Profile.settings_hash` at planning time.
        sample: Number of the sample, from 1.
    """

    run: str
    batch: str
    condition: str
    condition_hash: str
    scene: str
    image: str
    profile: str
    model: str
    settings: str
    sample: int

    @cached_property
    def id(self) -> str:
        """The SHA-256 of all fields: the same call has the same id everywhere."""
        return hash_of(asdict(self))


@dataclass(frozen=True, slots=True)
class CallInput:
    """What a call sends: the text of each user turn, and the picture.

    Attributes:
        turns: One text per user turn, in order; the picture goes with the first.
        image: PNG bytes exactly as stored; empty when no picture is sent.
    """

    turns: tuple[str, ...]
    image: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A call together with the texts of its user turns."""

    call: Call
    turns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None where it does not say."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cached: int | None = None


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request that was sent for a call, and all that came back.

    Attributes:
        call: Id of the call.
        turn: The user turn that was sent, from 1.
        turns: How many user turns the call has.
        number: Number of the attempt at this turn, from 1.
        outcome: What became of it.
        started: Start in UTC, ISO 8601 with microseconds.
        latency: Seconds from sending to the last byte or the error.
        request_hash: SHA-256 of the request body's canonical JSON.
        body: The raw response body as served; None when none arrived.
        http_status: The HTTP status, None when no response arrived.
        text: The reply's text; empty when the server sent none.
        reasoning: Reasoning that the server returned beside the text.
        finish_reason: `stop`, `length`, `content_filter`, … in Chat's words.
        model_returned: The model that the server says it was.
        request_id: The server's id of the request.
        fingerprint: The server's system fingerprint.
        usage: Token counts.
        cost: US dollars, None when the price is unknown.
        sdk: Name and version of the client library.
        error_kind: `rate_limit`, `timeout`, …; empty for a reply.
        error_message: What went wrong in words; never holds a key.
    """

    call: str
    turn: int
    turns: int
    number: int
    outcome: Outcome
    started: str
    latency: float
    request_hash: str
    body: bytes | None = field(default=None, repr=False)
    http_status: int | None = None
    text: str = ""
    reasoning: str | None = None
    finish_reason: str | None = None
    model_returned: str | None = None
    request_id: str | None = None
    fingerprint: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    sdk: str = ""
    error_kind: str = ""
    error_message: str = ""

    @property
    def terminal(self) -> bool:
        """Whether the call ends with this attempt: it is never sent again."""
        if self.outcome is Outcome.REPLY:
            return self.turn == self.turns
        return self.outcome is Outcome.FAILED


def now_utc() -> str:
    """Return the present time in UTC as ISO 8601 with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")

"""What goes into the engine and what it tells: tasks, events, and its patience."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from director_gui.runner.records import Attempt, Call, CallInput


@dataclass(frozen=True, slots=True)
class Task:
    """A call to be brought to its end.

    Attributes:
        call: The call.
        replies: The model's replies to the turns answered already.
        attempts: How often the next turn was tried before.
    """

    call: Call
    replies: tuple[str, ...] = ()
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class Policy:
    """How patient the engine is [ours].

    Attributes:
        tries: Most tries of one turn in one session that end in a server error, a
            lost connection, a timeout or a malformed body; rate limits do not count.
        first_wait: Mean wait before the second try, seconds; it doubles each time.
        longest_wait: Most that backoff waits, seconds; Retry-After may be longer.
        give_up_after: Calls in a row that fail before the profile is stopped, so
            that a wrong address or model does not use up a whole run.
        look_again: Seconds until a write is tried again that found no room.
    """

    tries: int = 6
    first_wait: float = 1.0
    longest_wait: float = 60.0
    give_up_after: int = 10
    look_again: float = 5.0

    @property
    def first_spacing(self) -> float:
        """Seconds between the first requests of a profile (`runner.pace`)."""
        return self.first_wait / 50  # 50 a second, until it is known what goes


@dataclass(frozen=True, slots=True)
class AttemptStored:
    """An attempt is on disk; its body is left out here, so that a queue stays small."""

    call: Call
    attempt: Attempt


@dataclass(frozen=True, slots=True)
class GateClosed:
    """The server asked to wait; the profile sends nothing for `seconds`."""

    profile: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ProfileStopped:
    """A profile sends no more in this session; its open calls stay open."""

    profile: str
    reason: str


@dataclass(frozen=True, slots=True)
class RunPaused:
    """Nothing new is sent until `resume`; the reason is empty when the user asked."""

    reason: str


@dataclass(frozen=True, slots=True)
class RunResumed:
    """Calls are sent again."""


@dataclass(frozen=True, slots=True)
class BatchMoved:
    """A batch at a provider is somewhere else than before.

    Attributes:
        profile: Whose batch.
        batch: The provider's id of it; empty before it has one.
        status: The provider's word, such as ``in_progress``, or ours.
        calls: How many calls it holds.
    """

    profile: str
    batch: str
    status: str
    calls: int


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The engine is done.

    Attributes:
        replied: Calls answered in this session.
        failed: Calls given up in this session.
        open: Calls that still have no end; a later session sends them.
        error: An unexpected fault that ended the session; else empty.
    """

    replied: int
    failed: int
    open: int
    error: str = ""


Event = (
    AttemptStored
    | GateClosed
    | ProfileStopped
    | RunPaused
    | RunResumed
    | BatchMoved
    | RunEnded
)
Sink = Callable[[Attempt], Awaitable[None]]  # returns when the attempt is durable
Inputs = Callable[[Call], CallInput]
Listener = Callable[[Event], None]


class Marks(Protocol):
    """Knows, across a crash, which requests were in flight."""

    async def mark(self, call: str, worst: float | None) -> None:
        """Return when it is on disk that a call's next request is about to be sent.

        The sink takes the mark away with the attempt.

        Args:
            call: The call's id.
            worst: The most that the request costs in US dollars; None: unknown.

        Raises:
            UserError: It could not be written, such as on a full disk.
        """

    def unmark(self, call: str) -> None:
        """Say that the request was not sent after all."""


class Sender(Protocol):
    """Brings tasks to their end by one transport: the engine, or batches."""

    async def run(self, tasks: Sequence[Task]) -> RunEnded:
        """Work until every task has ended or cannot go on now."""

    def pause(self, reason: str = "") -> None:
        """Send nothing new."""

    def resume(self) -> None:
        """Go on after a pause."""

    def drain(self) -> None:
        """Finish what is in hand, begin nothing new, then end."""

    def cancel(self) -> None:
        """End now."""

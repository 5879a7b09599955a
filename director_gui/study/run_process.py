"""Sends a plan's run in a process of its own, so that the window never waits for it.

Sending takes most of a processor at 300 replies a second, and the threads of one
process take turns in Python: the window would be late for its frames. The other
process writes the study under the lock of this one; a pipe brings commands in and
events out. When this process dies, the pipe ends and the other one leaves off.
"""

import multiprocessing
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

from director_gui.errors import UserError
from director_gui.runner.engine_values import Event, RunEnded
from director_gui.runner.keys import Keys
from director_gui.runner.service import RunHandle, RunService
from director_gui.store.database import Study, join_study
from director_gui.study.plan_sending import Sending, send

_LOOK = 0.02  # seconds between two looks at commands and events
_DIED = "the process that sent it ended unexpectedly"


@dataclass(frozen=True, slots=True)
class _Order:
    """What is to be sent; keys go through the pipe and stand nowhere else."""

    path: Path
    sending: Sending
    keys: Keys = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Refused:
    """A `UserError` on its way through the pipe."""

    what: str
    where: str
    todo: str


class RunProcess:
    """A run that another process sends; used like a `RunHandle`, from any thread."""

    def __init__(self, order: _Order) -> None:
        # Not forked: a copy of a window's threads and locks would hang.
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # else its end would never be seen here
        self._order = order
        self._events: deque[Event] = deque()
        self._over = False

    def begin(self) -> None:
        """Wait until the run goes, then listen.

        Raises:
            UserError: The other process cannot send it.
        """
        try:
            self._pipe.send(self._order)
            answer = self._pipe.recv()
        except (EOFError, OSError):
            raise UserError(_DIED, todo="Try again") from None
        if isinstance(answer, _Refused):
            raise UserError(answer.what, where=answer.where, todo=answer.todo)
        Thread(target=self._listen, name="run events", daemon=True).start()

    @property
    def done(self) -> bool:
        """Whether the run's session is over; the last event is `RunEnded`."""
        return self._over

    @property
    def waiting(self) -> int:
        """How many events there are to poll."""
        return len(self._events)

    def poll(self, limit: int = 1000) -> list[Event]:
        """Return the events since the last poll, oldest first, at most `limit`."""
        # Only this takes events away, so what was counted is there.
        return [self._events.popleft() for _ in range(min(limit, self.waiting))]

    def pause(self) -> None:
        """Send nothing new until `resume`."""
        self._tell(RunHandle.pause)

    def resume(self) -> None:
        """Go on."""
        self._tell(RunHandle.resume)

    def drain(self) -> None:
        """Finish the calls in hand, then end."""
        self._tell(RunHandle.drain)

    def cancel(self) -> None:
        """End now; calls in flight stay open."""
        self._tell(RunHandle.cancel)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most `timeout` seconds; return whether it came."""
        self._process.join(timeout)
        return not self._process.is_alive()

    def _tell(self, command: Callable[[RunHandle], None]) -> None:
        with suppress(OSError):  # it is over
            self._pipe.send(command)

    def _listen(self) -> None:
        ended = False
        try:
            while True:
                events: list[Event] = self._pipe.recv()
                ended = ended or any(isinstance(e, RunEnded) for e in events)
                self._events.extend(events)
        except (EOFError, OSError):
            # Whoever waits for the end of a run hears of it however it came.
            if not ended:
                self._events.append(RunEnded(0, 0, 0, error=_DIED))
            self._over = True


def send_apart(study: Study, sending: Sending, keys: Keys) -> RunProcess:
    """Send every call of a run that has no end yet, in a process of its own.

    Returns when it goes, about a second later.

    Args:
        study: Open for writing, until the handle is done.
        sending: What `plan_sending.ready` returned.
        keys: Where the keys are.

    Raises:
        UserError: A key is missing, or the study cannot be written.
    """
    handle = RunProcess(_Order(study.path, sending, keys))
    handle.begin()
    return handle


def _serve(pipe: Connection) -> None:
    """Send one run; what the other process does."""
    order: _Order = pipe.recv()
    try:
        with join_study(order.path) as study, RunService() as service:
            handle = send(service, study, order.sending, order.keys)
            pipe.send(None)
            _follow(handle, pipe)
    except UserError as error:
        pipe.send(_Refused(error.what, error.where, error.todo))
    finally:
        pipe.close()


def _follow(handle: RunHandle, pipe: Connection) -> None:
    """Pass commands in and events out until the run is over."""
    while True:
        done = handle.done  # asked first: no event can then follow the last poll
        events = handle.poll()
        try:
            if events:
                pipe.send(events)
            elif done:
                return
            if pipe.poll(_LOOK):
                pipe.recv()(handle)
        except (EOFError, OSError):
            # The window is gone: nothing more is sent, what is in flight is lost.
            handle.cancel()
            handle.wait()
            return

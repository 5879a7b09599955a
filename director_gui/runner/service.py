"""Runs engines in a thread of their own, so that a window stays usable.

Commands go in by `call_soon_threadsafe`; events come out through a deque that the
caller polls. Nothing here knows Qt.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from typing import Self

from director_gui.errors import UserError
from director_gui.runner.engine_values import Event, Listener, RunEnded, Sender, Task

# Builds the engine inside the loop and takes down what belongs to it afterwards.
EngineFactory = Callable[[Listener], AbstractAsyncContextManager[Sender]]


class RunHandle:
    """One run in the service's thread; every method may be called from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._events: deque[Event] = deque()
        self._engine: Sender | None = None
        self._cancelled = False
        self._future: Future[None] | None = None

    @property
    def done(self) -> bool:
        """Whether the run's session is over; the last event is `RunEnded`."""
        return self._future is not None and self._future.done()

    @property
    def waiting(self) -> int:
        """How many events there are to poll."""
        return len(self._events)

    def poll(self, limit: int = 1000) -> list[Event]:
        """Return the events since the last poll, oldest first, at most `limit`."""
        # A deque is safe between one thread that appends and one that takes.
        found: list[Event] = []
        while self._events and len(found) < limit:
            found.append(self._events.popleft())
        return found

    def pause(self) -> None:
        """Send nothing new until `resume`."""
        self._call(lambda engine: engine.pause())

    def resume(self) -> None:
        """Go on."""
        self._call(lambda engine: engine.resume())

    def drain(self) -> None:
        """Finish the calls in hand, then end."""
        self._call(lambda engine: engine.drain())

    def cancel(self) -> None:
        """End now; calls in flight stay open."""
        self._cancelled = True
        self._call(lambda engine: engine.cancel())

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end, at most `timeout` seconds; return whether it came."""
        try:
            if self._future is not None:
                self._future.result(timeout)
        except TimeoutError:
            return self.done
        except CancelledError:
            return True
        return True

    def _call(self, command: Callable[[Sender], None]) -> None:
        def act() -> None:
            if self._engine is not None:
                command(self._engine)

        if not self.done:
            self._loop.call_soon_threadsafe(act)

    def begin(self, factory: EngineFactory, tasks: Sequence[Task]) -> None:
        """Start working; `RunService.start` calls this once."""
        self._future = asyncio.run_coroutine_threadsafe(
            self._work(factory, tasks), self._loop
        )

    async def _work(self, factory: EngineFactory, tasks: Sequence[Task]) -> None:
        try:
            async with factory(self._events.append) as engine:
                self._engine = engine
                # Cancelled between being asked for and being made.
                if self._cancelled:
                    self._events.append(RunEnded(0, 0, len(tasks)))
                else:
                    await engine.run(tasks)
        except UserError as error:
            self._events.append(RunEnded(0, 0, len(tasks), error=str(error)))
        except Exception as error:  # noqa: BLE001 - a worker's top: tell, do not die
            self._events.append(RunEnded(0, 0, len(tasks), error=_told(error)))
        finally:
            self._engine = None


class RunService:
    """A thread with an event loop; close it when the program ends."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a forgotten close cannot keep the program alive.
        self._thread = threading.Thread(
            target=self._loop.run_forever, name="runs", daemon=True
        )
        self._thread.start()
        self._handles: list[RunHandle] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self, factory: EngineFactory, tasks: Sequence[Task]) -> RunHandle:
        """Run tasks with the engine that `factory` makes; return at once."""
        handle = RunHandle(self._loop)
        handle.begin(factory, tasks)
        self._handles = [item for item in self._handles if not item.done] + [handle]
        return handle

    def close(self, timeout: float = 10.0) -> None:
        """Cancel what runs, wait for it, and end the thread."""
        if self._loop.is_closed():
            return
        for handle in self._handles:
            handle.cancel()
            handle.wait(timeout)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout)
        if not self._thread.is_alive():
            self._loop.close()


def _told(error: Exception) -> str:
    """Return a bug in words; grouped errors are told by their first."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"

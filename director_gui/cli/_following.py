"""Follow a run on the command line: what happens, an interrupt, the exit code."""

import time

from director_gui.cli.output import note
from director_gui.runner.engine_values import (
    AttemptStored,
    BatchMoved,
    Event,
    GateClosed,
    ProfileStopped,
    RunEnded,
    RunPaused,
    RunResumed,
)
from director_gui.runner.service import RunHandle

EXIT_OPEN, EXIT_INTERRUPTED = 1, 130
LOOK_S = 0.1  # how often events are taken
NOTE_S = 2.0  # between two lines of progress


def follow_to_end(handle: RunHandle) -> int:
    """Tell on stderr what happens until the run ends; return the exit code.

    Ctrl+C finishes the calls in hand; a second one drops them.
    """
    progress = _Progress()
    interrupted = _follow(handle, progress)
    # All that is left: `poll` takes a bounded number for the window's sake.
    progress.take(handle.poll(10**9))
    # Before the code of open calls: a script should see who stopped it.
    if interrupted:
        note("interrupted; the work so far is kept")
        return EXIT_INTERRUPTED
    return progress.code


def _follow(handle: RunHandle, progress: "_Progress") -> bool:
    """Tell what happens until the run ends; return whether it was interrupted."""
    interrupts = 0
    while True:
        try:
            # Short waits, as a long one cannot be interrupted on Windows.
            while not handle.wait(LOOK_S):
                progress.take(handle.poll())
        except KeyboardInterrupt:
            interrupts += 1
            if interrupts == 1:
                note("finishing the calls in hand; Ctrl+C again drops them")
                handle.drain()
            else:
                handle.cancel()
        else:
            return interrupts > 0


class _Progress:
    """Says on stderr how a run goes on; `code` is the exit code so far."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._ended = 0
        self.code = 0

    def take(self, events: list[Event]) -> None:
        """Tell what these events mean, replies only now and then."""
        for event in events:
            self._one(event)
        now = time.monotonic()
        if now - self._last >= NOTE_S:
            self._last = now
            note(f"{self._ended} calls ended")

    def _one(self, event: Event) -> None:
        if isinstance(event, AttemptStored):
            # A failed attempt that is sent again has ended no call.
            self._ended += event.attempt.terminal
        elif isinstance(event, GateClosed):
            note(f"{event.profile}: the server asks to wait {event.seconds:.0f} s")
        elif isinstance(event, ProfileStopped):
            note(f"{event.profile} is stopped: {event.reason}")
        elif isinstance(event, BatchMoved):
            note(
                f"{event.profile}: batch {event.batch}, {event.calls} calls: "
                f"{event.status}"
            )
        elif isinstance(event, RunPaused) and event.reason:
            note(f"paused: {event.reason}. It goes on by itself when that is mended")
        elif isinstance(event, RunResumed):
            note("going on")
        elif isinstance(event, RunEnded):
            self._end(event)

    def _end(self, event: RunEnded) -> None:
        if event.error:
            note(f"the run ended: {event.error}")
        if event.open:
            self.code = EXIT_OPEN
            note(f"{event.open} calls are still open; the same command sends them")

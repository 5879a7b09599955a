"""Work that goes on beside a run, in a thread of its own, and ends with the run."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from director_gui.errors import UserError

EVERY = 2.0  # seconds between two rounds, or more:
_REST = 20  # times as long as the last round took, so that the run hardly feels it


@asynccontextmanager
async def working(work: Callable[[], object] | None) -> AsyncIterator[None]:
    """Do `work` every few seconds while the block runs, and once when it has ended.

    What cannot be done is left undone: whoever needs its result does it later, and is
    told why not.

    Args:
        work: Called in one thread; None for nothing.
    """
    if work is None:
        yield
        return
    over = threading.Event()
    thread = threading.Thread(
        target=_rounds, args=(work, over), name="beside a run", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        over.set()
        # To its end even when we are cancelled: the study may be closed next.
        await asyncio.shield(asyncio.to_thread(thread.join))


def _rounds(work: Callable[[], object], over: threading.Event) -> None:
    ended, took = False, 0.0
    while not ended:
        ended = over.wait(max(EVERY, _REST * took))
        start = time.monotonic()
        try:
            work()
        # Counting is a convenience; the run that pays for replies must go on.
        except UserError:
            return
        took = time.monotonic() - start

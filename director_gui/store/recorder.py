"""Makes attempts durable from within an event loop, without stopping it.

A thread of its own commits whatever is waiting in one transaction, so that many
replies a second share one flush to the disk; each waits for its own.
"""

import asyncio
import queue
import sqlite3
import threading
from dataclasses import dataclass

from director_gui.errors import UserError
from director_gui.runner.records import Attempt
from director_gui.store.attempts import add_attempts
from director_gui.store.database import Study
from director_gui.store.ledger import RUNS, Ledger
from director_gui.store.sendings import add_sending, end_sending
from director_gui.store.spill import Spill

# More would make the first of them wait long for its flush.
MOST_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class _Sending:
    """A request that is about to be sent, or was not sent after all."""

    call: str
    worst: float | None = None
    sent: bool = True


@dataclass(frozen=True, slots=True)
class _Waiting:
    what: Attempt | _Sending
    done: "asyncio.Future[None]"


class Recorder:
    """Belongs to the event loop it is made in; close it at the end.

    It is the engine's sink and its marks (`runner.engine_values.Marks`).

    Args:
        study: Open for writing.
        ledger: The tables that hold the calls.
    """

    def __init__(self, study: Study, ledger: Ledger = RUNS) -> None:
        self._study = study
        self._ledger = ledger
        # Futures of a loop may be resolved in its own thread alone.
        self._loop = asyncio.get_running_loop()
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._rows: dict[str, int] = {}  # of what is in flight; the thread's own
        self._spill = Spill(study.path, ledger)
        self._thread = threading.Thread(target=self._work, name="recorder", daemon=True)
        self._thread.start()

    async def record(self, attempt: Attempt) -> None:
        """Return when the attempt is on disk; it gets there even if we are cancelled.

        Where there is no room it waits outside of the study (`store.spill`).

        Raises:
            UserError: It could not be written, such as on a full disk.
        """
        await self._hand_over(attempt)

    async def mark(self, call: str, worst: float | None) -> None:
        """Return when it is on disk that a call's next request is being sent.

        Raises:
            UserError: It could not be written, such as on a full disk.
        """
        await self._hand_over(_Sending(call, worst))

    def unmark(self, call: str) -> None:
        """Say that a marked request was not sent; it gets to the disk later."""
        done = self._hand_over(_Sending(call, sent=False))
        # Nobody awaits it; a mark too many is only a warning too many.
        done.add_done_callback(lambda ended: ended.cancelled() or ended.exception())

    def _hand_over(self, what: Attempt | _Sending) -> "asyncio.Future[None]":
        # In the queue before anything is awaited: a cancelled run loses nothing.
        done: asyncio.Future[None] = self._loop.create_future()
        self._queue.put(_Waiting(what, done))
        return done

    async def close(self) -> None:
        """Commit what is waiting and end the thread."""
        self._queue.put(None)
        # Shielded: what is waiting was paid for.
        await asyncio.shield(asyncio.to_thread(self._thread.join))
        self._spill.close()

    def _work(self) -> None:
        while (first := self._queue.get()) is not None:
            items, ended = self._rest([first])
            self._commit(items)
            if ended:
                return

    def _rest(self, items: list[_Waiting]) -> tuple[list[_Waiting], bool]:
        while len(items) < MOST_AT_ONCE:
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                break
            if item is None:
                return items, True
            items.append(item)
        return items, False

    def _commit(self, items: list[_Waiting]) -> None:
        # A copy: a transaction that fails must leave no trace here.
        rows = dict(self._rows)
        try:
            with self._study.write():
                self._write([item.what for item in items], rows)
        except UserError as error:
            # Here, not by whoever waits: the run may be cancelled meanwhile.
            self._spill.keep(_attempts(items))
            self._answer(items, error)
        except sqlite3.IntegrityError as error:
            if len(items) == 1:
                self._answer(items, error)
                return
            for item in items:  # one bad attempt must not take others with it
                self._commit([item])
        except Exception as error:  # noqa: BLE001 - a worker's top: its waiters hear it
            self._answer(items, error)
        else:
            self._rows = rows
            self._spill.settle(_attempts(items))
            self._answer(items, None)

    def _write(self, found: list[Attempt | _Sending], rows: dict[str, int]) -> None:
        attempts = [item for item in found if isinstance(item, Attempt)]
        study, ledger = self._study, self._ledger
        # Attempts before sendings: a mark that is new belongs to the call's next
        # request.
        add_attempts(study, attempts, ledger)
        for attempt in attempts:
            if attempt.call in rows:
                end_sending(study, rows.pop(attempt.call), attempt, ledger)
        for item in found:
            if not isinstance(item, _Sending):
                continue
            if item.sent:
                rows[item.call] = add_sending(study, item.call, item.worst, ledger)
            elif item.call in rows:
                end_sending(study, rows.pop(item.call), None, ledger)

    def _answer(self, items: list[_Waiting], error: Exception | None) -> None:
        # One call for all of them: each wakes the loop.
        self._loop.call_soon_threadsafe(_resolve, items, error)


def _attempts(items: list[_Waiting]) -> list[Attempt]:
    return [item.what for item in items if isinstance(item.what, Attempt)]


def _resolve(items: list[_Waiting], error: Exception | None) -> None:
    for item in items:
        if item.done.done():  # cancelled meanwhile
            continue
        if error is None:
            item.done.set_result(None)
        else:
            item.done.set_exception(error)

"""Finds one scene of the family that is shown, off the GUI thread, the newest first."""

import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal

from director_gui.families.example import Example, example_of
from director_gui.families.model import Family

SECONDS = 1.0  # a family that yields none by then is shown by a candidate


@dataclass(frozen=True, slots=True)
class _Wanted:
    family: Family
    index: int


class Examples(QObject):
    """Answers for the family that was asked for last."""

    found = Signal(object)  # Example
    _done = Signal(object, object)  # _Wanted, Example

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool: ThreadPoolExecutor | None = None
        self._wanted: _Wanted | None = None
        self._done.connect(self._tell, Qt.ConnectionType.QueuedConnection)

    def ask(self, family: Family, index: int) -> None:
        """Have `found` tell about scene `index` of a family's set."""
        wanted = _Wanted(family, index)
        if wanted == self._wanted:
            return
        # What was asked before ends at its next candidate.
        self._wanted = wanted
        if self._pool is None:
            self._pool = ThreadPoolExecutor(1, thread_name_prefix="example")

        def done(ended: "Future[Example]") -> None:
            # Called in the worker's thread: a signal is the way back.
            if not ended.cancelled() and ended.exception() is None:
                self._done.emit(wanted, ended.result())

        self._pool.submit(self._look, wanted).add_done_callback(done)

    def forget(self) -> None:
        """Tell nothing of what was asked for."""
        self._wanted = None

    def close(self) -> None:
        """End the thread."""
        self.forget()
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _look(self, wanted: _Wanted) -> Example:
        until = time.monotonic() + SECONDS

        def late() -> bool:
            return self._wanted is not wanted or time.monotonic() >= until

        return example_of(wanted.family, wanted.index, late)

    def _tell(self, wanted: _Wanted, example: Example) -> None:
        if wanted is self._wanted:
            self.found.emit(example)

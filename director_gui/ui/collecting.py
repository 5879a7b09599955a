"""Python's collector, run in the GUI thread alone.

It runs in whatever thread allocates when it is due. In a worker's it could free Qt's
objects there, and Qt ends the program when a widget or a timer goes in a thread that is
not its own.
"""

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 500


class Collector(QObject):
    """Takes the collector's place while it lives; `stop` gives it back."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        # What was imported is never garbage: to look at it again costs 0.1 s each time.
        gc.collect()
        gc.freeze()
        gc.disable()
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> int | None:
        """Collect what is due; return its generation, None where nothing is."""
        due = zip(gc.get_count(), gc.get_threshold(), strict=True)
        old = [at for at, (count, most) in enumerate(due) if most and count > most]
        if not old:
            return None
        gc.collect(max(old))
        return max(old)

    def stop(self) -> None:
        """Let Python collect by itself again."""
        self._timer.stop()
        gc.unfreeze()
        gc.enable()

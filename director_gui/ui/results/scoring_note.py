"""What stands in place of the tables while a run's replies are scored."""

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QProgressBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from director_gui.ui import theme
from director_gui.ui.footer import left_in_words
from director_gui.ui.widgets import button, label

_PATIENCE_MS = 300
_WIDTH = 420  # px, of the words and the bar
_ONCE = "Each reply is scored once; what comes of it stays in the study."
_KEPT = "What was scored so far is kept. Going on takes what is left."


class ScoringNote(QWidget):
    """Says how far scoring is, stops it and goes on with it."""

    stop_wanted = Signal()
    go_on_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "title")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.words = label("")
        self.about = label("", "caption", wrap=True)
        self.stop = button("Stop", self.stop_wanted.emit)
        self.go_on = button("Go on", self.go_on_wanted.emit)
        self._parts = QWidget()
        self._started, self._far = 0.0, ""
        self._lay_out()
        # The counts of replies that were scored before come at once.
        self._soon = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._soon.timeout.connect(self._parts.show)

    def begin(self) -> None:
        """Scoring begins; nothing is said of it while it may end at once."""
        self._started = time.monotonic()
        self.title.setText("Scoring the replies")
        self.about.setText(_ONCE)
        self._far = ""
        self.words.setText("")
        self.bar.setRange(0, 0)
        self._offer(going=True)
        # Already in sight it stays, or it would blink between two questions.
        if self._parts.isHidden():
            self._soon.start()

    def tell(self, share: float, text: str) -> None:
        """Say that `share` (0-1) is done."""
        self.bar.setRange(0, 1000)
        self.bar.setValue(round(1000 * share))
        elapsed = time.monotonic() - self._started
        # In the first second the pace says little.
        left = elapsed * (1 - share) / share if share > 0 and elapsed > 1 else None
        self._far = f"{text} · {round(100 * share)} %"
        words = left_in_words(left)
        self.words.setText(f"{self._far} · {words}" if words else self._far)

    def end(self, *, stopped: bool) -> None:
        """Scoring has ended; when it was stopped it can go on from here."""
        self._soon.stop()
        self._parts.setVisible(stopped)
        if stopped:
            self.title.setText("Scoring was stopped")
            self.about.setText(_KEPT)
            self.words.setText(self._far)
            self.bar.setRange(0, 1000)
            self._offer(going=False)

    def _offer(self, *, going: bool) -> None:
        self.stop.setVisible(going)
        self.go_on.setVisible(not going)

    def _lay_out(self) -> None:
        self._parts.hide()
        self._parts.setMaximumWidth(theme.px(_WIDTH))
        wide, high = QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred
        self._parts.setSizePolicy(wide, high)
        column = QVBoxLayout(self._parts)
        column.setSpacing(theme.S2)
        for widget in (self.title, self.bar, self.words, self.about):
            column.addWidget(widget)
        for one in (self.stop, self.go_on):
            column.addWidget(one, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self._parts, 1000)  # up to its width, less in a narrow place
        row.addStretch(1)
        outer = QVBoxLayout(self)
        outer.addStretch()
        outer.addLayout(row)
        outer.addStretch()

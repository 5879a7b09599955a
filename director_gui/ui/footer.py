"""The footer: one line of messages, and the job that runs in the background."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QProgressBar

from director_gui.ui import theme
from director_gui.ui.elided import ElidedLine
from director_gui.ui.jobs import Job
from director_gui.ui.message_line import MessageLine
from director_gui.ui.widgets import button

HEIGHT = 32  # px
_BAR = 120  # px, of progress
_PATIENCE_MS = 300


def left_in_words(seconds: float | None) -> str:
    """Return a time left such as "2 min left"; empty while it is unknown."""
    if seconds is None:
        return ""
    if seconds < 60:
        return f"{max(1, round(seconds))} s left"
    if seconds < 5400:
        return f"{round(seconds / 60)} min left"
    return f"{seconds / 3600:.1f} h left"


class Footer(QFrame):
    """Shows messages at the left and a running job at the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("footer")
        self.setFixedHeight(theme.px(HEIGHT))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.S2)
        self.line = MessageLine()
        self._job_text = ElidedLine()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(theme.px(_BAR))
        self._cancel = button("Cancel", self._cancel_job)
        self._cancel.setProperty("flat", True)
        self._cancel.setCursor(Qt.CursorShape.PointingHandCursor)
        row.addWidget(self.line, 1)
        for widget in (self._job_text, self._bar, self._cancel):
            row.addWidget(widget)
            widget.hide()
        self._job: Job | None = None
        # A job that ends at once would only flash.
        self._soon = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._soon.timeout.connect(self._appear)

    @property
    def text(self) -> str:
        """What the message line says."""
        return self.line.text

    def retheme(self) -> None:
        """Take the sizes of the theme that is shown now."""
        self.setFixedHeight(theme.px(HEIGHT))
        self._bar.setFixedWidth(theme.px(_BAR))

    def show_job(self, job: Job) -> None:
        """Show `job` until it ends; a newer job takes its place."""
        self._job = job
        self._bar.setRange(0, 0)
        self._job_text.setText(job.title)
        self._soon.start()
        queued = Qt.ConnectionType.QueuedConnection
        job.progressed.connect(lambda share, text: self._told(job, share, text), queued)
        job.ended.connect(lambda: self._ended(job), queued)

    def _appear(self) -> None:
        if self._job is not None:
            for widget in (self._job_text, self._bar, self._cancel):
                widget.show()

    def _told(self, job: Job, share: float, text: str) -> None:
        if job is not self._job:
            return
        self._bar.setRange(0, 1000)
        self._bar.setValue(round(1000 * share))
        parts = [text or job.title, f"{round(100 * share)} %"]
        parts.append(left_in_words(job.seconds_left(share)))
        self._job_text.setText(" · ".join(part for part in parts if part))

    def _cancel_job(self) -> None:
        if self._job is not None:
            self._job.progress.cancel()
            self._job_text.setText(f"{self._job.title} · stopping")

    def _ended(self, job: Job) -> None:
        if job is self._job:
            self._job = None
            for widget in (self._job_text, self._bar, self._cancel):
                widget.hide()

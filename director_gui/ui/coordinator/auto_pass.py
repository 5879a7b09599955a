"""One automatic pass: how far it is, its calibration, what could not be coded."""

import time

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.blind.auto_forecast import Workload
from director_gui.study.blind.auto_standing import Standing
from director_gui.study.run_arms import Pace
from director_gui.study.time_words import time_text
from director_gui.ui import theme
from director_gui.ui.coordinator import auto_words as words
from director_gui.ui.coordinator.auto_desk import Going
from director_gui.ui.flow import Flow
from director_gui.ui.tables import Table
from director_gui.ui.widgets import button, label

_ALL_LEFT = 2  # columns of the uncodable items that are text


class PassView(QWidget):
    """Shows a `Standing`; what the user wants goes out as signals."""

    resume_wanted = Signal()
    pause_wanted = Signal()
    go_on_wanted = Signal()
    drain_wanted = Signal()
    cancel_wanted = Signal()
    accept_wanted = Signal(str)  # the reason

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now: Standing | None = None
        self._pace = Pace()
        self._writable = True
        self.title = label("", "strong")
        self.figures = label("", "caption", wrap=True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("Calls that have ended")
        self.state = label("", wrap=True)
        self.resume = button("Resume", self.resume_wanted.emit, primary=True)
        self.pause = button("Pause", self.pause_wanted.emit)
        self.go_on = button("Go on", self.go_on_wanted.emit, primary=True)
        self.drain = button("Drain", self.drain_wanted.emit)
        self.drain.setToolTip("Finish the calls in hand, then end")
        self.cancel = button("Cancel", self.cancel_wanted.emit)
        self.cancel.setToolTip("End now; calls in flight may be paid for all the same")
        self.known_title = label("Calibration", "section")
        self.known_words = label("", "caption", wrap=True)
        self.doubts = label("", wrap=True)
        self.known = Table("Known-code items that came back as intended")
        self.instead = label("", "caption", wrap=True)
        self.reason = QLineEdit()
        self.reason.setAccessibleName("Reason for accepting the pass")
        self.reason.setMaxLength(500)
        self.reason.textChanged.connect(lambda _text: self._enable())
        self.reason.returnPressed.connect(self._accept)
        self.accept = button("Accept the calibration", self._accept, primary=True)
        self.accepted = label("", wrap=True)
        self.bad_title = label("Uncodable", "section")
        self.bad_words = label("", "caption", wrap=True)
        self.bad = Table("Items that could not be coded", left=_ALL_LEFT)
        self._lay_out()

    def show_pass(
        self, now: Standing, work: Workload | None, *, writable: bool
    ) -> None:
        """Show a pass as it was read.

        Args:
            now: Where it stands.
            work: What it still has to do; None when it is done.
            writable: Whether the study can be written.
        """
        if self._now is None or self._now.made.id != now.made.id:
            self.reason.clear()
            self._pace = Pace()
        # A reason belongs to the pass it was written about.
        self._now, self._writable = now, writable
        practice = " · practice" * now.made.practice
        self.title.setText(f"{now.made.alias}{practice}")
        self.bar.setRange(0, now.items)
        self.bar.setValue(now.items - now.left)
        self.resume.setVisible(work is not None and writable)
        if work is not None:
            self.resume.setText(f"Resume: send {work.calls[0]} calls")
        self._show_known(now)
        self._show_bad(now)

    def show_going(self, going: Going | None, *, free: bool) -> None:
        """Show how the pass is being sent.

        Args:
            going: The pass, when it is this one that is being sent.
            free: Whether it could be resumed: no other is being sent.
        """
        now = self._now
        if now is None:
            return
        on = going is not None
        paused = going is not None and going.paused is not None
        draining = going is not None and going.draining
        for widget, there in (
            (self.resume, not on and not now.done and self._writable),
            (self.pause, on and not paused and not draining),
            (self.go_on, paused),
            (self.drain, on and not draining),
            (self.cancel, on),
        ):
            widget.setVisible(there)
        # Counts are from before the sitting; while it goes on, the line below tells.
        self.figures.setText(words.coder(now) if on else words.figures(now))
        self.resume.setEnabled(free)
        self.bar.setVisible(on or not now.done)
        self.state.setText(self._state(now, going))
        self.state.setVisible(bool(self.state.text()))

    def _state(self, now: Standing, going: Going | None) -> str:
        if going is None:
            return _at_rest(now)
        # `now` is from before the sitting; what ended since is counted on top of it.
        ended = min(now.items - now.left + going.ended, now.items)
        self.bar.setValue(ended)
        self._pace.tell(time.monotonic(), going.ended)
        parts = [f"{ended} of {now.items} items asked"]
        # More calls than items were left: the second round has begun.
        if going.ended > now.left:
            parts = [f"{going.ended - now.left} asked once more"]
        left = self._pace.seconds_left(max(0, now.items - ended))
        if going.paused is not None:
            parts.append(going.paused or "paused")
        elif going.draining:
            parts.append("finishing the calls in hand")
        elif left:
            parts.append(f"{time_text(left)} left")
        return " · ".join([*parts, *filter(None, [going.trouble])])

    def _show_known(self, now: Standing) -> None:
        found = now.calibration
        doubts = found.doubts if found else ()
        there = found is not None and bool(found.fields)
        waiting = found is not None and now.accepted is None
        self.known.setVisible(there)
        self.known_words.setVisible(found is None or there)
        self.known_words.setText(
            words.known_text(found)
            if found
            else "Shown when every item has its codes or is uncodable."
        )
        if found is not None:
            self.known.show_rows(words.RIGHT_COLUMNS, words.right_rows(found))
            self.known.explain(words.RIGHT_HINTS)
        self.instead.setText(words.instead_text(found) if found else "")
        self.instead.setVisible(bool(self.instead.text()))
        self.doubts.setText("\n".join(f"⚠ {doubt}." for doubt in doubts))
        self.doubts.setVisible(bool(doubts))
        self.reason.setVisible(waiting and self._writable)
        self.accept.setVisible(waiting and self._writable)
        needed = (
            "Reason to use its codes all the same" if doubts else "Remark (optional)"
        )
        self.reason.setPlaceholderText(f"{needed}, for the study's log")
        said = words.accepted_text(now)
        if waiting:
            said = "Its codes are in no table and no agreement until you accept them."
        self.accepted.setText(said)
        self.accepted.setVisible(bool(said))
        self._enable()

    def _show_bad(self, now: Standing) -> None:
        there = bool(now.uncodable)
        for widget in (self.bad_title, self.bad_words, self.bad):
            widget.setVisible(there)
        self.bad_words.setText(
            f"{len(now.uncodable)} of {now.items} items were asked twice without an"
            " answer that could be used; they count as missing."
        )
        self.bad.show_rows(words.UNCODABLE_COLUMNS, words.uncodable_rows(now))

    def _enable(self) -> None:
        found = self._now.calibration if self._now else None
        # The rule is the core's; the button only keeps from running into it.
        needs = bool(found and found.doubts)
        self.accept.setEnabled(not needs or bool(self.reason.text().strip()))

    def _accept(self) -> None:
        if self.accept.isEnabled() and not self.accept.isHidden():
            self.accept_wanted.emit(self.reason.text().strip())

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.S2)
        acts = Flow(theme.S2)  # large text needs a second line
        for act in (self.resume, self.pause, self.go_on, self.drain, self.cancel):
            acts.addWidget(act)
        accepting = QHBoxLayout()
        accepting.setSpacing(theme.S2)
        accepting.addWidget(self.reason, 1)
        accepting.addWidget(self.accept)
        for head in (self.known_title, self.bad_title):
            head.setContentsMargins(0, theme.S4, 0, 0)
        self._stack(column, self.title, self.figures, self.bar, self.state)
        column.addLayout(acts)
        # What it comes to and what can be done stand in sight, the detail under them.
        self._stack(column, self.known_title, self.known_words, self.doubts)
        column.addWidget(self.accepted)
        column.addLayout(accepting)
        self._stack(column, self.known, self.instead)
        self._stack(column, self.bad_title, self.bad_words, self.bad)

    def _stack(self, column: QVBoxLayout, *widgets: QWidget) -> None:
        for widget in widgets:
            column.addWidget(widget)


def _at_rest(now: Standing) -> str:
    if now.done:
        return ""
    lost = now.lost.in_flight
    twice = (
        f" ⚠ {lost} call{'s' * (lost > 1)} could be paid twice: in flight when the"
        " program was stopped, perhaps answered, never received."
        if lost
        else ""
    )
    return f"{now.left} of {now.items} items are left.{twice}"

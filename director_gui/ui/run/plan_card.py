"""A stored run at the left: what it asks, what is left, and what sends it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.plan_file import Plan
from director_gui.study.plan_forecast import Forecast
from director_gui.study.time_words import time_range_text
from director_gui.ui import theme
from director_gui.ui.notice import Notice
from director_gui.ui.probe.pair_table import pairs_text
from director_gui.ui.run.sending import Opened, RunSending, with_ceiling
from director_gui.ui.session import READ_ONLY
from director_gui.ui.widgets import button, label

_MOST = 1_000_000.0  # US dollars
_NARROW = 80  # px


class PlanCard(QWidget):
    """What the run that is followed will send, and how dear."""

    wanted = Signal(object)  # Plan: to be sent now
    save_wanted = Signal(object)  # Plan: as a file
    copy_wanted = Signal(object)  # Plan: to be composed anew

    def __init__(self, sending: RunSending, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sending = sending
        self._opened: Opened | None = None
        self._writable = True
        self.facts = label("", wrap=True)
        self.left = label("", wrap=True)
        self.twice = label("", "caption", wrap=True)
        self.ceiling = QDoubleSpinBox()
        self.notice = Notice()
        self.send = button("Start", self._send, primary=True)
        self.save = button("Save as file…", self._save)
        self.copy = button("New plan from this", self._copy)
        self._lay_out()
        sending.state_changed.connect(self.show_state)
        sending.moved.connect(lambda _moved: self._moved())

    def show_opened(self, found: Opened, *, writable: bool) -> None:
        """Show a run as it was read."""
        self._opened, self._writable = found, writable
        self.notice.close_remark()
        self.facts.setText("\n".join(plan_lines(found.plan, len(found.view.shown))))
        self.ceiling.setValue(found.plan.ceiling or 0.0)
        self.show_state()

    def show_state(self) -> None:
        """Show whether the run can be sent now."""
        found, sending = self._opened, self._sending
        if found is None:
            return
        still = found.left.open
        free = not sending.running and not sending.doing
        name = "Start" if still == found.left.calls else "Resume"
        name = f"{name}: send {still:,} calls" if still else "All sent"
        self.send.setText("Sending…" if sending.running else name)
        self.send.setEnabled(bool(still) and free and self._writable)
        self._show_left(found)
        self.send.setToolTip("" if self._writable else READ_ONLY)
        # A session in flight goes by the ceiling that it was begun with.
        self.ceiling.setEnabled(free)

    def _show_left(self, found: Opened) -> None:
        view = self._sending.view
        if self._sending.running and view is not None:
            # Tokens and price are counted anew when the run ends.
            self.left.setText(f"{view.open:,} of {view.calls:,} calls are still open")
            self.twice.setText("What could be paid twice is told before a resume.")
            return
        # Its last line is what could be paid twice, which has a place of its own here.
        told = found.left.lines(found.plan.ceiling)[:-1]
        told.append(f"time: {time_range_text(found.seconds)}")
        lines = [_capital(line) for line in told] if found.left.open else ["Nothing"]
        self.left.setText("\n".join(lines))
        self.twice.setText(twice_text(found.left))

    def _moved(self) -> None:
        if self._opened is not None and self.isVisible():
            self._show_left(self._opened)

    def _send(self) -> None:
        found = self._opened
        if found is None:
            return
        plan = with_ceiling(found.plan, self.ceiling.value())
        # Asked here, as close to the money as can be, and at every resume.
        if not found.left.unpriced:
            self.wanted.emit(plan)
            return
        names = ", ".join(found.left.unpriced)
        more = " The cost ceiling cannot hold them." if plan.ceiling else ""
        self.notice.tell(
            f"The price of {names} is unknown, so this run may cost more than you"
            f" expect.{more}",
            ("Send anyway at unknown price", lambda: self.wanted.emit(plan)),
            # A way to say no beside the one to say yes.
            ("Do not send", lambda: None),
        )

    def _save(self) -> None:
        if self._opened is not None:
            self.save_wanted.emit(self._plan(self._opened))

    def _copy(self) -> None:
        if self._opened is not None:
            self.copy_wanted.emit(self._plan(self._opened))

    def _plan(self, found: Opened) -> Plan:
        return with_ceiling(found.plan, self.ceiling.value())

    def _lay_out(self) -> None:
        self.ceiling.setRange(0.0, _MOST)
        self.ceiling.setDecimals(2)
        self.ceiling.setPrefix("$")
        self.ceiling.setSpecialValueText("none")
        self.ceiling.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.ceiling.setAccessibleName("Cost ceiling of the whole run, US dollars")
        self.facts.setAccessibleName("The plan")
        self.left.setAccessibleName("What is left to send")
        inner = QWidget()
        inner.setProperty("role", "panel")
        column = QVBoxLayout(inner)
        column.setContentsMargins(theme.S3, theme.S3, theme.S3, theme.S3)
        column.setSpacing(theme.S2)
        # Its own hint is as wide as a million dollars.
        self.ceiling.setMinimumWidth(_NARROW)
        form = QFormLayout()
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow("Cost ceiling", self.ceiling)
        for head, widget in (("Plan", self.facts), ("Left to send", self.left)):
            column.addWidget(label(head, "section"))
            column.addWidget(widget)
        column.addWidget(self.twice)
        column.addLayout(form)
        column.addSpacing(theme.S2)
        for control in (self.save, self.copy):
            column.addWidget(control)
        column.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(inner)
        foot = QFrame()
        foot.setProperty("role", "foot")
        row = QVBoxLayout(foot)
        row.setContentsMargins(theme.S3, theme.S2, theme.S3, theme.S2)
        row.addWidget(self.send)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(area, 1)
        whole.addWidget(self.notice)
        whole.addWidget(foot)


def plan_lines(plan: Plan, scenes: int) -> list[str]:
    """Return what a plan asks about so many scenes, in lines."""
    batches = (f"Batch {b.name}: {', '.join(b.conditions)}" for b in plan.batches)
    families = [f"Family {f.name}: {pairs_text(f.pairs)}" for f in plan.families]
    return [
        f"{scenes:,} scenes × {plan.samples} samples",
        f"Models: {', '.join(profile.name for profile in plan.profiles)}",
        *batches,
        *(families or ["No comparison was declared before the run"]),
        f"Order seed {plan.order_seed}",
    ]


def twice_text(left: Forecast) -> str:
    """Return what could be paid twice if the run were sent now."""
    if not left.lost.in_flight:
        return "Nothing could be paid twice."
    calls = f"{left.lost.in_flight} call{'s' * (left.lost.in_flight > 1)}"
    return (
        f"⚠ {calls} could be paid twice: in flight when the program was stopped,"
        " perhaps answered, never received."
    )


def _capital(line: str) -> str:
    return line[:1].upper() + line[1:]

"""The automatic coder of one packet: its passes at the left, a new one at the right."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.study.blind.auto_standing import Standing
from director_gui.ui import theme
from director_gui.ui.coordinator import auto_words as words
from director_gui.ui.coordinator.auto_desk import AutoDesk, AutoShown
from director_gui.ui.coordinator.auto_form import AutoForm
from director_gui.ui.coordinator.auto_pass import PassView
from director_gui.ui.icons import icon
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import READ_ONLY, Session
from director_gui.ui.tables import Table, side
from director_gui.ui.widgets import Banner, button, label, scrolled

_SIDE = 320  # px
_TWO_LINES = 40  # px
_WIDEST = 880  # px; figures far from their names are hard to read
_ABOUT = (
    "A model codes the packet like a coder: it gets the codebook and the text of one "
    "item at a time, nothing else. How its known-code items came back is shown first; "
    "its codes are used once you accept that."
)
_NONE = (
    "No automatic pass yet. Choose a model at the right, look at the forecast, start."
)


class AutoPage(QWidget):
    """Shows what the desk found, and asks it for what the user wants."""

    left = Signal()  # back to the packet
    accepted = Signal()

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._found: AutoShown | None = None
        self._chosen = ""  # id of the pass whose details are shown
        self.desk = AutoDesk(session, jobs, refuse, self)
        self.back = button("Packet", self.left.emit)
        self.back.setAccessibleName("Back to the packet")
        self.title = label("Automatic coder", "title")
        self.practice = label("practice")
        self.practice.setObjectName("practiceBadge")
        self.banner = Banner()
        self.passes = Table("Automatic passes", row=_TWO_LINES)
        self.none = label(_NONE, "empty", wrap=True)
        self.view = PassView()
        self.form = AutoForm()
        self._lay_out()
        self._connect()
        self.retheme()

    def open(self, packet_id: str) -> None:
        """Read and show the automatic passes of a packet."""
        self.banner.close_remark()
        self.back.setText(f"Packet {packet_id[:8]}")
        # Buttons for a pass that nobody has read yet would be buttons for nothing.
        if self._found is None or self._found.packet != packet_id:
            for widget in (self.passes, self.none, self.view, self._beside):
                widget.hide()
        self.desk.open(packet_id)

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self._beside.setFixedWidth(side(_SIDE))
        self.back.setIcon(icon("arrow-left"))
        if self._found is not None:
            self._show(self._found)

    # What is shown --------------------------------------------------------------

    def _show(self, found: AutoShown) -> None:
        new = self._found is None or self._found.packet != found.packet
        more = self._found is not None and len(found.passes) > len(self._found.passes)
        self._found = found
        self._beside.show()
        self.practice.setVisible(found.practice)
        ids = [now.made.id for now in found.passes]
        # A pass that was just begun is the one to look at.
        if new or more or self._chosen not in ids:
            self._chosen = ids[-1] if ids else ""
        self.form.show_found(found)
        self._show_passes()
        self._show_chosen()

    def _show_passes(self) -> None:
        found = self._found
        if found is None:
            return
        going = self.desk.going
        on = going.made.id if going else ""
        rows = [words.pass_row(n, running=n.made.id == on) for n in found.passes]
        ids = [now.made.id for now in found.passes]
        # Filling the table is not choosing from it.
        self.passes.blockSignals(True)
        self.passes.show_rows(words.PASS_COLUMNS, rows)
        if self._chosen in ids:
            self.passes.selectRow(ids.index(self._chosen))
        self.passes.blockSignals(False)
        self.passes.setVisible(bool(rows))
        self.none.setVisible(not rows)

    def _show_chosen(self) -> None:
        now, found = self._standing(), self._found
        self.view.setVisible(now is not None)
        if now is not None and found is not None:
            work = found.left.get(now.made.id)
            self.view.show_pass(now, work, writable=not self._session.study.read_only)
        self._show_state()

    def _show_state(self) -> None:
        now, going, found = self._standing(), self.desk.going, self._found
        own = going if now and going and going.made.id == now.made.id else None
        self.view.show_going(own, free=not self.desk.busy)
        if found is None:
            return
        writable = not self._session.study.read_only
        hint = _hint(found, busy=self.desk.busy, writable=writable)
        # One next step: what is begun is finished and accepted before another.
        waiting = any(n.accepted is None for n in found.passes)
        free = not self.desk.busy and found.blind and writable
        self.form.show_state(free=free, primary=free and not waiting, hint=hint)

    def _standing(self) -> Standing | None:
        passes = self._found.passes if self._found else ()
        return next((n for n in passes if n.made.id == self._chosen), None)

    def _choose(self) -> None:
        row = self.passes.currentRow()
        if self._found is not None and 0 <= row < len(self._found.passes):
            self._chosen = self._found.passes[row].made.id
            self._show_chosen()

    # What happens ---------------------------------------------------------------

    def _ended(self, why: str) -> None:
        if why:
            self.banner.tell(why)

    def _accept(self, reason: str) -> None:
        now = self._standing()
        if now is not None:
            self.desk.accept(now.made, reason)

    def _accepted(self) -> None:
        if self._found is not None:
            self.desk.open(self._found.packet)
        self.accepted.emit()

    def _resume(self) -> None:
        now = self._standing()
        if now is not None:
            kept = now.made.settings["ceiling"]
            # A ceiling that was raised in the form counts; else the pass's own.
            self.desk.resume(now.made, self.form.limit or kept)

    # Layout ---------------------------------------------------------------------

    def _connect(self) -> None:
        desk, view = self.desk, self.view
        desk.shown.connect(self._show)
        desk.moved.connect(self._show_state)
        desk.ended.connect(self._ended)
        desk.accepted.connect(self._accepted)
        self.form.wanted.connect(desk.begin)
        self.passes.itemSelectionChanged.connect(self._choose)
        view.resume_wanted.connect(self._resume)
        view.pause_wanted.connect(desk.pause)
        view.go_on_wanted.connect(desk.go_on)
        view.drain_wanted.connect(desk.drain)
        view.cancel_wanted.connect(desk.cancel)
        view.accept_wanted.connect(self._accept)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self.banner)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._main(), 1)
        row.addWidget(self._side())
        column.addLayout(row, 1)

    def _head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(theme.S6, theme.S4, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        named = QHBoxLayout()
        named.setSpacing(theme.S3)
        for widget in (self.back, self.title, self.practice):
            named.addWidget(widget)
        named.addStretch()
        column.addLayout(named)
        about = label(_ABOUT, "caption", wrap=True)
        column.addWidget(about)
        return head

    def _main(self) -> QWidget:
        inside = QFrame()
        inside.setProperty("role", "panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.S6, theme.S3, theme.S6, theme.S6)
        column.setSpacing(theme.S2)
        column.addWidget(label("Passes", "section"))
        column.addWidget(self.passes)
        column.addWidget(self.none)
        column.addSpacing(theme.S4)
        column.addWidget(self.view)
        column.addStretch()
        for widget in (self.passes, self.view):
            widget.setMaximumWidth(theme.px(_WIDEST))
        return scrolled(inside)

    def _side(self) -> QWidget:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S4)
        column.setSpacing(theme.S2)
        column.addWidget(label("New pass", "section"))
        column.addWidget(self.form)
        column.addStretch()
        self._beside = scrolled(inside)
        return self._beside


def _hint(found: AutoShown, *, busy: bool, writable: bool) -> str:
    if not writable:
        return f"{READ_ONLY}."
    if not found.blind:
        return "The packet is unblinded: codes given now would be left out."
    if busy:
        return "One pass is sent at a time."
    if not found.work.known:
        return (
            "⚠ The packet holds no known-code items, so the pass cannot be calibrated."
        )
    if found.passes:
        return "Another pass of the same items gives κ between the passes."
    return ""

"""The coding page: the trace in the middle, its codes at the right, nothing else."""

from collections.abc import Callable
from functools import cached_property, partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QCloseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from coding.codebook import Field
from coding.packet import Packet
from coding.results import CodingSession
from director_gui.ui import theme
from director_gui.ui.coder import keys, sheet
from director_gui.ui.coder.banner import Banner
from director_gui.ui.coder.boxes import plain_label
from director_gui.ui.coder.column import Column
from director_gui.ui.coder.desk import Desk
from director_gui.ui.coder.guide import TRAINING_KEY
from director_gui.ui.coder.progress import ProgressLine
from director_gui.ui.coder.reading import ReadingView
from director_gui.ui.coder.shortcuts import bind
from director_gui.ui.coder.words import time_left

_LEAST_TEXT = 320  # px at 100 %; a narrower trace gives way to the open codebook
_MARKS = {"coded": "coded", "skipped": "skipped"}


class CoderPane(QWidget):
    """Codes one packet, by keyboard or mouse.

    Args:
        packet: The packet; all that the pane knows about the traces.
        session: Its open results file; the pane does not close it.
        parent: The widget to live in.
        desk: The desk to work at; None for one on the whole packet.
    """

    finished = Signal()  # the coder went past the last trace, or coded all of them
    training_asked = Signal()

    def __init__(
        self,
        packet: Packet,
        session: CodingSession,
        parent: QWidget | None = None,
        desk: Desk | None = None,
    ) -> None:
        super().__init__(parent)
        self.plan = keys.plan(packet.codebook)
        self.desk = desk or Desk(packet, session)
        self.desk.setParent(self)
        self.progress, self.banner = ProgressLine(), Banner()
        self.trace = ReadingView()
        self.sheet = sheet.CodebookSheet(packet.codebook, self.plan)
        self.column = Column(packet.codebook, self.plan)
        self.hint = plain_label("", "caption")
        self.page_of_text = QFrame()
        self.page_of_text.setProperty("role", "panel")
        self._lay_out()
        self._connect()
        self._bind_keys()
        self.restyle()
        self._show_trace()

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        self.trace.restyle()
        self.sheet.restyle()
        self.column.restyle()
        self._place_sheet(open_=not self.sheet.isHidden())

    def toggle_sheet(self) -> None:
        """Open the codebook beside the trace, or close it."""
        opens = self.sheet.isHidden()
        self._place_sheet(open_=opens)
        # Or the keys would scroll what is out of sight.
        (self.sheet if opens else self.trace).setFocus(
            Qt.FocusReason.ShortcutFocusReason
        )

    def go_to_uncoded(self) -> None:
        """Show the next trace that is neither coded nor skipped."""
        self.column.commit()
        self.desk.next_uncoded()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the room to trace or codebook when it does not suffice for both."""
        super().resizeEvent(event)
        self.column.fit()
        self._place_sheet(open_=not self.sheet.isHidden())

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep what is being written."""
        self.column.commit()
        super().closeEvent(event)

    def _lay_out(self) -> None:
        self.sheet.hide()
        page_of_text = self.page_of_text
        middle = QVBoxLayout(page_of_text)
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        middle.addWidget(self.trace, 1)
        self.hint.setContentsMargins(theme.S4, theme.S1, theme.S4, theme.S2)
        middle.addWidget(self.hint)
        body = QHBoxLayout()
        body.setSpacing(0)
        body.addWidget(self.sheet)
        body.addWidget(page_of_text, 1)
        body.addWidget(self.column)
        page = QVBoxLayout(self)
        page.setContentsMargins(0, 0, 0, 0)
        page.setSpacing(0)
        page.addWidget(self.progress)
        page.addWidget(self.banner)
        page.addLayout(body, 1)
        self._add_tools()

    def _add_tools(self) -> None:
        tools: tuple[tuple[str, str, Callable[[], None]], ...] = (
            ("Undo", "Ctrl+Z", self._undo),
            ("Redo", "Ctrl+Shift+Z", self._redo),
            ("Codebook", "F1 or ?", self.toggle_sheet),
            ("Training", TRAINING_KEY, self.training_asked.emit),
        )
        for name, key, action in tools:
            button = QPushButton(name)
            button.setProperty("flat", True)
            button.setToolTip(key)
            # A click must not take the keys away from the trace.
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(action)
            self.progress.add_action(button)

    def _connect(self) -> None:
        desk, column = self.desk, self.column
        desk.moved.connect(self._show_trace)
        desk.changed.connect(self._show_codes)
        desk.hinted.connect(self.say)
        desk.failed.connect(self._show_fault)
        desk.finished.connect(self.finished)
        column.chosen.connect(desk.choose)
        column.quote_asked.connect(self._quote)
        column.quote_removed.connect(desk.unquote)
        column.text_written.connect(desk.write)
        column.note_written.connect(desk.note)
        column.skip_asked.connect(desk.skip)
        column.flag_asked.connect(desk.flag)
        column.next_asked.connect(self._next)
        column.previous_asked.connect(self._previous)
        column.left.connect(self._focus_trace)

    def _bind_keys(self) -> None:
        plan = self.plan
        for field in self.desk.book.fields:
            self._bind_field(field)
        self._bind(plan.command(keys.NOTE), partial(self.column.open_text, ""))
        self._bind(plan.command(keys.SKIP), self.desk.skip)
        self._bind(plan.command(keys.FLAG), self.desk.flag)
        self._bind(plan.command(keys.UNCODED), self.go_to_uncoded)
        for key in (keys.HELP, "F1"):
            self._bind(key, self.toggle_sheet)
        for key in ("Return", "Enter", "Right", "PgDown"):
            self._bind(key, self._next)
        for key in ("Left", "PgUp"):
            self._bind(key, self._previous)
        self._bind("Ctrl+Z", self._undo)
        for key in ("Ctrl+Shift+Z", "Ctrl+Y"):
            self._bind(key, self._redo)
        self._bind(TRAINING_KEY, self.training_asked.emit)
        self._bind("Escape", self._escape)

    def _bind_field(self, field: Field) -> None:
        name, key = field.name, self.plan.field(field.name)
        for code in field.codes:
            choose = partial(self._choose, name, code.name)
            self._bind(self.plan.code(name, code.name), choose)
        if field.kind == "quote":
            self._bind(key, partial(self._quote, name))
        elif field.kind == "text":
            self._bind(key, partial(self.column.open_text, name))

    def _bind(self, key: str, action: Callable[[], None]) -> None:
        bind(self, key, action)

    def say(self, text: str) -> None:
        """Show a remark under the trace and let a screen reader speak it."""
        self._show_hint(text, "strong")
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def _next(self) -> None:
        self.column.commit()
        self.desk.next()

    def _previous(self) -> None:
        self.column.commit()
        self.desk.previous()

    def _undo(self) -> None:
        self.column.commit()
        self.desk.undo()

    def _redo(self) -> None:
        self.column.commit()
        self.desk.redo()

    def _escape(self) -> None:
        if not self.sheet.isHidden():
            self.toggle_sheet()
        self.trace.deselect()
        self._focus_trace()

    def _choose(self, field: str, code: str) -> None:
        self.desk.choose(field, code)
        self.column.reveal(field)

    def _quote(self, field: str) -> None:
        self.desk.quote(field, *self.trace.selected())
        # What was quoted is lit now; a selection over it would hide that.
        self.trace.deselect()

    def _focus_trace(self) -> None:
        self.trace.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_trace(self) -> None:
        desk = self.desk
        self.trace.show_text(desk.text)
        self.column.show_state(desk.state, fresh=True)
        self._show_codes()
        total = len(desk.packet.items)
        place = f"Trace {desk.index + 1} of {total}"
        # Never the item's id: it is neutral, but means nothing to a coder.
        self.trace.setAccessibleName(place)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, place))

    def _show_hint(self, text: str, role: str) -> None:
        self.hint.setText(text)
        if self.hint.property("role") != role:
            self.hint.setProperty("role", role)
            self.hint.style().unpolish(self.hint)
            self.hint.style().polish(self.hint)

    def _show_codes(self) -> None:
        desk, state = self.desk, self.desk.state
        self.column.show_state(state)
        self.trace.mark((q.start, q.end) for q in state.quotes.values())
        progress = desk.progress
        self._show_hint(self._usual_hint, "caption")
        mark = "not saved" if desk.waits else _MARKS.get(desk.status, "")
        self.progress.show_place(desk.index + 1, progress.total, mark)
        self.progress.show_counts(
            progress.coded, progress.skipped, progress.total, time_left(progress)
        )

    def _show_fault(self, fault: str) -> None:
        if not fault:
            self.banner.hide()
            return
        self.banner.say(
            f"Not saved yet: {fault}. The decision stays on screen until it is saved.",
            error=True,
            button="Try again",
            action=self._retry,
        )
        # The banner is silent to a screen reader, so the remark says it too.
        self.say("Not saved yet")

    def _retry(self) -> None:
        if self.desk.retry():
            self.column.commit()
            self.say("Saved")

    @cached_property
    def _usual_hint(self) -> str:
        first = next((f for f in self.desk.book.fields if f.kind == "quote"), None)
        quote = ""
        if first is not None:
            key = self.plan.field(first.name).upper()
            quote = f"Select words and press {key} to quote · "
        uncoded = self.plan.command(keys.UNCODED).upper()
        return f"{quote}Enter: next · ←: back · {uncoded}: next uncoded · ?: codebook"

    def _place_sheet(self, *, open_: bool) -> None:
        width = theme.px(sheet.WIDTH)
        room = self.width() - self.column.width() - width
        narrow = open_ and room < theme.px(_LEAST_TEXT)
        # The width first: a sheet that is too wide would push the window open.
        self.sheet.setMinimumWidth(width if open_ and not narrow else 0)
        self.sheet.setMaximumWidth(self.width() if narrow else width)
        self.page_of_text.setVisible(not narrow)
        self.sheet.setVisible(open_)

"""Adjudicating: the trace, what the coders said about it, and a third code."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from coding.errors import CodingError
from coding.packet import Packet
from coding.results import ADJUDICATED, CodingSession
from director_gui.errors import UserError
from director_gui.study.blind.adjudicating import Adjudication, Disagreement
from director_gui.ui import theme
from director_gui.ui.coder.pane import CoderPane
from director_gui.ui.coordinator.adjudicate_desk import AdjudicateDesk
from director_gui.ui.coordinator.adjudicate_sides import Sides, shades
from director_gui.ui.widgets import button, label

_LEAVE = "Ctrl+Return"
_SETTLED = 30  # ms until every box has its place
_ABOUT = (
    "Coders' names are hidden and their codes stay as they are. Decide what differs "
    "(≠) with the keys of the codebook; agreement never counts this pass as a coder."
)


class AdjudicatePane(CoderPane):
    """The coders' pane with their codes above the trace and their quotes lit in it."""

    def __init__(
        self,
        packet: Packet,
        session: CodingSession,
        items: Mapping[str, Disagreement],
        parent: QWidget | None = None,
    ) -> None:
        self._at = AdjudicateDesk(packet, session, items)
        super().__init__(packet, session, parent, desk=self._at)
        self._soon = QTimer(self, singleShot=True, interval=_SETTLED)
        self._soon.timeout.connect(self._reveal)
        self.sides = Sides(packet.codebook)
        page = self.page_of_text.layout()
        if isinstance(page, QBoxLayout):
            page.insertWidget(0, self.sides)
        # A coder is trained; whoever settles things has the codebook beside the trace.
        for tool in self.progress.findChildren(QPushButton):
            tool.setHidden(tool.text() == "Training")
        # After the pane's own slots, which have put the new text up by then.
        self.desk.moved.connect(self._show_sides)
        self._show_sides()

    def restyle(self) -> None:
        """Take the theme's colours and text size."""
        super().restyle()
        if hasattr(self, "sides"):
            self._show_sides()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the coders' codes their share of the height."""
        super().resizeEvent(event)
        self.sides.fit(self.height())
        self._soon.start()

    def _show_sides(self) -> None:
        one = self._at.disagreement
        self.sides.show_item(one)
        self.trace.shade(shades(one))
        self._soon.start()

    def _reveal(self) -> None:
        # Large text has the last boxes out of sight.
        if open_ := self._at.missing():
            self.column.reveal(open_[0].name)


class AdjudicatePage(QWidget):
    """One adjudication from its first item to the way back to the packet."""

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.pane: AdjudicatePane | None = None
        self.title = label("", "title", wrap=True)
        self.back = button("Back to the packet", self.leave)
        self.back.setToolTip(f"Keep what is settled and go back ({_LEAVE})")
        head = QHBoxLayout()
        head.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S1)
        head.addWidget(self.title, 1)
        head.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        about = label(_ABOUT, "caption", wrap=True)
        about.setContentsMargins(theme.S4, 0, theme.S4, theme.S2)
        self._page = QVBoxLayout(self)
        self._page.setContentsMargins(0, 0, 0, 0)
        self._page.setSpacing(0)
        self._page.addLayout(head)
        self._page.addWidget(about)
        QShortcut(QKeySequence(_LEAVE), self, self.leave)

    def begin(self, found: Adjudication) -> None:
        """Open the pass and show its first item that is not settled.

        Raises:
            UserError: Its log is open elsewhere, was changed, or the disk refuses.
        """
        self.stop()
        try:
            session = CodingSession(found.packet, found.path, ADJUDICATED)
        except CodingError as error:
            raise UserError(error.what, where=error.where, todo=error.todo) from error
        count = len(found.items)
        items = f"{count} item{'' if count == 1 else 's'}"
        self.title.setText(f"Adjudicate {items} of packet {found.packet.id[:8]}")
        self.pane = AdjudicatePane(found.packet, session, found.items)
        self.pane.finished.connect(self.leave)
        self._page.addWidget(self.pane, 1)

    def focus(self) -> None:
        """Give the keys to the trace."""
        if self.pane is not None:
            self.pane.trace.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Close the pass and say so, unless a decision still waits for the disk."""
        if self.pane is None:
            return
        self.pane.column.commit()
        if self.pane.desk.retry():
            self.stop()
            self.left.emit()

    def stop(self) -> None:
        """Close the log; what was decided is on disk."""
        if self.pane is not None:
            self.pane.column.commit()
            self.pane.desk.session.close()
            self._page.removeWidget(self.pane)
            self.pane.hide()
            self.pane.deleteLater()
        self.pane = None

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        if self.pane is not None:
            self.pane.restyle()

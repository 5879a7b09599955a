"""One packet: its coders, its agreement, and what its key says once it is open."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from director_gui.study.blind.agreement import PassAgreement
from director_gui.study.blind.overview import CoderRow, PacketRow
from director_gui.ui import theme
from director_gui.ui.coordinator.acts import Shown
from director_gui.ui.coordinator.adjudicate_box import AdjudicateBox
from director_gui.ui.coordinator.agreement_view import AgreementView
from director_gui.ui.coordinator.guess_view import GuessView
from director_gui.ui.coordinator.joined_view import JoinedView
from director_gui.ui.coordinator.tools_button import ToolsButton
from director_gui.ui.coordinator.unblind_box import UnblindBox
from director_gui.ui.flow import Flow, Halves
from director_gui.ui.icons import icon
from director_gui.ui.tables import Table
from director_gui.ui.widgets import Banner, button, label, restyle, scrolled

if TYPE_CHECKING:
    from collections.abc import Callable

_SIDE, _LEAST = 320, 440  # px; of the coders, and of the figures beside them
_COLUMNS = ("Coder", "State")
_TWO_LINES = 40  # px
_WIDEST = 880  # px; figures far from their names are hard to read


class PacketPage(QWidget):
    """Shows what `acts.shown` found; what the user wants goes out as signals."""

    pane_wanted = Signal()
    merge_wanted = Signal()
    waiting_wanted = Signal()  # merge what waits beside the packet
    save_wanted = Signal()
    practice_wanted = Signal()
    unblind_wanted = Signal(str)
    adjudicate_wanted = Signal()
    auto_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = label("", "title")
        self.practice = label("practice")
        self.practice.setObjectName("practiceBadge")
        self.about = label("", "caption", wrap=True)
        self.news = Banner()
        self.pane = button("Open the blind pane", self.pane_wanted.emit, primary=True)
        self.merge = button("Merge results…", self.merge_wanted.emit)
        self.save = button("Save again…", self.save_wanted.emit)
        self.save.setToolTip("Save the packet's file to a folder once more")
        self.auto = button("Automatic coder…", self.auto_wanted.emit)
        self.auto.setToolTip("Let a model code it, and look at its calibration")
        self.tools = ToolsButton()
        self.practise = button("Practice coders", self.practice_wanted.emit)
        self.practise.setToolTip("Let two practice coders code it, and merge that")
        self.coders = Table("Coders and how far they are", row=_TWO_LINES)
        self.no_coders = label("", "caption", wrap=True)
        self.unblind = UnblindBox()
        self.unblind.asked.connect(self.unblind_wanted)
        self.adjudicate = AdjudicateBox()
        self.adjudicate.asked.connect(self.adjudicate_wanted)
        self.agreement = AgreementView()
        self.hidden = label("", "empty", wrap=True)
        self.agreement_title = label("Agreement", "section")
        self.joined_title = label("By model and condition", "section")
        self.joined_title.setContentsMargins(0, theme.S6, 0, 0)
        self.joined = JoinedView()
        self.guesses = GuessView()
        self._shown: Shown | None = None
        self.agreement.tabs.currentChanged.connect(lambda _at: self._show_joined())
        self._lay_out()
        self.retheme()

    def show_packet(self, found: Shown, row: PacketRow, *, writable: bool) -> None:
        """Show a packet as it stands now."""
        self._shown = found
        self.title.setText(f"Packet {row.short}")
        self.title.setToolTip(row.id)
        self.practice.setVisible(row.practice)
        self.about.setText(_about(row))
        self.practise.setVisible(row.practice and row.practisable and writable)
        for widget in (self.merge, self.save):
            widget.setEnabled(writable)
        self.tools.show_writable(writable=writable)
        self._show_coders(row.coders)
        self._show_agreement(found.agreement)
        self._show_joined()
        self.guesses.show_guesses(found.guesses)
        self._show_waiting(found.waiting, writable=writable)
        self.unblind.show_packet(row, writable=writable)
        self.adjudicate.show_found(found.adjudication, writable=writable)
        # Once it is open, coding is no longer the next step.
        self.pane.setProperty("primary", not row.unblinded)
        restyle(self.pane)

    def retheme(self) -> None:
        """Take the colours and the text size that are shown now."""
        self.halves.fit()
        for made, name in (
            (self.merge, "file-import-outline"),
            (self.save, "content-save-outline"),
            (self.auto, "auto-fix"),
            (self.tools, "swap-horizontal"),
            (self.practise, "robot-outline"),
        ):
            made.setIcon(icon(name))
        self.agreement.retheme()

    def _show_coders(self, coders: tuple[CoderRow, ...]) -> None:
        self.coders.setVisible(bool(coders))
        self.coders.show_rows(_COLUMNS, [_coder_row(c) for c in coders])
        self.no_coders.setText(
            "Codes stay hidden until two coders are done."
            if coders
            else "No results yet. Give the packet's file to each coder; what they "
            "send back is merged here."
        )

    def _show_agreement(self, found: PassAgreement | str) -> None:
        there = isinstance(found, PassAgreement)
        self.agreement.setVisible(there)
        self.hidden.setVisible(not there)
        self.no_coders.setVisible(not there)
        if isinstance(found, PassAgreement):
            self.agreement.show_agreement(found)
            practice = " · practice" if found.practice else ""
            self.agreement_title.setText(f"Agreement{practice}")
        else:
            self.agreement_title.setText("Agreement")
            self.hidden.setText(found)

    def _show_joined(self) -> None:
        joined = self._shown.joined if self._shown else {}
        # One choice of the field for both tables.
        name = self.agreement.tabs.tabData(self.agreement.tabs.currentIndex())
        one = joined.get(name) or next(iter(joined.values()), None)
        self.joined_title.setVisible(one is not None)
        self.joined.setVisible(one is not None)
        if one is not None:
            practice = " · practice" if one.practice else ""
            self.joined_title.setText(f"By model and condition{practice}")
            self.joined.show_joined(one)

    def _show_waiting(self, waiting: tuple[Path, ...], *, writable: bool) -> None:
        if not waiting or not writable:
            self.news.hide()
            return
        names = ", ".join(path.stem.split("-", 1)[-1] for path in waiting)
        merge: tuple[str, Callable[[], object]] = ("Merge", self.waiting_wanted.emit)
        self.news.tell(f"Results beside the packet hold something new: {names}", merge)

    # Layout -------------------------------------------------------------------

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(self.news)
        # At 200 % text neither could be read beside the other.
        self.halves = Halves(self._main(), self._side(), _SIDE, _LEAST)
        column.addWidget(self.halves, 1)

    def _head(self) -> QWidget:
        head = QWidget()
        column = QVBoxLayout(head)
        column.setContentsMargins(theme.S6, theme.S4, theme.S4, theme.S3)
        column.setSpacing(theme.S2)
        named = QHBoxLayout()
        named.setSpacing(theme.S3)
        named.addWidget(self.title)
        named.addWidget(self.practice)
        named.addStretch()
        acts = Flow(theme.S2)  # large text needs a second line
        for widget in (
            self.pane,
            self.merge,
            self.save,
            self.tools,
            self.auto,
            self.practise,
        ):
            acts.addWidget(widget)
        column.addLayout(named)
        column.addWidget(self.about)
        column.addLayout(acts)
        return head

    def _main(self) -> QWidget:
        inside = QFrame()
        inside.setProperty("role", "panel")
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.S6, theme.S3, theme.S6, theme.S6)
        column.setSpacing(theme.S2)
        for widget in (
            self.agreement_title,
            self.hidden,
            self.agreement,
            self.joined_title,
            self.joined,
            self.guesses,
        ):
            column.addWidget(widget)
        column.addStretch()
        for widget in (self.agreement, self.joined, self.guesses):
            widget.setMaximumWidth(theme.px(_WIDEST))
        return scrolled(inside)

    def _side(self) -> QWidget:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(theme.S4, theme.S3, theme.S4, theme.S4)
        column.setSpacing(theme.S2)
        column.addWidget(label("Coders", "section"))
        column.addWidget(self.coders)
        column.addWidget(self.no_coders)
        column.addWidget(self.adjudicate)
        column.addSpacing(theme.S4)
        column.addWidget(label("Unblinding", "section"))
        column.addWidget(self.unblind)
        column.addStretch()
        return scrolled(inside)


def _about(row: PacketRow) -> str:
    parts = [f"{row.items} items", row.form]
    if row.book:
        parts.append(f"codebook {row.book}")
    parts.append(f"made {row.created[:10]}")
    if row.again:
        parts.append(f"a second pass of packet {row.again[:8]}")
    if row.file:
        parts.append(f"saved in {row.folder}")
    elif row.folder:
        parts.append(f"its file is no longer in {row.folder}")
    return " · ".join(parts)


def _coder_row(coder: CoderRow) -> tuple[str, ...]:
    counts = f"{coder.coded} coded · {coder.skipped} skipped"
    late = f" · {coder.late} late" if coder.late else ""
    state = "✓ done" if coder.done else f"{coder.missing} left"
    return f"{coder.alias}\n{counts}{late}", state

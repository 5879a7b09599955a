"""The coding workspace: packets at the left, one of them or a new one beside it."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from director_gui.errors import UserError
from director_gui.study.blind.adjudicating import Adjudication
from director_gui.study.blind.merging import MergeReport
from director_gui.ui import theme
from director_gui.ui.coordinator import acts
from director_gui.ui.coordinator.adjudicate_page import AdjudicatePage
from director_gui.ui.coordinator.auto_page import AutoPage
from director_gui.ui.coordinator.codebook_page import CodebookPage
from director_gui.ui.coordinator.make_page import MakePage
from director_gui.ui.coordinator.packet_desk import PacketDesk
from director_gui.ui.coordinator.packet_list import PacketList
from director_gui.ui.coordinator.packet_page import PacketPage
from director_gui.ui.coordinator.watching import FolderWatch
from director_gui.ui.jobs import Jobs
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, EmptyState

_ROOMY = 900  # px; below it the list of packets leaves its room to some pages
_EMPTY = (
    "A packet holds reasoning traces under random ids, without model, condition or "
    "scene. Coders read it alone; their results are merged here, compared, and joined "
    "to the replies once you unblind the packet."
)


class CodingWorkspace(QWidget):
    """Everything a coordinator does; the coders' pane is a process of its own."""

    HINT = "Coding reasoning traces blind"

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self._current, self._asked = "", 0
        self.banner = Banner()
        self.list = PacketList()
        self.make = MakePage(session, jobs, refuse)
        self.page = PacketPage()
        self.books = CodebookPage(session, jobs, refuse)
        self.adjudicate = AdjudicatePage()
        self.auto = AutoPage(session, jobs, refuse)
        self.empty = EmptyState(_EMPTY, ("Make a packet", self.show_make))
        self.watch = FolderWatch(self)
        self.desk = PacketDesk(session, jobs, refuse, self)
        self._stack = QStackedWidget()
        for widget in (self.empty, self.make, self.page, self.adjudicate, self.books):
            self._stack.addWidget(widget)
        self._stack.addWidget(self.auto)
        self._lay_out()
        self._connect()

    def refresh(self) -> None:
        """Read the packets again, while they are shown; the one on show stays."""
        if not self.isVisible():
            return
        try:
            study = self._session.study
        except UserError as error:
            self._refuse(error)
            return
        self._asked += 1
        asked, packet = self._asked, self._current
        self._jobs.start(
            "Reading the packets",
            lambda _: acts.shown(study, packet),
            lambda found: self._show(asked, found),
            self._refuse,
        )

    def show_packet(self, packet_id: str) -> None:
        """Show one packet."""
        # What was told concerned the packet that is left now.
        self.banner.hide()
        self.adjudicate.stop()  # another packet was chosen meanwhile
        if self._stack.currentWidget() is self.auto:
            self._stack.setCurrentWidget(self.page)
        self._current = packet_id
        self.refresh()

    def show_make(self) -> None:
        """Show the page that makes a packet."""
        self.adjudicate.stop()
        self._current = ""
        self._asked += 1  # a packet that is still being read must not come back
        self.list.clear_choice()
        self._stack.setCurrentWidget(self.make)
        self.make.begin()
        self.make.form.setFocus()

    def show_books(self) -> None:
        """Show the codebook editor."""
        self.adjudicate.stop()
        self._current = ""
        self._asked += 1  # as above: nothing that is still being read pushes in
        self.list.clear_choice()
        self._stack.setCurrentWidget(self.books)
        self.books.begin()

    def close_views(self) -> None:
        """Stop watching until the workspace is shown again."""
        self.watch.stop()
        self.books.close_views()
        self.make.form.stop()
        self.adjudicate.stop()

    def retheme(self) -> None:
        """Take the colours of the theme that is shown now."""
        self.list.retheme()
        self.make.retheme()
        self.books.retheme()
        self.page.retheme()
        self.adjudicate.retheme()
        self.auto.retheme()
        self._make_room()
        self.refresh()  # rows have the height of their text

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        if self._stack.currentWidget() is self.make and not event.spontaneous():
            self.make.begin()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.close_views()

    # What is shown --------------------------------------------------------------

    def _show(self, asked: int, found: acts.Shown) -> None:
        if asked != self._asked:
            return
        # Whoever makes a packet or a codebook is not sent away by news of another.
        kept = (self.make, self.books)
        making = self._stack.currentWidget() in kept and not self._current
        if not self._current and found.rows and not making:
            self.show_packet(found.rows[0].id)
            return
        if not self.isVisible():
            return
        self.list.show_packets(found.rows, self._current)
        # What the buttons act on is what is on the screen.
        self.desk.row, self.desk.waiting = found.row, found.waiting
        self._watch()
        if found.row is not None:
            writable = not self._session.study.read_only
            self.page.show_packet(found, found.row, writable=writable)
            # Whoever is settling an item is not sent away by news either.
            staying = self._stack.currentWidget() is self.auto
            if self.adjudicate.pane is None and not staying:
                self._stack.setCurrentWidget(self.page)
        elif not making:
            self._stack.setCurrentWidget(self.empty)

    def _watch(self) -> None:
        row = self.desk.row
        if row is None:
            self.watch.watch(None, "")
        else:
            self.watch.watch(row.folder, f"{row.id}-*.jsonl")

    def _make_room(self) -> None:
        # A page with a way back of its own needs no list where room is short.
        short = self.width() < theme.px(_ROOMY)
        automatic = self._stack.currentWidget() is self.auto and short
        self.list.setVisible(self.adjudicate.pane is None and not automatic)

    def _study_changed(self) -> None:
        self.adjudicate.stop()
        self.books.forget()
        self._current = ""
        self._stack.setCurrentWidget(self.empty)
        self.refresh()

    def _run_ended(self) -> None:
        if self.isVisible() and self._stack.currentWidget() is self.make:
            self.make.begin()

    # What the user does -----------------------------------------------------------

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge results files: all of them, or none."""
        self.desk.merge(paths)

    def _merged(self, report: MergeReport) -> None:
        self.banner.tell(acts.merged_in_words(report))
        self._current = self._current or report.files[0].packet
        self.refresh()

    def _show_auto(self) -> None:
        self.banner.hide()
        self.auto.open(self._current)
        self._stack.setCurrentWidget(self.auto)

    def _leave_auto(self) -> None:
        self._stack.setCurrentWidget(self.page)
        self.refresh()

    def _adjudicating(self, found: Adjudication) -> None:
        try:
            self.adjudicate.begin(found)
        except UserError as error:
            self._refuse(error)
            return
        self.banner.hide()
        self._stack.setCurrentWidget(self.adjudicate)
        self._make_room()
        self.adjudicate.focus()

    # Layout -----------------------------------------------------------------------

    def _lay_out(self) -> None:
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self._stack, 1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        row.addWidget(self.list)
        row.addWidget(right, 1)

    def _connect(self) -> None:
        self.list.chosen.connect(self.show_packet)
        self.list.wanted.connect(self.show_make)
        self.list.books_wanted.connect(self.show_books)
        self.make.sealed.connect(self.show_packet)
        self.make.failed.connect(self.refresh)
        self.watch.changed.connect(self.refresh)
        self._session.study_changed.connect(self._study_changed)
        self._session.run_ended.connect(lambda _run, _end: self._run_ended())
        self._stack.currentChanged.connect(lambda _at: self._make_room())
        self.page.auto_wanted.connect(self._show_auto)
        self.auto.left.connect(self._leave_auto)
        self.auto.accepted.connect(self.refresh)
        self.adjudicate.left.connect(lambda: self.desk.keep_settled(self._current))
        self._connect_desk()

    def _connect_desk(self) -> None:
        desk, page = self.desk, self.page
        page.pane_wanted.connect(desk.start_pane)
        page.merge_wanted.connect(desk.ask_results)
        page.waiting_wanted.connect(lambda: self.merge(desk.waiting))
        page.save_wanted.connect(desk.save_again)
        page.practice_wanted.connect(desk.practise)
        page.unblind_wanted.connect(lambda why: desk.unblind(self._current, why))
        page.adjudicate_wanted.connect(lambda: desk.adjudicate(self._current))
        page.tools.handed_out.connect(desk.hand_out)
        page.tools.taken_in.connect(desk.take_in)
        desk.told.connect(self.banner.tell)
        desk.changed.connect(self.refresh)
        desk.merged.connect(self._merged)
        desk.adjudicating.connect(self._adjudicating)

"""The coding workspace: packets at the left, one of them or a new one beside it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from coding.exchange import TOOL_WORDS, TOOLS
from director_gui.errors import UserError
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.adjudicating import Adjudication
from director_gui.study.blind.merging import MergeReport
from director_gui.study.blind.sealing import release
from director_gui.study.blind.unblinding import unblind
from director_gui.ui.coordinator import acts
from director_gui.ui.coordinator.adjudicate_page import AdjudicatePage
from director_gui.ui.coordinator.auto_page import AutoPage
from director_gui.ui.coordinator.codebook_page import CodebookPage
from director_gui.ui.coordinator.make_page import MakePage
from director_gui.ui.coordinator.packet_list import PacketList
from director_gui.ui.coordinator.packet_page import PacketPage
from director_gui.ui.coordinator.tools_button import ask_alias
from director_gui.ui.coordinator.watching import FolderWatch
from director_gui.ui.jobs import Jobs, Progress
from director_gui.ui.places import ask_folder, ask_open
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner, EmptyState

if TYPE_CHECKING:
    from director_gui.study.blind.overview import PacketRow

RESULTS = "Results (*.jsonl);;All files (*)"
TOOL_FILES = "Tools' files (*.csv *.xlsx *.json *.jsonl);;All files (*)"
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
        self._row: PacketRow | None = None
        self._waiting: tuple[Path, ...] = ()
        self.banner = Banner()
        self.list = PacketList()
        self.make = MakePage(session, jobs, refuse)
        self.page = PacketPage()
        self.books = CodebookPage(session, jobs, refuse)
        self.adjudicate = AdjudicatePage()
        self.auto = AutoPage(session, jobs, refuse)
        self.empty = EmptyState(_EMPTY, ("Make a packet", self.show_make))
        self.watch = FolderWatch(self)
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
        self._job(
            "Reading the packets",
            lambda _: acts.shown(study, packet),
            lambda found: self._show(asked, found),
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
        self.adjudicate.stop()
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
        self.refresh()  # rows have the height of their text

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()
        if self._stack.currentWidget() is self.make and not event.spontaneous():
            self.make.begin()

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
        self._row, self._waiting = found.row, found.waiting
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
        row = self._row
        if row is None:
            self.watch.watch(None, "")
        else:
            self.watch.watch(row.folder, f"{row.id}-*.jsonl")

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

    def _start_pane(self) -> None:
        if self._row is None:
            return
        try:
            acts.start_pane(self._row)
        except UserError as error:
            self._refuse(error)
            return
        self.banner.tell(
            "The blind pane opens in a window of its own. It knows nothing of this "
            "study; its results appear here when they are on disk."
        )

    def _ask_results(self) -> None:
        row = self._row
        start = str((row and row.folder) or self._session.folder)
        names, _ = QFileDialog.getOpenFileNames(self, "Merge results", start, RESULTS)
        if names:
            self.merge([Path(name) for name in names])

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge results files: all of them, or none."""
        study = self._session.study
        self._job("Merging results", lambda _: acts.merge(study, paths), self._merged)

    def _merged(self, report: MergeReport) -> None:
        self.banner.tell(acts.merged_in_words(report))
        self._current = self._current or report.files[0].packet
        self.refresh()

    def _save_again(self) -> None:
        row = self._row
        if row is None:
            return
        folder = ask_folder(self, "Save the packet to", self._session, row.folder)
        if folder is not None:
            study = self._session.study
            self._job(
                "Saving the packet",
                lambda _: release(study, row.id, folder, user_name()),
                lambda _path: self.refresh(),
            )

    def _hand_out(self, name: str) -> None:
        row, study = self._row, self._session.study
        tool = next((one for one in TOOLS if one == name), None)
        if row is None or tool is None:
            return
        title = f"Write for {TOOL_WORDS[tool]} to"
        folder = ask_folder(self, title, self._session, row.folder)
        if folder is not None:
            self._job(
                "Writing the items",
                lambda _: acts.hand_out(row, study, tool, folder),
                self.banner.tell,
            )

    def _take_in(self) -> None:
        row, study = self._row, self._session.study
        title = "Codes from another tool"
        file = ask_open(self, title, TOOL_FILES, self._session) if row else None
        alias = ask_alias(self, file.name) if file else ""
        if row is not None and file is not None and alias:
            self._job(
                "Taking codes in",
                lambda _: acts.take_in(study, row, file, alias),
                self._merged,
            )

    def _practise(self) -> None:
        row = self._row
        if row is not None:
            study = self._session.study
            self._job(
                "Practice coders at work",
                lambda _: acts.practise(study, row),
                self._merged,
            )

    def _show_auto(self) -> None:
        self.banner.hide()
        self.auto.open(self._current)
        self._stack.setCurrentWidget(self.auto)

    def _leave_auto(self) -> None:
        self._stack.setCurrentWidget(self.page)
        self.refresh()

    def _adjudicate(self) -> None:
        study, packet = self._session.study, self._current
        self._job(
            "Locking the results",
            lambda _: acts.adjudicate(study, packet),
            self._adjudicating,
        )

    def _adjudicating(self, found: Adjudication) -> None:
        try:
            self.adjudicate.begin(found)
        except UserError as error:
            self._refuse(error)
            return
        self.banner.hide()
        self.list.hide()  # the page has what it needs, and a way back
        self._stack.setCurrentWidget(self.adjudicate)
        self.adjudicate.focus()

    def _adjudicated(self) -> None:
        study, packet = self._session.study, self._current
        self._job(
            "Keeping the adjudicated pass",
            lambda _: acts.keep_settled(study, packet),
            lambda _none: self.refresh(),
        )

    def _unblind(self, reason: str) -> None:
        packet, study = self._current, self._session.study
        self._job(
            "Unblinding",
            lambda _: unblind(study, packet, user_name(), reason),
            lambda _entry: self.refresh(),
        )

    def _job(
        self,
        title: str,
        work: Callable[[Progress], object],
        done: Callable[[Any], None],
    ) -> None:
        self._jobs.start(title, work, done, self._refuse)

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
        page = self.page
        page.pane_wanted.connect(self._start_pane)
        page.merge_wanted.connect(self._ask_results)
        page.waiting_wanted.connect(lambda: self.merge(self._waiting))
        page.save_wanted.connect(self._save_again)
        page.practice_wanted.connect(self._practise)
        page.unblind_wanted.connect(self._unblind)
        page.tools.handed_out.connect(self._hand_out)
        page.tools.taken_in.connect(self._take_in)
        self._stack.currentChanged.connect(
            lambda _at: self.list.setVisible(self.adjudicate.pane is None)
        )
        page.adjudicate_wanted.connect(self._adjudicate)
        page.auto_wanted.connect(self._show_auto)
        self.auto.left.connect(self._leave_auto)
        self.auto.accepted.connect(self.refresh)
        self.adjudicate.left.connect(self._adjudicated)

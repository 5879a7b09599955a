"""What a coordinator does with the packet on show: asks where, then starts a job."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from coding.exchange import TOOL_WORDS, TOOLS
from director_gui.errors import UserError
from director_gui.study.blind.actor import user_name
from director_gui.study.blind.sealing import release
from director_gui.study.blind.unblinding import unblind
from director_gui.ui.coordinator import acts
from director_gui.ui.coordinator.tools_button import ask_alias
from director_gui.ui.jobs import Jobs, Progress
from director_gui.ui.places import ask_folder, ask_open
from director_gui.ui.session import Session

if TYPE_CHECKING:
    from director_gui.study.blind.overview import PacketRow

RESULTS = "Results (*.jsonl);;All files (*)"
TOOL_FILES = "Tools' files (*.csv *.xlsx *.json *.jsonl);;All files (*)"


class PacketDesk(QObject):
    """Does what the page of one packet asks for.

    Attributes:
        row: The packet on show; None when there is none.
        waiting: Results files beside its file that hold something new.
    """

    told = Signal(str)  # what was done, in words
    changed = Signal()  # the study holds something new
    merged = Signal(object)  # MergeReport
    adjudicating = Signal(object)  # Adjudication

    def __init__(
        self,
        session: Session,
        jobs: Jobs,
        refuse: Callable[[UserError], None],
        over: QWidget,
    ) -> None:
        super().__init__(over)
        self._session, self._jobs, self._refuse = session, jobs, refuse
        self._over = over  # what dialogs stand over
        self.row: PacketRow | None = None
        self.waiting: tuple[Path, ...] = ()

    def start_pane(self) -> None:
        """Open the blind pane on the packet, in a process of its own."""
        if self.row is None:
            return
        try:
            acts.start_pane(self.row)
        except UserError as error:
            self._refuse(error)
            return
        self.told.emit(
            "The blind pane opens in a window of its own. It knows nothing of this "
            "study; its results appear here when they are on disk."
        )

    def ask_results(self) -> None:
        """Ask for results files and merge them."""
        row = self.row
        start = str((row and row.folder) or self._session.folder)
        names, _ = QFileDialog.getOpenFileNames(
            self._over, "Merge results", start, RESULTS
        )
        if names:
            self.merge([Path(name) for name in names])

    def merge(self, paths: Sequence[Path]) -> None:
        """Merge results files: all of them, or none."""
        study = self._session.study
        self._job(
            "Merging results", lambda _: acts.merge(study, paths), self.merged.emit
        )

    def save_again(self) -> None:
        """Ask for a folder and write the packet's file there."""
        row = self.row
        if row is None:
            return
        folder = ask_folder(self._over, "Save the packet to", self._session, row.folder)
        if folder is not None:
            study = self._session.study
            self._job(
                "Saving the packet",
                lambda _: release(study, row.id, folder, user_name()),
                self._done,
            )

    def hand_out(self, name: str) -> None:
        """Ask for a folder and write the items for another tool there."""
        row, study = self.row, self._session.study
        tool = next((one for one in TOOLS if one == name), None)
        if row is None or tool is None:
            return
        title = f"Write for {TOOL_WORDS[tool]} to"
        folder = ask_folder(self._over, title, self._session, row.folder)
        if folder is not None:
            self._job(
                "Writing the items",
                lambda _: acts.hand_out(row, study, tool, folder),
                self.told.emit,
            )

    def take_in(self) -> None:
        """Ask for another tool's file and its coder, and merge the codes."""
        row, study = self.row, self._session.study
        title = "Codes from another tool"
        file = ask_open(self._over, title, TOOL_FILES, self._session) if row else None
        alias = ask_alias(self._over, file.name) if file else ""
        if row is not None and file is not None and alias:
            self._job(
                "Taking codes in",
                lambda _: acts.take_in(study, row, file, alias),
                self.merged.emit,
            )

    def practise(self) -> None:
        """Let two practice coders code the packet."""
        row = self.row
        if row is not None:
            study = self._session.study
            self._job(
                "Practice coders at work",
                lambda _: acts.practise(study, row),
                self.merged.emit,
            )

    def adjudicate(self, packet: str) -> None:
        """Lock the results of the coders who are done and begin to settle."""
        study = self._session.study
        self._job(
            "Locking the results",
            lambda _: acts.adjudicate(study, packet),
            self.adjudicating.emit,
        )

    def keep_settled(self, packet: str) -> None:
        """Take what was settled into the study."""
        study = self._session.study
        self._job(
            "Keeping the adjudicated pass",
            lambda _: acts.keep_settled(study, packet),
            self._done,
        )

    def unblind(self, packet: str, reason: str) -> None:
        """Open the key of a packet and of all others of its items."""
        study = self._session.study
        self._job(
            "Unblinding",
            lambda _: unblind(study, packet, user_name(), reason),
            self._done,
        )

    def _done(self, _result: object) -> None:
        self.changed.emit()

    def _job(
        self,
        title: str,
        work: Callable[[Progress], object],
        done: Callable[[Any], None],
    ) -> None:
        self._jobs.start(title, work, done, self._refuse)

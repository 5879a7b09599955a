"""Codebooks on their way in and out: new ones, files, and a trial of the draft."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from coding.book_files import book_data
from director_gui import home
from director_gui.errors import UserError
from director_gui.study.blind.keys import mended
from director_gui.ui.coordinator.codebook_desk import BookDesk
from director_gui.ui.coordinator.codebook_trial import TrialWindow
from director_gui.ui.recovery import write_atomically

FILES = "Codebooks (*.toml *.qdc *.json);;All files (*)"
KINDS = "TOML (*.toml);;REFI-QDA Codebook (*.qdc);;JSON (*.json)"


class BookFiles:
    """Asks for files and tells what is refused."""

    def __init__(
        self, desk: BookDesk, page: QWidget, refuse: Callable[[UserError], None]
    ) -> None:
        self._desk, self._page, self._refuse = desk, page, refuse
        self.trial: TrialWindow | None = None

    def start_new(self) -> None:
        """Begin a codebook under a name that the study does not have."""
        taken = {kept.book.name for kept in self._desk.known}
        names = (f"codebook-{n}" for n in range(1, len(taken) + 2))
        self._desk.start_new(next(name for name in names if name not in taken))

    def bring_in(self) -> None:
        """Ask for a file and import it."""
        start = str(home.data_folder())
        name, _ = QFileDialog.getOpenFileName(
            self._page, "Import a codebook", start, FILES
        )
        if name:
            self._desk.bring_in(Path(name))

    def send_out(self) -> None:
        """Ask for a file and export the draft to it."""
        book = self._desk.draft
        start = home.data_folder() / f"{book.name}-{book.version}.toml"
        name, kind = QFileDialog.getSaveFileName(
            self._page, "Export the codebook", str(start), KINDS
        )
        if name:
            self.export(with_suffix(Path(name), kind))

    def export(self, path: Path) -> None:
        """Write the draft to a .toml, .qdc or .json file; refuse what cannot be."""
        try:
            # Made before the file is opened: a refusal leaves the old file alone.
            with mended():
                data = book_data(self._desk.draft, path)
            write_atomically(path, data)
        except UserError as error:
            self._refuse(error)
        except OSError as error:
            what = f"the codebook was not written ({error.strerror})"
            self._refuse(UserError(what, where=str(path), todo="Choose another folder"))

    def try_out(self) -> None:
        """Open the coders' window on the draft, with nothing kept."""
        # One at a time: two trials of two drafts would be mistaken for each other.
        if self.trial is not None:
            self.trial.close()
        try:
            made = TrialWindow(self._desk.draft)
        except UserError as error:
            self._refuse(error)
            return
        made.destroyed.connect(lambda: self._forget_trial(made))
        self.trial = made
        made.show()
        made.activateWindow()

    def _forget_trial(self, gone: TrialWindow) -> None:
        # Another one may be open by now.
        if self.trial is gone:
            self.trial = None


def with_suffix(path: Path, kind: str) -> Path:
    """Return the path with the suffix of the kind that was chosen, if it has none."""
    if path.suffix:
        return path
    return path.with_suffix("." + kind.partition("*.")[2].rstrip(")"))

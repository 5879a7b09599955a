"""Prompts out to a TOML file and in again; what a file slipped in is told first."""

from pathlib import Path

from PySide6.QtWidgets import QWidget

from director_gui.errors import UserError
from director_gui.study.prompt_files import UnseenError, export_toml, import_toml
from director_gui.ui.places import ask_open, ask_save
from director_gui.ui.prompts.book import PromptBook
from director_gui.ui.recovery import write_atomically
from director_gui.ui.session import Session
from director_gui.ui.widgets import Banner

FILTER = "Prompts (*.toml);;All files (*)"
_MOST_BYTES = 2**22  # a file of prompts has some thousand


class PromptFiles:
    """Asks for a file and tells in the banner what came of it."""

    def __init__(
        self, book: PromptBook, session: Session, banner: Banner, window: QWidget
    ) -> None:
        self._book = book
        self._session = session
        self._banner = banner
        self._window = window

    def ask_import(self) -> None:
        """Let the user choose a file and add what it holds."""
        path = ask_open(self._window, "Import prompts", FILTER, self._session)
        if path is not None:
            self.import_file(path)

    def ask_export(self) -> None:
        """Let the user choose a file and write the study's own prompts to it."""
        title = "Export this study’s own prompts"
        path = ask_save(self._window, title, "prompts.toml", FILTER, self._session)
        if path is not None:
            self.export_file(path)

    def import_file(self, path: Path, *, mend: bool = False) -> None:
        """Add what a file holds; tell what it added or why it is refused."""
        try:
            found = import_toml(_read(path), self._book.own, mend=mend)
        except UnseenError as error:
            self._offer_mending(path, error)
            return
        except UserError as error:
            where = f"{path.name}, {error.where}" if error.where else path.name
            # What is wrong inside a file is not found without the file's name.
            told = UserError(error.what, where=where, todo=error.todo)
            self._banner.tell_error(told, until=(self._book.went_well,))
            return
        if self._book.apply(found.own, f"Import {path.name}"):
            self._banner.tell(f"{path.name}: {found}.")

    def export_file(self, path: Path) -> None:
        """Write the study's own prompts."""
        path = path if path.suffix else path.with_suffix(".toml")
        try:
            write_atomically(path, export_toml(self._book.own))
        except OSError as error:
            what = f"the prompts were not written ({error.strerror})"
            todo = "Choose another folder"
            self._banner.tell_error(UserError(what, where=str(path), todo=todo))
            return
        self._banner.tell(f"Written to {path}.")

    def _offer_mending(self, path: Path, error: UnseenError) -> None:
        shown = "; ".join(error.found[:3])
        more = f"; and {len(error.found) - 3} more" if len(error.found) > 3 else ""
        self._banner.tell(
            f"An editor slipped something into {path.name}: {shown}{more}. "
            "Nothing was imported yet.",
            ("Import it mended", lambda: self.import_file(path, mend=True)),
            until=(self._book.went_well,),
        )


def _read(path: Path) -> bytes:
    try:
        # Some file chosen by mistake must not fill the memory.
        if path.stat().st_size > _MOST_BYTES:
            raise UserError("this file is too large for prompts", where=str(path))
        return path.read_bytes()
    except OSError as error:
        raise UserError(
            f"the file cannot be read ({error.strerror})", where=str(path)
        ) from error
